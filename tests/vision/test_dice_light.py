"""Colours of dice are told as they are seen and as white light would show them."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.dice.classify import DieScores
from vision.dice.light import classify_in_light
from vision.labels import DIE_COLOURS, DIE_FACES
from vision.light import balanced, linear, scene_white

WARM = np.array([0.45, 0.7, 1.0])  # B, G, R of a lamp


def coded(light):
    high = 1.055 * np.clip(light, 0, 1) ** (1 / 2.4) - 0.055
    return np.rint(255 * np.where(light <= 0.0031308, 12.92 * light, high)).astype(np.uint8)


def test_balancing_makes_a_lit_grey_grey():
    greys = np.linspace(0.05, 0.9, 12)[:, None] * WARM
    out = linear(balanced(coded(greys)[None], WARM / WARM[1]))[0]
    assert np.abs(out - out[:, 1:2]).max() < 0.01
    assert out[:, 1] == pytest.approx(greys[:, 1], abs=0.005)  # as bright in green as before


def test_white_light_changes_nothing():
    crops = np.random.default_rng(0).integers(0, 256, (2, 8, 8, 3), dtype=np.uint8)
    assert (balanced(crops, np.ones(3)) == crops).all()


def test_half_of_a_warm_scene_is_taken_for_its_lamp():
    rng = np.random.default_rng(1)
    scene = coded(rng.uniform(0.1, 0.8, (60, 80, 1)) * WARM)
    white = scene_white(scene)
    whole = np.log2(WARM / WARM[1])
    found = np.log2(white / white[1])
    assert found[0] == pytest.approx((whole[0] - whole[2]) / 4, abs=0.05)
    assert found[2] == pytest.approx(-found[0])


@dataclass
class ByHue:
    """Calls what is warm by one name and all else by another; keeps what it was shown."""

    warm: str = "yellow"
    cool: str = "white"
    shown: list[NDArray[np.uint8]] = field(default_factory=list)

    def classify(self, crops_bgr):
        self.shown.append(crops_bgr)
        return tuple(self._told(crop) for crop in crops_bgr)

    def _told(self, crop):
        blue, _, red = linear(crop).reshape(-1, 3).mean(axis=0)
        warm = 0.9 if red > 1.5 * blue else 0.05
        shares = {self.warm: warm, self.cool: 0.95 - warm}
        colours = tuple(shares.get(name, 0.05 / (len(DIE_COLOURS) - 2)) for name in DIE_COLOURS)
        faces = tuple(1.0 if name == "3" else 0.0 for name in DIE_FACES)
        return DieScores(faces, colours, 0.9)


LIT = np.full((1, 8, 8, 3), coded(0.8 * WARM), np.uint8)


def named(classifier, white=WARM / WARM[1]):
    ((scores, least),) = classify_in_light(LIT, white, classifier)
    assert sum(scores.colours) == pytest.approx(1)
    return DIE_COLOURS[int(np.argmax(scores.colours))], least


def test_a_white_die_under_a_lamp_is_white_and_asked_about():
    classifier = ByHue()
    name, least = named(classifier)
    assert len(classifier.shown) == 1  # one batch
    assert name == "white"
    assert least < 0.1  # the looks contradict each other
    assert named(classifier, np.ones(3)) == ("yellow", pytest.approx(0.9))


def test_what_is_pale_in_neither_look_keeps_its_name():
    assert named(ByHue("orange", "brown")) == ("orange", pytest.approx(0.9))


def test_white_for_ivory_is_asked_about():
    assert named(ByHue("ivory", "white")) == ("white", pytest.approx(0.05))
