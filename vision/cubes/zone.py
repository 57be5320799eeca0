"""The board's zone of a live picture, flattened and small: what changed in it, and where.

A zone is the block of cells with `MARGIN_CELLS` around it, `PX_PER_CELL` to a cell, so that a
board is compared with itself whatever its distance and slant. Arrays in, arrays out; no network.
"""

from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.homography import as_quad, project, side_px

Zone: TypeAlias = NDArray[np.uint8]
Mask: TypeAlias = NDArray[np.bool_]
Shares: TypeAlias = NDArray[np.float64]
Size: TypeAlias = int | tuple[int, int]
"""Cells of a board: along each side of a square one, or rows and columns."""

PX_PER_CELL: Final = 16
"""A dot has two px, a mark's stroke two to three; the whole zone takes about a millisecond."""
MARGIN_CELLS: Final = 1.25
"""A hand that reaches for a border cube shows here before it touches; a cube may be held here."""
LIMIT: Final = 20
"""Grey levels by which a px must differ to count as changed. Noise of a dark room (8 levels a
sensor px) is under 4 once averaged down; a hand, a mark or a gap differs by 30 and more."""
NEAR_CELLS: Final = 0.35
"""Width of the ring around a cell that tells whether something lies over it and its neighbours."""
_MARGIN_PX: Final = round(MARGIN_CELLS * PX_PER_CELL)
_RING_PX: Final = round(NEAR_CELLS * PX_PER_CELL)
_EDGE_PX: Final = 4  # around a cell, so that the lines between cubes lie inside
_FINE_PX: Final = 7  # just under half of a cell: the lines are fine, the edge of a shadow is not
RELIT: Final = 0.01
"""More of the zone changed than this, half of a cell, may be the light."""
_GAINS: Final = (0.25, 4.0)
"""Light may change by two stops between two frames; more is another picture."""


def cut_zone(image_bgr: NDArray[np.uint8], homography: ArrayLike, size: Size) -> tuple[Zone, Mask]:
    """Flatten a board's zone.

    Args:
        image_bgr: (H, W, 3).
        homography: (3, 3) from lattice coordinates, in cells, to px.
        size: Its cells.

    Returns:
        (S, T, 3) uint8 BGR with S and T = `side_of(rows)` and `side_of(columns)`, and (S, T) where
        the picture reaches.
    """
    rows, columns = _grid(size)
    tall, wide = side_of(rows), side_of(columns)
    right, bottom = columns + MARGIN_CELLS, rows + MARGIN_CELLS
    corners = project(
        homography,
        [
            (-MARGIN_CELLS, -MARGIN_CELLS),
            (right, -MARGIN_CELLS),
            (right, bottom),
            (-MARGIN_CELLS, bottom),
        ],
    )
    if not np.isfinite(corners).all():  # the zone reaches the horizon
        return np.zeros((tall, wide, 3), np.uint8), np.zeros((tall, wide), np.bool_)
    height, width = image_bgr.shape[:2]
    x0, y0 = np.floor(corners.min(axis=0)).astype(int).clip(0, (width - 1, height - 1))
    x1, y1 = np.ceil(corners.max(axis=0)).astype(int).clip((x0 + 1, y0 + 1), (width, height))
    part = image_bgr[y0:y1, x0:x1]
    by = max(1, int(side_px(as_quad(corners)) / np.sqrt(tall * wide)))
    if by > 1:
        shape = max(1, part.shape[1] // by), max(1, part.shape[0] // by)
        part = np.asarray(
            cv2.resize(part[: shape[1] * by, : shape[0] * by], shape, interpolation=cv2.INTER_AREA),
            np.uint8,
        )
    target = np.array([(0, 0), (wide, 0), (wide, tall), (0, tall)], np.float32)
    source = ((corners - (x0, y0)) / by).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source, target)
    flat = cv2.warpPerspective(part, matrix, (wide, tall), borderMode=cv2.BORDER_REPLICATE)
    inside = cv2.warpPerspective(
        np.full(part.shape[:2], 255, np.uint8), matrix, (wide, tall), flags=cv2.INTER_NEAREST
    )
    return np.asarray(cv2.blur(flat, (3, 3)), np.uint8), np.asarray(inside, np.uint8) > 0


