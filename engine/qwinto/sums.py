"""The score strip that a player wrote, box by box against the right one."""

from __future__ import annotations

from engine.qwinto.move import Kind, Move
from engine.qwinto.scoring import Strip, strip_of
from engine.qwinto.state import State
from engine.rules import Breach

Wrong = tuple[str, int, int]  # path of the box, number written, number computed


def wrong_boxes(written: Strip, right: Strip) -> tuple[Wrong, ...]:
    """Return the boxes that hold another number than they should; empty boxes are no fault.

    The penalty may be written with or without its minus sign.
    """
    found = []
    for (where, number), (_, computed) in zip(written.boxes(), right.boxes(), strict=True):
        shown = abs(number) if where == "strip.penalty" and number is not None else number
        if shown is not None and computed is not None and shown != computed:
            found.append((where, shown, computed))
    return tuple(found)


def check_sums(state: State, move: Move) -> Breach | None:
    """``qwinto.sheet.sums``: every sum written is the right one."""
    wrong = _wrong(state, move, "strip.")
    return _breach(wrong, move) if wrong else None


def check_row(state: State, move: Move) -> Breach | None:
    """``qwinto.score.row``: a full row counts its rightmost number, another one a number."""
    wrong = _wrong(state, move, "strip.rows")
    return _breach(wrong, move) if wrong else None


def check_bonus(state: State, move: Move) -> Breach | None:
    """``qwinto.score.bonus``: a complete column of three counts the number in its pentagon."""
    wrong = _wrong(state, move, "strip.bonus")
    return _breach(wrong, move) if wrong else None


def check_penalty(state: State, move: Move) -> Breach | None:
    """``qwinto.score.failed``: five points a failed throw."""
    wrong = _wrong(state, move, "strip.penalty")
    return _breach(wrong, move) if wrong else None


def adds_up(strip: Strip) -> bool | None:
    """Tell whether a strip's total is what its own boxes give; None when a box is empty."""
    boxes = [*strip.rows, *strip.bonus]
    known = [number for number in boxes if number is not None]
    if len(known) < len(boxes) or strip.penalty is None or strip.total is None:
        return None
    return strip.total == sum(known) - abs(strip.penalty)


def check_total(state: State, move: Move) -> Breach | None:
    """``qwinto.total``: rows and bonuses, less the failed throws, give the total."""
    if move.kind is not Kind.SUMS or move.strip is None or adds_up(move.strip) is not False:
        return None
    return Breach(
        "strip.total",
        f"The total {move.strip.total} is not what {move.seat}'s own boxes add up to.",
        f"Le total {move.strip.total} n'est pas la somme des cases remplies par {move.seat}.",
    )


def _wrong(state: State, move: Move, path: str) -> tuple[Wrong, ...]:
    if move.kind is not Kind.SUMS or move.strip is None or move.seat is None:
        return ()
    right = strip_of(state.player(move.seat).sheet)
    return tuple(box for box in wrong_boxes(move.strip, right) if box[0].startswith(path))


def _breach(wrong: tuple[Wrong, ...], move: Move) -> Breach:
    english = ", ".join(f"{where} says {written}, not {right}" for where, written, right in wrong)
    french = ", ".join(
        f"{where} indique {written} au lieu de {right}" for where, written, right in wrong
    )
    return Breach(
        ", ".join(where for where, _, _ in wrong),
        f"{move.seat}: {english}.",
        f"{move.seat} : {french}.",
    )
