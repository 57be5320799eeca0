"""Whether two sheets in photos are the same sheet, by how their writing looks.

Two people who write the same numbers write them differently; one sheet photographed twice shows
the same strokes. Small grey pictures of all fields tell them apart, whatever the light and angle.
"""

import zlib
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import Image

SIDE: Final = 16
"""Side of the small picture of a field, px: strokes of a digit are about 2 px wide in it."""

_RIM: Final = 2
"""Px at each edge left out: the print around the field, and room for a shift."""

LEAST_FIELDS: Final = 4
"""With fewer written fields alike nothing is said: one digit may look like another."""

SAME: Final = 0.8
"""Median correlation of the written fields from which two sheets are the same. Measured on
composed scenes: see docs/decisions/0123-one-sheet-counted-once.md."""


def look_of(crops_bgr: Sequence[Image]) -> bytes:
    """The looks of fields, for keeping.

    Args:
        crops_bgr: F crops (S, S, 3) of `vision.crops.crop_field`.
    """
    if not crops_bgr:
        return b""
    small = [
        cv2.resize(
            cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), (SIDE, SIDE), interpolation=cv2.INTER_AREA
        )
        for crop in crops_bgr
    ]
    return zlib.compress(np.stack(small).astype(np.uint8).tobytes(), 6)


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
    """Best normalised correlation over small shifts: maps of two photos differ by a px or so."""
    inner = one[_RIM:-_RIM, _RIM:-_RIM]
    found = cv2.matchTemplate(
        np.ascontiguousarray(other), np.ascontiguousarray(inner), cv2.TM_CCOEFF_NORMED
    )
    return float(np.nan_to_num(found).max())
