"""What the fields of found score sheets show: cut, told by the network, with their places."""

from collections.abc import Sequence
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision import quality
from vision.crops import crop_field
from vision.homography import Point, Quad, as_quad
from vision.plans.sheets import Field, SheetPlan, sheet_plan
from vision.quality import Quality
from vision.readers.sheet_fields import SeenField, SeenSheet
from vision.sheets.classify import FieldClassifier, FieldScores
from vision.sheets.find import FoundSheet
from vision.sheets.models import FieldModels
from vision.sheets.nudges import NUDGES, is_doubtful, nudged, pooled

Image: TypeAlias = NDArray[np.uint8]

OUTSIDE: Final = 0.1
"""Part of a field's side that may lie outside of the picture: the margin around what is written."""
BLEACHED: Final = 250.0
PAPER_LEVEL: Final = 210.0
PAPER_SHARE: Final = 60.0
SAMPLES: Final = 32
"""Paper at the end of the scale (scans, rendered pages, exposure to the right) is brought down to
where that of photographs lies; its level is a percentile over so many samples a side. On a rendered
page of Détrak 24 of 25 empty cells were unsure at white and none at this level."""
_SQUARE: Final = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


def look_at(
    image_bgr: Image, sheets: Sequence[FoundSheet], models: FieldModels
) -> tuple[SeenSheet, ...]:
    """What the fields of found sheets show: all in one batch, those in doubt looked at twice.

    Args:
        image_bgr: (H, W, 3).
        sheets: Found in it.
        models: The network.
    """
    places = [
        (sheet, place) for sheet in sheets for place in sheet_plan(sheet.game, sheet.edition).fields
    ]
    scores = iter(_twice(image_bgr, places, models.classifier))
    size = image_bgr.shape[1], image_bgr.shape[0]
    seen = []
    for sheet in sheets:
        fields = sheet_plan(sheet.game, sheet.edition).fields
        told = tuple(
            SeenField(place, next(scores), quad, _lies_in(quad, size))
            for place, quad in zip(fields, quads_of(sheet, fields), strict=True)
        )
        seen.append(SeenSheet(sheet, told, sheet_quality(image_bgr, sheet)))
    return tuple(seen)


def _twice(
    image_bgr: Image, places: Sequence[tuple[FoundSheet, Field]], classifier: FieldClassifier
) -> tuple[FieldScores, ...]:
    """Scores of fields; those in doubt told anew from further cuts as well."""
    if not places:
        return ()
    gains = {id(sheet): gain_of(image_bgr, sheet) for sheet, _ in places}
    first = [
        cut(image_bgr, sheet, place.centre_mm, place.size_mm, gains[id(sheet)])
        for sheet, place in places
    ]
    told = list(classifier.classify(np.stack(first)))
    doubtful = [i for i, (_, place) in enumerate(places) if is_doubtful(place.kind, told[i])]
    if doubtful:
        crops = [
            cut(image_bgr, sheet, centre_mm, size_mm, gains[id(sheet)])
            for sheet, place in (places[index] for index in doubtful)
            for centre_mm, size_mm in nudged(place)
        ]
        further = classifier.classify(np.stack(crops))
        for at, index in enumerate(doubtful):
            looks = further[at * len(NUDGES) : (at + 1) * len(NUDGES)]
            told[index] = pooled([told[index], *looks])
    return tuple(told)


def cut(
    image_bgr: Image, sheet: FoundSheet, centre_mm: Point, size_mm: Point, gain: float
) -> Image:
    """The crop of a square of a sheet (see `crop_field`), with its light brought down by a gain."""
    crop = crop_field(image_bgr, sheet.map.to_px, centre_mm, size_mm)
    return crop if gain == 1.0 else np.asarray(cv2.convertScaleAbs(crop, alpha=gain), np.uint8)


def gain_of(image_bgr: Image, sheet: FoundSheet) -> float:
    """Factor on the light of a sheet whose paper is as bright as pixels can be, else 1.

    Args:
        image_bgr: (H, W, 3).
        sheet: Found in it.
    """
    width, height = sheet_plan(sheet.game, sheet.edition).size_mm
    steps = (np.arange(SAMPLES) + 0.5) / SAMPLES
    points = np.stack(np.meshgrid(steps * width, steps * height), axis=2).reshape(-1, 2)
    at = sheet.map.to_px(points)
    inside = (at >= 0).all(axis=1) & (at < image_bgr.shape[1::-1]).all(axis=1)
    x, y = at[inside].astype(int).T
    if x.size == 0:
        return 1.0
    paper = float(np.percentile(image_bgr[y, x].max(axis=1), PAPER_SHARE))
    return PAPER_LEVEL / paper if paper >= BLEACHED else 1.0


def quads_of(sheet: FoundSheet, fields: Sequence[Field]) -> list[Quad]:
    """Corners of the boxes around fields, clockwise from the sheet's top left, px."""
    points = [_SQUARE * field.size_mm + field.centre_mm for field in fields]
    mapped = sheet.map.to_px(np.concatenate(points)).reshape(-1, 4, 2)
    return [as_quad(quad) for quad in mapped]


def sheet_quality(image_bgr: Image, sheet: FoundSheet) -> Quality:
    """Figures of a sheet's part of a picture; a cell is a field of its lattice."""
    plan = sheet_plan(sheet.game, sheet.edition)
    cell = field_side_mm(plan)
    columns, rows = (max(1, round(side / cell)) for side in plan.size_mm)
    to_mm = np.diag((plan.size_mm[0] / columns, plan.size_mm[1] / rows, 1.0))
    return quality.measure(image_bgr, np.asarray(sheet.map.homography) @ to_mm, (columns, rows))


def field_side_mm(plan: SheetPlan) -> float:
    """Side of a sheet's usual field, mm."""
    return max(plan.of_kind("number", "symbol")[0].size_mm)


def _lies_in(quad_px: ArrayLike, size: tuple[int, int]) -> bool:
    """True when the picture of width and height shows a quad but for a narrow margin."""
    quad = np.asarray(quad_px)
    if not np.isfinite(quad).all():
        return False
    air = OUTSIDE * float(np.linalg.norm(quad[1] - quad[0]))
    return bool((quad >= -air).all() and (quad <= np.add(size, air)).all())
