"""The watcher with the shipped networks over small films made of the two shipped photos."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.cubes.find import find_boards
from vision.cubes.watching import Watcher
from vision.frames import Frame
from vision.observe import load_models
from vision.settle import (
    Bumped,
    Glimpsed,
    HandIn,
    HandOut,
    Lost,
    Regained,
    Settled,
    Settling,
    settle,
)

pytestmark = pytest.mark.weights

DEMO = Path(__file__).resolve().parents[2] / "server" / "demo"
FPS = 8
START = ".XXXX/..O../...O./....O/.O..."
END = "XXXXX/..O../...O./....O/.O..."


@pytest.fixture(scope="module")
def models():
    return load_models()


@pytest.fixture(scope="module")
def photos():
    return [cv2.imread(str(DEMO / f"{name}.jpg")) for name in ("before", "after")]


def film(*shots, seed=0, sigma=5):
    """Frames with the noise of a sensor, in grey levels, at 8 a second."""
    rng = np.random.default_rng(seed)
    frames = []
    for number, image in enumerate(shots):
        noisy = (image + rng.normal(0, sigma, image.shape)).clip(0, 255).astype(np.uint8)
        noisy.flags.writeable = False
        frames.append(Frame(noisy, number / FPS, number, "film"))
    return frames


def watch(models, frames):
    watcher, state = Watcher(models, "quixo"), Settling()
    glances: list[Any] = []
    told: list[Any] = []
    for frame in frames:
        glance = watcher(frame)
        state, notices = settle(state, glance)
        glances.append(glance)
        told += notices
    return glances, told


def kinds(notices):
    return [type(n) for n in notices]


def of_the_board(notices):
    """Without the hands: what moves the board may pass for one at first."""
    return [kind for kind in kinds(notices) if kind not in (HandIn, HandOut)]


def marks(notice):
    return notice.reading.layout.write().split()[0]


def arm(image, tip):
    """An arm in a dark sleeve from the right edge, its tip at a point."""
    return cv2.line(image.copy(), (image.shape[1], tip[1] + 120), tip, (70, 40, 30), 90)


def test_a_still_table_is_read_once_and_then_costs_no_network(models, photos):
    class Counting:
        def __init__(self, inner):
            self.inner, self.calls = inner, 0

        def classify(self, crops):
            self.calls += 1
            return self.inner.classify(crops)

    counted = Counting(models.classifier)
    frames = film(*[photos[0]] * 24)
    parts = type(models)(models.detector, counted, models.thresholds)
    glances, told = watch(parts, frames)
    assert kinds(told) == [Settled]
    assert marks(told[0]) == START
    assert not told[0].reading.doubts
    assert glances[-1].looks >= 3
    assert glances[-1].moving < 0.004
    first_calls = counted.calls
    assert first_calls <= 6
    assert all(g.reading is glances[-1].reading for g in glances[8:])


def test_the_same_frames_give_the_same_glances(models, photos):
    frames = film(*[photos[0]] * 5, *[arm(photos[0], (420, 500))] * 3, *[photos[1]] * 6)
    assert watch(models, frames) == watch(models, frames)


def test_an_arm_comes_and_goes_and_the_board_behind_it_has_changed(models, photos):
    before, after = photos
    coming = [arm(before, (700 - 60 * k, 480)) for k in range(6)]
    going = [arm(after, (400 + 60 * k, 480)) for k in range(6)]
    glances, told = watch(models, film(*[before] * 8, *coming, *going, *[after] * 8))
    assert kinds(told)[0] is Settled
    assert kinds(told)[-1] is Settled
    assert HandIn in kinds(told)
    assert HandOut in kinds(told)
    settled = [n for n in told if isinstance(n, Settled)]
    assert [marks(n) for n in settled] == [START, END]
    assert settled[1].touched
    assert all(not g.whole for g in glances[11:17])


class Jittery:
    """A detector whose corners lie off a little, each look another way."""

    def __init__(self, detector, by_px):
        self.detector, self.by_px, self.looks = detector, by_px, 0

    def detect(self, image_bgr, min_confidence):
        self.looks += 1
        dx, dy = [(1, 0), (-1, 0), (0, 1), (0, -1)][self.looks % 4]
        dx, dy = dx * self.by_px, dy * self.by_px
        return tuple(
            replace(
                one,
                box_px=tuple(np.add(one.box_px, (dx, dy, dx, dy)).tolist()),
                corners_px=one.corners_px and tuple((x + dx, y + dy) for x, y in one.corners_px),
            )
            for one in self.detector.detect(image_bgr, min_confidence)
        )


def test_fits_that_differ_from_look_to_look_do_not_move_the_board(models, photos):
    before, after = photos
    (view,) = find_boards(before, models.detector).views
    jittery = replace(models, detector=Jittery(models.detector, 0.05 * view.px_per_cell))
    coming = [arm(before, (700 - 60 * k, 480)) for k in range(6)]
    going = [arm(after, (400 + 60 * k, 480)) for k in range(6)]
    glances, told = watch(jittery, film(*[before] * 8, *coming, *going, *[after] * 8))
    quads = [glance.quad_px for glance in glances]
    assert len(set(quads[8:19])) == 1  # though two looks, with an arm in, found it a tenth off
    assert [marks(n) for n in told if isinstance(n, Settled)] == [START, END]


def test_another_fit_of_a_still_board_is_no_motion(models, photos):
    before, _ = photos
    (view,) = find_boards(before, models.detector).views
    jittery = replace(models, detector=Jittery(models.detector, 0.11 * view.px_per_cell))
    glances, told = watch(jittery, film(*[before] * 8))
    assert [marks(n) for n in told if isinstance(n, Settled)] == [START]
    assert [glance.looks for glance in glances[-3:]] == [3, 3, 3]


def test_noise_alone_does_not_make_a_small_board_be_read_anew(models, photos):
    small = cv2.resize(photos[0], None, fx=0.3, fy=0.3, interpolation=cv2.INTER_AREA)
    ground = np.full((*photos[0].shape[:2], 3), 90, np.uint8)
    ground[100 : 100 + small.shape[0], 100 : 100 + small.shape[1]] = small
    glances, told = watch(models, film(*[ground] * 16, sigma=24))
    assert [marks(n) for n in told if isinstance(n, Settled)] == [START]
    looks = [glance.looks for glance in glances]
    assert set(looks[looks.index(3) :]) == {3}


def test_what_the_detector_misses_is_open_where_its_face_is_beyond_doubt(models, photos):
    before, after = photos
    watcher = Watcher(models, "quixo")
    for frame in film(*[before] * 8):
        watcher(frame)
    view, rest = watcher._view, watcher._rest
    assert view is not None
    missed = replace(view, cells=(replace(view.cells[0], seen=0.0), *view.cells[1:]))
    covered = cv2.fillConvexPoly(
        after.copy(), np.rint(view.cells[0].quad_px).astype(int), (70, 40, 30)
    )
    for image, open_ in ((after, True), (covered, False)):  # a cross where a blank face lay
        (frame,) = film(image, seed=1)
        now = watcher._compare(frame, view)
        assert rest.is_open(frame.image_bgr, now, missed) == open_
        assert not rest.is_open(frame.image_bgr, now, None)


def test_an_arm_that_stays_is_never_settled_over(models, photos):
    before, _ = photos
    glances, told = watch(models, film(*[before] * 8, *[arm(before, (380, 480))] * 30))
    assert len([n for n in told if isinstance(n, Settled)]) == 1
    assert all(not g.whole for g in glances[9:])


def finger(image, corners, reach):
    """A dark finger from the left, its tip so many cells inside the first row."""
    top_left, top_right, _, bottom_left = (np.asarray(corner) for corner in corners)
    right, down = (top_right - top_left) / 5, (bottom_left - top_left) / 5
    ends = [top_left + down / 2 + right * cells for cells in (-8.0, reach)]
    start, tip = (tuple(end.astype(int).tolist()) for end in ends)
    return cv2.line(image.copy(), start, tip, (70, 40, 30), 40)


def test_a_finger_that_creeps_in_is_seen_and_its_board_settles_when_it_is_gone(models, photos):
    before, after = photos
    (first,), _ = watch(models, film(before))
    creeping = [finger(before, first.quad_px, -0.45 + 0.02 * k) for k in range(12)]
    coming = [finger(before, first.quad_px, 0.1 + 0.5 * k) for k in range(4)]
    going = [finger(after, first.quad_px, 1.6 - 0.5 * k) for k in range(6)]
    frames = film(*[before] * 8, *creeping, *coming, *going, *[after] * 6)
    glances, told = watch(models, frames)
    settled = [n for n in told if isinstance(n, Settled)]
    assert [marks(n) for n in settled] == [START, END]
    assert not [n for n in told if isinstance(n, Glimpsed)]  # a finger over a cell is no gap
    assert any(g.hand for g in glances)


def shadowed(image, edge_px):
    """The picture with a soft broad shadow that ends at a column."""
    soft = np.ones(image.shape[:2], np.float32)
    soft[:, max(0, edge_px - 300) : edge_px] = 0.55
    return image * cv2.blur(soft, (61, 61))[..., None]


def test_a_board_settles_while_a_shadow_passes(models, photos):
    before, after = photos
    coming = [arm(before, (700 - 60 * k, 480)) for k in range(6)]
    going = [arm(after, (400 + 60 * k, 480)) for k in range(6)]
    passing = [shadowed(after, 80 + 40 * k) for k in range(8)]
    _, told = watch(models, film(*[before] * 8, *coming, *going, *passing))
    assert [marks(n) for n in told if isinstance(n, Settled)] == [START, END]


def test_light_shadow_and_focus_are_no_moves(models, photos):
    before, _ = photos
    height, width = before.shape[:2]
    shadows = []
    for k in range(10):
        soft = np.ones((height, width), np.float32)
        soft[:, max(0, 90 * k - 200) : 90 * k] = 0.6
        shadows.append(before * cv2.blur(soft, (61, 61))[..., None])
    blurred = [cv2.GaussianBlur(before, (0, 0), sigma) for sigma in (1, 2, 3, 2, 1)]
    lights = [before * 0.7] * 6 + [before * 1.2] * 6
    _, told = watch(models, film(*[before] * 8, *lights, *[before] * 6, *shadows, *blurred,
                                 *[before] * 8))  # fmt: skip
    assert [marks(n) for n in told if isinstance(n, Settled)] == [START]
    assert not [n for n in told if isinstance(n, Glimpsed | Bumped | Lost)]


def test_a_face_that_looks_otherwise_speaks_against_what_was_read(models, photos):
    before, after = photos
    watcher = Watcher(models, "quixo")
    for frame in film(*[before] * 8):
        watcher(frame)
    for image, otherwise in ((before, []), (after, [0])):  # however little the zone changed
        (frame,) = film(image, seed=1)
        view = watcher._view
        assert view is not None
        rest = watcher._rest
        rest.stack.restart()
        rest.stack.add(frame.image_bgr, view.quad_px, view.px_per_cell)
        now = watcher._compare(frame, view)
        assert rest.contradicted(frame, now, rest.evidence) == otherwise


def test_a_cell_under_glare_is_not_vouched_for_as_blank(models, photos):
    before, _ = photos
    (view,) = find_boards(before, models.detector).views
    middle = np.asarray(view.cells[6].quad_px)
    spot = cv2.fillConvexPoly(
        before.copy(),
        np.rint(middle.mean(0) + 0.85 * (middle - middle.mean(0))).astype(int),
        (255,) * 3,
    )
    _, told = watch(models, film(*[spot] * 8))
    (settled,) = [n for n in told if isinstance(n, Settled)]
    asked = [f.where for f in settled.reading.fields if f.asked and f.where.startswith("rows")]
    assert asked == ["rows[1][1]"]


def test_in_the_dark_a_board_is_found_and_read_in_the_mean_of_frames(models, photos):
    dark = (0.12 * photos[0].astype(float)).astype(np.uint8)
    frames = film(*[dark] * 14, sigma=18)
    assert not find_boards(frames[0].image_bgr, models.detector).views
    _, told = watch(models, frames)
    assert [marks(n) for n in told if isinstance(n, Settled)] == [START]


@pytest.mark.parametrize(("shift", "angle"), [((50, 20), 0), ((0, 0), 5), ((-40, 30), -6)])
def test_a_bump_is_found_again_and_no_move(models, photos, shift, angle):
    before, after = photos
    turn = cv2.getRotationMatrix2D((360, 480), angle, 1)
    turn[:, 2] += shift
    bumped = [
        cv2.warpAffine(image, turn, (720, 960), borderMode=cv2.BORDER_REFLECT)
        for image in (before, after)
    ]
    glances, told = watch(models, film(*[before] * 8, *[bumped[0]] * 10, *[bumped[1]] * 8))
    assert of_the_board(told) == [Settled, Bumped, Regained, Settled]
    assert [marks(n) for n in told if isinstance(n, Settled)] == [START, END]
    assert all(g.reading is None for g in glances if g.board != "steady")


def test_a_board_that_is_taken_away_is_lost_and_regained(models, photos):
    before, _ = photos
    empty = np.full_like(before, before[:40].mean(axis=(0, 1)).astype(np.uint8))
    glances, told = watch(models, film(*[before] * 8, *[empty] * 12, *[before] * 14))
    assert of_the_board(told) == [Settled, Lost, Regained]
    problems = [n.problem for n in told if isinstance(n, Lost)]
    assert [problem.reason for problem in problems if problem] == ["board-not-seen"]
    assert glances[-1].reading.layout.write().split()[0] == START


def test_a_picture_of_another_size_is_searched_anew(models, photos):
    before, _ = photos
    small = cv2.resize(before, (540, 720), interpolation=cv2.INTER_AREA)
    _, told = watch(models, film(*[before] * 8, *[small] * 8))
    assert [marks(n) for n in told if isinstance(n, Settled)] == [START]
    assert not [n for n in told if isinstance(n, Bumped)]


def test_where_there_is_no_board_it_says_so_and_looks_now_and_then(models):
    blank = np.full((720, 1280, 3), 90, np.uint8)
    glances, told = watch(models, film(*[blank] * 8))
    assert kinds(told) == [Lost]
    assert told[0].problem.advice_fr
    assert {g.board for g in glances} == {"lost"}


def test_a_game_that_cannot_be_watched_is_refused(models):
    with pytest.raises(ValueError, match="cannot read"):
        Watcher(models, "chess")
