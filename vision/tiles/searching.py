"""Looks for a board of tiles in a live picture, now and then, until one is found."""

from collections.abc import Callable
from typing import Final, TypeAlias

from vision.frames import Frame
from vision.homography import side_px
from vision.looks import Image
from vision.observation import Refusal
from vision.refusals import refuse
from vision.still import StillMean
from vision.tiles.find import see_tile_boards
from vision.tiles.models import TileModels
from vision.tiles.sights import SeenTileBoard

SEARCH_S: Final = 0.5
"""Between looks for a board in the whole picture; such a look takes half a second."""

Size: TypeAlias = tuple[int, int]
Find: TypeAlias = Callable[
    [Image, TileModels, Size | None], tuple[SeenTileBoard | None, str | None]
]
"""Finds a board in a whole picture, or says why there is none."""


def find_board(
    image_bgr: Image, models: TileModels, size: Size | None = None
) -> tuple[SeenTileBoard | None, str | None]:
    """The largest board whose edge is seen, or the id of the reason why there is none.

    Args:
        image_bgr: (H, W, 3).
        models: The networks.
        size: Rows and columns that it has, either way round; None where nobody knows.
    """
    search = see_tile_boards(image_bgr, models, None if size is None else (size,))
    whole = [board for board in search.boards if board.grid is not None]
    if whole:
        return max(whole, key=lambda board: side_px(board.quad_px)), None
    return None, "no-edge" if search.boards else search.reason


class BoardSearch:
    """Looks for one board, frame after frame, in the mean of those that do not differ.

    Every other look takes it for granted that the board has the size of the match's: thin lines
    seen aslant tell where they lie sooner than how many there are. The first look does not, so that
    another board is seen to be another one.

    Args:
        models: The networks.
        find: How a board is found in a whole picture.

    Attributes:
        size: Rows and columns of the match's board, either way round; None where nobody knows.
        problem: Why nothing was found so far, with advice; None before the first look.
    """

    def __init__(self, models: TileModels, find: Find = find_board) -> None:
        self._models = models
        self._find = find
        self.size: Size | None = None
        self.begin()

    def begin(self) -> None:
        """Begin anew with the next frame, at once: a board was lost, or the picture is another."""
        self.problem: Refusal | None = None
        self._still = StillMean()
        self._looked_s = float("-inf")
        self._looks = 0

    def look(self, frame: Frame) -> SeenTileBoard | None:
        """Take in a frame, and look if a look is due; the board, once there is one."""
        self._still.add(frame.image_bgr)
        if frame.at_s - self._looked_s < SEARCH_S:
            return None
        self._looked_s = frame.at_s
        size = self.size if self._looks % 2 else None
        self._looks += 1
        board, reason = self._find(self._still.image_bgr, self._models, size)
        found = board is not None and board.grid is not None
        self.problem = None if found else refuse(reason or "no-tiles")
        return board if found else None
