"""A search in a live picture: bounded in each frame and in the long run, and found all the same."""

import numpy as np
import pytest

from tests.vision.scenes import FarSighted, Scene, camera, coordinates, full_board
from vision.cubes.searching import FREE_LOOKS, LOOK_S, Search
from vision.detect import Detection
from vision.frames import Frame

FPS = 8
MOST_A_FRAME = 7
"""Four tiles and three closer looks, or one look and three closer ones."""


def board(shift_px=0.0):
    homography = camera(20, 30, 0, cell_px=60, at=(640 + shift_px, 360))
    return Scene([(homography, full_board())], width=1280, height=720)


def frames(image, count, first=0):
    return [Frame(image, (first + n) / FPS, first + n, "film") for n in range(count)]


class Faint:
    """A detector that sees cubes, none of which lie in rows; it counts its looks."""

    def __init__(self):
        self.looks = 0

    def detect(self, image_bgr, min_confidence):
        self.looks += 1
        height, width = image_bgr.shape[:2]
        rng = np.random.default_rng(3)
        found = []
        for x, y in rng.uniform(0.4, 0.6, (6, 2)) * (width, height):
            corners = ((x, y), (x + 30, y), (x + 30, y + 30), (x, y + 30))
            found.append(Detection("cube", (x, y, x + 30, y + 30), corners, 0.5))
        return tuple(found)


def looks_of(search, detector, film):
    """Looks of the detector in each frame."""
    counts = []
    for frame in film:
        before = detector.looks
        assert search.look(frame) is None
        counts.append(detector.looks - before)
    return counts


def test_a_board_is_found_in_the_first_frame():
    scene = board()
    detector = FarSighted(scene.detections(np.random.default_rng(0), 0.3), 9.0)
    search = Search(detector, 5)
    view = search.look(frames(coordinates(1280, 720), 1)[0])
    assert view is not None
    assert search.problem is None


class Noting:
    """A detector that sees nothing, and notes how noisy what it was shown is."""

    def __init__(self):
        self.noise = []

    def detect(self, image_bgr, min_confidence):
        self.noise.append(float(image_bgr.std()))
        return ()


def test_the_mean_of_frames_that_show_the_same_is_searched():
    rng = np.random.default_rng(0)

    def noise_of(levels):
        """Of what each look was shown, where frames are as bright as this."""
        detector = Noting()
        search = Search(detector, 5)
        for n, level in enumerate(levels):
            image = rng.normal(level, 20, (720, 1280, 3)).clip(0, 255).astype(np.uint8)
            search.look(Frame(image, n / FPS, n, "film"))
        return detector.noise

    dark, lit = 90, 160
    still = noise_of([dark] * 8)
    assert still[0] == pytest.approx(20, abs=1)
    assert still[-1] < 14
    assert min(noise_of([dark, lit] * 4)) == pytest.approx(20, abs=1)


def test_where_cubes_are_seen_but_no_board_a_frame_has_a_part_of_the_search_only():
    detector = Faint()
    counts = looks_of(Search(detector, 5), detector, frames(coordinates(1280, 720), 60 * FPS))
    assert 1 <= max(counts) <= MOST_A_FRAME
    assert sum(counts) <= FREE_LOOKS + MOST_A_FRAME + 60 / LOOK_S
    assert sum(counts[-20 * FPS :]) > 0  # it goes on looking


def test_a_picture_that_goes_on_changing_costs_no_more():
    detector = Faint()
    rng = np.random.default_rng(0)
    film = []
    for n in range(30 * FPS):
        image = coordinates(1280, 720).copy()
        x, y = rng.integers(0, 700), rng.integers(0, 400)
        image[y : y + 300, x : x + 500] = 255
        film.append(Frame(image, n / FPS, n, "film"))
    counts = looks_of(Search(detector, 5), detector, film)
    assert max(counts) <= MOST_A_FRAME
    assert sum(counts) <= FREE_LOOKS + MOST_A_FRAME + 30 / LOOK_S


def test_an_empty_table_is_looked_at_seldom():
    class Blind(Faint):
        def detect(self, image_bgr, min_confidence):
            super().detect(image_bgr, min_confidence)
            return ()

    detector = Blind()
    search = Search(detector, 5)
    counts = looks_of(search, detector, frames(np.full((720, 1280, 3), 90, np.uint8), 60 * FPS))
    assert 0 < sum(counts) < 60 * 2
    assert search.problem is not None
    assert search.problem.reason in ("board-not-seen", "blurred")


@pytest.mark.parametrize("after_s", [0.5, 20.0])
def test_a_board_laid_down_later_is_found_soon(after_s):
    image = coordinates(1280, 720)
    empty = np.full((720, 1280, 3), 200, np.uint8)

    class Laid:
        def __init__(self):
            self.there = FarSighted(board().detections(np.random.default_rng(0), 0.3), 9.0)

        def detect(self, image_bgr, min_confidence):
            if (image_bgr == 200).all():
                return ()
            return self.there.detect(image_bgr, min_confidence)

    search = Search(Laid(), 5)
    count = int(after_s * FPS)
    assert all(search.look(frame) is None for frame in frames(empty, count))
    found = [search.look(frame) for frame in frames(image, 3 * FPS, first=count)]
    assert any(found)


def test_the_same_frames_are_searched_alike():
    film = frames(coordinates(1280, 720), 10 * FPS)
    first, second = Faint(), Faint()
    assert looks_of(Search(first, 5), first, film) == looks_of(Search(second, 5), second, film)


def test_it_says_what_to_do_about_cubes_that_are_seen_but_no_board():
    detector = Faint()
    search = Search(detector, 5)
    sharp = np.random.default_rng(0).integers(60, 200, (720, 1280, 3)).astype(np.uint8)
    looks_of(search, detector, frames(sharp, 3 * FPS))
    assert search.problem is not None
    assert search.problem.reason == "faint-board"
    assert "nearer" in search.problem.advice_en
    assert "tilt" in search.problem.advice_en
