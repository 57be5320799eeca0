"""Words for colours, English and French, so that each sentence says them alike."""

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
