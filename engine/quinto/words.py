"""Words for seats, lines and values, English and French, so that each sentence says them alike."""

from __future__ import annotations

from collections.abc import Iterable

from engine.quinto.lines import Line


def seat_en(seat: str) -> str:
    """Name a seat: ``player A``."""
    return f"player {seat}"


def seat_fr(seat: str) -> str:
    """Name a seat in French: ``le joueur A``."""
    return f"le joueur {seat}"


def at_start(words: str) -> str:
    """Return words with a capital letter first, for the start of a sentence."""
    return words[:1].upper() + words[1:]


def line_fr(line: Line) -> str:
    """Return a line's name in French: ``row 7 g-k`` to ``rangée 7 g-k``."""
    word, _, rest = line.name.partition(" ")
    return f"{'colonne' if word == 'column' else 'rangée'} {rest}"


def either_en(values: Iterable[object]) -> str:
    """Join with commas and a last ``or``: ``1, 4 or 6``."""
    return _either(values, "or")


def either_fr(values: Iterable[object]) -> str:
    """Join with commas and a last ``ou``."""
    return _either(values, "ou")


def _either(values: Iterable[object], word: str) -> str:
    *first, last = map(str, values)
    return f"{', '.join(first)} {word} {last}" if first else last


def tiles_en(count: int) -> str:
    """Count tiles: ``1 tile``, ``3 tiles``."""
    return "1 tile" if count == 1 else f"{count} tiles"


def tiles_fr(count: int) -> str:
    """Count tiles in French; nought is singular there."""
    return f"{count} tuile{'s' if count > 1 else ''}"
