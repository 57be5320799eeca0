"""Letterbox, decoding and suppression, without a network."""

import numpy as np
import pytest

from vision.detect import PADDING_GREY, Letterbox, decode, letterbox
from vision.labels import DETECTOR_CLASSES

CHANNELS = 4 + len(DETECTOR_CLASSES) + 12
PLAIN = Letterbox(1.0, 0, 0)


def output(*rows):
    """The network's output (1, CHANNELS, N) for (kind, score, x, y, w, h) rows."""
    table = np.zeros((CHANNELS, max(len(rows), 1)), dtype=np.float32)
    for column, (kind, score, x, y, w, h) in enumerate(rows):
        table[:4, column] = (x, y, w, h)
        table[4 + DETECTOR_CLASSES.index(kind), column] = score
        corners = [(x - w / 2, y - h / 2), (x + w / 2, y - h / 2), (x + w / 2, y + h / 2)]
        corners.append((x - w / 2, y + h / 2))
        table[4 + len(DETECTOR_CLASSES) :, column] = np.ravel([(*c, 0.9) for c in corners])
    return table[None]


@pytest.mark.parametrize(
    ("height", "width"), [(480, 640), (640, 480), (3000, 4000), (1, 1), (7, 900)]
)
def test_letterbox_keeps_the_shape(height, width):
    image = np.full((height, width, 3), 200, dtype=np.uint8)
    tensor, frame = letterbox(image)
    assert tensor.shape == (1, 3, 640, 640)
    assert tensor.dtype == np.float32
    filled = np.argwhere(np.abs(tensor[0, 0] - 200 / 255) < 1e-3)
    h, w = filled.max(axis=0) - filled.min(axis=0) + 1
    assert max(h, w) in (639, 640)  # whole factors may cost a column
    assert h == pytest.approx(max(1, height * frame.scale), abs=1)
    assert w == pytest.approx(max(1, width * frame.scale), abs=1)
    assert tuple(filled.min(axis=0)) == (frame.top, frame.left)
    if h < 640 or w < 640:
        assert tensor[0, :, -1, -1] == pytest.approx(PADDING_GREY / 255)


@pytest.mark.parametrize(
    ("height", "width", "sides"),
    [
        (720, 1280, (384, 640)),
        (1280, 720, (640, 384)),
        (640, 640, (640, 640)),
        (3000, 4000, (480, 640)),
        (3, 900, (32, 640)),
    ],
)
def test_letterbox_ends_with_the_picture_where_it_may(height, width, sides):
    image = np.full((height, width, 3), 200, dtype=np.uint8)
    square, in_square = letterbox(image)
    tensor, frame = letterbox(image, square=False)
    assert tensor.shape == (1, 3, *sides)
    assert frame.scale == in_square.scale
    up, left = in_square.top - frame.top, in_square.left - frame.left
    part = square[:, :, up : up + sides[0], left : left + sides[1]]
    assert np.array_equal(tensor, part)  # the same picture with less grey around it


def test_letterbox_is_rgb():
    image = np.zeros((64, 64, 3), dtype=np.uint8)
    image[:] = (10, 20, 30)  # BGR
    assert letterbox(image)[0][0, :, 320, 320] * 255 == pytest.approx([30, 20, 10])


def test_decode_undoes_the_letterbox():
    frame = Letterbox(0.25, 0, 80)
    (found,) = decode(output(("cube", 0.9, 100, 180, 40, 20)), frame, (2000, 2560), 0.5)
    assert found.kind == "cube"
    assert found.box_px == pytest.approx((320, 360, 480, 440))
    assert found.corners_px is not None
    assert found.corners_px[0] == pytest.approx((320, 360))
    assert found.corners_px[2] == pytest.approx((480, 440))
    assert found.confidence == pytest.approx(0.9)


def test_doubles_go_and_classes_do_not_compete():
    found = decode(
        output(
            ("cube", 0.6, 100, 100, 40, 40),
            ("cube", 0.8, 102, 101, 40, 40),
            ("die", 0.7, 101, 100, 40, 40),
            ("cube", 0.5, 130, 100, 40, 40),  # overlaps by a third or less: a neighbour
            ("cube", 0.1, 300, 300, 40, 40),
        ),
        PLAIN,
        (640, 640),
        0.25,
    )
    assert [(d.kind, round(d.confidence, 2)) for d in found] == [
        ("cube", 0.8),
        ("die", 0.7),
        ("cube", 0.5),
    ]


def test_boxes_end_at_the_edge_and_corners_may_lie_beyond():
    (found,) = decode(output(("cube", 0.9, 630, 5, 40, 40)), PLAIN, (640, 640), 0.5)
    assert found.box_px == pytest.approx((610, 0, 640, 25))
    assert found.corners_px is not None
    assert found.corners_px[1] == pytest.approx((650, -15))


def test_hands_have_no_corners():
    (found,) = decode(output(("hand", 0.9, 100, 100, 40, 40)), PLAIN, (640, 640), 0.5)
    assert found.corners_px is None


def test_nothing_found():
    assert decode(output(), PLAIN, (640, 640), 0.25) == ()


def test_weights_of_other_classes_are_refused():
    with pytest.raises(ValueError, match="expected"):
        decode(np.zeros((1, 84, 10), dtype=np.float32), PLAIN, (640, 640), 0.25)
