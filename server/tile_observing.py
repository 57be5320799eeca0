"""What a settled board of tiles means for the match. Pure; part of `server.refereeing`.

Tiles are laid one by one: what lies there between two visits of a hand is provisional. A legal play
takes effect at once; if its player goes on, it is taken back for the longer one. What is not legal
may be unfinished, so that it waits until nothing has moved for a while, or for the button.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from engine import Verdict, quinto
from engine.events import Committed, Event, Moved, Restored, Stood, Undone
from engine.match import Match, advance
from engine.match import Seen as SeenEvent
from server.refereeing import AnyGame, Noted, Photo, Step, Table, take, turns_at_most
from server.tile_looking import (
    TileSight,
    TileTold,
    events_doubts,
    judge_tiles,
    may_show,
    sight_of_tiles,
)
from server.weighing import rules_of
from vision.refusals import refuse
from vision.resting import Rested
from vision.settle import Settled

GAME: Final = quinto.GAME

CONTINUES_S: Final = 2.0
"""Tiles that are laid so soon after a legal play, and make one legal play with it, go on with it
even where the next player might have laid them: nobody takes a turn in so short a time after
another's. An assumption."""


def tiles_on(game: AnyGame, table: Table, happening: Settled | Photo) -> Step:
    """Take in a board of tiles at rest, or a photo of it."""
    settled = happening if isinstance(happening, Settled) else happening.settled
    match, before = table.match, table.tiles
    accepted = _accepted(game, match, settled)
    sight = None if accepted is None else _sight(table, settled, accepted)
    if sight is None:
        return replace(table, problem=refuse("other-board")), ()
    watched = (settled.touched and before is not None and not table.blind) or isinstance(
        happening, Photo
    )
    clearer = None if settled.touched or table.blind else _seen_before(match, sight)
    if clearer is not None:
        sight = replace(sight, one_turn=clearer.one_turn)
        watched = not clearer.unwatched
    went_on = (
        before is not None and before.quick and match is not None and match.pending is not None
    )
    table = replace(table, tiles=sight, visits=(), disturbed=False, blind=False, problem=None)
    over = match is None or match.closed or game.over(game.read(match.state)) is not None
    if match is None or over or (table.commit == "upload" and isinstance(happening, Settled)):
        return table, ()
    photo = isinstance(happening, Photo)
    look = _Look(game, match, sight, table.commit, watched, went_on, photo)
    noted = tuple(Noted(event, settled.at_s, settled.number) for event in look.events())
    table = take(game, table, noted)
    assert table.match is not None
    put_back = GAME.unchanged(GAME.read(table.match.state), sight.layout)
    return replace(table, put_back=not noted and (table.put_back or put_back)), noted


def rested_on(game: AnyGame, table: Table, rested: Rested) -> Step:
    """Nothing has moved for a while: what waits and is decided takes effect."""
    match = table.match
    if match is None or match.closed or table.commit != "stable" or game.id != GAME.id:
        return table, ()
    ruling = match.provisional
    if ruling is None or ruling.verdict is Verdict.UNDECIDED:
        return table, ()
    noted = (Noted(Committed(), rested.at_s),)
    return take(game, table, noted), noted


def _accepted(game: AnyGame, match: Match[Any] | None, settled: Settled) -> quinto.Layout | None:
    """The board that is trusted: the match's; without a match a bare one of the size seen."""
    if match is not None and game.id == GAME.id:
        return GAME.read(match.state).layout
    layout = settled.reading.layout
    return None if layout is None or layout.grid is None else quinto.Layout.blank(*layout.grid)


def _sight(table: Table, settled: Settled, accepted: quinto.Layout) -> TileSight | None:
    sight = sight_of_tiles(
        settled.reading, accepted, at_s=settled.at_s, touched=settled.touched, last=table.tiles
    )
    if sight is None:
        return None
    one_turn = settled.touched and turns_at_most(table.visits, settled.glimpses) <= 1
    first_s = table.visits[0].from_s if table.visits else sight.at_s
    quick = table.tiles is not None and first_s - table.tiles.at_s <= CONTINUES_S
    return replace(sight, one_turn=one_turn, quick=quick)


def _seen_before(match: Match[Any] | None, sight: TileSight) -> Moved | None:
    """The play that waits, where its tiles lie as they lay and only their digits are told anew.

    Who was seen to lay them is known from then: no hand comes with a second look.
    """
    pending = None if match is None else match.pending
    if not isinstance(pending, Moved):
        return None
    laid = GAME.read_layout(pending.after)
    return pending if laid.taken() == sight.layout.taken() else None


