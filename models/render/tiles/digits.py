"""Draws what tiles show: digits of fonts and of our own strokes, letters, the line under 6 and 9.

A mask is (SIDE, SIDE) uint8, 255 where ink is; lengths are shares of its side. The middle of the
mask is the middle of the digit: `models.render.tiles.face` puts it where the set wants it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from models.errors import LabError

Mask = NDArray[np.uint8]
Line = NDArray[np.float64]

SIDE: Final = 128
"""Edge of a mask, px: tiles of pictures are 14 to 120 px wide."""
FOLDERS: Final = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".fonts",
    Path(__file__).resolve().parents[3] / "server" / "printing" / "fonts",
)
"""Where fonts are looked for: the system's, and those our own tiles are printed with."""
WIDEST: Final = 0.8
"""Two figures and wide letters are squeezed to this share of a tile."""
_BITS: Final = 4


@dataclass(frozen=True, slots=True)
class DigitStyle:
    """How one set writes its digits.

    Attributes:
        name: unique name.
        font: file of a font, or "" for strokes of our own.
        tall: height of a digit, share of the tile's width.
        square: 2 for round bows to 5 for boxy ones.
        weight: width of a stroke, share of the height.
        width: width of a digit, share of its height.
        slant: lean to the right, share of the height.
        wobble: unsteadiness of strokes, share of the height.
        round_caps: strokes end round.
        hollow: only outlines.
        under: ``none``, ``line``, ``bar`` (a wide one), or ``dot`` (to the right): mark of 6 and 9.
    """

    name: str
    font: str
    tall: float
    square: float = 2.0
    weight: float = 0.15
    width: float = 0.6
    slant: float = 0.0
    wobble: float = 0.0
    round_caps: bool = False
    hollow: bool = False
    under: str = "none"


@cache
def font_files() -> Mapping[str, Path]:
    """Every font of this machine, by the name of its file."""
    found: dict[str, Path] = {}
    for folder in FOLDERS:
        for path in sorted(folder.rglob("*.[to]tf")) if folder.is_dir() else ():
            found.setdefault(path.name, path)
    return found


