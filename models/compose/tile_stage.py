"""Sets the stage of a scene of number tiles: board, tiles and camera, drawn from a tier."""

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from models.compose.camera import Camera, Points, aim
from models.compose.dice_stage import CELL_MM
from models.compose.tiers import Tier, uniform
from models.compose.tile_layouts import Position, random_position, scattered_position
from models.compose.tile_lists import EDITIONS, TileLists, draw_board
from models.compose.tile_places import (
    NO_ODDITIES,
    TRAINING_ODDITIES,
    Oddities,
    Placed,
    TilePlacer,
)
from models.render.tiles.board import TileBoardLook
from models.render.tiles.look import TileLook, draw_look

KINDS: Final = ("board", "loose", "start", "negative", "patch")
EDITION_ODDS: Final = (0.38, 0.2, 0.1, 0.17, 0.15)
"""How often scenes show each of `EDITIONS`."""
CELL_SIDE_MM: Final = (15.0, 26.0)
"""Cells of tile games, for the size of hands and things beside them."""
WINDOW_PX: Final = 640
FINEST_PX: Final = 120.0
"""Training windows go from the smallest cells of the tiers to a near hand of tiles."""
MOST_TILES: Final = 90
PATCH: Final = (4, 8)
"""Rows and columns of a patch, a small board that only cells are cut of, and one more than most."""


@dataclass(frozen=True, slots=True, eq=False)
class TileStage:
    """What stands where in one scene.

    Attributes:
        unit_px: 36 mm in px, the size of hands and things.
        px: px of a cell in the middle of the view.
        look: the set of tiles.
        board: None on a bare table.
        size: rows and columns of the lattice tiles lie on, None without one.
        placed: all tiles.
    """

    rng: np.random.Generator
    lists: TileLists
    tier: Tier
    kind: str
    camera: Camera
    px: float
    unit_px: float
    look: TileLook
    board: TileBoardLook | None
    size: tuple[int, int] | None
    placed: tuple[Placed, ...]
    facts: dict[str, float | str]


def draw_tile_stage(
    rng: np.random.Generator, lists: TileLists, tier: Tier, kind: str, edition: str | None = None
) -> TileStage:
    """Board, tiles and camera.

    Args:
        rng: source of chance.
        lists: of one split.
        tier: the ranges; ``training`` gives windows of `WINDOW_PX` at most, the others the whole
            board.
        kind: one of `KINDS`.
        edition: one of `EDITIONS`, or None for any.
    """
    if edition is None:
        edition = str(rng.choice(EDITIONS, p=EDITION_ODDS))
    training = tier.name == "training"
    odd = TRAINING_ODDITIES if training and rng.random() < 0.6 else NO_ODDITIES
    look = draw_look(rng, _fitting(lists, kind, edition), lists.digits)
    board = draw_board(rng, lists, edition) if kind in ("board", "start", "patch") else None
    if kind == "patch" and board is not None:
        board = _small(rng, board)
    if kind == "negative":
        odd = Oddities(other=1.0)
    placer = TilePlacer(rng, look, odd)
    size, placed = _lay(rng, placer, kind, board, training)
    middle = np.array([size[1], size[0]]) / 2 if size else np.zeros(2)
    tilt = uniform(rng, tier.tilt_deg)
    camera, px = _camera(rng, tier, (middle, tilt), (size, placed))
    facts: dict[str, float | str] = {
        "tier": tier.name, "kind": kind, "edition": edition if size else "none",
        "tilt_deg": round(tilt, 1), "px_per_cell": round(px, 1), "set": look.name,
        "board": board.name if board else "none", "tiles": float(len(placed)),
    }  # fmt: skip
    unit = px * CELL_MM / float(rng.uniform(*CELL_SIDE_MM))
    return TileStage(rng, lists, tier, kind, camera, px, unit, look, board, size,
                     tuple(placed), facts)  # fmt: skip


def _fitting(lists: TileLists, kind: str, edition: str) -> tuple[dict[str, object], ...]:
    """Sets that go with a board: tall tiles fit no square cells, paper goes with our print."""
    sets = tuple(dict(row) for row in lists.sets if kind == "loose" or "aspect" not in row)
    if edition == "printed":
        return tuple(
            {**row, "odds": row.get("odds", 1.0) * (6.0 if row["material"] == "paper" else 0.7)}
            for row in sets
        )
    return sets


