"""One picture in, one answer out: what `arbitre read` and the page call."""

import time
from dataclasses import dataclass, replace
from typing import Any

from vision import catalogue, quality
from vision.clusters import enclosing_box
from vision.homography import Quad, as_quad
from vision.observation import Observation, Reading, Refusal
from vision.observe import Models, adapt_to, load_models, observe
from vision.pictures import Picture
from vision.plans import board_plan
from vision.refusals import refuse

__all__ = ["Models", "PictureReading", "adapt_to", "load_models", "read_picture"]

_BY_QUALITY = {
    "too_dark": "too-dark",
    "too_bright": "too-bright",
    "too_small": "too-small",
    "blurred": "blurred",
}
"""Advice of `vision.quality` that explains a failure, and the refusal it becomes."""
_EXPLAINED = frozenset({"no-board", "unsure"})
"""Refusals that bad light, blur or size may be the cause of."""


@dataclass(frozen=True, slots=True)
class PictureReading:
    """The answer about one picture.

    Attributes:
        readings: One for each board found, left to right; coordinates in px of the upright
            picture as stored.
        refused: Set when none of them could be read.
        quality: Figures of the first board, or of the whole picture; px of the picture as read.
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
    models: Models,
    corners_px: Quad | None = None,
    gaps: bool = False,
) -> PictureReading:
    """Read what lies on the table.

    Args:
        picture: From `vision.pictures`.
        game_id: Such as ``quixo``.
        part: Such as ``board``.
        models: From `load_models`, adapted to a set with `adapt_to` or not.
        corners_px: Corners of the block of cubes by hand, any order, px of the upright picture
            as stored; None to look for boards.
        gaps: The picture was taken during a move: cubes may be lifted out, hands in view.

    Raises:
        ValueError: No such game or part, or corners that are no convex quadrilateral.
    """
    start = time.perf_counter()
    entry = catalogue.find(game_id, part)
    corners = None if corners_px is None else _scaled(corners_px, picture.scale)
    seen = observe(picture.image_bgr, models, corners, board_plan(game_id).size)
    found = _boards_only(tuple(entry.read(b, models.thresholds, gaps) for b in seen.boards))
    readings = tuple(_in_stored_px(_explained(board), picture.scale) for board in found)
    ms = round((time.perf_counter() - start) * 1000)
    return PictureReading(readings, _refused(seen, readings), seen.quality, ms)


def _boards_only(readings: tuple[Reading[Any], ...]) -> tuple[Reading[Any], ...]:
    """Without what turned out to be no board, where a picture shows a board beside it."""
    boards = tuple(r for r in readings if r.refused is None or r.refused.reason != "no-board")
    return boards or readings


def _refused(seen: Observation, readings: tuple[Reading[Any], ...]) -> Refusal | None:
    """Why the picture as a whole is not read: no board, or none that can be read."""
    if not readings:
        return refuse(_cause(seen.reason or "no-board", seen.quality))
    refusals = [reading.refused for reading in readings]
    return refusals[0] if all(refusal is not None for refusal in refusals) else None


def _explained(reading: Reading[Any]) -> Reading[Any]:
    """Name bad light, blur or size as the reason where they are the likely one."""
    if reading.refused is None:
        return reading
    return replace(reading, refused=refuse(_cause(reading.refused.reason, reading.quality)))


def _cause(reason: str, figures: quality.Quality) -> str:
    if reason in _EXPLAINED:
        for advice in quality.advise(figures):
            if advice.id in _BY_QUALITY:
                return _BY_QUALITY[advice.id]
    return reason


def _in_stored_px(reading: Reading[Any], scale: float) -> Reading[Any]:
    if scale == 1.0:
        return reading
    fields = tuple(replace(f, quad_px=_scaled(f.quad_px, 1 / scale)) for f in reading.fields)
    return replace(reading, fields=fields, quad_px=_scaled(reading.quad_px, 1 / scale))


def _scaled(quad_px: Quad, factor: float) -> Quad:
    return as_quad([(x * factor, y * factor) for x, y in quad_px])


def _refusal_json(refusal: Refusal | None) -> dict[str, str] | None:
    return None if refusal is None else {"reason": refusal.reason, "advice": refusal.advice_en}


def _layout_json(reading: Reading[Any]) -> dict[str, Any] | None:
    return None if reading.layout is None else catalogue.to_json(reading.layout)


def _doubts_json(reading: Reading[Any]) -> list[dict[str, Any]]:
    return [
        {
            "where": doubt.where,
            "candidates": [[value, round(share, 4)] for value, share in doubt.candidates],
        }
        for doubt in reading.doubts
    ]
