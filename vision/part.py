"""What every part that pictures can show has in common: what is asked, what is answered."""

from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from vision import quality
from vision.homography import Quad, as_quad
from vision.observation import Reading, Refusal

L = TypeVar("L")

_BY_QUALITY: Final = {
    "too_dark": "too-dark",
    "too_bright": "too-bright",
    "too_small": "too-small",
    "blurred": "blurred",
}
"""Advice of `vision.quality` that explains a failure, and the refusal it becomes."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked about a picture.

    Attributes:
        corners_px: Corners by hand, any order, px of the upright picture as stored: of the block
            of cubes, of a score sheet, or of the tray of dice; None to look for them, or
            everywhere.
        gaps: The picture was taken during a move: cubes may be lifted out, hands in view.
    """

    corners_px: Quad | None = None
    gaps: bool = False


@dataclass(frozen=True, slots=True)
class PartAnswer(Generic[L]):
    """What a picture shows of one part of a game.

    Attributes:
        readings: One for each thing of the kind, left to right; px of the upright picture as
            stored.
        refused: Set when none of them could be read.
        quality: Figures of the first, or of the whole picture; px of the picture as read.
    """

    readings: tuple[Reading[L], ...]
    refused: Refusal | None
    quality: quality.Quality


def cause(reason: str, figures: quality.Quality) -> str:
    """The reason for a refusal: bad light, blur or size where they are likely, else as given."""
    for advice in quality.advise(figures):
        if advice.id in _BY_QUALITY:
            return _BY_QUALITY[advice.id]
    return reason


def scaled(quad_px: Quad, factor: float) -> Quad:
    """Corners in px of a picture that is so many times as large."""
    return as_quad([(x * factor, y * factor) for x, y in quad_px])
