"""One small check a rule: a state and a move to a ``Breach``, or None when the rule is kept."""

from __future__ import annotations

from engine.detrak.layout import EMPTY, NAMES, START, UNSEEN, neighbours
from engine.detrak.move import Kind, Move
from engine.detrak.scoring import score, wrong_sums
from engine.detrak.state import DICE, ROUNDS, State
from engine.detrak.words import box_en, box_fr, cells, seat_en, seat_fr, seats_en, seats_fr, symbols
from engine.rules import Breach


def check_no_breach(_state: State, _move: Move) -> Breach | None:
    """Keep every move: the rule decides what a sheet is worth or who wins."""
    return None


def check_start(state: State, move: Move) -> Breach | None:
    """``detrak.start``: everybody writes one symbol first, all different."""
    if move.kind is Kind.START:
        return _start_symbol(state, move)
    if state.decision is not None or move.kind in (Kind.SUMS, Kind.HIDE):
        return None
    late = state.unstarted() if move.is_throw() else tuple({move.seat} & set(state.unstarted()))
    if not late:
        return None
    return Breach(
        f"seat {' '.join(late)}",
        f"The start cell is still empty: {seats_en(late)}.",
        f"La case de départ est encore vide : {seats_fr(late)}.",
    )


def _start_symbol(state: State, move: Move) -> Breach | None:
    cell = NAMES[START]
    if state.sheet(move.seat).cells[START] != EMPTY:
        return Breach(
            cell,
            f"{seat_en(move.seat)} has a start symbol already.",
            f"{seat_fr(move.seat)} a déjà un symbole de départ.",
        )
    symbol = move.marks[0][1]
    others = tuple(
        seat for seat, theirs in state.start_symbols() if theirs == symbol and seat != move.seat
    )
    if not others:
        return None
    return Breach(
        cell,
        f"The start symbol {symbol} is taken: {seats_en(others)}.",
        f"Le symbole de départ {symbol} est déjà pris : {seats_fr(others)}.",
    )


def check_open(_state: State, move: Move) -> Breach | None:
    """``detrak.open``: sheets lie open."""
    if move.kind is not Kind.HIDE:
        return None
    return Breach(
        f"seat {move.seat}",
        f"{seat_en(move.seat)} does not show the sheet.",
        f"{seat_fr(move.seat)} ne montre pas sa feuille.",
    )


def check_roll(state: State, move: Move) -> Breach | None:
    """``detrak.roll``: both dice, once a round, twelve rounds."""
    if not move.is_throw():
        return None
    if len(move.dice) != DICE:
        return Breach(
            "dice",
            f"Both dice are thrown, not {len(move.dice)}.",
            f"On lance les deux dés, pas {len(move.dice)}.",
        )
    if move.kind is Kind.REROLL:
        return Breach(
            "dice",
            "The dice were thrown twice in one round.",
            "Les dés ont été lancés deux fois dans le même tour.",
        )
    if state.rounds < ROUNDS or state.decision is not None:
        return None
    return Breach(
        "dice",
        f"There are {ROUNDS} rounds, and all have been rolled.",
        f"Il y a {ROUNDS} tours, et tous ont été lancés.",
    )


def check_announce(_state: State, move: Move) -> Breach | None:
    """``detrak.roll.announce``: the symbols called out lie on the dice."""
    if not move.is_throw() or move.called() == move.dice:
        return None
    called, lying = symbols(move.called()), symbols(move.dice)
    return Breach(
        "dice",
        f"Called out were {called}, but the dice show {lying}.",
        f"On a annoncé {called}, mais les dés montrent {lying}.",
    )


def check_cocked(state: State, move: Move) -> Breach | None:
    """``detrak.roll.cocked``: a die that does not lie flat is thrown again, unless agreed."""
    if not move.cocked or state.options.cocked_dice != "reroll":
        return None
    return Breach(
        "dice",
        "A die does not lie flat; it is thrown again.",
        "Un dé ne repose pas à plat ; il faut le relancer.",
    )


def check_pair(state: State, move: Move) -> Breach | None:
    """``detrak.place.pair``: exactly the two symbols rolled, one each, once a roll."""
    drawn = move.symbols()
    if move.kind is not Kind.WRITE or not drawn or _may_not_write(state, move.seat):
        return None
    where = cells(tuple(cell for cell, _ in move.marks)) or "boxes"
    if state.roll is None or move.seat not in state.owing:
        return Breach(
            where,
            f"{seat_en(move.seat)} wrote {symbols(drawn)}, but has no roll to write.",
            f"{seat_fr(move.seat)} a écrit {symbols(drawn)}, mais n'a aucun lancer à noter.",
        )
    if drawn == state.roll:
        return None
    rolled = symbols(state.roll)
    return Breach(
        where,
        f"{seat_en(move.seat)} wrote {symbols(drawn)}, but the roll was {rolled}.",
        f"{seat_fr(move.seat)} a écrit {symbols(drawn)}, mais le lancer était {rolled}.",
    )


