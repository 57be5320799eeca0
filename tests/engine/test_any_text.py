"""Any text is read or refused: nothing but a ``TextError`` comes of texts of states and moves."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import TextError
from engine.games import GAMES, AnyGame
from engine.log import read_log
from engine.referee import judge_move
from tests.engine.golden import logs

SPOILED = 600  # texts a game and kind
SIGNS = "0123456789abcdefABCDSNXO.?#/=:;,|+-~>v@! \t§é²٣"


def genuine(game: AnyGame) -> tuple[list[str], list[str], list[str]]:
    """Texts of states, layouts and moves of the golden logs."""
    states, layouts, moves = [], [], []
    for path in logs():
        if path.name.split("-")[0] == game.id:
            log = read_log(path.read_text(encoding="utf-8"), game).log
            assert log is not None
            state = log.start
            for entry in log.entries[:40]:
                states.append(game.write(state))
                layouts.append(game.write_layout(game.visible(state)))
                moves.append(game.write_move(entry.move))
                state = game.read(judge_move(game, state, entry.move).state_text)
    return states, layouts, moves


def spoiled(rng: random.Random, text: str) -> str:
    """The text with some letters changed, dropped, doubled or moved."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        at = rng.randint(0, len(text))
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:at] + rng.choice(SIGNS) + text[at + 1 :]
        elif kind == 1:
            text = text[:at] + text[at + rng.randint(1, 3) :]
        elif kind == 2:
            text = text[:at] + rng.choice(SIGNS) + text[at:]
        else:
            other = rng.randint(0, len(text))
            text = text[:at] + text[min(at, other) : max(at, other)][:8] + text[at:]
    return text


def reads_or_refuses(read: Callable[[str], Any], write: Callable[[Any], str], text: str) -> bool:
    """Read the text; what was read is written and read again alike.  Tells whether it was read."""
    said = ""
    try:
        value = read(text)
    except TextError as error:
        said = str(error)
    assert "\n" not in said
    if said:
        return False
    assert read(write(value)) == value, text
    return True


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_spoiled_texts(game_id: str) -> None:
    game, rng = GAMES[game_id], random.Random(game_id)
    states, layouts, moves = genuine(game)
    start = game.read(states[0])
    counts = {True: 0, False: 0}
    for _ in range(SPOILED):
        for text, read, write in (
            (rng.choice(states), game.read, game.write),
            (rng.choice(layouts), game.read_layout, game.write_layout),
            (rng.choice(moves), lambda text: game.read_move(start, text), game.write_move),
        ):
            counts[reads_or_refuses(read, write, spoiled(rng, text))] += 1
    assert min(counts.values()) > SPOILED // 20


@pytest.mark.parametrize("game_id", sorted(GAMES))
@settings(max_examples=80, deadline=None)
@given(text=st.text(max_size=60))
def test_any_text(game_id: str, text: str) -> None:
    game = GAMES[game_id]
    start = game.start(min(game.seats))
    reads_or_refuses(game.read, game.write, text)
    reads_or_refuses(game.read_layout, game.write_layout, text)
    reads_or_refuses(lambda text: game.read_move(start, text), game.write_move, text)


@pytest.mark.parametrize("game_id", sorted(GAMES))
@settings(max_examples=80, deadline=None)
@given(text=st.text(max_size=200))
def test_any_log(game_id: str, text: str) -> None:
    for whole in (text, f"game: {game_id}\n{text}", f"game: {game_id}\n1. {text}"):
        reading = read_log(whole, GAMES[game_id])
        assert reading.log is not None or reading.errors
        for error in reading.errors:
            assert error.line is not None
            assert error.column is not None
            assert "\n" not in str(error)
