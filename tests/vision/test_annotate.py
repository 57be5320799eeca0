"""The overlay: doubts stand out, gaps and unseen cells have their signs, small pictures grow."""

import numpy as np
import pytest

from tests.vision.test_quixo_reader import board, face
from vision.cubes.annotate import DOUBT_BGR, SURE_BGR, draw
from vision.observation import Reading, Thresholds
from vision.readers.quixo import read_quixo

LIMITS = Thresholds(mark=0.9, dot=0.8)
TABLE = np.full((1200, 1600, 3), 120, dtype=np.uint8)


def reading(faces, *, gaps=False, hands=()):
    return read_quixo(board(faces, hands), LIMITS, gaps)


def drawn_around(image, quad_px, colour):
    """Pixels of a colour in the box around a cell."""
    quad = np.array(quad_px) * image.shape[1] / TABLE.shape[1]  # small cells come enlarged
    (x0, y0), (x1, y1) = quad.min(axis=0), quad.max(axis=0)
    part = image[int(y0) : int(y1), int(x0) : int(x1)].astype(int)
    return int((np.abs(part - colour).sum(axis=2) < 30).sum())


def field_at(seen: Reading, where: str):
    return next(field for field in seen.fields if field.where == where)


def test_doubts_stand_out():
    seen = reading({12: face("cross", 0.6, dot="N")})
    image = draw(TABLE, seen)
    doubtful, sure = field_at(seen, "rows[2][2]").quad_px, field_at(seen, "rows[0][0]").quad_px
    assert drawn_around(image, doubtful, DOUBT_BGR) > 150
    assert drawn_around(image, sure, DOUBT_BGR) == 0
    assert drawn_around(image, sure, SURE_BGR) > 40


def test_a_doubtful_dot_is_marked():
    sure = draw(TABLE, reading({12: face("circle", dot="E")}))
    seen = reading({12: face("circle", dot="E", dot_share=0.5)})
    doubtful = draw(TABLE, seen)
    quad = field_at(seen, "rows[2][2]").quad_px
    assert drawn_around(doubtful, quad, DOUBT_BGR) > drawn_around(sure, quad, DOUBT_BGR) + 20


@pytest.mark.parametrize("side", ["N", "E", "S", "W"])
def test_the_ring_lies_on_the_dots_side(side):
    seen = reading({12: face("circle", dot=side)})
    image = draw(TABLE, seen)
    ring = np.argwhere((image == 255).all(axis=2)).mean(axis=0)[::-1]
    quad = np.array(field_at(seen, "rows[2][2]").quad_px) * image.shape[1] / TABLE.shape[1]
    edges = {s: (quad[k] + quad[(k + 1) % 4]) / 2 for k, s in enumerate("NESW")}
    distances = {s: np.linalg.norm(ring - edge) for s, edge in edges.items()}
    assert min(distances, key=lambda s: distances[s]) == side


def test_gaps_and_hidden_cells_are_drawn_apart():
    gap = draw(TABLE, reading({12: face("none", 0.98)}, gaps=True))
    hidden = draw(TABLE, reading({12: face("none", 0.98)}, gaps=True, hands={12}))
    blank = draw(TABLE, reading({}))
    assert (gap != blank).any()
    assert (hidden != gap).any()


def test_small_cells_are_enlarged():
    seen = reading({})
    image = draw(TABLE[::4, ::4].copy(), seen, scale=0.25)
    assert image.shape[0] > 300
    assert image.shape[1] / image.shape[0] == pytest.approx(4 / 3, abs=0.01)
