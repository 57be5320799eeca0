"""What a reading of one picture is made of. Values only: no picture, no network."""

from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from vision.cubes.classify import FaceScores
from vision.cubes.find import BoardView
from vision.homography import Quad
from vision.quality import Quality

L = TypeVar("L")

Candidates: TypeAlias = tuple[tuple[str, float], ...]
"""Values with the reader's raw probabilities, most likely first."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Below these probabilities the program asks instead of vouching.

    The shipped values stand in the manifest, with how they were chosen. These defaults are strict
    and serve networks whose thresholds were not measured.
    """

    mark: float = 0.97
    dot: float = 0.97


@dataclass(frozen=True, slots=True)
class SeenBoard:
    """One board in a picture.

    Attributes:
        view: Where it lies.
        scores: What each face shows, row-major.
        quality: Figures of its part of the picture.
        masked: True when what hands hide was told by an earlier picture of the same board: then
            every cell that shows no face and is under no hand is a gap, beside hidden ones too.
    """

    view: BoardView
    scores: tuple[FaceScores, ...]
    quality: Quality
    masked: bool = False


@dataclass(frozen=True, slots=True)
class Observation:
    """What a picture shows, before any game looks at it.

    Attributes:
        boards: Boards, left to right.
        reason: Id of a refusal when there are none, else None.
        quality: Figures of the first board, or of the whole picture.
    """

    boards: tuple[SeenBoard, ...]
    reason: str | None
    quality: Quality


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a picture is not read, and what to do about it.

    Attributes:
        reason: Stable id, e.g. ``no-board``; see `vision.refusals`.
        text_en: What is wrong, one sentence; likewise `text_fr`.
        advice_en: What to do, one sentence; likewise `advice_fr`.
    """

    reason: str
    text_en: str
    text_fr: str
    advice_en: str
    advice_fr: str


@dataclass(frozen=True, slots=True)
class Field:
    """One value of a reading.

    Attributes:
        where: Path into the reading's JSON, e.g. ``rows[2][4]``.
        value: The most likely value.
        confidence: Its calibrated probability, 0 to 1.
        candidates: All values worth showing, most likely first.
        asked: True when the program would ask a person rather than vouch for the value.
        quad_px: Where the field lies in the picture, clockwise from the reading's top left.
    """

    where: str
    value: str
    confidence: float
    candidates: Candidates
    asked: bool
    quad_px: Quad


@dataclass(frozen=True, slots=True)
class Doubt:
    """A field that the program would ask about."""

    where: str
    candidates: Candidates


@dataclass(frozen=True, slots=True)
class Reading(Generic[L]):
    """What lies on the table, and how sure that is.

    Attributes:
        layout: The most likely layout, of the game's own type; None when refused.
        fields: Every value of it.
        quad_px: Corners of the board, clockwise from the reading's top left, px.
        quality: Figures of the picture in the board's area.
        refused: Set when this board is seen but cannot be read.
    """

    layout: L | None
    fields: tuple[Field, ...]
    quad_px: Quad
    quality: Quality
    refused: Refusal | None = None

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """The fields to ask about, in reading order."""
        return tuple(Doubt(f.where, f.candidates) for f in self.fields if f.asked)
