"""The rulings that events bring about, in order, as `arbitre watch` and `replay` print them.

An undecided ruling is told once it is clear that nothing better follows: a look at the same board
that settles the doubt takes its place. So is a play that its player may go on with.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from engine import Ruling, Verdict
from engine.events import Committed, Event, Moved, Played, Reread, Started, Undone
from engine.match import Match, advance, begin
from server.refereeing import AnyGame, Noted
from server.throws import DICE_GAMES

CONTINUED: Final = frozenset({"quinto"})
"""Games in which a play may be taken back for a longer one, see `server.tile_observing`."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling with its place in a recording.

    Attributes:
        n: counts rulings from 1.
        ruling: the referee's.
        at_s: when the table had settled, on the source's clock; None for a move people named.
        frame: the frame that shows it; None likewise.
    """

    n: int
    ruling: Ruling[Any]
    at_s: float | None
    frame: int | None

    def to_json(self) -> dict[str, object]:
        """The ruling of the command contract, with ``at`` and ``frame``."""
        return {**self.ruling.to_json(self.n), "at": self.at_s, "frame": self.frame}


class Teller:
    """Follows the events of one match and tells its rulings.

    Args:
        game: the game.
        match: where the match stands; None before its start.
    """

    def __init__(self, game: AnyGame, match: Match[Any] | None = None) -> None:
        self._game = game
        self._match = match
        self._count = 0
        self._seen: Noted | None = None  # what the latest ruling is about
        self._open: tuple[Ruling[Any], Noted] | None = None  # undecided, not told yet
        self._kept: tuple[Ruling[Any], Noted] | None = None  # decided, its player may go on

    def tell(self, noted: Iterable[Noted]) -> Iterator[Ruled]:
        """The rulings that further events bring about."""
        for one in noted:
            if isinstance(one.event, Started):
                yield from self.rest()
                self._match = begin(self._game, one.event)
            elif self._match is not None:
                before = self._match
                yield from self._kept_by(before, one.event)
                self._match = advance(self._game, before, one.event)
                yield from self._after(before, one)

    def _kept_by(self, before: Match[Any], event: Event) -> Iterator[Ruled]:
        """Tell a play that is kept back, unless it is taken back for a longer one."""
        if isinstance(event, Undone):
            self._kept = None if before.pending is None else self._kept
        elif not isinstance(event, Moved):
            yield from self._told_kept()

    def _after(self, before: Match[Any], one: Noted) -> Iterator[Ruled]:
        assert self._match is not None
        event = one.event
        if isinstance(event, Moved | Reread):
            same = before.pending is not None and before.pending.after == event.after
            if isinstance(event, Moved) and not same:
                if self._open is not None:  # told in the order in which they were seen
                    yield from self._told_kept()
                yield from self._told_open()
            if isinstance(event, Moved) or self._seen is None:
                self._seen = one  # a reading put right is told of the move it is about
            self._open = None
            ruling = self._match.provisional
            if ruling is not None and ruling.verdict is Verdict.UNDECIDED:
                self._open = (ruling, self._seen)
            return
        yield from self._told_open()
        new = len(self._match.steps) > len(before.steps)
        ruling = self._match.steps[-1].ruling
        if new and ruling is not None and ruling.verdict is not Verdict.UNDECIDED:
            legal = ruling.verdict is Verdict.LEGAL  # nobody goes on with a foul
            if isinstance(event, Committed) and legal and self._game.id in CONTINUED:
                self._kept = (ruling, self._seen or one)
            elif isinstance(event, Committed):
                yield self._ruled(ruling, self._seen or one)
            elif not before.undone and (before.pending is None or self._goes_on(event)):
                yield self._ruled(ruling, one)

    def _goes_on(self, event: Event) -> bool:
        """True for what was entered on a sheet while a roll waits: it is not about that roll."""
        return self._game.id in DICE_GAMES and isinstance(event, Played)

    def rest(self) -> Iterator[Ruled]:
        """The rulings that nothing came after."""
        yield from self._told_kept()
        yield from self._told_open()

    def _told_kept(self) -> Iterator[Ruled]:
        if self._kept is not None:
            ruling, noted = self._kept
            self._kept = None
            yield self._ruled(ruling, noted)

    def _told_open(self) -> Iterator[Ruled]:
        if self._open is not None:
            ruling, noted = self._open
            self._open = None
            yield self._ruled(ruling, noted)

    def _ruled(self, ruling: Ruling[Any], noted: Noted) -> Ruled:
        self._count += 1
        return Ruled(self._count, ruling, noted.at_s, noted.number)
