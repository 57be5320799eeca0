"""From what happens at a table to the events of its match: one pure step for each happening.

    table, noted = step(game, table, happening)

A happening is a notice of `vision.settle` or `vision.dice.rolls`, a photo handed in, or a wish of
people (`server.commands`). What is noted are events, for the store to append; the match is the fold
over them and nothing else. `server.observing` rules on settled boards of cubes,
`server.tile_observing` on those of tiles, `server.rolling` on rolls of dice, `server.obeying` on
wishes.
"""

import itertools
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from engine.events import Event, Started
from engine.game import Game
from engine.match import Match, advance, begin
from server.commands import Wish
from server.looking import Seen
from server.tile_looking import TileSight
from vision.dice.rolls import Handled, Rolled, RollNotice, RollStarted
from vision.homography import Quad
from vision.observation import Refusal
from vision.readers.dice import Dice
from vision.readers.quinto import TilesOnBoard
from vision.resting import Rested
from vision.settle import (
    Bumped,
    Glimpsed,
    HandIn,
    HandOut,
    Lost,
    Notice,
    Regained,
    Settled,
)

AnyGame: TypeAlias = Game[Any, Any, Any]

SWAP_S: Final = 0.5
"""Two visits of a hand closer than this are one: nobody makes a whole turn in the time another
player needs to draw back a hand. An assumption; too large, and two quick turns count as one."""


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo handed in as the table after a move."""

    settled: Settled


Happening: TypeAlias = Notice | RollNotice | Rested | Photo | Wish


@dataclass(frozen=True, slots=True)
class Visit:
    """A hand over the board, seconds on the source's clock; still there while it has no end."""

    from_s: float
    until_s: float | None = None


