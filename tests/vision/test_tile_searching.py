"""Looking for a board of tiles in a live picture: when, in which picture, of which size."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.filmed_tiles import TileFilm
from vision.cubes.stacking import MOST_FRAMES
from vision.frames import Frame
from vision.still import StillMean
from vision.tiles.models import TileModels
from vision.tiles.searching import SEARCH_S, BoardSearch, find_board
from vision.tiles.sights import SeenTileBoard

Image = NDArray[np.uint8]


def shown(number: int, level: int = 90) -> Frame:
    """A noisy picture of one level, ten a second."""
    rng = np.random.default_rng(number)
    noisy = np.clip(rng.normal(level, 12, (90, 160, 3)), 0, 255).astype(np.uint8)
    return Frame(noisy, number / 10, number, "test")


class Finder:
    """Finds nothing and notes what it was shown."""

    def __init__(self) -> None:
        self.noise: list[float] = []
        self.sizes: list[tuple[int, int] | None] = []

    def __call__(
        self, image_bgr: Image, models: TileModels, size: tuple[int, int] | None
    ) -> tuple[SeenTileBoard | None, str | None]:
        self.noise.append(float(image_bgr.std()))
        self.sizes.append(size)
        return None, "no-edge"


@pytest.fixture
def finder() -> Finder:
    return Finder()


def test_looks_are_half_a_second_apart_in_the_mean_of_frames_that_do_not_differ(
    finder: Finder,
) -> None:
    search = BoardSearch(TileFilm().models(), finder)
    assert search.problem is None
    for number in range(21):
        assert search.look(shown(number)) is None
    assert len(finder.noise) == 1 + 2.0 // SEARCH_S
    assert finder.noise[0] > 11
    assert finder.noise[-1] < 12 / np.sqrt(MOST_FRAMES) + 1
    assert search.problem is not None
    assert search.problem.reason == "no-edge"
    search.look(shown(26, level=160))  # another picture: nothing of the mean is left
    assert finder.noise[-1] > 11


def test_every_other_look_takes_the_size_of_the_match_for_granted(finder: Finder) -> None:
    search = BoardSearch(TileFilm().models(), finder)
    search.size = (13, 18)
    for number in range(0, 20, 5):
        search.look(shown(number))
    assert finder.sizes == [None, (13, 18), None, (13, 18)]
    search.begin()
    search.look(shown(20))
    assert finder.sizes[-1] is None


def test_a_board_is_found_whether_its_size_is_known_or_not() -> None:
    film = TileFilm([(6, 8, 5), (6, 9, 5)]).shoot(1)
    image = film.shown(film.frames[0]).image_bgr
    for size in (None, (13, 17), (17, 13)):
        board, reason = find_board(image, film.models(), size)
        assert reason is None
        assert board is not None
        assert board.grid == (13, 17)


def test_a_mean_begins_anew_with_pictures_of_another_size() -> None:
    mean = StillMean()
    assert mean.add(np.full((90, 160, 3), 80, np.uint8))
    assert not mean.add(np.full((90, 160, 3), 84, np.uint8))
    assert mean.frames == 2
    assert mean.image_bgr[0, 0, 0] == 82
    assert mean.add(np.full((45, 80, 3), 84, np.uint8))
    assert mean.frames == 1
