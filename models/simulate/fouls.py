"""Fouls of Quixo as moves that break exactly one rule, planted by the name of the kind."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from engine.game import Change
from engine.quixo import BLANK, CIRCLE, CROSS, GAME, Kind, Layout, Move, State, Turned
from engine.quixo.game import result_of
from engine.quixo.move import ENDS, lifted, push_of
from engine.referee import judge
from engine.ruling import Ruling, Verdict

SIZE: Final = 5

KINDS: Final[dict[str, tuple[str, ...]]] = {
    "opponent_cube": ("quixo.take.own", "quixo.team.take-dot"),
    "inner_cube": ("quixo.take.edge",),
    "hidden_inner": ("quixo.take.edge",),
    "same_place": ("quixo.push.not-same",),
    "kept_blank": ("quixo.mark",),
    "wrong_mark": ("quixo.mark",),
    "wrong_line": ("quixo.push.end",),
    "two_moves": ("quixo.turn", "quixo.team.turn"),
    "turned_in_passing": ("quixo.board.untouched",),
    "wrong_dot": ("quixo.team.dot",),
}
"""Each kind and the rules of which it breaks exactly one. ``hidden_inner`` ends like a legal move:
only the glimpse of the gap shows it."""

TRIES: Final = 60
"""Candidates looked at for one foul; on crowded boards few break just one rule."""

Moves = tuple[Move, ...]


def plant(rng: np.random.Generator, state: State, kind: str) -> tuple[Moves, Ruling] | None:
    """A foul of a kind and the ruling on it with perfect sight, or None where none can be made.

    Only fouls that a referee who sees everything names with exactly the rule meant are given.
    """
    candidates = list(_candidates(rng, state, kind))
    for index in rng.permutation(len(candidates))[:TRIES]:
        moves = candidates[int(index)]
        if kind != "two_moves" and not _breaks(state, moves[0], KINDS[kind]):
            continue
        ruling = perfect_ruling(state, moves)
        rules = {finding.rule for finding in ruling.findings}
        if ruling.verdict is Verdict.ILLEGAL and rules <= set(KINDS[kind]) and len(rules) == 1:
            return moves, ruling
    return None


def perfect_ruling(state: State, moves: Sequence[Move]) -> Ruling:
    """What the referee says who saw every cube lifted."""
    during, after = boards(state, moves)
    return judge(GAME, state, Change(during, after))


def boards(state: State, moves: Sequence[Move]) -> tuple[tuple[Layout, ...], Layout]:
    """The boards with a cube lifted, and the board at the end; dots as played."""
    now, during = state, []
    for number, move in enumerate(moves):
        row, col = move.taken()
        if number:
            during.append(now.layout)
        during.append(lifted(now.layout, row * SIZE + col))
        now = replace(now, layout=result_of(now, move))
    return tuple(during), now.layout


def _breaks(state: State, move: Move, rules: Sequence[str]) -> bool:
    broken = {finding.rule for finding in GAME.findings(state, move)}
    return len(broken) == 1 and broken <= set(rules)


def _candidates(rng: np.random.Generator, state: State, kind: str) -> Iterator[Moves]:
    legal = [move for move in GAME.moves(state) if move.kind is Kind.PUSH]
    if not legal:
        return
    if kind == "two_moves":
        yield from _twice(rng, state, legal)
    elif kind in ("opponent_cube", "inner_cube", "hidden_inner", "same_place"):
        yield from _elsewhere(state, legal, kind)
    elif kind != "wrong_dot" or state.with_dots():
        for move in legal:
            yield (_spoilt(rng, state, move, kind),)


def _spoilt(rng: np.random.Generator, state: State, move: Move, kind: str) -> Move:
    """A legal move with one thing done wrongly; by chance it may still be right."""
    if kind == "kept_blank":
        return replace(move, face=BLANK, dot=None)
    if kind == "wrong_mark":
        return replace(move, face=CIRCLE if state.mark() == CROSS else CROSS)
    if kind == "wrong_line":
        line = int(rng.integers(SIZE))
        return move if line == move.own_line() else replace(move, line=line)
    if kind == "wrong_dot":
        return replace(move, dot=str(rng.choice(list("NESW"))))
    return replace(move, turned=(_turned(rng, state, move),))


def _twice(rng: np.random.Generator, state: State, legal: Sequence[Move]) -> Iterator[Moves]:
    for index in rng.permutation(len(legal))[:8]:
        first = legal[int(index)]
        middle = GAME.play(state, first)
        if middle.decision is not None:
            continue
        again = [m for m in GAME.moves(replace(middle, seat=state.seat)) if m.kind is Kind.PUSH]
        for second in rng.permutation(len(again))[:4]:
            yield first, replace(again[int(second)], seat=state.seat)


def _elsewhere(state: State, legal: Sequence[Move], kind: str) -> Iterator[Moves]:
    """Cubes taken or put where they may not be, with the mark and a dot as they should be."""
    outcomes = {result_of(state, move).marks for move in legal}
    for index in range(SIZE * SIZE):
        for end in ENDS:
            move = Move(divmod(index, SIZE), end, legal[0].dot)
            push = push_of(divmod(index, SIZE), end, SIZE)
            if kind == "same_place" and (
                push.source != push.target or state.layout.marks[index] != BLANK
            ):
                continue
            if kind == "hidden_inner" and result_of(state, move).marks not in outcomes:
                continue
            yield (move,)


def _turned(rng: np.random.Generator, state: State, move: Move) -> Turned:
    target = push_of(move.taken(), move.end, SIZE).target
    cell = int(rng.choice([i for i in range(SIZE * SIZE) if i != target]))
    shown = result_of(state, move).marks[cell]
    mark = str(rng.choice([m for m in (BLANK, CROSS, CIRCLE) if m != shown]))
    dot = "." if mark == BLANK else str(rng.choice(list("NESW")))
    return Turned(divmod(cell, SIZE), mark, dot)
