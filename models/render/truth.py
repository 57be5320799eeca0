"""Exact truth of a traced scene, in the frame in which boards are read."""

from typing import Any

import numpy as np

from models.render.scene import SIZE, Scene, hidden
from vision.homography import from_top

SIDES = "NESW"
SAMPLES = 9
"""Points along each side of a face that are tested for cover."""


def board_truth(scene: Scene, renderer: str) -> dict[str, Any]:
    """What a perfect reader would say of the scene, and where things are.

    Returns:
        ``rows`` and ``dots`` (five strings each) with row 0 on the side of the board that faces
        the picture's top; ``quad_px``, the corners of the 5 x 5 block's top plane, clockwise from
        the left end of row 0; ``centres_px``, 25 cell centres on that plane, row by row;
        ``visible``, 25 shares of each face that no hand hides and the picture holds; ``facts``,
        the conditions for tables by factor.
    """
    turns = turns_of(scene)
    quad = _project(scene, [[0, 0], [SIZE, 0], [SIZE, SIZE], [0, SIZE]])
    line = np.arange(SIZE) + 0.5
    centres = _project(scene, [[x, y] for y in line for x in line]).reshape(SIZE, SIZE, 2)
    visible = np.array([_open_share(scene, i) for i in range(SIZE * SIZE)])
    marks = np.array([cube.mark for cube in scene.cubes]).reshape(SIZE, SIZE)
    dots = np.array([turned(cube.dot, turns) for cube in scene.cubes]).reshape(SIZE, SIZE)
    return {
        "name": scene.name,
        "renderer": renderer,
        "tier": scene.tier,
        "seed": scene.seed,
        "size_px": list(scene.camera.size_px),
        "rows": ["".join(row) for row in np.rot90(marks, turns)],
        "dots": ["".join(row) for row in np.rot90(dots, turns)],
        "quad_px": np.roll(quad, -turns, axis=0).round(2).tolist(),
        "centres_px": np.rot90(centres, turns).reshape(-1, 2).round(2).tolist(),
        "visible": np.rot90(visible.reshape(SIZE, SIZE), turns).ravel().round(3).tolist(),
        "facts": _facts(scene) | {"occlusion_share": round(1 - float(visible.mean()), 3)},
    }


def turned(dot: str, turns: int) -> str:
    """Name of a dot's side after the board's side number ``turns`` (N 0, E 1 ...) became row 0."""
    return dot if dot not in SIDES else SIDES[(SIDES.index(dot) - turns) % 4]


def turns_of(scene: Scene) -> int:
    """Which side of the board, counted N E S W, faces the picture's top."""
    quad = _project(scene, [[0, 0], [SIZE, 0], [SIZE, SIZE], [0, SIZE]])
    corners = [(float(x), float(y)) for x, y in quad]
    first = from_top((corners[0], corners[1], corners[2], corners[3]))[0]
    return corners.index(first)


def _project(scene: Scene, flat: Any) -> Any:
    points = np.array(flat, np.float64)
    return scene.camera.project(np.column_stack([points, np.full(len(points), scene.top)]))


def _open_share(scene: Scene, index: int) -> float:
    row, column = divmod(index, SIZE)
    steps = (np.arange(SAMPLES) + 0.5) / SAMPLES * 0.8 + 0.1
    flat = np.array([[column + x, row + y] for y in steps for x in steps])
    points = np.column_stack([flat, np.full(len(flat), scene.top)])
    pixels = scene.camera.project(points)
    width, height = scene.camera.size_px
    inside = (pixels >= 0).all(axis=1) & (pixels[:, 0] < width) & (pixels[:, 1] < height)
    return float((inside & ~hidden(scene, points)).mean())


def _facts(scene: Scene) -> dict[str, float | str]:
    tilt = float(np.degrees(np.arccos(np.clip(-scene.camera.axes[2, 2], -1, 1))))
    cell = _project(scene, [[2, 2], [3, 2], [3, 3], [2, 3]])
    x, y = cell[:, 0], cell[:, 1]
    area = 0.5 * abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1)))
    sensor = scene.sensor
    return {
        "wood": scene.wood.name,
        "board": scene.board.name,
        "table": scene.table.name,
        "tilt_deg": round(tilt, 1),
        "px_per_cell": round(area**0.5, 1),
        "sun_share": round(scene.lamp.direct, 3),
        "shadow_depth": round(scene.lamp.direct if scene.blocker else 0.0, 3),
        "blur_sigma_px": round(sensor.blur_sigma_px, 2),
        "motion_px": round(sensor.motion_px, 2),
        "noise_sigma": round(sensor.noise_sigma, 2),
        "exposure_ev": round(sensor.exposure_ev, 2),
        "temperature_k": round(sensor.temperature_k),
        "jpeg_quality": sensor.jpeg_quality,
    }
