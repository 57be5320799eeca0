"""Find boards of cubes in a picture: detector passes, lattice fit, each cube's own place.

Pass 1 looks at the whole picture. Where it sees a block, or a hint of one, pass 2 looks again at
a crop in which the block fills `BLOCK_SHARE`, since a board of 80 px in a picture of 3200 px is
16 px wide in the network's input. Where no board comes out, four overlapping tiles are tried.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.clusters import cluster_cubes, enclosing_box, overlap_share
from vision.detect import Detection, Detector
from vision.homography import Quad, side_px, tilt_deg
from vision.lattice import SIZE, Lattice, Miss, fit_lattice, from_corners
from vision.places import Cell, place_cells

Box = tuple[float, float, float, float]

MIN_CONFIDENCE: Final = 0.2
"""Low, because the lattice sorts out false cubes and needs the faint ones."""
MIN_OUTLINE_CONFIDENCE: Final = 0.35
"""A block outline pins the lattice, so it must be surer than a cube."""
BLOCK_SHARE: Final = 0.6
"""Part of a crop's side that the block fills; training scenes show it at 0.35 to 0.9."""
SHARP_SHARE: Final = 0.45
"""A block that fills this part of the whole picture gains less than a third by a second look."""
MIN_CROP_PX: Final = 320
"""Smallest crop: twofold enlargement; more would only show the network blur it never saw."""
MAX_REGIONS: Final = 3
"""Second looks at one picture, 60 ms each."""
TILES: Final = 2
TILE_SHARE: Final = 0.6
"""Side of a tile as part of the picture's: tiles overlap by a fifth of the picture."""
MIN_TILED_PX: Final = 900
"""Tiles of a smaller picture would hardly be larger in the network's input."""
EDGE_CELLS: Final = 0.25
"""A block that leaves the picture by more than this is cut; less may be an error of the fit."""
MIN_HINTS: Final = 3
"""Cubes near each other that are worth a second look."""


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
class _Find:
    """A cluster of cubes with what the fit made of it."""

    cubes: tuple[Detection, ...]
    hands: tuple[Detection, ...]
    outline: Detection | None
    fitted: Lattice | Miss

    @property
    def members(self) -> int:
        return self.fitted.count if isinstance(self.fitted, Lattice) else 0

    @property
    def box(self) -> Box:
        if isinstance(self.fitted, Lattice):
            return enclosing_box([*self.fitted.quad_px])
        corners = [(d.box_px[k], d.box_px[k + 1]) for d in self.seen for k in (0, 2)]
        return enclosing_box(corners)

    @property
    def seen(self) -> tuple[Detection, ...]:
        return self.cubes + (() if self.outline is None else (self.outline,))


def find_boards(image_bgr: NDArray[np.uint8], detector: Detector, size: int = SIZE) -> BoardSearch:
    """Find all boards of size x size cubes.

    Args:
        image_bgr: (H, W, 3).
        detector: Finds cubes, blocks and hands.
        size: Cubes along one side.

    Returns:
        Boards left to right, or the reason why there are none.
    """
    whole: Box = (0.0, 0.0, float(image_bgr.shape[1]), float(image_bgr.shape[0]))
    first = _fit_all(detector.detect(image_bgr, MIN_CONFIDENCE), size)
    sharper = _sharpen(image_bgr, detector, first, size)
    if not any(find.members for find in sharper):
        tiles = _look_at_tiles(image_bgr, detector, size)
        sharper += _sharpen(image_bgr, detector, tiles, size)
    views = []
    for find in _without_doubles(sharper):
        if isinstance(find.fitted, Lattice) and not _leaves(find.fitted.quad_px, whole, size):
            views.append(BoardView(find.fitted, place_cells(find.fitted, find.cubes, find.hands)))
    views.sort(key=lambda view: sum(x for x, _ in view.quad_px))
    return BoardSearch(tuple(views), None if views else _reason(sharper, whole, size))


def view_from_corners(corners_px: Quad, size: int = SIZE) -> BoardView:
    """The board whose block of top faces has these corners, given by hand in any order.

    Raises:
        ValueError: The corners are no convex quadrilateral.
    """
    lattice = from_corners(corners_px, size)
    return BoardView(lattice, place_cells(lattice, (), ()))