def _may_not_write(state: State, seat: str) -> bool:
    """Tell whether another rule says already that ``seat`` writes nothing."""
    return state.decision is not None or seat in state.out or seat in state.unstarted()


def check_free(state: State, move: Move) -> Breach | None:
    """``detrak.place.free``: symbols go into empty cells, one each."""
    if move.kind is not Kind.WRITE:
        return None
    sheet = state.sheet(move.seat)
    given = [cell for cell, _ in move.marks]
    taken = tuple(
        sorted({c for c in given if sheet.cells[c] not in (EMPTY, UNSEEN) or given.count(c) > 1})
    )
    if not taken:
        return None
    return Breach(
        cells(taken),
        f"Not an empty cell: {cells(taken)}.",
        f"Case déjà remplie : {cells(taken)}.",
    )


def check_field(_state: State, move: Move) -> Breach | None:
    """``detrak.place.field``: symbols stay out of the score boxes."""
    if not move.boxed:
        return None
    boxes = ", ".join(box for box, _ in move.boxed)
    return Breach(
        boxes,
        f"A symbol stands in a score box: {boxes}.",
        f"Un symbole se trouve dans une case de score : {boxes}.",
    )


def check_adjacent(_state: State, move: Move) -> Breach | None:
    """``detrak.place.adjacent``: the two cells share an edge."""
    if move.kind is not Kind.WRITE or len(move.marks) != DICE:
        return None
    first, second = (cell for cell, _ in move.marks)
    if first == second or second in neighbours(first):
        return None
    return Breach(
        cells((first, second)),
        f"{NAMES[first]} and {NAMES[second]} do not share an edge.",
        f"{NAMES[first]} et {NAMES[second]} ne se touchent pas par un côté.",
    )


def check_permanent(_state: State, move: Move) -> Breach | None:
    """``detrak.place.permanent``: what is written stays."""
    if not move.changed:
        return None
    where = cells(tuple(cell for cell, _ in move.changed))
    return Breach(
        where,
        f"A symbol written before was changed or erased: {where}.",
        f"Un symbole déjà écrit a été changé ou effacé : {where}.",
    )


def check_time(state: State, move: Move) -> Breach | None:
    """``detrak.place.time``: everybody has written a roll before the next is thrown."""
    if move.kind is not Kind.ROLL or not state.owing:
        return None
    return Breach(
        f"seat {' '.join(state.owing)}",
        f"The next roll came before the last one was written: {seats_en(state.owing)}.",
        f"On a relancé avant que le dernier lancer soit noté : {seats_fr(state.owing)}.",
    )


def check_must(state: State, move: Move) -> Breach | None:
    """``detrak.place.must``: who can write, writes."""
    if move.kind is not Kind.PASS or move.seat not in state.owing:
        return None
    return Breach(
        f"seat {move.seat}",
        f"{seat_en(move.seat)} wrote nothing, but has two empty cells side by side.",
        f"{seat_fr(move.seat)} n'a rien écrit, mais a deux cases libres voisines.",
    )


def check_stuck(state: State, move: Move) -> Breach | None:
    """``detrak.stuck``: who is out writes no more."""
    if move.kind is not Kind.WRITE or not move.symbols() or move.seat not in state.out:
        return None
    return Breach(
        f"seat {move.seat}",
        f"{seat_en(move.seat)} had no two empty cells side by side and is out.",
        f"{seat_fr(move.seat)} n'avait plus deux cases libres voisines et ne joue plus.",
    )


def check_end(state: State, move: Move) -> Breach | None:
    """``detrak.end``: after the end nobody rolls or writes symbols."""
    if state.decision is None or move.kind in (Kind.SUMS, Kind.HIDE):
        return None
    return Breach(
        "",
        "The game is over; only sums are still written.",
        "La partie est terminée ; on n'écrit plus que les sommes.",
    )


def check_sums(state: State, move: Move) -> Breach | None:
    """``detrak.sheet.sums``: the sums written are right."""
    if move.kind is not Kind.SUMS:
        return None
    sheet = state.sheet(move.seat)
    wrong = wrong_sums(sheet, move.sums, score(sheet, state.options))
    return sums_breach(wrong) if wrong else None


def sums_breach(wrong: tuple[tuple[str, int, int], ...]) -> Breach:
    """Return the breach of sums given as (box, written, right)."""
    english = "; ".join(f"{box_en(b)}: {w} written, {r} right" for b, w, r in wrong)
    french = " ; ".join(f"{box_fr(b)} : {w} écrit, {r} juste" for b, w, r in wrong)
    return Breach(
        ", ".join(box for box, _, _ in wrong),
        f"Wrong sums: {english}.",
        f"Sommes fausses : {french}.",
    )
