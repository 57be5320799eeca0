"""Frames in, glances out: follows one board through a live picture and reads it on change.

The networks are slow beside a camera, so they run only where something changed: the detector when
motion begins, a few times a second while it lasts, once it ends, and every few seconds to confirm
that the board still lies where it lay; the classifier for cells whose picture changed. What decides
when is arithmetic on the small flattened `vision.cubes.zone`. Times are those of the frames, so the
same frames give the same glances, however fast they come.
"""

from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision import catalogue
from vision.cubes.classify import FaceScores
from vision.cubes.comparing import (
    CHANGED,
    MOVING,
    Compared,
    compare,
    is_light,
    looks_moved,
    stands_alone,
)
from vision.cubes.covering import RESTED_S, all_seen, hands_over, hides_nothing
from vision.cubes.evidence import is_bare
from vision.cubes.faces import Faces
from vision.cubes.find import BoardView
from vision.cubes.pose import Pass, look_near, moved_cells, same_way
from vision.cubes.resting import WANTED_LOOKS, AtRest
from vision.cubes.searching import Search
from vision.cubes.stacking import Stack
from vision.cubes.zone import Mask, Zone, cell_shares, changed, cut_zone, share
from vision.frames import Frame
from vision.glance import Glance, Pose
from vision.homography import side_px
from vision.labels import DOTS, MARKS
from vision.observation import Reading, Refusal, SeenBoard
from vision.observe import Models
from vision.plans import board_plan
from vision.refusals import refuse

__all__ = ["Glance", "Pose", "Watcher"]

MOST_COVERED: Final = 12
"""Half of a board hidden: nothing is made of such a frame."""
SAME_CELLS: Final = 0.3
"""A board found within this is where it was: cubes shift by 0.15, hands push the block a little."""
FIRM_CELLS: Final = 0.08
"""A smaller shift is error of the fit while a hand hides a part of the block."""
AGREE_CELLS: Final = 0.15
"""Two looks at a still board that was moved must agree within this before it is read there."""
PASS_MOVING_S: Final = 0.2
PASS_STEADY_S: Final = 1.0
PASS_HAND_S: Final = 0.5
PASS_LIGHT_S: Final = 0.2
PASS_STILL_S: Final = 4.0
"""Between looks of the detector: while things move and the board's place is unsure, while they move
and the zone shows it steady, while a hand rests, while what rests there may be light, and on a
still table. A look costs 60 to 100 ms of two cores, so these leave 15 frames/s their time. While no
board is known, `vision.cubes.searching` says when to look."""
FULL_SHARE: Final = 0.8
"""Share of the cubes without which a board found elsewhere is a board half hidden."""
LIGHT_S: Final = 0.4
"""What reaches in, does not move for so long, hides no cube and is no hand to the detector in
`LIGHT_LOOKS` looks, is light: a shadow that stays, a lamp that was turned on."""
LIGHT_LOOKS: Final = 2
"""Looks in a row that must say so: in simulated games one look of three missed the hand."""
FAINT_S: Final = 1.0
"""The same where the detector sees what is too faint to count as a hand."""
LOST_AFTER: Final = 2
"""Looks in a row without a board, and without a hand that hides it, before it is lost."""
_HIDDEN: Final = FaceScores(
    tuple(float(mark == "none") for mark in MARKS), tuple(float(dot == "unseen") for dot in DOTS)
)


