"""The shipped networks on real photographs: two boards, a box, and pictures of other things."""

import json

import numpy as np
import pytest

from vision.observe import Models, load_models
from vision.pictures import Picture, load_picture
from vision.read import PictureReading, read_picture

pytestmark = pytest.mark.weights


@pytest.fixture(scope="module")
def models() -> Models:
    return load_models()


def rows_of(folder):
    lines = (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def read(path, models) -> PictureReading:
    return read_picture(load_picture(path), "quixo", "board", models=models)


def board_rows(folder):
    return [row for row in rows_of(folder) if "grid" in (row["truth"] or {})]


def wrong(answer, truth, kind):
    """Paths at which a reading differs from the truth; ``kind`` is ``rows`` or ``dots``."""
    table = answer.to_json()["reading"][kind]
    expected = truth["grid" if kind == "rows" else "dot"]
    return {
        f"{kind}[{r}][{c}]"
        for r in range(5)
        for c in range(5)
        if expected[r][c] is not None and table[r][c] != expected[r][c]
    }


def test_both_boards_are_read(real_pictures, models):
    folder = real_pictures / "quixo" / "dev"
    boards = board_rows(folder)
    assert len(boards) == 2
    missed, dots = 0, 0
    for row in boards:
        answer = read(folder / row["file"], models)
        assert answer.refused is None, row["file"]
        assert not wrong(answer, row["truth"], "rows"), row["file"]
        missing = wrong(answer, row["truth"], "dots")
        asked = {doubt["where"] for doubt in answer.to_json()["doubts"]}
        assert missing <= asked, row["file"]
        missed += len(missing)
        dots += sum(dot is not None for line in row["truth"]["dot"] for dot in line)
    assert dots == 38
    assert missed <= 2


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_turned_photograph_reads_the_same_marks(real_pictures, models, quarters):
    folder = real_pictures / "quixo" / "dev"
    for row in board_rows(folder):
        picture = load_picture(folder / row["file"])
        image = np.ascontiguousarray(np.rot90(picture.image_bgr, -quarters))
        size = (image.shape[1], image.shape[0])
        turned = Picture(image, size, picture.scale, picture.path)
        answer = read_picture(turned, "quixo", "board", models=models)
        grid = np.rot90(np.array(row["truth"]["grid"]), -quarters)
        assert answer.to_json()["reading"]["rows"] == ["".join(line) for line in grid]


def test_the_box_is_refused_or_doubted(real_pictures, models):
    folder = real_pictures / "quixo" / "dev"
    (row,) = [row for row in rows_of(folder) if row["truth"] is None]
    answer = read(folder / row["file"], models)
    for reading in answer.readings:
        fields = [field for field in reading.fields if field.where.startswith("rows")]
        assert reading.refused or all(field.asked for field in fields)


def test_other_things_are_no_board(real_pictures, models):
    folder = real_pictures / "negatives" / "dev"
    rows = rows_of(folder)
    assert len(rows) == 25
    read_as_boards = [
        row["file"] for row in rows if read(folder / row["file"], models).refused is None
    ]
    assert not read_as_boards
