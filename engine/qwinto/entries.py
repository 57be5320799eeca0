"""One small check a rule about what is written, erased or marked: to a ``Breach`` or None."""

from __future__ import annotations

from engine.qwinto.acts import Act, act_of, sheet_after
from engine.qwinto.checks import must_rethrow, owes
from engine.qwinto.ending import ended
from engine.qwinto.layout import EMPTY, FIELDS_A_ROW, NUMBER_COLUMNS, column_indices, fields
from engine.qwinto.move import Kind, Move, Written
from engine.qwinto.state import State
from engine.qwinto.words import ROW_EN, ROW_FR
from engine.rules import Breach


def check_cocked(state: State, move: Move) -> Breach | None:
    """``qwinto.dice.cocked``: a cocked throw is thrown again before anybody answers it."""
    if move.kind is not Kind.CHANGE or not must_rethrow(state) or state.over:
        return None
    act = act_of(state, move)
    if not act.entries and not act.marks:
        return None
    return Breach(
        "dice",
        f"{move.seat} answered a throw with a die that did not lie flat; it is thrown again first.",
        f"{move.seat} a répondu à un lancer dont un dé n'était pas à plat ; on le relance d'abord.",
    )


def check_sum(state: State, move: Move) -> Breach | None:
    """``qwinto.sum``: what is written is the sum of the dice."""
    throw = state.throw
    if throw is None or not throw.seen:
        return None
    for written in _entries(state, move):
        if written.number != throw.total:
            return Breach(
                written.field.name,
                f"{written.number} was written at {written.field.name}, but the dice show "
                f"{throw.total}.",
                f"{written.number} est écrit en {written.field.name}, mais les dés donnent "
                f"{throw.total}.",
            )
    return None


def check_entry(state: State, move: Move) -> Breach | None:
    """``qwinto.entry``: at most one number a player and roll."""
    if move.kind not in (Kind.CHANGE, Kind.PASS) or not state.throws or state.over:
        return None
    act = act_of(state, move)
    if act.player.barred and act.entries:
        return Breach(
            act.entries[0].field.name,
            f"{move.seat} had lost the right to write on this roll.",
            f"{move.seat} avait perdu le droit d'écrire sur ce lancer.",
        )
    count = act.standing + len(act.entries)
    if (count <= 1 or not act.entries) and not (move.kind is Kind.PASS and count):
        return None
    if move.kind is Kind.PASS:
        return Breach(
            f"sheet {move.seat}",
            f"{move.seat} has written on this roll and so cannot pass.",
            f"{move.seat} a écrit sur ce lancer et ne peut donc pas passer.",
        )
    return Breach(
        act.entries[-1].field.name,
        f"{move.seat} wrote {count} numbers on one roll; one is allowed.",
        f"{move.seat} a écrit {count} nombres sur un lancer ; un seul est permis.",
    )


def check_field(state: State, move: Move) -> Breach | None:
    """``qwinto.entry.field``: numbers stand in number fields."""
    for written in _written(state, move):
        if written.field.index is None:
            name = written.field.name
            columns = ", ".join(map(str, NUMBER_COLUMNS[written.field.row]))
            return Breach(
                name,
                f"{name} is no number field; {ROW_EN[written.field.row]} has columns {columns}.",
                f"{name} n'est pas une case à nombre ; {ROW_FR[written.field.row]} a les "
                f"colonnes {columns}.",
            )
    return None


def check_free(state: State, move: Move) -> Breach | None:
    """``qwinto.entry.free``: a number goes into an empty field."""
    erased = {entry.field for entry in move.erased}
    for written in _written(state, move):
        index = written.field.index
        if index is None or written.field in erased or move.seat is None:
            continue
        there = state.player(move.seat).sheet.numbers[index]
        if there > EMPTY:
            return Breach(
                written.field.name,
                f"{written.field.name} already held {there}.",
                f"{written.field.name} contenait déjà {there}.",
            )
    return None


def check_time(state: State, move: Move) -> Breach | None:
    """``qwinto.entry.time``: a number is written before the next first throw."""
    written = _written(state, move)
    if not written or not (move.late or not state.throws):
        return None
    name = written[0].field.name
    if not state.throws:
        return Breach(
            name,
            f"{move.seat} wrote at {name} although nothing had been thrown.",
            f"{move.seat} a écrit en {name} alors que rien n'avait été lancé.",
        )
    return Breach(
        name,
        f"{move.seat} wrote at {name} for the roll before, after the next first throw.",
        f"{move.seat} a écrit en {name} pour le lancer d'avant, après le lancer suivant.",
    )


def check_colour(state: State, move: Move) -> Breach | None:
    """``qwinto.entry.colour``: the row's colour was thrown."""
    throw = state.throw
    if throw is None or not throw.seen:
        return None
    for written in _entries(state, move):
        row = written.field.row
        if row not in throw.colours:
            return Breach(
                written.field.name,
                f"{written.field.name} is in the {ROW_EN[row]} row, but {ROW_EN[row]} was not "
                "thrown.",
                f"{written.field.name} est dans la rangée {ROW_FR[row]}, mais {ROW_FR[row]} "
                "n'a pas été lancé.",
            )
    return None


def check_ascending(state: State, move: Move) -> Breach | None:
    """``qwinto.row.ascending``: numbers increase from left to right."""
    for index, number, numbers in _placed(state, move):
        first = index - index % FIELDS_A_ROW
        for other in range(first, first + FIELDS_A_ROW):
            there = numbers[other]
            if other == index or there <= EMPTY:
                continue
            if (other < index and there >= number) or (other > index and there <= number):
                here, beside = fields()[index].name, fields()[other].name
                return Breach(
                    here,
                    f"{number} at {here} does not fit with {there} at {beside}: a row increases "
                    "from left to right.",
                    f"{number} en {here} ne va pas avec {there} en {beside} : une rangée croît "
                    "de gauche à droite.",
                )
    return None


