"""Simulated games: seeds decide everything, and the truth is what the frames show."""

import itertools
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.quixo import BLANK, GAME, GAP, Layout
from engine.quixo.game import result_of
from engine.ruling import Verdict
from models.compose.assets import Assets, load_assets
from models.simulate import command, fouls, weather
from models.simulate.beats import Beat, Hand, Instant, Place, Timeline
from models.simulate.pace import PACES, SEAT_DEG, hand_at
from models.simulate.quixo import Choreographer, Hands, backwards, layout_of, start_places
from models.simulate.record import Order, Recording
from models.simulate.script import Wishes
from models.simulate.stage import FILM_SIZE
from tests.engine.positions import random_states

STILLS = Path(__file__).parent / "stills"


@pytest.fixture(scope="module")
def assets() -> Assets:
    return load_assets(STILLS, "evaluation", fresh=True)


def order(seed: int, **wishes: object) -> Order:
    return Order(seed, replace(Wishes(seconds=10.0, tier="everyday", plies=4), **wishes))  # type: ignore[arg-type]


def hands(seat: str) -> Hands:
    away = Hand(SEAT_DEG[seat], 2.5, 12.0, 1.5, "pinch")
    return Hands(SEAT_DEG[seat], away, PACES["clean"])


def test_a_seed_decides_every_frame_and_the_truth(assets: Assets) -> None:
    first, second = Recording(order(5), assets), Recording(order(5), assets)
    count = 0
    for one, other in zip(first.frames(), second.frames(), strict=True):
        assert np.array_equal(one, other)
        assert one.shape == (FILM_SIZE[1], FILM_SIZE[0], 3)
        count += 1
    assert count == first.count > 60
    assert first.truth() == second.truth()
    other_seed = Recording(order(6), assets)
    assert not np.array_equal(next(other_seed.frames()), next(first.frames()))


@pytest.mark.parametrize("seats", [2, 4])
def test_beats_carry_out_the_moves_of_the_engine(seats: int) -> None:
    """The cubes lie as the engine says after every move, legal or not, and back after undoing."""
    rng = np.random.default_rng(seats)
    checked = set()
    for state in random_states(seats, 14, seats=seats, longest=20):
        for kind in fouls.KINDS:
            found = fouls.plant(rng, state, kind)
            if found is None:
                continue
            start = start_places(_with_dots(state.layout))
            player = Choreographer(start, 0.1)
            now, beats = state, []
            for move in found[0]:
                beats += player.play(hands("S"), move, state.mark())
                now = replace(now, layout=result_of(now, move))
            shown = _rest(player.places)
            assert shown.marks == now.layout.marks
            if state.with_dots():
                assert shown.dots == now.layout.dots
            first = hand_at(180.0, start[next(iter(beats[0].places))], "pinch")
            line = Timeline(player.places)
            line.add(backwards(beats, dict(enumerate(start)), first))
            assert line.places == tuple(start)
            checked.add(kind)
    assert checked >= set(fouls.KINDS) - ({"wrong_dot"} if seats == 2 else set())


def test_planted_fouls_break_the_rule_they_are_named_for() -> None:
    rng = np.random.default_rng(1)
    for state, kind in itertools.product(random_states(3, 12, seats=4), fouls.KINDS):
        found = fouls.plant(rng, state, kind)
        if found is not None:
            rules = {finding.rule for finding in found[1].findings}
            assert found[1].verdict is Verdict.ILLEGAL
            assert len(rules) == 1
            assert rules <= set(fouls.KINDS[kind])


def test_a_hidden_foul_ends_like_a_legal_move() -> None:
    rng = np.random.default_rng(2)
    for state in random_states(4, 10):
        found = fouls.plant(rng, state, "hidden_inner")
        if found is not None:
            after = result_of(state, found[0][0]).marks
            assert after in {result_of(state, move).marks for move in GAME.moves(state)}


def test_time_runs_smoothly_from_place_to_place() -> None:
    start = [Place(0.5, 0.5, 0.0, BLANK), Place(1.5, 0.5, 0.0, BLANK)]
    line = Timeline(start)
    line.add([Beat(1.0, None, {0: Place(2.5, 0.5, 0.0, "X:N")}, name="slide")])
    xs = [line.at(t).places[0].x for t in np.linspace(0, 1, 21)]
    steps = np.diff(xs)
    assert (steps >= 0).all()
    assert xs[0] == 0.5
    assert xs[-1] == 2.5
    assert max(steps) < 0.2
    assert line.at(0.49).places[0].face == BLANK
    assert line.at(0.51).places[0].face == "X:N"
    assert line.at(0.5).places[1] == start[1]
    assert line.at(5.0).moving == frozenset()


def test_a_sliding_row_is_no_layout_and_a_lifted_cube_leaves_a_gap() -> None:
    places = start_places(Layout.blank())
    lifted = [replace(places[0], z=1.0), *places[1:]]
    seen = layout_of(Instant(tuple(lifted), None, 0, frozenset(), ""))
    assert seen is not None
    assert seen.marks == (GAP, *[BLANK] * 24)
    slid = [places[0], replace(places[1], x=1.9), *places[2:]]
    assert layout_of(Instant(tuple(slid), None, None, frozenset({1}), "")) is None


