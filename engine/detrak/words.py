"""Words for seats, boxes and symbols, English and French, so that each sentence says them alike."""

from __future__ import annotations

from engine.detrak.layout import (
    COLUMN_BOXES,
    DIAGONAL_BOXES,
    NAMES,
    ROW_BOXES,
)


def seat_en(seat: str) -> str:
    """Name a seat: ``Player A``."""
    return f"Player {seat}"


def seat_fr(seat: str) -> str:
    """Name a seat in French: ``Le joueur A``."""
    return f"Le joueur {seat}"


def seats_en(seats: tuple[str, ...]) -> str:
    """Name several seats: ``Player A, Player B``."""
    return ", ".join(map(seat_en, seats))


def seats_fr(seats: tuple[str, ...]) -> str:
    """Name several seats in French: ``le joueur A, le joueur B``."""
    return ", ".join(f"le joueur {seat}" for seat in seats)


def cells(indices: tuple[int, ...]) -> str:
    """Name cells: ``b3, c3``."""
    return ", ".join(NAMES[index] for index in indices)


def symbols(drawn: tuple[str, ...]) -> str:
    """Name symbols by their text: ``X O``."""
    return " ".join(drawn)


def box_en(box: str) -> str:
    """Name a score box by its line: ``row 3``, ``column b``, ``diagonal``, ``total``."""
    if box in ROW_BOXES:
        return f"row {box[1]}"
    if box in COLUMN_BOXES:
        return f"column {box[0]}"
    if box in DIAGONAL_BOXES:
        return "diagonal"
    return "total"


def box_fr(box: str) -> str:
    """Name a score box by its line in French: ``ligne 3``, ``colonne b``."""
    if box in ROW_BOXES:
        return f"ligne {box[1]}"
    if box in COLUMN_BOXES:
        return f"colonne {box[0]}"
    if box in DIAGONAL_BOXES:
        return "diagonale"
    return "total"
