"""How often a foul can be named from boards alone, and with one picture of the gap.

`python -m tests.engine.probe_quixo [POSITIONS]` prints the table of `docs/rules/quixo.md`.
Sight is perfect; positions come from random legal play; one foul of each kind a position.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from engine.game import Change
from engine.quixo.game import GAME, result_of
from engine.quixo.move import ENDS, Kind, Move, Turned, push_of
from engine.quixo.state import State
from engine.referee import judge
from engine.ruling import Verdict
from tests.engine.positions import glimpse, random_states

Sequence = tuple[Move, ...]


def acts(rng: random.Random, state: State) -> Iterator[tuple[str, Sequence]]:
    """A legal move, and one foul of each kind that the position allows."""
    legal = [move for move in GAME.moves(state) if move.kind is Kind.PUSH]
    move = rng.choice(legal)
    other = "O" if state.mark() == "X" else "X"
    yield "legal move", (move,)
    yield "left blank", (replace(move, face=".", dot=None),)
    yield "wrong mark up", (replace(move, face=other),)
    if state.with_dots():
        wrong = [dot for dot in "NESW" if dot not in (state.seat, state.partner())]
        yield "dot turned wrongly", (replace(move, dot=rng.choice(wrong)),)
    yield from single_faults(rng, state, move)
    yield "another cube turned in passing", (turned(rng, state, move),)
    middle = GAME.play(state, move)
    if middle.decision is None:
        again = GAME.moves(replace(middle, seat=state.seat))
        if again and again[0].kind is Kind.PUSH:
            yield "two moves at once", (move, replace(rng.choice(again), seat=state.seat))


def single_faults(rng: random.Random, state: State, legal: Move) -> Iterator[tuple[str, Sequence]]:
    """Acts with the mark and dot of ``legal`` that break just one rule of where and what."""
    kinds = {
        "quixo.take.own": "opponent's cube taken",
        "quixo.team.take-dot": "opponent's cube taken",
        "quixo.take.edge": "inner cube taken",
        "quixo.push.not-same": "put back in the same place",
    }
    found: dict[str, list[Move]] = {}
    for index in range(25):
        cube = divmod(index, 5)
        for end in ENDS:
            move = Move(cube, end, legal.dot)
            rules = [finding.rule for finding in GAME.findings(state, move)]
            if len(rules) == 1 and rules[0] in kinds:
                found.setdefault(kinds[rules[0]], []).append(move)
    for kind in sorted(found):
        yield kind, (rng.choice(found[kind]),)
    row, col = legal.taken()
    end = rng.choice(ENDS)
    own = row if end in "LR" else col
    line = rng.choice([number for number in range(5) if number != own])
    yield "wrong line pushed", (Move((row, col), end, legal.dot, line=line),)


def turned(rng: random.Random, state: State, move: Move) -> Move:
    target = push_of(move.taken(), move.end, 5).target
    cell = rng.choice([index for index in range(25) if index != target])
    shown = result_of(state, move).marks[cell]
    mark = rng.choice([other for other in ".XO" if other != shown])
    dot = "." if mark == "." else rng.choice("NESW") if state.with_dots() else "?"
    return replace(move, turned=(Turned(divmod(cell, 5), mark, dot),))


def outcome(state: State, sequence: Sequence, *, glimpsed: bool) -> str:
    """``named`` with just the rules broken, or ``other foul``, ``legal``, ``undecided``."""
    rules: set[str] = set()
    now = state
    for move in sequence:
        rules |= {finding.rule for finding in GAME.findings(now, move)}
        board = result_of(now, move)
        seat = now.options.next_seat(move.seat or now.seat)
        now = replace(now, layout=board, seat=seat)
    during = (glimpse(state, sequence[0]),) if glimpsed else ()
    ruling = judge(GAME, state, Change(during, now.layout), one_turn=True)
    if ruling.verdict is Verdict.ILLEGAL:
        return "named" if {f.rule for f in ruling.findings} == rules else "other foul"
    return ruling.verdict.value


def main(positions: int) -> None:
    for seats in (2, 4):
        rng = random.Random(seats)
        table: dict[str, dict[bool, Counter[str]]] = {}
        for state in random_states(seats, positions, seats=seats):
            for kind, sequence in acts(rng, state):
                row = table.setdefault(kind, {False: Counter(), True: Counter()})
                for glimpsed in (False, True):
                    row[glimpsed][outcome(state, sequence, glimpsed=glimpsed)] += 1
        for kind, row in table.items():
            print(seats, kind, *(percent(row[glimpsed]) for glimpsed in (False, True)), sep=" | ")


def percent(counts: Counter[str]) -> str:
    total = counts.total()
    shares = [f"{name} {100 * number / total:.0f}" for name, number in counts.most_common()]
    return f"{', '.join(shares)} % of {total}"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
