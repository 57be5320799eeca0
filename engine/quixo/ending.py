"""How a game of Quixo ends: lines made, positions repeated, time used up."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import cache
from operator import itemgetter

from engine.grid import lines
from engine.quixo.layout import CIRCLE, CROSS, Layout
from engine.quixo.move import Kind, Move, Symbols, result
from engine.quixo.state import Decision, State

TEAMS = 4
Line = tuple[str, str]  # mark and name of the line


@cache
def _line_getters(size: int) -> tuple[tuple[str, Callable[[Symbols], Symbols]], ...]:
    return tuple((name, itemgetter(*cells)) for name, cells in lines(size))


def full_lines(marks: Symbols, size: int) -> tuple[Line, ...]:
    """Return every line of one mark as (mark, name); unseen cells make none."""
    crosses, circles = (CROSS,) * size, (CIRCLE,) * size
    found = []
    for name, getter in _line_getters(size):
        cells = getter(marks)
        if cells in (crosses, circles):
            found.append((cells[0], name))
    return tuple(found)


def standing_lines(state: State, move: Move) -> tuple[Line, ...]:
    """Return the lines on the board after ``move``, legal or not."""
    own = state.options.mark_of(move.seat or state.seat)
    after = result(state.layout, move, own)
    return full_lines(after.marks, after.size)


def decide(
    state: State, after: Layout, move: Move, used_ms: tuple[int, ...], rules: AbstractSet[str]
) -> Decision | None:
    """Return how the game ends when ``move`` has led from ``state`` to ``after``.

    Args:
        state: before the move.
        after: the board after it.
        move: who moved and whether a line was announced.
        used_ms: milliseconds used by each seat, this move included.
        rules: ids of the rules in force.
    """
    seat = move.seat or state.seat
    own = state.options.mark_of(seat)
    other = CIRCLE if own == CROSS else CROSS
    if _out_of_time(state, seat, used_ms) and "quixo.time" in rules:
        return Decision("quixo.time", state.options.team_of(other))
    return _decide_lines(state, after, move, own, rules)


def _out_of_time(state: State, seat: str, used_ms: tuple[int, ...]) -> bool:
    limit_s = state.options.player_time_s
    if limit_s is None or not used_ms:
        return False
    return used_ms[state.options.seat_names().index(seat)] > limit_s * 1000


def _decide_lines(
    state: State, after: Layout, move: Move, own: str, rules: AbstractSet[str]
) -> Decision | None:
    standing = full_lines(after.marks, after.size)
    if not standing:
        return None
    before = full_lines(state.layout.marks, after.size)
    made = tuple(line for line in standing if line not in before)
    theirs = tuple(line for line in made if line[0] != own)
    if theirs and "quixo.win.opponent-first" in rules:
        loser_mark = theirs[0][0]
        return Decision("quixo.win.opponent-first", state.options.team_of(loser_mark), made)
    win = "quixo.team.win" if state.options.seats == TEAMS else "quixo.win"
    if win not in rules:
        return None
    ours = tuple(line for line in made if line[0] == own)
    if state.options.must_announce and "quixo.announce" in rules:
        # Unclaimed, a line of one's own only lies there; claimed, an older one counts too.
        claimed = move.claim or move.kind is Kind.CLAIM
        ours = tuple(line for line in standing if line[0] == own) if claimed else ()
    return Decision(win, state.options.team_of(own), ours) if ours else None


def decide_joined(layout: Layout, state: State) -> Decision | None:
    """Return how a game joined in mid-game had ended already, judged by its lines alone.

    With lines of both marks the last mover lost, which is the side that is not to move.
    """
    standing = full_lines(layout.marks, layout.size)
    if not standing or state.options.must_announce:
        return None
    marks = {mark for mark, _ in standing}
    winner = state.mark() if len(marks) > 1 else standing[0][0]
    last_mover_lost = winner == state.mark()
    win = "quixo.team.win" if state.options.seats == TEAMS else "quixo.win"
    reason = "quixo.win.opponent-first" if last_mover_lost else win
    return Decision(reason, state.options.team_of(winner), standing)


def repeated(state: State, rules: AbstractSet[str]) -> Decision | None:
    """Return a draw when the position of ``state`` has occurred as often as agreed."""
    limit = state.options.repetition_limit
    if limit is None or "quixo.repetition" not in rules:
        return None
    if state.seen.count(state.position()) < limit:
        return None
    return Decision("quixo.repetition", ())
