"""Tests of composed photographs of score sheets: their values, their truth, their crops."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.detrak.layout import Sheet as DetrakSheet
from engine.qwinto.layout import Sheet as QwintoSheet
from engine.qwinto.possible import may_write
from models.compose.handwriting import handwriting_folder
from models.compose.sheet_paint import SheetPainter
from models.compose.sheet_paper import Inked, WrittenSheet
from models.compose.sheet_scene import (
    GAMES,
    SheetScene,
    TrueField,
    compose_sheet,
    photograph,
    tier_of,
)
from models.compose.sheet_set import FieldCrops, crops, state_of, write_sheet_set
from models.compose.sheet_stage import Bend, Lying, View, lay, look
from models.compose.sheet_values import FAILED, played_texts, random_texts, reading_json
from models.errors import LabError
from models.render.sheets.canvas import PX_PER_MM, Canvas, rounded
from models.render.sheets.flat import FlatPrint
from models.render.sheets.ours import draw_ours
from vision.labels import FIELD_STATES
from vision.plans.marks import read_marker
from vision.plans.sheets import EDITIONS, sheet_plan


@pytest.fixture(scope="module")
def scene() -> SheetScene:
    """One everyday photograph; skipped where the handwriting of others is not there."""
    try:
        handwriting_folder()
    except LabError as error:
        pytest.skip(str(error))
    return compose_sheet(11, "train", "everyday", "qwinto", "printed", fill="random")


class TestValues:
    """What stands on sheets."""

    def test_played_qwinto_keeps_the_rules(self) -> None:
        plan = sheet_plan("qwinto")
        for seed in range(12):
            texts = played_texts(np.random.default_rng(seed), plan)
            json = reading_json(plan, texts)
            numbers = tuple(json["orange"] + json["yellow"] + json["purple"])
            sheet = QwintoSheet(numbers, json["failed"])
            for index, number in enumerate(numbers):
                if number:
                    assert may_write(sheet.put(index, 0), index, number)

    def test_played_detrak_is_a_sheet(self) -> None:
        plan = sheet_plan("detrak")
        for seed in range(12):
            json = reading_json(plan, played_texts(np.random.default_rng(seed), plan))
            sheet = DetrakSheet.of_rows(json["grid"])
            written = sum(cell != "." for cell in sheet.cells)
            assert written % 2 == 1  # the start symbol and pairs
            assert sheet.cells[0] != "."

    def test_random_texts_cover_all_values_and_break_rules(self) -> None:
        plan = sheet_plan("qwinto")
        seen, broken = set(), 0
        for seed in range(40):
            texts = random_texts(np.random.default_rng(seed), plan)
            json = reading_json(plan, texts)
            row = [n for n in json["orange"] if n]
            seen.update(row)
            broken += row != sorted(set(row))
        assert seen == set(range(1, 19))
        assert broken > 20

    def test_json_of_a_sheet(self) -> None:
        plan = sheet_plan("qwinto")
        texts = {"orange[0]": "3", "purple[8]": "18", "failed[1]": FAILED, "strip.penalty": "-5"}
        json = reading_json(plan, texts)
        assert json["orange"] == [3] + [0] * 8
        assert json["purple"][8] == 18
        assert json["failed"] == 1
        assert json["strip"] == {
            "rows": [None] * 3, "bonus": [None] * 5, "penalty": 5, "total": None,
        }  # fmt: skip


class TestPrints:
    """Flat prints."""

    def test_markers_of_ours_are_read_where_the_plan_puts_them(self) -> None:
        for game in GAMES:
            flat = draw_ours(np.random.default_rng(4), game)
            dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100)
            corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(flat.image)
            assert len(ids) == 4
            for quad, marker_id in zip(corners, ids.ravel().tolist(), strict=True):
                marker = read_marker(marker_id)
                assert marker is not None
                assert marker.game == game
                wanted = flat.plan.markers[marker.corner].outline_mm()
                assert np.abs((quad[0] + 0.5) / PX_PER_MM - wanted).max() < 0.2

    def test_rounded_corners_stay_inside(self) -> None:
        points = rounded((2.0, 3.0, 10.0, 6.0), 1.5)
        assert points.min(axis=0).tolist() == [2.0, 3.0]
        assert points.max(axis=0).tolist() == [12.0, 9.0]


class TestPhotographs:
    """The truth of places follows the camera and the bend."""

    @pytest.mark.parametrize("sag", [0.0, 2.5, -2.5])
    def test_dots_lie_where_the_truth_says(self, sag: float) -> None:
        written = _dotted("qwinto")
        rng = np.random.default_rng(31)
        tier = replace(tier_of("clean"), glare_share=(0.0, 0.0), shadow_depth=(0.0, 0.0))
        (one,) = lay(rng, tier, (written,))
        bend = Bend((0.8, 0.6), sag, 170.0, (1.0, 0.0), 1.0 if sag else 0.0, 0.05)
        bent = Lying(one.sheet, 0.97, 0.2, one.at, bend, one.trim_mm)
        camera, _ = look(rng, tier_of("everyday"), (bent,))
        view = View(bent, camera)
        painter = SheetPainter(rng, "train", tier, (view,), True)
        canvas = painter.run()
        dark = 1 - canvas.mean(axis=2) / canvas.mean(axis=2).max()
        centres = view.to_px(np.array([field.centre_mm for field in written.flat.plan.fields]))
        reach = 6
        for x, y in centres:
            x0, y0 = int(x) - reach, int(y) - reach
            part = dark[y0 : y0 + 2 * reach + 1, x0 : x0 + 2 * reach + 1]
            part = np.clip(part - part.min() - 0.4 * np.ptp(part), 0, None)
            rows, columns = np.mgrid[: part.shape[0], : part.shape[1]]
            found = (columns * part).sum() / part.sum() + x0 + 0.5
            down = (rows * part).sum() / part.sum() + y0 + 0.5
            assert np.hypot(found - x, down - y) < 0.8

    def test_unbending_inverts_the_map(self) -> None:
        written = _dotted("detrak")
        rng = np.random.default_rng(3)
        (one,) = lay(rng, tier_of("clean"), (written,))
        bent = Lying(one.sheet, 1.0, 0.0, one.at, Bend((0.0, 1.0), 2.4, 135.0), one.trim_mm)
        view = View(bent, look(rng, tier_of("hard"), (bent,))[0])
        points = np.random.default_rng(0).uniform(0, 70, (40, 2))
        assert np.abs(view.to_mm(view.to_px(points)) - points).max() < 0.05

    def test_same_seed_same_picture(self, scene: SheetScene) -> None:
        again = compose_sheet(11, "train", "everyday", "qwinto", "printed", fill="random")
        other = compose_sheet(12, "train", "everyday", "qwinto", "printed", fill="random")
        assert scene.jpeg == again.jpeg
        assert scene.sheets[0].values == again.sheets[0].values
        assert scene.jpeg != other.jpeg

    def test_given_texts_are_the_truth(self, scene: SheetScene) -> None:
        texts = {"grid[0][0]": "#", "grid[4][4]": "O", "boxes.total": "-20"}
        found = compose_sheet(5, "evaluation", "clean", "detrak", "commercial", fill=texts)
        (sheet,) = found.sheets
        assert sheet.values["grid"] == ["#....", ".....", ".....", ".....", "....O"]
        assert sheet.values["boxes"]["total"] == -20
        assert {f.path for f in sheet.fields if f.state == "written"} == set(texts)
        width, height = found.image_bgr.shape[1::-1]
        assert all(0 < x < width and 0 < y < height for x, y in sheet.outline_px)

    def test_two_sheets_stand_left_to_right(self, scene: SheetScene) -> None:
        papers = (_dotted("detrak"), _dotted("detrak"))
        found = photograph(np.random.default_rng(1), "train", tier_of("clean"), papers)
        left, right = (np.mean(sheet.outline_px, axis=0) for sheet in found.sheets)
        assert left[0] < right[0]

    def test_unknown_words(self) -> None:
        with pytest.raises(ValueError, match="unknown tier"):
            compose_sheet(1, "train", "dusk", "qwinto")


class TestCrops:
    """Crops of a set and what they teach."""

    def test_rows_fit_each_other(self, scene: SheetScene) -> None:
        found = crops(scene, np.random.default_rng(0))
        assert isinstance(found, FieldCrops)
        count = len(found.images)
        assert count > 20
        assert found.images.shape[1:] == (64, 64, 3)
        for array in (found.kinds, found.texts, found.states, found.edge_px):
            assert len(array) == count
        written = found.states == FIELD_STATES.index("written")
        assert (found.texts[written] != "").all()
        assert (found.texts[found.states == FIELD_STATES.index("blank")] == "").all()

    def test_written_crops_are_darker_than_blank_ones(self, scene: SheetScene) -> None:
        found = crops(scene, np.random.default_rng(0))
        discs = np.isin(found.kinds, ["number"])
        spread = found.images[:, 12:36, 12:36].astype(float).mean(axis=3).std(axis=(1, 2))
        written = spread[discs & (found.states == FIELD_STATES.index("written"))]
        blank = spread[discs & (found.states == FIELD_STATES.index("blank"))]
        assert np.median(written) > np.median(blank)

    def test_covered_fields_are_spoilt(self) -> None:
        def state(visible: float) -> str | None:
            return state_of(TrueField("a", "number", "7", "written", "", visible, 30.0))

        assert state(1.0) == "written"
        assert state(0.7) is None
        assert state(0.2) == "spoilt"

    def test_a_set_is_resumed(self, scene: SheetScene, tmp_path: Path) -> None:
        write_sheet_set(tmp_path, "calibration", 900, 1, workers=1)
        (shard,) = sorted((tmp_path / "crops").iterdir())
        before = shard.read_bytes()
        write_sheet_set(tmp_path, "calibration", 900, 1, workers=1)
        assert shard.read_bytes() == before
        with np.load(shard) as file:
            assert set(file.files) == {"images", "kinds", "texts", "states", "edge_px"}


def _dotted(game: str) -> WrittenSheet:
    """White paper with a dark dot in the middle of every field."""
    plan = sheet_plan(game, EDITIONS[1])
    canvas = Canvas(plan.size_mm)
    for field in plan.fields:
        canvas.disc(field.centre_mm, 2.0, "#101010")
    flat = FlatPrint(plan, canvas.finished(), (0.0, 0.0), "dots")
    image = (flat.image / np.float32(255)).astype(np.float32)
    fields = {field.path: Inked("", "blank") for field in plan.fields}
    return WrittenSheet(flat, image, fields, {})
