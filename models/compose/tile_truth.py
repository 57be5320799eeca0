"""The truth of a scene of number tiles: tiles, the lattice they lie on, and the picture."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.compose.camera import Points

Box = tuple[float, float, float, float]
Quad = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class TrueTile:
    """One tile of the truth.

    Attributes:
        row: on the board's lattice, -1 beside it.
        col: likewise.
        value: 0 to 9, or None for a face turned down and for other texts.
        turn: quarter turns clockwise of the digit against the board's rows; 0 beside it.
        quad_px: corners of its face, clockwise, the first is the top left of the digit.
        box_px: x0, y0, x1, y1 of what is visible of it.
        visible: share of its face in the picture and not covered, 0-1.
        edge_px: side of the face, the root of its area over its aspect.
        odd: ``turned``, ``tilted``, ``stacked``, ``face_down``, ``other``, or "".
        glare: share of its face that glare blows out, beside what its gloss mirrors.
    """

    row: int
    col: int
    value: int | None
    turn: int
    quad_px: Quad
    box_px: Box
    visible: float
    edge_px: float
    odd: str = ""
    glare: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class TrueBoard:
    """The lattice of the truth; its coordinates are columns and rows, in cells.

    Attributes:
        rows: number of rows.
        cols: number of columns.
        homography: (3, 3) float64 from (column, row) on the board to px.
        top_homography: the same of the plane of the tiles' faces.
        open_shares: (rows, cols) float64, share of the middle of each cell that is in the picture
            and not covered by hands and things, on the plane of the faces.
        printed: cells are seen, as lines of a board; False on a bare table.
        box_px: x0, y0, x1, y1 of the cells in the picture, None where none are.
        in_view: share of the cells' middles in the picture.
        edition: of `models.compose.tile_lists.EDITIONS`.
    """

    rows: int
    cols: int
    homography: Points
    top_homography: Points
    open_shares: Points
    printed: bool
    box_px: Box | None
    in_view: float
    edition: str


@dataclass(frozen=True, slots=True, eq=False)
class TileScene:
    """A finished picture and its truth.

    Attributes:
        image_bgr: (H, W, 3) uint8, the stored JPEG decoded.
        jpeg: its bytes.
        tiles: all tiles that can be told, and those on the board whatever covers them.
        board: the lattice tiles lie on, None for tiles on a table.
        hands: boxes of hands.
        facts: conditions, for tables by factor.
    """

    image_bgr: NDArray[np.uint8]
    jpeg: bytes
    tiles: tuple[TrueTile, ...]
    board: TrueBoard | None
    hands: tuple[Box, ...]
    facts: dict[str, float | str]
