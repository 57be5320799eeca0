"""The flattened zone: what counts as changed, as an arm, as a shadow."""

import cv2
import numpy as np
import pytest

from tests.vision.scenes import Scene, camera, full_board
from vision.cubes.zone import (
    LIMIT,
    PX_PER_CELL,
    cell_shares,
    changed,
    cut_zone,
    likeness,
    likeness_around,
    reaching_in,
    ring_shares,
    share,
    shift_cells,
    side_of,
)

SIDE = side_of(5)
MARGIN = (SIDE - 5 * PX_PER_CELL) // 2


def zone(seed=3, tilt=25.0, roll=12.0, *, light=1.0, at=(800, 600), edit=None):
    """A board's zone; `edit` draws on the picture first."""
    plane = camera(tilt, roll, 0.0, at=at)
    image = Scene([(plane, full_board(seed))]).picture()
    if edit is not None:
        edit(image, plane)
    rng = np.random.default_rng(seed)
    noisy = image * light + rng.normal(0, 6, image.shape)
    return cut_zone(noisy.clip(0, 255).astype(np.uint8), plane, 5)


def px(row, col):
    """The slice of a cell in the zone."""
    top, left = MARGIN + row * PX_PER_CELL, MARGIN + col * PX_PER_CELL
    return slice(top, top + PX_PER_CELL), slice(left, left + PX_PER_CELL)


def test_a_zone_shows_each_cell_at_its_place_whatever_the_view():
    views = [zone(tilt=t, roll=r)[0] for t, r in ((0, 0), (40, 30), (55, 77))]
    for row in range(5):
        for col in range(5):
            means = [v[px(row, col)][5:11, 5:11].mean(axis=(0, 1)) for v in views]
            assert np.ptp(means, axis=0).max() < 40


def test_where_the_picture_ends_the_zone_is_not_valid():
    whole, cut = zone(roll=0.0)[1], zone(roll=0.0, at=(800, 1100))[1]
    assert whole.all()
    assert not cut[-10:].any()
    assert cut[: SIDE // 2].all()


@pytest.mark.parametrize("light", [0.5, 0.8, 1.0])
def test_noise_and_a_light_on_the_whole_change_nothing(light):
    now, valid = zone(light=light)
    then, _ = zone(light=0.9)
    assert share(changed(now, then, valid)) < 0.001


def test_a_shift_by_one_px_is_no_change():
    then, valid = zone()
    assert share(changed(np.roll(then, 1, axis=1), then, valid)) < 0.001
    assert share(changed(np.roll(then, 4, axis=1), then, valid)) > 0.02


def test_one_changed_cell_is_told_alone_and_its_ring_stays():
    then, valid = zone()
    now = then.copy()
    now[px(2, 3)] = 20
    apart = changed(now, then, valid)
    cells, rings = cell_shares(apart, 5), ring_shares(apart, 5)
    assert np.argmax(cells) == 13
    assert cells[13] > 0.9
    assert np.delete(cells, 13).max() == 0
    assert rings[13] == 0
    assert rings[12] > 0.1  # it lies in the ring of its neighbour
    assert not reaching_in(apart, valid).any()


def test_ring_shares_count_what_they_say():
    mask = np.random.default_rng(0).random((SIDE, SIDE)) < 0.3
    grow = round(0.35 * PX_PER_CELL)
    for row, col in ((0, 0), (2, 3), (4, 4)):
        rows, cols = px(row, col)
        outer = mask[rows.start - grow : rows.stop + grow, cols.start - grow : cols.stop + grow]
        expected = (outer.sum() - mask[rows, cols].sum()) / (outer.size - PX_PER_CELL**2)
        assert ring_shares(mask, 5)[row * 5 + col] == pytest.approx(expected)


def arm(now, value=200):
    """Something 14 px wide that comes in from the right edge to cell (2, 3)."""
    rows, cols = px(2, 3)
    now[rows.start + 1 : rows.stop - 1, cols.start :] = value
    return now


def test_an_arm_reaches_in_and_a_thing_in_the_middle_does_not():
    then, valid = zone()
    apart = changed(arm(then.copy(), 20), then, valid)
    assert cell_shares(reaching_in(apart, valid), 5)[[13, 14]].min() > 0.5
    assert cell_shares(reaching_in(apart, valid), 5)[12] == 0


def test_a_shadow_keeps_the_likeness_and_a_hand_does_not():
    then, valid = zone()
    soft = np.ones((SIDE, SIDE), np.float32)
    soft[:, SIDE // 2 :] = 0.6
    shadow = (then * cv2.blur(soft, (9, 9))[..., None]).astype(np.uint8)
    assert changed(shadow, then, valid).any()
    assert likeness(shadow, then, 5).min() > 0.6
    assert likeness(arm(then.copy()), then, 5)[13] < 0.5


def test_a_shift_is_measured_in_cells():
    then, _ = zone()
    shift, peak = shift_cells(np.roll(then, 6, axis=0), then)
    assert shift == pytest.approx(6 / PX_PER_CELL, abs=0.05)
    assert shift_cells(then, then)[0] < 0.01
    assert peak > 0.3


def test_a_gap_leaves_the_texture_around_it_and_a_hand_does_not():
    then, valid = zone()
    gap = then.copy()
    gap[px(2, 3)] = 20
    assert likeness_around(gap, then, 13, 5) > 0.9
    rows, cols = px(2, 3)
    gap[rows.start - 14 : rows.start - 2, cols.start - 14 : cols.stop + 14] = (200, 220, 240)
    assert likeness_around(gap, then, 13, 5) < 0.9
    assert valid.all()


def test_the_limit_is_above_noise_and_below_a_mark():
    then, valid = zone()
    assert not changed((then + LIMIT // 2).clip(0, 255).astype(np.uint8), then, valid).mean() > 0.01
