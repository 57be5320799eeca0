"""Scenes for the tracers: their truth, their solids and the set's bookkeeping; no renderer."""

import json
from dataclasses import replace

import numpy as np
import pytest

from models.compose.camera import Camera
from models.compose.tiers import TIERS
from models.render.boards import BoardsConfig, render_set
from models.render.draw_scene import draw_scene, load_shelf
from models.render.scene import Capsule, Scene, hidden, top_point
from models.render.solids import board_mesh, cube_mesh
from models.render.textures import SKY_SHAPE, cube_atlas, sky_picture
from models.render.truth import board_truth, turned
from models.render.woods import load_woods

SHELF = load_shelf()
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}


def scene_of(tier: str, seed: int) -> Scene:
    return draw_scene(f"{tier}_{seed}", tier, seed, SHELF, seed)


def rolled(scene: Scene, quarters: int) -> Scene:
    """The same scene with the camera turned about its own axis, clockwise."""
    right, down, forward = scene.camera.axes
    for _ in range(quarters):
        right, down = down, -right
    width, height = scene.camera.size_px
    camera = Camera(
        np.stack([right, down, forward]),
        scene.camera.position,
        scene.camera.focal_px,
        np.array([width / 2, height / 2]),
        (width, height),
    )
    return replace(scene, camera=camera)


def test_scenes_use_evaluation_assets_only() -> None:
    names = {wood.name for wood in load_woods("evaluation")}
    for seed in range(12):
        scene = scene_of("everyday", seed)
        assert scene.wood.name in names
        assert scene.board.name in {board.name for board in SHELF.boards}


def test_same_seed_gives_the_same_truth() -> None:
    assert board_truth(scene_of("hard", 4), "a") == board_truth(scene_of("hard", 4), "a")
    assert board_truth(scene_of("hard", 4), "a") != board_truth(scene_of("hard", 5), "a")


@pytest.mark.parametrize("tier", ["clean", "everyday", "hard"])
def test_row_0_faces_up_and_columns_run_to_the_right(tier: str) -> None:
    for seed in range(8):
        truth = board_truth(scene_of(tier, seed), "test")
        centres = np.array(truth["centres_px"]).reshape(5, 5, 2)
        assert centres[0, :, 1].mean() < centres[4, :, 1].mean()
        assert centres[:, 0, 0].mean() < centres[:, 4, 0].mean()
        step = centres[0, 4] - centres[0, 0]
        assert abs(np.degrees(np.arctan2(step[1], step[0]))) < 60
        quad = np.array(truth["quad_px"])
        assert np.linalg.norm(quad[0] - centres[0, 0]) < np.linalg.norm(quad[2] - centres[0, 0])


def test_a_quarter_roll_turns_rows_and_dots_together() -> None:
    scene = rolled(scene_of("clean", 3), 0)
    before, after = board_truth(scene, "t"), board_truth(rolled(scene, 1), "t")
    marks = np.array([list(row) for row in before["rows"]])
    dots = np.array([list(row) for row in before["dots"]])
    # The camera turned clockwise, so the board seems turned the other way: N went to W.
    moved = np.vectorize(lambda dot: {"N": "W", "W": "S", "S": "E", "E": "N"}.get(dot, dot))
    assert after["rows"] == ["".join(row) for row in np.rot90(marks)]
    assert after["dots"] == ["".join(row) for row in moved(np.rot90(dots))]


def test_dot_is_seen_on_the_side_the_truth_names() -> None:
    """The drawn dot's own point, through cube and camera, lies on that side of the face."""
    ways = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
    checked = 0
    for seed in range(6):
        scene = scene_of("clean", seed)
        truth = board_truth(scene, "test")
        centres = np.array(truth["centres_px"])
        for cube in scene.cubes:
            if cube.mark == ".":
                continue
            local = np.array([[0.0, 0.0, 0.0], [0.0, -0.3, 0.0]])
            middle, dot = scene.camera.project(top_point(cube, local))
            index = int(np.linalg.norm(centres - middle, axis=1).argmin())
            row, column = divmod(index, 5)
            assert truth["rows"][row][column] == cube.mark
            ahead = (dot - middle) / np.linalg.norm(dot - middle)
            assert ahead @ np.array(ways[truth["dots"][row][column]]) > 0.7
            checked += 1
    assert checked > 20


def test_hidden_follows_the_sight_line() -> None:
    scene = scene_of("clean", 0)
    eye, point = scene.camera.position, np.array([[2.5, 2.5, 1.0], [0.5, 4.5, 1.0]])
    between = point[0] + 0.3 * (eye - point[0])
    side = np.array([0.0, 1.0, 0.0])
    rod = Capsule(tuple(between - side), tuple(between + side), 0.2, (1.0, 1.0, 1.0))
    assert hidden(replace(scene, hand=(rod,)), point).tolist() == [True, False]
    under = point[0] - 0.3 * (eye - point[0])
    rod = replace(rod, start=tuple(under - side), end=tuple(under + side))
    assert not hidden(replace(scene, hand=(rod,)), point).any()


