"""Looks at a picture for tiles and their boards: the whole, then crops in which tiles are larger.

A whole board in a large picture shows its tiles at a few px in the network's input; one closer look
at the board, or a few at parts of it, shows them at the size the network was trained on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.clusters import Box, overlap_share
from vision.detect import INPUT_SIDE, Detection, Detector
from vision.dice.looks import enclosing, merged, side_of
from vision.looks import Image, detect_in, square_around

MIN_TILE: Final = 0.25
"""Least confidence in a tile: the lattice and the classifier sort out false ones."""
MIN_OUTLINE: Final = 0.35
"""Least confidence in the outline of a board."""
WANTED_PX: Final = 30.0
"""Size of a tile in the input of a closer look; a board as sold and its rim just fill it then."""
ENOUGH_PX: Final = 20.0
"""Tiles of this size in the input of a look need no closer one."""
MIN_CROP_PX: Final = 320
"""Smallest closer look: more than twofold enlargement shows the network a blur it never saw."""
MOST_LOOKS: Final = 3
"""Closer looks at one picture, 60 ms each on two cores."""
AIR: Final = 1.5
"""Tiles around the known ones that a closer look takes in: more may lie there."""
BOARD_AIR: Final = 0.05
"""Part of a board's extent that a closer look takes in around it."""
QUARTERS: Final = 0.6
"""Side of a look at a quarter of the picture: quarters overlap by a fifth of it."""
MIN_QUARTERED_PX: Final = 900
"""Where nothing was found in a larger picture, its tiles may be too small for the first look."""
DOUBLE: Final = 0.5
"""Outlines that share this part of the smaller are one board."""


@dataclass(frozen=True, slots=True)
class TileFinds:
    """What the detector saw, px of the picture.

    Attributes:
        tiles: Each once, best first; all have corners.
        boards: Outlines of boards, each once, best first.
        hands: Hands.
    """

    tiles: tuple[Detection, ...]
    boards: tuple[Detection, ...]
    hands: tuple[Detection, ...]


def look_for_tiles(image_bgr: Image, detector: Detector) -> TileFinds:
    """All tiles, boards and hands, by one look or more.

    Args:
        image_bgr: (H, W, 3).
        detector: Finds tiles, boards for them, and hands.
    """
    height, width = image_bgr.shape[:2]
    whole = (0, 0, width, height)
    finds = _finds(detect_in(image_bgr, detector, whole, MIN_TILE))
    for crop in closer_looks(finds, width, height):
        finds = _joined(finds, _finds(detect_in(image_bgr, detector, crop, MIN_TILE)), crop)
    if finds.boards and _too_few(finds, width, height):  # the board was found by a closer look
        for crop in closer_looks(finds, width, height)[:MOST_LOOKS]:
            finds = _joined(finds, _finds(detect_in(image_bgr, detector, crop, MIN_TILE)), crop)
    return finds


def closer_looks(finds: TileFinds, width: int, height: int) -> list[tuple[int, int, int, int]]:
    """Parts of the picture to look at again: squares x0, y0, x1, y1."""
    longer = max(width, height)
    if not finds.tiles and not finds.boards:
        return _quarters(width, height) if longer >= MIN_QUARTERED_PX else []
    tile_px = _tile_px(finds)
    if tile_px * INPUT_SIDE / longer >= ENOUGH_PX:
        return []
    region = _region(finds, tile_px)
    side = max(INPUT_SIDE * tile_px / WANTED_PX, float(MIN_CROP_PX))
    across, down = region[2] - region[0], region[3] - region[1]
    counts = [
        max(1, int(np.ceil((extent - 0.1 * side) / (0.9 * side)))) for extent in (across, down)
    ]
    while counts[0] * counts[1] > MOST_LOOKS:
        side *= 1.15
        counts = [max(1, int(np.ceil((e - 0.1 * side) / (0.9 * side)))) for e in (across, down)]
    if side >= 0.95 * longer:
        return []
    xs = _middles(region[0], region[2], side, counts[0])
    ys = _middles(region[1], region[3], side, counts[1])
    return [square_around(x, y, side, (width, height)) for y in ys for x in xs]


