"""Whether two sheets in photos are the same sheet, by how their writing looks.

Two people who write the same numbers write them differently; one sheet photographed twice shows
the same strokes. Small grey pictures of the written fields tell them apart, at any angle and light.
"""

import itertools
import zlib
from collections.abc import Sequence
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import Image

SIDE: Final = 32
"""Side of the small picture of a field, px. With 16 px strokes blur into each other: two photos of
a sheet were then as little alike as 0.74, two hands as much as 0.52."""

MIDDLE: Final = 10.0
"""Radius of the part that is compared, px: the inside of a disc, without the print around it, which
is alike on all sheets."""

SHIFT: Final = 2
"""Maps of two photos differ by a px or so; the best of these shifts counts."""

LEAST_FIELDS: Final = 4
"""With fewer written fields alike nothing is said: one digit may look like another."""

SAME: Final = 0.65
"""Median correlation of the written fields from which two sheets are the same. Of 14 composed
sheets as photographed at home, places of fields wrong by 0.25 mm, two photos reached 0.84 to 0.95
(0.61 with four fields written); the same numbers by another hand 0.12 to 0.49."""

PERHAPS: Final = 0.4
"""From here on they may be: said, and both counted; or, with the same code on both, one. Of hard
photos two of one sheet reached 0.42 to 0.83, another hand 0.22 to 0.56."""


def look_of(crops_bgr: Sequence[Image | None]) -> bytes:
    """The looks of fields, for keeping.

    Args:
        crops_bgr: F crops (S, S, 3) of `vision.crops.crop_field`; None for empty fields.
    """
    looks = np.zeros((len(crops_bgr), SIDE, SIDE), np.uint8)
    for look, crop in zip(looks, crops_bgr, strict=True):
        if crop is not None:
            grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)
            look[:] = cv2.resize(grey, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return zlib.compress(looks.tobytes(), 6)


def likeness(one: bytes, other: bytes, written: Sequence[int]) -> float | None:
    """How alike the writing of two sheets is.

    Args:
        one, other: From `look_of`, of the same fields.
        written: Indices of fields that hold the same on both sheets, and not nothing.

    Returns:
        Median correlation, -1 to 1; None where too little is written, or they cannot be compared.
    """
    if len(written) < LEAST_FIELDS or not one or not other:
        return None
    first, second = _fields(one), _fields(other)
    if first.shape != second.shape or max(written) >= len(first):
        return None
    return float(np.median([_correlation(first[n], second[n]) for n in written]))


def _fields(look: bytes) -> NDArray[np.float32]:
    flat = np.frombuffer(zlib.decompress(look), np.uint8).astype(np.float32)
    return flat.reshape(-1, SIDE, SIDE)


def _correlation(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Best normalised correlation of two fields' middles over small shifts."""
    rows, columns = _middle()
    down, right = _shifts()
    shifted = other[rows + down[:, None], columns + right[:, None]]  # (shifts, px)
    return float((_normal(shifted) @ _normal(one[rows, columns])).max())


@cache
def _shifts() -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Px down and right of each shift."""
    steps = range(-SHIFT, SHIFT + 1)
    pairs = np.array(list(itertools.product(steps, steps)), np.intp)
    return pairs[:, 0], pairs[:, 1]


@cache
def _middle() -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of the px that are compared."""
    y, x = np.mgrid[:SIDE, :SIDE] - (SIDE - 1) / 2
    rows, columns = np.nonzero(x**2 + y**2 <= MIDDLE**2)
    return rows, columns


def _normal(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Values (…, N), each row with mean 0 and length 1; zeros where all of it is the same."""
    centred = values - values.mean(axis=-1, keepdims=True)
    length = np.linalg.norm(centred, axis=-1, keepdims=True)
    return np.asarray(np.where(length > 1.0, centred / np.maximum(length, 1.0), 0.0), np.float32)
