"""The map that takes places of a print to where they were found, some of them wrongly.

A homography that most agree with, then weights by Tukey and, where places left out agree with it,
a smooth bend of the paper.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Floats, as_matrix, fit_homography, invert, project
from vision.sheets.map import Bend, SheetMap, powers_of

_SINGULAR: Final = 1e10  # condition; from mm to px of a large picture in a slanting view: 1e6
_LEAST: Final = 8  # found places that a map may rest on: twice what fixes a homography
_BETTER: Final = 0.93  # a bend of higher degree must lower the residual of places left out by that
_STIFF: Final = 0.05  # weight that pulls the bend to zero, in found places at the sheet's margin
_TUKEY: Final = 4.7  # residuals beyond so many deviations count nothing (95 % efficiency)
_FLOOR_MM: Final = 0.15  # deviations below it are that of the peaks
_ROUNDS: Final = 4  # of fitting and weighing anew; further ones change less than 0.01 mm


def fit_map(
    centres: Floats, at_px: Floats, weights: Floats, size_mm: tuple[float, float], degree: int
) -> tuple[SheetMap, Floats] | None:
    """The map of a sheet from places of its print.

    Args:
        centres: (N, 2) places on the sheet, mm.
        at_px: (N, 2) where each was found, px.
        weights: (N,) how much each counts; 0 for one that was not found.
        size_mm: Width and height of the sheet.
        degree: Highest one of the bend.

    Returns:
        The map and the distance (N,), in mm, of each place from it, infinite where it was not
        found; None where places agree on none.
    """
    good = weights > 0
    if good.sum() < _LEAST:
        return None
    base = _robust_homography(centres[good], at_px[good])
    if base is None:
        return None
    bend: Bend | None = None
    off = _offsets(base, at_px, centres)
    residuals = np.linalg.norm(off, axis=1)
    for _ in range(_ROUNDS):
        trust = weights * _tukey(residuals, good)
        if (trust > 0).sum() < _LEAST:
            return None
        moved = centres if bend is None else centres + bend.shift_mm(centres)
        try:
            base = fit_homography(moved[trust > 0], at_px[trust > 0], trust[trust > 0])
        except ValueError:
            return None
        if not _is_map(base):
            return None
        off = _offsets(base, at_px, centres)
        bend = _best_bend(centres, off, trust, size_mm, degree)
        left = off if bend is None else off - bend.shift_mm(centres)
        residuals = np.linalg.norm(left, axis=1)
    return SheetMap(as_matrix(base), bend), np.where(good, residuals, np.inf)


def _is_map(matrix: Floats) -> bool:
    """Whether a homography can be turned round: points on one line make one that cannot."""
    return bool(np.isfinite(matrix).all() and np.linalg.cond(matrix) < _SINGULAR)


def _offsets(base: Floats, at_px: Floats, centres: Floats) -> Floats:
    """How far (N, 2), in mm, found places lie from where a homography expects them."""
    off = project(invert(base), at_px) - centres
    return np.asarray(np.nan_to_num(off, nan=1e3, posinf=1e3, neginf=1e3))


def _robust_homography(centres: Floats, at_px: Floats) -> Floats | None:
    """A homography most places agree with, to within the bend of paper."""
    spread = float(np.linalg.norm(at_px.std(axis=0)) / np.linalg.norm(centres.std(axis=0)))
    found, _ = cv2.findHomography(
        centres.astype(np.float32), at_px.astype(np.float32), cv2.RANSAC, 1.5 * spread
    )
    if found is None or not _is_map(np.asarray(found)):
        return None
    depth = float(found[2] @ np.append(centres.mean(axis=0), 1.0))
    return None if abs(depth) < 1e-12 else np.asarray(found / depth, np.float64)


def _tukey(residuals: Floats, good: NDArray[np.bool_]) -> Floats:
    """Tukey's weights, the scale from the median of the good ones."""
    scale = max(_FLOOR_MM, 1.4826 * float(np.median(residuals[good])) / 1.1774)
    ratio = residuals / (_TUKEY * scale)
    return np.where(good & (ratio < 1), (1 - ratio.clip(0, 1) ** 2) ** 2, 0.0)


def _best_bend(
    centres: Floats, off: Floats, trust: Floats, size_mm: tuple[float, float], highest: int
) -> Bend | None:
    """The bend of the lowest degree that places left out agree with; None where flat is best."""
    size = np.array(size_mm)
    middle, half = size / 2, float(size.max()) / 2
    uv = (centres - middle) / half
    used = trust > 0
    best: Bend | None = None
    lowest = _BETTER * _rms(off[used], trust[used])
    for degree in range(2, highest + 1):
        powers = tuple((a, n - a) for n in range(degree + 1) for a in range(n + 1))
        terms = powers_of(uv[used], powers)
        if len(terms) < len(powers) + _LEAST:
            break
        shifts, out = _ridge(terms, off[used], trust[used], powers)
        left = _rms(out, trust[used])
        if left < lowest:
            lowest = _BETTER * left
            best = Bend(
                (float(middle[0]), float(middle[1])),
                half,
                powers,
                tuple((float(x), float(y)) for x, y in shifts),
            )
    return best


def _ridge(
    terms: Floats, off: Floats, trust: Floats, powers: tuple[tuple[int, int], ...]
) -> tuple[Floats, Floats]:
    """Shifts (T, 2) of a polynomial, and how far (N, 2) each place lies from it without itself."""
    pull = np.diag([_STIFF * (a + b >= 2) + 1e-6 for a, b in powers])
    weighted = terms * trust[:, None]
    inverse = np.linalg.inv(terms.T @ weighted + pull)
    shifts = inverse @ (weighted.T @ off)
    lever = np.einsum("ij,jk,ik->i", terms, inverse, weighted)
    return shifts, (off - terms @ shifts) / np.maximum(1 - lever, 0.1)[:, None]


def _rms(off: Floats, trust: Floats) -> float:
    """Root mean square length of offsets (N, 2), weighted."""
    return float(np.sqrt((trust * (off**2).sum(axis=1)).sum() / max(trust.sum(), 1e-9)))