@dataclass(frozen=True, slots=True)
class Noted:
    """An event with its evidence.

    Attributes:
        event: for the store.
        at_s: when it was seen, on the source's clock; None for what people said.
        number: the frame that shows it; None likewise.
        glimpses: frames of its glimpses, in the order of the event's ``during``.
    """

    event: Event
    at_s: float | None = None
    number: int | None = None
    glimpses: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Tray:
    """What the match has to remember of the dice that were seen.

    Attributes:
        note: why the latest throw is not in the match, a key of `server/texts/rolling.toml`; empty
            when it is.
        values: what that text is filled in with.
        cocked: a throw that does not count yet: dice of it that lay flat still do.
        seen: the latest roll in the match.
    """

    note: str = ""
    values: tuple[tuple[str, object], ...] = ()
    cocked: Rolled | None = None
    seen: Noted | None = None

    def noted(self, event: Event) -> Noted:
        """An event that a roll seen before leads to now, with that roll's evidence."""
        return Noted(event) if self.seen is None else replace(self.seen, event=event)


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its match, and what of it is in nobody's record.

    Attributes:
        match: the match that is on, or None.
        commit: when its moves take effect, see `server.commands.COMMIT`.
        frame: corners of the board in the picture when it last settled, and the quarter turns
            that bring such a reading into the frame of the match; None until then.
        shown: what the table showed when it last settled, in the frame of the match.
        pending: what the match's pending move was ruled on from.
        odd: cells that were read otherwise than the match has them before the last move.
        put_back: since the last foul the table has shown the match's board again.
        visits: hands over the board since then.
        disturbed: the camera or the board may have been moved since then.
        blind: for a while since then nothing could be seen, so that nobody is accused.
        problem: why nothing can be read now; the match waits.
        hand: a hand is over the board.
        tray: what is remembered of dice.
        tiles: the board of tiles as it last settled, in the frame of the match.
    """

    match: Match[Any] | None = None
    commit: str = "stable"
    frame: tuple[Quad, int] | None = None
    shown: Seen | None = None
    pending: Seen | None = None
    odd: frozenset[int] = frozenset()
    put_back: bool = False
    visits: tuple[Visit, ...] = ()
    disturbed: bool = True
    blind: bool = False
    problem: Refusal | None = None
    hand: bool = False
    tray: Tray = Tray()
    tiles: TileSight | None = None

    @property
    def was_seen(self) -> bool:
        """A board has settled, so that a match can be joined as it lies."""
        return self.shown is not None or self.tiles is not None


Step: TypeAlias = tuple[Table, tuple[Noted, ...]]


def step(game: AnyGame, table: Table, happening: Happening) -> Step:
    """Take in one happening.

    Args:
        game: the game of the match, or of the match to begin.
        table: as the step before left it, or ``Table()``.
        happening: what was seen or wished.

    Returns:
        The table afterwards, and what to append to its match, in order.

    Raises:
        Refused: a wish that cannot be fulfilled; the table stays as it was.
    """
    if isinstance(happening, Wish):
        from server.obeying import obey

        return obey(game, table, happening)
    if isinstance(happening, Photo) and isinstance(happening.settled.reading.layout, Dice):
        happening = _photographed(happening.settled)
    if isinstance(happening, Rolled):
        from server.rolling import rolled_on

        return rolled_on(game, table, happening)
    if isinstance(happening, RollStarted | Handled):
        return table, ()
    if isinstance(happening, Rested):
        from server.tile_observing import rested_on

        return rested_on(game, table, happening)
    if isinstance(happening, Settled | Photo):
        settled = happening if isinstance(happening, Settled) else happening.settled
        if isinstance(settled.reading.layout, TilesOnBoard):
            from server.tile_observing import tiles_on

            return tiles_on(game, table, happening)
        from server.observing import settled_on

        return settled_on(game, table, happening)
    return _noticed(table, happening), ()


def _photographed(settled: Settled) -> Rolled:
    """A photo of dice handed in as the roll."""
    dice = settled.reading.layout.dice if settled.reading.layout is not None else ()
    return Rolled(
        reading=settled.reading,
        others=(),
        count=0,
        at_s=settled.at_s,
        number=settled.number,
        numbers=(),
        since_s=settled.since_s,
        flight=None,
        cocked=tuple(i for i, die in enumerate(dice) if not die.flat),
    )


def _noticed(table: Table, notice: Notice) -> Table:
    """What only the table remembers: hands, bumps, a lost board."""
    if isinstance(notice, HandIn):
        return replace(table, hand=True, visits=(*table.visits, Visit(notice.at_s)))
    if isinstance(notice, HandOut):
        return replace(table, hand=False, visits=_left(table.visits, notice.at_s))
    if isinstance(notice, Bumped):
        return replace(table, disturbed=True)
    if isinstance(notice, Lost):
        return replace(table, disturbed=True, blind=True, problem=notice.problem)
    if isinstance(notice, Regained):
        return replace(table, problem=None)
    return table


def _left(visits: tuple[Visit, ...], at_s: float) -> tuple[Visit, ...]:
    if not visits:  # the loop began while a hand was in
        return (Visit(at_s, at_s),)
    return (*visits[:-1], replace(visits[-1], until_s=at_s))


def turns_at_most(visits: tuple[Visit, ...], glimpses: tuple[Glimpsed, ...]) -> int:
    """How many turns may have been taken since the table last settled.

    A hand that comes back while the gap of a lifted cube was in view, or at once, goes on with
    the turn it had begun.
    """
    turns = min(1, len(visits))
    for before, after in itertools.pairwise(visits):
        left_s = before.until_s if before.until_s is not None else after.from_s
        under_way = any(left_s <= g.at_s <= after.from_s for g in glimpses)
        turns += not under_way and after.from_s - left_s >= SWAP_S
    return turns


def take(game: AnyGame, table: Table, noted: tuple[Noted, ...]) -> Table:
    """The table after events; the same for new ones and for those read back from the store."""
    match = table.match
    for one in noted:
        if isinstance(one.event, Started):
            match = begin(game, one.event)
        elif match is not None:
            match = advance(game, match, one.event)
    return replace(table, match=match)
