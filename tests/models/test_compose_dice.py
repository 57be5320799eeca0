"""Scenes of dice: labels agree with pixels, splits share nothing, seeds repeat."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.compose.camera import Camera, aim
from models.compose.dice_lists import SPLITS, load_lists, rgb
from models.compose.dice_looks import Make, draw_look, draw_make
from models.compose.dice_scene import compose_dice
from models.compose.dice_set import crops, label_lines, write_dice_set, write_face_set
from models.compose.dice_stage import draw_lighting, draw_stage
from models.compose.dice_truth import DiceScene
from models.compose.tiers import CLEAN, TRAINING
from models.render.dice.look import Material
from models.render.dice.marks import MarkStyle
from models.render.dice.paint import Die, paint_dice
from models.render.dice.solid import meet, polyhedron, rounded_box
from vision.labels import DETECTOR_CLASSES, DIE_COLOURS, DIE_FACES

PLAIN = Make(
    {"rounding": 0.06, "ball": 9.0},
    MarkStyle("plain", 0.08, 0.25),
    Material("plain", "plain", 0.0),
    "pips",
)


def above(edge_px: float, tilt_deg: float = 0.0) -> Camera:
    axes, eye = aim(tilt_deg, 0.0, 0.0, 12.0, np.array([0, 0, 0.22]))
    return Camera(axes, eye, edge_px * 12.0 / 0.44, np.array([100.0, 100.0]), (200, 200))


def painted(turn: np.ndarray, seed: int = 1, tilt_deg: float = 0.0) -> tuple[np.ndarray, Die]:
    """A white die with dark pips on a grey table, and the picture of it."""
    rng = np.random.default_rng(seed)
    look = draw_look(rng, load_lists("train"), PLAIN, "white")
    die = Die(look, np.array([0.0, 0.0, 0.22]), turn, 0.44)
    canvas = np.full((200, 200, 3), 0.2, np.float32)
    light = draw_lighting(rng, load_lists("train"), CLEAN, np.full(3, 0.2, np.float32))
    paint_dice(canvas, above(90.0, tilt_deg), light, (die,))
    return canvas, die


def turns() -> list[np.ndarray]:
    """Six ways to lie, each with another face up."""
    found: dict[int, np.ndarray] = {}
    for seed in range(200):
        stage = draw_stage(np.random.default_rng(seed), load_lists("train"), TRAINING, "pips")
        for one in stage.laid:
            if one.flat and one.die.look.solid.box and one.counts:
                found.setdefault(one.die.up, one.die.turn)
        if len(found) == 6:
            break
    return [found[face] for face in range(6)]


def test_the_upper_face_shows_as_many_pips_as_the_truth_says() -> None:
    for turn in turns():
        canvas, die = painted(turn)
        quad = above(90.0).project(die.top_corners())
        flat = np.array([[0, 0], [90, 0], [90, 90], [0, 90]], np.float32)
        matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), flat)
        face = cv2.warpPerspective(canvas, matrix, (90, 90))[9:81, 9:81].mean(axis=2)
        dark = (face < 0.5 * np.median(face)).astype(np.uint8)
        count = cv2.connectedComponents(dark)[0] - 1
        assert count == int(die.look.faces[die.up])


def test_opposite_faces_add_up_to_seven_in_both_chiralities() -> None:
    corners = set()
    for seed in range(30):
        look = draw_look(np.random.default_rng(seed), load_lists("train"), PLAIN)
        values = [int(face) for face in look.faces]
        assert [values[0] + values[1], values[2] + values[3], values[4] + values[5]] == [7, 7, 7]
        corners.add(values[0] == 1)
    assert corners == {True, False}


def test_letters_on_dice_are_not_mirrored() -> None:
    for solid in (rounded_box(), polyhedron(8), polyhedron(20)):
        # in a left-handed world, right times up points inwards
        assert np.allclose(np.cross(solid.right, solid.up), -solid.out)


def test_rays_meet_the_cube_where_it_is() -> None:
    solid = rounded_box(rounding=0.1)
    way = np.array([[0, 0, -1.0]])
    points, normals, miss = meet(solid, np.array([0.1, 0.2, 9.0]), way)
    assert points[0] == pytest.approx([0.1, 0.2, 0.5], abs=2e-3)
    assert normals[0] == pytest.approx([0, 0, 1], abs=1e-3)
    assert miss[0] == 0
    _, _, miss = meet(solid, np.array([0.52, 0.0, 9.0]), way)
    assert miss[0] == pytest.approx(0.02, abs=3e-3)


@pytest.mark.parametrize("sides", [8, 10, 12, 20])
def test_polyhedra_have_as_many_faces_as_they_are_called_after(sides: int) -> None:
    solid = polyhedron(sides)
    assert len(solid.out) == sides
    assert np.allclose(np.sort(solid.out @ solid.out[0])[0], -1)  # each has one opposite it


def test_the_splits_share_no_design_no_table_and_no_light() -> None:
    for key in ("pips", "symbols", "shapes", "materials", "bodies", "lights", "tables", "hands"):
        names = []
        for split in SPLITS:
            entries = getattr(load_lists(split), key)
            assert entries, f"no {key} in {split}"
            names += [e.name if hasattr(e, "name") else e["name"] for e in entries]
        assert len(names) == len(set(names)), key
    bodies = [row["body"] for split in SPLITS for row in load_lists(split).bodies]
    assert len(bodies) == len(set(bodies))


def test_hues_of_colours_leave_gaps_between_their_names() -> None:
    hues: dict[str, list[float]] = {}
    for split in SPLITS:
        for row in load_lists(split).bodies:
            colour = np.array([[rgb(row["body"])]], np.float32) / 255
            hue = float(cv2.cvtColor(colour, cv2.COLOR_RGB2HSV)[0, 0, 0])
            hues.setdefault(row["colour"], []).append((hue + 180) % 360 if hue > 340 else hue)
    assert max(hues["orange"]) + 8 <= min(hues["yellow"])
    assert max(hues["yellow"]) + 20 <= min(hues["green"])
    assert max(hues["blue"]) + 20 <= min(hues["purple"])
    assert set(hues) == set(DIE_COLOURS)


@pytest.mark.parametrize("kind", ["pips", "symbols", "mixed", "negative"])
def test_the_same_seed_gives_the_same_picture(kind: str) -> None:
    first, second = (compose_dice(7, "evaluation", "everyday", kind) for _ in range(2))
    assert first.jpeg == second.jpeg
    assert first.dice == second.dice
    assert compose_dice(8, "evaluation", "everyday", kind).jpeg != first.jpeg


def test_negatives_hold_no_die() -> None:
    assert all(not compose_dice(seed, "train", kind="negative").dice for seed in range(4))


def scenes(count: int = 12) -> list[DiceScene]:
    return [compose_dice(seed, "train", "everyday", "pips", fresh=False) for seed in range(count)]


def test_boxes_lie_in_the_picture_and_hold_the_upper_face() -> None:
    dice = 0
    for scene in scenes():
        height, width = scene.image_bgr.shape[:2]
        for die in scene.dice:
            x0, y0, x1, y1 = die.box_px
            assert 0 <= x0 < x1 <= width
            assert 0 <= y0 < y1 <= height
            assert die.face in DIE_FACES
            assert die.colour in DIE_COLOURS
            if die.visible > 0.95 and die.flat:
                middle = np.mean(die.corners_px, axis=0)
                assert x0 < middle[0] < x1
                assert y0 < middle[1] < y1
                area = cv2.contourArea(np.array(die.corners_px, np.float32), oriented=True)
                assert area > 0  # clockwise, as seen from above
                assert area < 1.3 * (x1 - x0) * (y1 - y0)
            dice += 1
    assert dice > 20


def test_leaning_dice_are_not_flat() -> None:
    rises: dict[bool, list[float]] = {True: [], False: []}
    for scene in scenes(30):
        for die in scene.dice:
            rises[die.flat].append(die.rise)
    assert min(rises[True]) > 0.998
    assert max(rises[False]) < 0.995 or np.mean(rises[False]) < 0.95
    assert len(rises[False]) > 3


def test_a_die_behind_another_shows_less_of_itself() -> None:
    shares = [die.visible for scene in scenes(30) for die in scene.dice]
    assert min(shares) >= 0.4
    assert np.mean([share > 0.95 for share in shares]) > 0.5
    assert any(share < 0.9 for share in shares)


def test_the_writer_writes_what_both_networks_read(tmp_path: Path) -> None:
    write_dice_set(tmp_path, "train", 50, 3, workers=1)
    assert len(list((tmp_path / "images").glob("*.jpg"))) == 3
    for path in (tmp_path / "labels").glob("*.txt"):
        for line in path.read_text().splitlines():
            values = line.split()
            assert len(values) == 1 + 4 + 4 * 3  # class, box, four corners with visibility
            assert DETECTOR_CLASSES[int(values[0])] in ("die", "hand")
            numbers = np.array(values[1:], np.float64)
            assert (numbers[:4] >= 0).all()
            assert (numbers[:4] <= 1).all()
            assert set(numbers[6::3]) <= {0.0, 2.0}
    with np.load(tmp_path / "crops" / "000000.npz") as file:
        count = len(file["faces"])
        assert file["images"].shape == (count, 64, 64, 3)
        assert file["faces"].min() >= -1
        assert file["faces"].max() < len(DIE_FACES)
        assert {len(file[name]) for name in ("colours", "flat", "edge_px")} == {count}


def test_a_set_of_faces_holds_crops_alone(tmp_path: Path) -> None:
    """Scenes that are mostly of symbols, each die cut twice, and no pictures."""
    write_face_set(tmp_path, "calibration", 30, 8, workers=1)
    assert [path.name for path in tmp_path.iterdir()] == ["crops"]
    with np.load(tmp_path / "crops" / "000000.npz") as file:
        names = [DIE_FACES[face] for face in file["faces"] if face >= 0]
        edges = file["edge_px"]
        assert file["images"].shape == (len(edges), 64, 64, 3)
    symbols = [name for name in names if not name.isdigit() and name != "other"]
    assert len(symbols) > sum(name.isdigit() for name in names)
    assert len(edges) > len(np.unique(edges))


def test_labels_and_crops_tell_the_same_dice() -> None:
    scene = compose_dice(3, "train", "clean", "pips", fresh=False)
    lines = [line for line in label_lines(scene) if line.startswith("1 ")]
    made = crops(scene, np.random.default_rng(1))
    assert len(lines) == len(scene.dice) <= len(made.faces)
    told = [die for die in scene.dice if die.top_visible >= 0.75 and die.rise >= 0.82]
    assert {DIE_FACES[face] for face in made.faces if face >= 0} >= {die.face for die in told}


def test_wrong_use_is_told() -> None:
    with pytest.raises(ValueError, match="unknown split"):
        compose_dice(1, "training")
    with pytest.raises(ValueError, match="unknown kind"):
        compose_dice(1, "train", kind="cards")
    with pytest.raises(ValueError, match="unknown tier"):
        compose_dice(1, "train", tier="easy")


def test_makes_follow_their_lists() -> None:
    lists = load_lists("evaluation")
    made = [draw_make(np.random.default_rng(seed), lists, "symbols") for seed in range(20)]
    assert {make.style.name for make in made} <= {row["name"] for row in lists.symbols}
    assert {make.material.name for make in made} <= {row["name"] for row in lists.materials}
