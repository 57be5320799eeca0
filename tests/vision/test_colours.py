"""Dice of a set are told by their hues under any lamp, and never guessed where hues are close."""

import json
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.compose.sensor import colour_gain
from vision.dice.classify import DieScores
from vision.dice.colours import (
    OTHER,
    DiceSet,
    DieHue,
    close_pairs,
    hue_in_box,
    hue_of,
    match_set,
    measure_hue,
)
from vision.dice.find import SeenDie
from vision.labels import DIE_COLOURS, DIE_FACES
from vision.light import scene_white

LAMPS_K = (2700, 3000, 3500, 4200, 5500, 6500)
QWINTO = {"orange": (30, 110, 240), "yellow": (40, 205, 245), "purple": (150, 60, 110)}  # sRGB BGR
TABLES = {"oak": (110, 150, 190), "felt": (60, 90, 30), "paper": (235, 235, 235)}
DIE_PX = 40
EVEN = DieScores(
    tuple(1 / len(DIE_FACES) for _ in DIE_FACES),
    tuple(1 / len(DIE_COLOURS) for _ in DIE_COLOURS),
    1,
)


def coded(linear):
    """sRGB, 0 to 255, of linear light (IEC 61966-2-1)."""
    clipped = np.clip(linear, 0, 1)
    high = 1.055 * clipped ** (1 / 2.4) - 0.055
    return np.rint(255 * np.where(clipped <= 0.0031308, 12.92 * clipped, high)).astype(np.uint8)


def linear_of(bgr):
    value = np.array(bgr, np.float64) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def table_with(dice, lamp_k=5500, table="oak", *, balance=0.6, shade=1.0, seed=0):
    """A picture of dice in a row, with pips, and where they lie.

    `balance` is the part of the lamp's colour that the camera takes out.
    """
    rng = np.random.default_rng(seed)
    image = np.empty((240, 400, 3))
    image[:] = linear_of(TABLES[table])
    image *= rng.normal(1, 0.08, image.shape[:2])[:, :, None].clip(0.5, 1.5)
    boxes = []
    for at, colour in enumerate(dice):
        x, y = 30 + 90 * at, 90 + 20 * (at % 2)
        face = image[y : y + DIE_PX, x : x + DIE_PX]
        face[:] = linear_of(colour) * shade
        for px, py in ((10, 10), (30, 30), (10, 30), (30, 10)):
            face[py - 3 : py + 3, px - 3 : px + 3] = linear_of((235, 240, 240)) * shade
        boxes.append((float(x), float(y), float(x + DIE_PX), float(y + DIE_PX)))
    lit = image * colour_gain(lamp_k, balance).reshape(1, 1, 3).astype(np.float64)
    noisy = coded(lit).astype(np.float64) + rng.normal(0, 4, image.shape)
    return noisy.clip(0, 255).astype(np.uint8), boxes


def hues_of(dice, lamp_k=5500, table="oak", **more):
    image, boxes = table_with(dice, lamp_k, table, **more)
    return [hue_in_box(image, box) for box in boxes]


def set_of(
    colours: Mapping[str, tuple[int, int, int]], lamp_k=5500, table="oak", **more
) -> DiceSet:
    return DiceSet(
        tuple(zip(colours, hues_of(list(colours.values()), lamp_k, table, **more), strict=True))
    )


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("shown_k", [2700, 6500])
@pytest.mark.parametrize("lamp_k", LAMPS_K)
def test_a_set_is_told_under_every_lamp(table, shown_k, lamp_k):
    known = set_of(QWINTO, shown_k, "oak")
    for shade in (1.0, 0.4):
        for seed in range(3):
            seen = hues_of(list(QWINTO.values()), lamp_k, table, shade=shade, seed=seed)
            told = match_set(seen, known)
            assert [ranked[0][0] for ranked in told] == list(QWINTO)


@pytest.mark.parametrize("lamp_k", LAMPS_K)
@pytest.mark.parametrize("name", QWINTO)
def test_one_die_alone_is_told_or_doubted(name, lamp_k):
    known = set_of(QWINTO, 4200, "felt")
    for table in TABLES:
        (ranked,) = match_set(hues_of([QWINTO[name]], lamp_k, table), known)
        assert ranked[0][0] == name or ranked[0][1] < 0.9


def test_close_hues_become_a_doubt():
    near = {"orange": (30, 110, 240), "red": (34, 100, 240)}
    known = set_of(near)
    assert close_pairs(known) == (("orange", "red"),)
    (ranked,) = match_set(hues_of([near["orange"]], 3000), known)
    assert ranked[0][1] < 0.9
    assert close_pairs(set_of(QWINTO)) == ()


