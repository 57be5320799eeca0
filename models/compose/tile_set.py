"""Writes sets of scenes of number tiles: ``arbitre-lab compose --what tiles``, resumable.

A set is a folder of ``images`` and ``labels`` (YOLO pose) for the detector, and ``crops`` for the
classifier: one npz a shard with images (N, 64, 64, 3) uint8, classes (N,) int16 of
`vision.labels.TILE_CLASSES`, and edge_px (N,) float32.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.camera import Points
from models.compose.dice_set import pose_line
from models.compose.shards import Order, Shard, write_shards
from models.compose.tile_scene import compose_tiles
from models.compose.tile_truth import TileScene, TrueBoard, TrueTile
from vision.crops import crop_from_quad
from vision.homography import project
from vision.labels import TILE_CLASSES, TURNS

SHARD: Final = 25
"""Scenes a shard: a few seconds of work, so that an interrupted run loses little."""
TIERS: Final = {"training": 1.0}
"""All pictures are windows of the detector's input: the tiers' whole boards are cut into such."""
KINDS: Final = {"board": 0.7, "loose": 0.2, "start": 0.05, "negative": 0.05}
"""Part of the scenes that show each kind."""
MOST: Final = {"digit": 54, "empty": 14, "blank": 6, "covered": 10}
"""Most crops a scene: crowded boards would crowd out the rest."""
MOST_OF_PATCH: Final = {"digit": 16, "empty": 5, "blank": 2, "covered": 3}
BARE: Final = 0.25
"""Part of the small boards that are no boards but tiles on a bare table: of 12 wrong cells on clean
evaluation boards four were such tables, whose streaks and sheets looked like something that covers
a cell, and a lattice there has nothing but what its cells show."""
MOST_OF_BARE: Final = {"digit": 12, "empty": 10, "blank": 2, "covered": 5}
CELL_TIERS: Final = {"training": 0.35, "everyday": 0.25, "hard": 0.4}
"""Part of the small boards that each tier shows. Training scenes are milder than their ranges, as
most photographs are: of their crops a tenth are as blurred as those of the hard tier, and motion
blurs less than half of them."""
CELL_SHARD: Final = 100
TOLD: Final = 0.75
"""Share of a face, or of an empty cell, in view from which its class is told."""
HIDDEN: Final = 0.3
"""Share under which it is covered; nothing is told between the two."""
MOST_GLARE: Final = 0.3
"""Share of a face blown out over which nobody can tell its digit for sure."""
BOARD_IN_VIEW: Final = 0.55
"""Share of the cells in the picture from which a board bears a label."""
LATTICE_ERROR: Final = ((0.02, 0.05, 0.09), (0.45, 0.4, 0.15))
"""Standard errors of a found lattice in cells, and their odds: fits of cubes erred like that."""
FACE_PLANE: Final = 0.85
"""Part of the lattices fitted to the faces alone."""
OWN_QUAD: Final = 0.3
"""Part of the crops of tiles on a board cut by the tile's own corners."""
_UNIT: Final = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class TileCrops:
    """Inputs and labels of the classifier, one row a crop."""

    images: NDArray[np.uint8]
    classes: NDArray[np.int16]
    edge_px: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class _Cell:
    """One thing to cut: its quad (4, 2), its group in `MOST`, digit or None, and turn."""

    quad: Points
    group: str
    digit: int | None
    turn: int
    edge_px: float


def write_tile_set(out: Path, split: str, first_seed: int, scenes: int, workers: int = 2) -> None:
    """Compose all scenes of a set that are not there yet; seeds count up from the first."""
    order = Order(out, split, first_seed, scenes, ("images", "labels"))
    write_shards(order, _compose, SHARD, workers, "tiles")


def write_cell_set(out: Path, split: str, first_seed: int, scenes: int, workers: int = 2) -> None:
    """Compose small boards of which only cells are kept: many more designs for the same time.

    Resumable as `write_tile_set`; for the classifier alone.
    """
    order = Order(out, split, first_seed, scenes)
    write_shards(order, _compose_cells, CELL_SHARD, workers, "cells of tiles")


