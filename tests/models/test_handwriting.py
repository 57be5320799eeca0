"""Tests of handwriting: sources and their splits, thinning, pens, writers."""

import gzip
import itertools
from pathlib import Path

import numpy as np
import pytest

from models.compose import handwriting_strokes as strokes
from models.compose import handwriting_whole
from models.compose.assets import rows
from models.compose.handwriting import (
    SOURCES,
    SPLITS,
    handwriting_folder,
    pictures,
    real_glyph,
    sources_of,
)
from models.compose.handwriting_glyphs import FURTHEST, INNER, SIDE, from_bitmap, from_paths, thin
from models.compose.handwriting_pens import draw_pen
from models.compose.handwriting_whole import add_whole, whole
from models.compose.handwriting_writer import Writer, bounds_mm, far_mm
from models.errors import LabError
from vision.labels import FIELD_SYMBOLS


@pytest.fixture(scope="module")
def writing() -> None:
    """Skip where the handwriting of others is not there."""
    try:
        handwriting_folder()
    except LabError as error:
        pytest.skip(str(error))


class TestSources:
    """Sources of others are split by id or writer, and missing ones are one clear line."""

    def test_missing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ARBITRE_HANDWRITING", "/nowhere/at/all")
        with pytest.raises(LabError, match="set ARBITRE_HANDWRITING"):
            handwriting_folder()

    @pytest.mark.usefixtures("writing")
    def test_no_id_is_in_two_splits(self) -> None:
        for sign, places in SOURCES.items():
            for source, name in places:
                ids = [set(pictures(split, source, name)[1]) for split in SPLITS]
                assert all(ids), (sign, source)
                for first, second in itertools.combinations(ids, 2):
                    assert not first & second, (sign, source)

    @pytest.mark.usefixtures("writing")
    def test_no_writer_is_in_two_splits(self) -> None:
        for name in ("circle", "triangle"):  # ids are SHAPE.WRITER.NUMBER.png
            writers = [{i.split(".")[1] for i in pictures(s, "hds", name)[1]} for s in SPLITS]
            for first, second in itertools.combinations(writers, 2):
                assert not first & second

    @pytest.mark.usefixtures("writing")
    def test_every_sign_can_be_had(self) -> None:
        rng = np.random.default_rng(5)
        for sign in SOURCES:
            for source in sources_of(sign):
                assert real_glyph(rng, "evaluation", sign, source) is not None, (sign, source)

    def test_the_whole_of_mnist_is_added_to_training_alone(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        digits = np.repeat(np.arange(10, dtype=np.uint8), 2)
        drawn = np.random.default_rng(3).integers(0, 256, (20, 28, 28)).astype(np.uint8)
        (tmp_path / "data").mkdir()
        (tmp_path / "data" / "train-images-idx3-ubyte").write_bytes(
            np.array([2051, 20, 28, 28], ">i4").tobytes() + drawn.tobytes()
        )
        (tmp_path / "data" / "train-labels-idx1-ubyte.gz").write_bytes(
            gzip.compress(np.array([2049, 20], ">i4").tobytes() + digits.tobytes())
        )
        monkeypatch.setattr(handwriting_whole, "WHOLE", tmp_path / "whole")
        whole.cache_clear()
        assert whole("digit_3")[1] == ()
        whole.cache_clear()
        assert add_whole(tmp_path, tmp_path / "whole") == 20
        images, names = whole("digit_3")
        whole.cache_clear()
        assert names == ("train-6", "train-7")
        assert np.array_equal(images, 255 - drawn[6:8])

    def test_what_is_no_mnist_is_one_line(self, tmp_path: Path) -> None:
        with pytest.raises(LabError, match="no train-images-idx3-ubyte in"):
            add_whole(tmp_path)
        (tmp_path / "train-images-idx3-ubyte").write_bytes(b"PK\x03\x04 something else")
        with pytest.raises(LabError, match="is no file of MNIST"):
            add_whole(tmp_path)

    def test_lists_are_disjoint(self) -> None:
        for key in ("pens", "papers", "printers", "qwinto", "detrak"):
            names = [{row["name"] for row in rows("sheets", key, split)} for split in SPLITS]
            assert all(names), key
            for first, second in itertools.combinations(names, 2):
                assert not first & second, key


class TestGlyphs:
    """Fields tell the distance to the pen's way."""

    def test_thinning_leaves_a_line_and_keeps_a_ring(self) -> None:
        bar = np.zeros((40, 60), np.uint8)
        bar[15:24, 8:52] = 1
        line = thin(bar)
        assert line.sum(axis=0).max() == 1
        assert line.any(axis=0).sum() > 30
        y, x = np.mgrid[:60, :60]
        away = np.hypot(x - 30, y - 30)
        ring = thin(((away > 14) & (away < 23)).astype(np.uint8))
        assert ring.sum() > 80
        assert not ring[25:35, 25:35].any()
        assert (np.hypot(*np.nonzero(ring)[::-1] - np.array([[30], [30]])) - 18.5).max() < 3

    def test_distance_of_a_line(self) -> None:
        glyph = from_paths([np.array([(0.0, 0.0), (0.0, 1.0)])])
        assert glyph.width < 0.05
        assert glyph.height == pytest.approx(1.0)
        row = glyph.field[SIDE // 2] / 255 * FURTHEST
        middle = int(np.argmin(row))
        assert abs(middle - SIDE / 2) <= 1
        assert row[middle] < 0.01
        assert row[middle + 8] == pytest.approx(8 / INNER, abs=0.015)

    def test_bitmaps_and_paths_agree(self) -> None:
        picture = np.full((28, 28), 255, np.uint8)
        picture[4:24, 12:15] = 0
        found = from_bitmap(picture)
        assert found is not None
        assert found.height > 3 * found.width
        assert found.field[SIDE // 2, SIDE // 2] < 25
        assert from_bitmap(np.full((28, 28), 255, np.uint8)) is None

    def test_filled_blots_are_refused(self) -> None:
        picture = np.full((28, 28), 255, np.uint8)
        picture[5:23, 5:23] = 0
        assert from_bitmap(picture) is None


@pytest.mark.usefixtures("writing")
class TestWriters:
    """One hand writes numbers, symbols and marks where it should."""

    def test_digits_stand_in_order_and_fit(self) -> None:
        for seed in range(12):
            writer = Writer(np.random.default_rng(seed), "train", _pens())
            placed = writer.number("18", (11.3, 11.3))
            low, high = bounds_mm(placed)
            assert placed[0].shift_mm[0] < placed[1].shift_mm[0]
            assert (high - low <= np.array([11.3, 11.9]) + 1e-6).all()
            assert np.abs((low + high) / 2).max() < 3

    def test_a_hand_follows_its_seed(self) -> None:
        def once(seed: int) -> np.ndarray:
            writer = Writer(np.random.default_rng(seed), "train", _pens())
            return far_mm(writer.number("17", (12.0, 12.0)), 8.0, np.array([6.0, 6.0]))[0]

        assert np.array_equal(once(3), once(3))
        assert once(3).shape != once(4).shape or not np.array_equal(once(3), once(4))

    def test_all_signs_leave_ink_inside_their_window(self) -> None:
        rng = np.random.default_rng(2)
        writer = Writer(rng, "evaluation", tuple(rows("sheets", "pens", "evaluation")))
        signs = [writer.symbol(name, 12.0) for name in FIELD_SYMBOLS]
        signs += [writer.failed(8.2), writer.number("-20", (12.0, 12.0))]
        signs += [writer.strike(signs[0]), writer.scribble_over(signs[0])]
        for placed in signs:
            far, _, _ = far_mm(placed, 8.0, np.zeros(2))
            assert far.min() < 0.15
            rim = np.concatenate([far[0], far[-1], far[:, 0], far[:, -1]])
            assert rim.min() > 0.5  # nothing is cut off

    def test_pens_darken_only_where_they_went(self) -> None:
        rng = np.random.default_rng(8)
        for row in rows("sheets", "pens", "train"):
            pen = draw_pen(rng, (row,))
            paper = np.full((40, 80, 3), 0.9, np.float32)
            far = np.full((40, 80), 9.0, np.float32)
            far[18:22] = 0.0
            pen.lay(rng, paper, far, 8.0)
            assert (paper[:10] == np.float32(0.9)).all()
            assert paper[18:22].mean() < 0.75, row["name"]

    def test_templates_have_every_style(self) -> None:
        rng = np.random.default_rng(1)
        for digit, styles in strokes.DIGITS.items():
            for style in styles:
                paths = strokes.digit(rng, digit, style)
                span = np.ptp(np.concatenate(paths), axis=0)
                assert 0.8 < span[1] < 1.3, (digit, style)


def _pens() -> tuple:
    return tuple(rows("sheets", "pens", "train"))