@dataclass(frozen=True, slots=True)
class _Look:
    """One look at a board at rest.

    Attributes:
        match: before it.
        sight: what lies there.
        commit: when plays take effect.
        watched: what happened was seen to happen, so that it can be held against somebody.
        went_on: what is pending came at once after the play before, and may go on with it.
        photo: it was handed in as the board after a play.
    """

    game: AnyGame
    match: Match[Any]
    sight: TileSight
    commit: str
    watched: bool
    went_on: bool
    photo: bool

    def events(self) -> tuple[Event, ...]:
        """What happened, if anything."""
        state = GAME.read(self.match.state)
        if self._shows(state):
            return (Restored(),) if self.match.pending is not None else ()
        if self._is_known():
            return ()
        told = judge_tiles(state, self.sight)
        if self._is_same_foul(told):
            return ()
        for events in self._otherwise(told):
            return events
        return self._moved(self.match, told)

    def _shows(self, state: quinto.State) -> bool:
        return GAME.unchanged(state, self.sight.layout)

    def _is_known(self) -> bool:
        """Tell whether what lies there was ruled on already, and nothing is new about it."""
        layout = self.sight.layout.write()
        if self.match.left_lying == layout:
            return True
        pending = self.match.pending
        known = pending is not None and pending.after == layout
        asked = {doubt.where for doubt in (*self.sight.doubts, *self.sight.rivals)}
        return known and asked.issuperset(doubt.where for doubt in self.match.doubts)

    def _is_same_foul(self, told: TileTold) -> bool:
        """Tell whether it is the foul told before, tiles in doubt being read otherwise."""
        lying, last = self.match.left_lying, self.match.steps[-1].ruling
        if lying is None or last is None or told.ruling.verdict is not Verdict.ILLEGAL:
            return False
        same = rules_of(last) == rules_of(told.ruling)
        return same and may_show(self.sight, GAME.read_layout(lying))

    def _moved(self, match: Match[Any], told: TileTold) -> tuple[Event, ...]:
        """A play; a legal one takes effect at once, unless people press a button for it."""
        event = Moved(
            (),
            told.layout.write(),
            self.sight.one_turn,
            events_doubts(self.sight, told.doubts),
            not self.watched,
        )
        ruling = advance(self.game, match, event).provisional
        verdict = Verdict.UNDECIDED if ruling is None else ruling.verdict
        done = verdict is Verdict.LEGAL and self.commit == "stable"
        if done or (self.photo and verdict is not Verdict.UNDECIDED):
            return (event, Committed())
        return (event,)

    def _otherwise(self, told: TileTold) -> Iterator[tuple[Event, ...]]:
        """What is likelier than a play of the next player, or than a foul."""
        pending = self.match.pending is not None
        if not told.plain or (self.sight.quick and (self.went_on or not pending)):
            yield from self._continued()
        if told.legal:
            return
        yield from self._went_on()
        yield from self._taken_back()

    def _continued(self) -> Iterator[tuple[Event, ...]]:
        """The player goes on with the play that took effect just now: both are one legal play."""
        steps = self.match.steps
        if len(steps) < 2 or self.photo or not self._only_more():
            return
        last = steps[-1]
        legal = last.ruling is not None and last.ruling.verdict is Verdict.LEGAL
        if not isinstance(last.event, SeenEvent) or not legal:
            return
        told = judge_tiles(GAME.read(steps[-2].state), self.sight)
        if told.plain:
            undone = (Undone(),) * (1 if self.match.pending is None else 2)
            match = self.match
            for event in undone:
                match = advance(self.game, match, event)
            yield (*undone, *self._moved(match, told))

    def _only_more(self) -> bool:
        """Tell whether all tiles of the match lie there as they did."""
        layout = GAME.read(self.match.state).layout
        return layout.having(self.sight.layout.tiles()) == self.sight.layout

    def _went_on(self) -> Iterator[tuple[Event, ...]]:
        """The next player went on from a foul that was left as it lay."""
        if self.match.left_lying is None:
            return
        match = advance(self.game, self.match, Stood())
        state = GAME.read(match.state)
        if state.ended:
            return
        told = judge_tiles(state, self.sight)
        if told.plain:
            yield (Stood(), *self._moved(match, told))

    def _taken_back(self) -> Iterator[tuple[Event, ...]]:
        """The board before the last play lies there again; what was ruled on since goes with it.

        A foul may have begun with tiles that were a legal play by themselves: who takes it back
        takes all of them.
        """
        match, undone = self.match, 1
        while match.pending is not None or match.left_lying is not None:
            match, undone = advance(self.game, match, Undone()), undone + 1
        if len(match.steps) < 2:
            return
        before = GAME.read(match.steps[-2].state)
        if before.layout != GAME.read(match.state).layout and self._shows(before):
            yield (Undone(),) * undone
