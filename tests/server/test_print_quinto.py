"""Printed tiles and boards of Quinto: every tile of the set, and a board whose parts fit."""

import itertools
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.quinto.state import EDITIONS, RED_TILES
from server.printing.paper import MARGIN_MM, PAPERS, Paper, strips
from server.printing.quinto import board_pages, draw_board
from tests.server.pages import PX_PER_MM, printed, rendered, sizes_mm, words_of
from vision.plans.tiles import TileBoard, tile_boards, tile_print

PLAN = tile_print()
Digit = tuple[str, float, float, float]  # character, middle x and y, height; mm from the top left


def digits(pdf: bytes, page: int) -> list[Digit]:
    """The numerals of tiles on a page: those far larger than any other print."""
    document = pypdfium2.PdfDocument(pdf)
    height = document[page].get_height()
    text = document[page].get_textpage()
    found = []
    for index in range(text.count_chars()):
        left, bottom, right, top = (v / 72 * 25.4 for v in text.get_charbox(index))
        if top - bottom > 5:
            middle = height / 72 * 25.4 - (top + bottom) / 2
            found.append((text.get_text_range(index, 1), (left + right) / 2, middle, top - bottom))
    document.close()
    return found


def all_digits(pdf: bytes) -> list[Digit]:
    return [digit for page in range(len(sizes_mm(pdf))) for digit in digits(pdf, page)]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("edition", ["plastic-1964", "wood-1964", "1968"])
def test_tiles_add_up_to_the_set(edition: str, paper: str, tmp_path: Path) -> None:
    words = ["--what", "tiles", "--option", f"edition={edition}", "--paper", paper]
    pdf = printed(tmp_path, "--game", "quinto", *words)
    counted = Counter(int(digit) for digit, *_ in all_digits(pdf))
    wanted = Counter(dict(enumerate(EDITIONS[edition].tiles)))
    if edition == "1968":
        wanted.update(map(int, RED_TILES))
    assert counted == wanted


@pytest.mark.parametrize("cell", [20, 40])
def test_tiles_have_the_size_asked_for(cell: int, tmp_path: Path) -> None:
    pdf = printed(tmp_path, "--game", "quinto", "--what", "tiles", "--cell", str(cell))
    pages = len(sizes_mm(pdf))
    assert pages == {20: 1, 40: 3}[cell]
    side = cell * PLAN.tile
    for page in range(pages):
        found = digits(pdf, page)
        heights = [
            height for digit, _, _, height in found if digit in "147"
        ]  # flat above and below
        assert heights == pytest.approx([side * PLAN.digit] * len(heights), rel=0.03)
        image = rendered(pdf, page, grey=True)
        for _, x, y, _ in found:
            check_edges(image, x, y + side * (0.5 - PLAN.digit_y), side)


def check_edges(image: np.ndarray, x: float, y: float, side: float) -> None:
    """A pale face in a dark border whose outer edge is half a side from the middle."""
    column, row = int(x * PX_PER_MM), int(y * PX_PER_MM)
    half = side / 2 * PX_PER_MM
    rim = 0.03 * side * PX_PER_MM
    probe = int(0.25 * side * PX_PER_MM)  # away from the round corners
    for along in (-probe, probe):
        for sign in (-1, 1):
            assert image[int(row + sign * (half - rim)), column + along] < 110
            assert image[row + along, int(column + sign * (half - rim))] < 110
            assert image[int(row + sign * (half - 3 * rim)), column + along] > 220
            assert image[row + along, int(column + sign * (half - 3 * rim))] > 220


