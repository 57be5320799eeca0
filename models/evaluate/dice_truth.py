"""What dice a picture really shows, and which of that counts."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from vision.labels import DIE_COLOURS

if TYPE_CHECKING:
    from models.compose.dice_truth import DiceScene

Box = tuple[float, float, float, float]

APART: Final = (
    "Krajzys", "MarceliJerzynski", "DamianTab", "piotrowy", "oziomek1", "TylerHelmuth",
    "willward1", "TAK1EDD1NE",
)  # fmt: skip
"""Owners of photographs of which none may train; figures on the others flatter."""

NO_DICE: Final = ("negatives", "quixo", "number_tiles", "paper_grids")
"""Folders of real photographs on which there is no die at all."""

NEGATIVES: Final = (*NO_DICE, "willward1", "TAK1EDD1NE")
"""Sources of pictures without any six-sided die."""

CUBE: Final = "d6"
FACTS: Final = (
    "table", "tilt_deg", "px_per_cell", "blur_sigma_px", "exposure_ev", "temperature_k",
    "shadow_depth", "glare_share", "occlusion_share",
)  # fmt: skip
"""Conditions of composed scenes that are noted in every row."""
TOP_SHARE: Final = 0.75
"""Visible share of the upward face from which on its value counts."""
SEEN_SHARE: Final = 0.6
"""A composed die of which less is visible may be overlooked: a person would not name it either."""


@dataclass(frozen=True, slots=True)
class LabelledDie:
    """One die of a truth.

    Attributes:
        box_px: x0, y0, x1, y1 of the whole visible die, px of the upright picture.
        value: what lies up, one of `vision.labels.DIE_FACES`; None where it cannot be told.
        colour: one of `vision.labels.DIE_COLOURS`; None where it was not judged by eye.
        flat: whether it lies flat; None where nobody said.
        needed: False for a thing that need not be found, such as a die of twelve sides.
        facts: of this die, for tables.
    """

    box_px: Box
    value: str | None
    colour: str | None
    flat: bool | None = None
    needed: bool = True
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DiceTruth:
    """All dice of one picture.

    Attributes:
        dice: the labelled ones.
        complete: False where some dice of the picture are not labelled, so that finds beside the
            labelled ones tell nothing.
        facts: of the picture: its name, source and conditions, for tables.
    """

    dice: tuple[LabelledDie, ...]
    complete: bool
    facts: Mapping[str, Any]


def of_photo(label: Mapping[str, Any]) -> DiceTruth:
    """Truth of a labelled photograph of dice."""
    owner = label["source_repo"].partition("/")[0]
    facts = {
        "picture": Path(label["file"]).stem,
        "source": owner,
        "apart": owner in APART,
    }
    dice = tuple(_of_label(die) for die in label["dice"])
    return DiceTruth(dice, label["truth_complete"], facts)


def of_traced_dice(row: Mapping[str, Any]) -> DiceTruth:
    """Truth beside a traced picture, see `models.render.traced_dice`."""
    facts = {key: row[key] for key in ("picture", "kind_of_dice", "tier")} | row["facts"]
    dice = tuple(
        LabelledDie(_box(die["box"]), die["value"], die["colour"], die["flat"])
        for die in row["dice"]
    )
    return DiceTruth(dice, row["complete"], facts)


def of_composed_dice(scene: "DiceScene", facts: Mapping[str, Any]) -> DiceTruth:
    """Truth of a composed scene.

    A die of which less than `SEEN_SHARE` is visible need not be found. One that leans has no
    upward face, and one whose face is hidden for more than a quarter has none to be read.
    """
    dice = tuple(
        LabelledDie(
            _box(die.box_px),
            die.face if die.flat and die.top_visible >= TOP_SHARE else None,
            die.colour,
            die.flat,
            needed=die.visible >= SEEN_SHARE,
            facts={"design": die.design},
        )
        for die in scene.dice
    )
    kept: dict[str, Any] = {key: scene.facts[key] for key in FACTS if key in scene.facts}
    return DiceTruth(dice, True, {**facts, **kept})


def kept_truth(row: Mapping[str, Any]) -> DiceTruth:
    """A truth read from the JSON of its fields."""
    dice = tuple(LabelledDie(**{**die, "box_px": _box(die["box_px"])}) for die in row["dice"])
    return DiceTruth(dice, row["complete"], row["facts"])


def photographs(real: Path) -> Iterator[tuple[Path, DiceTruth]]:
    """All photographs kept for evaluation: those of dice, then those without any.

    Args:
        real: folder of the real photographs.
    """
    for label in _labels(real / "dice" / "dev"):
        yield real / "dice" / "dev" / label["file"], of_photo(label)
    for part in NO_DICE:
        for label in _labels(real / part / "dev"):
            facts = {"picture": Path(label["file"]).stem, "source": part, "apart": True}
            yield real / part / "dev" / label["file"], DiceTruth((), True, facts)


def _labels(folder: Path) -> Iterator[dict[str, Any]]:
    with (folder / "labels.jsonl").open(encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)


def _of_label(die: Mapping[str, Any]) -> LabelledDie:
    return LabelledDie(
        _box(die["bbox"]),
        _value(die),
        _colour(die),
        needed=die.get("die_type", CUBE) == CUBE,
    )


def _box(values: Sequence[float]) -> Box:
    x0, y0, x1, y1 = (float(v) for v in values)
    return x0, y0, x1, y1


def _value(die: Mapping[str, Any]) -> str | None:
    """Pips by their number; any symbol of these sets is none of ours."""
    if die["value"] is None or die.get("face_seen") == "side":
        return None
    return str(die["value"]) if isinstance(die["value"], int) else "other"


def _colour(die: Mapping[str, Any]) -> str | None:
    if die.get("colour_source") != "eye" or die["colour"] is None:
        return None
    return die["colour"] if die["colour"] in DIE_COLOURS else "other"
