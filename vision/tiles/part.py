"""Number tiles in a picture, on a board or loose: read, and named why not."""

from dataclasses import replace
from typing import Any, Final

import cv2
import numpy as np

from vision import quality
from vision.clusters import enclosing_box
from vision.detect import Detection
from vision.homography import Quad, clockwise
from vision.looks import Image
from vision.observation import Reading, Refusal
from vision.part import PartAnswer, Wanted, cause, scaled
from vision.pictures import Picture
from vision.quality import Quality
from vision.readers.quinto import LooseTiles, TilesOnBoard, read_loose_tiles, read_tile_board
from vision.refusals import refuse
from vision.tiles.find import see_tile_boards
from vision.tiles.loose import see_loose_tiles
from vision.tiles.models import TileModels
from vision.tiles.sights import SeenTile

_EXPLAINED: Final = frozenset({"no-tiles", "no-lattice", "unsure-tiles"})
"""Refusals that bad light, blur or size may be the cause of."""


def read_tile_boards(
    picture: Picture, models: TileModels, wanted: Wanted
) -> PartAnswer[TilesOnBoard]:
    """Read all boards for number tiles in a picture.

    Args:
        picture: From `vision.pictures`.
        models: The networks.
        wanted: Corners by hand are those of the cells of the board.

    Raises:
        ValueError: Corners by hand that are no convex quadrilateral.
    """
    image = picture.image_bgr
    by_hand = None
    if wanted.corners_px is not None:
        by_hand = _outline(scaled(wanted.corners_px, picture.scale))
    search = see_tile_boards(image, models, by_hand=by_hand)
    readings = tuple(
        _in_stored_px(_explained(read_tile_board(board, models.thresholds)), picture.scale)
        for board in search.boards
    )
    if not readings:
        figures = quality.measure(image)
        reason = _cause(search.reason or "no-tiles", figures)
        return PartAnswer((), refuse(reason), figures)
    refusals = [reading.refused for reading in readings]
    refused = refusals[0] if all(refusal is not None for refusal in refusals) else None
    return PartAnswer(readings, refused, readings[0].quality)


def read_all_tiles(picture: Picture, models: TileModels, wanted: Wanted) -> PartAnswer[LooseTiles]:
    """Read tiles that lie about, or those inside of corners given by hand.

    Raises:
        ValueError: Corners by hand that are no convex quadrilateral.
    """
    image = picture.image_bgr
    tiles, weights = see_loose_tiles(image, models)
    if wanted.corners_px is not None:
        zone = np.array(_outline(scaled(wanted.corners_px, picture.scale)).corners_px, np.float32)
        kept = [n for n, tile in enumerate(tiles) if _lies_in(tile, zone)]
        tiles, weights = tuple(tiles[n] for n in kept), tuple(weights[n] for n in kept)
    figures = _quality(image, tiles)
    if not tiles:
        return PartAnswer((), refuse(_cause("no-tiles", figures)), figures)
    reading = read_loose_tiles(tiles, weights, models.thresholds, figures)
    return PartAnswer((_in_stored_px(reading, picture.scale),), None, figures)


def _cause(reason: str, figures: Quality) -> str:
    """The likely reason; a bare table has no edge, which is no blur."""
    likely = cause(reason, figures) if reason in _EXPLAINED else reason
    return reason if likely == "blurred" and figures.sharpness == 0 else likely


def _explained(reading: Reading[TilesOnBoard]) -> Reading[TilesOnBoard]:
    """Name bad light, blur or size as the reason where they are the likely one."""
    if reading.refused is None or reading.refused.reason not in _EXPLAINED:
        return reading
    refused: Refusal = refuse(_cause(reading.refused.reason, reading.quality))
    return replace(reading, refused=refused)


def _outline(corners_px: Quad) -> Detection:
    """A board where a person says that it lies.

    Raises:
        ValueError: no convex quadrilateral.
    """
    quad = clockwise(corners_px)
    hull = cv2.convexHull(np.array(quad, np.float32))
    if len(hull) < 4 or cv2.contourArea(hull) < 1:
        raise ValueError(f"the corners {corners_px} are no convex quadrilateral")
    return Detection("tile_board", enclosing_box(quad), quad, 1.0)


def _lies_in(tile: SeenTile, zone: Any) -> bool:
    x, y = np.mean(tile.quad_px, axis=0).tolist()
    return bool(cv2.pointPolygonTest(zone, (x, y), measureDist=False) >= 0)


def _quality(image_bgr: Image, tiles: tuple[SeenTile, ...]) -> Quality:
    """Figures of the part of a picture that holds the tiles; a cell is a face."""
    if not tiles:
        return quality.measure(image_bgr)
    x0, y0, x1, y1 = enclosing_box([corner for tile in tiles for corner in tile.quad_px])
    to_px = ((x1 - x0, 0.0, x0), (0.0, y1 - y0, y0), (0.0, 0.0, 1.0))
    figures = quality.measure(image_bgr, to_px, (1, 1))
    sides = [np.sqrt(cv2.contourArea(np.array(tile.quad_px, np.float32))) for tile in tiles]
    return replace(figures, px_per_cell=float(np.median(sides)), tilt_deg=None)


def _in_stored_px(reading: Reading[Any], scale: float) -> Reading[Any]:
    if scale == 1.0:
        return reading
    fields = tuple(replace(f, quad_px=scaled(f.quad_px, 1 / scale)) for f in reading.fields)
    return replace(reading, fields=fields, quad_px=scaled(reading.quad_px, 1 / scale))
