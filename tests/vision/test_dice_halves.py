"""Halves of dominoes are told from dice by the body that goes on past the bar."""

import cv2
import numpy as np
import pytest

from tests.vision.drawn_dice import PIPS, TABLE_BGR
from vision.dice.halves import is_half
from vision.homography import project

SIDE = 60
BODY = (215, 235, 240)
FLAT = np.array([[1, 0, 300], [0, 1, 200], [0, 0, 1.0]])
TURNED = np.array([[0.82, -0.57, 330], [0.57, 0.82, 150], [0, 0, 1.0]])
SLANTED = np.array([[1.1, 0.3, 260], [0.1, 0.8, 220], [0.0002, 0.0006, 1.0]])
VIEWS = (FLAT, TURNED, SLANTED)


def pips(plan, x, y, value):
    for dx, dy in PIPS[value]:
        at = (round(x + SIDE / 2 + dx * 0.26 * SIDE), round(y + SIDE / 2 + dy * 0.26 * SIDE))
        cv2.circle(plan, at, round(0.09 * SIDE), (40, 40, 40), -1)


def seen(plan, view, seed=0):
    """A plan (H, W, 3) on a table, photographed with noise; its first face starts at 100, 100."""
    image = np.full((700, 900, 3), TABLE_BGR, np.uint8)
    moved = view @ np.array([[1, 0, -100], [0, 1, -100], [0, 0, 1.0]])
    cv2.warpPerspective(plan, moved, (900, 700), dst=image, borderMode=cv2.BORDER_TRANSPARENT)
    noise = np.random.default_rng(seed).normal(0, 3, image.shape)
    face = np.array([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)], np.float64)
    corners = tuple((float(x), float(y)) for x, y in project(view, face))
    return np.clip(image + noise, 0, 255).astype(np.uint8), corners


def domino(upper, lower):
    plan = np.full((400, 400, 3), TABLE_BGR, np.uint8)
    cv2.rectangle(plan, (100, 100), (100 + SIDE, 103 + 2 * SIDE), BODY, -1)
    cv2.line(plan, (107, 101 + SIDE), (93 + SIDE, 101 + SIDE), (40, 40, 40), 3)
    pips(plan, 100, 100, upper)
    pips(plan, 100, 103 + SIDE, lower)
    return plan


def two_dice(gap=2, lower=BODY):
    plan = np.full((400, 400, 3), TABLE_BGR, np.uint8)
    cv2.rectangle(plan, (100, 100), (100 + SIDE, 100 + SIDE), BODY, -1)
    top = 100 + SIDE + gap + 1
    cv2.rectangle(plan, (100, top), (100 + SIDE, top + SIDE), lower, -1)
    pips(plan, 100, 100, 5)
    pips(plan, 100, top, 6)
    return plan


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("value", range(1, 7))
def test_a_half_is_known_from_every_side(view, value):
    assert is_half(*seen(domino(value, 7 - value), view))


@pytest.mark.parametrize("view", VIEWS)
def test_dice_are_none(view):
    alone = two_dice(gap=150)
    assert not is_half(*seen(alone, view))
    assert not is_half(*seen(two_dice(), view))  # a gap from edge to edge
    assert not is_half(*seen(two_dice(lower=(60, 60, 200)), view))


def test_a_table_of_the_same_colour_makes_no_half():
    plan = np.full((400, 400, 3), BODY, np.uint8)
    cv2.rectangle(plan, (100, 100), (100 + SIDE, 100 + SIDE), (120, 120, 120), 2)
    pips(plan, 100, 100, 4)
    image, corners = seen(plan, FLAT)
    image[(image == TABLE_BGR).all(axis=2)] = BODY
    assert not is_half(image, corners)