def test_six_and_nine_alone_are_underlined(tmp_path: Path) -> None:
    pdf = printed(tmp_path, "--game", "quinto", "--what", "tiles")
    image = rendered(pdf, grey=True)
    side = PLAN.cell_mm * PLAN.tile
    for digit, x, y, _ in digits(pdf, 0):
        line = y + side * (PLAN.underline - PLAN.digit_y)
        dark = image[int(line * PX_PER_MM), int(x * PX_PER_MM)] < 100
        assert dark == (digit in "69"), digit


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("edition", sorted(tile_boards()))
def test_the_parts_of_a_board_make_the_whole(edition: str, paper: str, tmp_path: Path) -> None:
    """Pages cut and laid where the marks say look like the board printed on one large sheet."""
    board = tile_boards()[edition]
    option = ["--option", f"edition={edition}", "--paper", paper]
    pdf = printed(tmp_path, "--game", "quinto", "--what", "board", *option)
    whole = draw_board(board, PLAN, Paper("large", (500.0, 500.0)), "en").to_bytes()
    size = [int((n + 2 * PLAN.rim) * PLAN.cell_mm * PX_PER_MM) for n in (board.rows, board.columns)]
    start = int(MARGIN_MM * PX_PER_MM)
    wanted = rendered(whole, grey=True)[start : start + size[0], start : start + size[1]]
    glued = np.zeros_like(wanted)
    _, pages = board_pages(board, PLAN, PAPERS[paper])
    assert len(pages) == len(sizes_mm(pdf))
    for page in reversed(pages):  # a page lies on the flap of the one before it
        image = rendered(pdf, page.number - 1, grey=True)
        x, y = (round(strip.start_mm * PX_PER_MM) for strip in (page.across, page.down))
        width, height = (
            round((strip.end_mm - strip.start_mm) * PX_PER_MM) for strip in (page.across, page.down)
        )
        part = image[start : start + height, start : start + width]
        room = glued[y : y + height, x : x + width]
        room[:] = part[: room.shape[0], : room.shape[1]]
    small = [
        cv2.resize(one, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        for one in (glued, wanted)
    ]
    away = np.abs(small[0].astype(int) - small[1])
    assert np.mean(away > 60) < 0.004  # the dashes of the joins, and lines half a pixel off
    assert away.mean() < 2


def test_lines_of_the_board_lie_on_the_grid(tmp_path: Path) -> None:
    pdf = printed(tmp_path, "--game", "quinto", "--what", "board")
    grey = rendered(pdf, 0, grey=True)
    rim = PLAN.rim * PLAN.cell_mm
    y = MARGIN_MM + rim + 0.5 * PLAN.cell_mm  # along the first row
    row = grey[int(y * PX_PER_MM)].astype(int)
    bright = np.flatnonzero(row > 235)
    runs = np.split(bright, np.flatnonzero(np.diff(bright) > 1) + 1)
    middles = [(run[0] + run[-1] + 1) / 2 / PX_PER_MM for run in runs if len(run) < 20]
    wanted = [MARGIN_MM + rim + column * PLAN.cell_mm for column in range(8)]
    # The last line of the page is the join: its middle is dashed.
    assert middles[: len(wanted)] == pytest.approx(wanted, abs=0.15)


def test_the_start_cell_is_marked(tmp_path: Path) -> None:
    board = tile_boards()["plastic-1964"]
    whole = draw_board(board, PLAN, Paper("large", (500.0, 500.0)), "en").to_bytes()
    grey = rendered(whole, grey=True)
    marked = []
    for row, column in itertools.product(range(board.rows), range(board.columns)):
        x, y = ((n + 0.5 + PLAN.rim) * PLAN.cell_mm + MARGIN_MM for n in (column, row))
        if grey[int(y * PX_PER_MM), int(x * PX_PER_MM)] > 235:
            marked.append((row, column))
    assert marked == [board.start]


@pytest.mark.parametrize(
    ("lang", "tiles", "board"),
    [
        ("en", "90 tiles of 18 mm", "glue page 2 along this line"),
        ("fr", "90 tuiles de 18 mm", "coller la page 2 le long de cette ligne"),
    ],
)
def test_words_in_both_languages(lang: str, tiles: str, board: str, tmp_path: Path) -> None:
    words = ["--game", "quinto", "--lang", lang]
    assert tiles in words_of(printed(tmp_path, *words, "--what", "tiles"))[0]
    pages = words_of(printed(tmp_path, *words, "--what", "board"))
    assert len(pages) == 2
    assert board in pages[0]
    assert board not in pages[1]


def test_a_bar_of_50_mm_to_check_the_scale(tmp_path: Path) -> None:
    pdf = printed(tmp_path, "--game", "quinto", "--what", "tiles")
    grey = rendered(pdf, grey=True)
    row = grey[int((PAPERS["a4"].size_mm[1] - 4.2) * PX_PER_MM)]
    dark = np.flatnonzero(row[: int(65 * PX_PER_MM)] < 160)
    dark = dark[dark < int((MARGIN_MM + 51.5) * PX_PER_MM)]
    assert (dark[-1] - dark[0] + 1) / PX_PER_MM == pytest.approx(50.25, abs=0.3)


def test_a_board_of_ones_own(tmp_path: Path) -> None:
    words = ["--option", "edition=custom", "--option", "rows=3", "--option", "columns=4"]
    pdf = printed(tmp_path, "--game", "quinto", "--what", "board", *words)
    assert len(sizes_mm(pdf)) == 1
    (said,) = words_of(pdf)
    assert "4 × 3" in said


@given(
    cells=st.integers(1, 26),
    cell=st.floats(12, 60),
    room=st.sampled_from([192.0, 197.9, 261.4, 279.0]),
)
def test_strips_cover_a_side_on_as_few_pages_as_can_be(
    cells: int, cell: float, room: float
) -> None:
    rim, flap = 0.4 * cell, 6.0
    cuts = tuple(rim + i * cell for i in range(1, cells))
    length = cells * cell + 2 * rim
    found = strips(length, cuts, room, flap)
    assert found[0].start_mm == 0
    assert found[-1].end_mm == length
    assert [strip.last for strip in found] == [False] * (len(found) - 1) + [True]
    for strip in found:
        assert strip.end_mm - strip.start_mm + (0 if strip.last else flap) <= room + 1e-5
    for before, after in itertools.pairwise(found):
        assert before.end_mm == after.start_mm
        assert before.end_mm in cuts
    fewest = 1
    while not reachable(length, cuts, room, flap, fewest):
        fewest += 1
    assert len(found) == fewest


def reachable(length: float, cuts: tuple[float, ...], room: float, flap: float, pages: int) -> bool:
    """Whether so many pages can do, by trying every set of cuts page by page."""
    starts = {0.0}
    for _ in range(pages - 1):
        starts = {
            cut for start in starts for cut in cuts if start < cut <= start + room - flap + 1e-6
        }
    return any(length - start <= room + 1e-6 for start in starts)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_even_the_largest_cells_fit(paper: str) -> None:
    board = TileBoard(26, 26, (0, 0))
    large = replace(PLAN, cell_mm=60.0)
    _, pages = board_pages(board, large, PAPERS[paper])
    assert pages
