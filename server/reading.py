"""The border between server and eyes: a picture goes in, a reading comes out.

Commands and pages call a `Reader`; the real one holds the networks, loaded once. Tests of the
page may put another at this border (a recorded reading); nothing inside is ever patched.
"""

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from vision.catalogue import Entry
    from vision.homography import Quad
    from vision.pictures import Picture
    from vision.read import PictureReading


@dataclass(frozen=True, slots=True)
class Request:
    """What to read in a picture.

    Attributes:
        game_id: the game, such as ``quixo``.
        part: what of it is in view, such as ``board``.
        corners_px: corners given by hand, of the board or of the tray of dice, in pixels of the
            upright picture as stored, any order; None to find the board, or dice anywhere.
        gaps: the picture shows a move under way: a cube may be lifted out, hands may cover cells.
    """

    game_id: str
    part: str
    corners_px: "Quad | None" = None
    gaps: bool = False


class Reader(Protocol):
    """Anything that can tell what lies on the table in a picture."""

    def __call__(self, picture: "Picture", request: Request) -> "PictureReading":
        """Read one picture."""
        ...


class NetworkReader:
    """The real reader: loads the networks at the first picture that needs them.

    It reads one picture at a time, since a reading uses all cores already and two at once would
    need twice the memory.
    """

    def __init__(self, folder: "Path | None" = None) -> None:
        """Load nothing yet: pages and errors must not wait for networks.

        Args:
            folder: where the manifest of the networks lies; None for the shipped one.
        """
        self._lock = threading.Lock()
        self._folder = folder
        self._models: dict[object, Any] = {}

    def adapt(self, start: "Picture", request: Request) -> None:
        """Adapt to the user's own set, from a picture of its start position.

        Raises:
            vision.errors.VisionError: it is no start position, or weights are missing.
            ValueError: this part is not adapted.
        """
        from vision.catalogue import find

        entry = find(request.game_id, request.part)
        if entry.adapt is None:
            raise ValueError(f"{request.part} of {request.game_id} have no start position")
        with self._lock:
            self._models[entry.load] = entry.adapt(start, self._loaded(entry))

    def __call__(self, picture: "Picture", request: Request) -> "PictureReading":
        """Read one picture.

        Raises:
            vision.errors.VisionError: weights are missing or altered.
            ValueError: corners by hand that are no convex quadrilateral.
        """
        from vision.catalogue import find
        from vision.read import read_picture

        with self._lock:
            return read_picture(
                picture,
                request.game_id,
                request.part,
                models=self._loaded(find(request.game_id, request.part)),
                corners_px=request.corners_px,
                gaps=request.gaps,
            )

    def _loaded(self, entry: "Entry[Any, Any]") -> Any:
        """The networks of a part; parts that share them share what is loaded."""
        from vision.weights import MODELS

        if entry.load not in self._models:
            self._models[entry.load] = entry.load(self._folder or MODELS)
        return self._models[entry.load]
