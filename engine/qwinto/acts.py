"""What one seat's change of its sheet amounts to: the entry, erasures allowed or not, marks.

``qwinto.late-error`` lets a number go that breaks a placement rule, of two conflicting numbers the
one logged later.  Whether it was written on the open roll decides if it may be written elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.qwinto.layout import (
    BOXES,
    EMPTY,
    FIELDS_A_ROW,
    UNSEEN,
    Sheet,
    column_indices,
    fields,
)
from engine.qwinto.move import Erased, Kind, Move, Written
from engine.qwinto.state import NO_FIELD, SEATS, Player, State


@dataclass(frozen=True, slots=True)
class Act:
    """One change taken apart.

    Attributes:
        player: who made it, as they stood before.
        entries: numbers written in answer to the open roll.
        moved: numbers that had been erased, by this act or on this roll, and stand elsewhere now,
            or numbers put over an erased one.
        early: erased as the rule allows, written on the open roll.
        late: erased as the rule allows, written on an earlier roll.
        earlier: erased although the number that conflicts with it was logged later.
        sound: erased although nothing was wrong with it, or nothing stood there.
        standing: numbers written on the open roll before this act that still stand.
        price: failed throws that the late erasures cost.
        marks: failed throws marked beyond that price.
    """

    player: Player
    entries: tuple[Written, ...]
    moved: tuple[Written, ...]
    early: tuple[Erased, ...]
    late: tuple[Erased, ...]
    earlier: tuple[Erased, ...]
    sound: tuple[Erased, ...]
    standing: int
    price: int
    marks: int


def act_of(state: State, move: Move) -> Act:
    """Return what a change of a sheet amounts to.

    Args:
        state: before the change.
        move: a change or a pass.
    """
    assert move.seat is not None
    player = state.player(move.seat)
    kinds: dict[str, list[Erased]] = {"early": [], "late": [], "earlier": [], "sound": []}
    for erased in move.erased:
        kinds[_kind_of(player, erased)].append(erased)
    moved = tuple(w for w in move.writes if not move.late and _is_moved(state, player, kinds, w))
    entries = () if move.late else tuple(w for w in move.writes if w not in moved)
    gone = {erased.field.index for erased in move.erased}
    price = len(kinds["late"]) if state.options.late_erasure_costs_failed else 0
    return Act(
        player,
        entries,
        moved,
        early=tuple(kinds["early"]),
        late=tuple(kinds["late"]),
        earlier=tuple(kinds["earlier"]),
        sound=tuple(kinds["sound"]),
        standing=sum(index not in gone for index in player.fresh),
        price=price,
        marks=max(move.failed - price, 0) if price else move.failed,
    )


def conflicts(sheet: Sheet, index: int) -> tuple[int, ...]:
    """Return the places whose numbers break a placement rule together with the one at ``index``."""
    numbers, number = sheet.numbers, sheet.numbers[index]
    if number <= EMPTY:
        return ()
    first = index - index % FIELDS_A_ROW
    found = [other for other in range(first, index) if numbers[other] >= number]
    after = range(index + 1, first + FIELDS_A_ROW)
    found += [other for other in after if EMPTY < numbers[other] <= number]
    column = column_indices(fields()[index].column)
    found += [other for other in column if other != index and numbers[other] == number]
    return tuple(found)


def may_erase(player: Player, index: int) -> bool:
    """Tell whether ``qwinto.late-error`` lets the number at ``index`` go."""
    since = _logged(player, index)
    return any(
        since > _logged(player, other) or since == NO_FIELD == _logged(player, other)
        for other in conflicts(player.sheet, index)
    )


def _logged(player: Player, index: int) -> int:
    """Return when a number was written, as a rank; ``NO_FIELD`` for before all that is known."""
    return player.order.index(index) if index in player.order else NO_FIELD


def _kind_of(player: Player, erased: Erased) -> str:
    index = erased.field.index
    if index is None or player.sheet.numbers[index] == EMPTY:
        return "sound"
    number = player.sheet.numbers[index]
    if erased.number is not None and number not in (erased.number, UNSEEN):
        return "sound"
    if may_erase(player, index):
        return "early" if index in player.fresh else "late"
    return "earlier" if conflicts(player.sheet, index) else "sound"


def _is_moved(
    state: State, player: Player, kinds: dict[str, list[Erased]], written: Written
) -> bool:
    wrongly = kinds["earlier"] + kinds["sound"]
    if any(erased.field == written.field for erased in wrongly):
        return True
    if state.throw is not None and state.throw.could_be(written.number, written.field.row):
        return False
    erased_numbers = {_number(player, erased) for erased in wrongly + kinds["late"]}
    return written.number in erased_numbers or written.number in player.erased


def _number(player: Player, erased: Erased) -> int | None:
    index = erased.field.index
    return erased.number if index is None else player.sheet.numbers[index]


def sheet_after(sheet: Sheet, move: Move) -> Sheet:
    """Return the sheet after a change; numbers beside the number fields leave no trace."""
    numbers = list(sheet.numbers)
    for erased in move.erased:
        if erased.field.index is not None:
            numbers[erased.field.index] = EMPTY
    for written in move.writes:
        if written.field.index is not None:
            numbers[written.field.index] = written.number
    failed = sheet.failed
    if failed != UNSEEN:
        failed = min(max(failed + move.failed, 0), BOXES)
    return Sheet(tuple(numbers), failed)


def player_after(state: State, move: Move) -> Player:
    """Return what lies before the seat that made a change or passed."""
    act = act_of(state, move)
    player = act.player
    if move.kind is Kind.PASS:
        return replace(player, passed=True)
    gone = {erased.field.index for erased in move.erased}
    written = [_place(w) for w in move.writes]
    fresh = [i for i in player.fresh if i not in gone and (i == NO_FIELD or i not in written)]
    fresh += [_place(w) for w in act.entries]
    numbered = [index for index in written if index != NO_FIELD]
    order = [i for i in player.order if i not in gone and i not in numbered]
    late = [_number(player, erased) for erased in act.late]
    return Player(
        sheet_after(player.sheet, move),
        tuple(order + numbered),
        tuple(fresh),
        min(max(player.marked + act.marks, 0), BOXES),
        (*player.erased, *(number for number in late if number is not None)),
        False,
        player.barred,
    )


def _place(written: Written) -> int:
    return NO_FIELD if written.field.index is None else written.field.index


def with_player(state: State, seat: str, player: Player) -> State:
    """Return the state with another sheet before ``seat``."""
    at = SEATS.index(seat)
    return replace(state, players=(*state.players[:at], player, *state.players[at + 1 :]))