def check_distinct(state: State, move: Move) -> Breach | None:
    """``qwinto.column.distinct``: no number twice in a column."""
    for index, number, numbers in _placed(state, move):
        here = fields()[index]
        for other in column_indices(here.column):
            if other != index and numbers[other] == number:
                beside = fields()[other].name
                return Breach(
                    here.name,
                    f"{number} stands at {here.name} and at {beside} in the same column.",
                    f"{number} figure en {here.name} et en {beside}, dans la même colonne.",
                )
    return None


def check_permanent(state: State, move: Move) -> Breach | None:
    """``qwinto.permanent``: what is written stays, unless it broke a placement rule."""
    act = _act(state, move)
    if act is None or not act.sound:
        return None
    erased = act.sound[0]
    name, index = erased.field.name, erased.field.index
    there = EMPTY if index is None else act.player.sheet.numbers[index]
    if there == EMPTY or (erased.number is not None and there != erased.number):
        number = "" if erased.number is None else f" {erased.number}"
        return Breach(
            name,
            f"There was no number{number} to erase at {name}.",
            f"Il n'y avait pas de nombre{number} à effacer en {name}.",
        )
    return Breach(
        name,
        f"{there} at {name} was erased or changed although it broke no placement rule.",
        f"{there} en {name} a été effacé ou changé alors qu'il respectait les règles.",
    )


def check_failed(state: State, move: Move) -> Breach | None:
    """``qwinto.failed``: who throws and writes nothing marks one failed throw, others none."""
    if state.over:
        return None
    if move.kind is Kind.ROLL:
        return _unpaid(state)
    if move.kind not in (Kind.CHANGE, Kind.PASS):
        return None
    act = act_of(state, move)
    marked, seat = act.player.marked + act.marks, move.seat
    where = f"failed {seat}"
    if act.marks < 0:
        return Breach(
            where,
            f"{seat} erased the mark of a failed throw.",
            f"{seat} a effacé la marque d'un lancer raté.",
        )
    if seat != state.active or not state.throws:
        if not act.marks:
            return None
        return Breach(
            where,
            f"{seat} marked a failed throw without having thrown.",
            f"{seat} a coché un lancer raté sans avoir lancé.",
        )
    return _own_mark(act, move, marked, where)


def _unpaid(state: State) -> Breach | None:
    if not owes(state) or ended(state):
        return None
    seat = state.active
    return Breach(
        f"failed {seat}",
        f"{seat} threw, wrote nothing and did not mark a failed throw.",
        f"{seat} a lancé, n'a rien écrit et n'a pas coché de lancer raté.",
    )


def _own_mark(act: Act, move: Move, marked: int, where: str) -> Breach | None:
    """Judge the marks of the seat that threw."""
    seat = move.seat
    if move.kind is Kind.CHANGE and not act.marks and not act.entries:
        return None  # whatever stood there before was ruled on then
    if move.kind is Kind.PASS and not act.standing and not marked:
        return Breach(
            where,
            f"{seat} threw and writes nothing, so must mark a failed throw.",
            f"{seat} a lancé et n'écrit rien : il faut cocher un lancer raté.",
        )
    if marked and act.standing + len(act.entries):
        return Breach(
            where,
            f"{seat} wrote a number and marked a failed throw on the same roll.",
            f"{seat} a écrit un nombre et coché un lancer raté sur le même lancer.",
        )
    if marked > 1:
        return Breach(
            where,
            f"{seat} marked {marked} failed throws for one roll.",
            f"{seat} a coché {marked} lancers ratés pour un seul lancer.",
        )
    return None


def check_late_error(state: State, move: Move) -> Breach | None:
    """``qwinto.late-error``: what is erased, what may still be written, what it costs."""
    act = _act(state, move)
    if act is None:
        return None
    if act.earlier:
        name = act.earlier[0].field.name
        return Breach(
            name,
            f"The number at {name} was erased, but the one it conflicts with was written later.",
            f"Le nombre en {name} a été effacé, mais celui qui le contredit a été écrit après.",
        )
    elsewhere = [w for w in act.moved if all(e.field != w.field for e in act.sound)]
    if elsewhere and not act.sound:
        name = elsewhere[0].field.name
        return Breach(
            name,
            f"{elsewhere[0].number} was erased after its roll and may not be written again "
            f"at {name}.",
            f"{elsewhere[0].number} a été effacé après son lancer et ne peut être réécrit "
            f"en {name}.",
        )
    if act.price and move.failed < act.price:
        return Breach(
            f"failed {move.seat}",
            "A number erased after its roll costs a failed throw, as agreed.",
            "Un nombre effacé après son lancer coûte un lancer raté, comme convenu.",
        )
    return None


def _act(state: State, move: Move) -> Act | None:
    if move.kind is not Kind.CHANGE or state.over:
        return None
    return act_of(state, move)


def _entries(state: State, move: Move) -> tuple[Written, ...]:
    """Return the numbers that answer the open roll."""
    act = _act(state, move)
    return () if act is None else act.entries


def _written(state: State, move: Move) -> tuple[Written, ...]:
    return () if state.over else move.writes


def _placed(state: State, move: Move) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return place, number and all numbers afterwards for each number put into a field."""
    written = _written(state, move)
    if not written or move.seat is None:
        return []
    numbers = sheet_after(state.player(move.seat).sheet, move).numbers
    return [(w.field.index, w.number, numbers) for w in written if w.field.index is not None]
