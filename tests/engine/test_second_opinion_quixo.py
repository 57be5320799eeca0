"""The engine against a checker that shares no code with it, on random acts."""

import random
from typing import Any

import pytest

from engine.grid import border
from engine.quixo.game import GAME, result_of
from engine.quixo.move import Move, push_for
from engine.quixo.state import State
from tests.engine.brute_quixo import board_after, rules_broken, winner
from tests.engine.positions import random_states

Act = dict[str, Any]
ACTS_A_STATE = 20


def as_rows(state: State) -> list[list[list[str]]]:
    size = state.layout.size
    cells = [list(cell) for cell in zip(state.layout.marks, state.layout.dots, strict=True)]
    return [cells[row * size : (row + 1) * size] for row in range(size)]


def random_act(rng: random.Random, state: State) -> Act:
    size = state.layout.size
    row, col = rng.randrange(size), rng.randrange(size)
    if rng.random() < 0.7:  # random cells would hardly ever be border cells of one's own
        row, col = divmod(rng.choice(border(size)), size)
    end = rng.choice("LRTB")
    line = row if end in "LR" else col
    if rng.random() < 0.15:
        line = rng.randrange(size)
    face = rng.choice("XO.") if rng.random() < 0.3 else state.mark()
    dot = rng.choice("NESW") if state.with_dots() and face != "." else None
    return {"row": row, "col": col, "end": end, "line": line, "face": face, "dot": dot}


def as_move(state: State, act: Act) -> Move:
    own_line = act["row"] if act["end"] in "LR" else act["col"]
    return Move(
        (act["row"], act["col"]),
        act["end"],
        act["dot"],
        face=None if act["face"] == state.mark() else act["face"],
        line=None if act["line"] == own_line else act["line"],
    )


@pytest.mark.parametrize(("seats", "size"), [(2, 5), (2, 4), (2, 3), (4, 5), (4, 3)])
def test_same_verdict_on_random_acts(seats: int, size: int) -> None:
    rng = random.Random(1000 * seats + size)
    legal = 0
    for state in random_states(size, 40, seats=seats, size=size, longest=12 * size - 24):
        for _ in range(ACTS_A_STATE):
            act = random_act(rng, state)
            move = as_move(state, act)
            board = as_rows(state)
            first_round = state.turn is not None and state.turn < 4
            expected = rules_broken(board, state.seat, seats == 4, first_round, act)
            assert {f.rule for f in GAME.findings(state, move)} == expected
            after = board_after(board, seats == 4, act)
            assert as_rows_of(result_of(state, move)) == after
            legal += not expected
            if not expected:
                check_winner(state, move, winner(board, after, state.mark()))
    assert 50 < legal < 700  # both kinds of act were tried


def check_winner(state: State, move: Move, mark: str | None) -> None:
    decision = GAME.play(state, move).decision
    assert move in GAME.moves(state)
    if mark is None:
        assert decision is None
    else:
        assert decision is not None
        assert decision.winners == state.options.team_of(mark)


def as_rows_of(layout: Any) -> list[list[list[str]]]:
    cells = [list(cell) for cell in zip(layout.marks, layout.dots, strict=True)]
    return [cells[r * layout.size : (r + 1) * layout.size] for r in range(layout.size)]


@pytest.mark.parametrize("seats", [2, 4])
def test_moves_are_all_that_break_nothing(seats: int) -> None:
    """Every conceivable push is either listed or breaks a rule."""
    for state in random_states(7, 25, seats=seats):
        listed = set(GAME.moves(state))
        dots = ("N", "E", "S", "W") if seats == 4 else (None,)
        for cell in range(25):
            for end in "LRTB":
                for dot in dots:
                    move = Move(divmod(cell, 5), end, dot)
                    assert (move in listed) == (GAME.findings(state, move) == ())
                    assert push_for(move, 5).path
