"""Qwinto sheets found by their bars, told by the order of their hues.

The yellow bar leads: relative to paper nothing is as yellow, on tables of wood neither, and what
lies on its two sides tells it from other yellow things and which way is down.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Floats, as_matrix, fit_homography
from vision.plans.sheets import EDITIONS, Edition, SheetPlan, sheet_plan
from vision.sheets.map import SheetMap

_SIDE_PX: Final = 800  # longer side of the picture bars are looked for in: they are large
_MOST_POINTS: Final = 8000  # of a colour that are looked at: a bar has hundreds of them
_YELLOW: Final = 0.25  # least difference of channels relative to paper; 0.9 printed, 0.4 blurred
_PURPLE: Final = 0.08  # printed 0.3, blurred 0.15
_CUTS_DEG: Final = (42.0, 38.0, 46.0)
"""Hues that part orange from yellow, tried in turn: 28 and 48 deg as printed, red for orange 10."""
_REDDEST_DEG: Final = -25.0
_PURPLE_DEG: Final = (200.0, 345.0)  # from blue to lilac
_GREENEST_DEG: Final = 75.0
_LEAST_PX: Final = 40  # of a piece of a bar; ten cells of a bar have 120 and more
_SLENDER: Final = 3.5  # length by height: 9.5 flat, a third after a tilt of 60 deg, less a finger
_GAP: Final = 2.5  # heights of a bar that a finger may hide
_ROWS: Final = (1.05, 1.28)  # distance of two rows in heights of a bar: printed, sold
_GLANCE: Final = 0.15  # share of a line beside a piece of the yellow bar with its neighbour's hue
_BESIDE: Final = 0.3  # share of the yellow bar's length that the bars beside it reach
JOINED_PX: Final = (3, 15)
"""Gaps of twice that between pieces of a bar, of 800 px: a disc at 16 and at 60 px a cell."""
_MOST: Final = 8  # yellow pieces that are looked at, the largest first


@dataclass(frozen=True, slots=True)
class _Bar:
    """A bar: its middle, the unit vector along it, length and height; its corners.

    Corners (4, 2): at its start above and below, at its end above and below, above being where the
    normal (-along y, along x) points away from.
    """

    middle: Floats
    along: Floats
    length: float
    height: float
    corners: Floats

    @property
    def normal(self) -> Floats:
        """Unit vector across it, a quarter turn clockwise from along in the picture."""
        return np.array([-self.along[1], self.along[0]])


def guesses(
    relative_bgr: NDArray[np.float32], joined_px: Sequence[int] = (0,)
) -> Iterator[list[tuple[Edition, SheetMap]]]:
    """For every three bars in the right order the sheets of Qwinto they may belong to.

    Args:
        relative_bgr: (H, W, 3) from `vision.sheets.light.paper_relative`.
        joined_px: Reaches, tried in turn, over which pieces of yellow are joined to one; 0 for
            not at all, `JOINED_PX` where noise broke a bar between its discs.
    """
    factor = min(1.0, _SIDE_PX / max(relative_bgr.shape[:2]))
    small = cv2.resize(relative_bgr, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), 1.0)
    hsv = cv2.cvtColor(small.clip(0, 1), cv2.COLOR_BGR2HSV)  # hue in degrees, value 0 to 1
    hue = np.where(hsv[..., 0] > 345, hsv[..., 0] - 360, hsv[..., 0])
    colour = hsv[..., 1] * hsv[..., 2]  # saturation times value: the largest channel less the least
    purple = (colour > _PURPLE) & (hue > _PURPLE_DEG[0]) & (hue < _PURPLE_DEG[1])
    seen: list[_Bar] = []
    for reach, cut in itertools.product(joined_px, _CUTS_DEG):
        yellow = (colour > _YELLOW) & (hue >= cut) & (hue < _GREENEST_DEG)
        orange = (colour > _YELLOW) & (hue < cut) & (hue > _REDDEST_DEG)
        for bars in _threes((_joined(yellow, reach), orange, purple), seen):
            if any(np.linalg.norm(bars[1].middle - one.middle) < one.length / 4 for one in seen):
                continue
            seen.append(bars[1])
            maps = [(edition, _map(bars, sheet_plan("qwinto", edition))) for edition in EDITIONS]
            yield [(edition, one.scaled(1 / factor)) for edition, one in maps if one is not None]


def _joined(mask: NDArray[np.bool_], reach_px: int) -> NDArray[np.bool_]:
    """A colour with the gaps between its pieces filled."""
    if not reach_px:
        return mask
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach_px + 1, 2 * reach_px + 1))
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, disc) > 0)


def _threes(
    colours: tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]], told: Sequence[_Bar]
) -> Iterator[tuple[_Bar, _Bar, _Bar]]:
    """Orange, yellow and purple bars that lie side by side.

    Args:
        colours: Where there is yellow, orange and purple.
        told: Yellow bars that are known: what lies on them is not followed again.
    """
    yellow, orange, purple = colours
    points: list[Floats] = []
    seen = list(told)
    for piece in _pieces(yellow):
        if any(_within(piece, one) for one in seen) or not _between(piece, orange, purple):
            continue
        points = points or [_points(mask) for mask in (orange, yellow, purple)]
        bar = _follow(points[1], piece)
        if bar is None or bar.length < _SLENDER * bar.height:
            continue
        seen.append(bar)
        for sign in (1.0, -1.0):
            above = _neighbour(points[0], bar, -sign)
            below = _neighbour(points[2], bar, sign)
            if above is not None and below is not None:
                yield above, bar, below
                break


def _between(piece: _Bar, orange: NDArray[np.bool_], purple: NDArray[np.bool_]) -> bool:
    """Whether there is orange on one side of a piece and purple on the other: a first glance."""
    at = np.linspace(-0.5, 0.5, 24)[:, None] * piece.length * piece.along
    for sign in (1.0, -1.0):
        shares = []
        for mask, side in ((orange, -sign), (purple, sign)):
            best = 0.0
            for rows in np.linspace(0.6, 1.7, 6):
                places = piece.middle + side * rows * piece.height * piece.normal + at
                x, y = places.astype(int).T.clip(0)
                x, y = x.clip(0, mask.shape[1] - 1), y.clip(0, mask.shape[0] - 1)
                best = max(best, float(mask[y, x].mean()))
            shares.append(best)
        if min(shares) > _GLANCE:
            return True
    return False


def _within(piece: _Bar, bar: _Bar) -> bool:
    off = piece.middle - bar.middle
    return bool(abs(off @ bar.along) < bar.length / 2 and abs(off @ bar.normal) < bar.height / 2)


def _points(mask: NDArray[np.bool_]) -> Floats:
    y, x = np.nonzero(mask)
    points = np.stack([x, y], axis=1)[:: 1 + len(x) // _MOST_POINTS]
    return points.astype(np.float64) + 0.5


def _pieces(mask: NDArray[np.bool_]) -> Iterator[_Bar]:
    """Connected pieces of a colour, the largest first."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(
        mask.astype(np.uint8), connectivity=8
    )
    for index in np.argsort(-stats[1:count, cv2.CC_STAT_AREA])[:_MOST] + 1:
        x, y, width, height, area = (int(value) for value in stats[index])
        if area < _LEAST_PX:
            return
        part = labels[y : y + height, x : x + width] == index
        yield _rough(_points(part) + np.array([x, y]))


