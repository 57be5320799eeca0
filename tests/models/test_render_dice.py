"""Traced dice: their solids, drawings, places and truth; no renderer."""

import json

import cv2
import numpy as np
import pytest

from models.evaluate.dice_truth import of_traced_dice
from models.render.dice_solids import (
    AXES,
    PIP_PLACES,
    PIPS,
    STYLES,
    SYMBOL_STYLES,
    SYMBOLS,
    die_atlas,
    die_mesh,
    face_mask,
)
from models.render.draw_scene import load_shelf
from models.render.traced_dice import (
    APART,
    TracedDiceConfig,
    dice_truth,
    draw_dice_scene,
    render_set,
)
from vision.labels import DIE_COLOURS, DIE_FACES

SHELF = load_shelf()


def scene_of(kind: str, tier: str, seed: int):
    return draw_dice_scene(f"{kind}_{tier}_{seed}", (kind, tier), seed, SHELF, seed)


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
@pytest.mark.parametrize("value", PIPS)
def test_a_face_has_as_many_pips_as_its_number(style, value):
    dark = (face_mask(style, value) > 0.5).astype(np.uint8)
    assert cv2.connectedComponents(dark)[0] - 1 == int(value) == len(PIP_PLACES[value])


@pytest.mark.parametrize("style", SYMBOL_STYLES, ids=lambda style: style.name)
def test_symbols_have_the_pieces_and_holes_of_their_drawings(style):
    for value, pieces, holes in (
        ("bar", 1, 0), ("cross", 1, 0), ("triple", 3, 0), ("hash", 1, 1), ("triangle", 1, 1),
        ("circle", 1, 1),
    ):  # fmt: skip
        dark = (face_mask(style, value) > 0.5).astype(np.uint8)
        assert cv2.connectedComponents(dark)[0] - 1 == pieces, value
        assert cv2.connectedComponents(1 - dark, connectivity=4)[0] - 2 == holes, value


def test_faces_look_outwards_and_are_round_at_the_corners():
    for right, up, out in AXES:
        assert (np.cross(right, up) == out).all()
    for style in (*STYLES, *SYMBOL_STYLES):
        mesh = die_mesh(style, PIPS if style in STYLES else SYMBOLS)
        far = np.linalg.norm(mesh.vertices, axis=1)
        assert far.max() <= style.ball + 1e-9
        assert far.max() < np.sqrt(0.75) - 0.01
        assert np.abs(mesh.vertices).max() <= 0.5 + 1e-9
        assert (mesh.triangles < len(mesh.vertices)).all()


def test_pips_are_drilled():
    style = next(style for style in STYLES if style.name == "tumbled")
    top = die_mesh(style, ("1", "6", "2", "5", "3", "4")).vertices[: 41 * 41].reshape(41, 41, 3)
    assert top[20, 20, 2] < 0.5 - 0.8 * style.depth
    assert top[12, 12, 2] == pytest.approx(0.5)


def test_atlas_shows_ink_where_the_mask_is():
    rng = np.random.default_rng(1)
    atlas = die_atlas(rng, STYLES[0], ("1", "6", "2", "5", "3", "4"), (0.9, 0.9, 0.9), (0, 0, 0))
    first = atlas[:128, :128]
    assert first[64, 64].max() < 0.05
    assert first[20, 20].min() > 0.5


@pytest.mark.parametrize("kind", ["pips", "symbols"])
@pytest.mark.parametrize("tier", ["clean", "everyday", "hard"])
def test_scenes_hold_dice_that_could_be(kind, tier):
    for seed in range(4):
        scene = scene_of(kind, tier, seed)
        assert len(scene.dice) >= 4
        for number, die in enumerate(scene.dice):
            assert sorted(die.faces) == sorted(PIPS if kind == "pips" else SYMBOLS)
            if kind == "pips":
                assert all(int(die.faces[i]) + int(die.faces[i + 1]) == 7 for i in (0, 2, 4))
            for other in scene.dice[:number]:
                assert np.hypot(*np.subtract(die.place, other.place)) > APART


def test_truth_is_where_the_dice_are():
    scene = scene_of("symbols", "clean", 3)
    truth = dice_truth(scene)
    assert truth["dice"]
    for row in truth["dice"]:
        assert row["value"] in DIE_FACES
        assert row["colour"] in DIE_COLOURS
        x0, y0, x1, y1 = row["box"]
        width, height = scene.camera.size_px
        assert 0 <= x0 < x1 <= width
        assert 0 <= y0 < y1 <= height
    die = scene.dice[0]
    x, y = scene.camera.project(die.to_world(np.zeros((1, 3))))[0]
    inside = [r for r in truth["dice"] if r["box"][0] < x < r["box"][2]
              and r["box"][1] < y < r["box"][3]]  # fmt: skip
    assert die.faces[0] in {row["value"] for row in inside}


def test_a_die_cut_by_the_frame_makes_the_truth_incomplete():
    scene = scene_of("pips", "clean", 1)
    first = scene.dice[0]
    far = type(first)(
        (first.place[0] + 500.0, 2.5), first.edge, 0.0, first.faces, first.colour, first.body,
        first.ink, first.style, 1,
    )  # fmt: skip
    cut = type(scene)(
        scene.name, scene.kind, scene.tier, scene.seed, (far, *scene.dice[1:]), scene.table,
        scene.lamp, scene.camera, scene.sensor, scene.props,
    )  # fmt: skip
    assert not dice_truth(cut)["complete"]
    assert len(dice_truth(cut)["dice"]) < len(scene.dice)


def test_a_set_is_finished_where_it_was_cut_short(tmp_path):
    traced = []

    def grey(scene):
        traced.append(scene.name)
        width, height = scene.camera.size_px
        return np.full((height, width, 3), 0.3, np.float32)

    config = TracedDiceConfig(tmp_path, count=1)
    assert render_set(config, grey) == 6
    (tmp_path / "pips_hard_0.json").unlink()
    assert render_set(config, grey) == 6
    assert traced[6:] == ["pips_hard_0"]
    truth = of_traced_dice(json.loads((tmp_path / "pips_hard_0.json").read_text()))
    assert truth.facts["kind_of_dice"] == "pips"
    assert all(die.flat and die.value in PIPS for die in truth.dice)
