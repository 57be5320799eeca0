"""Find boards of cubes in a picture: detector passes, lattice fit, each cube's own place.

Pass 1 looks at the whole picture. Where it sees a block, or a hint of one, pass 2 looks again at
a crop in which the block is larger, since a board of 80 px in a picture of 3200 px is 16 px wide in
the network's input. Where no board comes out, four overlapping tiles are tried; where cubes were
seen and still no board, the picture is searched mirrored and softened (`vision.cubes.chances`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision import looks
from vision.clusters import Box, enclosing_box
from vision.cubes.chances import CHANCES
from vision.cubes.lattice import SIZE, Lattice, Miss, from_corners
from vision.cubes.places import Cell, place_cells
from vision.detect import Detector
from vision.homography import Quad, side_px, tilt_deg
from vision.looks import Find

Where: TypeAlias = Literal["whole", "tiles"]
"""Parts of a search: the whole picture, or four overlapping tiles."""

EDGE_CELLS: Final = 0.25
"""A block that leaves the picture by more than this is cut; less may be an error of the fit."""
NEAR_PX: Final = 42.0
"""Cells from this size on show enough of a cube to tell it from print; the hard tier ends at 40."""
MIN_EVIDENCE_NEAR: Final = 0.62
MIN_EVIDENCE_FAR: Final = 0.4
"""Least confidence in the cubes of a board, averaged over the cells that no hand may hide.

Cells of printed boards pass for blank cubes now and then: photographs of other games came to 0.39,
0.45 and 0.57 with cells of 50 px and more. Composed boards came to 0.69 and more with such cells,
blurred ones of 20 to 40 px to 0.48 and more, photographs of Quixo to 0.85.
"""


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board found in a picture.

    Attributes:
        lattice: Its place, row 0 facing the top of the picture.
        cells: Row-major; where each face lies.
    """

    lattice: Lattice
    cells: tuple[Cell, ...]

    @property
    def evidence(self) -> float:
        """Confidence in the cubes, 0 to 1, averaged over the cells that no hand may hide."""
        open_cells = [cell for cell in self.cells if not cell.under_hand] or list(self.cells)
        return sum(cell.seen for cell in open_cells) / len(open_cells)

    @property
    def quad_px(self) -> Quad:
        """Corners of the block, clockwise from row 0, column 0."""
        return self.lattice.quad_px

    @property
    def px_per_cell(self) -> float:
        """Mean side of a cell in px, along the shorter side of the block's picture."""
        quad = np.asarray(self.quad_px)
        sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
        return float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2 / self.lattice.size)

    @property
    def tilt_deg(self) -> float:
        """Angle between the view and the board's normal, degrees."""
        middle = self.lattice.size / 2
        return tilt_deg(self.lattice.homography, (middle, middle))


@dataclass(frozen=True, slots=True)
class BoardSearch:
    """What came of looking for boards.

    Attributes:
        views: Boards found, left to right.
        reason: Id of a refusal when there are none, else None.
    """

    views: tuple[BoardView, ...]
    reason: str | None


@dataclass(frozen=True, slots=True)
class SearchPart:
    """What came of one part of a search.

    Attributes:
        search: Boards, or the reason why there are none.
        hints: Cubes seen near each other.
        fitted: A lattice was fitted, whether a board came of it or not.
        hands: A hand was seen beside or over cubes.
    """

    search: BoardSearch
    hints: int
    fitted: bool
    hands: bool

    @staticmethod
    def nothing() -> "SearchPart":
        """Before anything was looked at."""
        return SearchPart(BoardSearch((), "no-board"), 0, fitted=False, hands=False)


def find_boards(image_bgr: NDArray[np.uint8], detector: Detector, size: int = SIZE) -> BoardSearch:
    """Find all boards of size x size cubes.

    Args:
        image_bgr: (H, W, 3).
        detector: Finds cubes, blocks and hands.
        size: Cubes along one side.

    Returns:
        Boards left to right, or the reason why there are none.
    """
    part = search_part(image_bgr, detector, size)
    for other in CHANCES if part.hints >= looks.MIN_HINTS else ():
        if part.search.views:
            break
        again = search_part(image_bgr, other(detector), size)
        part = again if again.search.views else part
    return part.search


