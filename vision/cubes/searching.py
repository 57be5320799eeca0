"""Looks for a board in a live picture, a little in each frame: a search must not stop the loop.

A whole search takes up to thirty looks of the detector, two seconds and more. Here each frame has
one part of it at most, and looks are paid for with time: in the long run the search takes a fifth
of a core, two fifths where many faint cubes have to be fitted. Looked at is the mean of the frames
in which the picture has not changed, since in the dark noise hides the cubes of a single one. Times
are those of the frames, so the same frames are searched alike.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision import looks, quality
from vision.cubes.chances import CHANCES
from vision.cubes.find import BoardView, SearchPart, Where, search_part
from vision.cubes.stacking import MOST_FRAMES
from vision.detect import Detection, Detector
from vision.frames import Frame
from vision.observation import Refusal
from vision.part import cause
from vision.refusals import refuse
from vision.still import StillMean

FREE_LOOKS: Final = 30
"""Looks of the detector that are not paid for when a search begins: about one round, so that a
board which is there is found at once."""
STEP_S: Final = 0.2
"""Between parts of a round while looks are free: frames, commands and the live picture have their
turn in between."""
LOOK_S: Final = 0.5
"""What a look costs later: it takes 60 to 100 ms of a core, and the fits as much again where many
faint cubes are seen."""
REST_S: Final = 4.0
"""From one round to the next where the picture did not change: only noise may show what the round
before has missed."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One part of a round: which detector looks where."""

    chance: Callable[[Detector], Detector] | None
    where: Where


def _round() -> tuple[_Step, ...]:
    ways: tuple[Callable[[Detector], Detector] | None, ...] = (None, *CHANCES)
    parts: tuple[Where, ...] = ("whole", "tiles")
    return tuple(_Step(way, where) for way in ways for where in parts)


ROUND: Final = _round()
"""As in `vision.cubes.find`: plain, mirrored, softened; each time the whole, then tiles."""


class _Counted:
    """A detector that counts how often it looks."""

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self.looks = 0

    def detect(self, image_bgr: NDArray[np.uint8], min_confidence: float) -> tuple[Detection, ...]:
        """Detections in px of the given picture (H, W, 3), best first."""
        self.looks += 1
        return self._detector.detect(image_bgr, min_confidence)


class Search:
    """Looks for one board, frame after frame, until it is found.

    Args:
        detector: Finds cubes, blocks and hands.
        size: Cubes along one side.

    Attributes:
        problem: Why nothing was found so far, with advice; None before the first look.
    """

    def __init__(self, detector: Detector, size: int) -> None:
        self._detector = _Counted(detector)
        self._size = size
        self.begin()

    def begin(self) -> None:
        """Begin anew with the next frame: a board was lost, or the picture is another."""
        self.problem: Refusal | None = None
        self._step = 0
        self._free = FREE_LOOKS
        self._paid_s = self._due_s = float("-inf")  # paid: when the next look may be taken
        self._still = StillMean()
        self._plain = SearchPart.nothing()  # of the whole picture, in this round
        self._hints = 0
        self._full = False  # it was of all that count when this round began

    def look(self, frame: Frame) -> BoardView | None:
        """Take the next part of the search if it is due; the largest board, once there is one."""
        if self._still.add(frame.image_bgr):
            self._step, self._due_s = 0, self._paid_s
        if frame.at_s < self._due_s:
            return None
        image_bgr = self._still.image_bgr
        step = ROUND[self._step]
        detector = self._detector if step.chance is None else step.chance(self._detector)
        before = self._detector.looks
        part = search_part(image_bgr, detector, self._size, (step.where,))
        self._pay(frame.at_s, self._detector.looks - before)
        if part.search.views:
            return max(part.search.views, key=lambda view: view.px_per_cell)
        self._missed(frame.at_s, image_bgr, part)
        return None

    def _pay(self, at_s: float, taken: int) -> None:
        """Say when the next look may be taken, after so many."""
        self._paid_s = at_s + (STEP_S if self._free > 0 else taken * LOOK_S)
        self._free -= taken

    def _missed(self, at_s: float, image_bgr: NDArray[np.uint8], part: SearchPart) -> None:
        """No board in this part: what is next, when, and what people may do."""
        if self._step == 0:
            self._plain, self._hints = part, 0
            self._full = self._still.frames >= MOST_FRAMES
        self._hints = max(self._hints, part.hints)
        self.problem = _told(image_bgr, self._plain, self._hints)
        self._step = self._next_step()
        rests = not self._step and self._full
        self._due_s = max(self._paid_s, at_s + REST_S) if rests else self._paid_s

    def _next_step(self) -> int:
        """The next part of this round; 0 when it is over.

        Tiles are of no use where a lattice was seen in the whole picture; other ways of looking
        are not where there are no cubes.
        """
        step = self._step + 1
        if step == 1 and self._plain.fitted:
            step = 2
        if step >= 2 and self._hints < looks.MIN_HINTS:
            return 0
        return step % len(ROUND)


def _told(image_bgr: NDArray[np.uint8], plain: SearchPart, hints: int) -> Refusal:
    """Why there is no board, in the words for a camera that stands.

    Cubes that lie about in an unknown way are covered only if there is a hand to cover them.
    """
    reason = plain.search.reason or "no-board"
    if reason == "no-board" or (reason == "covered" and not plain.hands):
        seen = "faint-board" if hints >= looks.MIN_HINTS else "board-not-seen"
        reason = cause(seen, quality.measure(image_bgr))
    return refuse(reason)
