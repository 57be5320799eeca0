"""A measured figure with its limit, and how times are taken."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table.

    Attributes:
        what: what was measured.
        value: the result, in ``unit``.
        unit: ``ms``, ``MB``, ``frames`` or ``%``.
        limit: the most it may be.
        runs: how many runs it comes from.
    """

    what: str
    value: float
    unit: str
    limit: float
    runs: int

    def kept(self) -> bool:
        """Tell whether the limit is kept."""
        return self.value <= self.limit


def timed(work: Callable[[], object], runs: int, warm: int = 0) -> list[float]:
    """Time of each run in ms; the first ``warm`` ones are not counted."""
    times = []
    for _ in range(warm + runs):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1000)
    return times[warm:]


def percentile(values: Sequence[float], share: float) -> float:
    """The value that ``share`` percent of the values do not exceed."""
    return float(np.percentile(values, share))
