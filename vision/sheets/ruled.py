"""What tells a sheet of Détrak from squared paper, a chessboard or a Sudoku: signs of its own.

Its lattice ends: left of the cells and above them nothing is ruled. Its start cell has a heavy
frame, and one diagonal is grey.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Floats
from vision.plans.sheets import SheetPlan
from vision.sheets.print import RIM_MM

PX_PER_MM: Final = 3.0
"""Scale of the rectified picture that signs are looked for in: a line of 0.3 mm is a pixel wide."""
_ALONG: Final = np.linspace(0.2, 0.8, 13)  # of an edge: away from its ends, where others cross
_ON: Final = np.array([-0.06, -0.03, 0.0, 0.03, 0.06])  # of a cell, across: drawn lines wander
_BESIDE: Final = np.array([-0.2, -0.16, 0.16, 0.2])
_FRAME: Final = np.linspace(-0.12, 0.14, 9)  # of a cell, outwards to inwards: a heavy frame
_BODY: Final = np.linspace(0.18, 0.82, 9)  # of a cell: its inside


_ENDS: Final = 0.35
"""Darkness beyond the lattice by that of its lines: at most 0.32 on composed sheets of all tiers,
at least 0.41 on all but one of the grids and boards of docs/decisions/0120."""
_SURE: Final = 0.6  # share of the print that none of those reaches together with an end
_FRAMED: Final = 0.9  # frame of the start cell by the others': a glare on it, or writing on those
_HEAVY: Final = 1.2  # 1.4 to 3 where nothing hides it
_GREY: Final = 0.8  # deviations
_PLAIN_GREY: Final = 2.0  # with so much of the print: the start cell may be full of writing
_FAINT: Final = 0.2  # share of the print found below which nothing is a sheet as sold
_OWN: Final = 0.1
"""Least correlation with what of the print no other grid has: 0.1 to 0.45 on sheets of the hard
tier, but 0.03 on an overexposed one; at most 0.11 where one lies turned. Boards with a dark
diagonal reach 0.33, with a start cell paler than the others or lines that go on."""
_MUCH: Final = 0.38
"""Share of the print, found by a soft fit, from which one of the signs may be missing."""
_PLAINLY_OWN: Final = 0.12
_ENDS_IN_NOISE: Final = 0.5  # as `_ENDS`, of lines that noise makes
_PLAINLY_ENDS: Final = 0.2
_GREY_ALONE: Final = 1.0  # deviations
_APART: Final = 0.06  # 0.08 to 0.48 on sheets but one; boards that had other signs: to 0.05
_HALF: Final = 0.5
"""Share of the print, found by a soft fit, with which a start cell may be half under a finger."""
_NOISE_PX: Final = 1.0  # blur against noise, which makes lines of nothing


@dataclass(frozen=True, slots=True)
class Signs:
    """How much of a Détrak sheet shows.

    Attributes:
        ruled: Darkness of the lines between cells, of the paper; 0 without.
        beyond: Darkness where lines would go on, if this were any grid.
        start: Darkness of the frame of the start cell by that of the other cells' frames.
        diagonal: How much darker the grey cells are than the others, in deviations of those.
    """

    ruled: float
    beyond: float
    start: float
    diagonal: float


def signs(flat: NDArray[np.float32], plan: SheetPlan) -> Signs:
    """Measures a sheet seen from straight above.

    Args:
        flat: (H, W) lightness from `vision.sheets.fit.rectify` at `PX_PER_MM`.
        plan: Of Détrak.
    """
    cells = {
        (field.column, field.row): field.centre_mm
        for field in plan.of_kind("symbol")
        if field.column is not None and field.row is not None
    }
    pitch = plan.of_kind("symbol")[0].size_mm[0]
    origin = np.array(cells[1, 1]) - 1.5 * pitch  # top left corner of the 7 x 7 squares
    inner = [
        _edge(flat, origin, pitch, column, row, upright)
        for column in range(2, 6)
        for row in range(1, 6)
        for upright in (True, False)
        for column, row in [(column, row) if upright else (row, column)]
    ]
    before = [_edge(flat, origin, pitch, 0, row, True) for row in range(1, 6)]
    before += [_edge(flat, origin, pitch, 0, row, False) for row in range(2, 6)]
    before += [_edge(flat, origin, pitch, column, 0, False) for column in range(1, 6)]
    before += [_edge(flat, origin, pitch, column, 0, True) for column in range(2, 6)]
    after = [_edge(flat, origin, pitch, 7, row, False) for row in range(1, 7)]
    after += [_edge(flat, origin, pitch, column, 7, True) for column in range(1, 7)]
    frames = {place: _frame(flat, origin, pitch, *place) for place in cells}
    others = [value for place, value in frames.items() if place != (1, 1)]
    bodies = {place: _body(flat, origin, pitch, *place) for place in cells}
    grey = [value for (column, row), value in bodies.items() if column + row == 6]
    white = np.array([value for (column, row), value in bodies.items() if column + row != 6])
    spread = 1.4826 * float(np.median(np.abs(white - np.median(white)))) + 0.01
    return Signs(
        ruled=float(np.median(inner)),
        beyond=float(max(np.median(before), np.median(after))),
        start=frames[1, 1] / max(float(np.median(others)), 1e-3),
        diagonal=float(np.median(white) - np.median(grey)) / spread,
    )


def goes_on(seen: Signs) -> bool:
    """Whether the lines of a grid go on where a sheet's end."""
    return seen.beyond > _ENDS * seen.ruled


