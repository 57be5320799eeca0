"""One frame of a board against the frame before and the board at rest: what lies over it. Pure."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.cubes.find import BoardView
from vision.cubes.zone import (
    Mask,
    Size,
    Zone,
    cell_shares,
    changed,
    likeness,
    likeness_around,
    reaching_in,
    ring_shares,
    share,
    share_around,
    shift_cells,
)

MOVING: Final = 0.004
"""Share of the zone that changes from frame to frame before it counts as motion: a quarter of a
cell. Sensor noise and JPEG changed 0.0 to 0.05 % of it, a finger's tip changes 1 %."""
CHANGED: Final = 0.008
"""Share of a cell's px, two of 256, that differ before it is read anew: a dot that turned to
another side changes four."""
COVERED: Final = 0.2
"""Share of the ring around a cell that differs from the board at rest before the cell counts as
hidden: a lifted cube changes up to a tenth of its ring (the walls of its neighbours come into
view), a finger covers half of it."""
TOUCHED: Final = 0.05
"""Share of a cell under what reaches in from the edge before the cell counts as hidden."""
STEADY_CELLS: Final = 0.12
"""Shift of the whole zone within which a frame without the detector's look may be read."""
STEADY_PEAK: Final = 0.08
"""Least height of the correlation that tells it."""
LIKE: Final = 0.6
"""Likeness to the cell at rest from which what changed is its light: shadows over composed boards
left 0.75 to 0.99, hands under 0.4."""
STILL_LIKE: Final = 0.8
"""Likeness of every cell to the frame before from which only its light changed."""
ALONE: Final = 0.02
"""Share of the cells around that changed, under which nothing but the gap has: where a hand of the
colour of the wood lies, the lines between the cubes are gone at least."""
APART: Final = 0.75
"""Likeness of the texture around a cell without a face from which it is vouched for as a gap. In
six simulated games nine of ten frames of true gaps had more and most others less; single ones had
up to 0.9, and do not last."""


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """One frame of a board that is known, against the frame before and the board at rest.

    Attributes:
        view: Where the board is.
        zone: (S, S, 3).
        valid: (S, S).
        moving: Share of the zone that changed since the frame before.
        still: Too little of it to be motion.
        covered: (size * size,), cells that something lies over.
        suspect: (size * size,), these, and cells that a shadow lies over.
        apart: (S, S), what differs from the board at rest; None while none is known.
        steady: The board is where it was at rest.
    """

    view: BoardView
    zone: Zone
    valid: Mask
    moving: float
    still: bool
    covered: Mask
    suspect: Mask
    apart: Mask | None = None
    steady: bool = False

    @property
    def reaching(self) -> bool:
        """Something lies over a cell."""
        return bool(self.covered.any())


def compare(view: BoardView, zone: Zone, valid: Mask, rest: Zone | None, moving: float) -> Compared:
    """A frame against the board at rest.

    Args:
        view: Where the board is.
        zone: (S, S, 3), cut there.
        valid: (S, S), where the picture reaches.
        rest: (S, S, 3), the zone at rest; None while none is known.
        moving: Share of the zone that changed since the frame before.
    """
    size, still = view.lattice.size, moving < MOVING
    none = np.zeros(size**2, np.bool_)
    if rest is None:
        return Compared(view, zone, valid, moving, still, none, none)
    apart = changed(zone, rest, valid)
    if still and share(apart) < MOVING:
        return Compared(view, zone, valid, moving, still, none, none, apart, steady=True)
    shift, peak = shift_cells(zone, rest)
    steady = shift <= STEADY_CELLS and peak >= STEADY_PEAK
    covered, suspect = _covered(zone, rest, apart, valid, size)
    return Compared(view, zone, valid, moving, still, covered, suspect, apart, steady)


def _covered(zone: Zone, rest: Zone, apart: Mask, valid: Mask, size: int) -> tuple[Mask, Mask]:
    """Which cells something lies over, and may lie over, (size * size,) each.

    Arms reach in from the edge; what hangs together with nothing is seen by the ring around a
    cell. Both hide the texture that shadows leave.
    """
    cells = cell_shares(apart, size)
    arms = cell_shares(reaching_in(apart, valid), size) >= TOUCHED
    rings = (ring_shares(apart, size) >= COVERED) & (cells >= CHANGED)
    covered: Mask = (arms | rings) & (likeness(zone, rest, size) < LIKE)
    return covered, arms | rings


def is_light(zone: Zone, last: Zone, size: Size) -> bool:
    """True when every cell kept its texture, so that what changed is the light over it."""
    return bool(likeness(zone, last, size).min() >= STILL_LIKE)


def changed_cells(zone: Zone, then: Zone, valid: Mask, size: Size) -> Mask:
    """Cells that are not as they were then, apart from light that passes, (cells,)."""
    apart = changed(zone, then, valid)
    cells: Mask = cell_shares(apart, size) >= CHANGED
    if share(apart) < MOVING:
        return cells  # so little is no shadow: a dot that turned
    return cells & (likeness(zone, then, size) < STILL_LIKE)


def stands_alone(now: Compared, rest: Zone | None, index: int) -> bool:
    """True when nothing reaches over a cell, so that it is a gap if it shows no face.

    A hand of the colour of the wood is seen in parts only; the texture around them is gone.
    """
    size = now.view.lattice.size
    if now.suspect[index] or rest is None or now.apart is None:
        return False
    if share_around(now.apart, index, size) < ALONE:
        return True
    return likeness_around(now.zone, rest, index, size) >= APART


def looks_moved(there: Zone, here: Zone, rest: Zone, size: int) -> bool:
    """True when a board at rest looks rather as it did at another place than where it was.

    Args:
        there: (S, S, 3), cut where it was found now.
        here: (S, S, 3), cut where it was.
        rest: (S, S, 3), the zone at rest.
        size: Cells along one side.
    """
    new, old = (float(np.median(likeness(zone, rest, size))) for zone in (there, here))
    return new > old
