"""Simulated rolls: how dice move, what the truth says of them, and what a recording holds."""

import json

import cv2
import numpy as np
import pytest

from models.simulate.command import GAMES
from models.simulate.dice_motion import (
    FACE_AXES,
    Pose,
    Throw,
    Track,
    carried,
    cocked_pose,
    flat_pose,
    held,
    lying,
    out_of_sight,
    resting_height,
)
from models.simulate.dice_record import DiceRecording, make_dice
from models.simulate.dice_script import COUNT, KINDS, DiceWishes
from models.simulate.dice_stage import EDGE, QWINTO, on_table
from models.simulate.record import Order
from models.simulate.stage import FILM_SIZE

CALM = DiceWishes(rolls=2, mischief=0.0, cocked=0.0, rerolls=0.0)


def lies(track: Track, at_s: float) -> Pose:
    """Where a die lies at a time at which it is in nobody's hand."""
    pose = track.at(at_s)
    assert pose is not None
    return pose


def throw(bounces: int = 2) -> Throw:
    end = flat_pose(np.array([2.0, 3.0]), 4, 1.1, EDGE)
    return Throw(np.array([4.0, 1.0, 1.2]), end, EDGE, 2.0, bounces, 0.4, 1.5)


@pytest.mark.parametrize("face", range(6))
def test_a_die_lies_with_its_face_up(face):
    for yaw in (0.0, 0.7, 4.0):
        turn = lying(face, yaw)
        assert turn @ turn.T == pytest.approx(np.eye(3))
        assert np.linalg.det(turn) == pytest.approx(1.0)
        assert turn @ np.array(FACE_AXES[face]) == pytest.approx([0, 0, 1])
        pose = flat_pose(np.zeros(2), face, yaw, EDGE)
        assert pose.up() == face
        assert pose.is_flat()


def test_a_leaning_die_is_not_flat_and_touches_the_table():
    pose = cocked_pose(np.zeros(2), 2, 0.3, np.radians(25), EDGE)
    assert not pose.is_flat()
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * EDGE / 2
    assert (corners @ pose.turn.T + pose.middle)[:, 2].min() == pytest.approx(0.0)


def test_a_thrown_die_never_sinks_and_ends_exactly_where_it_shall():
    path = throw()
    heights = []
    for share in np.linspace(0, 1, 200):
        pose = path(float(share))
        assert pose.turn @ pose.turn.T == pytest.approx(np.eye(3))
        heights.append(pose.middle[2] - resting_height(pose.turn, EDGE))
    assert min(heights) >= -1e-9
    assert path(1.0) is path.end
    near = path(0.999)
    assert near.middle == pytest.approx(path.end.middle, abs=0.02)
    assert near.up() == path.end.up()


def test_a_thrown_die_slows_down():
    path = throw()
    spots = np.array([path(share).middle[:2] for share in np.linspace(0, 1, 11)])
    steps = np.linalg.norm(np.diff(spots, axis=0), axis=1)
    assert (np.diff(steps) < 1e-9).all()


def test_fingers_set_a_die_down_as_it_shall_lie():
    start, end = flat_pose(np.zeros(2), 0, 0.0, EDGE), flat_pose(np.ones(2), 3, 2.0, EDGE)
    path = carried(start, end, 0.8)
    first, half, near = path(0.0), path(0.5), path(0.99)
    assert first is not None
    assert half is not None
    assert near is not None
    assert first.turn == pytest.approx(start.turn)
    assert path(1.0) is end
    assert half.middle[2] > 0.8
    assert near.turn == pytest.approx(end.turn, abs=0.05)


def test_a_track_rests_between_movements():
    first = flat_pose(np.zeros(2), 0, 0.0, EDGE)
    track = Track(first)
    track.add(1.0, 1.5, out_of_sight)
    track.add(1.5, 2.5, throw())
    assert track.at(0.5) is first
    assert track.at(1.2) is None
    assert track.moving(2.0)
    assert not track.moving(2.6)
    assert track.at(9.0) is track.last
    with pytest.raises(ValueError, match="before"):
        track.add(2.0, 3.0, held(first))


