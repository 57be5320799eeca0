"""Colours of dice by a set's own hues, whatever the lamp.

A hue is kept as the logarithms of red and blue against green, in linear light, against the white
of the scene. A lamp of another colour then moves all dice of a picture by the same step
(Finlayson and Hordley, "Color constancy at a pixel", JOSA A 18, 2001), so a set is recognised by
how its dice lie to each other as well as by where they lie.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.clusters import Box
from vision.dice.find import SeenDie
from vision.homography import Floats, Quad
from vision.light import BLOWN, FLOOR, linear, scene_white
from vision.observation import Candidates

Image = NDArray[np.uint8]

OTHER: Final = "other"
"""What a die is called that is none of the set."""
GAMUT: Final = 0.06
"""Part of a body's brightest channel added to all three: what a yellow die lacks of blue is mostly
what the picture's colour space cannot say, so below four stops it is a bound."""
BODY_SHARE: Final = 0.8
"""Part of the upward face that is looked at, around its middle: without bevels and shadows."""
BOX_SHARE: Final = 0.6
"""The same part of a box, where the face's corners were not seen."""
HUE_SIGMA: Final = 0.25
"""Standard deviation of a die's own hue about its set's, in stops, after the common step: up to
0.13 over the lamps, tables and shades of the tests, and more for the reflections of neighbours;
among composed dice of calibration tables this value left fewest confusions vouched for."""
LAMP_SIGMA: Final = 0.45
"""Standard deviation of the common step along the line of lamps, in stops: 0.14 over the same;
three times that for cameras that balance badly."""
ACROSS_SIGMA: Final = 0.25
"""The same across the line of lamps, from green to magenta: under 0.1 in the tests."""
PALENESS: Final = (1.0, 0.85, 0.7, 0.55, 0.45, 1.2, 1.45)
"""Shares of a set's hues that a picture may show of them: haze, glare and blur make all of its
dice paler (to 0.5 in composed scenes of the hard tier), or the set was shown in such light."""
PALE_SIGMA: Final = 0.3
"""Standard deviation of that share about 1; with it hues tell by their direction above all."""
LIGHT_SIGMA: Final = 1.5
"""Standard deviation of a die's lightness, in stops: shade takes one, a glossy face gains two."""
STRANGE_COST: Final = 30.0
"""Twice the negative log-likelihood at which a die is rather none of the set: about five standard
deviations. Colours of other dice lie ten and more away; with less, dice of the set that a lamp
from the side makes differ came out as strange."""
MOST_SEEN: Final = 4
"""Dice that are assigned jointly; more, and each is assigned by itself."""
_LAMPS: Final = np.array([1.0, -1.0]) / math.sqrt(2)  # red up, blue down: towards a warm lamp
_GREENS: Final = np.array([1.0, 1.0]) / math.sqrt(2)


@dataclass(frozen=True, slots=True)
class DieHue:
    """How a die's body looks against the white of its scene, in stops.

    Attributes:
        red: log2 of red over green; 0 is neutral.
        blue: log2 of blue over green.
        light: log2 of its lightness over that of the scene's white.
    """

    red: float
    blue: float
    light: float


@dataclass(frozen=True, slots=True)
class DiceSet:
    """The dice of a table as shown at set-up: colour and hue of each, no colour twice.

    Raises:
        ValueError: A colour given twice.
    """

    dice: tuple[tuple[str, DieHue], ...]

    def __post_init__(self) -> None:
        names = [name for name, _ in self.dice]
        if len(set(names)) != len(names):
            raise ValueError(f"a set has one die of each colour, not {', '.join(names)}")

    @property
    def colours(self) -> tuple[str, ...]:
        """Names, in the order shown."""
        return tuple(name for name, _ in self.dice)

    def to_json(self) -> dict[str, list[float]]:
        """Colour: red, blue, light."""
        return {
            name: [round(v, 4) for v in (hue.red, hue.blue, hue.light)] for name, hue in self.dice
        }

    @staticmethod
    def from_json(table: Mapping[str, Any]) -> "DiceSet":
        """The opposite of `to_json`.

        Raises:
            ValueError: Another form.
        """
        dice = []
        for name, values in table.items():
            try:
                red, blue, light = (float(value) for value in values)
            except (TypeError, ValueError) as fault:
                raise ValueError(
                    f"dice set, {name}: expected [red, blue, light], got {values!r:.60}"
                ) from fault
            if not all(map(math.isfinite, (red, blue, light))):
                raise ValueError(f"dice set, {name}: expected finite numbers, got {values!r:.60}")
            dice.append((str(name), DieHue(red, blue, light)))
        return DiceSet(tuple(dice))


def measure_hue(image_bgr: Image, die: SeenDie, white: Floats | None = None) -> DieHue:
    """The hue of a die's body, from the middle of its upward face.

    Args:
        image_bgr: (H, W, 3).
        die: From `vision.dice.find.find_dice` on this picture.
        white: From `scene_white` of it; measured here where it is None.
    """
    return hue_in_box(image_bgr, die.box_px, die.corners_px, white)


def hue_in_box(
    image_bgr: Image, box_px: Box, corners_px: Quad | None = None, white: Floats | None = None
) -> DieHue:
    """The hue of a die's body where only its box is known, drawn by hand for one.

    Args:
        image_bgr: (H, W, 3).
        box_px: x0, y0, x1, y1 of the die.
        corners_px: Of its upward face, if seen.
        white: From `scene_white`; measured here where it is None.
    """
    light = scene_white(image_bgr) if white is None else white
    return hue_of(_body(image_bgr, box_px, corners_px), light)