def missing(rows: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Fonts that rows name and this machine has not, each once."""
    named = (row["font"] for row in rows if row.get("font", "") not in {"", *font_files()})
    return tuple(dict.fromkeys(named))


def usable(rows: tuple[Mapping[str, Any], ...]) -> tuple[Mapping[str, Any], ...]:
    """The rows of the list whose font is there, or that need none.

    Raises:
        LabError: no row that names a font has it here.
    """
    here = tuple(row for row in rows if "font" not in row or row["font"] in font_files())
    if not any("font" in row for row in here):
        raise LabError(
            "digits of tiles: no font of models/assets/tiles.toml is on this machine: "
            "install the packages of models/assets/fonts.txt"
        )
    return here


def draw(style: DigitStyle, text: str, rng: np.random.Generator) -> Mask:
    """A figure, two figures or a letter, with the mark under a lone 6 or 9."""
    if style.font or not text.isdigit() or len(text) > 1:
        mask = _written(style.font or "LiberationSans-Bold.ttf", text, style.tall)
    else:
        mask = _drawn(style, int(text), rng)
    if style.hollow:
        inner = cv2.erode(mask, np.ones((7, 7), np.uint8))
        mask = cv2.subtract(mask, inner)
    if text in ("6", "9"):
        _underline(mask, style)
    return mask


@cache
def _loaded(name: str, height_px: int) -> ImageFont.FreeTypeFont:
    """A font whose 8 is so high."""
    path = font_files().get(name)
    if path is None:  # a letter of a set with strokes of its own, where the usual font is missing
        path = next(iter(font_files().values()))
    trial = ImageFont.truetype(str(path), 200)
    _, top, _, bottom = trial.getbbox("8")
    return ImageFont.truetype(str(path), max(8, round(200 * height_px / max(bottom - top, 1))))


def _written(font: str, text: str, tall: float) -> Mask:
    height = tall * SIDE
    kind = _loaded(font, round(height))
    image = Image.new("L", (2 * SIDE, 2 * SIDE))
    draw = ImageDraw.Draw(image)
    draw.text((SIDE, SIDE + height / 2), text, fill=255, font=kind, anchor="ms")
    mask = np.asarray(image, np.uint8)
    columns = np.flatnonzero(mask.any(axis=0))
    if not len(columns):
        return np.zeros((SIDE, SIDE), np.uint8)
    middle = (columns[0] + columns[-1] + 1) / 2
    wide = columns[-1] + 1 - columns[0]
    squeeze = min(1.0, WIDEST * SIDE / wide)
    move = np.array([[squeeze, 0, SIDE / 2 - middle * squeeze], [0, 1, -SIDE / 2]])
    return np.asarray(cv2.warpAffine(mask, move, (SIDE, SIDE), flags=cv2.INTER_LINEAR), np.uint8)


def _drawn(style: DigitStyle, digit: int, rng: np.random.Generator) -> Mask:
    mask = np.zeros((SIDE, SIDE), np.uint8)
    height = style.tall * SIDE
    thick = max(2, round(style.weight * height))
    inner = np.array([style.width * height - thick, height - thick])
    for line in skeleton(digit, style.square):
        wobble = rng.normal(0, style.wobble, line.shape) if style.wobble else 0.0
        points = (line + wobble - 0.5) * inner
        points[:, 0] -= style.slant * points[:, 1]
        fixed = np.round((points + SIDE / 2) * (1 << _BITS)).astype(np.int32)
        cv2.max(mask, _stroke(fixed, thick, style.round_caps), dst=mask)
    return mask


def _stroke(fixed: NDArray[np.int32], thick: int, round_caps: bool) -> Mask:
    mask = np.zeros((SIDE, SIDE), np.uint8)
    cv2.polylines(mask, [fixed], False, 255, thick, cv2.LINE_AA, _BITS)
    if round_caps or np.abs(fixed[0] - fixed[-1]).max() < thick << _BITS:
        return mask
    for end, after in ((fixed[0], fixed[1]), (fixed[-1], fixed[-2])):  # OpenCV ends strokes round
        along = (end - after) / max(float(np.hypot(*(end - after))), 1e-6)
        half = (thick / 2 + 1) * (1 << _BITS)
        side = np.array([-along[1], along[0]]) * half
        cut = np.stack([end + side, end + side + along * half, end - side + along * half,
                        end - side])  # fmt: skip
        cv2.fillConvexPoly(mask, np.round(cut).astype(np.int32), 0, cv2.LINE_AA, _BITS)
    return mask


def _bow(box: tuple[float, float, float, float], start: float, end: float, square: float) -> Line:
    """Part of a superellipse in a box x0, y0, x1, y1; degrees run clockwise from the right."""
    angles = np.radians(np.linspace(start, end, 28))
    cos, sin = np.cos(angles), np.sin(angles)
    power = 2.0 / square
    x = np.sign(cos) * np.abs(cos) ** power
    y = np.sign(sin) * np.abs(sin) ** power
    x0, y0, x1, y1 = box
    return np.column_stack([(x0 + x1) / 2 + x * (x1 - x0) / 2, (y0 + y1) / 2 + y * (y1 - y0) / 2])


def skeleton(digit: int, square: float) -> tuple[Line, ...]:
    """Strokes of a digit in the unit square, (N, 2) x to the right and y down."""
    full, upper, lower = (0.0, 0.0, 1.0, 1.0), (0.04, 0.0, 0.96, 0.46), (0.0, 0.46, 1.0, 1.0)
    straight = {
        1: [[[0.2, 0.2], [0.62, 0.0], [0.62, 1.0]]],
        4: [[[0.72, 1.0], [0.72, 0.0], [0.0, 0.7], [1.0, 0.7]]],
        7: [[[0.0, 0.0], [1.0, 0.0], [0.35, 1.0]]],
    }
    bows = {
        0: [_bow(full, 0, 360, square)],
        2: [np.vstack([_bow((0, 0, 1, 0.58), 190, 385, square), [[0.0, 1.0], [1.0, 1.0]]])],
        3: [
            np.vstack([_bow(upper, 200, 450, square), [[0.35, 0.46]]]),
            np.vstack([[[0.35, 0.46]], _bow(lower, 270, 520, square)]),
        ],
        5: [
            np.array([[0.94, 0.0], [0.12, 0.0], [0.06, 0.5]]),
            np.vstack([[[0.06, 0.5]], _bow((0, 0.38, 1, 1), 235, 515, square)]),
        ],
        6: [
            _bow((0, 0.4, 1, 1), 0, 360, square),
            np.vstack([_bow(full, 310, 180, square), [[0.0, 0.72]]]),
        ],
        8: [_bow(upper, 90, 450, square), _bow(lower, -90, 270, square)],
    }
    if digit == 9:
        return tuple(1.0 - line for line in skeleton(6, square))
    return tuple(np.array(line) for line in (straight.get(digit) or bows[digit]))


def _underline(mask: Mask, style: DigitStyle) -> None:
    if style.under == "none":
        return
    bottom = 0.5 + style.tall / 2
    if style.under == "dot":
        radius = 0.035 + 0.12 * style.weight * style.tall
        right = float(np.flatnonzero(mask.any(axis=0)).max(initial=SIDE // 2)) / SIDE
        x = min(right + 0.03 + radius, 0.97 - radius)
        place = (round(x * SIDE * 16), round((bottom - radius) * SIDE * 16))
        cv2.circle(mask, place, round(radius * SIDE * 16), 255, -1, cv2.LINE_AA, _BITS)
        return
    thick = 0.07 if style.under == "bar" else 0.05
    half = 0.18 if style.under == "bar" else 0.2
    top = min(bottom + 0.05, 0.99 - thick)
    corner, end = (0.5 - half, top), (0.5 + half, top + thick)
    low, high = (tuple(round(v * SIDE) for v in point) for point in (corner, end))
    cv2.rectangle(mask, low, high, 255, -1)
