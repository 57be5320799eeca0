"""Further looks: what a mirrored look finds lies where it lies, and faint boards need a second."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from tests.vision.scenes import FarSighted, Scene, camera, coordinates, full_board
from vision.cubes.agreement import MAX_APART_CELLS, SURE_EVIDENCE, is_confirmed
from vision.cubes.chances import Mirrored, Softened
from vision.cubes.find import find_boards
from vision.detect import Detection
from vision.homography import as_quad

HINTS = 5  # cubes: enough to look again, too few for a board


@dataclass
class OneEyed:
    """Sees the scene only in the mirror, as far as its far-sighted eye does, and else a few cubes.

    A part of `coordinates` is mirrored when its columns run down; mirrored back, the eye sees it.
    """

    eye: FarSighted
    shift_px: float = 0.0
    both: bool = False

    def detect(self, image_bgr, min_confidence):
        x = image_bgr[0, :, 0].astype(int) + 256 * (image_bgr[0, :, 1].astype(int) % 16)
        if x[-1] > x[0]:
            seen = self.eye.detect(image_bgr, min_confidence)
            return seen if self.both else tuple(d for d in seen if d.kind == "cube")[:HINTS]
        seen = self.eye.detect(image_bgr[:, ::-1], min_confidence)
        return tuple(self._mirrored(thing, image_bgr.shape[1]) for thing in seen)

    def _mirrored(self, thing: Detection, width: int) -> Detection:
        x0, y0, x1, y1 = thing.box_px
        quad = None
        if thing.corners_px is not None:
            moved = [(width - x + self.shift_px, y) for x, y in thing.corners_px]
            quad = as_quad(moved[::-1])  # clockwise again
        return replace(thing, box_px=(width - x1, y0, width - x0, y1), corners_px=quad)


HOMOGRAPHY = camera(30, 20, 15, cell_px=40, at=(620, 480))
TRUTH = Scene([(HOMOGRAPHY, full_board(3))], width=1280, height=960, outlined=True)


def known(confidence=None):
    things = TRUTH.detections(np.random.default_rng(1), 0.2)
    return [t if confidence is None else replace(t, confidence=confidence) for t in things]


def test_a_mirrored_look_gives_the_places_and_turns_of_the_picture_itself():
    picture = coordinates(1280, 960)
    straight = FarSighted(known()).detect(picture, 0.2)
    mirrored = Mirrored(OneEyed(FarSighted(known()))).detect(picture, 0.2)

    assert len(straight) == len(mirrored) > 20
    for one, other in zip(straight, mirrored, strict=True):
        assert other.box_px == pytest.approx(one.box_px)
        if one.corners_px is None or other.corners_px is None:
            continue
        ways = [np.roll(np.asarray(other.corners_px), k, axis=0) for k in range(4)]
        assert min(np.abs(way - one.corners_px).max() for way in ways) < 1e-6


def test_a_board_that_only_its_mirror_image_shows_is_found_the_right_way_round():
    found = find_boards(coordinates(1280, 960), OneEyed(FarSighted(known())))
    straight = find_boards(coordinates(1280, 960), FarSighted(known()))

    assert len(found.views) == len(straight.views) == 1
    assert np.allclose(found.views[0].quad_px, straight.views[0].quad_px, atol=1.0)


def test_a_softened_look_keeps_places_and_takes_the_grain_away():
    seen = []

    class Looker:
        def detect(self, image_bgr, min_confidence):
            seen.append(image_bgr)
            return (Detection("cube", (1.0, 2.0, 3.0, 4.0), None, 0.9),)

    noise = np.random.default_rng(0).integers(0, 255, (40, 60, 3)).astype(np.uint8)
    (found,) = Softened(Looker()).detect(noise, 0.2)

    assert found.box_px == (1.0, 2.0, 3.0, 4.0)
    assert seen[0].std() < 0.5 * noise.std()


@pytest.mark.parametrize(
    ("confidence", "shift_cells", "confirmed"),
    [
        (0.6, 0.0, True),
        (0.6, MAX_APART_CELLS / 2, True),
        (0.6, MAX_APART_CELLS * 1.6, False),  # faint, and elsewhere in the mirror
        (SURE_EVIDENCE + 0.1, MAX_APART_CELLS * 1.6, True),  # sure: not looked at again
    ],
)
def test_a_faint_board_must_lie_where_the_mirrored_look_finds_it(
    confidence, shift_cells, confirmed
):
    (view,) = find_boards(coordinates(1280, 960), FarSighted(known(confidence))).views
    shift_px = shift_cells * view.px_per_cell
    detector = OneEyed(FarSighted(known(confidence)), shift_px, both=True)

    assert is_confirmed(coordinates(1280, 960), view, detector) == confirmed
