"""Fully traced boards of number tiles with exact truth: ``arbitre-lab render tiles --out FOLDER``.

An evaluation set by another renderer than the composed boards: real geometry, light that bounces,
soft shadows and reflections, on evaluation assets and the tiers' conditions. No hands reach in.
Each picture becomes ``NAME.jpg`` and ``NAME.json``.
"""

import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.sensor import Sensor, add_noise, compress, expose
from models.compose.surface import Surface
from models.compose.tiers import TIERS, sample_sensor
from models.compose.tile_lists import load_tile_lists
from models.compose.tile_places import Placed
from models.compose.tile_stage import TileStage, draw_tile_stage
from models.compose.tile_truth import TileScene, TrueBoard, TrueTile
from models.evaluate.tiles_truth import keep
from models.render.draw_scene import draw_lamp
from models.render.mitsuba_setup import start_mitsuba
from models.render.progress import Progress
from models.render.scene import Lamp

Tracer = Callable[["TracedBoard"], NDArray[np.float32]]

FACE_PX: Final = 96
"""Width of a face's texture: no cell of the tiers is seen larger."""


@dataclass(frozen=True, slots=True, eq=False)
class TracedBoard:
    """Everything in one picture; the board's surface is the plane z = 0."""

    name: str
    seed: int
    stage: TileStage
    table: Surface
    lamp: Lamp
    sensor: Sensor

    @property
    def floor(self) -> float:
        """Height of the table."""
        return -self.stage.board.thick if self.stage.board else 0.0


@dataclass(frozen=True, slots=True)
class TracedTilesConfig:
    """What to render.

    Attributes:
        out: folder of the set.
        count: pictures of each tier.
        seed: every picture follows from it and its name.
        minutes: wall-clock bound; finished pictures are kept and skipped by the next run.
        threads: worker threads of the renderer.
    """

    out: Path
    count: int = 14
    seed: int = 3
    minutes: float = 60.0
    threads: int = 1


def render(config: TracedTilesConfig) -> int:
    """Render the pictures that are missing; returns how many are finished in the folder."""
    from models.render.mitsuba_tiles import trace_tiles

    mi = start_mitsuba(config.threads)
    return render_set(config, lambda scene: trace_tiles(mi, scene))


def render_set(config: TracedTilesConfig, tracer: Tracer, renderer: str = "mitsuba") -> int:
    """The same with any tracer; tiers take turns, so that a part has all of them."""
    names = [(f"{tier}_{number}", tier) for number in range(config.count) for tier in TIERS]
    todo = [entry for entry in names if not (config.out / f"{entry[0]}.json").exists()]
    progress = Progress(len(todo), f"boards of tiles by {renderer}")
    end = time.monotonic() + 60 * config.minutes
    left = len(todo)
    for name, tier in todo:
        if time.monotonic() > end:
            break
        scene = draw_traced_board(name, tier, zlib.crc32(f"tiles {config.seed} {name}".encode()))
        keep(config.out, name, photographed(scene, tracer(scene)))
        progress.step()
        left -= 1
    return len(names) - left


def draw_traced_board(name: str, tier_name: str, seed: int) -> TracedBoard:
    """One scene of evaluation assets; everything random follows from the seed."""
    rng = np.random.default_rng([seed, 21])
    lists, tier = load_tile_lists("evaluation"), TIERS[tier_name]
    stage = draw_tile_stage(rng, lists, tier, "board")
    tables, lights = lists.around.tables, lists.around.lights
    lamp = draw_lamp(rng, tier, dict(lights[int(rng.integers(len(lights)))]))
    table = tables[int(rng.integers(len(tables)))]
    sensor = sample_sensor(rng, tier, phone=bool(rng.random() < 0.5))
    return TracedBoard(name, seed, stage, table, lamp, sensor)


def photographed(scene: TracedBoard, light_bgr: NDArray[np.float32]) -> TileScene:
    """The stored picture of traced light (H, W, 3), and its truth."""
    stage, sensor = scene.stage, scene.sensor
    rng = np.random.default_rng([scene.seed, 22])
    noisy = add_noise(expose(light_bgr, sensor), sensor, rng)
    image, data = compress(noisy, sensor.jpeg_quality)
    facts = stage.facts | {
        "table": scene.table.name,
        "blur_sigma_px": round(sensor.blur_sigma_px, 2),
        "exposure_ev": round(sensor.exposure_ev, 2),
        "temperature_k": round(sensor.temperature_k),
    }
    tiles = tuple(tile for one in stage.placed if (tile := _tile(stage, one)) is not None)
    return TileScene(image, data, tiles, _board(stage), (), facts)


def _tile(stage: TileStage, one: Placed) -> TrueTile | None:
    quad = stage.camera.project(one.laid.corners())
    low, high = quad.min(axis=0), quad.max(axis=0)
    if (low < 0).any() or (high > stage.camera.size_px).any():
        return None
    row, col = one.cell if one.cell is not None else (-1, -1)
    area = float(cv2.contourArea(quad.astype(np.float32)))
    corners = tuple((float(x), float(y)) for x, y in quad)
    box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    return TrueTile(row, col, one.value, one.turn, corners, box, 1.0, round(area**0.5, 1), one.odd)


def _board(stage: TileStage) -> TrueBoard | None:
    if stage.size is None:
        return None
    rows, cols = stage.size
    ends = np.array([[x, y, 0.0] for x, y in ((0, 0), (cols, 0), (cols, rows), (0, rows))])
    quad = stage.camera.project(ends)
    x0, y0, x1, y1 = (float(v) for v in (*quad.min(axis=0), *quad.max(axis=0)))
    plane = stage.camera.plane_homography
    return TrueBoard(
        rows, cols, plane(0.0), plane(stage.look.height), np.ones((rows, cols)),
        stage.board is not None, (x0, y0, x1, y1), 1.0, str(stage.facts["edition"]),
    )  # fmt: skip
