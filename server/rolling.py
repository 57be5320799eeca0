"""What a roll means for the match. Pure; part of `server.refereeing`.

A roll that was seen is ruled on like a settled board, and takes effect like one. What a camera over
the tray does not see are the sheets: where people enter them, a roll that comes before the answers
to the one before waits for these; where nobody does, the answers are taken as given out of view.
Nobody is accused of what was not seen.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from engine import Verdict
from engine.events import Committed, Corrected, Doubt, Event, Moved, Played, Reread
from engine.match import Match, advance
from server.refereeing import AnyGame, Noted, Step, Table, Tray, take
from server.throws import DICE_GAMES, Lay, NoLay
from vision.clusters import overlap_share
from vision.dice.rolls import Rolled
from vision.readers.dice import Die

SAME_DIE: Final = 0.6
"""A die whose box shares this with one of a cocked throw has stayed where it lay."""
UNSURE: Final = (("yes", 0.5), ("no", 0.5))
"""Whether dice were rolled at all, where that could not be seen: no figure stands behind it."""
ROLL: Final = "roll"
"""Place of that doubt, where others have the place of a die."""


def rolled_on(game: AnyGame, table: Table, rolled: Rolled) -> Step:
    """Take in a roll."""
    match = table.match
    waits_for_photo = table.commit == "upload" and bool(rolled.numbers)
    if match is None or match.closed or game.id not in DICE_GAMES or waits_for_photo:
        return table, ()
    state = game.read(match.state)
    if game.over(state) is not None:
        return replace(table, tray=Tray()), ()
    stands = state.options.cocked_dice == "stands"
    if (rolled.cocked or rolled.stacked) and not stands:
        return replace(table, tray=_cocked(table.tray, rolled)), ()
    dice = _with_kept(table.tray.cocked, rolled)
    lay = DICE_GAMES[game.id].lay(state, _doubting(dice, rolled), rolled.colour_threshold)
    if isinstance(lay, NoLay):
        return replace(table, tray=Tray(lay.key, lay.values)), ()
    first = _first(game, match)
    for event in first:
        match = advance(game, match, event)
    asked = (Doubt("after", ROLL, UNSURE),) if rolled.unsure else ()
    events = _moved(game, table, match, lay, asked)
    glimpses = (rolled.flight if rolled.flight is not None else rolled.number,)
    seen = tuple(
        Noted(e, rolled.at_s, rolled.number, glimpses if isinstance(e, Moved) else ())
        for e in events
    )
    noted = (*(table.tray.noted(event) for event in first), *seen)
    tray = Tray(seen=next(n for n in seen if isinstance(n.event, Moved)))
    return take(game, replace(table, tray=tray), noted), noted


def _cocked(tray: Tray, rolled: Rolled) -> Tray:
    """The tray with a throw that does not count."""
    if rolled.stacked:
        return Tray("stacked", seen=tray.seen)
    layout = rolled.reading.layout
    assert layout is not None
    dice = layout.dice if tray.cocked is None else (*layout.dice, *_kept(tray.cocked, rolled))
    whole = replace(rolled, reading=replace(rolled.reading, layout=replace(layout, dice=dice)))
    return Tray("cocked", cocked=whole, seen=tray.seen)


def _with_kept(cocked: Rolled | None, rolled: Rolled) -> tuple[Die, ...]:
    """The dice of a roll; of a throw with a cocked die those that lay flat still count."""
    layout = rolled.reading.layout
    assert layout is not None
    return layout.dice if cocked is None else (*layout.dice, *_kept(cocked, rolled))


def _kept(cocked: Rolled, rolled: Rolled) -> tuple[Die, ...]:
    """Flat dice of a cocked throw that have stayed where they lay, as they are read now."""
    layout = cocked.reading.layout
    assert layout is not None
    flat = [die for i, die in enumerate(layout.dice) if i not in cocked.cocked and die.flat]
    return tuple(
        other
        for other in rolled.others
        if any(overlap_share(other.box_px, die.box_px) >= SAME_DIE for die in flat)
    )


def _doubting(dice: Sequence[Die], rolled: Rolled) -> tuple[Die, ...]:
    """Dice of which those that do not lie flat are asked about."""
    return tuple(
        replace(die, asked=True) if i in rolled.cocked else die for i, die in enumerate(dice)
    )


def _moved(
    game: AnyGame, table: Table, match: Match[Any], lay: Lay, asked: tuple[Doubt, ...]
) -> tuple[Event, ...]:
    """The events of a roll: what is left open before it, the roll, and its taking effect."""
    moved = Moved((lay.rolling,), lay.after, doubts=(*lay.doubts, *asked))
    before: tuple[Event, ...] = ()
    if _verdict(game, match, moved) is not Verdict.LEGAL:
        answered = _answered(game, match)
        keeps = _keeps_sheets(match)
        if answered is not None:
            verdict = _verdict(game, advance(game, match, answered), moved)
            if keeps and verdict is Verdict.LEGAL:
                moved = replace(moved, unwatched=True)
            elif not keeps and verdict is not Verdict.UNDECIDED:
                before = (answered,)
    for event in before:
        match = advance(game, match, event)
    return (*before, moved, *_effect(game, table, match, moved))


def _verdict(game: AnyGame, match: Match[Any], moved: Moved) -> Verdict:
    """What a roll would be ruled, were nothing of it in doubt."""
    ruling = advance(game, match, replace(moved, doubts=())).provisional
    assert ruling is not None  # of a move that waits
    return ruling.verdict


def _answered(game: AnyGame, match: Match[Any]) -> Corrected | None:
    """The match with the answers to the open roll left open; None where nobody owes one."""
    state = game.read(match.state)
    answered = DICE_GAMES[game.id].answered(state)
    return None if answered == state else Corrected(game.write(answered))


def _keeps_sheets(match: Match[Any]) -> bool:
    """True when people enter their sheets here: then a roll can wait for what is missing."""
    return any(isinstance(step.event, Played) and ":" in step.event.move for step in match.steps)


def _effect(
    game: AnyGame, table: Table, match: Match[Any], moved: Moved | Reread
) -> tuple[Event, ...]:
    """The commit of a roll, where it takes effect by itself."""
    ruling = advance(game, match, moved).provisional
    decided = ruling is not None and ruling.verdict is not Verdict.UNDECIDED
    return (Committed(),) if decided and table.commit != "button" else ()


def _first(game: AnyGame, match: Match[Any]) -> tuple[Event, ...]:
    """What becomes of a roll that waits when play goes on: it takes effect if nothing speaks
    against it. One that was asked about and not answered is dropped: it stays in the record."""
    pending, ruling = match.pending, match.provisional
    if not isinstance(pending, Moved) or ruling is None or match.doubts:
        return ()
    if ruling.verdict is Verdict.LEGAL:
        return (Committed(),)
    answered = _answered(game, match)
    if answered is None:
        return ()
    watched = replace(pending, unwatched=False)
    if _verdict(game, advance(game, match, answered), watched) is not Verdict.LEGAL:
        return ()
    return (answered, watched, Committed())


# --- What people say about rolls ---


def went_on(game: AnyGame, table: Table, match: Match[Any], played: Played) -> tuple[Event, ...]:
    """A move named by people; a roll that waits for it is judged again after it.

    A throw named by people takes the place of the one that waits.
    """
    pending = match.pending
    waits = game.id in DICE_GAMES and isinstance(pending, Moved) and ":" in played.move
    if not waits:
        return (played,)
    assert isinstance(pending, Moved)
    again = replace(pending, unwatched=False)
    match = advance(game, match, played)
    if not again.doubts and _verdict(game, match, again) is not Verdict.LEGAL:
        again = replace(again, unwatched=pending.unwatched)
    return (played, again, *_effect(game, table, match, again))


def reread_roll(
    game: AnyGame, table: Table, match: Match[Any], last: Moved | Reread, dice: str
) -> tuple[Event, ...]:
    """The roll seen last with the dice that people name; what was asked about it is answered.

    Raises:
        ValueError: the game has no rolls that are seen.
        TextError: these are no dice of the game.
    """
    if game.id not in DICE_GAMES:
        raise ValueError(f"roll: {game.id} has no dice")
    after = DICE_GAMES[game.id].reread(last.after, dice)
    reread = Reread(last.during, after, last.one_turn)
    ruling = advance(game, match, reread).provisional
    legal = ruling is not None and ruling.verdict is Verdict.LEGAL
    if match.pending is None or legal:
        return (reread, *_effect(game, table, match, reread))
    lay = Lay(last.during[0] if last.during else after, after, ())
    events = _moved(game, table, match, lay, ())
    if len(events) > 1 or _is_unwatched(events[0]):  # sheets that were not seen stand in its way
        return events
    return (reread, *_effect(game, table, match, reread))


def _is_unwatched(event: Event) -> bool:
    return isinstance(event, Moved) and event.unwatched
