"""What a composed scene is made to, and what comes out of it: recipe, picture, labels."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from models.compose.camera import Points


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a set of scenes may contain beside the tier's ranges.

    Attributes:
        gap_rate: share of scenes with cubes missing from the block.
        empty_rate: share of scenes without a block: traps, other games, bare tables.
        cut_rate: share of scenes in which the picture's edge may cut the block.
        stray_rate: share of scenes with further cubes beside the block.
        hand_rate: share of scenes with a hand beside those the tier's occlusion asks for.
        stain: spread of a random stain on the wood, natural log a colour channel.
        thing_rate: share of covers that are things laid on the block rather than a hand.
    """

    gap_rate: float = 0.0
    empty_rate: float = 0.0
    cut_rate: float = 0.0
    stray_rate: float = 0.0
    hand_rate: float = 0.0
    stain: float = 0.0
    thing_rate: float = 0.0


EVALUATION = Recipe()
TRAPS = Recipe(0.1, empty_rate=0.5, cut_rate=0.06, stray_rate=0.1, hand_rate=0.1, stain=0.15)
"""For training on: half of the scenes show boards of other games instead of the block."""
TRAINING = Recipe(
    0.15,
    empty_rate=0.12,
    cut_rate=0.06,
    stray_rate=0.12,
    hand_rate=0.15,
    stain=0.15,
    thing_rate=0.35,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Label of one piece.

    Attributes:
        kind: one of `vision.labels.DETECTOR_CLASSES`.
        box_px: x0, y0, x1, y1 of the visible piece, clipped to the picture.
        corners_px: four corners of its upward face, clockwise, or None.
    """

    kind: str
    box_px: tuple[float, float, float, float]
    corners_px: tuple[tuple[float, float], ...] | None


@dataclass(frozen=True, slots=True, eq=False)
class Composed:
    """A picture and its truth.

    Attributes:
        image_bgr: (H, W, 3) uint8, as decoded from `jpeg`.
        jpeg: the file.
        marks: 25 names of `vision.labels.MARKS` in the board's own rows, empty without a block.
        dots: 25 names of `vision.labels.DOTS`.
        visible: 25 shares 0-1 of the face that nothing covers.
        dot_visible: the same of the place of the dot.
        homography: (3, 3) from (column, row) of the block's top plane to px, or None.
        pieces: labels for the detector.
        facts: drawn conditions, for tables by factor.
    """

    image_bgr: NDArray[np.uint8]
    jpeg: bytes
    marks: tuple[str, ...]
    dots: tuple[str, ...]
    visible: tuple[float, ...]
    dot_visible: tuple[float, ...]
    homography: Points | None
    pieces: tuple[Piece, ...]
    facts: dict[str, float | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shown:
    """What lies on the board, given instead of drawn.

    Attributes:
        marks: 25 names of `vision.labels.MARKS` in the board's own rows; ``none`` is a gap.
        dots: 25 names of `vision.labels.DOTS`.
        take: number of the picture; pictures of one seed share everything but the sensor's chance.
    """

    marks: tuple[str, ...]
    dots: tuple[str, ...]
    take: int = 0
