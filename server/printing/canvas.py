"""A page to draw on, in millimetres from its top left corner: the one place that knows fpdf2."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import BinaryIO, Final, Literal

from fontTools.ttLib import TTFont
from fpdf import FPDF
from fpdf.drawing import PaintedPath
from PIL import Image

from server.printing.codes import Modules
from server.printing.paper import Pair, Paper

FONTS: Final = Path(__file__).parent / "fonts"
CAPS: Final = 0.72  # height of capitals and numerals of Lato, in ems (measured on the font)
MM_PER_POINT: Final = 25.4 / 72
EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)  # the same words give the same bytes

Weight = Literal["Regular", "Bold", "Black"]
Anchor = Literal["left", "middle", "right"]


@dataclass(frozen=True, slots=True)
class Ink:
    """How a shape is drawn.

    Attributes:
        fill: Colour inside, ``#rrggbb``; None for an empty shape.
        line: Colour of the outline; None for none.
        width_mm: Width of the outline.
        dash_mm: Length of dashes and gaps of the outline; 0 for a whole line.
    """

    fill: str | None = None
    line: str | None = None
    width_mm: float = 0.3
    dash_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Type:
    """How words are set.

    Attributes:
        caps_mm: Height of the capitals.
        weight: Of the strokes.
        colour: ``#rrggbb``.
        anchor: Which part of the words stands at the given place.
    """

    caps_mm: float
    weight: Weight = "Regular"
    colour: str = "#222222"
    anchor: Anchor = "left"


@dataclass(frozen=True, slots=True)
class Canvas:
    """A document, and the point of the page that counts as zero.

    Attributes:
        pdf: The document; shared by all canvases of it.
        origin_mm: Where x = 0 and y = 0 lie on the page.
    """

    pdf: FPDF
    origin_mm: Pair = (0.0, 0.0)

    def page(self, paper: Paper) -> None:
        """Begin a page."""
        self.pdf.add_page(orientation="portrait", format=paper.size_mm)

    def shifted(self, x: float, y: float) -> "Canvas":
        """The same document with another zero, counted from this one's."""
        return replace(self, origin_mm=(self.origin_mm[0] + x, self.origin_mm[1] + y))

    def box(self, box_mm: tuple[float, float, float, float], ink: Ink, radius: float = 0.0) -> None:
        """A rectangle of x, y, width, height, its corners rounded by a radius."""
        x, y, width, height = box_mm
        place = (self.origin_mm[0] + x, self.origin_mm[1] + y, width, height)
        if style := self._take(ink):
            self.pdf.rect(*place, style, round_corners=radius > 0, corner_radius=radius)

    def disc(self, centre_mm: Pair, diameter: float, ink: Ink) -> None:
        """A circle."""
        x, y = self._at(centre_mm)
        if style := self._take(ink):
            self.pdf.circle(x, y, diameter / 2, style)

    def polygon(self, corners_mm: Sequence[Pair], ink: Ink) -> None:
        """A closed polygon."""
        if style := self._take(ink):
            self.pdf.polygon([self._at(corner) for corner in corners_mm], style=style)

    def line(self, start_mm: Pair, end_mm: Pair, ink: Ink) -> None:
        """A straight line; its ends are round."""
        self._take(ink)
        self.pdf.line(*self._at(start_mm), *self._at(end_mm))

    def words(self, place_mm: Pair, words: str, kind: Type, turn_deg: float = 0.0) -> None:
        """Words in one line.

        Args:
            place_mm: The middle of the capitals' height, at the words' anchor.
            words: What to write.
            kind: How.
            turn_deg: Turn about that place, counter-clockwise.
        """
        x, y = self._at(place_mm)
        left = {"left": 0.0, "middle": 0.5, "right": 1.0}[kind.anchor] * self.width(words, kind)
        self.pdf.set_text_color(kind.colour)
        with self.pdf.rotation(turn_deg, x, y):
            self.pdf.text(x - left, y + kind.caps_mm / 2, words)

    def width(self, words: str, kind: Type) -> float:
        """The width of words in one line."""
        self.pdf.set_font(f"Lato{kind.weight}", size=kind.caps_mm / CAPS / MM_PER_POINT)
        return float(self.pdf.get_string_width(words))

    def modules(self, corner_mm: Pair, side_mm: float, modules: Modules) -> None:
        """A marker or code from its top left corner.

        All its black is one path, so that no hairlines show between its modules.
        """
        x, y = self._at(corner_mm)
        size = side_mm / len(modules)
        path = PaintedPath(x, y)
        for row, line in enumerate(modules):
            for first, end in _runs(line):
                path.rectangle(x + first * size, y + row * size, (end - first) * size, size)
        path.style.fill_color = "#000000"
        path.style.stroke_color = None
        with self.pdf.drawing_context() as drawing:
            drawing.add_item(path)

    def picture(self, box_mm: tuple[float, float, float, float], jpeg: BinaryIO) -> None:
        """A JPEG in the upper left of a rectangle of x, y, width, height, as large as fits.

        Raises:
            OSError: It is no picture.
        """
        x, y, width, height = box_mm
        with Image.open(jpeg) as image:
            scale = min(width / image.width, height / image.height)
            wide, high = image.width * scale, image.height * scale
        jpeg.seek(0)
        left, top = self._at((x, y))
        self.pdf.image(jpeg, x=left, y=top, w=wide, h=high)

    @contextmanager
    def clipped(self, box_mm: tuple[float, float, float, float]) -> Iterator[None]:
        """Draw only what lies inside a rectangle of x, y, width, height."""
        x, y, width, height = box_mm
        place = (self.origin_mm[0] + x, self.origin_mm[1] + y, width, height)
        # The outer context makes the library forget the colours set inside, as the page does.
        with self.pdf.local_context(), self.pdf.rect_clip(*place):
            yield

    def to_bytes(self) -> bytes:
        """The finished PDF; nothing can be drawn after it."""
        return bytes(self.pdf.output())

    def _at(self, place_mm: Pair) -> Pair:
        return self.origin_mm[0] + place_mm[0], self.origin_mm[1] + place_mm[1]

    def _take(self, ink: Ink) -> Literal["F", "D", "DF"] | None:
        """Take up an ink; what is drawn with it: the area, the outline, both, or nothing."""
        if ink.fill is not None:
            self.pdf.set_fill_color(ink.fill)
        if ink.line is not None:
            self.pdf.set_draw_color(ink.line)
            self.pdf.set_line_width(ink.width_mm)
            self.pdf.set_dash_pattern(ink.dash_mm, ink.dash_mm)
            return "DF" if ink.fill is not None else "D"
        return "F" if ink.fill is not None else None


def new_canvas(title: str) -> Canvas:
    """An empty document."""
    pdf = FPDF(unit="mm", format="a4")
    pdf.set_auto_page_break(False)
    pdf.set_margin(0)
    pdf.set_title(title)
    pdf.set_creator("Arbitre")
    pdf.set_creation_date(EPOCH)
    for weight in ("Regular", "Bold", "Black"):
        pdf.add_font(f"Lato{weight}", fname=FONTS / f"Lato-{weight}.ttf")
    return Canvas(pdf)


def missing_letters(words: str) -> str:
    """The letters of a text that the font does not have."""
    return "".join(letter for letter in words if ord(letter) not in _letters())


@cache
def _letters() -> frozenset[int]:
    """Code points of the font; its three weights have the same."""
    with TTFont(FONTS / "Lato-Bold.ttf") as font:
        return frozenset(font.getBestCmap())


def _runs(line: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """First and end of each run of black modules."""
    edges = [
        i
        for i, (before, here) in enumerate(zip((False, *line), (*line, False), strict=True))
        if before != here
    ]
    return zip(edges[::2], edges[1::2], strict=True)
