"""Number tiles in a picture: boards found, every cell told; tiles that lie about. Knows no rule.

The detector says where tiles and boards may lie, lattice and lines where the cells are, and the
classifier what each cell shows, those among them where the detector saw nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision import quality
from vision.clusters import overlap_share
from vision.crops import crop_from_quad
from vision.cubes.nudges import log_pool, nudged
from vision.detect import Detection
from vision.homography import Floats, Quad, as_matrix, as_quad, project
from vision.labels import TILE_CLASSES
from vision.looks import Image
from vision.tiles.checks import ODD, convinces, is_legible
from vision.tiles.classify import TileClassifier, TileScores, turn_chances
from vision.tiles.extent import editions_of
from vision.tiles.fit import FittedBoard, fit_outline, fit_tiles
from vision.tiles.ground import ground_of, known_by_the_ground, strange_on_the_ground
from vision.tiles.growth import in_picture, told_cells
from vision.tiles.lines import Span
from vision.tiles.looks import TileFinds, look_for_tiles
from vision.tiles.models import TileModels
from vision.tiles.prints import better, fit_print, holding, lies_on
from vision.tiles.sights import SeenTile, SeenTileBoard
from vision.tiles.squares import find_squares
from vision.tiles.steady import hold_of

_EMPTY: Final = TILE_CLASSES.index("empty")
_COVERED: Final = TILE_CLASSES.index("covered")
LEAST_SECOND: Final = 6
"""Tiles off the first board that make a second one, if no outline does: a hand holds five."""
SURE: Final = 0.98
"""Cells told with this probability need no second look."""
MOST_TWICE: Final = 24
"""Cells looked at twice, the least sure first: where more are in doubt the picture is at fault."""
CUTS: Final = 8
"""Further cuts of a doubtful cell, of `vision.cubes.nudges`, each looked at in a turn of its own:
of 731 cells of hard calibration boards as many came out wrong (49) as with six cuts in all four
turns
(50), fewer were asked about (122, not 143), and it takes a third of the time."""
WELL_LINED: Final = 0.7
"""Mean evidence of the sides of a board from which its lattice needs no second look: of 60 composed
boards of calibration assets, true lattices of clean and everyday ones had 0.6 to 1, bent ones 0.5
and less."""
_LEAST: Final = 1e-6
"""Floor of a probability before its logarithm: one cut alone never rules anything out."""
PLAIN_DIGIT: Final = 0.9
"""Probability of a digit on some cell from which squares alone are a board for tiles."""
LEAST_MISSED: Final = 0.1
"""The detector is never taken to miss fewer tiles than this share: what is hard to see for one
network is for the other as well."""
DOUBLED: Final = 0.5
"""A find that shares this part of a tile in a cell is a second find of it."""


@dataclass(frozen=True, slots=True)
class TileSearch:
    """What came of looking for boards.

    Attributes:
        boards: Boards, left to right.
        reason: Id of a refusal when there are none, else None.
        finds: What the detector saw.
    """

    boards: tuple[SeenTileBoard, ...]
    reason: str | None
    finds: TileFinds


def see_tile_boards(
    image_bgr: Image,
    models: TileModels,
    sizes: Sequence[tuple[int, int]] | None = None,
    by_hand: Detection | None = None,
) -> TileSearch:
    """Find all boards for number tiles and tell what each of their cells shows.

    Args:
        image_bgr: (H, W, 3).
        models: The networks.
        sizes: Rows and columns that boards may have, either way round; None for any. Where they are
            known a board may be told by its squares alone, for one without tiles is looked for.
        by_hand: The one board, where a person says that it lies; None to look for boards.
    """
    finds = look_for_tiles(image_bgr, models.detector)
    if by_hand is not None and by_hand.corners_px is not None:
        inside = tuple(tile for tile in finds.tiles if _inside(tile, by_hand.corners_px))
        finds = TileFinds(inside, (by_hand,), finds.hands)
    kept = _boards(image_bgr, finds, models, sizes)
    if not kept:
        # The second way: squares by their contours, on a board of a size as sold.
        hints = replace(finds, tiles=find_squares(image_bgr))
        kept = _boards(image_bgr, hints, models, sizes or editions_of())
        if sizes is None:
            kept = [board for board in kept if _is_of_tiles(board)]
    kept.sort(key=lambda board: sum(x for x, _ in board.quad_px))
    if kept:
        return TileSearch(tuple(kept), None, finds)
    return TileSearch((), "no-lattice" if len(finds.tiles) > 1 else "no-tiles", finds)


def _boards(
    image_bgr: Image,
    finds: TileFinds,
    models: TileModels,
    sizes: Sequence[tuple[int, int]] | None,
) -> list[SeenTileBoard]:
    """Boards that finds make up, told."""
    fitted = fit_boards(image_bgr, finds, sizes)
    boards = [_told(image_bgr, one, finds, models) for one in fitted]
    return [board for board in boards if board is not None]


def _is_of_tiles(board: SeenTileBoard) -> bool:
    """True where squares alone make a board for tiles: it shows a digit, or has a size of its own.

    Boards of 15 x 15 cells are of many games.
    """
    if board.grid is None:
        return False
    shown = any(cell.scores.digits().sum() >= PLAIN_DIGIT for cell in board.cells)
    return shown or board.grid[0] != board.grid[1]


def fit_boards(
    image_bgr: Image, finds: TileFinds, sizes: Sequence[tuple[int, int]] | None = None
) -> list[FittedBoard]:
    """Boards as tiles, outlines and lines have them; the one with most tiles first."""
    left = list(finds.tiles)
    boards = list(finds.boards)
    squares = _Squares(image_bgr)
    found: list[FittedBoard] = []
    for outline in [*boards, None]:
        own = _of_outline(left, outline, boards)
        least = LEAST_SECOND if outline is None and found else 1
        fitted = None
        corners = None if outline is None else outline.corners_px
        quads = [tile.corners_px for tile in own if tile.corners_px is not None]
        if len(own) >= least:
            fitted = fit_tiles(image_bgr, quads, corners, sizes)
        if corners is not None and (fitted is None or fitted.grid is None):
            fitted = _lined(image_bgr, fitted, quads, corners, sizes)
        if fitted is not None and _is_loosely_lined(fitted):
            fitted = _printed(squares, fitted, quads, corners, sizes)
        if fitted is None or (least > 1 and len(fitted.members) < least):
            continue
        if any(lies_on(fitted, other) for other in found):
            continue
        found.append(_numbered(fitted, own, finds.tiles))
        gone = {own[index] for _, index in fitted.members}
        left = [tile for tile in left if tile not in gone]
    return sorted(found, key=lambda one: -len(one.members))


def tell_cells(
    image_bgr: Image, quads: Sequence[Quad], classifier: TileClassifier
) -> tuple[TileScores, ...]:
    """What cells show; the doubtful ones are cut a little otherwise and looked at again.

    Args:
        image_bgr: (H, W, 3).
        quads: Of the cells, clockwise from the lattice's top left, px.
        classifier: Tells cells.
    """
    if not quads:
        return ()
    scores = list(classifier.classify(np.stack([crop_from_quad(image_bgr, q) for q in quads])))
    unsure = [index for index, one in enumerate(scores) if _certainty(one) < SURE]
    unsure = sorted(unsure, key=lambda index: _certainty(scores[index]))[:MOST_TWICE]
    cuts = [(index, quad) for index in unsure for quad in nudged(quads[index])[:CUTS]]
    if not cuts:
        return tuple(scores)
    crops = np.stack([crop_from_quad(image_bgr, quad) for _, quad in cuts])
    again = classifier.glance(crops, [1 + number % CUTS for number in range(len(cuts))])
    for index in unsure:
        looks = [one for (owner, _), one in zip(cuts, again, strict=True) if owner == index]
        pooled = log_pool([scores[index].classes, *(one.classes for one in looks)], _LEAST)
        scores[index] = TileScores(pooled)
    return tuple(scores)


def _certainty(scores: TileScores) -> float:
    """Of the digit in whichever turn, or of what else a cell shows."""
    return max(float(scores.digits().sum(axis=1).max()), *scores.classes[_EMPTY:])


def _of_outline(
    tiles: Sequence[Detection], outline: Detection | None, boards: Sequence[Detection]
) -> list[Detection]:
    """Tiles in an outline; for none, those in no outline, or all where there is but one board."""
    if outline is not None and outline.corners_px is not None:
        return [tile for tile in tiles if _inside(tile, outline.corners_px)]
    outlines = [board.corners_px for board in boards if board.corners_px is not None]
    return [tile for tile in tiles if not any(_inside(tile, quad) for quad in outlines)]


def _inside(tile: Detection, outline_px: Quad) -> bool:
    """True when a tile's middle lies in an outline, or within half a tile of it."""
    assert tile.corners_px is not None
    quad = np.array(tile.corners_px)
    x, y = quad.mean(axis=0).tolist()
    hull = cv2.convexHull(np.array(outline_px, np.float32))
    reach = 0.5 * float(np.linalg.norm(quad[0] - quad[2])) / np.sqrt(2)
    return bool(cv2.pointPolygonTest(hull, (x, y), measureDist=True) >= -reach)


