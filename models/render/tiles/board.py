"""Boards under tiles: a surface with thin lines, a frame, and a mark on the start cell."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.camera import Points
from models.compose.paint import Image
from models.compose.surface import Surface

Bytes = NDArray[np.uint8]

FINEST_PX: Final = 56
"""Most px a cell of the drawn lines: more is never told apart, and a board has 18 cells a row."""
_FINER: Final = 2


@dataclass(frozen=True, slots=True, eq=False)
class TileBoardLook:
    """One board; lengths in cells.

    Attributes:
        name: of its row in the lists.
        edition: of `vision.plans.tiles.tile_boards`, or ``printed``.
        rows, columns: of cells.
        start: row and column of the start cell.
        surface: of its cells.
        lines: sRGB BGR colour of the lines between cells.
        line: their width.
        rim: width of the frame.
        frame: sRGB BGR colour of the frame, None for the surface going on.
        mark: of the start cell: ``star``, ``ring``, ``square``, ``dot``, ``target``, ``none``.
        fields: share of cells of another colour.
        names: letters and numbers stand on the frame.
        gloss: 0-1.
        thick: over the table.
    """

    name: str
    edition: str
    rows: int
    columns: int
    start: tuple[int, int]
    surface: Surface
    lines: tuple[int, int, int]
    line: float
    rim: float
    frame: tuple[int, int, int] | None
    mark: str
    fields: float
    names: bool
    gloss: float
    thick: float

    def corners(self, beyond: float = 0.0) -> Points:
        """(4, 2) corners of the cells, clockwise from the first row, moved outwards."""
        x, y = self.columns + beyond, self.rows + beyond
        return np.array([[-beyond, -beyond], [x, -beyond], [x, y], [-beyond, y]], np.float64)


def draw_print(rng: np.random.Generator, look: TileBoardLook, px: float) -> tuple[Bytes, Image]:
    """What is printed over the surface.

    Args:
        rng: chooses coloured cells.
        look: the board.
        px: px a cell in the picture.

    Returns:
        (h, w, 4) uint8 sRGB BGR and opacity, and the (3, 3) map from its px to cells.
    """
    cell = float(np.clip(px, 12, FINEST_PX))
    step = cell * _FINER
    size = (
        round((look.columns + 2 * look.rim) * step),
        round((look.rows + 2 * look.rim) * step),
    )
    image = np.zeros((size[1], size[0], 4), np.uint8)
    image[..., :3] = look.lines
    at = _Places(step, look.rim)
    if look.frame is not None:
        _paint_frame(image, look, at)
    _paint_fields(rng, image, look, at)
    _paint_mark(image, look, at)
    _paint_lines(image, look, at)
    if look.names:
        _paint_names(image, look, at)
    small = cv2.resize(image, (max(1, size[0] // _FINER), max(1, size[1] // _FINER)),
                       interpolation=cv2.INTER_AREA)  # fmt: skip
    across = (look.columns + 2 * look.rim) / small.shape[1]
    down = (look.rows + 2 * look.rim) / small.shape[0]
    # OpenCV counts from middles of px
    to_cells = np.array([[across, 0, 0.5 * across - look.rim], [0, down, 0.5 * down - look.rim],
                         [0, 0, 1.0]], np.float32)  # fmt: skip
    return np.asarray(small, np.uint8), to_cells


@dataclass(frozen=True, slots=True)
class _Places:
    step: float
    rim: float

    def __call__(self, x: float, y: float) -> tuple[int, int]:
        return round((x + self.rim) * self.step), round((y + self.rim) * self.step)


def _ink(colour: tuple[int, int, int]) -> tuple[int, int, int, int]:
    return (*colour, 255)


def _paint_frame(image: Bytes, look: TileBoardLook, at: _Places) -> None:
    assert look.frame is not None
    inner = image[slice(at(0, 0)[1], at(0, look.rows)[1]), at(0, 0)[0] : at(look.columns, 0)[0]]
    kept = inner.copy()
    image[:] = _ink(look.frame)
    image[slice(at(0, 0)[1], at(0, look.rows)[1]), at(0, 0)[0] : at(look.columns, 0)[0]] = kept


def _paint_fields(rng: np.random.Generator, image: Bytes, look: TileBoardLook, at: _Places) -> None:
    """Cells of other colours, as on boards of bonus cells."""
    if not look.fields:
        return
    tints = [(int(b), int(g), int(r)) for b, g, r in rng.integers(40, 230, (4, 3))]
    for row in range(look.rows):
        for column in range(look.columns):
            if rng.random() < look.fields:
                colour = tints[int(rng.integers(len(tints)))]
                cv2.rectangle(image, at(column, row), at(column + 1, row + 1), _ink(colour), -1)


def _paint_mark(image: Bytes, look: TileBoardLook, at: _Places) -> None:
    row, column = look.start
    middle, ink = at(column + 0.5, row + 0.5), _ink(look.lines)
    unit = at.step
    if look.mark == "square":
        cv2.rectangle(image, at(column, row), at(column + 1, row + 1), ink, -1)
    elif look.mark == "dot":
        cv2.circle(image, middle, round(0.22 * unit), ink, -1, cv2.LINE_AA)
    elif look.mark == "ring":
        cv2.circle(image, middle, round(0.3 * unit), ink, max(1, round(0.06 * unit)), cv2.LINE_AA)
    elif look.mark == "target":
        cv2.circle(image, middle, round(0.31 * unit), ink, max(1, round(0.05 * unit)), cv2.LINE_AA)
        cv2.circle(image, middle, round(0.11 * unit), ink, -1, cv2.LINE_AA)
    elif look.mark == "star":
        turns = np.arange(10) * np.pi / 5 - np.pi / 2
        reach = np.where(np.arange(10) % 2 == 0, 0.4, 0.16) * unit
        points = np.column_stack([np.cos(turns), np.sin(turns)]) * reach[:, None] + middle
        cv2.fillPoly(image, [np.round(points).astype(np.int32)], ink, cv2.LINE_AA)


def _paint_lines(image: Bytes, look: TileBoardLook, at: _Places) -> None:
    thick = max(1, round(look.line * at.step))
    for column in range(look.columns + 1):
        cv2.line(image, at(column, 0), at(column, look.rows), _ink(look.lines), thick)
    for row in range(look.rows + 1):
        cv2.line(image, at(0, row), at(look.columns, row), _ink(look.lines), thick)


def _paint_names(image: Bytes, look: TileBoardLook, at: _Places) -> None:
    """Letters of columns and numbers of rows on the frame."""
    scale, rim = 0.006 * at.step, look.rim
    for column in range(look.columns):
        for y in (-0.35 * rim, look.rows + 0.65 * rim):
            _word(image, chr(ord("a") + column), at(column + 0.4, y), (scale, look))
    for row in range(look.rows):
        for x in (-0.7 * rim, look.columns + 0.3 * rim):
            _word(image, str(row + 1), at(x, row + 0.6), (scale, look))


def _word(
    image: Bytes, text: str, place: tuple[int, int], kind: tuple[float, TileBoardLook]
) -> None:
    scale, look = kind
    cv2.putText(image, text, place, cv2.FONT_HERSHEY_SIMPLEX, scale, _ink(look.lines),
                max(1, round(1.5 * scale)), cv2.LINE_AA)  # fmt: skip
