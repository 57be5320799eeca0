"""One picture in, one answer out: what `arbitre read` and the page call."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from vision import catalogue, quality
from vision.clusters import enclosing_box
from vision.homography import Quad
from vision.observation import Reading, Refusal
from vision.observe import Models, adapt_to, load_models
from vision.part import Wanted
from vision.pictures import Picture

__all__ = ["Models", "PictureReading", "adapt_to", "load_models", "read_picture"]


@dataclass(frozen=True, slots=True)
class PictureReading:
    """The answer about one picture.

    Attributes:
        readings: One for each board or sheet found, left to right, one of all dice together;
            coordinates in px of the upright picture as stored.
        refused: Set when none of them could be read.
        quality: Figures of the first of them, or of the whole picture; px of the picture as read.
        ms: Time spent, without decoding the file.
    """

    readings: tuple[Reading[Any], ...]
    refused: Refusal | None
    quality: quality.Quality
    ms: int

    def to_json(self) -> dict[str, Any]:
        """The keys of the command contract from ``refused`` on."""
        first = self.readings[0] if self.readings and self.refused is None else None
        answer: dict[str, Any] = {
            "refused": _refusal_json(self.refused),
            "reading": None if first is None else _layout_json(first),
            "doubts": [] if first is None else _doubts_json(first),
            "quality": self.quality.to_json(),
            "ms": self.ms,
        }
        if len(self.readings) > 1:
            answer["readings"] = [
                {
                    "reading": _layout_json(reading),
                    "doubts": _doubts_json(reading),
                    "refused": _refusal_json(reading.refused),
                    "box": [round(v, 1) for v in enclosing_box(reading.quad_px)],
                }
                for reading in self.readings
            ]
        return answer


def read_picture(
    picture: Picture,
    game_id: str,
    part: str,
    *,
    models: Any,
    corners_px: Quad | None = None,
    gaps: bool = False,
) -> PictureReading:
    """Read what lies on the table.

    Args:
        picture: From `vision.pictures`.
        game_id: Such as ``quixo``.
        part: Such as ``board``.
        models: The networks that the part loads (`vision.catalogue.Entry`), adapted or not.
        corners_px: Corners by hand, see `vision.part.Wanted`.
        gaps: The picture was taken during a move.

    Raises:
        ValueError: No such game or part, or corners that are no convex quadrilateral.
    """
    start = time.perf_counter()
    entry = catalogue.find(game_id, part)
    answer = entry.look(picture, models, Wanted(corners_px, gaps))
    ms = round((time.perf_counter() - start) * 1000)
    return PictureReading(answer.readings, answer.refused, answer.quality, ms)


def _refusal_json(refusal: Refusal | None) -> dict[str, str] | None:
    return None if refusal is None else {"reason": refusal.reason, "advice": refusal.advice_en}


def _layout_json(reading: Reading[Any]) -> dict[str, Any] | None:
    return None if reading.layout is None else catalogue.to_json(reading.layout)


def _doubts_json(reading: Reading[Any]) -> list[dict[str, Any]]:
    if reading.layout is None:  # refused: nothing of it is vouched for or asked
        value_json: Callable[[str, str], Any] = catalogue.as_it_is
    else:
        value_json = catalogue.entry_of(reading.layout).value_json
    return [
        {
            "where": doubt.where,
            "candidates": [
                [value_json(doubt.where, value), round(share, 4)]
                for value, share in doubt.candidates
            ],
        }
        for doubt in reading.doubts
    ]