def _small(rng: np.random.Generator, board: TileBoardLook) -> TileBoardLook:
    """A corner of a board, as it were: its start cell lies anywhere, or nowhere."""
    rows, columns = (int(value) for value in rng.integers(*PATCH, 2))
    start = (int(rng.integers(2 * rows)), int(rng.integers(columns)))
    mark = board.mark if start[0] < rows else "none"
    return replace(board, rows=rows, columns=columns, start=start, mark=mark)


def _lay(
    rng: np.random.Generator,
    placer: TilePlacer,
    kind: str,
    board: TileBoardLook | None,
    training: bool,
) -> tuple[tuple[int, int] | None, list[Placed]]:
    """Rows and columns of the lattice (None without one), and the tiles."""
    if kind in ("loose", "negative") and (kind == "loose" or rng.random() < 0.6):
        return None, _strewn(rng, placer)
    if kind == "negative" and rng.random() < 0.4:
        return None, []
    size = (board.rows, board.columns) if board else (13, 17)
    start = board.start if board else (6, 8)
    if kind == "patch":
        size = size if board else (int(rng.integers(*PATCH)), int(rng.integers(*PATCH)))
        count = int(size[0] * size[1] * rng.uniform(0.35, 0.8))
        return size, placer.on_board(scattered_position(rng, size, count), int(rng.integers(4)))
    position = _position(rng, (size, start), kind, training)
    turn = int(rng.choice([0, 2])) if rng.random() < 0.5 else int(rng.integers(4))
    placed = placer.on_board(position, turn)
    if rng.random() < 0.35 and kind != "negative":
        placed += _hands(rng, placer, size, (board.rim if board else 0.3))
    return size, placed


def _position(
    rng: np.random.Generator,
    where: tuple[tuple[int, int], tuple[int, int]],
    kind: str,
    training: bool,
) -> Position:
    size, start = where
    if kind == "start":
        return random_position(rng, size, start, int(rng.integers(0, 6)), even=training)
    if training and rng.random() < 0.25:
        return scattered_position(rng, size, int(rng.integers(5, 110)))
    count = int(rng.integers(4, MOST_TILES + 1))
    return random_position(rng, size, start, count, even=training and rng.random() < 0.6)


def _hands(
    rng: np.random.Generator, placer: TilePlacer, size: tuple[int, int], rim: float
) -> list[Placed]:
    """Rows of up to five tiles beside the board, as players hold them."""
    out = []
    rows, columns = size
    for _ in range(int(rng.integers(1, 3))):
        side = int(rng.integers(4))
        away = rim + float(rng.uniform(0.8, 2.5))
        along = float(rng.uniform(0.1, 0.7))
        spot = [
            np.array([along * columns, rows + away]),
            np.array([-away, along * rows]),
            np.array([along * columns, -away]),
            np.array([columns + away, along * rows]),
        ][side]
        angle = np.radians(90 * side + rng.normal(0, 12))
        values = tuple(int(value) for value in rng.integers(0, 10, int(rng.integers(1, 6))))
        lean = float(np.radians(rng.uniform(55, 75))) if rng.random() < 0.25 else 0.0
        out += placer.row(spot, angle, values, lean)
    return out


def _strewn(rng: np.random.Generator, placer: TilePlacer) -> list[Placed]:
    """Rows and single tiles on a bare table, apart from each other."""
    out: list[Placed] = []
    most = 14 if placer.look.aspect > 1 else 10
    reach = float(rng.choice([2.5, 5.0, 9.0]))
    heads = int(rng.integers(1, 22))
    single = rng.random() < 0.4
    facing = float(rng.uniform(0, 2 * np.pi))
    taken: list[Points] = []
    for _ in range(heads):
        many = 1 if single else int(rng.integers(1, 7))
        values = tuple(int(value) for value in rng.integers(0, most, many))
        angle = float(rng.uniform(0, 2 * np.pi)) if rng.random() < 0.5 else (
            facing + float(rng.normal(0, 0.15)))  # fmt: skip
        lean = float(np.radians(rng.uniform(45, 70))) if rng.random() < 0.06 else 0.0
        row = placer.row(rng.uniform(-reach, reach, 2), angle, values, lean)
        spots = [one.laid.middle[:2] for one in row]
        apart = 1.15 * placer.look.size * max(1.0, placer.look.aspect)
        if any(np.hypot(*(a - b)) < apart for a in spots for b in taken):
            continue
        taken += spots
        out += row
    return out


