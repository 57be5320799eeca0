"""Asset lists, drawings of the marks, relief and the bank's file format; no renderer needed."""

import numpy as np
import pytest

from models.render.bank import load_bank, save_wood
from models.render.grain import ink_surface, wood_surface
from models.render.marks import CIRCLES, CROSSES, Design, draw_design, inside
from models.render.relief import Cube, engraved, face_grid, height, normals, plan_distance
from models.render.woods import SPLITS, load_woods, read_asset

LEAST = {"wood": 28, "table": 40, "board": 16, "hand": 20, "light": 10}


@pytest.mark.parametrize("kind", LEAST)
def test_lists_are_split_by_name_and_large_enough(kind: str) -> None:
    entries = read_asset(kind)
    names = [entry["name"] for entry in entries]
    assert len(names) == len(set(names)), "a name on two sides of the split"
    assert len(names) >= LEAST[kind]
    assert {entry["split"] for entry in entries} == set(SPLITS)


@pytest.mark.parametrize("kind", ["table", "board", "hand"])
def test_no_colours_are_shared_between_splits(kind: str) -> None:
    """A renamed copy of an entry would be the same asset on both sides."""
    seen: dict[str, str] = {}
    for entry in read_asset(kind):
        if entry.get("shape") == "none":
            continue
        look = repr({k: v for k, v in entry.items() if k not in ("name", "split")})
        assert seen.setdefault(look, entry["split"]) == entry["split"], entry["name"]


def test_woods_of_all_splits_have_every_way_of_marking() -> None:
    for split in SPLITS:
        woods = load_woods(split)
        assert woods
        styles = {style for wood in woods for style in wood.crosses + wood.circles}
        assert styles == set(CROSSES + CIRCLES), split


def designs(mark: str) -> list[Design]:
    styles = CROSSES if mark == "cross" else CIRCLES
    rng = np.random.default_rng(7)
    return [draw_design(rng, mark, style) for style in styles for _ in range(20)]


@pytest.mark.parametrize("mark", ["cross", "circle"])
def test_dot_lies_north_and_alone_on_its_side(mark: str) -> None:
    x, y = face_grid(200)
    for design in designs(mark):
        depth = inside(design, x, y)
        north = np.hypot(x - design.shift[0], y - design.shift[1] + design.dot_distance)
        dot = north < design.dot_radius * 0.6
        assert (depth[dot] > 0).all(), design
        south = depth[::-1][dot]
        assert (south <= 0).mean() > 0.5, f"a dot on the south side too: {design}"


@pytest.mark.parametrize("mark", ["cross", "circle"])
def test_mark_stays_on_the_face(mark: str) -> None:
    x, y = face_grid(200)
    for design in designs(mark):
        share = engraved(design, x, y, 0.006)
        assert 0.02 < share.mean() < 0.35, design
        assert share[:10].max() == share[:, :10].max() == share[-10:].max() == 0, design


def test_cross_dot_is_outside_the_strokes_and_circle_dot_inside_the_ring() -> None:
    for design in designs("circle"):
        assert design.dot_distance + design.dot_radius < design.reach + 0.02
    for design in designs("cross"):
        near = design.dot_distance - design.dot_radius
        x, y = np.zeros((1, 1), np.float32), np.full((1, 1), -near + 0.012, np.float32)
        assert inside(design, x + design.shift[0], y + design.shift[1])[0, 0] < 0, design


def test_relief_is_flat_inside_falls_on_chamfers_and_is_engraved() -> None:
    cube = Cube(chamfer=0.1, cut=0.08, corner=0.03, sphere=None, depth=0.02)
    design = draw_design(np.random.default_rng(1), "circle", "even", cube.flat)
    x, y = face_grid(200)
    z = height(cube, design, x, y)
    assert z[100, 25] == 0
    assert z[100, 4] == pytest.approx(-(0.1 - 0.0225) + 0.006, abs=2e-3)  # 45 degrees
    assert z[engraved(design, x, y, 0.006) >= 1].max() == pytest.approx(-0.02, abs=1e-6)
    assert z[0, 0] == -1  # the rounded corner shows the board
    assert plan_distance(cube, x, y)[100, 100] > 0.4
    west = normals(z, 1 / 200)[100, 10]
    assert west[0] == pytest.approx(-np.sqrt(0.5), abs=0.02)


def test_every_wood_gives_dark_marks_on_its_face() -> None:
    for wood in load_woods():
        rng = np.random.default_rng(5)
        cube = wood.cube(rng)
        x, y = face_grid(96)
        design = draw_design(rng, "circle", wood.circles[0], cube.flat)
        mask = engraved(design, x, y, 0.006)
        bare, fine = wood_surface(rng, wood, 96, marked=True)
        surface = ink_surface(rng, wood, bare, fine, mask)
        inked, plain = surface.albedo[mask == 1].mean(), surface.albedo[mask == 0].mean()
        assert inked < 0.8 * plain, wood.name


def test_bank_file_round_trips(tmp_path) -> None:
    size, rng = 32, np.random.default_rng(0)
    ramp = np.broadcast_to(np.linspace(40, 200, size, dtype=np.uint8), (size, size))
    still = {
        "albedo_bgr": np.stack([ramp, ramp // 2, ramp // 4], -1),
        "normal_xy": np.stack([ramp, ramp[:, ::-1]], -1),
        "sky": ramp,
        "sky_packed": ramp // 2,
        "suns": np.stack([ramp // (k + 1) for k in range(8)]),
        "alpha": rng.integers(0, 255, (size, size), dtype=np.uint8),
        "ink": rng.integers(0, 255, (size, size), dtype=np.uint8),
    }
    stills = [
        {"mark": mark, "design": "d", "chamfer": 0.1, "rounded": False}
        for mark in ("cross", "blank")
    ]
    meta = {"wood": "w", "split": "train", "seed": 1, "gloss": 0.5, "stills": stills}
    save_wood(tmp_path / "w.npz", meta, [still, still])
    bank = load_bank(tmp_path, "train")
    assert list(bank.marks) == ["cross", "blank"]
    assert bank.pick("w", "blank").tolist() == [1]
    for name, value in still.items():
        stored = getattr(bank, name)[0]
        assert stored.shape == value.shape, name
        assert np.abs(stored.astype(int) - value).max() <= (0 if name in ("alpha", "ink") else 6), (
            name
        )
    with pytest.raises(FileNotFoundError, match="arbitre-lab render faces"):
        load_bank(tmp_path, "evaluation")
