"""Where a board lies that was seen before: found again near its place, the same way round."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision import looks
from vision.cubes.find import BoardView, convinces
from vision.cubes.lattice import Lattice
from vision.cubes.places import place_cells
from vision.detect import Detection, Detector
from vision.homography import Quad, as_matrix, side_px


@dataclass(frozen=True, slots=True)
class Pass:
    """What the detector saw around a board's place.

    Attributes:
        view: The board, row 0 where it was before; None when none was fitted.
        hands: Hands in the part of the picture that was looked at, px of the picture.
        shift_cells: How far the corner that moved most has moved; 0 without a board.
    """

    view: BoardView | None
    hands: tuple[Detection, ...]
    shift_cells: float


def look_near(image_bgr: NDArray[np.uint8], detector: Detector, quad_px: Quad, size: int) -> Pass:
    """Look once around the place of a board.

    Args:
        image_bgr: (H, W, 3).
        detector: Finds cubes, blocks and hands.
        quad_px: Corners of the board where it was last, clockwise from row 0, column 0.
        size: Cells along one side.
    """
    height, width = image_bgr.shape[:2]
    points = np.asarray(quad_px)
    middle = points.mean(axis=0)
    block = float((points.max(axis=0) - points.min(axis=0)).max())
    side = max(block / looks.BLOCK_SHARE, float(looks.MIN_CROP_PX))
    crop = looks.square_around(float(middle[0]), float(middle[1]), side, (width, height))
    seen = looks.detect_in(image_bgr, detector, crop)
    hands = tuple(d for d in seen if d.kind == "hand")
    views = [
        same_way(BoardView(find.fitted, place_cells(find.fitted, find.cubes, hands)), quad_px)
        for find in looks.fit_all(seen, size)
        if isinstance(find.fitted, Lattice)
    ]
    convincing = [view for view in views if convinces(view)]
    if not convincing:
        return Pass(None, hands, 0.0)
    nearest = min(convincing, key=lambda view: moved_cells(view.quad_px, quad_px, size))
    return Pass(nearest, hands, moved_cells(nearest.quad_px, quad_px, size))


def moved_cells(now: Quad, then: Quad, size: int) -> float:
    """Distance, in cells, of the corner that moved most."""
    apart = np.linalg.norm(np.asarray(now) - np.asarray(then), axis=1).max()
    return float(apart) / (side_px(then) / size)


def same_way(view: BoardView, quad_px: Quad) -> BoardView:
    """The board turned so that its corners are nearest to those it had.

    Args:
        view: Found with another side as row 0, perhaps.
        quad_px: Corners where it was, clockwise from row 0, column 0.
    """
    ways = [_turned(view, quarters) for quarters in range(4)]
    return min(ways, key=lambda way: moved_cells(way.quad_px, quad_px, way.lattice.size))


def _turned(view: BoardView, quarters: int) -> BoardView:
    """The same board, begun at its corner ``quarters`` further clockwise."""
    for _ in range(quarters):
        n = view.lattice.size
        # New (column, row) to old: new columns run down the old right end.
        back = np.array([[0.0, -1.0, n], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
        order = [col * n + (n - 1 - row) for row in range(n) for col in range(n)]
        lattice = replace(
            view.lattice,
            homography=as_matrix(np.asarray(view.lattice.homography) @ back),
            members=tuple(view.lattice.members[index] for index in order),
        )
        cells = [view.cells[index] for index in order]
        view = BoardView(
            lattice,
            tuple(replace(c, quad_px=(*c.quad_px[1:], c.quad_px[0])) for c in cells),
        )
    return view
