"""From the scores of dice to a reading of them with its doubts. Pure; knows no rule of a game.

What a game's dice show is all it is told: pips or symbols. A value is vouched for when its
probability among them, "another thing" included, reaches the threshold, the die lies flat, and
all of it is in view.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from vision.clusters import Box, overlap_share
from vision.dice.find import SeenDie, only_in_tray
from vision.dice.looks import enclosing, side_of
from vision.dice.models import DiceThresholds
from vision.homography import Quad
from vision.labels import DIE_COLOURS, DIE_FACES
from vision.observation import Candidates, Field, Reading
from vision.quality import Quality

PIPS: Final = DIE_FACES[:6]
SYMBOLS: Final = DIE_FACES[6:12]
"""What the dice of a game may show."""
OTHER: Final = "other"
"""Value of a die that is not one of the game's; colour of one that has none of ours."""
STRANGE: Final = 0.1
"""How likely a die of another game lies among those asked for: a cross among pip dice is another
thing when it is clearly seen, but a circle may well be a worn single pip."""
STRANGER: Final = 0.05
"""A die that is another thing with this probability is asked about, however sure its face. Most
of these are unsteady as well: see `STEADY`."""
STEADY: Final = 0.7
"""Every cut of a die must give its value this probability: printed stars and diamonds look like
four pips or two in most cuts, not in all. It asks for one photographed die of the training sources
in a hundred more."""
STEADY_WHERE_WEAK: Final = 0.9
"""Likewise where the detector found it with less than `WEAK`."""
WEAK: Final = 0.5
HALVES: Final = 3
"""Halves of dominoes in a picture from which on everything in it is asked about: where so many lie,
those that hide the bar or the other half lie too."""
STRANGERS: Final = 3
"""So many finds that are other things, and no fewer than show a face: what lies there is a set of
other things, some of which have spots. It asks about nothing in 60 photographs of dice that may
train; in evaluation about one die, and one print of stars that passed for a four."""
HIDDEN: Final = 0.3
"""Two dice whose boxes share this part of the smaller one: one may hide the other's face. Touching
dice seen aslant share up to about a quarter."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die as read.

    Attributes:
        value: ``1`` to ``6``, a symbol's id, or ``other``.
        colour: One of `vision.labels.DIE_COLOURS`, None where it has none of those.
        box_px: x0, y0, x1, y1 of the whole visible die, px.
        flat: It lies flat; else it is cocked, and its value means nothing.
        confidence: Probability of the value, 0 to 1.
        candidates: All values, most likely first.
        asked: True when the program would ask for the value rather than vouch for it.
        colours: Candidates of the colour, ``other`` for none of ours.
        colour_asked: True when the program would ask for the colour.
        corners_px: Corners of the upward face, clockwise, px; None when they were not seen.
    """

    value: str
    colour: str | None
    box_px: Box
    flat: bool
    confidence: float
    candidates: Candidates
    asked: bool
    colours: Candidates
    colour_asked: bool
    corners_px: Quad | None = None


@dataclass(frozen=True, slots=True)
class Dice:
    """The dice in view, in reading order."""

    dice: tuple[Die, ...]


def read_dice(
    seen: Sequence[SeenDie],
    faces: Sequence[str],
    thresholds: DiceThresholds,
    quality: Quality,
) -> Reading[Dice]:
    """Read the dice of a game.

    Args:
        seen: From `vision.dice.find.find_dice`, in reading order.
        faces: What the game's dice show: `PIPS` or `SYMBOLS`.
        thresholds: When to ask.
        quality: Figures of the picture.

    Returns:
        The reading; without dice it is an empty one.
    """
    dice = tuple(
        _read_die(die, [o for o in seen if o is not die], faces, thresholds) for die in seen
    )
    return dice_reading(dice, quality)


def dice_reading(dice: tuple[Die, ...], quality: Quality) -> Reading[Dice]:
    """The reading of dice that were told one by one."""
    fields = tuple(field for index, die in enumerate(dice) for field in _fields(index, die))
    around = enclosing([die.box_px for die in dice] or [(0.0, 0.0, 0.0, 0.0)])
    return Reading(Dice(dice), fields, _as_quad(around), quality)


