"""Fit a lattice to the lines of its board, from where tiles lie outwards.

A few tiles fix the lattice where they lie; a few cells on it is off. Lines between cells carry it
further: each side of a cell says how far it lies off, and all together correct the map.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.homography import Floats, invert, project
from vision.tiles.lines import Image, Lines, Sides, Span, measure_lines

VISIBLE: Final = 2.5
"""Strength from which a side counts as seen; grain alone reaches 2."""
PLAIN: Final = 8.0
"""Strength from which it counts fully."""
STRAY: Final = 0.12
"""Scale in cells, for Tukey's biweight, of what is off for other reasons: edges, strokes."""
STEP: Final = 3
"""Cells that the lattice is carried outwards at a time: so far the fit is good to half a cell."""
ROUNDS: Final = 10
"""Steps; they cross the longest board from its end."""
LEAST: Final = 10
"""Sides that a correction rests on, at least."""
SLOW: Final = 4
"""First steps, of one cell each: a handful of tiles says little of perspective."""
EDGE: Final = 2
"""Outer lines of which one must be seen for the board to go on."""
SETTLED: Final = 0.01
"""Cells; smaller corrections end the search."""
HOLD: Final = 2.0
"""What a tile counts for, in sides seen."""
RAISED: Final = 0.15
"""How far tiles may seem shifted against their cells because they stand above the board."""
USUAL: Final = (0.3, 0.1, 0.05)
"""How far off a map may be before: shift in cells; scale and shear; perspective, a cell. The last
is that of a board seen at 55 degrees from 1.6 times its length, as are most in our pictures."""


@dataclass(frozen=True, slots=True, eq=False)
class Anchors:
    """Tiles that hold a lattice where lines are faint.

    Attributes:
        middles_px: (N, 2) middles of their faces, px of the picture.
        cells: (N, 2) middles (column, row) of the cells that they lie in.
    """

    middles_px: Floats
    cells: Floats


def refine(
    picture: Image, homography: Floats, start: Span, limits: Span, anchors: Anchors | None = None
) -> Floats:
    """The map fitted to the lines around `start`, and from there to `limits`.

    Args:
        picture: (H, W) grey, of `vision.tiles.lines.reduced`.
        homography: (3, 3) from (column, row) in cells to its px, good near `start`.
        start: Cells from which to begin.
        limits: Cells beyond which not to look.
        anchors: Tiles on the lattice, if there are any.
    """
    span = start
    for step in range(ROUNDS):
        lines = measure_lines(picture, homography, span)
        correction = _correction(lines, homography, anchors)
        wider = _wider(span, lines, limits, 1 if step < SLOW else STEP)
        if correction is not None:
            moved = homography @ correction
            homography = moved / moved[2, 2]
            if wider == span and _is_small(correction, span):
                break
        span = wider
    return homography


def _is_small(correction: Floats, span: Span) -> bool:
    """True when a correction moves no corner of a span by as much as can be seen."""
    x0, y0, x1, y1 = span
    corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], dtype=np.float64)
    return bool(np.abs(project(correction, corners) - corners).max() < SETTLED)


def _wider(span: Span, lines: Lines, limits: Span, step: int) -> Span:
    """The span with more cells on each side on which the board still goes on."""
    up, level = lines.upright.strength, lines.level.strength
    ends = (
        _goes_on(up[:, :EDGE]),
        _goes_on(level[:EDGE]),
        _goes_on(up[:, -EDGE:]),
        _goes_on(level[-EDGE:]),
    )
    left, top, right, bottom = (step if end else 0 for end in ends)
    return (
        max(span[0] - left, limits[0]),
        max(span[1] - top, limits[1]),
        min(span[2] + right, limits[2]),
        min(span[3] + bottom, limits[3]),
    )


def _goes_on(strength: Floats) -> bool:
    """True when some of a span's outer lines are seen, at a third of their sides."""
    lines = strength if strength.shape[0] >= strength.shape[1] else strength.T
    return bool(((lines >= VISIBLE).mean(axis=0) >= 1 / 3).any())


