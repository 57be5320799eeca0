"""Which acts at a table, legal or not, lead from a state to what a camera saw.

Plain explanations are one cube taken, pushed in at some end of its own line, with some face up.
Strained ones need more: another line pushed, another cube turned, a player out of turn, a board
in between that was missed, or a glimpse taken after the row had already been slid by hand.
They are looked for only when no plain explanation is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from engine.errors import TextError
from engine.game import Change, Explanation
from engine.quixo.layout import BLANK, CIRCLE, CROSS, GAP, NO_DOT, UNSEEN, Layout, agree
from engine.quixo.move import (
    ENDS,
    Kind,
    Move,
    Push,
    Symbols,
    Turned,
    lifted,
    push_for,
    pushes,
    put,
    result,
    wrong_push_of,
)
from engine.quixo.state import State

Moves = Callable[[State], tuple[Move, ...]]
Play = Callable[[State, Move], State]
Broken = Callable[[State, Move], int]

# Strain, least first: acts that differ from a lawful one by one thing, then by more.  The order
# only names a foul when several would look alike; docs/decisions/0011 has the measurement.
SLID, WRONG_LINE, TWO_MOVES, TURNED, OUT_OF_TURN = 1, 2, 3, 4, 5


def explain(
    state: State, change: Change[Layout], moves: Moves, play: Play, broken: Broken
) -> tuple[Explanation[Move], ...]:
    """Return all explanations of ``change``; none when nothing known leads there.

    Args:
        state: before the change; ``?`` cells fit anything.
        change: glimpses in order and the board afterwards; ``?`` cells fit anything.
        moves: legal moves of a state.
        play: state after a legal move.
        broken: number of rules that a move breaks.

    Raises:
        TextError: when a board of the change has another size than the state's.
    """
    for seen in (*change.during, change.after):
        if seen.size != state.layout.size:
            raise TextError(
                f"expected a board of {state.layout.size} rows, not {seen.size}, in the change"
            )
    if GAP in change.after.marks:
        return ()
    plain = []
    for move in _single(state, change.after, state.seat):
        glimpsed = _glimpsed(state, move, change.during)
        if glimpsed is not None:
            plain.append(Explanation((glimpsed,)))
    if state.layout.fits(change.after, with_dots=state.with_dots()) and not change.during:
        plain += [Explanation((m,)) for m in moves(state) if m.kind is Kind.PASS]
    if any(broken(state, entry.moves[0]) == 0 for entry in plain):
        return tuple(plain)
    return (*plain, *_strained(state, change, moves, play))


def _strained(
    state: State, change: Change[Layout], moves: Moves, play: Play
) -> Iterator[Explanation[Move]]:
    legal = moves(state)
    for move in _single(state, change.after, state.seat):
        if _glimpsed(state, move, change.during, slid=True) is not None:
            yield Explanation((move,), SLID)
    for strain, one in _one_odd_act(state, change.after, legal):
        if _glimpsed(state, one, change.during) is not None:
            yield Explanation((one,), strain)
    for pair in _two_moves(state, change.after, legal, moves, play):
        if _pair_glimpsed(state, pair, change.during):
            yield Explanation(pair, TWO_MOVES)


def _single(state: State, after: Layout, seat: str) -> Iterator[Move]:
    """Yield every push, legal or not, of one cube by ``seat`` that gives ``after``."""
    own = state.options.mark_of(seat)
    by = None if seat == state.seat else seat
    for push in pushes(state.layout.size):
        move = _fitting(state, push, after, own)
        if move is not None:
            yield replace(move, seat=by) if by is not None else move


def _fitting(state: State, push: Push, after: Layout, own: str) -> Move | None:
    """Return the push as a move with the face and dot that ``after`` shows, if it fits."""
    seen = after.marks[push.target]
    marks = put(push.reorder(state.layout.marks), push.target, seen)
    if marks != after.marks and not agree(marks, after.marks):
        return None
    if state.with_dots() and not _dots_fit(state, push, marks, after):
        return None
    face = own if seen == UNSEEN else seen
    dot = None
    if state.with_dots() and face != BLANK:
        dot = after.dots[push.target] if seen != UNSEEN else UNSEEN
    return Move(push.cube, push.end, dot, face=None if face == own else face)


def _dots_fit(state: State, push: Push, marks: Symbols, after: Layout) -> bool:
    dots = put(push.reorder(state.layout.dots), push.target, after.dots[push.target])
    return agree(dots, after.dots, marks, after.marks)


def _one_odd_act(
    state: State, after: Layout, legal: tuple[Move, ...]
) -> Iterator[tuple[int, Move]]:
    """Yield wrong lines, cubes turned in passing and players out of turn, each with its strain."""
    own = state.mark()
    cubes = {move.cube for move in legal if move.cube is not None}
    for cube in sorted(cubes):
        for move in _wrong_lines(state, after, cube, own):
            yield WRONG_LINE, move
    for move in _once(legal):
        turned = _turned_in_passing(state, after, move, own)
        if turned is not None:
            yield TURNED, turned
    for seat in state.options.seat_names():
        if seat != state.seat:
            for move in _single(state, after, seat):
                yield OUT_OF_TURN, move


def _wrong_lines(state: State, after: Layout, cube: tuple[int, int], own: str) -> Iterator[Move]:
    row, col = cube
    for end in ENDS:
        for line in range(state.layout.size):
            if line == (row if end in "LR" else col):
                continue
            push = wrong_push_of(cube, end, line, state.layout.size)
            move = _fitting(state, push, after, own)
            if move is not None:
                yield replace(move, line=line)


def _once(legal: tuple[Move, ...]) -> Iterator[Move]:
    """Yield each cube and end once, whatever its dot."""
    done = set()
    for move in legal:
        if move.kind is Kind.PUSH and (move.cube, move.end) not in done:
            done.add((move.cube, move.end))
            yield move


def _turned_in_passing(state: State, after: Layout, move: Move, own: str) -> Move | None:
    """Return ``move`` with the one other cube that must have been turned to give ``after``."""
    push = push_for(move, state.layout.size)
    if after.marks[push.target] not in (own, UNSEEN):
        return None
    dot = after.dots[push.target] if state.with_dots() else None
    ours = replace(move, dot=UNSEEN if dot == NO_DOT else dot)
    board = result(state.layout, ours, own)
    odd = [i for i in range(len(board.marks)) if not _cell_fits(state, board, after, i)]
    if len(odd) != 1:
        return None
    cell = divmod(odd[0], board.size)
    shown = after.dots[odd[0]] if state.with_dots() else _plain_dot(after.marks[odd[0]])
    return replace(ours, turned=(Turned(cell, after.marks[odd[0]], shown),))


def _plain_dot(mark: str) -> str:
    return UNSEEN if mark in (CROSS, CIRCLE) else NO_DOT


def _cell_fits(state: State, board: Layout, seen: Layout, index: int) -> bool:
    one, other = board.marks[index], seen.marks[index]
    if UNSEEN in (one, other):
        return True
    if one != other or not state.with_dots():
        return one == other
    dots = (board.dots[index], seen.dots[index])
    return dots[0] == dots[1] or UNSEEN in dots


def _two_moves(
    state: State, after: Layout, legal: tuple[Move, ...], moves: Moves, play: Play
) -> Iterator[tuple[Move, Move]]:
    """Yield pairs of moves that give ``after``: one seat after the other, or one seat twice."""
    for first in legal:
        middle = play(state, first)
        if middle.decision is not None:
            continue
        again = replace(middle, seat=state.seat)
        for second in _legal_ends(middle, after, moves):
            yield first, second
        for second in _legal_ends(again, after, moves):
            yield first, replace(second, seat=state.seat)


def _legal_ends(state: State, after: Layout, moves: Moves) -> Iterator[Move]:
    """Yield the legal moves of ``state`` that give ``after``."""
    size = state.layout.size
    odd = [
        i
        for i, (ours, seen) in enumerate(zip(state.layout.marks, after.marks, strict=True))
        if ours != seen and UNSEEN not in (ours, seen)
    ]
    if len({i // size for i in odd}) > 1 and len({i % size for i in odd}) > 1:
        return  # one push changes a single row or column
    for move in _once(moves(state)):
        push = push_for(move, size)
        if push.path.issuperset(odd):
            fit = _fitting(state, push, after, state.mark())
            if fit is not None and _dot_allowed(state, fit):
                yield fit


def _dot_allowed(state: State, move: Move) -> bool:
    if move.face is not None:
        return False
    return move.dot is None or move.dot in (UNSEEN, state.seat, state.partner())


def _glimpsed(
    state: State, move: Move, during: tuple[Layout, ...], *, slid: bool = False
) -> Move | None:
    """Return the move if the glimpses fit it in order, with the cube touched first if another.

    A cube that was lifted and put back counts as touched only when a later glimpse shows the
    gap of the cube that was played; else the glimpse speaks for the lifted cube alone.
    """
    if not during:
        return move
    own = state.options.mark_of(move.seat or state.seat)
    stages = _stages(state.layout, move, own, slid=slid)
    if in_order(stages, during, with_dots=state.with_dots()):
        return move
    gaps = [g for g in during if g.marks.count(GAP) == 1]
    if slid or len(gaps) < 2 or not stages[1].fits(gaps[-1], with_dots=state.with_dots()):
        return None
    touched = gaps[0].marks.index(GAP)
    earlier = (state.layout, lifted(state.layout, touched))
    if not in_order((*earlier, *stages), during, with_dots=state.with_dots()):
        return None
    return replace(move, touched=divmod(touched, state.layout.size))


def _stages(layout: Layout, move: Move, own: str, *, slid: bool = False) -> tuple[Layout, ...]:
    """Return what lies on the table while a push is made: before, cube lifted, after.

    A wrong line leaves the gap open until the cube that fell out closes it; a cube turned in
    passing may be lifted for it.
    """
    if move.kind is not Kind.PUSH:
        return (layout,)
    push = push_for(move, layout.size)
    after = result(layout, move, own)
    between: tuple[Layout, ...] = (lifted(after, push.target),) if slid else ()
    if move.wrong_line():
        between = (lifted(after, push.source),)
    if move.turned:
        pushed = result(layout, replace(move, turned=()), own)
        cells = (row * layout.size + col for row, col in (other.cell for other in move.turned))
        between = (pushed, *(lifted(pushed, index) for index in cells))
    return (layout, lifted(layout, push.source), *between, after)


def _pair_glimpsed(state: State, pair: tuple[Move, Move], during: tuple[Layout, ...]) -> bool:
    if not during:
        return True
    own = state.options.mark_of(pair[0].seat or state.seat)
    first = _stages(state.layout, pair[0], own)
    seat = pair[1].seat or state.options.next_seat(state.seat)
    second = _stages(first[-1], pair[1], state.options.mark_of(seat))
    return in_order((*first, *second), during, with_dots=state.with_dots())


def in_order(stages: tuple[Layout, ...], during: tuple[Layout, ...], *, with_dots: bool) -> bool:
    """Tell whether each glimpse fits a stage, in order; a stage may be seen twice or not at all."""
    at = 0
    for glimpse in during:
        while at < len(stages) and not stages[at].fits(glimpse, with_dots=with_dots):
            at += 1
        if at == len(stages):
            return False
    return True