class Watcher:
    """Looks at frame after frame of one board; the same frames give the same glances.

    Args:
        models: From `vision.observe.load_models`, adapted to a set or not.
        game_id: Such as ``quixo``.

    Raises:
        ValueError: No board of this game can be read.
    """

    def __init__(self, models: Models, game_id: str) -> None:
        self._reader = catalogue.board_reader(game_id)
        self._models = models
        self._faces = Faces(models)
        self._size = board_plan(game_id).size
        self._shape: tuple[int, ...] = ()
        self._view: BoardView | None = None
        self._place: BoardView | None = None  # where the board was last, once it is lost
        self._search = Search(models.detector, self._size)
        self._problem: Refusal | None = None
        self._found_s = 0.0  # when the search found the board
        self._begin()

    def _begin(self) -> None:
        """Forget what was seen on the board, not where it is."""
        thresholds = self._models.thresholds
        self._rest = AtRest(self._faces, self._reader, thresholds, self._size)
        self._held = Stack()  # of what reaches in and lies still, no hand being seen
        self._last: Zone | None = None
        self._pass_s = -PASS_STILL_S
        self._motion_s = -RESTED_S
        self._unconfirmed = True  # something moved since the detector looked at a still table
        self._seen_hand = False  # by the detector
        self._hand = False
        self._strange: BoardView | None = None
        self._missed = 0
        self._light = 0  # looks in a row for which what reaches in is light

    def __call__(self, frame: Frame) -> Glance:
        """Look at the next frame."""
        if frame.image_bgr.shape != self._shape:
            self._shape = frame.image_bgr.shape
            self._view = self._place = None  # px of another picture mean nothing
            self._search.begin()
        if self._view is None:
            self._find(frame)
        if self._view is None:
            return self._glance(frame, None, board="lost")
        return self._follow(frame, self._view)

    # --- Where the board is ---

    def _find(self, frame: Frame) -> None:
        """Look for a board in the whole picture, as often as the search sees fit."""
        view = self._search.look(frame)
        self._problem = self._search.problem
        if view is None:
            return
        self._view = view if self._place is None else same_way(view, self._place.quad_px)
        self._place = self._problem = None
        self._found_s = frame.at_s
        self._begin()

    def _confirm(self, frame: Frame, now: Compared) -> Pass:
        """The detector's look around the board: hands, and whether it lies where it lay."""
        seen = self._look_near(frame, now)
        self._pass_s = frame.at_s
        self._unconfirmed = not now.still
        over = hands_over(seen.hands, now.view.quad_px, self._size)
        calm_s = frame.at_s - self._motion_s
        self._seen_hand = bool(over) and not hides_nothing(seen.view, over, calm_s >= RESTED_S)
        if over or not now.reaching:
            self._light = 0
        else:
            self._weigh_light(frame, now, seen)
        if seen.view is None:
            gone = now.still and not over and not now.steady and not self._just_found(frame.at_s)
            self._missed += gone and (not now.reaching or calm_s >= FAINT_S)
            return seen
        self._missed = 0
        if seen.shift_cells < SAME_CELLS:
            self._strange = None
            self._refit(frame, now, seen, open_=now.still and not over)
        elif not over and self._convinces(frame, seen.view, now):
            self._elsewhere(seen.view)
        return seen

    def _look_near(self, frame: Frame, now: Compared) -> Pass:
        """The look itself: in the frame, and where cubes are missing there in the mean of frames.

        In the dark noise hides the cubes of a single frame.
        """
        near, quad_px = self._models.detector, now.view.quad_px
        seen = look_near(frame.image_bgr, near, quad_px, self._size)
        stack = self._stack_of(now)
        if seen.hands or not now.still or stack.frames < WANTED_LOOKS:
            return seen
        if all_seen(seen.view, self._rest.view):
            return seen
        return look_near(stack.over(frame.image_bgr), near, quad_px, self._size)

    def _stack_of(self, now: Compared) -> Stack:
        """The frames that show the same as this one."""
        return self._held if now.reaching else self._rest.stack

    def _just_found(self, at_s: float) -> bool:
        """True for a board that nothing has moved on since it was found, a moment ago.

        In the dark a look around its place may miss what a search has seen; it cannot have gone.
        """
        return self._motion_s < self._found_s and at_s - self._found_s < RESTED_S

    def _refit(self, frame: Frame, now: Compared, seen: Pass, *, open_: bool) -> None:
        """Take over the look's fit, and on an open board how each cube lies.

        Fits of small cells differ by a tenth of a cell from look to look, by which the zone would
        seem covered: another fit has to make it more like the board at rest.
        """
        if seen.view is None:
            return
        if self._rest.zone is None and seen.view.evidence < now.view.evidence:
            return  # until the board was read, the fit to more cubes counts
        moved = seen.shift_cells >= FIRM_CELLS
        whole = open_ and (not now.reaching or all_seen(seen.view, self._rest.view))
        better = (moved or whole) and self._explains(frame, seen.view, now)
        if better and moved:
            self._rest.stack.restart()
        if better or whole:
            lattice = seen.view.lattice if better else now.view.lattice
            self._view = BoardView(lattice, seen.view.cells)

    def _explains(self, frame: Frame, view: BoardView, now: Compared) -> bool:
        """True when the board looks more as it did at rest with this fit than with the other."""
        if self._rest.zone is None or now.apart is None:
            return True
        zone, valid = cut_zone(frame.image_bgr, view.lattice.homography, self._size)
        return share(changed(zone, self._rest.zone, valid)) < share(now.apart)

    def _convinces(self, frame: Frame, view: BoardView, now: Compared) -> bool:
        """A board found elsewhere, of which a hand that was not seen has not spoilt the fit."""
        # Where the zone says that nothing moved, a turn by a few degrees may have escaped it.
        least = self._size**2 - 1 if now.steady else FULL_SHARE * self._size**2
        if not now.still or view.lattice.count < least:
            return False
        if self._rest.zone is None:
            return True
        # Beside a hand that was not seen the board still looks as it did, where it was.
        zone, _ = cut_zone(frame.image_bgr, view.lattice.homography, self._size)
        return looks_moved(zone, now.zone, self._rest.zone, self._size)

    def _weigh_light(self, frame: Frame, now: Compared, seen: Pass) -> None:
        """Where what reaches in turns out to be light, read what lies there anew."""
        quad_px, calm_s = now.view.quad_px, frame.at_s - self._motion_s
        faint = hands_over(seen.hands, quad_px, self._size, least=0.0)
        calm = calm_s >= (FAINT_S if faint else LIGHT_S)
        light = calm and self._rest.is_open(self._still_picture(frame), now, seen.view)
        self._light = self._light + 1 if light else 0
        if self._light >= LIGHT_LOOKS:
            self._light = 0
            self._rest.forget()

    def _elsewhere(self, view: BoardView) -> None:
        """The board was found at another place: believe it when two looks at rest agree."""
        before, self._strange = self._strange, view
        if before and moved_cells(view.quad_px, before.quad_px, self._size) < AGREE_CELLS:
            self._view = view
            self._begin()

    def _pass_due(self, at_s: float, now: Compared) -> bool:
        since_s = at_s - self._pass_s
        if self._light:
            return since_s >= PASS_LIGHT_S
        if not now.still:
            return since_s >= (PASS_STEADY_S if now.steady else PASS_MOVING_S)
        if self._unconfirmed or self._strange is not None or self._missed:
            return True
        if now.reaching and not self._seen_hand and at_s - self._motion_s < RESTED_S:
            return since_s >= PASS_LIGHT_S  # a move that was pushed to the edge looks like an arm
        return since_s >= (PASS_HAND_S if self._seen_hand or now.reaching else PASS_STILL_S)

    # --- One frame of a board that is known ---

    def _follow(self, frame: Frame, view: BoardView) -> Glance:
        now = self._compare(frame, view)
        seen = self._confirm(frame, now) if self._pass_due(frame.at_s, now) else None
        if self._missed >= LOST_AFTER:
            self._view, self._place = None, view
            self._search.begin()
            self._problem = refuse("board-not-seen")
            return self._glance(frame, None, moving=now.moving, board="lost")
        if self._strange is not None or self._missed:
            pose: Pose = "moved" if self._strange is not None else "steady"
            return self._glance(frame, None, moving=now.moving, board=pose)
        if self._view is not None and self._view is not view:
            now = self._against_rest(frame.image_bgr, self._view, now)
            self._last = now.zone
        now = self._in_the_mean(frame, now)
        self._hand = self._seen_hand or now.reaching
        if now.still and not self._hand:
            reading, whole = self._rest.read(frame, now, self._motion_s)
            unreadable = reading is not None and reading.refused is not None
            if unreadable and frame.at_s - self._motion_s >= RESTED_S:
                return self._glance(frame, reading, moving=now.moving, board="lost")
        else:
            self._rest.stir()
            reading, whole = self._glimpse(frame, now, seen)
        return self._glance(frame, reading, moving=now.moving, whole=whole)

    def _in_the_mean(self, frame: Frame, now: Compared) -> Compared:
        """Gather the frames in which what reaches in lies still, and compare their mean.

        Noise takes the likeness of cells that did not change; in the mean most of it is back. What
        creeps, so that no two frames differ, differs from the mean. While something does reach in,
        single frames tell what it covers: a false gap in the mean lasts like a true one.
        """
        if not now.still or not now.reaching or self._seen_hand:
            self._held.restart()
            return now
        quad_px = now.view.quad_px
        self._held.add(frame.image_bgr, quad_px, side_px(quad_px) / self._size)
        if self._held.frames < WANTED_LOOKS:
            return now
        mean = self._against_rest(self._still_picture(frame), now.view, now)
        if share(changed(now.zone, mean.zone, now.valid)) >= MOVING:
            self._held.restart()
            return now
        return now if mean.reaching else mean

    def _against_rest(
        self, image_bgr: NDArray[np.uint8], view: BoardView, now: Compared
    ) -> Compared:
        """The board in another picture of this moment, or in another fit: nothing moved by that."""
        zone, valid = cut_zone(image_bgr, view.lattice.homography, self._size)
        return replace(compare(view, zone, valid, self._rest.zone, now.moving), still=now.still)

    def _still_picture(self, frame: Frame) -> NDArray[np.uint8]:
        """The frame, in the mean of those in which what reaches in lies still."""
        still = self._held.frames >= WANTED_LOOKS
        return self._held.over(frame.image_bgr) if still else frame.image_bgr

    def _compare(self, frame: Frame, view: BoardView) -> Compared:
        """The zone against the frame before and against the board at rest."""
        zone, valid = cut_zone(frame.image_bgr, view.lattice.homography, self._size)
        moving = self._motion(frame.at_s, zone, valid)
        return compare(view, zone, valid, self._rest.zone, moving)

    def _motion(self, at_s: float, zone: Zone, valid: Mask) -> float:
        """Share of the zone that changed since the frame before; which cells were touched.

        Light that passes over cubes which keep their texture is no motion, nor is what moves
        beside them.
        """
        last, self._last = self._last, zone
        if last is None:
            return 0.0
        moved = changed(zone, last, valid)
        moving = share(moved)
        if moving >= MOVING and is_light(zone, last, self._size):
            return 0.0
        if moving >= MOVING:
            self._motion_s = at_s
            self._unconfirmed = True
            self._light = 0
            self._rest.touched |= cell_shares(moved, self._size) >= CHANGED
        return moving

    def _glimpse(
        self, frame: Frame, now: Compared, seen: Pass | None
    ) -> tuple[Reading[Any] | None, bool]:
        """Read what is open while a hand is in or things move, compared with the board at rest."""
        view, apart = now.view, now.apart
        if apart is None or self._rest.quality is None:
            return None, False
        found = seen.view if seen is not None and seen.shift_cells < SAME_CELLS else None
        if not now.steady and found is None:
            return None, False
        covered = now.covered.copy()
        if covered.sum() > MOST_COVERED:
            return None, False
        new = (cell_shares(apart, self._size) >= CHANGED) & ~covered
        wanted = np.flatnonzero(new).tolist()
        scores = list(self._rest.seen.scores())
        for index in np.flatnonzero(covered).tolist():
            scores[index] = _HIDDEN
        fresh = self._faces.tell(frame.image_bgr, now, wanted, twice=False)
        for index, score in zip(wanted, fresh, strict=True):
            hidden = is_bare(score) and not stands_alone(now, self._rest.zone, index)
            scores[index] = _HIDDEN if hidden else score
            covered[index] |= hidden
        cells = tuple(
            replace(cell, under_hand=hidden, seen=0.0 if hidden else cell.seen)
            for cell, hidden in zip(view.cells, covered.tolist(), strict=True)
        )
        board = SeenBoard(
            replace(view, cells=cells), tuple(scores), self._rest.quality, masked=True
        )
        reading = self._reader(board, self._models.thresholds, True)
        return reading, not covered.any() and not any(map(is_bare, scores))

    def _glance(
        self,
        frame: Frame,
        reading: Reading[Any] | None,
        *,
        moving: float = 0.0,
        whole: bool = False,
        board: Pose = "steady",
    ) -> Glance:
        refused = None if reading is None else reading.refused
        return Glance(
            frame.at_s,
            frame.number,
            None if refused is not None else reading,
            whole and refused is None,
            self._rest.looks,
            moving,
            self._hand,
            board,
            None if self._view is None else self._view.quad_px,
            self._rest.quality,
            refused or (self._problem if board == "lost" else None),
        )
