"""Tiles that lie about, or stand in a hand: found, cut by their own corners, told. No rules."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.clusters import reading_order
from vision.detect import Detection
from vision.homography import Quad, as_quad, clockwise, from_top
from vision.labels import TILE_CLASSES, TURNS
from vision.looks import Image
from vision.tiles.classify import ASTRAY, TileScores, turn_chances
from vision.tiles.find import tell_cells
from vision.tiles.looks import look_for_tiles
from vision.tiles.models import TileModels
from vision.tiles.sights import SeenTile

LEAST: Final = 0.3
"""Confidence from which a find may be a tile, if the classifier agrees."""
STRONG: Final = 0.6
"""Confidence from which it is one, whatever the classifier makes of it."""
ALONG_DEG: Final = 25.0
"""Tiles whose upper sides differ by less lie alike, and are read from one side."""
UPRIGHT: Final = (0.4, 0.2, 0.2, 0.2)
"""How tiles are turned that nothing else is known of: people photograph them to be read. Weak, so
that a 6 without its line remains a question."""
GROWN: Final = 1.04
"""Size of the cut against the corners seen: faces are rounded, and training cuts were as large."""
EDGE_PX: Final = 1.5
"""A tile nearer to the picture's edge is cut by it."""
_NONE: Final = TILE_CLASSES.index("empty")


def see_loose_tiles(
    image_bgr: Image, models: TileModels
) -> tuple[tuple[SeenTile, ...], tuple[tuple[float, ...], ...]]:
    """Find and tell all tiles in a picture.

    Returns:
        The tiles in reading order, and for each how likely its digit is turned by 0 to 3 quarter
        turns clockwise against its quad, by what the others show.
    """
    finds = look_for_tiles(image_bgr, models.detector)
    tiles = [tile for tile in finds.tiles if tile.confidence >= LEAST]
    tiles = [tiles[index] for index in reading_order([tile.box_px for tile in tiles])]
    quads = [_face(tile) for tile in tiles]
    scores = tell_cells(image_bgr, quads, models.classifier)
    shown = [
        SeenTile(0, 0, quad, one, tile.confidence, cut=_is_cut(tile, image_bgr.shape))
        for tile, quad, one in zip(tiles, quads, scores, strict=True)
        if tile.confidence >= STRONG or one.classes[_NONE] < 0.5
    ]
    return tuple(shown), turn_weights(shown)


def turn_weights(tiles: Sequence[SeenTile]) -> tuple[tuple[float, ...], ...]:
    """For each tile how its digit is turned, told by the others where they lie alike."""
    weights = []
    angles = [_angle(tile.quad_px) for tile in tiles]
    for index, angle in enumerate(angles):
        others: list[TileScores] = [
            tile.scores
            for k, tile in enumerate(tiles)
            if k != index and abs((angles[k] - angle + 180) % 360 - 180) < ALONG_DEG
        ]
        told = np.array(UPRIGHT) * np.array(turn_chances(others))
        told = (1 - ASTRAY) * told / told.sum() + ASTRAY / TURNS
        weights.append(tuple(told.tolist()))
    return tuple(weights)


def _face(tile: Detection) -> Quad:
    """The face a little grown, beginning at the left end of the side that faces the top."""
    assert tile.corners_px is not None
    points = np.array(from_top(clockwise(tile.corners_px)))
    middle = points.mean(axis=0)
    return as_quad(middle + GROWN * (points - middle))


def _angle(quad_px: Quad) -> float:
    (x0, y0), (x1, y1) = quad_px[0], quad_px[1]
    return float(np.degrees(np.arctan2(y1 - y0, x1 - x0)))


def _is_cut(tile: Detection, shape: tuple[int, ...]) -> bool:
    x0, y0, x1, y1 = tile.box_px
    return min(x0, y0, shape[1] - x1, shape[0] - y1) < EDGE_PX