def _fit_all(detections: Sequence[Detection], size: int) -> list[_Find]:
    """Clusters of cubes worth a look, each with its fit; what one board leaves is tried again."""
    outlines = [
        d
        for d in detections
        if d.kind == "cube_board" and d.confidence >= MIN_OUTLINE_CONFIDENCE and d.corners_px
    ]
    hands = tuple(d for d in detections if d.kind == "hand")
    finds = []
    used: set[Detection] = set()
    for cluster in cluster_cubes([d for d in detections if d.kind == "cube"]):
        rest = cluster
        while len(rest) >= MIN_HINTS:
            find = _fit(rest, hands, outlines, size)
            used.update([find.outline] if find.outline else [])
            finds.append(find)
            if not isinstance(find.fitted, Lattice):
                break
            inside = {id(rest[i]) for i in find.fitted.members if i is not None}
            rest = tuple(d for d in rest if id(d) not in inside)
    bare = [d for d in outlines if d not in used]
    return finds + [_Find((), hands, outline, Miss.NONE) for outline in bare]


def _fit(
    cubes: tuple[Detection, ...],
    hands: tuple[Detection, ...],
    outlines: Sequence[Detection],
    size: int,
) -> _Find:
    """Fit one board to a cluster, with the outline that covers most of it."""
    corners = [(d.box_px[k], d.box_px[k + 1]) for d in cubes for k in (0, 2)]
    box = enclosing_box(corners)
    around = [d for d in outlines if overlap_share(d.box_px, box) >= 0.3]
    outline = max(around, key=lambda d: (overlap_share(d.box_px, box), d.confidence), default=None)
    quads = [d.corners_px for d in cubes if d.corners_px is not None]
    centres = [np.mean(quad, axis=0) for quad in quads]
    seen = None if outline is None else outline.corners_px
    return _Find(cubes, hands, outline, fit_lattice(np.array(centres), size, quads, seen))


def _sharpen(
    image_bgr: NDArray[np.uint8], detector: Detector, finds: Sequence[_Find], size: int
) -> list[_Find]:
    """Pass 2 around the most promising finds."""
    ranked = sorted(finds, key=lambda f: (-f.members, -len(f.cubes)))
    return [
        sharper
        for find in ranked[:MAX_REGIONS]
        for sharper in _look_again(image_bgr, detector, find, size)
    ]


def _look_again(
    image_bgr: NDArray[np.uint8], detector: Detector, find: _Find, size: int
) -> list[_Find]:
    """Pass 2 around a find, where it promises more; the find itself where it does not."""
    height, width = image_bgr.shape[:2]
    x0, y0, x1, y1 = find.box
    block = max(x1 - x0, y1 - y0)
    if not isinstance(find.fitted, Lattice) and find.outline is None:
        # A few cubes of a board of unknown extent: as many more may lie on any side.
        block = max(block, size * 1.3 * float(np.median([_cube_side(d) for d in find.cubes])))
    side = max(block / BLOCK_SHARE, float(MIN_CROP_PX))
    complete = find.members == size * size
    if block >= SHARP_SHARE * max(width, height) and (complete or side >= max(width, height)):
        return [find]
    crop = _square((x0 + x1) / 2, (y0 + y1) / 2, side, (width, height))
    again = [
        replace(f, hands=f.hands + find.hands)
        for f in _fit_all(_detect_in(image_bgr, detector, crop), size)
    ]
    best = max(again, key=lambda f: f.members, default=None)
    if best is None or best.members + 2 < find.members:
        return [find]
    x0, y0, x1, y1 = best.box
    far_off = max(x1 - x0, y1 - y0) < SHARP_SHARE * BLOCK_SHARE * (crop[2] - crop[0])
    if far_off and crop[2] - crop[0] > MIN_CROP_PX and best.members:
        return _look_again(image_bgr, detector, best, size)
    return again


