"""Cells that seem covered, compared with how the table or board looks elsewhere."""

import numpy as np

from tests.vision.tile_scenes import CLASS
from vision.labels import TILE_CLASSES
from vision.tiles.classify import TileScores
from vision.tiles.ground import (
    LEAST_SURE,
    Ground,
    ground_of,
    known_by_the_ground,
    strange_on_the_ground,
)
from vision.tiles.sights import SeenTile

SIDE = 40
COLUMNS = 10


def cell(col: int, **shares: float) -> SeenTile:
    classes = np.full(len(TILE_CLASSES), (1 - sum(shares.values())) / len(TILE_CLASSES))
    for name, share in shares.items():
        classes[CLASS[name]] += share
    x = float(col * SIDE)
    quad = ((x, 0.0), (x + SIDE, 0.0), (x + SIDE, float(SIDE)), (x, float(SIDE)))
    return SeenTile(0, col, quad, TileScores(tuple(classes.tolist())))


def table(sure: int = COLUMNS - 2) -> tuple[np.ndarray, list[SeenTile]]:
    """A grained table; its last cell but one in shadow, its last under a card."""
    rng = np.random.default_rng(0)
    image = np.clip(rng.normal((70, 90, 120), 8, (SIDE, COLUMNS * SIDE, 3)), 0, 255)
    image[:, -2 * SIDE : -SIDE] *= 0.9
    image[:, -SIDE:] = (200, 60, 40)
    cells = [cell(col, empty=0.95) for col in range(sure)]
    cells += [
        cell(COLUMNS - 2, covered=0.7, empty=0.25),
        cell(COLUMNS - 1, covered=0.7, empty=0.25),
    ]
    return image.astype(np.uint8), cells


def ground(image: np.ndarray, cells: list[SeenTile]) -> Ground:
    found = ground_of(image, cells)
    assert found is not None
    return found


def test_a_cell_that_looks_like_the_table_is_empty_and_a_card_is_not() -> None:
    image, cells = table()
    *_, bare, card = known_by_the_ground(ground(image, cells), cells)
    assert bare.scores.classes[CLASS["empty"]] > 0.85
    assert sum(bare.scores.classes) == 1 or abs(sum(bare.scores.classes) - 1) < 1e-9
    assert card == cells[-1]


def test_a_few_sure_cells_tell_nothing_of_the_table() -> None:
    image, cells = table(LEAST_SURE - 1)
    assert ground_of(image, cells) is None


def test_what_seems_empty_and_looks_otherwise_is_hidden_unless_it_is_plain() -> None:
    """The last cell is under a card, the one before in shadow."""
    image, cells = table()
    shares = ({"empty": 0.95}, {"empty": 0.95}, {"empty": 0.995}, {"covered": 0.6, "empty": 0.3})
    columns = (COLUMNS - 2, COLUMNS - 1, COLUMNS - 1, COLUMNS - 1)
    asked = [cell(col, **share) for col, share in zip(columns, shares, strict=True)]
    told = strange_on_the_ground(ground(image, cells), asked)
    assert [one.hidden for one in told] == [False, True, False, False]
