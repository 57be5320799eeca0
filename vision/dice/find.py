"""Dice in a picture: found by one look or more, each told by the classifier. Knows no game.

The detector says where dice may lie, the classifier what each shows; a find is a die only when
both agree, so that what merely has corners (a domino, a token, a printed die) is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.clusters import Box, overlap_share, reading_order
from vision.crops import crop_from_box
from vision.detect import Detection
from vision.dice.classify import DieClassifier, DieScores
from vision.dice.corners import plausible_corners, quarter_turns
from vision.dice.halves import is_half
from vision.dice.light import classify_in_light
from vision.dice.looks import DICE_KINDS, INSIDE, look_for_dice, side_of
from vision.dice.models import DiceModels
from vision.dice.nudges import NUDGES, is_doubtful, nudged, pooled, steadiness
from vision.homography import Quad
from vision.labels import DIE_FACES
from vision.light import scene_white

Image: TypeAlias = NDArray[np.uint8]

STRONG: Final = 0.6
"""A find this sure is told whatever the classifier makes of it, as ``other`` if need be: on
composed scenes of calibration tables six of seven such finds were dice, of weaker ones less. Of
those it calls ``other`` half are none, but many others are dice that lean, which must not be
missed in a throw."""
AGREED: Final = 1.05
"""Detector's and classifier's probabilities together from which a weaker find is a die: one found
with 0.1 must show a face with 0.95. Of finds on photographs of training sources under 0.6, 14 of 17
dice pass and 8 of 117 other things. In a tray that people drew whatever shows a face passes, and is
asked about: of 240 simulated dice at rest in trays 9 more are found, and one more other thing."""
AGREED_SYMBOL: Final = 1.3
"""Likewise of the detector's probability and that of some face, where symbols outweigh pips: small
symbols are often mistaken for each other, seldom for nothing. Of 653 composed symbol dice of
calibration designs 23 more are found and 13 more read, with four more other things in 360 scenes;
on 183 photographs of the training sources nothing changes. The same for pips would bring 19 more
finds there that are none, and one more die."""
LEAST_SHARE: Final = 0.3
"""Smaller parts of the usual sure die in a picture are specks and pips."""
WEAK: Final = 0.3
"""Product of what detector and classifier say under which a find must be as large as the other dice
are. Of 2 342 photographed dice of the training sources 15 are that weak."""
USUAL: Final = 0.4
"""The same product from which on a find tells how large dice are in this picture."""
MOST_TIMES: Final = 2.0
"""A weak find that is so many times larger or smaller than the usual die is none: of those 15
dice none is, of 197 finds there that are no dice 95 are."""
PILED: Final = 0.35
"""Part of a box that a die in it has for the box to be a pile of dice; pips have a fifth."""
BESIDE: Final = 0.15
"""What is taken for a die only because it lies in a tray is a part of a clear one, or its shadow,
where this part of it lies on that one's box: four of the 16 wrong rolls of twelve films held one.
Of 240 dice at rest in other films it loses none."""
EDGE_PX: Final = 1.5
"""A box that ends this near to the picture's edge is cut by it: boxes are clipped there."""
_PIPS: Final = 6
_OTHER: Final = DIE_FACES.index("other")


@dataclass(frozen=True, slots=True)
class SeenDie:
    """One die in a picture.

    Attributes:
        box_px: x0, y0, x1, y1 of the whole visible die, px.
        corners_px: Corners of the upward face, clockwise in the picture, from an arbitrary one;
            None where the detector gave none.
        found: The detector's confidence, 0 to 1.
        scores: What it shows.
        cut: True when the picture's edge cuts it.
        half: It looks like one half of a domino, see `vision.dice.halves`.
        tint: Least probability of its likeliest colour by day and in the light of the scene, see
            `vision.dice.light`.
        steady: Least probability that any cut of it gave to what all of them say together, 0 to 1;
            1 where it was cut once, being clear.
        turns: Quarter turns counterclockwise that its cuts were given to stand upright.
    """

    box_px: Box
    corners_px: Quad | None
    found: float
    scores: DieScores
    cut: bool = False
    half: bool = False
    tint: float = 1.0
    steady: float = 1.0
    turns: int = 0


