"""Scores of fields made by hand, for readers of sheets."""

from collections.abc import Mapping

import numpy as np

from vision.homography import as_matrix, as_quad
from vision.labels import FIELD_STATES, HUNDREDS, SIGNS, TENS, UNITS
from vision.plans.sheets import Edition, sheet_plan
from vision.quality import Quality
from vision.readers.sheet_fields import SeenField, SeenSheet
from vision.readers.sheets import SYMBOLS
from vision.sheets.classify import FieldScores
from vision.sheets.find import FoundSheet
from vision.sheets.map import SheetMap

PX_PER_MM = 4.0
QUALITY = Quality(0.6, 0.6, 0.0, 50.0, 5.0)


def share(size: int, index: int, sure: float) -> tuple[float, ...]:
    """One class with a probability, the others alike."""
    rest = (1 - sure) / (size - 1)
    return tuple(sure if i == index else rest for i in range(size))


def scores(
    text: str = "", state: str | None = None, sure: float = 0.999, value: float = 0.999
) -> FieldScores:
    """A field that shows a number, a symbol, ``x`` for a mark, or nothing.

    Args:
        text: What is written.
        state: Of `FIELD_STATES`; None for ``written`` or, without a text, ``blank``.
        sure: Probability of the state.
        value: Probability of each digit, or of the symbol.
    """
    shown = state or ("written" if text else "blank")
    number = int(text) if text.lstrip("-").isdigit() else 0
    size = abs(number)
    return FieldScores(
        share(len(FIELD_STATES), FIELD_STATES.index(shown), sure),
        share(len(SIGNS), int(number < 0), value),
        share(len(HUNDREDS), size // 100, value),
        share(len(TENS), size // 10 % 10 + 1 if size >= 10 else 0, value),
        share(len(UNITS), size % 10, value),
        share(len(SYMBOLS), SYMBOLS.index(text) if text in SYMBOLS else 0, value),
    )


def seen_sheet(
    game: str, shown: Mapping[str, FieldScores], edition: Edition = "printed"
) -> SeenSheet:
    """A sheet lying square in a picture; fields that are not given are empty.

    Args:
        game: Id of the game.
        shown: Scores by path; boxes of failed throws as ``failed[0]`` to ``failed[3]``.
        edition: Whose print.
    """
    plan = sheet_plan(game, edition)
    to_px = SheetMap(as_matrix(np.diag((PX_PER_MM, PX_PER_MM, 1.0))))
    width, height = plan.size_mm
    outline = to_px.to_px([(0, 0), (width, 0), (width, height), (0, height)])
    found = FoundSheet(game, edition, to_px, as_quad(outline), "markers", 1.0, 0.1)
    fields = tuple(
        SeenField(
            place, shown.get(place.path, scores()), as_quad(to_px.to_px(_box(place.centre_mm)))
        )
        for place in plan.fields
    )
    return SeenSheet(found, fields, QUALITY)


def _box(centre: tuple[float, float]) -> list[tuple[float, float]]:
    x, y = centre
    return [(x - 5, y - 5), (x + 5, y - 5), (x + 5, y + 5), (x - 5, y + 5)]
