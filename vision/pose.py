"""Where a board lies that was seen before: found again near its place, the same way round."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision import looks
from vision.board import BoardView, convinces
from vision.detect import Detection, Detector
from vision.homography import Quad, as_matrix, side_px
from vision.lattice import Lattice
from vision.places import place_cells


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
        BoardView(find.fitted, place_cells(find.fitted, find.cubes, find.hands))
        for find in ((_same_way(f, quad_px)) for f in looks.fit_all(seen, size))
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


def turned(lattice: Lattice, quarters: int) -> Lattice:
    """The same lattice with its row 0 another side: corner ``quarters`` becomes the first."""
    for _ in range(quarters % 4):
        n = lattice.size
        # New (column, row) to old: the new columns run down the old rows' right end.
        back = np.array([[0.0, -1.0, n], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
        members = tuple(
            lattice.members[col * n + (n - 1 - row)] for row in range(n) for col in range(n)
        )
        matrix = as_matrix(np.asarray(lattice.homography) @ back)
        lattice = replace(lattice, homography=matrix, members=members)
    return lattice


def _same_way(find: looks.Find, quad_px: Quad) -> looks.Find:
    """The find with its lattice turned so that its corners are nearest to those given."""
    lattice = find.fitted
    if not isinstance(lattice, Lattice):
        return find
    ways = [turned(lattice, k) for k in range(4)]
    return replace(
        find, fitted=min(ways, key=lambda way: moved_cells(way.quad_px, quad_px, way.size))
    )