def _camera(
    rng: np.random.Generator,
    tier: Tier,
    view: tuple[Points, float],
    shown: tuple[tuple[int, int] | None, list[Placed]],
) -> tuple[Camera, float]:
    """A camera on the board's middle; its picture, and px of a cell at the picture's aim."""
    middle, tilt = view
    size, placed = shown
    training = tier.name == "training"
    azimuth = 90 * int(rng.integers(4)) + float(rng.normal(0, 15))
    roll = uniform(rng, tier.roll_deg)
    if rng.random() < 0.6:  # people hold cameras level more often than not
        roll = float(np.clip(rng.normal(0, 4), *tier.roll_deg))
    distance = float(rng.uniform(15, 42) if size else rng.uniform(9, 36))
    axes, eye = aim(tilt, azimuth, roll, distance, np.append(middle, 0.0))
    px = uniform(rng, tier.px_per_cell)
    if training:
        finest = 70.0 if shown[0] and max(shown[0]) < PATCH[1] else FINEST_PX
        px = float(np.exp(rng.uniform(np.log(14), np.log(finest))))
    probe = Camera(axes, eye, 1000.0, np.zeros(2), (1, 1))
    target = _target(rng, middle, placed, px) if training else middle
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) + target
    cell = probe.project(np.column_stack([square, np.zeros(4)]))
    focal = 1000.0 * px / np.sqrt(cv2.contourArea(cell.astype(np.float32)))
    camera = Camera(axes, eye, focal, np.zeros(2), (1, 1))
    if training and size and max(size) < PATCH[1]:
        return _whole(rng, camera, size, []), px
    if training:
        return _window(rng, camera, target), px
    return _whole(rng, camera, size, placed), px


def _target(rng: np.random.Generator, middle: Points, placed: list[Placed], px: float) -> Points:
    """What a training window looks at: the whole board where it fits, else some tile."""
    if px * 17 < WINDOW_PX * 0.9 or not placed or rng.random() < 0.1:
        return middle + rng.normal(0, 0.12 * WINDOW_PX / px / 3, 2)
    one = placed[int(rng.integers(len(placed)))]
    return np.asarray(one.laid.middle[:2] + rng.normal(0, 0.2 * WINDOW_PX / px, 2))


def _window(rng: np.random.Generator, camera: Camera, target: Points) -> Camera:
    long, short = WINDOW_PX, int(rng.choice([360, 480, 480, 560, 640, 640, 640]))
    size = (long, short) if rng.random() < 0.6 else (short, long)
    spot = camera.project(np.append(target, 0.0)[None])[0]
    return Camera(camera.axes, camera.position, camera.focal_px,
                  np.array(size) / 2 - spot, size)  # fmt: skip


def _whole(
    rng: np.random.Generator,
    camera: Camera,
    size: tuple[int, int] | None,
    placed: list[Placed],
) -> Camera:
    """A picture that holds the whole board, or all tiles, with some table around."""
    points = [one.laid.corners() for one in placed if one.cell is None or size is None]
    if size is not None:
        rows, columns = size
        points.append(np.array([[x, y, 0.0] for x in (-0.3, columns + 0.3)
                                for y in (-0.3, rows + 0.3)]))  # fmt: skip
    if not points:
        points = [np.array([[x, y, 0.0] for x in (-4, 4) for y in (-4, 4)])]
    image = camera.project(np.vstack(points))
    low, high = image.min(axis=0), image.max(axis=0)
    need = high - low
    if size is not None and max(size) < PATCH[1]:  # only cells count
        whole = (round(float(need[0] * 1.05)) + 8, round(float(need[1] * 1.05)) + 8)
        return Camera(camera.axes, camera.position, camera.focal_px, np.array(whole) / 2
                      - (low + high) / 2, whole)  # fmt: skip
    frame = np.maximum(need * rng.uniform(1.04, 1.35), 200)
    if frame[0] / frame[1] < 4 / 3 and rng.random() < 0.5:  # cameras take 4:3
        frame[0] = frame[1] * 4 / 3
    elif frame[1] / frame[0] < 3 / 4:
        frame[1] = frame[0] * 3 / 4
    start = (frame - need) * rng.uniform(0.25, 0.75, 2)
    whole = (round(float(frame[0])), round(float(frame[1])))
    return Camera(camera.axes, camera.position, camera.focal_px, start - low, whole)
