"""Figures of score sheets: what counts as found, right, silent, perfect, exact."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from models.compose.handwriting import handwriting_folder
from models.compose.sheet_scene import SheetScene
from models.errors import LabError
from models.evaluate.sheets import EMMA, FIRST_SEED, SHEETS, PdfTask, compose_pdf, pdf_print
from models.evaluate.sheets_handwriting import compose, ink_share, summary
from models.evaluate.sheets_reading import kept
from models.evaluate.sheets_score import SheetTruth, layout_of, left_for, score_sheet, total_of
from models.evaluate.sheets_table import groups
from models.render.sheets.canvas import PX_PER_MM
from vision.homography import Quad, as_quad
from vision.observation import Field, Reading
from vision.plans.sheets import sheet_plan
from vision.quality import measure
from vision.readers.sheets import EMPTY_NUMBER, detrak_of, qwinto_of, score_paths

QUAD = ((0.0, 0.0), (760.0, 0.0), (760.0, 360.0), (0.0, 360.0))
NOTHING: Final[Mapping[str, str]] = {}
QUALITY = measure(np.full((64, 64, 3), 200, np.uint8))


def qwinto_truth(**texts: str) -> SheetTruth:
    plan = sheet_plan("qwinto")
    every = {f.path: EMPTY_NUMBER for f in plan.of_kind("number", "bonus")} | {"failed": "0"}
    every |= dict.fromkeys(score_paths("qwinto"), "") | texts
    return SheetTruth("qwinto", "printed", QUAD, every, tuple(every), {"tier": "clean"})


def reading_of(
    truth: SheetTruth, asked: tuple[str, ...] = (), said: Mapping[str, str] = NOTHING
) -> Reading[Any]:
    texts = {**truth.texts, **said}
    fields = tuple(
        Field(where, text, 0.9, ((text, 0.9),), where in asked, QUAD)
        for where, text in texts.items()
    )
    make = qwinto_of if truth.game == "qwinto" else detrak_of
    return Reading(make(texts), fields, as_quad(truth.outline_px), QUALITY)


def moved(dx: float, dy: float) -> Quad:
    return as_quad([(x + dx, y + dy) for x, y in QUAD])


class TestScore:
    """One reading against one truth."""

    def test_a_reading_of_another_sheet_is_not_of_this_one(self) -> None:
        truth = qwinto_truth(**{"orange[0]": "3"})
        other = replace(truth, outline_px=moved(0.0, 500.0))
        readings = [reading_of(truth)]
        assert left_for(truth, readings, (truth, other)) == tuple(readings)
        assert left_for(other, readings, (truth, other)) == ()
        row = score_sheet(left_for(other, readings, (truth, other)), other, "")
        assert (row["found"], row["cells_silent"]) == (False, 0)

    def test_all_right(self) -> None:
        truth = qwinto_truth(**{"orange[0]": "3", "failed": "1"})
        row = score_sheet([reading_of(truth)], truth, "")
        assert row["found"] is True
        assert (row["cells"], row["cells_wrong"], row["cells_silent"]) == (28, 0, 0)
        assert row["sums"] == 10
        assert row["perfect"] is True
        assert (row["total"], row["read"], row["exact_after"]) == (-4, -4, True)

    def test_wrong_and_vouched_for(self) -> None:
        truth = qwinto_truth(**{"orange[0]": "3"})
        row = score_sheet([reading_of(truth, said={"orange[0]": "8"})], truth, "")
        assert (row["cells_wrong"], row["cells_silent"], row["perfect"]) == (1, 1, False)
        row = score_sheet([reading_of(truth, said={"orange[1]": "9"})], truth, "")
        assert row["exact"] is False
        assert row["exact_after"] is False

    def test_wrong_and_asked_comes_right_by_the_answer(self) -> None:
        truth = qwinto_truth(**{"orange[0]": "3"})
        said = reading_of(truth, ("orange[1]",), {"orange[1]": "9"})
        row = score_sheet([said], truth, "")
        assert (row["cells_wrong"], row["cells_asked"], row["cells_silent"]) == (1, 1, 0)
        assert row["exact"] is False
        assert row["exact_after"] is True

    def test_spoilt_fields_count_apart(self) -> None:
        truth = replace(qwinto_truth(), clear=tuple(qwinto_truth().clear[1:]))
        row = score_sheet([reading_of(truth, said={"orange[0]": "9"})], truth, "")
        assert (row["cells_unclear"], row["cells_unclear_silent"]) == (1, 1)
        assert (row["cells_clear_wrong"], row["cells_wrong"]) == (0, 1)

    def test_not_found_is_all_wrong_and_none_silent(self) -> None:
        truth = qwinto_truth()
        row = score_sheet([], truth, "no-sheet")
        assert (row["found"], row["refused"], row["cells_wrong"]) == (False, "no-sheet", 28)
        assert (row["cells_silent"], row["exact_after"]) == (0, False)

    def test_elsewhere_is_silently_wrong(self) -> None:
        truth = qwinto_truth()
        far = replace(reading_of(truth), quad_px=moved(60, 0))
        row = score_sheet([far], truth, "")
        assert (row["found"], row["cells_silent"]) == (False, 28)

    def test_the_nearest_of_two_sheets_counts(self) -> None:
        truth = qwinto_truth(**{"purple[2]": "7"})
        other = replace(reading_of(qwinto_truth()), quad_px=moved(0, 400))
        assert score_sheet([other, reading_of(truth)], truth, "")["perfect"] is True


class TestTotals:
    """The sheets of the rules' vectors are worth what their names say."""

    def test_points_of_the_seeds_sheets(self) -> None:
        for name, (game, texts, advanced) in SHEETS.items():
            every = qwinto_truth().texts if game == "qwinto" else {}
            texts = {k: v for k, v in texts.items() if not k.startswith("failed")}
            if game == "qwinto":
                texts = {**texts, "failed": str(EMMA.failed)}
            truth = SheetTruth(game, "printed", QUAD, {**every, **texts}, (), {}, advanced)
            assert total_of(layout_of(truth), advanced) == int(name.rsplit("_", 1)[1])

    def test_rates(self) -> None:
        truth = qwinto_truth(**{"orange[0]": "3"})
        good = score_sheet([reading_of(truth)], truth, "")
        bad = score_sheet([reading_of(truth, said={"orange[0]": "8"})], truth, "")
        lines = {line["figure"]: line for line in groups([good, bad], ["tier"])}
        assert (lines["cells right"]["hits"], lines["cells right"]["of"]) == (55, 56)
        assert (lines["perfect sheets"]["hits"], lines["perfect sheets"]["of"]) == (1, 2)
        assert lines["cells silently wrong"]["hits"] == 1
        assert lines["cells right"]["low"] < 100 * 55 / 56 < lines["cells right"]["high"]


