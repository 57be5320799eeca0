"""Words for colours and seats, English and French, so that each sentence says them alike."""

from __future__ import annotations

from collections.abc import Iterable

ROW_EN = {"o": "orange", "y": "yellow", "p": "purple"}
ROW_FR = {"o": "orange", "y": "jaune", "p": "violet"}


def colours_en(colours: Iterable[str]) -> str:
    """Name colours: ``orange and yellow``."""
    return _joined([ROW_EN[colour] for colour in colours], "and")


def colours_fr(colours: Iterable[str]) -> str:
    """Name colours in French: ``orange et jaune``."""
    return _joined([ROW_FR[colour] for colour in colours], "et")


def _joined(words: list[str], last: str) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def count_en(number: int, one: str, many: str) -> str:
    """Return a number with its noun: ``1 box``, ``2 boxes``."""
    return f"{number} {one if number == 1 else many}"


def count_fr(number: int, one: str, many: str) -> str:
    """Return a number with its noun in French, where 0 and 1 are singular."""
    return f"{number} {one if abs(number) < 2 else many}"
