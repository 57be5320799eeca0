"""When a reading of a board for number tiles asks: of cells told before, without a picture."""

import numpy as np
import pytest

from tests.vision.tile_scenes import CLASS
from vision.labels import TILE_CLASSES
from vision.quality import Quality
from vision.readers.quinto import MANY_UNSURE, STRICT, UNDER_HAND, read_tile_board
from vision.tiles.classify import TileScores
from vision.tiles.models import TileThresholds
from vision.tiles.sights import SeenTile, SeenTileBoard

USUAL = TileThresholds(tile=0.9, empty=0.8)
COLUMNS = 20
FLAT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
QUALITY = Quality(0.5, 0.5, 0.0, 40.0, 10.0)


def cell(col: int, name: str, share: float, *, hidden: bool = False) -> SeenTile:
    classes = np.zeros(len(TILE_CLASSES))
    classes[CLASS[name]] = share
    classes[CLASS["covered" if name == "empty" else "3@0"]] = 1 - share
    quad = ((col, 0.0), (col + 1.0, 0.0), (col + 1.0, 1.0), (col, 1.0))
    return SeenTile(0, col, quad, TileScores(tuple(classes.tolist())), hidden=hidden)


def asked(cells: list[SeenTile]) -> list[bool]:
    around = ((0.0, 0.0), (COLUMNS, 0.0), (COLUMNS, 1.0), (0.0, 1.0))
    turns = (1.0, 0.0, 0.0, 0.0)
    board = SeenTileBoard(FLAT, (1, COLUMNS), tuple(cells), turns, around, QUALITY)
    reading = read_tile_board(board, USUAL)
    assert reading.refused is None
    return [field.asked for field in reading.fields]


@pytest.mark.parametrize("unsure", [0, 1, 2, 3])
def test_where_many_digits_are_in_doubt_the_others_must_be_surer(unsure: int) -> None:
    shares = [0.6] * unsure + [0.95] * (COLUMNS - unsure)
    many = unsure >= MANY_UNSURE * COLUMNS
    told = asked([cell(col, "5@0", share) for col, share in enumerate(shares)])
    assert told == ([True] * COLUMNS if many else [share == 0.6 for share in shares])


def test_a_plain_digit_is_vouched_for_on_any_board() -> None:
    shares = [0.6] * 4 + [STRICT + 0.02] * (COLUMNS - 4)
    told = asked([cell(col, "5@0", share) for col, share in enumerate(shares)])
    assert told == [share == 0.6 for share in shares]


def test_doubts_about_digits_say_nothing_of_empty_cells() -> None:
    cells = [cell(col, "5@0", 0.6) for col in range(4)]
    cells += [cell(col, "empty", 0.9) for col in range(4, COLUMNS)]
    assert asked(cells) == [True] * 4 + [False] * (COLUMNS - 4)


def test_an_empty_cell_that_is_hidden_must_be_plain() -> None:
    cells = [cell(0, "5@0", 0.99), cell(1, "empty", 0.95, hidden=True)]
    cells += [cell(2, "empty", UNDER_HAND + 0.005, hidden=True), cell(3, "empty", 0.95)]
    cells += [cell(col, "empty", 0.95) for col in range(4, COLUMNS)]
    assert asked(cells) == [False, True] + [False] * (COLUMNS - 2)