@pytest.mark.parametrize("game", ["qwinto", "detrak"])
def test_every_act_is_what_it_is_called(game):
    wishes = DiceWishes(game, rolls=8, mischief=0.7, cocked=0.3, rerolls=0.5, seconds=200)
    recording = DiceRecording(Order(3, wishes))
    tracks, faces = recording.script.tracks, [look.faces for look in recording.stage.looks]
    acts = recording.script.acts
    assert sum(act["kind"] == "roll" for act in acts) in (8, 9)
    seen = {act["kind"] for act in acts}
    assert {"roll", "cocked"} <= seen <= {*KINDS, "roll", "cocked"}
    for act in acts:
        before, after = act["from_s"], act["at_s"]
        assert not any(track.moving(after + 1e-6) for track in tracks)
        assert recording.script.hands.at(after + 0.01).hand is None
        if act["kind"] in KINDS:
            ups = [(lies(t, before).up(), lies(t, after).up()) for t in tracks]
            turned = [i for i, (a, b) in enumerate(ups) if a != b]
            assert turned == ([act["die"]] if act["kind"] == "turn" else [])
            continue
        thrown = [die for die, _ in act["dice"]]
        for die, value in act["dice"]:
            assert faces[die][lies(tracks[die], after).up()] == value
            assert tracks[die].at(act["thrown_s"]) is None
        flat = [lies(tracks[die], after).is_flat() for die in thrown]
        assert all(flat) == (act["kind"] == "roll")
        for other in set(range(COUNT[game])) - set(thrown):
            assert tracks[other].at(before) is tracks[other].at(after)


def test_dice_come_to_rest_in_the_tray_zone():
    recording = DiceRecording(Order(9, DiceWishes(rolls=6, seconds=100)))
    zone = recording.stage.zone_px.astype(np.float32)
    for act in recording.script.acts:
        for die, _ in act.get("dice", ()):
            spot = recording.stage.camera.project(
                lies(recording.script.tracks[die], act["at_s"]).middle[None]
            )[0]
            assert cv2.pointPolygonTest(zone, (float(spot[0]), float(spot[1])), False) > 0


def test_a_pixel_of_the_table_is_found_again():
    camera = DiceRecording(Order(2, CALM)).stage.camera
    spot = np.array([300.0, 500.0])
    place = on_table(camera, spot)
    assert camera.project(np.array([[*place, 0.0]]))[0] == pytest.approx(spot)


def test_a_recording_is_written_with_its_truth(tmp_path):
    wishes = DiceWishes(rolls=1, seconds=8, mischief=0.0, cocked=0.0, rerolls=0.0, fps=4.0)
    truth = make_dice(Order(4, wishes, weather=()), tmp_path)
    assert truth == json.loads((tmp_path / "truth.json").read_text(encoding="utf-8"))
    frames = sorted((tmp_path / "frames").glob("*.jpg"))
    assert len(frames) == truth["frames"] > 10
    facts = (tmp_path / "recording.toml").read_text(encoding="utf-8")
    assert 'game = "qwinto"' in facts
    assert "zone = [[" in facts
    (roll,) = [event for event in truth["events"] if event["kind"] == "roll"]
    assert {die["colour"] for die in roll["dice"]} <= set(QWINTO)
    last, first = (np.asarray(cv2.imread(str(frames[i]))) for i in (-1, 0))
    assert last.shape == (FILM_SIZE[1], FILM_SIZE[0], 3)
    for die in roll["dice"]:
        x0, y0, x1, y1 = (round(v) for v in die["box"])
        part = np.abs(last[y0:y1, x0:x1].astype(int) - first[y0:y1, x0:x1]).mean()
        assert part > 15, "where a die came to rest the picture must have changed"


def test_the_same_seed_gives_the_same_frames():
    one, other = (DiceRecording(Order(6, CALM)).frames() for _ in range(2))
    assert (next(one) == next(other)).all()
    assert set(GAMES) == {"quixo", "quinto", *COUNT}
