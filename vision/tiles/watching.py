"""Frames in, glances out: follows one board of number tiles and reads what changed on it.

Once the board is found its cells stay where they are until the camera is bumped, so that a frame
costs a look at a small flattened zone; the classifier looks at cells whose picture changed, and in
quiet moments again at a few tiles that were told long ago. While a hand is over the board nothing
is read: what it hides is unknown. Times are those of the frames, so the same frames give the same
glances.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.cubes.comparing import CHANGED, LIKE, MOVING, TOUCHED, changed_cells
from vision.cubes.covering import SURE_HAND
from vision.cubes.stacking import MOST_FRAMES, Stack
from vision.cubes.zone import (
    MARGIN_CELLS,
    PX_PER_CELL,
    Mask,
    Shares,
    Zone,
    cell_shares,
    changed,
    cut_zone,
    likeness,
    reaching_in,
    share,
    shift_cells,
)
from vision.detect import Detection
from vision.frames import Frame
from vision.glance import Glance, Pose
from vision.homography import Quad, side_px
from vision.looks import Image, detect_in, square_around
from vision.observation import Reading
from vision.quality import Quality
from vision.readers.quinto import TilesOnBoard, read_tile_board
from vision.tiles.cell_looks import CellLook, certainty, most_likely, told
from vision.tiles.classify import TileScores, turn_chances
from vision.tiles.find import tell_cells
from vision.tiles.models import TileModels
from vision.tiles.searching import BoardSearch, Find, find_board
from vision.tiles.sights import SeenTileBoard

WANTED_LOOKS: Final = 3
"""Frames in whose mean a cell is read, `MOST_FRAMES` of `vision.cubes.stacking` where in doubt."""
DOUBTFUL: Final = 0.97
"""Probability of what a cell shows below which further frames are looked at."""
MOST_AGAIN: Final = 40
"""Doubtful cells that are looked at again in one frame: a fifth of a second of one core."""
FILLED: Final = 0.1
"""Share of an empty cell's px that differ before it is read anew, however its texture looks: a pale
tile on a pale board is most of its cell alike, and changed 16 % in a simulated game, which went on
without it."""
SHIFTED_CELLS: Final = 0.15
"""Shift of the whole zone at rest from which the camera was bumped: tiles a sixth of a cell off are
still read, and hands that push the board a little shift it by less."""
SHIFT_PEAK: Final = 0.1
"""Least height of the correlation that tells it; see `vision.cubes.comparing.STEADY_PEAK`."""
SHIFTED_FRAMES: Final = 2
"""In a row that must say so: under an arm in the dark one frame did at a peak of 0.15, with 0.6 and
no shift before it, and the board was looked for under the arm."""
CALM_S: Final = 0.25
"""How long the board must look the same before this is how it looks at rest."""
RESTED_S: Final = 2.0
"""What reaches in, has not moved for so long and is no hand to the detector lies there: a rack, a
sleeve's shadow, a box. It takes part in how the board looks at rest."""
HIDDEN_CELLS: Final = 3
"""Open cells that come to be told as covered from which something lies over them: in ten simulated
games of all tiers no frame without a hand had more than one, hands that nothing else told had 2 to
54, and under 10 in 2 % of their frames."""
VERIFY_S: Final = 0.5
VERIFY_TILES: Final = 4
"""So often, so many tiles are looked at again in a quiet moment: a board of 90 in eleven seconds,
for a hundredth of a core."""
INNER_CELLS: Final = 0.5
"""Motion counts so far around the board: hands sort tiles on the table beside it."""
_INNER_PX: Final = round((MARGIN_CELLS - INNER_CELLS) * PX_PER_CELL)


