"""A board's place on its lattice, told by lines alone."""

import numpy as np
import pytest

from vision.tiles.extent import CLEAR, NOTHING, find_extent
from vision.tiles.lines import Lines, Sides

SPAN = (-3, -3, 23, 18)
SIZES = ((13, 17), (13, 18))


def lines_of_one_column_more(outer, crossing):
    """A board of 13 x 17 with plain lines, and what may be its eighteenth column beside it.

    Args:
        outer: evidence, -1 to 1, of the line at the end of that column.
        crossing: the same of the sides that cross it.
    """
    x0, y0, x1, y1 = SPAN
    upright, level = np.ones((y1 - y0, x1 - x0 + 1)), np.ones((y1 - y0 + 1, x1 - x0))
    upright[3:16, 3:21] = CLEAR
    level[3:17, 3:20] = CLEAR
    upright[3:16, 21] = NOTHING * (CLEAR / NOTHING) ** outer
    level[3:17, 20] = NOTHING * (CLEAR / NOTHING) ** crossing
    off = np.zeros_like
    return Lines(SPAN, Sides(off(upright), upright), Sides(off(level), level))


@pytest.mark.parametrize(
    ("outer", "crossing", "columns"),
    [(-1.0, -1.0, 17), (1.0, 1.0, 18), (-0.55, 0.4, None), (0.3, 0.5, None)],
)
def test_a_column_half_seen_leaves_the_edge_open(outer, crossing, columns):
    found = find_extent(lines_of_one_column_more(outer, crossing), (), None, SIZES)
    if columns is None:
        assert found is None
    else:
        assert found is not None
        assert found.span == (0, 0, columns, 13)
