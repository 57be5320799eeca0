"""Simulated films of Quinto: fouls break what they are meant to, frames show what lies there."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.game import Change
from engine.quinto import GAME, Layout
from engine.referee import judge
from models.simulate.beats import Hand
from models.simulate.command import TILE_FOULS
from models.simulate.record import Order
from models.simulate.tile_fouls import KINDS, perfect_ruling, plant
from models.simulate.tile_record import TileRecording, make_tiles
from models.simulate.tile_script import TileScript, TileWishes, TileWriter

AWAY = [Hand(180.0, 4.0, 20.0, 1.0, "pinch"), Hand(0.0, 4.0, -10.0, 1.0, "pinch")]


def script(seed: int, **wishes: object) -> TileScript:
    writer = TileWriter(
        np.random.default_rng(seed),
        TileWishes(**wishes),  # type: ignore[arg-type]
        AWAY,
        lambda cell: (cell[1] + 0.5, cell[0] + 0.5),
    )
    return writer.run()


def test_the_command_names_the_fouls() -> None:
    assert TILE_FOULS == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_a_planted_foul_breaks_just_its_rule(kind: str) -> None:
    found = 0
    for seed in range(6):
        before = 0 if kind == "off_start" else 14
        tiles = "7,6,6,7,10,3,10,3,12,12" if kind == "too_many" else "edition"
        state = script(seed, turns=0, plays_before=before).start
        if kind == "too_many":
            values = [t[2] for t in state.layout.tiles()]
            counts = [max(values.count(v), 1) if v in (5, 7) else 12 for v in range(10)]
            tiles = ",".join(map(str, counts))
        text = GAME.write(state)
        state = GAME.read(f"{text} tiles={tiles}" if "tiles=" not in text else text)
        move = plant(np.random.default_rng(seed), state, kind, "05789")
        if move is None:
            continue
        found += 1
        assert len({f.rule for f in perfect_ruling(state, (move,)).findings}) == 1
        assert perfect_ruling(state, (move,)).verdict.value == "illegal"
    assert found >= 2


def test_a_script_plays_by_the_rules_and_its_boards_lead_from_play_to_play() -> None:
    played = script(2, turns=10, seconds=200.0, foul_share=0.3, fetch_share=0.5)
    state = played.start
    moves = [act for act in played.acts if act.kind == "move"]
    assert len(moves) == 10
    assert any(act.kind == "foul" for act in played.acts)
    for act in played.acts:
        assert act.from_s <= act.at_s
        assert played.board_at(act.at_s) == act.after
        if act.kind == "move":
            ruling = judge(GAME, state, Change((), act.after))
            assert ruling.verdict.value == "legal"
            state = GAME.read(ruling.state_text)
        if act.kind == "takeback":
            assert act.after == state.layout
    assert played.end is not None
    assert played.end.layout == state.layout
    assert played.end.scores == state.scores
    assert [len(rack) for rack in played.left] == [5, 5]


def test_a_whole_game_ends_with_what_is_left_in_hand() -> None:
    played = script(4, turns=90, seconds=5000.0, foul_share=0.0)
    assert played.end is not None
    assert played.end.ended == "quinto.end"
    laid = len(played.end.layout.tiles())
    assert laid + sum(map(len, played.left)) == 90
    known = [sorted(hand) for hand in played.end.hands]
    assert [len(hand) for hand in known] == [len(rack) for rack in played.left]


def test_a_recording_shows_its_board_and_tells_the_truth(tmp_path: Path) -> None:
    wishes = TileWishes(turns=1, seconds=14.0, fps=1.0, foul_share=0.0, plays_before=3)
    truth = make_tiles(Order(5, wishes, ()), tmp_path)
    names = sorted((tmp_path / "frames").iterdir())
    assert len(names) == truth["frames"]
    assert json.loads((tmp_path / "truth.json").read_text())["events"] == truth["events"]
    (move,) = [event for event in truth["events"] if event["kind"] == "move"]
    assert move["verdict"] == "legal"
    first, last = (cv2.imread(str(name)) for name in (names[0], names[-1]))
    recording = TileRecording(Order(5, wishes, ()))
    before, after = (Layout.read(text) for text in (move["before"].split()[0], move["after"]))
    assert first is not None
    assert last is not None
    apart = np.abs(first.astype(int) - last.astype(int)).max(axis=2)
    for row in range(before.rows):
        for column in range(before.columns):
            x, y = np.array(recording.film.spot((row, column))) * recording.film.cells
            px, py = recording.table.to_px(np.array([[x, y]]))[0].round().astype(int)
            seen = apart[py - 6 : py + 7, px - 6 : px + 7].mean()
            changed = before.at(row, column) != after.at(row, column)
            assert (seen > 8) == changed, (row, column, seen)