def is_detrak(seen: Signs, sure: float) -> bool:
    """Whether a ruled grid is a sheet of Détrak.

    Args:
        seen: From `signs`.
        sure: Share of its print that was found.
    """
    if goes_on(seen):
        return False
    if sure > _SURE:
        return seen.start > _FRAMED or seen.diagonal > _PLAIN_GREY
    return seen.start > _HEAVY and seen.diagonal > _GREY


def calm(flat: NDArray[np.float32]) -> NDArray[np.float32]:
    """A sheet seen from above without the noise that looks like lines where there are none."""
    return np.asarray(cv2.GaussianBlur(flat, (0, 0), _NOISE_PX), np.float32)


def is_faint_detrak(seen: Signs, sure: float, own: float, apart: float) -> bool:
    """Whether a ruled grid in a dim or blurred picture is a sheet of Détrak as sold.

    Args:
        seen: From `signs`, of a sheet from above that was calmed.
        sure: Share of its print that was found.
        own: From `vision.sheets.judge.of_detrak_alone`.
        apart: How much more that is than with the sheet turned.
    """
    if sure < _FAINT:
        return False
    if own >= _OWN and apart >= _APART and seen.start > _HEAVY and not goes_on(seen):
        return True
    if sure < _MUCH:
        return False
    if own >= _PLAINLY_OWN and seen.start > _HEAVY:
        return seen.beyond < _ENDS_IN_NOISE * seen.ruled
    if sure >= _HALF and own >= _PLAINLY_OWN and apart >= _APART and seen.start > _FRAMED:
        return not goes_on(seen)
    if seen.beyond >= _PLAINLY_ENDS * seen.ruled:
        return False
    if own >= _PLAINLY_OWN and seen.start > _FRAMED:
        return True
    # A glare on the start cell: what is left are lines that plainly end, and the grey diagonal.
    return seen.diagonal > _GREY_ALONE and apart >= _APART


def _sample(flat: NDArray[np.float32], origin: Floats, pitch: float, cells: Floats) -> Floats:
    """Lightness at points (N, 2) given in cells from the top left of the lattice."""
    at = (origin + cells * pitch + RIM_MM) * PX_PER_MM
    x = at[:, 0].astype(int).clip(0, flat.shape[1] - 1)
    y = at[:, 1].astype(int).clip(0, flat.shape[0] - 1)
    return np.asarray(flat[y, x], np.float64)


def _edge(
    flat: NDArray[np.float32], origin: Floats, pitch: float, column: int, row: int, upright: bool
) -> float:
    """Darkness of the left (upright) or upper edge of a square of the lattice."""
    values = []
    for offsets in (_ON, _BESIDE):
        across, along = np.meshgrid(offsets, _ALONG)
        points = (across, along) if upright else (along, across)
        places = np.stack([points[0].ravel() + column, points[1].ravel() + row], axis=1)
        values.append(_sample(flat, origin, pitch, places).reshape(across.shape))
    return float(np.median(np.median(values[1], axis=1) - values[0].min(axis=1)))


def _frame(flat: NDArray[np.float32], origin: Floats, pitch: float, column: int, row: int) -> float:
    """How much darker than its inside a band along the edges of a square is, in the mean."""
    inset, along = (axis.ravel() for axis in np.meshgrid(_FRAME, _ALONG))
    sides = []
    for points in ((inset, along), (1 - inset, along), (along, inset), (along, 1 - inset)):
        places = np.stack([points[0] + column, points[1] + row], axis=1)
        sides.append(1.0 - _sample(flat, origin, pitch, places).reshape(len(_ALONG), -1))
    return float(np.median([np.median(side.mean(axis=1)) for side in sides]))


def _body(flat: NDArray[np.float32], origin: Floats, pitch: float, column: int, row: int) -> float:
    """Lightness of the inside of a square where nothing is written: its upper quartile."""
    x, y = np.meshgrid(_BODY, _BODY)
    places = np.stack([x.ravel() + column, y.ravel() + row], axis=1)
    return float(np.quantile(_sample(flat, origin, pitch, places), 0.75))