def test_the_truth_tells_when_a_gap_could_be_seen(assets: Assets) -> None:
    recording = Recording(replace(order(7, think_share=0.0, foul_share=0.0), weather=()), assets)
    frames = list(recording.frames())
    truth = recording.truth()
    move = next(event for event in truth["events"] if event["kind"] == "move")
    first, last = move["visible"]
    fps = truth["fps"]
    assert move["from_s"] < first <= last < move["at_s"]
    assert Layout.read(move["during"][0]).marks.count(GAP) == 1
    before = frames[round((move["from_s"] - 0.3) * fps)]
    during = frames[round(first * fps)]
    after = frames[round((move["at_s"] + 0.5) * fps)]
    cell = Layout.read(move["during"][0]).marks.index(GAP)
    row, column = divmod(cell, 5)
    middle = recording.stage.camera.project(
        np.array([[column + 0.5, row + 0.5, recording.stage.top]])
    )[0].astype(int)
    spot = np.s_[middle[1] - 4 : middle[1] + 5, middle[0] - 4 : middle[0] + 5]
    assert during[spot].mean() < 0.7 * before[spot].mean()  # a hole is darker than a cube
    assert after[spot].mean() > during[spot].mean()
    assert frames[-1].shape == before.shape


def test_lost_frames_repeat_the_picture_before(assets: Assets) -> None:
    recording = Recording(replace(order(8), weather=()), assets)
    lost = weather.Disturbance("drop", 2.0, 2.6, 1.0)
    recording.weather = weather.Weather([lost], FILM_SIZE)
    frames = list(itertools.islice(recording.frames(), 24))
    same = [np.array_equal(one, other) for one, other in itertools.pairwise(frames)]
    assert [number + 1 for number, equal in enumerate(same) if equal] == [16, 17, 18, 19, 20]


@pytest.mark.parametrize("table", [True, False])
def test_a_bump_moves_the_board_in_the_picture_and_stays(assets: Assets, *, table: bool) -> None:
    recording = Recording(replace(order(9), weather=()), assets)
    bump = weather.Disturbance("bump", 0.5, 0.8, 0.2, 4.0, (1.0, 0.0), table)
    recording.weather = weather.Weather([bump], FILM_SIZE)
    recording.noise = weather.Noise(np.random.default_rng(0), 0.0, FILM_SIZE)
    frames = list(itertools.islice(recording.frames(), 15))
    x0, y0, x1, y1 = recording.film.backdrop.window(recording.stage.camera)

    block, corner = np.s_[y0:y1, x0:x1], np.s_[:60, :60]
    assert np.array_equal(frames[0], frames[3])
    assert np.array_equal(frames[8], frames[14])
    assert cv2.absdiff(frames[0][block], frames[14][block]).mean() > 2.0
    # a bumped board leaves the table where it was
    assert np.array_equal(frames[0][corner], frames[14][corner]) == table


def test_the_command_knows_the_kinds_by_name() -> None:
    assert tuple(fouls.KINDS) == command.FOULS
    assert weather.KINDS == command.WEATHER
    assert tuple(PACES) == command.TIERS


def test_a_recording_is_written_with_its_facts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from models.lab import main

    out = tmp_path / "rec"
    args = ["simulate", "--seed", "4", "--seconds", "8", "--out", str(out), "--bank", str(STILLS)]
    assert main(args) == 0
    assert "frames/s" in capsys.readouterr().out
    frames = sorted((out / "frames").iterdir())
    assert [frame.name for frame in frames[:2]] == ["000000.jpg", "000001.jpg"]
    facts = (out / "recording.toml").read_text(encoding="utf-8")
    assert f"frames = {len(frames)}" in facts
    assert 'south = "' in facts
    assert main([*args, "--seconds", "1"]) == 2
    assert "--seconds" in capsys.readouterr().err


def test_hand_held_cubes_hide_behind_fingers_only(assets: Assets) -> None:
    """The picture with a hand differs where the hand, its cube or their shadows are, only."""
    recording = Recording(replace(order(10, think_share=0.0), weather=()), assets)
    times = [t / 8 for t in range(recording.count)]
    held = next(t for t in times if recording.script.timeline.at(t).name == "turn")
    instant = recording.script.timeline.at(held)
    film = recording.film
    with_hand = film.frame(instant, instant)
    empty = film.frame(replace(instant, hand=None, held=None, places=_put_down(instant)), instant)
    changed = (cv2.absdiff(with_hand, empty).max(axis=2) > 8).mean()
    assert 0.005 < changed < 0.5


def _put_down(instant: Instant) -> tuple[Place, ...]:
    """The places with the held cube far outside of the picture."""
    return tuple(
        replace(place, x=200.0) if index == instant.held else place
        for index, place in enumerate(instant.places)
    )


def _rest(places: list[Place]) -> Layout:
    seen = layout_of(Instant(tuple(places), None, None, frozenset(), ""))
    assert seen is not None
    return seen


def _with_dots(layout: Layout) -> Layout:
    dots = tuple("N" if dot == "?" else dot for dot in layout.dots)
    return replace(layout, dots=dots)