def _grid(size: Size) -> tuple[int, int]:
    """Rows and columns."""
    return (size, size) if isinstance(size, int) else size


def side_of(size: int) -> int:
    """Side of a zone in px, along so many cells."""
    return size * PX_PER_CELL + 2 * _MARGIN_PX


def changed(now: Zone, then: Zone, valid: Mask) -> Mask:
    """Where two zones of one board differ, apart from how bright the whole is.

    The whole may be as bright as it was or not: what makes more of it agree is believed, so that
    a hand over half of the board does not pass for a change of light.

    Args:
        now: (S, T, 3).
        then: (S, T, 3).
        valid: (S, T), where to look.
    """
    plain = _outside(now, then) & valid
    if plain.mean() <= RELIT:
        return plain
    gain = np.median((now[::3, ::3] + 1.0) / (then[::3, ::3] + 1.0), axis=(0, 1))  # (3,)
    expected = (then * np.clip(gain, *_GAINS)).clip(0, 255).astype(np.uint8)
    relit: Mask = _outside(now, expected) & valid
    return relit if relit.sum() < plain.sum() else plain


def _outside(now: Zone, then: Zone) -> Mask:
    """Px whose value was nowhere within one px of them: a shift by a px is no change, (S, S)."""
    near = np.ones((3, 3), np.uint8)
    above = cv2.subtract(now, cv2.dilate(then, near))
    below = cv2.subtract(cv2.erode(then, near), now)
    blue, green, red = cv2.split(cv2.max(above, below))  # NumPy takes 18 times as long over these
    result: Mask = np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8) > LIMIT
    return result


def reaching_in(mask: Mask, valid: Mask) -> Mask:
    """The part of a change that hangs together with the edge of the zone, as arms do.

    Args:
        mask: (S, S), from `changed`.
        valid: (S, S), where the picture reaches.
    """
    calm = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((4, 4), np.uint8))
    inner = cv2.erode(valid.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=0)
    _, labels = cv2.connectedComponents(np.asarray(calm, np.uint8))
    at_edge = np.unique(np.asarray(labels)[(np.asarray(inner) == 0) & valid])
    result: Mask = np.isin(labels, at_edge[at_edge > 0])
    return result


def share(mask: Mask) -> float:
    """Part of the zone that is set, 0 to 1."""
    return float(mask.mean())


def cell_shares(mask: Mask, size: Size) -> Shares:
    """Part of each cell that is set, (cells,), row-major."""
    rows, columns = _grid(size)
    board = mask[_MARGIN_PX : _MARGIN_PX + rows * PX_PER_CELL]
    board = board[:, _MARGIN_PX : _MARGIN_PX + columns * PX_PER_CELL]
    cells = board.reshape(rows, PX_PER_CELL, columns, PX_PER_CELL)
    result: Shares = cells.mean(axis=(1, 3)).ravel()
    return result


def ring_shares(mask: Mask, size: int) -> Shares:
    """Part of the ring around each cell that is set, (size * size,), row-major."""
    total = cv2.integral(mask.astype(np.uint8))  # (S + 1, S + 1)
    starts = _MARGIN_PX + PX_PER_CELL * np.arange(size)
    inner = _sums(total, starts, 0)
    outer = _sums(total, starts, _RING_PX)
    area = (PX_PER_CELL + 2 * _RING_PX) ** 2 - PX_PER_CELL**2
    result: Shares = ((outer - inner) / area).ravel()
    return result