def find_dice(
    image_bgr: Image,
    models: DiceModels,
    zone_px: Quad | None = None,
    spots: Sequence[Box] = (),
) -> tuple[SeenDie, ...]:
    """Find and classify all dice in a picture.

    Args:
        image_bgr: (H, W, 3).
        models: The networks.
        zone_px: Corners of the tray, px, clockwise; dice whose middle lies outside are left out.
            None for the whole picture.
        spots: Where dice may lie, px: looked at from nearer where none was found.

    Returns:
        The dice, rows from top to bottom, each from left to right.
    """
    finds = look_for_dice(image_bgr, models.detector, zone_px, spots)
    if zone_px is not None:
        finds = tuple(find for find in finds if _lies_in(find.box_px, zone_px))
    if not finds:
        return ()
    told, turns = _upright(image_bgr, finds, models.classifier)
    seen = [
        _seen(image_bgr, find, scores, tint, turns)
        for find, (scores, tint) in zip(finds, told, strict=True)
        if _is_die(find, scores) or (zone_px is not None and _shows_face(scores))
    ]
    kept = _without_specks(seen)
    if zone_px is not None:
        kept = [die for die in kept if not _is_part(die, kept)]
    return in_reading_order(kept)


def _upright(
    image_bgr: Image, finds: Sequence[Detection], classifier: DieClassifier
) -> tuple[tuple[tuple[DieScores, float], ...], int]:
    """What all finds show, and the quarter turns of their cuts with which that was told.

    Where the corners tell another side than the picture's top to be up, cuts turned so are kept if
    the classifier is surer of them.
    """
    white, turns = scene_white(image_bgr), quarter_turns(finds)
    told = []
    for way in dict.fromkeys((0, turns)):
        crops = np.stack([cut_die(image_bgr, find.box_px, way) for find in finds])
        told.append((classify_in_light(crops, white, classifier), way))
    return max(told, key=lambda one: _sureness([scores for scores, _ in one[0]]))


def _sureness(told: Sequence[DieScores]) -> float:
    """Mean probability of the likeliest faces."""
    return float(np.mean([max(scores.faces[:_OTHER]) for scores in told]))


def cut_die(image_bgr: Image, box_px: Box, turns: int) -> Image:
    """The square around a die with the table's up at its top.

    Args:
        image_bgr: (H, W, 3).
        box_px: Of the die, px.
        turns: Quarter turns counterclockwise, see `vision.dice.corners`.

    Returns:
        (CROP_SIDE, CROP_SIDE, 3) uint8, BGR.
    """
    return np.rot90(crop_from_box(image_bgr, box_px), turns)


def _seen(image_bgr: Image, find: Detection, scores: DieScores, tint: float, turns: int) -> SeenDie:
    corners = plausible_corners(find)
    return SeenDie(
        box_px=find.box_px,
        corners_px=corners,
        found=find.confidence,
        scores=scores,
        cut=_is_cut(find.box_px, image_bgr.shape),
        half=corners is not None and is_half(image_bgr, corners),
        tint=tint,
        turns=turns,
    )


def look_twice(
    image_bgr: Image, seen: Sequence[SeenDie], classifier: DieClassifier
) -> tuple[SeenDie, ...]:
    """Dice with those in doubt told anew from further cuts as well (see `vision.dice.nudges`).

    Colours stay as they were told: they hang on the light, not on where a cut ends.

    Args:
        image_bgr: (H, W, 3).
        seen: From `find_dice` on this picture.
        classifier: Tells what dice show.
    """
    doubtful = [index for index, die in enumerate(seen) if is_doubtful(die.scores)]
    if not doubtful:
        return tuple(seen)
    cuts = [
        cut_die(image_bgr, box, seen[index].turns)
        for index in doubtful
        for box in nudged(seen[index].box_px)
    ]
    further = classifier.classify(np.stack(cuts))
    told = list(seen)
    for place, index in enumerate(doubtful):
        die = seen[index]
        looks = [die.scores, *further[place * len(NUDGES) : (place + 1) * len(NUDGES)]]
        scores = replace(pooled(looks), colours=die.scores.colours)
        told[index] = replace(die, scores=scores, steady=steadiness(looks))
    return tuple(told)


