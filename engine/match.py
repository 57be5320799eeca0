"""A match as a pure fold over its events.

    match = begin(game, Started(...))
    match = advance(game, match, event)     # for every further event

A move seen is ruled on at once, but only provisionally: it takes effect when it is committed,
so that people can correct it first.  The same events always give the same match.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from engine.errors import EventError
from engine.events import (
    Committed,
    Corrected,
    Event,
    Moved,
    Played,
    Redone,
    Started,
    Stood,
    Undone,
)
from engine.game import Change, Game
from engine.referee import judge, judge_move
from engine.ruling import Ruling, Verdict

S = TypeVar("S")
L = TypeVar("L")
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Step(Generic[M]):
    """One thing that took effect.

    Attributes:
        event: what led to it.
        ruling: what the referee said, or None for a start or a correction.
        state: the state from then on, as text.
    """

    event: Event
    ruling: Ruling[M] | None
    state: str


@dataclass(frozen=True, slots=True)
class Match(Generic[M]):
    """Where a match stands.

    Attributes:
        game_id: id of the game.
        steps: what took effect, oldest first; the first is the start.
        undone: steps taken back, the latest last.
        pending: the move seen that has not taken effect.
        provisional: the ruling on it.
    """

    game_id: str
    steps: tuple[Step[M], ...]
    undone: tuple[Step[M], ...] = ()
    pending: Moved | None = None
    provisional: Ruling[M] | None = None

    @property
    def state(self) -> str:
        """The state that holds now, as text."""
        return self.steps[-1].state


def begin(game: Game[S, L, M], event: Started) -> Match[M]:
    """Return the match that ``event`` starts.

    Raises:
        EventError: when the event is of another game.
        TextError: when its state cannot be read.
    """
    if event.game != game.id:
        raise EventError(f"this match is one of {event.game!r}, not of {game.id!r}")
    return Match(game.id, (Step(event, None, game.write(game.read(event.state))),))


def observe(game: Game[S, L, M], match: Match[M], during: tuple[L, ...], after: L) -> Moved | None:
    """Return the event of a table at rest, or None when there is nothing new to say.

    Nothing changed and nothing glimpsed is no event; nor is a board that lies there already
    judged, since it would be reported at every picture.
    """
    if not during and game.unchanged(game.read(match.state), after):
        return None
    seen = Moved(tuple(map(game.write_layout, during)), game.write_layout(after))
    if match.pending is not None and match.pending.after == seen.after and not during:
        return None
    last = match.steps[-1]
    judged = isinstance(last.event, Moved) and last.event.after == seen.after
    return None if judged and not during else seen


def advance(game: Game[S, L, M], match: Match[M], event: Event) -> Match[M]:
    """Return the match after ``event``.

    Raises:
        EventError: when the event cannot happen where the match stands.
        TextError: when its texts cannot be read.
    """
    if isinstance(event, Moved):
        change = Change(tuple(map(game.read_layout, event.during)), game.read_layout(event.after))
        return replace(
            match, pending=event, provisional=judge(game, game.read(match.state), change)
        )
    if isinstance(event, Played):
        state = game.read(match.state)
        ruling = judge_move(game, state, game.read_move(state, event.move))
        return _take(match, Step(event, ruling, ruling.state_text))
    if isinstance(event, Committed):
        return _commit(match)
    if isinstance(event, Stood):
        return _stand(game, match)
    if isinstance(event, Corrected):
        return _take(match, Step(event, None, game.write(game.read(event.state))))
    if isinstance(event, Undone):
        return _undo(match)
    if isinstance(event, Redone):
        return _redo(match)
    raise EventError("a match starts only once")


def _take(match: Match[M], step: Step[M]) -> Match[M]:
    return Match(match.game_id, (*match.steps, step))


def _commit(match: Match[M]) -> Match[M]:
    if match.pending is None or match.provisional is None:
        raise EventError("nothing to commit: no move was seen")
    if match.provisional.verdict is Verdict.UNDECIDED:
        raise EventError("the move seen is undecided: correct it, or let it stand")
    return _take(match, Step(match.pending, match.provisional, match.provisional.state_text))


def _stand(game: Game[S, L, M], match: Match[M]) -> Match[M]:
    if match.pending is None or match.provisional is None:
        raise EventError("nothing to let stand: no move was seen")
    ruling = match.provisional
    moves = ruling.moves[0].moves if ruling.verdict is not Verdict.UNDECIDED else ()
    after = game.read_layout(match.pending.after)
    state = game.write(game.stand(game.read(match.state), moves, after))
    return _take(match, Step(match.pending, ruling, state))


def _undo(match: Match[M]) -> Match[M]:
    if match.pending is not None:
        return replace(match, pending=None, provisional=None)
    if len(match.steps) == 1:
        raise EventError("nothing to undo: the match has just begun")
    return replace(match, steps=match.steps[:-1], undone=(*match.undone, match.steps[-1]))


def _redo(match: Match[M]) -> Match[M]:
    if not match.undone:
        raise EventError("nothing to redo")
    last = match.undone[-1]
    return Match(match.game_id, (*match.steps, last), match.undone[:-1])