def _read_die(
    die: SeenDie, others: Sequence[SeenDie], faces: Sequence[str], thresholds: DiceThresholds
) -> Die:
    ranked = among(die.scores.faces, faces)
    value, confidence = ranked[0]
    flat = die.scores.flat >= 0.5
    hidden = any(overlap_share(die.box_px, other.box_px) >= HIDDEN for other in others)
    unsure = confidence < thresholds.face_of(side_of(die.box_px))
    unsure = unsure or (value != OTHER and _may_be_none(die, others, dict(ranked)[OTHER]))
    unsure = unsure or _among_strangers(others, faces)
    asked = unsure or die.scores.flat < thresholds.flat or die.cut or hidden
    colours = _ranked(DIE_COLOURS, die.scores.colours)
    colour, share = colours[0]
    return Die(
        value=value,
        colour=None if colour == OTHER else colour,
        box_px=die.box_px,
        flat=flat,
        confidence=confidence,
        candidates=ranked,
        asked=asked,
        colours=colours,
        colour_asked=min(share, die.tint) < thresholds.colour,
        corners_px=die.corners_px,
    )


def _may_be_none(die: SeenDie, others: Sequence[SeenDie], other: float) -> bool:
    """True for what may be no die at all, however sure its face."""
    if other >= STRANGER or die.half or only_in_tray(die):
        return True
    if die.steady < (STEADY if die.found >= WEAK else STEADY_WHERE_WEAK):
        return True
    return sum(o.half for o in others) >= HALVES


def _among_strangers(others: Sequence[SeenDie], faces: Sequence[str]) -> bool:
    """True where the things around a die are mostly none."""
    strangers = sum(among(other.scores.faces, faces)[0][0] == OTHER for other in others)
    return strangers >= max(STRANGERS, len(others) + 1 - strangers)


def among(shares: Sequence[float], faces: Sequence[str]) -> Candidates:
    """Probabilities of a game's faces and of ``other``, most likely first; they add up to 1.

    Args:
        shares: In the order of `vision.labels.DIE_FACES`.
        faces: What the game's dice show.
    """
    known = dict(zip(DIE_FACES, shares, strict=True))
    strange = sum(share for face, share in known.items() if face not in faces and face != OTHER)
    kept = {face: known[face] for face in faces} | {OTHER: known[OTHER] + STRANGE * strange}
    total = sum(kept.values())
    return _ranked(tuple(kept), [share / total for share in kept.values()])


def _ranked(values: Sequence[str], shares: Sequence[float]) -> Candidates:
    pairs = zip(values, shares, strict=True)
    return tuple(sorted(pairs, key=lambda pair: -pair[1]))


def _fields(index: int, die: Die) -> tuple[Field, Field]:
    """Value and colour of a die, where the whole of it lies."""
    where, quad = f"dice[{index}]", _as_quad(die.box_px)
    colour, share = die.colours[0]
    return (
        Field(where, die.value, die.confidence, die.candidates, die.asked, quad),
        Field(f"{where}.colour", colour, share, die.colours, die.colour_asked, quad),
    )


def _as_quad(box: Box) -> Quad:
    x0, y0, x1, y1 = box
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def dice_json(layout: Dice) -> dict[str, Any]:
    """Dice as the command contract writes them."""
    return {
        "dice": [
            {
                "value": _value_json(die.value),
                "colour": die.colour,
                "box": [round(v, 1) for v in die.box_px],
                "flat": die.flat,
                "confidence": round(die.confidence, 4),
            }
            for die in layout.dice
        ]
    }


def candidate_json(where: str, value: str) -> int | str | None:
    """A candidate for a field of dice: as its value stands in the reading."""
    if where.endswith(".colour"):
        return None if value == OTHER else value
    return _value_json(value)


def _value_json(value: str) -> int | str:
    """Pips as numbers, everything else by its id."""
    return int(value) if value in PIPS else value
