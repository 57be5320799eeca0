"""Looks at a picture: the whole, a crop around a find, tiles; each look with its lattice fits."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.clusters import Box, cluster_cubes, enclosing_box, overlap_share
from vision.cubes.lattice import MIN_SHARE, MIN_SHARE_OUTLINED, Lattice, Miss, fit_lattice
from vision.detect import Detection, Detector
from vision.homography import invert, project, side_px

Image = NDArray[np.uint8]

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
MIN_HINTS: Final = 3
"""Cubes near each other that are worth a second look."""
LEVELS: Final = (0.95, 0.85, 0.7, 0.0)
"""Confidence from which cubes are fitted, as shares of the median of the surest 25. On composed
boards false cubes on a rim of pale wood had up to 0.9 of it, and most true ones more."""
MAX_RESIDUAL_CELLS: Final = 0.14
"""Lattices further off their cubes are stretched over false ones (0.16 was seen); true ones of
blurred boards under a steep angle had up to 0.13."""
DOUBLE_SHARE: Final = 0.3
"""Finds, or a cluster and an outline, that share this part of the smaller are the same board."""


@dataclass(frozen=True, slots=True)
class Find:
    """A cluster of cubes, or the outline of a block, with what the fit made of it.

    Attributes:
        cubes: The cluster, which the lattice's members index.
        hands: All hands of the look.
        outline: The block seen as one thing, if it was.
        fitted: The lattice, or why there is none.
    """

    cubes: tuple[Detection, ...]
    hands: tuple[Detection, ...]
    outline: Detection | None
    fitted: Lattice | Miss

    @property
    def members(self) -> int:
        """Cells of the board with a cube; 0 without a lattice."""
        return self.fitted.count if isinstance(self.fitted, Lattice) else 0

    @property
    def box(self) -> Box:
        """Around the block, or around what was seen of it, px."""
        if isinstance(self.fitted, Lattice):
            return enclosing_box([*self.fitted.quad_px])
        corners = [(d.box_px[k], d.box_px[k + 1]) for d in self.seen for k in (0, 2)]
        return enclosing_box(corners)

    @property
    def seen(self) -> tuple[Detection, ...]:
        """Cubes and outline."""
        return self.cubes + (() if self.outline is None else (self.outline,))


def fit_all(detections: Sequence[Detection], size: int) -> list[Find]:
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
        rest, least = cluster, float(MIN_HINTS)
        while len(rest) >= least:
            find = _fit(rest, hands, outlines, size)
            used.update([find.outline] if find.outline else [])
            finds.append(find)
            if not isinstance(find.fitted, Lattice):
                break
            board = find.fitted
            rest = tuple(d for d in rest if not _lies_on(d, board))
            least = MIN_SHARE * size * size  # stray cubes beside a board are none
    bare = [d for d in outlines if d not in used and not _is_double(d.box_px, finds)]
    return finds + [Find((), hands, outline, Miss.NONE) for outline in bare]


def _is_double(box: Box, finds: Sequence[Find]) -> bool:
    """True when a board that was fitted lies there already."""
    return any(find.members and overlap_share(box, find.box) >= DOUBLE_SHARE for find in finds)


def _lies_on(cube: Detection, board: Lattice) -> bool:
    """True for a cube of the board, and for a second find of one."""
    if cube.corners_px is None:
        return False
    back = project(invert(board.homography), [np.mean(cube.corners_px, axis=0)])[0]
    return bool((back > 0).all() and (back < board.size).all())


def _fit(
    cubes: tuple[Detection, ...],
    hands: tuple[Detection, ...],
    outlines: Sequence[Detection],
    size: int,
) -> Find:
    """Fit one board to a cluster, with the outline that covers most of it."""
    corners = [(d.box_px[k], d.box_px[k + 1]) for d in cubes for k in (0, 2)]
    box = enclosing_box(corners)
    around = [d for d in outlines if overlap_share(d.box_px, box) >= DOUBLE_SHARE]
    outline = max(around, key=lambda d: (overlap_share(d.box_px, box), d.confidence), default=None)
    seen = None if outline is None else outline.corners_px
    best: tuple[Lattice | Miss, tuple[Detection, ...]] = (Miss.NONE, cubes)
    least = (MIN_SHARE if seen is None else MIN_SHARE_OUTLINED) * size * size
    for chosen in _by_confidence(cubes, size, least):
        quads = [d.corners_px for d in chosen if d.corners_px is not None]
        centres = [np.mean(quad, axis=0) for quad in quads]
        fitted = fit_lattice(np.array(centres), size, quads, seen)
        if isinstance(fitted, Lattice) and fitted.residual_cells > MAX_RESIDUAL_CELLS:
            fitted = Miss.NONE
        if not isinstance(fitted, Lattice):
            best = (fitted, chosen) if not isinstance(best[0], Lattice) else best
            continue
        if not isinstance(best[0], Lattice) or fitted.count > best[0].count:
            best = (fitted, chosen)
        if fitted.count == size * size:
            break
    return Find(best[1], hands, outline, best[0])


def _by_confidence(
    cubes: tuple[Detection, ...], size: int, least: float
) -> list[tuple[Detection, ...]]:
    """The cubes from strict to lenient: a rim that resembles cubes is fainter than the cubes."""
    ranked = sorted((d.confidence for d in cubes), reverse=True)[: size * size]
    usual = float(np.median(ranked))
    picks = [tuple(d for d in cubes if d.confidence >= share * usual) for share in LEVELS]
    return [pick for i, pick in enumerate(picks) if len(pick) >= least and pick not in picks[:i]]


def look_closer(
    image_bgr: Image, detector: Detector, finds: Sequence[Find], size: int
) -> list[Find]:
    """Pass 2 around the most promising finds."""
    apart = [find for find in finds if find.members or not _is_double(find.box, finds)]
    ranked = sorted(apart, key=lambda f: (-f.members, -len(f.cubes)))
    return [
        sharper
        for find in ranked[:MAX_REGIONS]
        for sharper in _look_again(image_bgr, detector, find, size)
    ]


def _look_again(image_bgr: Image, detector: Detector, find: Find, size: int) -> list[Find]:
    """Pass 2 around a find, where it promises more; the find itself where it does not."""
    height, width = image_bgr.shape[:2]
    x0, y0, x1, y1 = find.box
    block = max(x1 - x0, y1 - y0)
    if not isinstance(find.fitted, Lattice) and find.outline is None:
        # A few cubes of a board of unknown extent: as many more may lie on any side.
        block = max(block, size * 1.3 * float(np.median([cube_side(d) for d in find.cubes])))
    side = max(block / BLOCK_SHARE, float(MIN_CROP_PX))
    complete = find.members == size * size
    if block >= SHARP_SHARE * max(width, height) and (complete or side >= max(width, height)):
        return [find]
    crop = square_around((x0 + x1) / 2, (y0 + y1) / 2, side, (width, height))
    again = [
        replace(f, hands=f.hands + find.hands)
        for f in fit_all(detect_in(image_bgr, detector, crop), size)
    ]
    best = max(again, key=lambda f: f.members, default=None)
    if best is None or best.members + 2 < find.members:
        return [find]
    x0, y0, x1, y1 = best.box
    far_off = max(x1 - x0, y1 - y0) < SHARP_SHARE * BLOCK_SHARE * (crop[2] - crop[0])
    if far_off and crop[2] - crop[0] > MIN_CROP_PX and best.members:
        return _look_again(image_bgr, detector, best, size)
    return again


def look_at_tiles(image_bgr: Image, detector: Detector, size: int) -> list[Find]:
    """Pass 1 in four overlapping tiles, for boards too small to be seen in the whole picture."""
    height, width = image_bgr.shape[:2]
    if max(height, width) < MIN_TILED_PX:
        return []
    finds: list[Find] = []
    for row in range(TILES):
        for col in range(TILES):
            x0 = round(col * width * (1 - TILE_SHARE))
            y0 = round(row * height * (1 - TILE_SHARE))
            tile = (x0, y0, x0 + round(width * TILE_SHARE), y0 + round(height * TILE_SHARE))
            finds.extend(fit_all(detect_in(image_bgr, detector, tile), size))
    return without_doubles(finds)


def detect_in(
    image_bgr: Image,
    detector: Detector,
    crop: tuple[int, int, int, int],
    min_confidence: float = MIN_CONFIDENCE,
) -> tuple[Detection, ...]:
    """Detections in a crop (x0, y0, x1, y1), in px of the picture."""
    x0, y0, x1, y1 = crop
    found = detector.detect(image_bgr[y0:y1, x0:x1], min_confidence)
    return tuple(_moved(detection, float(x0), float(y0)) for detection in found)


def _moved(detection: Detection, dx: float, dy: float) -> Detection:
    x0, y0, x1, y1 = detection.box_px
    quad = detection.corners_px
    if quad is not None:
        (a, b), (c, d), (e, f), (g, h) = quad
        quad = ((a + dx, b + dy), (c + dx, d + dy), (e + dx, f + dy), (g + dx, h + dy))
    return replace(detection, box_px=(x0 + dx, y0 + dy, x1 + dx, y1 + dy), corners_px=quad)


def square_around(
    x: float, y: float, side: float, limits: tuple[int, int]
) -> tuple[int, int, int, int]:
    """A square around a point, moved and cut to lie within the picture; x0, y0, x1, y1."""
    spans = []
    for centre, limit in ((x, limits[0]), (y, limits[1])):
        length = min(limit, math.ceil(side))
        start = min(max(0, round(centre - length / 2)), limit - length)
        spans.append((start, start + length))
    (x0, x1), (y0, y1) = spans
    return x0, y0, x1, y1


def cube_side(cube: Detection) -> float:
    """Mean side of a cube's upward face, px."""
    if cube.corners_px is not None:
        return side_px(cube.corners_px)
    x0, y0, x1, y1 = cube.box_px
    return max(x1 - x0, y1 - y0)


def without_doubles(finds: Sequence[Find]) -> list[Find]:
    """Of finds that overlap, the one with most members."""
    kept: list[Find] = []
    for find in sorted(finds, key=lambda f: (-f.members, -len(f.cubes))):
        if all(overlap_share(find.box, other.box) < DOUBLE_SHARE for other in kept):
            kept.append(find)
    return kept
