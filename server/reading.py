"""The border between server and eyes: a picture goes in, a reading comes out.

Commands and pages call a `Reader`; the real one holds the networks, loaded once. Tests of the
page may put another at this border (a recorded reading); nothing inside is ever patched.
"""

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from vision.homography import Quad
    from vision.observe import Models
    from vision.pictures import Picture
    from vision.read import PictureReading


@dataclass(frozen=True, slots=True)
class Request:
    """What to read in a picture.

    Attributes:
        game_id: the game, such as ``quixo``.
        part: what of it is in view, such as ``board``.
        corners_px: the board's corners given by hand, in pixels of the upright picture as
            stored, any order; None to find the board.
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
    """The real reader: loads the networks at the first picture, then reads one at a time.

    One at a time, since a reading uses all cores already and two at once would need twice the
    memory.
    """

    def __init__(self) -> None:
        """Load nothing yet: pages and errors must not wait for networks."""
        self._lock = threading.Lock()
        self._models: Models | None = None

    def adapt(self, start: "Picture") -> None:
        """Adapt to the user's own set, from a picture of its start position.

        Raises:
            vision.errors.VisionError: it is no start position, or weights are missing.
        """
        from vision.observe import adapt_to

        with self._lock:
            self._models = adapt_to(start, self._loaded())

    def __call__(self, picture: "Picture", request: Request) -> "PictureReading":
        """Read one picture.

        Raises:
            vision.errors.VisionError: weights are missing or altered.
            ValueError: corners by hand that are no convex quadrilateral.
        """
        from vision.read import read_picture

        with self._lock:
            return read_picture(
                picture,
                request.game_id,
                request.part,
                models=self._loaded(),
                corners_px=request.corners_px,
                gaps=request.gaps,
            )

    def _loaded(self) -> "Models":
        from vision.observe import load_models

        if self._models is None:
            self._models = load_models()
        return self._models
