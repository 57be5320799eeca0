"""What was seen of a board for number tiles, and of tiles that lie about. Values only."""

from dataclasses import dataclass

from vision.homography import Matrix, Quad
from vision.quality import Quality
from vision.tiles.classify import TileScores


@dataclass(frozen=True, slots=True)
class SeenTile:
    """One cell of a board, or one tile that lies about.

    Attributes:
        row: Of the lattice, from the top as the picture shows it; may be negative where the edge of
            the board is not known. 0 for a tile that lies about; likewise `col`.
        col: Of the lattice, from the left.
        quad_px: Corners of the cell, clockwise from the lattice's top left, px; of a tile that lies
            about, those of its face from an arbitrary one.
        scores: What it shows, turned as `quad_px` is.
        found: The detector's confidence in a tile there, 0 to 1; 0 where it saw none.
        hidden: A hand was seen over it; or it seems empty and looks other than the ground around,
            as under a sheet of paper.
        cut: The picture's edge cuts it.
        askew: A tile was seen there that does not lie flat in its cell: on another one, on its
            edge, or across a line of the board.
        loose: Too few tiles, or too far away, hold the lattice there: it may be another cell.
    """

    row: int
    col: int
    quad_px: Quad
    scores: TileScores
    found: float = 0.0
    hidden: bool = False
    cut: bool = False
    askew: bool = False
    loose: bool = False


@dataclass(frozen=True, slots=True)
class SeenTileBoard:
    """One board for number tiles in a picture, turned as the picture shows it.

    Attributes:
        homography: From (column, row) in cells to px; row 0 faces the top of the picture.
        grid: Rows and columns where the board's edges are known: then row and column 0 are its
            first. None where they are counted from an arbitrary cell.
        cells: What each cell looked at shows, row-major.
        turn_chances: Probabilities that the digits are turned by 0 to 3 quarter turns clockwise
            against the lattice; they add up to 1.
        quad_px: Corners of the board, or of the cells looked at, clockwise from the lattice's top
            left, px.
        quality: Figures of its part of the picture.
        unsure: Its edge was not seen, and its tiles show too little of digits or do not lie
            straight in it, so that nothing tells whether it lies where the tiles do.
    """

    homography: Matrix
    grid: tuple[int, int] | None
    cells: tuple[SeenTile, ...]
    turn_chances: tuple[float, ...]
    quad_px: Quad
    quality: Quality
    unsure: bool = False
