"""What is read of a board at rest, and how it looked then: later frames are compared with that.

Cells are read where their picture changed, in the mean of the frames since, and once more after
every hand.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision import quality
from vision.cubes.classify import FaceScores
from vision.cubes.comparing import CHANGED, MOVING, Compared, changed_cells
from vision.cubes.covering import RESTED_S, SEEN_CUBE, seen_cells
from vision.cubes.evidence import Evidence, Seen, is_bare, is_vouched, most_likely
from vision.cubes.faces import Faces
from vision.cubes.find import BoardView
from vision.cubes.nudges import is_doubtful
from vision.cubes.stacking import Stack
from vision.cubes.zone import Zone, cell_shares, changed, cut_zone, reaching_in, share
from vision.frames import Frame
from vision.homography import side_px
from vision.observation import Reading, SeenBoard, Thresholds

Reader: TypeAlias = Callable[[SeenBoard, Thresholds, bool], Reading[Any]]
"""Of a board, when to ask, and whether gaps may be seen; see `vision.catalogue.board_reader`."""

WANTED_LOOKS: Final = 3
"""Frames in whose mean a cell at rest is read, `MOST_FRAMES` of `vision.cubes.stacking` where it
stays in doubt."""
DIFFERS: Final = 0.8
"""Probability from which a further look at a cell speaks against what was read before. On 14
simulated games of the hard tier, of 1158 cells that had not changed 14 spoke wrongly against what
was read at 0.5 (and 5 rightly), 8 (4) at 0.65, 3 (3) at 0.8 and 1 (1) at 0.925; of 54 cells of 11
of these games that had changed 53 were seen to at 0.5, 52 at 0.65, 51 at 0.8, 49 at 0.925."""
CALM_S: Final = 0.25
"""How long a board must look the same before this is how it looks at rest: as long as it takes to
settle, `vision.settle.QUIET_S`, less a frame. Slow fingers move again within two frames."""


class AtRest:
    """One board at rest, as long as it lies where it lies.

    Args:
        faces: Tells what cells show.
        reader: Makes a game's reading of it.
        thresholds: When to ask.
        size: Cells along one side.

    Attributes:
        evidence: What was seen of each cell.
        stack: The frames of this rest.
        touched: (size * size,), cells that something moved on since they were read.
        zone: The zone when the table was last at rest and whole; None before.
        seen: What was seen of the cells then.
        view: What the detector saw of it then.
        quality: Figures of the latest picture that was read.
    """

    def __init__(self, faces: Faces, reader: Reader, thresholds: Thresholds, size: int) -> None:
        self._faces, self._reader, self._thresholds, self._size = faces, reader, thresholds, size
        self.evidence = Evidence.none(size**2)
        self.stack = Stack()
        self.touched = np.ones(size**2, np.bool_)
        self.zone: Zone | None = None
        self.seen = self.evidence
        self.view: BoardView | None = None
        self.quality: quality.Quality | None = None
        self._stirred = False  # something moved since what was read was looked at again
        self._read_at: Zone | None = None  # the zone as each cell was when it was read
        self._calm: Zone | None = None  # the zone that has hardly changed since
        self._calm_s = 0.0
        self._kept = 0  # frames in whose mean the zone at rest was kept
        self._reading: Reading[Any] | None = None
        self._with_gaps: Reading[Any] | None = None

    @property
    def looks(self) -> int:
        """Frames that the reading rests on, at the cell looked at least often."""
        least = self.evidence.least
        return min(least, self.stack.frames) if self._stirred else least

    def stir(self) -> None:
        """Something moves, or a hand is in."""
        self.stack.restart()
        self._stirred = True

    def forget(self) -> None:
        """The light is another: how it looked at rest is of no use, and all is read anew."""
        self.zone = None
        self.touched[:] = True

    def is_open(self, image_bgr: NDArray[np.uint8], now: Compared, view: BoardView | None) -> bool:
        """True when all is seen that was seen at rest: every cube, or its face beyond doubt.

        Where a line was pushed the cubes at the border differ from those at rest, and what differs
        there reaches to the edge of the zone as an arm does; the detector may miss one of them.

        Args:
            image_bgr: (H, W, 3), of a table on which nothing moves.
            now: That frame, compared.
            view: What the detector saw in it; None hides everything.
        """
        if view is None or now.apart is None:
            return False
        scores = self._faces.tell(
            image_bgr, replace(now, view=view), list(range(self._size**2)), twice=False
        )
        vouched = [is_vouched(s, self._thresholds.mark) for s in scores]
        as_before = cell_shares(now.apart, self._size) < CHANGED
        before = self.seen.scores()
        shown = [is_bare(b) or not is_bare(s) for s, b in zip(scores, before, strict=True)]
        return all(shown) and bool((seen_cells(view, self.view) | as_before | vouched).all())

    def read(
        self, frame: Frame, now: Compared, motion_s: float
    ) -> tuple[Reading[Any] | None, bool]:
        """The reading of a table at rest, and whether the board is whole.

        Args:
            frame: Nothing moves in it, and no hand is in.
            now: That frame, compared.
            motion_s: When something last moved.
        """
        self._look(frame, now)
        if self._reading is None or self._with_gaps is None:
            return None, False
        calm_s = frame.at_s - motion_s
        whole = self._reading.layout is not None and (
            self._reading.layout == self._with_gaps.layout or self._only_dazzled(calm_s, now)
        )
        # Where a photo alone would not do, a match that knows what to expect may: hand on the
        # many doubts, as long as every cell shows a face.
        doubtful = self._reading.layout is None and self._with_gaps.layout is not None
        if doubtful and not any(map(is_bare, self.evidence.scores())):
            self._reading, whole = self._with_gaps, True
        if not whole:
            return self._with_gaps, False
        self._keep(frame, now)
        return self._reading, True

    def _look(self, frame: Frame, now: Compared) -> None:
        """Read the cells that changed, and those seen too seldom, in the mean of the frames."""
        view, zone = now.view, now.zone
        if self._read_at is None:
            self._read_at = zone.copy()
        stale = self.touched | changed_cells(zone, self._read_at, now.valid, self._size)
        self.touched = np.zeros(self._size**2, np.bool_)
        evidence = self.evidence.forget(np.flatnonzero(stale).tolist())
        if stale.any():
            self.stack.restart()
        self.stack.add(frame.image_bgr, view.quad_px, side_px(view.quad_px) / self._size)
        if self._stirred and self.stack.frames >= WANTED_LOOKS:
            self._stirred = False
            evidence = evidence.forget(self.contradicted(frame, now, evidence))
        wanted = [index for index, seen in enumerate(evidence.cells) if self._is_wanted(seen)]
        if not wanted:
            return
        picture = self.stack.over(frame.image_bgr)
        scores = self._faces.tell(picture, now, wanted, twice=True)
        self.evidence = evidence.add(dict(zip(wanted, scores, strict=True)), self.stack.frames)
        self._read_at, _ = cut_zone(picture, view.lattice.homography, self._size)
        self.quality = quality.measure(
            frame.image_bgr, view.lattice.homography, (self._size, self._size)
        )
        cells = tuple(replace(cell, under_hand=False) for cell in view.cells)
        self._make(replace(view, cells=cells), self.evidence.scores())

    def contradicted(self, frame: Frame, now: Compared, evidence: Evidence) -> list[int]:
        """Cells that look otherwise now than they were read, though their picture hardly changed.

        Faint strokes on dark wood come and go by less than `vision.cubes.zone.LIMIT`.
        """
        known = {n: seen.scores for n, seen in enumerate(evidence.cells) if seen is not None}
        picture, cells = self.stack.over(frame.image_bgr), list(known)
        scores = self._faces.tell(picture, now, cells, twice=False)
        return [
            index
            for index, score in zip(cells, scores, strict=True)
            if max(score.marks) > DIFFERS and most_likely(score) != most_likely(known[index])
        ]

    def _is_wanted(self, seen: Seen | None) -> bool:
        """True for a cell that more frames than before may tell better."""
        if seen is None:
            return True
        few = seen.frames < WANTED_LOOKS or is_doubtful(seen.scores)
        return few and self.stack.frames > seen.frames

    def _make(self, view: BoardView, scores: tuple[FaceScores, ...]) -> None:
        """Make the readings of a table at rest: as a whole board, and with its gaps."""
        if self.quality is None:
            raise AssertionError("quality is measured before a reading is made")
        board = SeenBoard(view, scores, self.quality, masked=True)
        self._with_gaps = self._reader(board, self._thresholds, True)
        self._reading = self._reader(board, self._thresholds, False)

    def _keep(self, frame: Frame, now: Compared) -> None:
        """Remember how the whole board looks at rest, once it has looked so for a moment.

        A finger that comes in slowly is no motion, and hides no cell at first. What reaches in is
        left out, or it would be missed in the next frame that it is not in. The mean of the frames
        is kept: of a board with 16 px to a cell noise alone changed 2 % of the cells from one frame
        to another, and none from the mean of six.
        """
        if self._calm is None or share(changed(now.zone, self._calm, now.valid)) >= MOVING:
            self._calm, self._calm_s = now.zone, frame.at_s
        known = self.evidence is self.seen and self.stack.frames <= self._kept
        if known or frame.at_s - self._calm_s < CALM_S:
            return
        self._kept = self.stack.frames
        before, self.seen, self.view = self.zone, self.evidence, now.view
        picture = self.stack.over(frame.image_bgr)
        zone, _ = cut_zone(picture, now.view.lattice.homography, self._size)
        if before is None or now.apart is None:
            self.zone = zone
        else:
            arms = reaching_in(now.apart, now.valid)
            self.zone = np.where(arms[..., None], before, zone)

    def _only_dazzled(self, calm_s: float, now: Compared) -> bool:
        """True when cells without a face are no gaps: glare hides what lies there.

        A lifted cube has changed its cell; the detector sees the cube that glare hides.
        """
        bare = [index for index, s in enumerate(self.evidence.scores()) if is_bare(s)]
        seen = all(now.view.cells[index].seen >= SEEN_CUBE for index in bare)
        if not seen or calm_s < RESTED_S:
            return False
        return now.apart is None or not (cell_shares(now.apart, self._size)[bare] >= CHANGED).any()