class TileWatcher:
    """Looks at frame after frame of one board; the same frames give the same glances.

    Args:
        models: From `vision.tiles.models.load_tile_models`.
        find: How a board is found in a whole picture.
    """

    def __init__(self, models: TileModels, find: Find = find_board) -> None:
        self._models = models
        self._search = BoardSearch(models, find)
        self._board: SeenTileBoard | None = None
        self._shape: tuple[int, ...] = ()
        self._bumped = False
        self._forget()

    def _forget(self) -> None:
        """Forget what was seen on the board."""
        self._looks: list[CellLook | None] = []
        self._before: dict[int, TileScores] = {}
        self._stack = Stack()
        self._last: Zone | None = None
        self._rest: Zone | None = None
        self._read_at: Zone | None = None
        self._calm: Zone | None = None
        self._calm_s = self._verified_s = 0.0
        self._motion_s = float("-inf")
        self._touched = np.zeros(0, np.bool_)
        self._covering: set[int] = set()  # cells that something lies over, as last told
        self._covered: set[int] = set()  # those of them that count as a part of the table
        self._reading: Reading[TilesOnBoard] | None = None
        self._turn_to_verify = self._shifts = 0

    def __call__(self, frame: Frame) -> Glance:
        """Look at the next frame, later than all before."""
        if frame.image_bgr.shape != self._shape:
            self._shape, self._board = frame.image_bgr.shape, None
        if self._board is None:
            self._look_for_board(frame)
        if self._board is None:
            pose: Pose = "moved" if self._bumped else "lost"
            return self._glance(frame, None, board=pose)
        return self._follow(frame, self._board)

    # --- Where the board is ---

    def expect(self, size: tuple[int, int] | None) -> None:
        """Say how many rows and columns the match's board has, either way round, if it is known."""
        self._search.size = size

    def _look_for_board(self, frame: Frame) -> None:
        board = self._search.look(frame)
        if board is None or board.grid is None:
            self._bumped = self._bumped and self._search.problem is None
            return
        self._forget()
        self._board, self._bumped = board, False
        self._looks = [CellLook(cell.scores, 1) for cell in board.cells]
        self._covering = self._cells_covered()
        self._touched = np.zeros(board.grid[0] * board.grid[1], np.bool_)

    # --- One frame of a board that is known ---

    def _follow(self, frame: Frame, board: SeenTileBoard) -> Glance:
        assert board.grid is not None
        zone, valid = cut_zone(frame.image_bgr, board.homography, board.grid)
        moving = self._motion(frame.at_s, zone, valid, board.grid)
        still = moving < MOVING
        apart = None if self._rest is None else changed(zone, self._rest, valid)
        if still and apart is not None and self._shifted(zone, apart):
            self._shifts += 1
            if self._shifts < SHIFTED_FRAMES:
                return self._glance(frame, None, moving=moving)
            self._board, self._bumped = None, True
            self._search.begin()
            return self._glance(frame, None, moving=moving, board="moved")
        self._shifts = 0
        reaching = self._reaching(zone, apart, valid, board.grid)
        if reaching and still and frame.at_s - self._motion_s >= RESTED_S:
            reaching = self._is_hand(frame, board.quad_px)
        if reaching or not still:
            self._stack.restart()
            return self._glance(frame, None, moving=moving, hand=reaching)
        self._look_at_rest(frame, board, zone, valid)
        if self._hidden(frame, board):
            return self._glance(frame, None, hand=True)
        self._keep_rest(frame.at_s, zone, valid)
        return self._glance(frame, self._reading, moving=moving, whole=True)

    def _motion(self, at_s: float, zone: Zone, valid: Mask, grid: tuple[int, int]) -> float:
        """Share of the board's part that changed since the frame before; which cells did."""
        last, self._last = self._last, zone
        if last is None:
            return 0.0
        moved = changed(zone, last, valid)
        moving = share(moved[_INNER_PX:-_INNER_PX, _INNER_PX:-_INNER_PX])
        if moving >= MOVING:
            self._motion_s = at_s
            self._touched |= cell_shares(moved, grid) >= CHANGED
        return moving

    def _shifted(self, zone: Zone, apart: Mask) -> bool:
        """True when the whole board lies elsewhere than at rest."""
        if self._rest is None or share(apart) < MOVING:
            return False
        shift, peak = shift_cells(zone, self._rest)
        return shift >= SHIFTED_CELLS and peak >= SHIFT_PEAK

    def _reaching(self, zone: Zone, apart: Mask | None, valid: Mask, grid: tuple[int, int]) -> bool:
        """True when something reaches in from the edge over cells, and is no shadow.

        A new tile changes its cell too, but hangs together with nothing at the edge.
        """
        if apart is None or self._rest is None or share(apart) < MOVING:
            return False
        arms = cell_shares(reaching_in(apart, valid), grid) >= TOUCHED
        if not arms.any():
            return False
        return bool((arms & (likeness(zone, self._rest, grid) < LIKE)).any())

    def _hidden(self, frame: Frame, board: SeenTileBoard) -> bool:
        """True when a hand lies over cells that were open, though nothing was seen to reach in.

        A hand of the table's colour hangs together with nothing at the edge. What lies there for
        long and is no hand to the detector is a part of the table.
        """
        if len(self._covering - self._covered) < HIDDEN_CELLS:
            self._covered = self._covered & self._covering
            return False
        if frame.at_s - self._motion_s < RESTED_S or self._sees_hand(frame, board.quad_px):
            return True
        self._covered = self._covering
        return False

    def _is_hand(self, frame: Frame, quad_px: Quad) -> bool:
        """Ask the detector about what rests over the board; what is no hand lies there."""
        if self._sees_hand(frame, quad_px):
            return True
        self._rest = None
        self._touched[:] = True
        return False

    def _sees_hand(self, frame: Frame, quad_px: Quad) -> bool:
        """True where the detector sees a hand; it is asked again only after a while."""
        self._motion_s = frame.at_s
        return bool(self._hands(frame.image_bgr, quad_px))

    def _hands(self, image_bgr: Image, quad_px: Quad) -> list[Detection]:
        points = np.asarray(quad_px)
        (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
        height, width = image_bgr.shape[:2]
        side = 1.2 * float(max(x1 - x0, y1 - y0))
        crop = square_around(float(x0 + x1) / 2, float(y0 + y1) / 2, side, (width, height))
        found = detect_in(image_bgr, self._models.detector, crop, SURE_HAND)
        return [one for one in found if one.kind == "hand" and _overlaps(one, (x0, y0, x1, y1))]

    def _look_at_rest(self, frame: Frame, board: SeenTileBoard, zone: Zone, valid: Mask) -> None:
        """Read the cells that changed, and those seen too seldom, in the mean of the frames."""
        assert board.grid is not None
        if self._read_at is None:
            self._read_at = zone.copy()
        by_cell = changed_cells(zone, self._read_at, valid, board.grid)
        shares = cell_shares(changed(zone, self._read_at, valid), board.grid)
        by_cell |= self._filled(board, shares)
        if self._touched.any():  # a digit that was exchanged keeps much of the texture
            by_cell |= self._touched & (shares >= CHANGED)
            self._touched = np.zeros(len(self._touched), np.bool_)
        if by_cell.any():
            self._stack.restart()
            for index in self._indices(board, by_cell):
                look = self._looks[index]
                if look is not None and look.frames >= WANTED_LOOKS and not look.covered:
                    self._before[index] = look.believed
                self._looks[index] = None
        cell_px = side_px(board.cells[0].quad_px)
        self._stack.add(frame.image_bgr, board.quad_px, cell_px)
        wanted = self._wanted()
        if wanted:
            self._tell(frame.image_bgr, board, wanted)
            self._read_at = zone
        elif frame.at_s - self._verified_s >= VERIFY_S:
            self._verified_s = frame.at_s
            self._verify(frame.image_bgr, board)

    def _filled(self, board: SeenTileBoard, shares: Shares) -> Mask:
        """(rows * columns,) cells told as empty of which so much changed that a tile may lie there.

        Args:
            board: Where its cells lie.
            shares: (rows * columns,) of their px that differ.
        """
        assert board.grid is not None
        filled = shares >= FILLED
        for index in self._indices(board, filled) if filled.any() else ():
            cell, look = board.cells[index], self._looks[index]
            filled[cell.row * board.grid[1] + cell.col] = look is not None and look.empty
        return filled

    def _indices(self, board: SeenTileBoard, by_cell: Mask) -> list[int]:
        """Cells of the board, as they are listed, that a mask over its grid names."""
        assert board.grid is not None
        columns = board.grid[1]
        return [n for n, cell in enumerate(board.cells) if by_cell[cell.row * columns + cell.col]]

    def _wanted(self) -> list[int]:
        """Cells that more frames than before may tell better, of doubtful ones the worst."""
        frames = self._stack.frames
        known = {n: look for n, look in enumerate(self._looks) if look is not None}
        new = [n for n in range(len(self._looks)) if n not in known]
        few = [n for n, look in known.items() if look.frames < min(frames, WANTED_LOOKS)]
        doubts = {
            n: certainty(look.believed)
            for n, look in known.items()
            if WANTED_LOOKS <= look.frames < frames <= MOST_FRAMES
        }
        worst = sorted((n for n in doubts if doubts[n] < DOUBTFUL), key=lambda n: doubts[n])
        return sorted([*new, *few, *worst[:MOST_AGAIN]])

    def _tell(self, image_bgr: Image, board: SeenTileBoard, wanted: Sequence[int]) -> None:
        picture = self._stack.over(image_bgr)
        quads = [board.cells[n].quad_px for n in wanted]
        for n, scores in zip(
            wanted, tell_cells(picture, quads, self._models.classifier), strict=True
        ):
            self._looks[n] = CellLook(scores, self._stack.frames, self._before.get(n))
        self._covering = self._cells_covered()
        self._read(board)

    def _cells_covered(self) -> set[int]:
        return {n for n, look in enumerate(self._looks) if look is not None and look.covered}

    def _read(self, board: SeenTileBoard) -> None:
        """The reading of everything told so far; what the first look alone saw counts no more."""
        known = [look for look in self._looks if look is not None]
        if len(known) < len(self._looks):
            return
        cells = tuple(told(cell, look) for cell, look in zip(board.cells, known, strict=True))
        chances = turn_chances([cell.scores for cell in cells])
        seen = replace(board, cells=cells, turn_chances=chances)
        self._reading = read_tile_board(seen, self._models.thresholds, known=True)

    def _verify(self, image_bgr: Image, board: SeenTileBoard) -> None:
        """Look again at a few tiles; one that looks otherwise is read anew."""
        tiles = [n for n, look in enumerate(self._looks) if look and look.shows_tile]
        if not tiles:
            return
        start = self._turn_to_verify % len(tiles)
        chosen = (tiles + tiles)[start : start + min(VERIFY_TILES, len(tiles))]
        self._turn_to_verify = start + len(chosen)
        quads = [board.cells[n].quad_px for n in chosen]
        again = tell_cells(image_bgr, quads, self._models.classifier)
        for n, scores in zip(chosen, again, strict=True):
            look = self._looks[n]
            if look is not None and most_likely(scores) != most_likely(look.scores):
                self._looks[n] = replace(look, frames=0)

    def _keep_rest(self, at_s: float, zone: Zone, valid: Mask) -> None:
        """Remember how the board looks at rest, once it has looked so for a moment."""
        if self._calm is None or share(changed(zone, self._calm, valid)) >= MOVING:
            self._calm, self._calm_s = zone, at_s
        if self._reading is not None and at_s - self._calm_s >= CALM_S:
            self._rest = zone

    def _glance(
        self,
        frame: Frame,
        reading: Reading[TilesOnBoard] | None,
        *,
        moving: float = 0.0,
        whole: bool = False,
        hand: bool = False,
        board: Pose = "steady",
    ) -> Glance:
        refused = None if reading is None else reading.refused
        known = self._board
        frames = [0 if look is None else look.frames for look in self._looks]
        return Glance(
            frame.at_s,
            frame.number,
            None if refused is not None else reading,
            whole and reading is not None and refused is None,
            min(frames, default=0),
            moving,
            hand,
            "lost" if refused is not None else board,
            None if known is None else known.quad_px,
            None if known is None else self._quality(known),
            refused or (self._search.problem if board == "lost" else None),
        )

    def _quality(self, board: SeenTileBoard) -> Quality:
        return board.quality


def _overlaps(hand: Detection, box: tuple[float, float, float, float]) -> bool:
    x0, y0, x1, y1 = hand.box_px
    return x0 < box[2] and x1 > box[0] and y0 < box[3] and y1 > box[1]
