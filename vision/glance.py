"""What one look at one frame of a live source tells. Values only: no picture, no network."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from vision.homography import Quad
from vision.observation import Reading, Refusal
from vision.quality import Quality

Pose: TypeAlias = Literal["steady", "moved", "lost"]
"""``steady``: the board lies where it lay. ``moved``: it is seen, but camera or board moved since
the last frame that was read. ``lost``: it is not seen, or lies still
and cannot be read all the same."""


@dataclass(frozen=True, slots=True)
class Glance:
    """One frame, looked at.

    Attributes:
        at_s: Time of the frame on the source's clock, seconds.
        number: Its number.
        reading: What lies on the board, gaps and hidden cells allowed; None where this frame was
            not read (the board moves, is lost or covered). On a table where nothing changes it is
            the reading made so far, from the mean of `looks` frames.
        whole: True when every piece shows: no gap, nothing hidden. Only such a reading can be
            what lies on the table after a move.
        looks: How many frames the reading rests on, at the cell looked at least often.
        moving: Share of the board zone that changed since the frame before, 0 to 1.
        hand: A hand, or what may be one, is over the board or at its edge.
        board: See `Pose`.
        quad_px: Corners of the board, clockwise from the reading's top left; None when lost.
        quality: Figures of the board's part of the picture, from the latest frame measured.
        problem: Why nothing can be read, with advice; None when something can.
    """

    at_s: float
    number: int
    reading: Reading[Any] | None
    whole: bool
    looks: int
    moving: float
    hand: bool
    board: Pose
    quad_px: Quad | None = None
    quality: Quality | None = None
    problem: Refusal | None = None