def search_part(
    image_bgr: NDArray[np.uint8],
    detector: Detector,
    size: int,
    where: tuple[Where, ...] = ("whole", "tiles"),
) -> SearchPart:
    """What one detector makes of a picture.

    Args:
        image_bgr: (H, W, 3).
        detector: Finds cubes, blocks and hands.
        size: Cubes along one side.
        where: ``whole`` takes one look and up to three closer ones, ``tiles`` four and as many;
            tiles are left out where the whole picture shows a lattice.
    """
    sharper: list[Find] = []
    if "whole" in where:
        first = looks.fit_all(detector.detect(image_bgr, looks.MIN_CONFIDENCE), size)
        sharper = looks.look_closer(image_bgr, detector, first, size)
    if "tiles" in where and not any(find.members for find in sharper):
        tiles = looks.look_at_tiles(image_bgr, detector, size)
        sharper += looks.look_closer(image_bgr, detector, tiles, size)
    hints = max((len(find.cubes) for find in sharper), default=0)
    return SearchPart(
        _judged(sharper, image_bgr, size),
        hints,
        fitted=any(find.members for find in sharper),
        hands=any(find.hands for find in sharper),
    )


def _judged(finds: Sequence[Find], image_bgr: NDArray[np.uint8], size: int) -> BoardSearch:
    """The finds that are boards, or why none is."""
    whole: Box = (0.0, 0.0, float(image_bgr.shape[1]), float(image_bgr.shape[0]))
    views = [
        BoardView(find.fitted, place_cells(find.fitted, find.cubes, find.hands))
        for find in looks.without_doubles(finds)
        if isinstance(find.fitted, Lattice)
    ]
    convincing = [view for view in views if convinces(view)]
    inside = [view for view in convincing if not _leaves(view.quad_px, whole, size)]
    if inside:
        inside.sort(key=lambda view: sum(x for x, _ in view.quad_px))
        return BoardSearch(tuple(inside), None)
    if convincing:
        return BoardSearch((), "cut")
    return BoardSearch((), "no-board" if views else _reason(finds, whole, size))


def convinces(view: BoardView) -> bool:
    """True when the cubes are seen clearly enough, for their size, to be cubes."""
    return view.evidence >= (MIN_EVIDENCE_NEAR if view.px_per_cell >= NEAR_PX else MIN_EVIDENCE_FAR)


def board_at(corners_px: Quad, image_bgr: NDArray[np.uint8], size: int = SIZE) -> BoardSearch:
    """The board whose corners were given by hand, unless it leaves the picture.

    Raises:
        ValueError: The corners are no convex quadrilateral.
    """
    view = view_from_corners(corners_px, size)
    whole: Box = (0.0, 0.0, float(image_bgr.shape[1]), float(image_bgr.shape[0]))
    if _leaves(view.quad_px, whole, size):
        return BoardSearch((), "cut")
    return BoardSearch((view,), None)


def view_from_corners(corners_px: Quad, size: int = SIZE) -> BoardView:
    """The board whose block of top faces has these corners, given by hand in any order.

    Raises:
        ValueError: The corners are no convex quadrilateral.
    """
    lattice = from_corners(corners_px, size)
    return BoardView(lattice, place_cells(lattice, (), ()))


def _leaves(quad_px: Quad, whole: Box, size: int) -> bool:
    """True when the block reaches beyond the picture."""
    slack = EDGE_CELLS * side_px(quad_px) / size
    return any(
        x < whole[0] - slack or y < whole[1] - slack or x > whole[2] + slack or y > whole[3] + slack
        for x, y in quad_px
    )


def _reason(finds: Sequence[Find], whole: Box, size: int) -> str:
    """Why no lattice came out, told by the find that came nearest to one."""
    if not finds:
        return "no-board"
    nearest = max(finds, key=lambda f: (f.members, len(f.cubes)))
    fitted = nearest.fitted
    if fitted is Miss.WIDER:
        return "not-one-board"
    # A cube of which less than half is in the picture may have gone unseen.
    near = 0.6 * max((looks.cube_side(d) for d in nearest.cubes), default=0.0)
    x0, y0, x1, y1 = enclosing_box(
        [(d.box_px[k], d.box_px[k + 1]) for d in nearest.seen for k in (0, 2)]
    )
    at_edge = x0 < near or y0 < near or x1 > whole[2] - near or y1 > whole[3] - near
    # Half of a board's cubes are no accident.
    if fitted is Miss.UNPINNED or len(nearest.cubes) >= size * size / 2:
        return "cut" if at_edge else "covered"
    return "no-board"
