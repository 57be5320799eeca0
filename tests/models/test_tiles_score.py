"""Scores of boards for number tiles: readings made from a truth, right and with planted errors."""

import zlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from models.calibrate_tiles import THRESHOLDS, Seen, choose, fit_temperature
from models.evaluate import tiles_report
from models.evaluate.sheets_table import rate
from models.evaluate.table import write_rows
from models.evaluate.tiles import real_summary
from models.evaluate.tiles_score import row_of, score_board
from models.evaluate.tiles_table import groups
from models.evaluate.tiles_truth import EMPTY, TileTruth, composed, kept
from models.render.tile_solids import board_of, table_of, tile_mesh, tiles_of
from models.render.traced_tiles import TracedBoard, TracedTilesConfig, draw_traced_board, render_set
from vision.homography import as_quad, project
from vision.observation import Field, Reading
from vision.quality import Quality
from vision.read import PictureReading
from vision.readers.quinto import COVERED, TilesOnBoard, turned_cell
from vision.refusals import refuse

ROWS, COLS, TURN = 5, 7, 1
TILES = {(2, 1): "6", (2, 2): "9", (2, 3): "4", (3, 3): "1"}
QUALITY = Quality(0.5, 0.5, 0.0, 40.0, 10.0)


@pytest.fixture
def truth() -> TileTruth:
    cells = [TILES.get(divmod(index, COLS), EMPTY) for index in range(ROWS * COLS)]
    homography = (30.0, 4.0, 50.0, -3.0, 28.0, 60.0, 0.0001, 0.0002, 1.0)
    return TileTruth(ROWS, COLS, TURN, tuple(cells), (), homography, True, {"tier": "clean"})


def reading(truth: TileTruth, off: tuple[int, int] = (0, 0), **changed: Any) -> PictureReading:
    """A perfect reading in the frame of upright digits, with values changed by true cell.

    A change is a value, or a value and whether it is asked about. Names are off by some cells.
    """
    fields = []
    for index, value in enumerate(truth.cells):
        row, col = divmod(index, COLS)
        new = changed.get(f"at_{row}_{col}", (value, False))
        said, asked = new if isinstance(new, tuple) else (new, False)
        name = turned_cell(row, col, TURN, (ROWS, COLS))
        where = f"tiles[{name[0] + off[0]}][{name[1] + off[1]}]"
        unit = np.add([[0, 0], [1, 0], [1, 1], [0, 1]], (col, row))
        quad = as_quad(project(np.array(truth.homography).reshape(3, 3), unit))
        fields.append(Field(where, said, 0.99, ((said, 0.99),), asked, quad))
    layout = TilesOnBoard((), changed.get("grid", (COLS, ROWS)))
    one = Reading(layout, tuple(fields), fields[0].quad_px, QUALITY)
    return PictureReading((one,), None, QUALITY, 12)


def test_a_perfect_reading_is_perfect(truth: TileTruth) -> None:
    score = score_board(reading(truth), truth)
    assert score.found
    assert score.perfect
    assert score.grid
    assert (score.cells, score.tiles, score.nines) == (ROWS * COLS, 4, 2)
    assert (score.wrong, score.asked, score.silent) == (0, 0, 0)


def test_errors_are_counted_once_and_silent_only_when_vouched_for(truth: TileTruth) -> None:
    said = reading(truth, at_2_1="9", at_2_3=("7", True), at_0_0=("3", False), at_4_4=(".", True))
    score = score_board(said, truth)
    assert score.found
    assert not score.perfect
    assert (score.wrong, score.asked, score.silent) == (3, 2, 2)
    assert (score.tiles_wrong, score.tiles_silent, score.nines_swapped) == (2, 2, 1)


def test_what_is_hidden_may_come_out_covered(truth: TileTruth) -> None:
    said = reading(truth, at_2_3=(COVERED, True))
    assert score_board(said, truth).wrong == 1
    hidden = replace(truth, hidden=(2 * COLS + 3,))
    assert score_board(said, hidden).perfect


def test_names_that_are_off_are_no_find(truth: TileTruth) -> None:
    score = score_board(reading(truth, off=(0, 1)), truth)
    assert not score.found
    assert score.refused == "misplaced"
    assert score.silent >= 6
    assert not score.perfect
    loose = score_board(reading(truth, off=(0, 1), grid=None), truth)
    assert loose.perfect
    assert not loose.grid