def test_a_die_of_another_set_is_none_of_ours():
    known = set_of(QWINTO)
    (ranked,) = match_set(hues_of([(60, 170, 60)]), known)  # green
    assert ranked[0][0] == OTHER


def test_no_colour_is_given_twice():
    known = set_of(QWINTO)
    told = match_set(hues_of([QWINTO["orange"]] * 2), known)
    shares = [dict(ranked)["orange"] for ranked in told]
    assert sum(shares) <= 1 + 1e-9
    assert max(shares) < 0.9


def test_pips_do_not_count():
    plain, _ = table_with([])
    image, boxes = table_with([QWINTO["purple"]])
    face = image[95:125, 35:65].reshape(-1, 3)
    whole = hue_in_box(image, boxes[0])
    bare = hue_in_box(image, (34.0, 108.0, 66.0, 112.0))  # between the pips
    assert face.std() > plain.std() / 2
    assert (whole.red, whole.blue) == pytest.approx((bare.red, bare.blue), abs=0.15)


def test_a_lit_yellow_die_is_not_taken_for_its_ink():
    lit = np.array([(10, 210, 255)] * 60 + [(30, 30, 30)] * 40, np.uint8)
    dim = np.array([(9, 190, 230)] * 60 + [(30, 30, 30)] * 40, np.uint8)
    white = np.array([0.8, 0.8, 0.8])
    assert hue_of(lit, white).blue == pytest.approx(hue_of(dim, white).blue, abs=0.1)
    glossy = np.concatenate([lit, np.full((60, 3), 255, np.uint8)])
    assert hue_of(glossy, white).blue == pytest.approx(hue_of(lit, white).blue, abs=0.1)


def test_the_face_is_measured_where_its_corners_lie():
    image, boxes = table_with([QWINTO["yellow"], QWINTO["purple"]])
    (x0, y0, x1, y1), (u0, v0, u1, v1) = boxes
    quad = ((u0, v0), (u1, v0), (u1, v1), (u0, v1))
    die = SeenDie((x0, y0, u1, v1), quad, 0.9, EVEN)
    assert measure_hue(image, die) == hue_in_box(image, boxes[1], quad)
    assert measure_hue(image, die) != hue_in_box(image, (x0, y0, x1, y1))


def test_the_white_of_a_grey_scene_is_its_lamp():
    for kelvin in LAMPS_K:
        gain = colour_gain(kelvin, 0.0).ravel()
        image = np.empty((60, 80, 3), np.uint8)
        image[:] = coded(0.2 * gain)
        found = scene_white(image)
        assert found / found[1] == pytest.approx((gain / gain[1]) ** 0.5, abs=0.03)


def test_a_black_picture_has_hues_too():
    hue = hue_in_box(np.zeros((40, 40, 3), np.uint8), (5, 5, 20, 20))
    assert (hue.red, hue.blue) == (0, 0)
    outside = hue_in_box(np.zeros((40, 40, 3), np.uint8), (90, 90, 120, 120))
    assert np.isfinite([outside.red, outside.blue, outside.light]).all()


finite = st.floats(-8, 8, allow_nan=False)
hues = st.builds(DieHue, finite, finite, finite)


@settings(deadline=None)
@given(st.lists(hues, max_size=8), st.lists(hues, max_size=4))
def test_shares_add_up_and_name_the_set(seen, dice):
    known = DiceSet(tuple(zip(("orange", "yellow", "purple", "blue"), dice, strict=False)))
    told = match_set(seen, known)
    assert len(told) == len(seen)
    for ranked in told:
        assert {name for name, _ in ranked} == {*known.colours, OTHER}
        assert sum(share for _, share in ranked) == pytest.approx(1)
        assert [share for _, share in ranked] == sorted((s for _, s in ranked), reverse=True)


@settings(deadline=None)
@given(st.lists(hues, max_size=4))
def test_a_set_survives_its_text(dice):
    known = DiceSet(tuple(zip(("orange", "yellow", "purple", "blue"), dice, strict=False)))
    again = DiceSet.from_json(json.loads(json.dumps(known.to_json())))
    assert again.colours == known.colours
    for (_, one), (_, other) in zip(again.dice, known.dice, strict=True):
        assert (one.red, one.blue, one.light) == pytest.approx(
            (other.red, other.blue, other.light), abs=1e-4
        )


@pytest.mark.parametrize("table", [{"red": [1, 2]}, {"red": "abc"}, {"red": [1, 2, float("nan")]}])
def test_a_damaged_set_is_named(table):
    with pytest.raises(ValueError, match="dice set, red"):
        DiceSet.from_json(table)


def test_a_set_holds_no_colour_twice():
    hue = DieHue(0, 0, 0)
    with pytest.raises(ValueError, match="one die of each colour"):
        DiceSet((("red", hue), ("red", hue)))