def _lined(
    image_bgr: Image,
    tiled: FittedBoard | None,
    quads: Sequence[Quad],
    corners: Quad,
    sizes: Sequence[tuple[int, int]] | None,
) -> FittedBoard | None:
    """A board fitted to its outline and lines, where that holds as many tiles."""
    lined = fit_outline(image_bgr, corners, sizes)
    return better(tiled, None if lined is None else holding(lined, quads), len(quads))


class _Squares:
    """Squares of a picture as quads, px: found when they are first asked for."""

    def __init__(self, image_bgr: Image) -> None:
        self.image_bgr = image_bgr
        self._known: dict[bool, list[Quad]] = {}

    def __call__(self, *, faint: bool) -> list[Quad]:
        if faint not in self._known:
            found = find_squares(self.image_bgr, faint=faint)
            self._known[faint] = [one.corners_px for one in found if one.corners_px is not None]
        return self._known[faint]


def _printed(
    squares: _Squares,
    tiled: FittedBoard,
    quads: Sequence[Quad],
    corners: Quad | None,
    sizes: Sequence[tuple[int, int]] | None,
) -> FittedBoard | None:
    """A board fitted to its print, plain or faint, where that holds as many tiles."""
    for faint in (False, True):
        printed = fit_print(squares.image_bgr, squares(faint=faint), quads, corners, sizes)
        fitted = better(tiled, printed, len(quads))
        if fitted is not tiled:
            return fitted
    return tiled


