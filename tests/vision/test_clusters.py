"""Points near each other: the same counts as pair by pair, without the memory of all pairs."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.clusters import near_counts


@given(st.integers(1, 600), st.integers(0, 2**16), st.sampled_from([1.2, 1.35, np.inf]))
@settings(max_examples=30, deadline=None)
def test_counts_are_those_of_all_pairs(count: int, seed: int, alike: float) -> None:
    rng = np.random.default_rng(seed)
    middles, sides = rng.uniform(0, 200, (count, 2)), rng.uniform(3, 30, count)
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    near = apart < 2 * sides[:, None]
    assert near_counts(middles, 2 * sides).tolist() == near.sum(axis=1).tolist()
    near &= np.abs(np.log(sides[:, None] / sides[None])) < np.log(alike)
    assert near_counts(middles, 2 * sides, sides, alike).tolist() == near.sum(axis=1).tolist()


@pytest.mark.parametrize("count", [0, 1])
def test_few_points(count: int) -> None:
    assert near_counts(np.zeros((count, 2)), np.ones(count)).tolist() == [1] * count


def test_squares_of_a_whole_cloth_take_no_memory_of_pairs() -> None:
    rng = np.random.default_rng(3)
    middles, sides = rng.uniform(0, 1400, (12_000, 2)), rng.uniform(9, 14, 12_000)
    tracemalloc.start()
    near_counts(middles, 2 * sides, sides, 1.35)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6