def test_refused_and_not_found_claim_nothing(truth: TileTruth) -> None:
    told = reading(truth).readings[0]
    refused = replace(told, layout=None, fields=(), refused=refuse("covered"))
    score = score_board(PictureReading((refused,), refused.refused, QUALITY, 3), truth)
    assert (score.found, score.refused, score.cells, score.perfect) == (True, "covered", 0, False)
    nothing = PictureReading((), refuse("no-tiles"), QUALITY, 3)
    score = score_board(nothing, truth)
    assert (score.found, score.refused, score.perfect) == (False, "no-tiles", False)


def test_rates_count_cells_of_boards_found_and_all_that_is_silent(truth: TileTruth) -> None:
    rows = [
        row_of(reading(truth), truth, {"picture": "a"}),
        row_of(reading(truth, at_2_1="9"), truth, {"picture": "b"}),
        row_of(reading(truth, off=(0, 1)), truth, {"picture": "c"}),
    ]
    lines = {line["figure"]: line for line in groups(rows, ["tier"])}
    assert (lines["boards found"]["hits"], lines["boards found"]["of"]) == (2, 3)
    assert (lines["perfect boards"]["hits"], lines["cells wrong"]["hits"]) == (1, 1)
    assert lines["cells wrong"]["of"] == 2 * ROWS * COLS
    assert lines["cells silently wrong"]["of"] > 2 * ROWS * COLS
    assert lines["cells silently wrong"]["hits"] > 1


def test_photographs_are_counted_by_group() -> None:
    rows = [
        {"group": "wood", "value": "6", "said": "6", "asked": False},
        {"group": "wood", "value": "6", "said": "9", "asked": False},
        {"group": "wood", "value": "2", "said": "7", "asked": True},
        {"group": "wood", "value": "2", "said": "", "asked": False},
    ]
    lines = {line["figure"]: line["hits"] for line in real_summary(rows)}
    assert lines == {"found": 3, "right": 1, "asked": 1, "silently wrong": 1, "6 and 9 swapped": 1}


def test_a_composed_board_is_kept_with_its_truth(tmp_path: Any) -> None:
    data, truth = composed(tmp_path, "one", 77, "calibration", "hard")
    again = composed(tmp_path, "one", 77, "calibration", "hard")
    assert again == (data, truth)
    assert len(truth.cells) == truth.rows * truth.cols
    assert truth.tiles >= 1
    assert truth.facts["picture"] == "one"


def test_thresholds_keep_silent_errors_under_the_target() -> None:
    rng = np.random.default_rng(4)
    sure = rng.uniform(0.4, 1.0, 4000)
    wrong = rng.random(4000) > sure
    seen = Seen(sure, np.zeros(4000, bool), wrong, np.full(4000, "hard"))
    threshold = choose(seen, {"hard": 0.01}, empty=False)
    assert 0.8 < threshold < 0.95
    assert ((sure >= threshold) & wrong).mean() <= 0.01
    lower = THRESHOLDS[THRESHOLDS.index(threshold) - 1]
    assert ((sure >= lower) & wrong).mean() > 0.01


def test_of_few_tiles_none_of_which_is_wrong_one_is_reckoned_with() -> None:
    sure = np.linspace(0.5, 1.0, 100)
    seen = Seen(sure, np.zeros(100, bool), np.zeros(100, bool), np.full(100, "clean"))
    assert choose(seen, {"clean": 0.0005}, empty=False) == THRESHOLDS[-1]
    assert choose(seen, {"clean": 0.01}, empty=False) == THRESHOLDS[0]


def test_a_temperature_makes_loud_logits_honest() -> None:
    rng = np.random.default_rng(5)
    logits = rng.normal(0, 1.5, (3000, 43)).astype(np.float32)
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    classes = np.array([rng.choice(43, p=row / row.sum()) for row in shares.astype(float)])
    assert fit_temperature(logits * 2, classes) == pytest.approx(2.0, abs=0.15)