def _is_loosely_lined(fitted: FittedBoard) -> bool:
    """True where a board's lines are not all where a lattice of its tiles has them."""
    return fitted.extent is None or fitted.extent.share < WELL_LINED


def _numbered(
    fitted: FittedBoard, own: Sequence[Detection], tiles: Sequence[Detection]
) -> FittedBoard:
    """Members that index all tiles of the picture."""
    order = {id(tile): index for index, tile in enumerate(tiles)}
    members = tuple((cell, order[id(own[index])]) for cell, index in fitted.members)
    return replace(fitted, members=members)


def _told(
    image_bgr: Image, fitted: FittedBoard, finds: TileFinds, models: TileModels
) -> SeenTileBoard | None:
    """A board with what its cells show, or None where they show it is none."""
    told = told_cells(
        image_bgr.shape, fitted, lambda quads: tell_cells(image_bgr, quads, models.classifier)
    )
    members = dict(fitted.members)
    tiles_px = [t.corners_px for t in finds.tiles if t.corners_px is not None]
    hold = hold_of(fitted, tiles_px, [one.cell for one in told])
    odd = _askew(fitted, finds)
    cells = tuple(
        SeenTile(
            *one.cell,
            one.quad_px,
            one.scores,
            finds.tiles[members[one.cell]].confidence if one.cell in members else 0.0,
            hidden=_under_hand(one.quad_px, finds.hands),
            cut=not in_picture(one.quad_px, image_bgr.shape, whole=True),
            askew=one.cell in odd,
            loose=one.cell in hold.loose,
        )
        for one in told
    )
    if not convinces(cells, fitted, tiles_px):
        return None
    unsure = fitted.grid is None and not (hold.straight and is_legible(cells))
    ground = ground_of(image_bgr, cells)
    if ground is not None:
        cells = known_by_the_ground(ground, cells)
    cells = weighed_by_finds(cells)
    if ground is not None:
        cells = strange_on_the_ground(ground, cells)
    span = _span(cells)
    figures = quality.measure(image_bgr, *_frame(fitted.board, span))
    return SeenTileBoard(
        as_matrix(fitted.faces),
        fitted.grid,
        cells,
        turn_chances([cell.scores for cell in cells]),
        _corners(fitted.board, span),
        figures,
        unsure,
    )