def _compose_cells(shard: Shard, number: int, seed: int) -> TileCrops:
    rng = np.random.default_rng([seed, 5])
    tier = str(rng.choice(list(CELL_TIERS), p=list(CELL_TIERS.values())))
    bare = rng.random() < BARE
    scene = compose_tiles(
        seed, shard.order.split, tier, "patch", "none" if bare else None, fresh=False
    )
    return crops(scene, rng, MOST_OF_BARE if bare else MOST_OF_PATCH)


def draw_scene(seed: int, split: str) -> TileScene:
    """The scene of a seed with its kind and tier, as sets hold it."""
    rng = np.random.default_rng([seed, 4])
    tier = str(rng.choice(list(TIERS), p=list(TIERS.values())))
    kind = str(rng.choice(list(KINDS), p=list(KINDS.values())))
    return compose_tiles(seed, split, tier, kind, fresh=False)


def _compose(shard: Shard, number: int, seed: int) -> TileCrops:
    scene = draw_scene(seed, shard.order.split)
    shard.write_view(number, scene.image_bgr, label_lines(scene))
    return crops(scene, np.random.default_rng([seed, 5]))


def label_lines(scene: TileScene) -> tuple[str, ...]:
    """Lines of YOLO pose of tiles, the board's cells, and hands."""
    height, width = scene.image_bgr.shape[:2]
    size, lines = (width, height), []
    letters = scene.facts["kind"] == "negative"
    for tile in scene.tiles:
        if not letters and tile.visible >= HIDDEN and tile.box_px[2] - tile.box_px[0] >= 6:
            lines.append(pose_line("tile", tile.box_px, tile.quad_px, size))
    board = scene.board
    if board is not None and board.printed and board.box_px and board.in_view >= BOARD_IN_VIEW:
        outline = project(board.homography, _UNIT * (board.cols, board.rows))
        corners = tuple((float(x), float(y)) for x, y in outline)
        lines.append(pose_line("tile_board", board.box_px, corners, size))
    return tuple(lines + [pose_line("hand", box, None, size) for box in scene.hands])


def crops(scene: TileScene, rng: np.random.Generator, most: Mapping[str, int] = MOST) -> TileCrops:
    """Cells and tiles of a scene, each in a frame of its own, as a finder would cut them.

    Args:
        scene: the picture and its truth.
        rng: of errors and turns.
        most: crops of each group.
    """
    cells: list[_Cell] = []
    if scene.facts["kind"] != "negative":
        for _ in range(3):  # each cell three times, with another error
            cells += _lattice_cells(scene, rng) if scene.board is not None else []
            cells += [_own_cell(tile, rng) for tile in scene.tiles if tile.row < 0 and _told(tile)]
    chosen = []
    for group, count in most.items():
        rows = [cell for cell in cells if cell.group == group]
        rng.shuffle(rows)  # type: ignore[arg-type]
        chosen += rows[:count]
    images, classes = [], []
    for cell in chosen:
        quarter = int(rng.integers(TURNS))
        images.append(crop_from_quad(scene.image_bgr, np.roll(cell.quad, -quarter, axis=0)))
        name = cell.group if cell.digit is None else f"{cell.digit}@{(cell.turn - quarter) % TURNS}"
        classes.append(TILE_CLASSES.index(name))
    return TileCrops(
        np.stack(images) if images else np.zeros((0, 64, 64, 3), np.uint8),
        np.array(classes, np.int16),
        np.array([cell.edge_px for cell in chosen], np.float32),
    )


def _told(tile: TrueTile) -> bool:
    """Its class is beyond doubt for a person."""
    known = tile.value is not None or tile.odd == "face_down"
    plain = tile.odd in ("", "turned", "face_down")
    return known and plain and tile.visible >= TOLD and tile.glare < MOST_GLARE