def test_the_card_shows_rates_of_the_tables(tmp_path: Any, monkeypatch: Any) -> None:
    card = tmp_path / "CARD.md"
    card.write_text(f"before\n{tiles_report.START}\nold\n{tiles_report.END}\nafter\n")
    monkeypatch.setattr(tiles_report, "CARD", card)
    monkeypatch.setattr(tiles_report, "RESULTS", tmp_path)
    known = {"factor": "", "band": "", "weights": "a+b"}
    line = {"tier": "hard", **known, **rate("perfect boards", 3, 4)}
    by_set = {**line, "factor": "set", "band": "jet_gloss"}
    write_rows(tmp_path / "tiles_composed_summary.csv", [line, by_set])
    tiles_report.write_tiles_report()
    text = card.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "| perfect boards |  |  | 75.00 % (3 of 4;" in text
    assert "| hard | jet_gloss |" in text
    assert "old" not in text


def test_traced_boards_are_kept_with_their_truth(tmp_path: Any) -> None:
    """Any tracer will do: here light that is grey everywhere."""

    def grey(scene: TracedBoard) -> np.ndarray:
        width, height = scene.stage.camera.size_px
        return np.full((height, width, 3), 0.2, np.float32)

    assert render_set(TracedTilesConfig(tmp_path, count=1), grey) == 3
    for tier in ("clean", "everyday", "hard"):
        data, truth = kept(tmp_path, f"{tier}_0")
        assert data[:2] == b"\xff\xd8"
        assert truth.facts["tier"] == tier
        assert truth.tiles == sum(cell is not None for cell in placed_cells(tier))
    stamp = (tmp_path / "hard_0.jpg").stat().st_mtime_ns
    assert render_set(TracedTilesConfig(tmp_path, count=1), grey) == 3
    assert (tmp_path / "hard_0.jpg").stat().st_mtime_ns == stamp


def placed_cells(tier: str) -> list[tuple[int, int] | None]:
    seed = zlib.crc32(f"tiles 3 {tier}_0".encode())
    scene = draw_traced_board(f"{tier}_0", tier, seed)
    return [one.cell for one in scene.stage.placed]


def test_a_traced_tile_stands_where_its_truth_says() -> None:
    scene = draw_traced_board("one", "clean", 9)
    tile = scene.stage.placed[0].laid
    mesh = tile_mesh(tile, (1, 2), 4)
    widest = mesh.vertices[4:8]
    assert np.allclose(widest[:, :2], tile.corners()[:, :2])
    assert mesh.vertices[:4, 2] == pytest.approx(tile.middle[2])
    assert mesh.vertices[8:, 2].max() <= tile.middle[2] - tile.look.height + 1e-9
    # the digit's top left is the first corner; places in the atlas count upwards
    u, v = mesh.uv[0] * 4
    assert 1 < u < 1.3
    assert 1.7 < v < 2 - 1e-9


def test_every_traced_tile_wears_its_own_part_of_the_atlas() -> None:
    scene = draw_traced_board("one", "clean", 9)
    mesh, atlas = tiles_of(scene)
    count = len(scene.stage.placed)
    across = int(np.ceil(np.sqrt(count)))
    assert len(mesh.vertices) == 12 * count
    assert mesh.triangles.max() == 12 * count - 1
    places = np.stack([mesh.uv[:, 0], 1 - mesh.uv[:, 1]], axis=1).reshape(count, 12, 2) * across
    for index, (low, high) in enumerate(zip(places.min(axis=1), places.max(axis=1), strict=True)):
        row, column = divmod(index, across)
        assert (low >= (column, row)).all()
        assert (high <= (column + 1, row + 1)).all()
        side = atlas.shape[0] // across
        face = atlas[row * side : (row + 1) * side, column * side : (column + 1) * side]
        assert face.max() > 0.01


def test_a_traced_board_lies_on_a_table_under_its_own_surface() -> None:
    scenes = (draw_traced_board("one", "clean", seed) for seed in range(20))
    scene = next(scene for scene in scenes if scene.stage.board is not None)
    board = scene.stage.board
    assert board is not None
    mesh, picture = board_of(scene, board)
    assert (mesh.vertices[:, 2] == 0).all()
    assert np.ptp(mesh.vertices[:, 0]) == pytest.approx(board.columns + 2 * board.rim)
    assert picture.std() > 0
    assert (table_of(scene)[0].vertices[:, 2] < -board.thick).all()
