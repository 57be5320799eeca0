"""A final sheet against the log of rolls: what a referee can tell when only the end was seen.

With k pairs on a sheet its filled cells, the start cell aside, must divide into pairs of neighbours
that show the rolls 1 to k, each once; and if rolls are left, no two empty cells may touch.  Where
the log names the entries of the seat as well, these cells must show what was written.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from engine.audit import Assigned, Audit, Differing, SheetText
from engine.detrak.checks import sums_breach
from engine.detrak.cover import cover, cover_of_pairs
from engine.detrak.game import GAME
from engine.detrak.layout import (
    ADJACENT_PAIRS,
    BOX_PATHS,
    BOXES,
    CELLS,
    EMPTY,
    NAMES,
    START,
    UNSEEN,
    Sheet,
    Symbols,
)
from engine.detrak.move import Kind, Mark, Move
from engine.detrak.scoring import Score, score, wrong_sums
from engine.detrak.sheet_text import read_sheet
from engine.detrak.state import DICE, Options, State
from engine.detrak.words import cells as named
from engine.detrak.words import seats_en, seats_fr, symbols
from engine.errors import TextError
from engine.log import Log
from engine.rules import Finding

MAX_UNSEEN = 6  # cells not made out: each may be filled or empty, so that is 64 sheets


@dataclass(frozen=True, slots=True)
class Record:
    """What a log says about one seat.

    Attributes:
        rolls: the rolls that held, in order.
        written: the seat's entries, by number of the roll from 1; empty when it has only rolls.
        sheet: what the seat's sheet shows by these entries; empty cells are not known.
        others: start symbols of the other seats, by seat.
        earlier: cells that were filled before the log begins.
        first: number of the first of ``rolls``; 0 for one that was rolled before the log begins.
    """

    rolls: tuple[Symbols, ...]
    written: Mapping[int, tuple[Mark, ...]]
    sheet: Symbols
    others: Mapping[str, str]
    earlier: frozenset[int] = frozenset()
    first: int = 1


@dataclass(frozen=True, slots=True)
class Explained:
    """The nearest explanation of the cells of one sheet."""

    unexplained: tuple[int, ...]
    alternatives: int
    assignment: tuple[Assigned, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class DetrakAuditor:
    """Audits of Détrak; ``AUDITOR`` is the one there is."""

    id: str = "detrak"

    def read_sheet(self, text: SheetText) -> tuple[Sheet | None, tuple[TextError, ...]]:
        """Return the sheet of ``text``, or None, and every error with its place."""
        return read_sheet(text)

    def audit(self, log: Log[State, Move], seat: str, sheet: Sheet) -> Audit:
        """Return what the log says about the final sheet of ``seat``.

        Raises:
            TextError: when more than ``MAX_UNSEEN`` cells were not made out.
        """
        return audit(sheet, record(log, seat, sheet), log.start.options, seat)

    def together(self, sheets: Mapping[str, Sheet]) -> Mapping[str, tuple[Finding, ...]]:
        """Return what only the sheets of several seats show: start symbols that are the same."""
        found: dict[str, tuple[Finding, ...]] = {}
        for seat, sheet in sheets.items():
            others = {s: other.cells[START] for s, other in sheets.items() if s != seat}
            clash = _same_start(sheet.cells[START], others)
            if clash:
                found[seat] = clash
        return found


def record(log: Log[State, Move], seat: str, sheet: Sheet) -> Record:
    """Return what a log says about ``seat``, played alone; acts of other seats do not matter.

    Args:
        log: the rolls, and perhaps start symbols and entries; it may begin in mid-game.
        seat: whose sheet is audited.
        sheet: the final sheet, whose start symbol holds where the log names none.
    """
    options = log.start.options
    others = {name: symbol for name, symbol in log.start.start_symbols() if name != seat}
    alone = _alone(log, seat, sheet)
    earlier = frozenset(c for c in range(CELLS) if c != START and alone.sheets[0].cells[c] != EMPTY)
    rolls = [alone.roll] if alone.owing and alone.roll is not None else []
    first = 1 - len(rolls)
    written: dict[int, tuple[Mark, ...]] = {}
    for move in (entry.move for entry in log.entries):
        if move.is_throw():
            if len(move.called()) != DICE or (move.cocked and options.cocked_dice == "reroll"):
                continue
            rolls[len(rolls) - (move.kind is Kind.REROLL) :] = [move.called()]
            alone = GAME.play(alone, move)
        elif move.seat == seat:
            before = alone.sheets
            alone = GAME.settle_illegal(alone, (replace(move, seat="A"),), None)
            if move.kind is Kind.WRITE and alone.sheets != before and rolls:
                written[first + len(rolls) - 1] = move.marks
        elif move.kind is Kind.START:
            others[move.seat] = move.marks[0][1]
    return Record(tuple(rolls), written, alone.sheets[0].cells, others, earlier, first)


def _alone(log: Log[State, Move], seat: str, sheet: Sheet) -> State:
    """Return the state at the start of the log with the sheet of ``seat`` only."""
    start = log.start
    cells = start.sheet(seat).cells
    starts = any(e.move.kind is Kind.START and e.move.seat == seat for e in log.entries)
    if cells[START] == EMPTY and not starts:
        cells = (sheet.cells[START], *cells[1:])
    owing, out = (("A",) * (seat in seats) for seats in (start.owing, start.out))
    alone = replace(start.options, seats=1)
    return State((Sheet(cells),), alone, start.rounds, start.roll, owing, out)


def audit(sheet: Sheet, known: Record, options: Options, seat: str) -> Audit:
    """Return what ``known`` says about a final sheet.

    Raises:
        TextError: when more than ``MAX_UNSEEN`` cells were not made out.
    """
    best = min(
        (explained(filled, known) for filled in _completions(sheet.cells)),
        key=lambda result: (len(result.unexplained), len(result.findings)),
    )
    right = score(sheet, options)
    sums = tuple((box, n) for box, n in zip(BOXES, sheet.sums, strict=True) if n is not None)
    wrong = wrong_sums(sheet, sums, right, final=True)
    findings = (*_start_findings(sheet.cells[START], known), *best.findings)
    of_sums: tuple[Finding, ...] = ()
    if wrong:
        of_sums = (sums_finding(wrong),)
    return Audit(
        seat,
        not best.unexplained and not findings,
        best.assignment,
        tuple(NAMES[cell] for cell in best.unexplained),
        best.alternatives,
        (*findings, *of_sums),
        tuple(Differing(BOX_PATHS[BOXES.index(box)], n, r) for box, n, r in wrong),
        lines_of(right),
        right.total,
    )


def explained(cells: Symbols, known: Record) -> Explained:
    """Return the nearest explanation of 25 cells; ``?`` here is a filled cell of any symbol."""
    later = [cell for cell in range(CELLS) if cell != START and cell not in known.earlier]
    filled = [cell for cell in later if cells[cell] != EMPTY]
    wrong = tuple(
        cell
        for cell, symbol in enumerate(known.sheet)
        if cell != START and symbol not in (EMPTY, UNSEEN) and cells[cell] not in (symbol, UNSEEN)
    )
    # An odd cell belongs to a pair of which one half is missing.
    rounds = min(len(known.rolls), (len(filled) + 1) // DICE)
    rolls = dict(enumerate(known.rolls, start=known.first))
    free = [n for n in list(rolls)[:rounds] if n not in known.written]
    rest = [cell for cell in filled if known.sheet[cell] == EMPTY]
    found = cover(cells, rest, [rolls[n] for n in free])
    assignment = [
        Assigned(tuple(NAMES[cell] for cell, _ in marks), n)
        for n, marks in known.written.items()
        if not {cell for cell, _ in marks} & set(wrong)
    ]
    for pair, roll in found.pairs:
        number = next(n for n in free if rolls[n] == roll)
        free.remove(number)
        assignment.append(Assigned(tuple(NAMES[cell] for cell in pair), number))
    unused = [rolls[n] for n in free]
    findings = (*_changed(wrong), *_left_over(cells, rest, found.unexplained, unused))
    if not findings:
        open_rolls = {n: rolls[n] for n in (*free, *list(rolls)[rounds:])}
        findings = _not_written(cells, open_rolls, skipped=bool(free))
    return Explained(
        tuple(sorted((*wrong, *found.unexplained))),
        found.alternatives,
        tuple(sorted(assignment, key=lambda entry: entry.roll)),
        findings,
    )


def sheet_findings(sheet: Sheet) -> tuple[Finding, ...]:
    """Return what a sheet alone tells: its filled cells must divide into pairs of neighbours.

    A sheet with cells that were not made out tells nothing.
    """
    filled = [c for c in range(CELLS) if c != START and sheet.cells[c] != EMPTY]
    left = cover_of_pairs(filled).unexplained
    return () if UNSEEN in sheet.cells or not left else (_not_pairs(left),)


def start_finding(sheet: Sheet) -> Finding | None:
    """Return the finding of symbols around a start cell that is empty; a blank sheet has none."""
    if sheet.cells[START] != EMPTY or not set(sheet.cells) - {EMPTY, UNSEEN}:
        return None
    return _no_start()


def _completions(cells: Symbols) -> Iterator[Symbols]:
    """Yield the sheet with each cell not made out once filled and once empty."""
    unseen = [cell for cell in range(CELLS) if cell != START and cells[cell] == UNSEEN]
    if len(unseen) > MAX_UNSEEN:
        raise TextError(
            f"{len(unseen)} cells were not made out, more than {MAX_UNSEEN}: {named(tuple(unseen))}"
        )
    for values in itertools.product((UNSEEN, EMPTY), repeat=len(unseen)):
        given = dict(zip(unseen, values, strict=True))
        yield tuple(given.get(cell, symbol) for cell, symbol in enumerate(cells))


def _start_findings(symbol: str, known: Record) -> tuple[Finding, ...]:
    logged = known.sheet[START]
    if symbol == EMPTY:
        return (_no_start(),)
    found = _same_start(symbol, known.others)
    if logged == UNSEEN or symbol in (logged, UNSEEN):
        return found
    return (*_changed((START,)), *found)


def _no_start() -> Finding:
    cell = NAMES[START]
    return Finding("detrak.start", cell, "The start cell is empty.", "La case de départ est vide.")


def _same_start(symbol: str, others: Mapping[str, str]) -> tuple[Finding, ...]:
    same = tuple(seat for seat, theirs in others.items() if theirs == symbol)
    if not same or symbol in (EMPTY, UNSEEN):
        return ()
    return (
        Finding(
            "detrak.start",
            NAMES[START],
            f"The start symbol {symbol} is also that of others: {seats_en(same)}.",
            f"Le symbole de départ {symbol} est aussi celui d'autres joueurs : {seats_fr(same)}.",
        ),
    )


def _changed(wrong: tuple[int, ...]) -> tuple[Finding, ...]:
    if not wrong:
        return ()
    return (
        Finding(
            "detrak.place.permanent",
            named(wrong),
            f"Not what was written during the game: {named(wrong)}.",
            f"Ce n'est pas ce qui a été noté pendant la partie : {named(wrong)}.",
        ),
    )


def _left_over(
    cells: Symbols, rest: list[int], unexplained: tuple[int, ...], unused: list[Symbols]
) -> tuple[Finding, ...]:
    """Return the rule that cells left over speak of: pairs that cannot touch, or other symbols."""
    if not unexplained:
        return ()
    where = named(unexplained)
    if len(rest) % DICE == 0 and cover_of_pairs(rest).unexplained:
        return (_not_pairs(unexplained),)
    shown = symbols(tuple(cells[cell] for cell in unexplained))
    rolls = ", ".join(symbols(roll) for roll in unused) or "-"
    return (
        Finding(
            "detrak.place.pair",
            where,
            f"No roll explains {where} ({shown}); rolls left over: {rolls}.",
            f"Aucun lancer n'explique {where} ({shown}) ; lancers restants : {rolls}.",
        ),
    )


def _not_pairs(left: tuple[int, ...]) -> Finding:
    where = named(left)
    return Finding(
        "detrak.place.adjacent",
        where,
        f"The filled cells cannot be divided into neighbouring pairs: {where} left over.",
        f"Les cases remplies ne se divisent pas en paires voisines : il reste {where}.",
    )


def _not_written(
    cells: Symbols, open_rolls: Mapping[int, Symbols], *, skipped: bool
) -> tuple[Finding, ...]:
    """Return the finding of a roll that could have been written and was not.

    Args:
        cells: the final sheet.
        open_rolls: rolls not written, by number; the first is the one to name.
        skipped: a later roll was written, so there was room for the first.
    """
    room = [p for p in ADJACENT_PAIRS if cells[p[0]] == EMPTY and cells[p[1]] == EMPTY]
    if not open_rolls or not (skipped or room):
        return ()
    number = next(iter(open_rolls))
    rolled = symbols(open_rolls[number])
    return (
        Finding(
            "detrak.place.must",
            named(room[0]) if room else f"roll {number}",
            f"Roll {number} ({rolled}) was not written, though it could be.",
            f"Le lancer {number} ({rolled}) n'a pas été noté alors qu'il pouvait l'être.",
        ),
    )


def sums_finding(wrong: tuple[tuple[str, int, int], ...]) -> Finding:
    """Return the finding of sums, as (box, written, right), that are not right."""
    breach = sums_breach(wrong)
    return Finding("detrak.sheet.sums", breach.where, breach.text_en, breach.text_fr)


def lines_of(right: Score) -> tuple[tuple[str, int], ...]:
    """Return the sums of a sheet but the total, name to value, in the order of the boxes."""
    rows = tuple((f"rows[{i}]", n) for i, n in enumerate(right.rows))
    cols = tuple((f"cols[{i}]", n) for i, n in enumerate(right.cols))
    diagonal = () if right.diagonal is None else (("diagonal", right.diagonal),)
    return (*rows, *cols, *diagonal)


AUDITOR = DetrakAuditor()