def hue_of(pixels_bgr: NDArray[np.uint8], white: Floats) -> DieHue:
    """The hue of px of one body; pips, being fewer, do not count.

    Args:
        pixels_bgr: (N, 3), N at least 1.
        white: (3,) linear B, G, R.
    """
    # Where one channel alone is blown out the px still tells the hue: all of a lit yellow die.
    usable = pixels_bgr[(pixels_bgr < BLOWN).any(axis=1)]
    if len(usable) < 0.2 * len(pixels_bgr):
        usable = pixels_bgr
    light = linear(usable) / white  # (N, 3)
    bound = FLOOR / white + GAMUT * light.max(axis=1, keepdims=True)
    stops = np.log2(light + bound)
    blue, green, red = stops[:, 0], stops[:, 1], stops[:, 2]
    return DieHue(
        float(np.median(red - green)), float(np.median(blue - green)), float(np.median(green))
    )


def _body(image_bgr: Image, box_px: Box, corners_px: Quad | None) -> NDArray[np.uint8]:
    """Px of the middle of a die's upward face, (N, 3)."""
    x0, y0, x1, y1 = box_px
    points = np.array(corners_px or ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), np.float64)
    share = BOX_SHARE if corners_px is None else BODY_SHARE
    inner = points.mean(axis=0) + (points - points.mean(axis=0)) * share
    height, width = image_bgr.shape[:2]
    low = np.floor(inner.min(axis=0)).astype(int).clip(0, (width - 1, height - 1))
    high = np.ceil(inner.max(axis=0)).astype(int).clip(low + 1, (width, height))
    part = image_bgr[low[1] : high[1], low[0] : high[0]]
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(inner - low).astype(np.int32), 1)
    pixels = part[mask > 0]
    return pixels if len(pixels) else part.reshape(-1, 3)


def match_set(seen: Sequence[DieHue], known: DiceSet) -> tuple[Candidates, ...]:
    """Which die of the set each one is.

    Every way to assign the dice seen to different dice of the set, or to none of it, is weighed
    by how well the hues fit after the step that all of them may have made together.

    Args:
        seen: Hues of the dice of one picture.
        known: The table's set.

    Returns:
        For each die its colours and ``other`` with probabilities, most likely first.
    """
    if not seen:
        return ()
    if not known.dice:
        return tuple(((OTHER, 1.0),) for _ in seen)
    if len(seen) > MOST_SEEN:
        return tuple(match_set([hue], known)[0] for hue in seen)
    names = (*known.colours, OTHER)
    strange = len(known.dice)
    ways = [
        way
        for way in product(range(len(names)), repeat=len(seen))
        if len({i for i in way if i != strange}) == sum(i != strange for i in way)
    ]
    costs = np.array([_cost(seen, known, way) for way in ways])
    weights = np.exp((costs.min() - costs) / 2)
    shares = np.zeros((len(seen), len(names)))
    for way, weight in zip(ways, weights, strict=True):
        shares[np.arange(len(seen)), way] += weight
    shares /= weights.sum()
    return tuple(
        tuple(sorted(zip(names, row, strict=True), key=lambda pair: -pair[1]))
        for row in shares.tolist()
    )


def _cost(seen: Sequence[DieHue], known: DiceSet, way: Sequence[int]) -> float:
    """Twice the negative log-likelihood of an assignment, at the best common step and paleness.

    The step is Gaussian around none, along the line of lamps and across it, each die's own
    deviation is Gaussian around the step; the best step is then a weighted mean in closed form.
    """
    pairs = [
        (hue, known.dice[i][1]) for hue, i in zip(seen, way, strict=True) if i < len(known.dice)
    ]
    cost = STRANGE_COST * (len(seen) - len(pairs))
    if not pairs:
        return cost
    seen_hues = np.array([(hue.red, hue.blue) for hue, _ in pairs])
    own_hues = np.array([(own.red, own.blue) for _, own in pairs])
    lights = np.array([hue.light - own.light for hue, own in pairs])
    cost += float((lights**2).sum()) / LIGHT_SIGMA**2
    pales = np.array(PALENESS)
    offs = seen_hues - pales[:, None, None] * own_hues  # (P, N, 2)
    costs = ((1 - pales) / PALE_SIGMA) ** 2 + _costs_of_hues(offs)
    return cost + float(costs.min())


def _costs_of_hues(offs: Floats) -> Floats:
    """The part of it that hues (P, N, 2) have which lie so far off the set's, (P,)."""
    costs = np.zeros(len(offs))
    for axis, sigma in ((_LAMPS, LAMP_SIGMA), (_GREENS, ACROSS_SIGMA)):
        along = offs @ axis  # (P, N)
        step = along.sum(axis=1) / (along.shape[1] + (HUE_SIGMA / sigma) ** 2)
        costs += ((along - step[:, None]) ** 2).sum(axis=1) / HUE_SIGMA**2 + (step / sigma) ** 2
    return costs


def close_pairs(known: DiceSet, sure: float = 0.99) -> tuple[tuple[str, str], ...]:
    """Pairs of the set that one die alone would not always be told apart by: said at set-up.

    Args:
        known: The set.
        sure: A die of exactly the set's hue must be told with this probability.
    """
    unsure = []
    for name, hue in known.dice:
        shares = dict(match_set([hue], known)[0])
        others = [other for other in shares if other not in (OTHER, name)]
        if others and shares[name] < sure:
            unsure.append(tuple(sorted((name, others[0]))))
    return tuple(sorted({(a, b) for a, b in unsure}))
