"""Frames and where they come from: the types that all sources share. See `vision.sources`."""

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

SourceKind: TypeAlias = Literal["waiting", "live", "frozen", "reconnecting", "ended"]
"""``waiting``: no frame yet. ``live``: frames come. ``frozen``: frames come, all of them the same
for `vision.sources.live.FROZEN_S`. ``reconnecting``: the camera is gone and is being tried again.
``ended``: a recording is over, or the source was closed; no frame will ever come."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a source.

    Attributes:
        image_bgr: (H, W, 3) uint8, not writeable.
        at_s: When it was taken, seconds on the source's own clock, never running backwards: since
            the source was opened for cameras and streams, media time for recordings. The wall
            clock plays no part.
        number: Counts from 0 per source. Frames that nobody took are counted, so a gap shows.
        source: Id of the source.
    """

    image_bgr: NDArray[np.uint8]
    at_s: float
    number: int
    source: str


@dataclass(frozen=True, slots=True)
class SourceProblem:
    """What keeps a source from giving pictures, for users: one line in two languages."""

    text_en: str
    text_fr: str


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """How a source is doing.

    Attributes:
        kind: See `SourceKind`.
        problem: What is wrong and what to do; None while nothing is.
        age_s: Age of the newest frame, seconds; None before the first, 0 for recordings.
        size_px: Width and height of the newest frame; None before the first.
    """

    kind: SourceKind
    problem: SourceProblem | None = None
    age_s: float | None = None
    size_px: tuple[int, int] | None = None


class Source(Protocol):
    """Anything that gives frames."""

    id: str

    def next(self, timeout_s: float) -> Frame | None:
        """The next frame to look at.

        Live sources give the newest frame that was not handed out yet; recordings opened with
        every frame wanted give the next one in order.

        Args:
            timeout_s: How long to wait for one.

        Returns:
            The frame, or None when none came in time; `status` says why.
        """
        ...

    @property
    def status(self) -> SourceStatus:
        """How the source is doing now; cheap, callable from any thread."""
        ...

    def close(self) -> None:
        """Stop and let go of the camera; may be called twice."""
        ...
