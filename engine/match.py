"""A match as a pure fold over its events.

    match = begin(game, Started(...))
    match = advance(game, match, event)     # for every further event

A move seen is ruled on at once, but only provisionally: it takes effect when it is committed,
so that people can correct it first.  The same events always give the same match.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from engine.errors import EventError
from engine.events import (
    Closed,
    Committed,
    Corrected,
    Doubt,
    Event,
    Moved,
    Played,
    Redone,
    Reread,
    Restored,
    Seated,
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


Seen = Moved | Reread


@dataclass(frozen=True, slots=True)
class Match(Generic[M]):
    """Where a match stands.

    Attributes:
        game_id: id of the game.
        steps: what took effect, oldest first; the first is the start.
        undone: steps taken back, the latest last.
        pending: the move seen that has not taken effect.
        provisional: the ruling on it.
        south: side of the picture at which seat S sits; empty where no picture is taken.
        players: names in the order of the seats; may be empty.
        closed: people ended the match.
    """

    game_id: str
    steps: tuple[Step[M], ...]
    undone: tuple[Step[M], ...] = ()
    pending: Seen | None = None
    provisional: Ruling[M] | None = None
    south: str = ""
    players: tuple[str, ...] = ()
    closed: bool = False

    @property
    def state(self) -> str:
        """The state that holds now, as text."""
        return self.steps[-1].state

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """What people are asked about."""
        return self.pending.doubts if isinstance(self.pending, Moved) else ()

    @property
    def in_sync(self) -> bool:
        """False while the table shows what no known act leads to, and no doubt explains it."""
        ruling = self.provisional
        return ruling is None or bool(ruling.moves) or bool(self.doubts)

    @property
    def left_lying(self) -> str | None:
        """The board of a foul that was taken back in the match, as text, or None.

        It lies on the table until people put the cubes back.
        """
        last = self.steps[-1]
        foul = last.ruling is not None and last.ruling.verdict is Verdict.ILLEGAL
        if not foul or not isinstance(last.event, Seen):
            return None
        return last.event.after if self.pending is None else None


def begin(game: Game[S, L, M], event: Started) -> Match[M]:
    """Return the match that ``event`` starts.

    Raises:
        EventError: when the event is of another game.
        TextError: when its state cannot be read.
    """
    if event.game != game.id:
        raise EventError(f"this match is one of {event.game!r}, not of {game.id!r}")
    first: Step[M] = Step(event, None, game.write(game.read(event.state)))
    return Match(game.id, (first,), south=event.south, players=event.players)


def fold(game: Game[S, L, M], events: Iterable[Event]) -> Match[M]:
    """Return the match that ``events`` make; the first must be its start.

    Raises:
        EventError: when there is none, it is no start, or one cannot happen where it stands.
        TextError: when a text of one cannot be read.
    """
    rest = iter(events)
    first = next(rest, None)
    if not isinstance(first, Started):
        raise EventError(f"a match begins with its start, not with {first!r}")
    match: Match[M] = begin(game, first)
    for event in rest:
        match = advance(game, match, event)
    return match


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
    judged = isinstance(last.event, Seen) and last.event.after == seen.after
    return None if judged and not during else seen


def advance(game: Game[S, L, M], match: Match[M], event: Event) -> Match[M]:
    """Return the match after ``event``.

    Raises:
        EventError: when the event cannot happen where the match stands.
        TextError: when its texts cannot be read.
    """
    if match.closed:
        raise EventError("the match is closed")
    if isinstance(event, Moved):
        return replace(match, pending=event, provisional=rule(game, match.state, event))
    if isinstance(event, Played):
        state = game.read(match.state)
        ruling = judge_move(game, state, game.read_move(state, event.move))
        return _take(match, Step(event, ruling, ruling.state_text))
    if isinstance(event, Corrected):
        return _take(match, Step(event, None, game.write(game.read(event.state))))
    if isinstance(event, Seated):
        return replace(match, south=event.south)
    if isinstance(event, Closed):
        return replace(match, closed=True)
    return _settle(game, match, event)


def rule(game: Game[S, L, M], state_text: str, seen: Seen) -> Ruling[M]:
    """Return the ruling on what was seen; undecided while anything of it is in doubt.

    Nor is anybody accused of what was not seen to happen.
    """
    state = game.read(state_text)
    change = Change(tuple(map(game.read_layout, seen.during)), game.read_layout(seen.after))
    ruling = judge(game, state, change, one_turn=seen.one_turn)
    if isinstance(seen, Reread):
        return ruling
    unheld = seen.unwatched and ruling.verdict is Verdict.ILLEGAL
    if not seen.doubts and not unheld:
        return ruling
    return replace(
        ruling,
        verdict=Verdict.UNDECIDED,
        move=None,
        scores=game.scores(state),
        state_text=game.write(state),
        over=game.over(state),
    )


def _settle(game: Game[S, L, M], match: Match[M], event: Event) -> Match[M]:
    """Return the match after an event that settles, or unsettles, what was seen."""
    if isinstance(event, Committed):
        return _commit(match)
    if isinstance(event, Stood):
        return _stand(game, match)
    if isinstance(event, Reread):
        return _reread(game, match, event)
    if isinstance(event, Restored):
        return _restore(match)
    if isinstance(event, Undone):
        return _undo(match)
    if isinstance(event, Redone):
        return _redo(match)
    raise EventError("a match starts only once")


def _take(match: Match[M], step: Step[M]) -> Match[M]:
    steps = (*match.steps, step)
    return replace(match, steps=steps, undone=(), pending=None, provisional=None)


def _commit(match: Match[M]) -> Match[M]:
    if match.pending is None or match.provisional is None:
        raise EventError("nothing to commit: no move was seen")
    if match.provisional.verdict is Verdict.UNDECIDED:
        raise EventError("the move seen is undecided: correct it, or let it stand")
    return _take(match, Step(match.pending, match.provisional, match.provisional.state_text))


def _stand(game: Game[S, L, M], match: Match[M]) -> Match[M]:
    """Keep what lies there: what is pending, or the foul that was taken back just now."""
    if match.pending is None and match.left_lying is not None:
        last = match.steps[-1]
        assert isinstance(last.event, Seen)
        match = replace(match, steps=match.steps[:-1], pending=last.event, provisional=last.ruling)
    if match.pending is None or match.provisional is None:
        raise EventError("nothing to let stand: no move was seen")
    ruling = match.provisional
    moves = ruling.moves[0].moves if ruling.verdict is not Verdict.UNDECIDED else ()
    after = game.read_layout(match.pending.after)
    state = game.write(game.stand(game.read(match.state), moves, after))
    return _take(match, Step(match.pending, ruling, state))


def _reread(game: Game[S, L, M], match: Match[M], event: Reread) -> Match[M]:
    """Rule anew on the move seen last, whether it has taken effect or not."""
    if match.pending is None:
        if not isinstance(match.steps[-1].event, Seen):
            raise EventError("nothing to read anew: the last step was not seen by a camera")
        match = replace(match, steps=match.steps[:-1], undone=())
    return replace(match, pending=event, provisional=rule(game, match.state, event))


def _restore(match: Match[M]) -> Match[M]:
    if match.pending is None:
        raise EventError("nothing to restore: no move was seen")
    return replace(match, pending=None, provisional=None)


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
    steps = (*match.steps, last)
    return replace(match, steps=steps, undone=match.undone[:-1], pending=None, provisional=None)