def _middles(low: float, high: float, side: float, count: int) -> list[float]:
    """Middles of looks that share out an extent, overlapping evenly."""
    if count == 1 or high - low <= side:
        return [(low + high) / 2]
    return [float(x) for x in np.linspace(low + side / 2, high - side / 2, count)]


def _tile_px(finds: TileFinds) -> float:
    """Side of a tile, px: of the tiles seen, else of the longer side of a board's columns."""
    if finds.tiles:
        return float(np.median([side_of(tile.box_px) for tile in finds.tiles]))
    return side_of(finds.boards[0].box_px) / 18


def _region(finds: TileFinds, tile_px: float) -> Box:
    """What closer looks share out: the boards, and the tiles with some air."""
    boxes = [tile.box_px for tile in finds.tiles]
    parts: list[Box] = []
    if boxes:
        x0, y0, x1, y1 = enclosing(boxes)
        air = AIR * tile_px
        parts.append((x0 - air, y0 - air, x1 + air, y1 + air))
    for board in finds.boards:
        x0, y0, x1, y1 = board.box_px
        air = BOARD_AIR * max(x1 - x0, y1 - y0)
        parts.append((x0 - air, y0 - air, x1 + air, y1 + air))
    return enclosing(parts)


def _too_few(finds: TileFinds, width: int, height: int) -> bool:
    """True where tiles may still be too small: none was seen on a board that was."""
    small = _tile_px(finds) * INPUT_SIDE / max(width, height) < ENOUGH_PX / 2
    return not finds.tiles and small


def _quarters(width: int, height: int) -> list[tuple[int, int, int, int]]:
    across, down = round(width * QUARTERS), round(height * QUARTERS)
    return [
        (left, top, left + across, top + down)
        for top in (0, height - down)
        for left in (0, width - across)
    ]


def _finds(detections: Sequence[Detection]) -> TileFinds:
    tiles = [d for d in detections if d.kind == "tile" and d.corners_px is not None]
    boards = [d for d in detections if d.kind == "tile_board" and d.confidence >= MIN_OUTLINE]
    hands = [d for d in detections if d.kind == "hand"]
    return TileFinds(tuple(merged(tiles)), tuple(_outlines(boards)), tuple(merged(hands)))


def _outlines(boards: Sequence[Detection]) -> list[Detection]:
    kept: list[Detection] = []
    for board in sorted(boards, key=lambda d: -d.confidence):
        if all(overlap_share(board.box_px, other.box_px) < DOUBLE for other in kept):
            kept.append(board)
    return kept


def _joined(first: TileFinds, closer: TileFinds, crop: tuple[int, int, int, int]) -> TileFinds:
    """Finds of two looks; what a closer look shows whole replaces what the first one saw there."""
    inner = [tile for tile in closer.tiles if not _at_edge(tile.box_px, crop)]
    outside = [tile for tile in first.tiles if not any(_same(tile, other) for other in inner)]
    boards = [b for b in closer.boards if not _at_edge(b.box_px, crop)]
    return TileFinds(
        tuple(merged([*inner, *outside])),
        tuple(_outlines([*first.boards, *boards])),
        tuple(merged([*first.hands, *closer.hands])),
    )


def _same(tile: Detection, other: Detection) -> bool:
    return overlap_share(tile.box_px, other.box_px) >= DOUBLE


def _at_edge(box: Box, crop: tuple[int, int, int, int]) -> bool:
    """True when a box ends at the edge of a look, so that it may go on beyond it."""
    x0, y0, x1, y1 = box
    return min(x0 - crop[0], y0 - crop[1], crop[2] - x1, crop[3] - y1) < 2.0
