"""Words for marks and seats, English and French, so that each sentence says them alike."""

from __future__ import annotations

_FACE_EN = {".": "a blank face", "X": "a cross", "O": "a circle", "?": "a face not seen"}
_FACE_FR = {".": "une face neutre", "X": "une croix", "O": "un rond", "?": "une face non vue"}
_SIDE_EN = {"X": "crosses", "O": "circles"}
_SIDE_FR = {"X": "des croix", "O": "des ronds"}
_SEAT_EN = {"S": "South", "W": "West", "N": "North", "E": "East"}
_SEAT_FR = {"S": "Sud", "W": "Ouest", "N": "Nord", "E": "Est"}


def face_en(mark: str) -> str:
    """Name the face that shows ``mark``: ``a cross``."""
    return _FACE_EN[mark]


def face_fr(mark: str) -> str:
    """Name the face that shows ``mark`` in French: ``une croix``."""
    return _FACE_FR[mark]


def side_en(mark: str) -> str:
    """Name the players of ``mark``: ``crosses``."""
    return _SIDE_EN[mark]


def side_fr(mark: str) -> str:
    """Name the players of ``mark`` in French, with their article: ``des croix``."""
    return _SIDE_FR[mark]


def seat_en(seat: str) -> str:
    """Name a seat: ``South``."""
    return _SEAT_EN[seat]


def seat_fr(seat: str) -> str:
    """Name a seat in French: ``Sud``."""
    return _SEAT_FR[seat]


def line_fr(name: str) -> str:
    """Return a line's name in French: ``row 3`` to ``rangée 3``."""
    word, _, rest = name.partition(" ")
    french = {"row": "rangée", "column": "colonne", "diagonal": "diagonale"}[word]
    return f"{french} {rest}"