def _lattice_cells(scene: TileScene, rng: np.random.Generator) -> list[_Cell]:
    board = scene.board
    assert board is not None
    there: dict[tuple[int, int], list[TrueTile]] = {}
    for tile in scene.tiles:
        there.setdefault((tile.row, tile.col), []).append(tile)
    quads = _found_quads(board, rng)
    out = []
    for row in range(board.rows):
        for col in range(board.cols):
            quad = quads[row, col]
            tiles = there.get((row, col), [])
            if not _inside(quad, scene.image_bgr.shape) or len(tiles) > 1:
                continue
            cell = _cell_of(tiles, quad, float(board.open_shares[row, col]))
            if cell is None:
                continue
            if tiles and cell.group == "digit" and rng.random() < OWN_QUAD:
                cell = _own_cell(tiles[0], rng)
            out.append(cell)
    return out


def _cell_of(tiles: list[TrueTile], quad: Points, open_share: float) -> _Cell | None:
    """What a cell of the lattice shows; None where a person would not be sure."""
    edge = float(np.sqrt(max(cv2.contourArea(quad.astype(np.float32)), 0.0)))
    if open_share <= HIDDEN:
        return _Cell(quad, "covered", None, 0, edge)
    if not tiles:
        return _Cell(quad, "empty", None, 0, edge) if open_share >= TOLD else None
    tile = tiles[0]
    if not _told(tile) or open_share < TOLD:
        return None
    group = "digit" if tile.value is not None else "blank"
    return _Cell(quad, group, tile.value, tile.turn, edge)


def _found_quads(board: TrueBoard, rng: np.random.Generator) -> NDArray[np.float64]:
    """(rows, cols, 4, 2) quads of all cells as a finder may see them.

    The finder fits the lattice to the faces; where lines of the board pulled at it, the plane lies
    between.
    """
    errors, odds = LATTICE_ERROR
    spread = float(rng.choice(errors, p=odds))
    rows, cols = np.mgrid[0 : board.rows, 0 : board.cols]
    middles = np.stack([cols, rows], axis=2) + 0.5
    middles = middles + rng.normal(0, spread, 2) + rng.normal(0, 0.4 * spread, middles.shape)
    angle = rng.normal(0, np.radians(1.5), middles.shape[:2]) + rng.normal(0, np.radians(1.0))
    size = np.exp(rng.normal(0, 0.03, middles.shape[:2]))
    cos, sin = np.cos(angle) * size, np.sin(angle) * size
    turn = np.stack([np.stack([cos, -sin], axis=2), np.stack([sin, cos], axis=2)], axis=2)
    square = np.einsum("rcij,kj->rcki", turn, _UNIT - 0.5) + middles[:, :, None]
    flat = square.reshape(-1, 2)
    share = 1.0 if rng.random() < FACE_PLANE else float(rng.uniform(0.5, 1.0))
    low, high = project(board.homography, flat), project(board.top_homography, flat)
    return np.asarray((low + (high - low) * share).reshape(square.shape))


def _own_cell(tile: TrueTile, rng: np.random.Generator) -> _Cell:
    """A tile cut by its own corners, with the error of a detector."""
    quad = np.array(tile.quad_px)
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    aspect = float(np.hypot(*down) / max(np.hypot(*across), 1e-6))
    if aspect > 1.15 and rng.random() < 0.3:  # the square around the digit of a tall tile
        low = quad[0] + down * rng.uniform(0.0, 0.12)
        quad = np.stack([low, low + across, low + across + down / aspect, low + down / aspect])
    noisy = quad + rng.normal(0, rng.choice([0.02, 0.04]) * tile.edge_px, (4, 2))
    noisy = noisy.mean(axis=0) + (noisy - noisy.mean(axis=0)) * rng.uniform(0.95, 1.12)
    group = "digit" if tile.value is not None else "blank"
    return _Cell(noisy, group, tile.value, 0, tile.edge_px)


def _inside(quad: Points, shape: tuple[int, ...]) -> bool:
    """Most of a quad lies in the picture."""
    return bool(
        (quad.min(axis=0) > -6).all()
        and quad[:, 0].max() < shape[1] + 6
        and quad[:, 1].max() < shape[0] + 6
    )
