"""Score sheets in a picture: found, their fields told, read, and named why not."""

from dataclasses import replace
from typing import Final

from vision import quality
from vision.observation import Reading
from vision.part import PartAnswer, Wanted, cause, scaled
from vision.pictures import Picture
from vision.quality import Quality
from vision.readers.sheet_fields import SeenSheet, read_sheet
from vision.readers.sheets import SheetLayout
from vision.refusals import refuse
from vision.sheets.find import find_sheets
from vision.sheets.models import FieldModels
from vision.sheets.sights import look_at

LEAST_FIELD_PX: Final = 9.0
"""Side of a field below which digits have no strokes left: a little over half of the smallest
fields of our measurements, of 16 px."""
_EXPLAINED: Final = frozenset({"no-sheet", "unsure-sheet"})
"""Refusals that bad light, blur or size may be the cause of."""
_OF_SHEETS: Final = {"too-small": "small-sheet"}
"""Causes that are put in other words for sheets."""


def read_all_sheets(
    game_id: str, picture: Picture, models: FieldModels, wanted: Wanted
) -> PartAnswer[SheetLayout]:
    """Read all score sheets of a game in a picture.

    Args:
        game_id: The game.
        picture: From `vision.pictures`.
        models: The network.
        wanted: Corners by hand are those of the sheet's plan: of our own sheet the paper as it is
            cut, of a sheet as sold the card, or the lattice of 7 x 7 squares.

    Raises:
        ValueError: Corners by hand that are no convex quadrilateral.
    """
    image = picture.image_bgr
    corners = None if wanted.corners_px is None else scaled(wanted.corners_px, picture.scale)
    found = find_sheets(image, game_id, corners)
    ours = tuple(sheet for sheet in found if sheet.game == game_id)
    if not ours:
        figures = quality.measure(image)
        reason = f"sheet-of-{found[0].game}" if found else explained("no-sheet", figures)
        return PartAnswer((), refuse(reason), figures)
    seen = look_at(image, ours, models)
    readings = tuple(_read(sheet, models, picture.scale) for sheet in seen)
    refusals = [reading.refused for reading in readings]
    refused = refusals[0] if all(refusal is not None for refusal in refusals) else None
    return PartAnswer(readings, refused, readings[0].quality)


def explained(reason: str, figures: Quality) -> str:
    """The reason, or bad light, blur or size where they are its likely cause.

    White paper is bright and a bare table has no edge: neither is the fault of the picture.
    """
    if reason not in _EXPLAINED:
        return reason
    likely = cause(reason, figures)
    paper = likely == "too-bright" and reason == "unsure-sheet"
    bare = likely == "blurred" and figures.sharpness == 0
    return reason if paper or bare else _OF_SHEETS.get(likely, likely)


def _read(seen: SeenSheet, models: FieldModels, scale: float) -> Reading[SheetLayout]:
    """One sheet, in px of the stored picture."""
    reading = read_sheet(seen, models.thresholds)
    small = (seen.quality.px_per_cell or 0.0) < LEAST_FIELD_PX
    if small and (reading.refused is None or reading.refused.reason in _EXPLAINED):
        reading = replace(reading, layout=None, fields=(), refused=refuse("small-sheet"))
    if reading.refused is not None:
        reason = explained(reading.refused.reason, seen.quality)
        reading = replace(reading, refused=refuse(reason))
    return _in_stored_px(reading, scale)


def _in_stored_px(reading: Reading[SheetLayout], scale: float) -> Reading[SheetLayout]:
    if scale == 1.0:
        return reading
    fields = tuple(replace(f, quad_px=scaled(f.quad_px, 1 / scale)) for f in reading.fields)
    layout = reading.layout
    if layout is not None and layout.found is not None:
        found = layout.found
        moved = replace(
            found, map=found.map.scaled(1 / scale), outline_px=scaled(found.outline_px, 1 / scale)
        )
        layout = replace(layout, found=moved)
    return replace(
        reading, layout=layout, fields=fields, quad_px=scaled(reading.quad_px, 1 / scale)
    )
