"""What a settled table means for the match. Pure; part of `server.refereeing`.

The table is compared with the match first: a board that may be the match's own is no event. Only
then is it ruled on; before anybody is accused, or the match called out of sync, the ordinary ways
in which a table and its record part are tried: the last move was taken back, a reading had been
wrong, play went on from a foul, a glimpse was misread.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from engine import Verdict, quixo
from engine.events import (
    Committed,
    Doubt,
    Event,
    Moved,
    Reread,
    Restored,
    Seated,
    Stood,
    Undone,
)
from engine.match import Match, advance
from engine.match import Seen as SeenEvent
from server.frames import SOUTH_QUARTERS
from server.looking import (
    Seen,
    Told,
    faint_cells,
    judge_seen,
    may_show,
    odd_cells,
    quarters_of,
    same_cells,
    seen_of,
    shows,
    since_put_back,
    turn_that_fits,
)
from server.refereeing import AnyGame, Noted, Photo, Step, Table, take, turns_at_most
from server.sights import Sight, as_glimpse, sight_of
from vision.observation import Doubt as Asked
from vision.settle import Settled

SOUTH: Final = "bottom"
"""Where seat S sits when nobody said: at the side of the picture that is nearest to the camera."""

MOST_ODD: Final = 2
"""More cells than this that are not as in the match are no misreading: something else lies there.
An assumption, on the careful side: vouched for and wrong is far less than one cell in a hundred."""

Found = tuple[tuple[Event, Told | None], ...]
"""Events with what they were ruled on from."""


def settled_on(game: AnyGame, table: Table, happening: Settled | Photo) -> Step:
    """Take in a table at rest, or a photo of it."""
    settled = happening if isinstance(happening, Settled) else happening.settled
    if settled.reading.layout is None:
        return table, ()
    watched = settled.touched and table.shown is not None and not table.blind
    odd, faint = _odd_before(table), _faint_before(table)
    before, visits = table.shown, table.visits
    table, turned = _into_frame(game, table, settled)
    match, seen = table.match, table.shown
    assert seen is not None
    idle = match is None or match.closed or game.over(game.read(match.state)) is not None
    if match is None or idle or (table.commit == "upload" and isinstance(happening, Settled)):
        return table, turned
    watched = watched or isinstance(happening, Photo)
    commits = table.commit == "stable" or isinstance(happening, Photo)
    foul_lies = match.left_lying is not None and not table.put_back
    if turned:
        odd = faint = frozenset()
    same = frozenset() if before is None else same_cells(before, seen)
    look = _Look(game, match, seen, table.pending, foul_lies, commits, watched, faint, same)
    found = look.events(odd)
    noted = tuple(_noted(event, told, settled) for event, told in found)
    put_back = not noted and (table.put_back or look.shows_the_match(odd))
    table = _after(game, table, found, noted)
    # Of a visit nothing came of, a move may be missing that leaves the board as it was.
    visits = () if noted else visits
    return replace(table, put_back=put_back, odd=odd, visits=visits), (*turned, *noted)


def _odd_before(table: Table) -> frozenset[int]:
    """Cells that were read otherwise than the match has them already when the table last settled.

    Glare over a cube may do that, or a cube turned long ago. It is no doing of the next move.
    """
    match, seen = table.match, table.shown
    if match is None or seen is None:
        return frozenset()
    foul_lies = match.left_lying is not None and not table.put_back
    pending = match.pending
    moved = pending is not None and not (isinstance(pending, Moved) and pending.unwatched)
    if foul_lies or moved:  # what is not as in the match now is what was played
        return table.odd
    odd = odd_cells(seen, quixo.GAME.read(match.state))
    return odd if len(odd) <= MOST_ODD else frozenset()


def _faint_before(table: Table) -> frozenset[int]:
    """Cells that were in doubt when the table last settled, and may have been as the match says."""
    match, seen = table.match, table.shown
    if match is None or seen is None:
        return frozenset()
    return faint_cells(seen, quixo.GAME.read(match.state))


def _after(game: AnyGame, table: Table, found: Found, noted: tuple[Noted, ...]) -> Table:
    """The table after events, with what a move that waits was ruled on from."""
    table = take(game, table, noted)
    waits = table.match is not None and table.match.pending is not None
    last = next((told for _, told in reversed(found) if told is not None), None)
    pending = last.seen if last is not None else table.pending
    return replace(table, pending=pending if waits else None)


def _noted(event: Event, told: Told | None, settled: Settled) -> Noted:
    glimpses = told.seen.numbers if told is not None and isinstance(event, SeenEvent) else ()
    return Noted(event, settled.at_s, settled.number, glimpses)


def _into_frame(game: AnyGame, table: Table, settled: Settled) -> tuple[Table, tuple[Noted, ...]]:
    """The table with what it shows in the frame of the match, and an event if it was turned."""
    match = table.match
    south = match.south if match is not None and match.south else SOUTH
    frame = None if table.disturbed else table.frame
    quarters = quarters_of(south, frame, sight_of(settled.reading))
    one_turn = settled.touched and turns_at_most(table.visits, settled.glimpses) <= 1
    seen = seen_of(settled, quarters, one_turn=one_turn)
    noted: tuple[Noted, ...] = ()
    if table.disturbed and match is not None and not match.closed:
        turn = _turn(table, quixo.GAME.read(match.state), seen)
        if turn:
            quarters = (quarters + turn) % 4
            seen = seen_of(settled, quarters, one_turn=one_turn)
            side = next(name for name, count in SOUTH_QUARTERS.items() if count == quarters)
            noted = (Noted(Seated(side), settled.at_s, settled.number),)
    table = take(game, table, noted)
    frame = (settled.reading.quad_px, quarters)
    return replace(table, frame=frame, shown=seen, visits=(), disturbed=False, blind=False), noted


def _turn(table: Table, state: quixo.State, seen: Seen) -> int:
    """Quarter turns by which camera or board were turned, where the match's board tells it.

    Few marks look alike after a turn and after a move. What a hand may have played is a move;
    without a hand it is a turn.
    """
    turn = turn_that_fits(seen, state)
    may_be_played = seen.touched or table.shown is None
    return 0 if turn and may_be_played and judge_seen(state, seen).legal else turn


@dataclass(frozen=True, slots=True)
class _Look:
    """One look at a settled table.

    Attributes:
        match: before it.
        seen: what the table shows.
        pending: what the match's pending move was ruled on from, or None.
        foul_lies: the board of a foul lies there, or lay there until this look.
        commits: a decided move takes effect at once.
        watched: what happened was seen to happen, so that it can be held against somebody.
        faint: cells that were in doubt before this move.
        same: cells that most likely show what they showed before.
    """

    game: AnyGame
    match: Match[Any]
    seen: Seen
    pending: Seen | None
    foul_lies: bool
    commits: bool
    watched: bool
    faint: frozenset[int] = frozenset()
    same: frozenset[int] = frozenset()

    def shows_the_match(self, odd: frozenset[int]) -> bool:
        """Tell whether the match's own board lies there, some cells being of no account."""
        state = quixo.GAME.read(self.match.state)
        return shows(self.seen.blind_to(odd | self._still(state)), state)

    def _still(self, state: quixo.State) -> frozenset[int]:
        """Cells in doubt before and after that look no other way now: they are what they were."""
        return self.faint & self.same & faint_cells(self.seen, state)

    def events(self, odd: frozenset[int]) -> Found:
        """What happened, if anything.

        Args:
            odd: cells that are of no account, since they were read wrong before already.
        """
        state = quixo.GAME.read(self.match.state)
        if self._is_the_match_s(state):
            put_back = self.match.pending is not None
            return ((Restored(), None),) if put_back else ()
        if self._is_known():
            return ()
        if odd:
            return replace(self, seen=self.seen.blind_to(odd)).events(frozenset())
        told = self._told(state)
        for other in self._otherwise(state, told):
            return other
        return self._moved(self.match, told)

    def _is_the_match_s(self, state: quixo.State) -> bool:
        """Tell whether the table shows the match's board, with no new move made on it."""
        same = shows(self.seen.blind_to(self._still(state)), state)
        if not same and (self.seen.touched or not may_show(self.seen, state)):
            return False
        pending = self.match.pending
        if pending is not None and self._lies(pending.after):
            return False  # a move that leaves the board as it was, and waits for the button
        return not self.seen.during or pending is not None or self.foul_lies

    def _is_known(self) -> bool:
        """Tell whether what lies there was ruled on already, and nothing is new about it."""
        pending, foul = self.match.pending, self.match.left_lying
        if self.foul_lies and foul is not None and self._lies(foul):
            return True
        if pending is None or not self._lies(pending.after) or self.seen.during:
            return False
        return len(self.seen.after.doubts) >= len(self.match.doubts)

    def _lies(self, layout_text: str) -> bool:
        state = quixo.GAME.read(self.match.state)
        return shows(self.seen, replace(state, layout=quixo.Layout.read(layout_text)))

    def _told(self, state: quixo.State) -> Told:
        """The ruling that fits best: a move since the last, or with what is pending."""
        tries = [self.seen]
        if self.foul_lies or self.match.pending is not None:
            tries = [since_put_back(self.seen, state)]
        if self.pending is not None:
            tries = [self.pending.joined(self.seen), *tries]
        told = [judge_seen(state, one) for one in tries]
        return min(told, key=lambda one: (not one.legal, not one.decided, not one.ruling.moves))

    def _moved(self, match: Match[Any], told: Told) -> Found:
        """A move, which takes effect if it is decided and nobody has to press a button.

        Of a foul that was not seen put right, cubes may still be under way back: what looks like
        another foul on top of it is asked about.
        """
        undoing = self.foul_lies and match is self.match
        event = Moved(
            tuple(layout.write() for layout in told.during),
            told.after.write(),
            told.seen.one_turn,
            told.doubts,
            not self.watched or undoing,
        )
        ruling = advance(self.game, match, event).provisional
        decided = ruling is not None and ruling.verdict is not Verdict.UNDECIDED
        return ((event, told), *(((Committed(), None),) if decided and self.commits else ()))

    def _otherwise(self, state: quixo.State, told: Told) -> Iterator[Found]:
        """What is likelier to have happened than two moves, a foul, or what nothing explains."""
        if not told.plain:
            yield from self._went_on(or_foul=not told.decided)
        if told.legal:
            return
        yield from self._taken_back()
        yield from self._read_better()
        if not told.decided:
            yield from self._left_alone(state)
        acts = max((len(entry.moves) for entry in told.ruling.moves), default=0)
        if acts != 1:  # nothing, or two acts in one visit: a hole that slides along looks like one
            yield from self._misread_glimpse(state, all_of_them=not acts)

    def _taken_back(self) -> Iterator[Found]:
        """The table shows the board before the last move."""
        steps = self.match.steps
        if self.match.pending is None and len(steps) > 1 and not self.foul_lies:
            before = quixo.GAME.read(steps[-2].state)
            if shows(self.seen, before):
                yield ((Undone(), None),)

    def _read_better(self) -> Iterator[Found]:
        """Nobody touched anything: the last reading was wrong, and this one is a legal move."""
        last = self.match.steps[-1]
        if self.seen.touched or self.match.pending is not None or len(self.match.steps) < 2:
            return
        if not isinstance(last.event, SeenEvent):
            return
        if self.seen.after.doubts:
            return
        after = self.seen.after.layout.write()
        event = Reread(last.event.during, after, last.event.one_turn)
        match = advance(self.game, self.match, event)
        if match.provisional is not None and match.provisional.verdict is Verdict.LEGAL:
            yield ((event, None), (Committed(), None))

    def _left_alone(self, state: quixo.State) -> Iterator[Found]:
        """A legal move, if cells in doubt before it and after it are what they were before it.

        Only those count that the move leaves as they were: what it changed has to be seen.
        """
        faint = self.faint & faint_cells(self.seen, state)
        if not faint:
            return
        look = replace(self, seen=self.seen.blind_to(faint))
        told = look._told(state)
        if told.plain:
            after = quixo.GAME.read(told.ruling.state_text).layout
            if all(after.marks[index] == state.layout.marks[index] for index in faint):
                yield look._moved(self.match, told)

    def _went_on(self, *, or_foul: bool) -> Iterator[Found]:
        """The next player went on from a move that waits, or from a foul left as it lay.

        On a foul that lies there no further one is told: cubes under way back look like one.

        Args:
            or_foul: by a foul as well, of the usual kind; else by a legal move alone.
        """
        first = self._first()
        match = self.match
        for event in first:
            match = advance(self.game, match, event)
        state = quixo.GAME.read(match.state)
        if first and state.decision is None:
            told = judge_seen(state, self.seen)
            fouled = or_foul and not self.foul_lies and told.decided and told.usual
            if told.legal or fouled:
                yield (*((event, None) for event in first), *self._moved(match, told))

    def _first(self) -> tuple[Event, ...]:
        """What makes the board that lay there the match's, if anything does."""
        if self.foul_lies:
            return (Stood(),)
        ruling, pending = self.match.provisional, self.match.pending
        if ruling is None or pending is None:
            return ()
        if ruling.verdict is Verdict.LEGAL:
            return (Committed(),)
        if not self.match.doubts:
            return ()
        # Nobody answered. What was in doubt counts as not seen, which is held against nobody.
        event = Reread(pending.during, _unseen(pending.after, self.match.doubts), pending.one_turn)
        ruling = advance(self.game, self.match, event).provisional
        legal = ruling is not None and ruling.verdict is Verdict.LEGAL
        return (event, Committed()) if legal else ()

    def _misread_glimpse(self, state: quixo.State, *, all_of_them: bool) -> Iterator[Found]:
        """Without one glimpse, or without any, it is a legal move: it is never a foul.

        Where it is a usual foul without another one, the glimpses contradict each other: nothing is
        told then, since either may be the one that was misread. Nor is anything where the board is
        as it was: without its glimpses that is a move of one of several equal cubes, but rather a
        foul that was taken back before it was read.

        Args:
            state: before the move.
            all_of_them: try it without any glimpse, too.
        """
        if shows(self.seen.blind_to(self._still(state)), state):
            return
        count = len(self.seen.during)
        fewer = [tuple(n for n in range(count) if n != left) for left in range(count)]
        tried = [judge_seen(state, self.seen.only(keep)) for keep in fewer]
        if any(told.decided and told.usual and not told.legal for told in tried):
            return
        if count > 1 and all_of_them:
            tried.append(judge_seen(state, self.seen.only(())))
        legal = next((told for told in tried if told.legal), None)
        if legal is not None:
            yield self._moved(self.match, legal)


def _unseen(layout_text: str, doubts: tuple[Doubt, ...]) -> str:
    """A board with what is in doubt about it not seen."""
    layout = quixo.Layout.read(layout_text)
    asked = tuple(Asked(d.where, d.candidates) for d in doubts if d.picture == "after")
    return as_glimpse(Sight(layout, asked)).write()