def _correction(lines: Lines, homography: Floats, anchors: Anchors | None) -> Floats | None:
    """Map (3, 3) from corrected to present lattice coordinates.

    The first order of a homography near the identity is linear in its eight entries: an upright
    side at (x, y) that lies d to the right says a0 + a1 x + a2 y + p x x + q x y = d, a level one
    likewise (Lucas and Kanade's scheme with the projective group, as Baker and Matthews 2004).
    Tiles say both, but for a shift that they have in common, since they stand above the board.
    """
    x0, y0, x1, y1 = lines.span
    rows, columns = y1 - y0, x1 - x0
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    scale = max(rows, columns) / 2
    xs = (np.arange(columns + 1) + x0 - middle[0]) / scale
    ys = (np.arange(rows + 1) + y0 - middle[1]) / scale
    ux, uy = np.meshgrid(xs, (ys[:-1] + ys[1:]) / 2)
    lx, ly = np.meshgrid((xs[:-1] + xs[1:]) / 2, ys)
    parts = [
        _equations(ux, uy, lines.upright.offset, _weights(lines.upright), level=False),
        _equations(lx, ly, lines.level.offset, _weights(lines.level), level=True),
    ]
    if anchors is not None:
        parts += _held(anchors, homography, middle, scale)
    rows_a = np.vstack([part[0] for part in parts])
    wanted = np.concatenate([part[1] for part in parts]) / scale
    weights = np.concatenate([part[2] for part in parts])
    if (weights > 0).sum() < LEAST:
        return None
    a0, a1, a2, b0, b1, b2, p, q = _solve(rows_a, wanted, weights, scale)[:8]
    local = np.array([[1 + a1, a2, a0], [b1, 1 + b2, b0], [-p, -q, 1.0]])
    to_local = np.array(
        [[1 / scale, 0, -middle[0] / scale], [0, 1 / scale, -middle[1] / scale], [0, 0, 1.0]]
    )
    result: Floats = np.linalg.inv(to_local) @ local @ to_local
    return result


def _weights(sides: Sides) -> Floats:
    return np.clip((sides.strength - VISIBLE) / (PLAIN - VISIBLE), 0.0, 1.0)


def _held(
    anchors: Anchors, homography: Floats, middle: Floats, scale: float
) -> list[tuple[Floats, Floats, Floats]]:
    """Equations of tiles: how far each lies off its cell at present."""
    off = project(invert(homography), anchors.middles_px) - anchors.cells
    good = np.asarray(np.isfinite(off).all(axis=1))
    weights = np.where(good, HOLD, 0.0)
    off = np.where(good[:, None], off, 0.0)
    x, y = ((anchors.cells - middle) / scale).T
    across = _equations(x, y, off[:, 0], weights, level=False)
    down = _equations(x, y, off[:, 1], weights, level=True)
    across[0][:, 8], down[0][:, 9] = 1.0, 1.0
    return [across, down]


def _equations(
    x: Floats, y: Floats, offset: Floats, weights: Floats, *, level: bool
) -> tuple[Floats, Floats, Floats]:
    """Rows (N, 10), the last two for the shift of tiles, wanted (N,) in cells, weights (N,)."""
    x, y = x.ravel(), y.ravel()
    zero, one = np.zeros_like(x), np.ones_like(x)
    if level:
        rows = np.column_stack([zero, zero, zero, one, x, y, x * y, y * y, zero, zero])
    else:
        rows = np.column_stack([one, x, y, zero, zero, zero, x * x, x * y, zero, zero])
    return rows, offset.ravel(), weights.ravel()


def _solve(rows: Floats, wanted: Floats, weights: Floats, scale: float) -> Floats:
    """Least squares with Tukey's weights, begun wide, against what is likely before."""
    shift, skew, lean = USUAL
    before = np.array([shift / scale, skew, skew] * 2 + [lean * scale] * 2 + [RAISED / scale] * 2)
    stray = STRAY / scale
    solution = np.zeros(10)
    for width in (3.0, 2.0, 1.0, 1.0):
        apart = (wanted - rows @ solution) / (width * stray)
        bite = np.where(np.abs(apart) < 1, (1 - apart**2) ** 2, 0.0)
        root = np.sqrt(weights * bite) / stray
        system = np.vstack([rows * root[:, None], np.diag(1 / before)])
        sought = np.concatenate([wanted * root, np.zeros(10)])
        solution = np.linalg.lstsq(system, sought, rcond=None)[0]
    return solution