def weighed_by_finds(cells: Sequence[SeenTile]) -> tuple[SeenTile, ...]:
    """Cells with what it tells that the detector saw no tile there.

    How often it misses one is learnt from this very board: of the cells that surely show a digit,
    the share that it did not find (Laplace's rule of succession). By Bayes' rule a tile in a cell
    without a find is so much less likely; a blind detector tells nothing.
    """
    sure = [cell for cell in cells if cell.scores.digits().sum() >= PLAIN_DIGIT]
    missed = (1 + sum(cell.found == 0 for cell in sure)) / (2 + len(sure))
    factors = np.ones(len(TILE_CLASSES))
    factors[[k for k in range(len(TILE_CLASSES)) if k not in (_EMPTY, _COVERED)]] = max(
        missed, LEAST_MISSED
    )
    return tuple(cell if cell.found else _weighed(cell, factors) for cell in cells)


def _weighed(cell: SeenTile, factors: Floats) -> SeenTile:
    told = np.array(cell.scores.classes) * factors
    return replace(cell, scores=TileScores(tuple((told / told.sum()).tolist())))


def _span(cells: Sequence[SeenTile]) -> Span:
    rows, columns = [cell.row for cell in cells], [cell.col for cell in cells]
    return min(columns), min(rows), max(columns) + 1, max(rows) + 1


def _frame(board: Floats, span: Span) -> tuple[Floats, tuple[int, int]]:
    """The map from cells counted from the span's corner, and its columns and rows."""
    moved = board @ np.array([[1.0, 0, span[0]], [0, 1.0, span[1]], [0, 0, 1.0]])
    return moved, (span[2] - span[0], span[3] - span[1])


def _corners(board: Floats, span: Span) -> Quad:
    x0, y0, x1, y1 = span
    return as_quad(project(board, [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]))


def _under_hand(quad: Quad, hands: Sequence[Detection]) -> bool:
    x, y = np.mean(quad, axis=0).tolist()
    return any(h.box_px[0] <= x <= h.box_px[2] and h.box_px[1] <= y <= h.box_px[3] for h in hands)


def _askew(fitted: FittedBoard, finds: TileFinds) -> set[tuple[int, int]]:
    """Cells in which a tile was seen that does not lie as its cell does.

    That is a find on the board that is no member: across a line, turned, or on another tile.
    """
    members = {index for _, index in fitted.members}
    held = [finds.tiles[index].box_px for index in members]
    back = np.linalg.inv(fitted.faces)
    found: set[tuple[int, int]] = set()
    for index, tile in enumerate(finds.tiles):
        if index in members or tile.confidence < ODD or tile.corners_px is None:
            continue
        if any(overlap_share(tile.box_px, box) > DOUBLED for box in held):
            continue
        col, row = project(back, [np.mean(tile.corners_px, axis=0)])[0].tolist()
        if np.isfinite([row, col]).all():
            found.add((int(np.floor(row)), int(np.floor(col))))
    return found
