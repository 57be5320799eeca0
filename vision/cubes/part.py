"""Boards of cubes in a picture: found, classified, read, and named why not."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeAlias, TypeVar

from vision.observation import Observation, Reading, Refusal, SeenBoard, Thresholds
from vision.observe import Models, observe
from vision.part import PartAnswer, Wanted, cause, scaled
from vision.pictures import Picture
from vision.plans import board_plan
from vision.refusals import refuse

L = TypeVar("L")

Read: TypeAlias = Callable[[SeenBoard, Thresholds, bool], Reading[L]]
"""A reader: a board, when to ask, and whether it is a glimpse during a move."""

_EXPLAINED: Final = frozenset({"no-board", "unsure"})
"""Refusals that bad light, blur or size may be the cause of."""


def read_boards(
    game_id: str, read: Read[L], picture: Picture, models: Models, wanted: Wanted
) -> PartAnswer[L]:
    """Read all boards of a game in a picture.

    Raises:
        ValueError: Corners by hand that are no convex quadrilateral.
    """
    corners = None if wanted.corners_px is None else scaled(wanted.corners_px, picture.scale)
    seen = observe(picture.image_bgr, models, corners, board_plan(game_id).size)
    found = _boards_only(tuple(read(b, models.thresholds, wanted.gaps) for b in seen.boards))
    readings = tuple(_in_stored_px(_explained(board), picture.scale) for board in found)
    return PartAnswer(readings, _refused(seen, readings), seen.quality)


def _boards_only(readings: tuple[Reading[Any], ...]) -> tuple[Reading[Any], ...]:
    """Without what turned out to be no board, where a picture shows a board beside it."""
    boards = tuple(r for r in readings if r.refused is None or r.refused.reason != "no-board")
    return boards or readings


def _refused(seen: Observation, readings: tuple[Reading[Any], ...]) -> Refusal | None:
    """Why the picture as a whole is not read: no board, or none that can be read."""
    if not readings:
        reason = seen.reason or "no-board"
        return refuse(cause(reason, seen.quality) if reason in _EXPLAINED else reason)
    refusals = [reading.refused for reading in readings]
    return refusals[0] if all(refusal is not None for refusal in refusals) else None


def _explained(reading: Reading[Any]) -> Reading[Any]:
    """Name bad light, blur or size as the reason where they are the likely one."""
    if reading.refused is None or reading.refused.reason not in _EXPLAINED:
        return reading
    return replace(reading, refused=refuse(cause(reading.refused.reason, reading.quality)))


def _in_stored_px(reading: Reading[Any], scale: float) -> Reading[Any]:
    if scale == 1.0:
        return reading
    fields = tuple(replace(f, quad_px=scaled(f.quad_px, 1 / scale)) for f in reading.fields)
    return replace(reading, fields=fields, quad_px=scaled(reading.quad_px, 1 / scale))