class TestPictures:
    """Pictures are kept, and our PDF becomes a print."""

    def test_a_kept_picture_is_not_composed_again(self, tmp_path: Path) -> None:
        calls = []

        def once() -> SheetScene:
            calls.append(1)
            return SheetScene(np.zeros((4, 4, 3), np.uint8), b"jpeg", (), {"tier": "clean"})

        assert kept(tmp_path, "a", once) == kept(tmp_path, "a", once) == (b"jpeg", [])
        assert len(calls) == 1

    def test_our_pdf_is_where_the_plan_says(self, tmp_path: Path) -> None:
        pytest.importorskip("pypdfium2")
        from models.evaluate.sheets import _print

        flat = pdf_print(_print(tmp_path, "qwinto"), "qwinto")
        assert flat.plan == sheet_plan("qwinto")
        for bar in flat.plan.bars:
            x, y, _, height = bar.box_mm
            column = round((x + 0.8 + flat.origin_mm[0]) * PX_PER_MM)
            row = round((y + height / 2 + flat.origin_mm[1]) * PX_PER_MM)
            wanted = [int(bar.colour[i : i + 2], 16) for i in (5, 3, 1)]
            assert np.abs(flat.image[row, column].astype(int) - wanted).max() < 6
        try:
            handwriting_folder()
        except LabError as error:
            pytest.skip(str(error))
        task = PdfTask("qwinto", 0.9, True, 0, tmp_path, tmp_path / "qwinto.pdf")
        scene = compose_pdf(task)
        assert scene.sheets[0].view.lying.scale == 0.9
        assert FIRST_SEED > 10_000_000


class TestHandwriting:
    """Digits of photographs as ink, and the table of what was read."""

    def test_ink_is_cut_to_the_digit(self) -> None:
        crop = np.full((64, 64), 170, np.uint8)
        crop[20:44, 30:34] = 60
        crop[:, 10] = 30  # a line of the grid beside it, darker than the pencil
        share = ink_share(crop)
        assert share is not None
        assert share.min() < 0.5
        assert share.shape[0] < 34
        assert share.shape[1] < 16
        crossed = crop.copy()
        crossed[:, 32] = 60
        assert ink_share(crossed) is None
        blank = np.full((1, 64, 64), 200, np.uint8)
        made = compose(np.random.default_rng(0), "11", {"1": crop[None]}, blank)
        dark = np.flatnonzero((made < 120).any(axis=0))
        assert len(dark) > 4
        assert np.diff(dark).max() > 2  # two strokes apart

    def test_summary(self) -> None:
        rows = [
            {"set": "a", "label": "3", "value": "3", "asked": False},
            {"set": "a", "label": "3", "value": "8", "asked": False},
            {"set": "a", "label": "3", "value": "8", "asked": True},
        ]
        hits = {line["figure"]: line["hits"] for line in summary(rows)}
        assert hits == {"right": 1, "asked": 1, "silently wrong": 1}
