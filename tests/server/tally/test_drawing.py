"""What is drawn on sheets: red where something is wrong, and nowhere else; the bar of a batch."""

import io
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from server.reading import Request
from server.tally.books import BOOKS
from server.tally.drawing import WRONG_BGR, draw_flat, draw_photo
from server.tally.merging import Result, Terms, merge
from server.tally.photo import read_photo
from server.tally.progress import Progress
from tests.server.tally.drawn_sheets import Drawn, DrawnSheetReader, write_photo
from tests.server.tally.sheets import QWINTO
from vision.pictures import load_picture

RIGHT = {"rows": [5, 15, 4], "bonus": [2, 0, 8, 0, 14], "penalty": 10, "total": 38}


def red(image: NDArray[np.uint8]) -> NDArray[np.bool_]:
    return np.all(np.abs(image.astype(int) - WRONG_BGR) < 12, axis=2)


def drawn(path: Path, sheet: dict[str, Any]) -> tuple[Result, NDArray[np.uint8], Any]:
    photo = write_photo(path, [Drawn("qwinto", sheet, 1)], view=3)
    record = read_photo(str(photo), Request("qwinto", "sheet"), DrawnSheetReader(), "drawn")
    book = BOOKS["qwinto"]
    result = merge([record], Terms(book, book.read_options({})))
    picture = load_picture(photo)
    image = draw_photo(picture, record, list(result.sheets), book)
    return result, image, draw_flat(picture, record, result.sheets[0], book)


def test_a_right_sheet_has_no_red(tmp_path: Path) -> None:
    _, image, flat = drawn(tmp_path / "a.jpg", {**QWINTO, "strip": RIGHT})
    assert not red(image).any()
    assert not red(flat).any()


def test_a_wrong_sum_is_red_where_it_stands(tmp_path: Path) -> None:
    sheet = {**QWINTO, "strip": {**RIGHT, "total": 45}}
    result, image, flat = drawn(tmp_path / "a.jpg", sheet)
    where = next(f for f in result.sheets[0].record.fields if f.where == "strip.total")
    scale = image.shape[1] / result.photos[0].size_px[0]
    centre = np.mean(where.quad_px, axis=0) * scale
    side = np.linalg.norm(np.subtract(*where.quad_px[:2])) * scale
    rows, columns = np.nonzero(red(image))
    assert len(rows) > 50
    assert np.abs(columns - centre[0]).max() < 1.2 * side
    assert np.abs(rows - centre[1]).max() < 1.8 * side
    assert red(flat).any()


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_the_bar_of_a_batch() -> None:
    stream = Terminal()
    progress = Progress(4, stream, "en")
    for _ in range(4):
        progress.step()
    assert "4/4  0:00" in stream.getvalue()
    progress.close()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_lines_where_there_is_no_terminal() -> None:
    stream = io.StringIO()
    progress = Progress(200, stream, "en")
    for _ in range(200):
        progress.step()
    assert stream.getvalue().splitlines()[0] == "20 of 200 photos"
    assert len(stream.getvalue().splitlines()) == 10