def _rough(points: Floats) -> _Bar:
    """A bar as long and as high as a rectangle of the points' spread."""
    middle = points.mean(axis=0)
    spread, axes = np.linalg.eigh(np.cov((points - middle).T))
    height, length = np.sqrt(12 * np.maximum(spread, 0.1))  # variance of a length: its square / 12
    return _Bar(middle, axes[:, 1], float(length), float(height), np.tile(middle, (4, 1)))


def _bar(points: Floats) -> _Bar | None:
    """A bar around points that belong to it."""
    if len(points) < _LEAST_PX // 2:
        return None
    middle = points.mean(axis=0)
    spread, axes = np.linalg.eigh(np.cov((points - middle).T))
    if spread[1] <= 0:
        return None
    along = axes[:, 1]
    t, n = _coordinates(points, middle, along)
    start, end = np.quantile(t, (0.002, 0.998))
    if end - start < 4:
        return None
    edges = _edges(t, n, start, end)
    heights = edges[:, 1] - edges[:, 0]
    if heights.min() < 1:
        return None
    normal = np.array([-along[1], along[0]])
    ends = ((start, edges[0, 0]), (start, edges[0, 1]), (end, edges[1, 0]), (end, edges[1, 1]))
    corners = np.array([middle + at * along + off * normal for at, off in ends])
    return _Bar(corners.mean(axis=0), along, float(end - start), float(heights.mean()), corners)