def _is_die(find: Detection, scores: DieScores) -> bool:
    """True when detector and classifier agree, or the detector is sure of a die."""
    if find.kind in DICE_KINDS and find.confidence >= STRONG:
        return True
    if _shows_face(scores) and find.confidence + max(scores.faces[:_OTHER]) >= AGREED:
        return True
    return _shows_symbol(scores) and find.confidence + 1 - scores.faces[_OTHER] >= AGREED_SYMBOL


def _shows_face(scores: DieScores) -> bool:
    """True when the classifier sees some face rather than none."""
    return scores.faces[_OTHER] < max(scores.faces[:_OTHER])


def _shows_symbol(scores: DieScores) -> bool:
    """True when the classifier sees a symbol, though it may not tell which."""
    pips, symbols = sum(scores.faces[:_PIPS]), sum(scores.faces[_PIPS:_OTHER])
    return symbols > max(pips, scores.faces[_OTHER])


def only_in_tray(die: SeenDie) -> bool:
    """True for what is taken for a die only because it lies in a drawn tray."""
    return die.found < STRONG and die.found + max(die.scores.faces[:_OTHER]) < AGREED


def _without_specks(seen: Sequence[SeenDie]) -> list[SeenDie]:
    """Without what is far smaller than the sure dice of the picture, and without pips of dice."""
    sides = [side_of(die.box_px) for die in seen if die.found >= STRONG]
    least = LEAST_SHARE * float(np.median(sides)) if sides else 0.0
    kept = [die for die in seen if side_of(die.box_px) >= least]
    whole = [die for die in kept if not _holds_dice(die, kept)]
    parts = [die for die in whole if not any(_lies_on(die, other) for other in whole)]
    return [die for die in parts if not _has_odd_size(die, parts)]


def _is_part(die: SeenDie, seen: Sequence[SeenDie]) -> bool:
    """True for a side or a shadow of a clear die, taken for one in a tray."""
    if not only_in_tray(die):
        return False
    clear = [o for o in seen if o is not die and not only_in_tray(o)]
    return any(_part_on(die.box_px, other.box_px) >= BESIDE for other in clear)


def _part_on(box: Box, other: Box) -> float:
    """Part of a box that lies on another one."""
    across = min(box[2], other[2]) - max(box[0], other[0])
    down = min(box[3], other[3]) - max(box[1], other[1])
    return max(across, 0.0) * max(down, 0.0) / ((box[2] - box[0]) * (box[3] - box[1]))


def _has_odd_size(die: SeenDie, seen: Sequence[SeenDie]) -> bool:
    """True for a weak find of quite another size than the clear dice beside it."""
    sides = [side_of(o.box_px) for o in seen if o is not die and _clearness(o) >= USUAL]
    if not sides or _clearness(die) >= WEAK:
        return False
    times = side_of(die.box_px) / float(np.median(sides))
    return max(times, 1 / times) > MOST_TIMES


def _clearness(die: SeenDie) -> float:
    """What detector and classifier say of a find together."""
    return die.found * max(die.scores.faces[:_OTHER])


def _holds_dice(die: SeenDie, seen: Sequence[SeenDie]) -> bool:
    """True for a box around several sure dice: a pile taken for one."""
    inner = [other for other in seen if other.found >= STRONG and _lies_on(other, die)]
    return sum(side_of(o.box_px) >= PILED * side_of(die.box_px) for o in inner) > 1


def _lies_on(die: SeenDie, other: SeenDie) -> bool:
    """True for what lies within a larger box: a pip of a die."""
    smaller = side_of(die.box_px) < side_of(other.box_px)
    return smaller and overlap_share(die.box_px, other.box_px) >= INSIDE


def _is_cut(box: Box, shape: tuple[int, ...]) -> bool:
    """True when a box ends at the edge of a picture (H, W, ...)."""
    height, width = shape[:2]
    x0, y0, x1, y1 = box
    return min(x0, y0, width - x1, height - y1) < EDGE_PX


def _lies_in(box: Box, zone_px: Quad) -> bool:
    """True when a die's middle lies in a tray."""
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    return cv2.pointPolygonTest(np.array(zone_px, np.float32), middle, measureDist=False) >= 0


def in_reading_order(dice: Sequence[SeenDie]) -> tuple[SeenDie, ...]:
    """Dice in rows from top to bottom, each from left to right.

    A row holds the dice whose middles lie within half a die below that of its topmost one.
    """
    return tuple(dice[index] for index in reading_order([die.box_px for die in dice]))