def _look_at_tiles(image_bgr: NDArray[np.uint8], detector: Detector, size: int) -> list[_Find]:
    """Pass 1 in four overlapping tiles, for boards too small to be seen in the whole picture."""
    height, width = image_bgr.shape[:2]
    if max(height, width) < MIN_TILED_PX:
        return []
    finds: list[_Find] = []
    for row in range(TILES):
        for col in range(TILES):
            x0 = round(col * width * (1 - TILE_SHARE))
            y0 = round(row * height * (1 - TILE_SHARE))
            tile = (x0, y0, x0 + round(width * TILE_SHARE), y0 + round(height * TILE_SHARE))
            finds.extend(_fit_all(_detect_in(image_bgr, detector, tile), size))
    return _without_doubles(finds)


def _detect_in(
    image_bgr: NDArray[np.uint8], detector: Detector, crop: tuple[int, int, int, int]
) -> tuple[Detection, ...]:
    """Detections in a crop (x0, y0, x1, y1), in px of the picture."""
    x0, y0, x1, y1 = crop
    found = detector.detect(image_bgr[y0:y1, x0:x1], MIN_CONFIDENCE)
    return tuple(_moved(detection, float(x0), float(y0)) for detection in found)


def _moved(detection: Detection, dx: float, dy: float) -> Detection:
    x0, y0, x1, y1 = detection.box_px
    quad = detection.corners_px
    if quad is not None:
        (a, b), (c, d), (e, f), (g, h) = quad
        quad = ((a + dx, b + dy), (c + dx, d + dy), (e + dx, f + dy), (g + dx, h + dy))
    return replace(detection, box_px=(x0 + dx, y0 + dy, x1 + dx, y1 + dy), corners_px=quad)


def _square(x: float, y: float, side: float, limits: tuple[int, int]) -> tuple[int, int, int, int]:
    """A square around a point, moved and cut to lie within the picture; x0, y0, x1, y1."""
    spans = []
    for centre, limit in ((x, limits[0]), (y, limits[1])):
        length = min(limit, math.ceil(side))
        start = min(max(0, round(centre - length / 2)), limit - length)
        spans.append((start, start + length))
    (x0, x1), (y0, y1) = spans
    return x0, y0, x1, y1


def _cube_side(cube: Detection) -> float:
    if cube.corners_px is not None:
        return side_px(cube.corners_px)
    x0, y0, x1, y1 = cube.box_px
    return max(x1 - x0, y1 - y0)


def _without_doubles(finds: Sequence[_Find]) -> list[_Find]:
    """Of finds that overlap, the one with most members."""
    kept: list[_Find] = []
    for find in sorted(finds, key=lambda f: (-f.members, -len(f.cubes))):
        if all(overlap_share(find.box, other.box) < 0.3 for other in kept):
            kept.append(find)
    return kept


def _leaves(quad_px: Quad, whole: Box, size: int) -> bool:
    """True when the block reaches beyond the picture."""
    slack = EDGE_CELLS * side_px(quad_px) / size
    return any(
        x < whole[0] - slack or y < whole[1] - slack or x > whole[2] + slack or y > whole[3] + slack
        for x, y in quad_px
    )


def _reason(finds: Sequence[_Find], whole: Box, size: int) -> str:
    """Why no board came out, told by the find that came nearest to one."""
    if not finds:
        return "no-board"
    nearest = max(finds, key=lambda f: (f.members, len(f.cubes)))
    fitted = nearest.fitted
    if isinstance(fitted, Lattice):
        return "cut"
    if fitted is Miss.WIDER:
        return "not-one-board"
    # A cube of which less than half is in the picture may have gone unseen.
    near = 0.6 * max((_cube_side(d) for d in nearest.cubes), default=0.0)
    x0, y0, x1, y1 = enclosing_box(
        [(d.box_px[k], d.box_px[k + 1]) for d in nearest.seen for k in (0, 2)]
    )
    at_edge = x0 < near or y0 < near or x1 > whole[2] - near or y1 > whole[3] - near
    # Half of a board's cubes are no accident.
    if fitted is Miss.UNPINNED or len(nearest.cubes) >= size * size / 2:
        return "cut" if at_edge else "covered"
    return "no-board"
