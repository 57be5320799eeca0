"""What a cell of tiles is believed to show: another digit than before needs many frames."""

import numpy as np
import pytest

from vision.cubes.stacking import MOST_FRAMES
from vision.labels import TILE_CLASSES
from vision.tiles.cell_looks import COVERED, NO_TILE, CellLook, certainty, most_likely
from vision.tiles.classify import TileScores


def scores(name: str, share: float = 0.98) -> TileScores:
    classes = np.full(len(TILE_CLASSES), (1 - share) / (len(TILE_CLASSES) - 1))
    classes[TILE_CLASSES.index(name)] = share
    return TileScores(tuple(classes.tolist()))


def test_answers_have_numbers() -> None:
    assert [most_likely(scores(name)) for name in ("7@2", "empty", "blank", "covered")] == [
        7, NO_TILE, 11, COVERED,
    ]  # fmt: skip
    assert CellLook(scores("covered"), 1).covered
    assert CellLook(scores("empty"), 1).empty
    assert CellLook(scores("blank"), 1).shows_tile


@pytest.mark.parametrize("frames", [1, 3, MOST_FRAMES - 1])
def test_another_digit_than_before_is_a_doubt_at_first(frames: int) -> None:
    look = CellLook(scores("0@0"), frames, scores("9@0"))
    assert certainty(look.believed) == pytest.approx(0.5, abs=0.02)
    assert sum(look.believed.classes) == pytest.approx(1.0)


def test_many_frames_are_believed() -> None:
    look = CellLook(scores("0@0"), MOST_FRAMES, scores("9@0"))
    assert look.believed is look.scores


@pytest.mark.parametrize(("now", "then"), [("5@0", "empty"), ("empty", "5@0"), ("5@1", "5@0")])
def test_tiles_that_are_laid_taken_or_told_again_are_believed_at_once(now: str, then: str) -> None:
    look = CellLook(scores(now), 1, scores(then))
    assert look.believed is look.scores
