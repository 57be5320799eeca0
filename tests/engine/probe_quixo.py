"""What a camera must catch: rulings from boards alone, and with one picture of the gap.

`python -m tests.engine.probe_quixo [POSITIONS]` prints the tables of `docs/rules/quixo.md`.
Sight is perfect; positions come from random legal play. The first table rules on every way to
take one cube and push it in with the own mark up, legal or not; the second on one foul of each kind
a position. Then follow shares of moves that boards alone cannot tell apart.
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


def every_push(rng: random.Random, state: State) -> Iterator[Move]:
    """Every cube to every end, own mark up, with four players a dot that may be shown."""
    for index in range(25):
        for end in ENDS:
            dot = rng.choice((state.seat, state.partner())) if state.with_dots() else None
            yield Move(divmod(index, 5), end, dot)


def said_of(state: State, move: Move, *, glimpsed: bool) -> tuple[str, str]:
    """Whether a push is ``legal`` or ``illegal``, and what the referee says of it."""
    rules = {finding.rule for finding in GAME.findings(state, move)}
    during = (glimpse(state, move),) if glimpsed else ()
    change = Change(during, result_of(state, move))
    ruling = judge(GAME, state, change, one_turn=True)
    truth = "illegal" if rules else "legal"
    said = ruling.verdict.value
    if ruling.verdict is Verdict.ILLEGAL and rules:
        cubes = {entry.moves[0].cube for entry in ruling.moves}
        if cubes == {move.cube} and {f.rule for f in ruling.findings} == rules:
            said = "illegal, cube and rules right"
    return truth, said


def alike(states: list[State]) -> Iterator[tuple[str, int, int]]:
    """Counts of moves that the board afterwards does not tell from another, and of how many."""
    same = moves = unchanged = inner_like = inner = 0
    for state in states:
        legal = [move for move in GAME.moves(state) if move.kind is Kind.PUSH]
        boards = Counter(shown(state, move) for move in legal)
        same += sum(boards[shown(state, move)] > 1 for move in legal)
        unchanged += sum(shown(state, move) == visible(state) for move in legal)
        moves += len(legal)
        for index in (6, 7, 8, 11, 12, 13, 16, 17, 18):
            for end in ENDS:
                inner += 1
                inner_like += shown(state, Move(divmod(index, 5), end, legal[0].dot)) in boards
    yield "legal moves that end like another legal move", same, moves
    yield "legal moves after which the board looks as before", unchanged, moves
    yield "pushes of an inner cube that end like a legal move", inner_like, inner


def shown(state: State, move: Move) -> tuple[str, ...]:
    """What a camera sees after a move; dots only where they count."""
    after = result_of(state, move)
    return (*after.marks, *after.dots) if state.with_dots() else after.marks


def visible(state: State) -> tuple[str, ...]:
    """What a camera sees before it."""
    layout = state.layout
    return (*layout.marks, *layout.dots) if state.with_dots() else layout.marks


def first_table(seats: int, states: list[State]) -> None:
    rng = random.Random(seats)
    for glimpsed in (False, True):
        counts: dict[str, Counter[str]] = {"legal": Counter(), "illegal": Counter()}
        for state in states:
            for move in every_push(rng, state):
                truth, said = said_of(state, move, glimpsed=glimpsed)
                counts[truth][said] += 1
        sight = "one picture of the gap" if glimpsed else "boards alone"
        for truth, row in counts.items():
            print(seats, f"{sight}, {truth} pushes", percent(row), sep=" | ")
    for name, hits, total in alike(states):
        print(seats, name, f"{100 * hits / total:.1f} % of {total}", sep=" | ")


def main(positions: int) -> None:
    for seats in (2, 4):
        first_table(seats, random_states(seats, positions, seats=seats))
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