@pytest.mark.parametrize("tier", ["everyday", "hard"])
def test_shadows_are_as_deep_as_the_tier_says_and_hide_nothing(tier: str) -> None:
    scenes = [scene_of(tier, seed) for seed in range(30)]
    shaded = [scene for scene in scenes if scene.blocker is not None]
    assert shaded
    low, high = TIERS[tier].shadow_depth
    for scene in shaded:
        assert low <= scene.lamp.direct <= high
        assert scene.blocker is not None
        assert not hidden(replace(scene, hand=(scene.blocker,)), block_points(scene)).any()


def block_points(scene: Scene) -> np.ndarray:
    line = np.linspace(0, 5, 11)
    flat = np.array([[x, y] for y in line for x in line])
    return np.column_stack([flat, np.full(len(flat), scene.top)])


def test_turned_dots() -> None:
    assert [turned("N", turns) for turns in range(4)] == ["N", "W", "S", "E"]
    assert turned(".", 3) == "."


def test_hand_covers_about_what_it_should() -> None:
    seen = [
        board_truth(scene_of("hard", seed), "t")["facts"]["occlusion_share"] for seed in range(6)
    ]
    assert max(seen) > 0.02
    assert max(seen) < 0.2
    assert all(
        board_truth(scene_of("clean", s), "t")["facts"]["occlusion_share"] == 0 for s in (0, 1)
    )


@pytest.mark.parametrize("px", [20.0, 80.0])
def test_cube_is_a_whole_solid_of_its_size(px: float) -> None:
    cube = scene_of("clean", 2).cubes[7]
    mesh = cube_mesh(cube, px)
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    assert low[2] == pytest.approx(0, abs=1e-6)
    assert high[2] == pytest.approx(cube.edge, abs=1e-6)
    assert (high - low)[0] == pytest.approx(cube.edge, rel=0.2)
    assert mesh.triangles.max() < len(mesh.vertices)
    assert mesh.uv.min() >= 0
    assert mesh.uv.max() <= 1
    assert np.isfinite(mesh.vertices).all()


def test_board_has_a_hole_that_holds_the_block() -> None:
    for look in SHELF.boards:
        mesh = board_mesh(look)
        if look.shape == "none":
            assert mesh is None
            continue
        assert mesh is not None
        rim = mesh.vertices[mesh.vertices[:, 2] == look.height]
        assert np.abs(rim[:, :2] - 2.5).max(axis=1).min() == pytest.approx(2.5 + look.recess)


def test_sky_gives_the_light_it_promises() -> None:
    lamp = scene_of("everyday", 1).lamp
    sky = sky_picture(lamp)[..., 1].astype(float)
    polar = (np.arange(SKY_SHAPE[0]) + 0.5) / SKY_SHAPE[0] * np.pi
    weight = np.clip(np.cos(polar), 0, 1) * np.sin(polar)
    solid = (np.pi / SKY_SHAPE[0]) * (2 * np.pi / SKY_SHAPE[1])
    level = float((sky * weight[:, None]).sum() * solid)
    assert level == pytest.approx(np.pi * lamp.level * (1 - lamp.direct), rel=1e-3)


def test_marked_tops_are_darker_in_the_atlas() -> None:
    scene = next(s for s in map(lambda n: scene_of("clean", n), range(9)) if s.cubes[0].design)
    atlas = cube_atlas(scene.wood, scene.cubes[0], 48)
    assert atlas.shape == (144, 144, 3)
    top = atlas[:48, :48].mean(axis=-1)
    assert top.min() < 0.5 * np.median(top)


def test_a_set_is_written_once_and_goes_on_where_it_stopped(tmp_path) -> None:
    traced: list[str] = []

    def tracer(scene: Scene) -> np.ndarray:
        traced.append(scene.name)
        width, height = scene.camera.size_px
        return np.full((height, width, 3), 0.4, np.float32)

    config = BoardsConfig(tmp_path, counts=(("clean", 1), ("hard", 2)), seed=1)
    assert render_set(config, tracer, "test") == 3
    assert traced == ["clean_0", "hard_0", "hard_1"]
    (tmp_path / "hard_0.json").unlink()
    assert render_set(config, tracer, "test") == 3
    assert traced[3:] == ["hard_0"]
    assert json.loads((tmp_path / "hard_0.json").read_text())["tier"] == "hard"
    assert (tmp_path / "hard_0.jpg").stat().st_size > 1000
