"""How much a sheet's print shows where a map puts it, place by place and as a whole.

The fit counts only places whose print stands out of its surroundings. In dim, blurred pictures few
do, yet all of them together leave no doubt: looked at where the map puts them, without searching,
what is no sheet agrees with its print no better than chance.
"""

from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Floats
from vision.plans.sheets import Edition, sheet_plan
from vision.sheets.fit import view
from vision.sheets.map import SheetMap
from vision.sheets.print import RIM_MM, expected, spots

PX_PER_MM: Final = 1.5
"""Scale that pictures are compared at: the fit's coarse one, where noise averages out."""
_SOFT_PX: Final = 0.9  # blur of both: that of the hard tier at 16 px a cell
_LIGHT_PX: Final = 12.0  # blur whose result is taken off: shadows, glare, the table around
_CLIPPED: Final = 3.0
"""Deviations beyond which darkness counts no more: heavy writing, a glare's edge, a hand. Without,
the correlation of `of_detrak_alone` was 0.04 to 0.39 on 19 hard sheets, with it 0.08 to 0.45 (but
0.03 on one washed out), and on the same ones turned at most 0.11 as before."""
_PITCH_MM: Final = 10.0  # of the lattice of Détrak as sold
_LATTICE_MM: Final = (10.0, 70.0)  # its first and last line
_LINE: Final = 0.3  # its lines' lightness, as in `vision.sheets.print`
_FINE: Final = 4  # drawn so many times finer


def agreement(flat: NDArray[np.float32], game: str, edition: Edition) -> tuple[float, float]:
    """Correlations, -1 to 1, of a sheet seen from above with its print.

    Args:
        flat: From `vision.sheets.fit.view` at `PX_PER_MM`.
        game: Id of the game.
        edition: Whose print.

    Returns:
        The mean of those of all places of the print, and that of the whole, light taken out.
    """
    plan = sheet_plan(game, edition)
    seen, (print_, unlit) = _soft(flat), _soft_print(game, edition)
    places = []
    for spot in spots(plan):
        low = np.floor((np.array(spot.centre_mm) + RIM_MM - spot.half_mm) * PX_PER_MM)
        x, y = low.astype(int).clip(0)
        side = round(2 * spot.half_mm * PX_PER_MM)
        cut = np.s_[y : y + side, x : x + side]
        places.append(_correlation(seen[cut].ravel(), print_[cut].ravel()))
    return float(np.mean(places)), _correlation(_unlit(flat).ravel(), unlit.ravel())


@cache
def _soft_print(game: str, edition: Edition) -> tuple[Floats, Floats]:
    """A sheet's print, blurred, and that without light."""
    print_ = expected(game, edition, PX_PER_MM)
    return _soft(print_), _unlit(print_)


def of_detrak_alone(flat: NDArray[np.float32]) -> float:
    """Correlation, -1 to 1, with what of the print of Détrak as sold no other grid has.

    An endless grid and one that ends where the sheet's does are taken out of both: the heavy start
    cell, the grey diagonal, the two boxes that stand out and where lines stop are left.

    Args:
        flat: From `vision.sheets.fit.view` at `PX_PER_MM`.
    """
    print_, others = _detrak_alone()
    seen = _unlit(flat).ravel()
    most = _CLIPPED * 1.4826 * float(np.median(np.abs(seen - np.median(seen))))
    seen = seen.clip(-most, most)
    seen = seen - others @ (others.T @ seen)
    return _correlation(seen, print_)


def of_detrak_turned(levels: tuple[NDArray[np.float32], ...], sheet: SheetMap) -> float:
    """The most of `of_detrak_alone` with the lattice laid on itself in its other three turns.

    Args:
        levels: From `vision.sheet_fit.pyramid`.
        sheet: Where a sheet of Détrak as sold may lie.
    """
    plan, middle = sheet_plan("detrak", "commercial"), sum(_LATTICE_MM) / 2
    turned = [sheet.turned(quarters, (middle, middle)) for quarters in (1, 2, 3)]
    flats = [view(levels, one, plan, PX_PER_MM) for one in turned]
    return max((of_detrak_alone(flat) for flat in flats if flat is not None), default=-1.0)


@cache
def _detrak_alone() -> tuple[Floats, Floats]:
    """The print without what other grids have, and an orthonormal base (N, 3) of those."""
    print_ = expected("detrak", "commercial", PX_PER_MM)
    endless = (-RIM_MM, max(print_.shape) / PX_PER_MM)
    grids = [_unlit(_grid(print_.shape, ends)).ravel() for ends in (endless, _LATTICE_MM)]
    others, _ = np.linalg.qr(np.stack([np.ones(print_.size), *grids], axis=1))
    own = _unlit(print_).ravel()
    return own - others @ (others.T @ own), others


def _grid(shape: tuple[int, ...], ends_mm: tuple[float, float]) -> NDArray[np.float32]:
    """A square grid on the lines of the sheet's lattice, from the one end to the other, mm."""
    scale = PX_PER_MM * _FINE
    canvas = np.ones((shape[0] * _FINE, shape[1] * _FINE), np.float32)
    low, high = (round((end + RIM_MM) * scale * 16) for end in ends_mm)
    first = _LATTICE_MM[0] % _PITCH_MM - 2 * _PITCH_MM
    for at_mm in np.arange(first, ends_mm[1] + 0.1, _PITCH_MM):
        if at_mm < ends_mm[0] - 0.1:
            continue
        at = round((at_mm + RIM_MM) * scale * 16)
        cv2.line(canvas, (at, low), (at, high), _LINE, 2, cv2.LINE_AA, 4)
        cv2.line(canvas, (low, at), (high, at), _LINE, 2, cv2.LINE_AA, 4)
    size = (shape[1], shape[0])
    return np.asarray(cv2.resize(canvas, size, interpolation=cv2.INTER_AREA), np.float32)


def _soft(image: NDArray[np.float32]) -> Floats:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), _SOFT_PX), np.float64)


def _unlit(image: NDArray[np.float32]) -> Floats:
    soft = _soft(image)
    return np.asarray(soft - cv2.GaussianBlur(soft, (0, 0), _LIGHT_PX))


def _correlation(one: Floats, other: Floats) -> float:
    one, other = one - one.mean(), other - other.mean()
    return float(one @ other / np.sqrt((one @ one) * (other @ other) + 1e-9))
