"""What the print of a sheet looks like, in grey, and the places of it worth looking for.

Drawn from the plan, without words and art: the editions differ in those, and so do printers.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plans.sheets import Edition, Pair, SheetPlan, sheet_plan

RIM_MM: Final = 12.0
"""White drawn around the plan: places near its edge need what lies beyond it. The commercial sheet
of Détrak goes on beyond its lattice, ours ends and the table begins; either is left to chance."""
_FINE: Final = 4  # drawn so many times finer, then averaged
_PAPER: Final = 1.0
_BAR: Final = 0.35  # weakest channels of the three bars lie between 0.1 and 0.5 of the paper
_LINE: Final = 0.3
_GREY: Final = 0.86
_STRIP: Final = 0.92
_MARKER: Final = 0.35  # a marker's mean: its border alone is 20 of 36 modules
_CODE: Final = 0.5
_LINE_MM: Final = 0.5  # as a picture shows them; printed 0.3 to 0.6
_HEAVY_MM: Final = 1.1
_WIDE_MM: Final = 36.0  # side of a neighbourhood: two to three cells
_BARE: Final = 0.08  # deviation of the lightness of a neighbourhood without print worth the name
_AROUND_MM: Final = 2.2  # of print around a place that is looked for with it


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of the print that can be told from its surroundings in both directions.

    Attributes:
        centre_mm: Its middle.
        half_mm: Half the side of the square around it that is compared.
        field: Index of its field in the plan; -1 for markers and the code.
    """

    centre_mm: Pair
    half_mm: float
    field: int


@cache
def spots(plan: SheetPlan) -> tuple[Spot, ...]:
    """The places to look for: fields but the blank ones, markers, the code."""
    fields = tuple(
        Spot(field.centre_mm, max(field.size_mm) / 2 + _AROUND_MM, index)
        for index, field in enumerate(plan.fields)
        if field.kind != "blank"
    )
    squares = (*plan.markers, *(() if plan.qr is None else (plan.qr,)))
    return fields + tuple(Spot(one.centre_mm, one.side_mm / 2 + 1.5, -1) for one in squares)


@cache
def neighbourhoods(plan: SheetPlan) -> tuple[Spot, ...]:
    """Large overlapping squares of the print, but those that show little."""
    xs, ys = (np.arange(_WIDE_MM / 2, size, _WIDE_MM / 2) for size in plan.size_mm)
    print_ = expected(plan.game, plan.edition, 1.0)
    found = []
    for y in ys:
        for x in xs:
            low = np.array([x, y]) + RIM_MM - _WIDE_MM / 2
            (x0, y0), (x1, y1) = low.astype(int).clip(0), (low + _WIDE_MM).astype(int)
            if print_[y0:y1, x0:x1].std() > _BARE:
                found.append(Spot((float(x), float(y)), _WIDE_MM / 2, -1))
    return tuple(found)


@cache
def expected(game: str, edition: Edition, px_per_mm: float) -> NDArray[np.float32]:
    """The lightness of a sheet's print.

    Args:
        game: Id of the game.
        edition: Whose print.
        px_per_mm: Scale.

    Returns:
        (H, W) float32, 0 black to 1 paper, with `RIM_MM` around the plan; read-only.
    """
    plan = sheet_plan(game, edition)
    scale = px_per_mm * _FINE
    size = np.ceil((np.array(plan.size_mm) + 2 * RIM_MM) * px_per_mm).astype(int)  # width, height
    canvas = np.full((size[1] * _FINE, size[0] * _FINE), _PAPER, np.float32)
    for polygon, tone, line_mm in (*_shapes(plan), *_squares(plan)):
        points = (np.asarray(polygon) + RIM_MM) * scale
        whole = np.round(points * 16).astype(np.int32).reshape(-1, 1, 2)
        if tone is not None:
            cv2.fillPoly(canvas, [whole], tone, cv2.LINE_AA, 4)
        if line_mm:
            width = max(1, round(line_mm * scale))
            cv2.polylines(canvas, [whole], True, _LINE, width, cv2.LINE_8, 4)
    result = np.asarray(cv2.resize(canvas, size.tolist(), interpolation=cv2.INTER_AREA), np.float32)
    result.setflags(write=False)
    return result


_Shape = tuple[tuple[Pair, ...], float | None, float]


def _shapes(plan: SheetPlan) -> Iterator[_Shape]:
    """Outline in mm, tone or None, width of its line in mm; those below first."""
    yield from ((_box(*bar.box_mm), _BAR, 0.0) for bar in plan.bars)
    if plan.bars:
        yield _strip(plan), _STRIP, 0.0
    last = len(plan.rows) - 1
    for field in plan.fields:
        if field.kind == "blank":
            continue
        outline = field.outline_mm()
        if field.shape == "disc":
            outline = _disc(field.centre_mm, field.size_mm[0] / 2)
        grey = not plan.bars and field.row is not None and field.column == last - field.row
        in_bar = bool(plan.bars) and field.row is not None
        yield outline, _GREY if grey else _PAPER, 0.0 if in_bar else _LINE_MM
    if not plan.bars:
        start = plan.field("grid[0][0]")
        (x, y), (width, height) = start.outline_mm()[0], start.size_mm
        inner = _HEAVY_MM / 2
        yield _box(x + inner, y + inner, width - 2 * inner, height - 2 * inner), None, _HEAVY_MM


def _squares(plan: SheetPlan) -> Iterator[_Shape]:
    yield from ((marker.outline_mm(), _MARKER, 0.0) for marker in plan.markers)
    if plan.qr is not None:
        yield plan.qr.outline_mm(), _CODE, 0.0


def _strip(plan: SheetPlan) -> tuple[Pair, ...]:
    """The grey strip around the boxes of the sums."""
    outlines = np.array([corner for f in plan.of_kind("strip") for corner in f.outline_mm()])
    (x0, y0), (x1, y1) = outlines.min(axis=0), outlines.max(axis=0)
    return _box(x0 - 4, y0 - 4, x1 - x0 + 8, y1 - y0 + 8)


def _box(x: float, y: float, width: float, height: float) -> tuple[Pair, ...]:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def _disc(centre: Pair, radius: float) -> tuple[Pair, ...]:
    turns = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    points = np.stack([np.cos(turns), np.sin(turns)], axis=1) * radius + centre
    return tuple((float(x), float(y)) for x, y in points)