def _coordinates(points: Floats, middle: Floats, along: Floats) -> tuple[Floats, Floats]:
    """Along and across a line through the middle."""
    off = points - middle
    return off @ along, off @ np.array([-along[1], along[0]])


def _edges(t: Floats, n: Floats, start: float, end: float) -> Floats:
    """Where the upper and lower edge lie across, at the start and at the end: (2, 2)."""
    bins = np.clip(((t - start) / (end - start) * 12).astype(int), 0, 11)
    at, sides = [], []
    for index in range(12):
        inside = n[bins == index]
        if len(inside) >= 4:
            at.append(start + (index + 0.5) / 12 * (end - start))
            # One sort: NumPy's quantile costs ten times as much on a hundred values.
            inside = np.sort(inside)
            last = len(inside) - 1
            sides.append((inside[round(0.03 * last)], inside[round(0.97 * last)]))
    if len(at) < 3:
        low, high = np.quantile(n, (0.03, 0.97))
        return np.array([(low, high), (low, high)])
    lines = [_line(np.array(at), np.array(sides)[:, side]) for side in (0, 1)]
    return np.array([[a + b * x for a, b in lines] for x in (start, end)])


def _line(at: Floats, values: Floats) -> tuple[float, float]:
    """Intercept and slope of the line through most of the points (Theil and Sen)."""
    i, j = np.triu_indices(len(at), 1)
    slope = float(np.median((values[j] - values[i]) / (at[j] - at[i])))
    return float(np.median(values - slope * at)), slope


def _follow(points: Floats, piece: _Bar) -> _Bar | None:
    """The whole bar that a piece belongs to: points along its line, over gaps of a finger."""
    bar: _Bar | None = piece
    for _ in range(3):
        if bar is None:
            return None
        bar = _bar(_run(points, bar.middle, bar.along, bar.length, bar.height))
    return bar


def _run(points: Floats, middle: Floats, along: Floats, length: float, height: float) -> Floats:
    """Points beside a line and, along it, not further from each other than a finger is wide."""
    t, n = _coordinates(points, middle, along)
    near = np.abs(n) < 0.7 * height
    t, kept = t[near], points[near]
    if not len(t):
        return kept
    order = np.argsort(t)
    t, kept = t[order], kept[order]
    breaks = np.flatnonzero(np.diff(t) > _GAP * height) + 1
    runs = np.split(np.arange(len(t)), breaks)
    inside = [int((np.abs(t[run]) < length / 2).sum()) for run in runs]
    return kept[runs[int(np.argmax(inside))]]


def _neighbour(points: Floats, bar: _Bar, sign: float) -> _Bar | None:
    """The bar beside a bar, on the side where its normal points or on the other."""
    best: _Bar | None = None
    for rows in _ROWS:
        middle = bar.middle + sign * rows * bar.height * bar.normal
        found = _bar(_run(points, middle, bar.along, bar.length, bar.height))
        if found is None or found.length < _BESIDE * bar.length:
            continue
        apart = abs(float((found.middle - bar.middle) @ bar.normal)) / bar.height
        parallel = abs(float(found.along @ bar.along)) > 0.94
        alike = 0.35 < found.height / bar.height < 2.0
        if not (parallel and alike and 0.6 < apart < 2.0):
            continue
        if best is None or found.length > best.length:
            best = found
    return best


def _map(bars: tuple[_Bar, _Bar, _Bar], plan: SheetPlan) -> SheetMap | None:
    """The map that takes the corners of the plan's bars to those seen.

    The yellow bar counts in full; the others as far as they are as long as it.
    """
    down = bars[2].middle - bars[0].middle
    right = np.array([down[1], -down[0]])  # the picture is no mirror
    places, seen, weights = [], [], []
    for bar, printed in zip(bars, plan.bars, strict=True):
        corners = bar.corners if bar.along @ right > 0 else bar.corners[::-1]
        x, y, width, height = printed.box_mm
        places += [(x, y), (x, y + height), (x + width, y), (x + width, y + height)]
        seen += list(corners)
        alike = min(bar.length, bars[1].length) / max(bar.length, bars[1].length)
        weights += [1.0 if alike > 0.85 else 1e-3] * 4
    try:
        return SheetMap(as_matrix(fit_homography(places, seen, weights)))
    except ValueError:
        return None