def _sums(total: NDArray[np.int32], starts: NDArray[np.int64], more: int) -> Shares:
    """Sums over the squares of all cells, each grown by some px, (size, size)."""
    low, high = starts - more, starts + PX_PER_CELL + more
    result: Shares = (
        total[np.ix_(high, high)]
        - total[np.ix_(low, high)]
        - total[np.ix_(high, low)]
        + total[np.ix_(low, low)]
    ).astype(np.float64)
    return result


def likeness(now: Zone, then: Zone, size: Size) -> Shares:
    """How far each cell and its edges have kept their texture, (cells,), row-major.

    Correlation of what is finer than `_FINE_PX`, -1 to 1: shadows and lamps, which are smooth,
    leave it near 1; a hand hides the grain and the lines between cubes.
    """
    fine = [_fine(zone) for zone in (now, then)]
    rows, columns = _grid(size)
    result = np.empty(rows * columns)
    for index in range(rows * columns):
        row, col = divmod(index, columns)
        top, left = _MARGIN_PX + row * PX_PER_CELL, _MARGIN_PX + col * PX_PER_CELL
        window = (
            slice(top - _EDGE_PX, top + PX_PER_CELL + _EDGE_PX),
            slice(left - _EDGE_PX, left + PX_PER_CELL + _EDGE_PX),
        )
        a, b = fine[0][window].ravel(), fine[1][window].ravel()
        result[index] = float(a @ b) / max(float(np.sqrt((a @ a) * (b @ b))), 1e-6)
    return result


def likeness_around(now: Zone, then: Zone, index: int, size: int) -> float:
    """How far the cells around one have kept their texture, -1 to 1; see `share_around`."""
    ring = _around(index, size)
    a, b = (_fine(zone)[ring] for zone in (now, then))
    return float(a @ b) / max(float(np.sqrt((a @ a) * (b @ b))), 1e-6)


def share_around(mask: Mask, index: int, size: int) -> float:
    """Part of the cells around one that is set, 0 to 1.

    The cell itself and its nearest px are left out: a gap shows there, walls and all. So is the
    table, where hands and held cubes may be.
    """
    return float(mask[_around(index, size)].mean())


def _around(index: int, size: int) -> Mask:
    """Px of the cells around one, (S, S)."""
    row, col = divmod(index, size)
    top, left = _MARGIN_PX + row * PX_PER_CELL, _MARGIN_PX + col * PX_PER_CELL
    inner, outer = PX_PER_CELL + _EDGE_PX, 2 * PX_PER_CELL
    low, high = _MARGIN_PX - 2, _MARGIN_PX + size * PX_PER_CELL + 2
    ring = np.zeros((side_of(size), side_of(size)), np.bool_)
    ring[
        max(low, top - PX_PER_CELL) : min(high, top + outer),
        max(low, left - PX_PER_CELL) : min(high, left + outer),
    ] = True
    ring[top - _EDGE_PX : top + inner, left - _EDGE_PX : left + inner] = False
    return ring


def _fine(zone: Zone) -> NDArray[np.float32]:
    """Grey levels less their smooth part, (S, S)."""
    grey = np.asarray(cv2.cvtColor(zone, cv2.COLOR_BGR2GRAY), np.float32)
    result: NDArray[np.float32] = grey - np.asarray(cv2.blur(grey, (_FINE_PX, _FINE_PX)))
    return result


def shift_cells(now: Zone, then: Zone) -> tuple[float, float]:
    """How far the zone as a whole has moved, and how clearly (Kuglin and Hines 1975).

    Returns:
        Distance in cells, and the height of the correlation's peak, 0 to 1; a hand over a part
        lowers it.
    """
    window = cv2.createHanningWindow(now.shape[1::-1], cv2.CV_32F)
    pair = [cv2.cvtColor(z, cv2.COLOR_BGR2GRAY).astype(np.float32) for z in (then, now)]
    (dx, dy), peak = cv2.phaseCorrelate(pair[0], pair[1], window)
    return float(np.hypot(dx, dy)) / PX_PER_CELL, float(peak)
