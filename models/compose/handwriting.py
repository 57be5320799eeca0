"""Handwriting of others as glyphs, split into training, calibration and evaluation.

Every class of every source is split by blocks of its ids, or by writer where writers are named;
what is drawn from our own templates (`models.compose.handwriting_strokes`) has no split. The
pictures are no part of the project: ``ARBITRE_HANDWRITING`` names their folder.
"""

import os
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.compose.handwriting_glyphs import Glyph, from_bitmap
from models.compose.handwriting_whole import whole
from models.errors import LabError

Bytes = NDArray[np.uint8]

SPLITS: Final = ("train", "calibration", "evaluation")
SHARES: Final = {"train": (0.0, 0.7), "calibration": (0.7, 0.8), "evaluation": (0.8, 1.0)}
"""Part of a class, in the order of its ids (of its writers where they are named)."""

SOURCES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    **{
        digit: (("bhmsds", f"digit_{digit}"), ("mnist", f"digit_{digit}")) for digit in "0123456789"
    },
    "-": (("bhmsds", "dash"),),
    "bar": (("bhmsds", "slash"), ("detexify", "slash")),
    "cross": (("bhmsds", "x_letter"), ("detexify", "x_cross")),
    "triple": (("detexify", "bars3_equiv"),),
    "hash": (("detexify", "sharp"),),
    "triangle": (("hds", "triangle"), ("detexify", "triangle")),
    "circle": (("hds", "circle"), ("detexify", "circle")),
    "tick": (("detexify", "tick"),),
}
"""Where signs come from: source and class."""

_TURNS: Final = {"triple": 1}  # three lying bars are stood up
_SLIMMEST: Final = 0.55
"""Shorter side of a triangle or circle in longer ones under which nobody draws it for a symbol: the
source holds stretched variants."""
_TRIES: Final = 6


def handwriting_folder() -> Path:
    """Folder of the handwriting: ``ARBITRE_HANDWRITING``, else ``../shared/handwriting``.

    Raises:
        LabError: it is not there.
    """
    root = Path(__file__).resolve().parent.parent.parent
    usual = root / ".." / "shared" / "handwriting"
    folder = Path(os.environ.get("ARBITRE_HANDWRITING", usual)).resolve()
    if not folder.is_dir():
        raise LabError("no handwriting: set ARBITRE_HANDWRITING to its folder")
    return folder


@lru_cache(maxsize=96)
def pictures(split: str, source: str, name: str) -> tuple[Bytes, tuple[str, ...]]:
    """Pictures (N, H, W) of one class in a split, dark on light, and the id of each.

    Raises:
        LabError: the handwriting is not there.
        ValueError: there is no such split.
    """
    if split not in SHARES:
        raise ValueError(f"unknown split {split!r}: choose among {', '.join(SPLITS)}")
    with np.load(handwriting_folder() / "train" / source / f"{name}.npz") as file:
        images, ids, writers = file["images"], file["id"], file["writer"]
    owners = sorted({str(writer) for writer in writers})
    low, high = SHARES[split]
    if len(owners) > 1:
        # the same writers on each side for all classes: by their names' place in the alphabet
        mine = set(owners[round(low * len(owners)) : round(high * len(owners))])
        chosen = np.flatnonzero([str(writer) in mine for writer in writers])
    else:
        chosen = np.arange(round(low * len(images)), round(high * len(images)))
    kept, names = images[chosen], tuple(str(ids[index]) for index in chosen)
    if split == "train" and source == "mnist":
        more, their_names = whole(name)
        kept, names = np.concatenate([kept, more]), (*names, *their_names)
    return np.asarray(kept, np.uint8), names


@lru_cache(maxsize=14000)
def _glyph(split: str, sign: str, source: str, index: int) -> Glyph | None:
    name = dict(SOURCES[sign])[source]
    found = from_bitmap(pictures(split, source, name)[0][index], _TURNS.get(sign, 0))
    if found is None or sign not in ("triangle", "circle"):
        return found
    return found if min(found.width, found.height) >= _SLIMMEST else None


def real_glyph(rng: np.random.Generator, split: str, sign: str, source: str) -> Glyph | None:
    """A sign of a source, drawn evenly; None when none can be used in a few tries."""
    count = len(pictures(split, source, dict(SOURCES[sign])[source])[0])
    for _ in range(_TRIES):
        found = _glyph(split, sign, source, int(rng.integers(count)))
        if found is not None:
            return found
    return None


def sources_of(sign: str) -> tuple[str, ...]:
    """Names of the sources that have a sign."""
    return tuple(source for source, _ in SOURCES[sign])
