"""The shipped network on sheets written by a plotter's font: nothing wrong is vouched for.

The font is nobody's hand and was never trained on, so that doubts are in order and mistakes
that are vouched for are not.
"""

import cv2
import numpy as np
import pytest

from tests.vision.coloured_sheets import picture_of, px, sheet_image
from vision.errors import WeightsMissing
from vision.plans.sheets import sheet_plan
from vision.read import PictureReading, read_picture
from vision.readers.sheets import is_empty, number_paths, symbol_paths, texts_of
from vision.sheets.models import FieldModels, load_field_models

INK_BGR = (110, 52, 40)
SYMBOLS: dict[str, list[list[tuple[float, float]]]] = {
    "/": [[(-1, 1), (1, -1)]],
    "X": [[(-1, -1), (1, 1)], [(-1, 1), (1, -1)]],
    "=": [[(-0.6, -1), (-0.6, 1)], [(0, -1), (0, 1)], [(0.6, -1), (0.6, 1)]],
    "#": [[(-0.4, -1), (-0.4, 1)], [(0.4, -1), (0.4, 1)], [(-1, -0.4), (1, -0.4)],
          [(-1, 0.4), (1, 0.4)]],
    "T": [[(0, -1), (1, 0.8), (-1, 0.8), (0, -1)]],
    "O": [[(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 40)]],
}  # fmt: skip


@pytest.fixture(scope="module")
def models() -> FieldModels:
    try:
        return load_field_models()
    except WeightsMissing as missing:
        pytest.skip(f"no network of sheets is shipped: {missing}")


def written(game: str, texts: dict[str, str]) -> np.ndarray:
    """A printed sheet of ours with texts in strokes of a pen, a little soft as from a camera."""
    image = sheet_image(game, {})
    for path, text in texts.items():
        centre = np.array(sheet_plan(game).field(path).centre_mm) * px() + 60
        if text in SYMBOLS:
            for stroke in SYMBOLS[text]:
                points = np.rint((centre + 3.4 * px() * np.array(stroke)) * 16).astype(np.int32)
                cv2.polylines(image, [points], False, INK_BGR, 4, cv2.LINE_AA, shift=4)
        else:
            scale = 0.3 * px()
            (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 4)
            at = (round(centre[0] - width / 2), round(centre[1] + height / 2))
            cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, INK_BGR, 4, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 1.0), np.uint8)


def read(models: FieldModels, game: str, texts: dict[str, str]) -> PictureReading:
    answer = read_picture(picture_of(written(game, texts)), game, "sheet", models=models)
    assert answer.refused is None
    return answer


def judged(answer: PictureReading, texts: dict[str, str]) -> tuple[int, list[str]]:
    """How many values are right, and which are wrong but vouched for."""
    (reading,) = answer.readings
    assert reading.layout is not None
    told, asked = texts_of(reading.layout), {doubt.where for doubt in reading.doubts}
    right = {w: v == texts[w] if w in texts else is_empty(w, v) for w, v in told.items()}
    return sum(right.values()), [w for w, ok in right.items() if not ok and w not in asked]


def test_numbers(models: FieldModels) -> None:
    texts = {path: str(n % 18 + 1) for n, path in enumerate(number_paths())}
    texts |= {"strip.rows[0]": "9", "strip.bonus[2]": "0", "strip.total": "43"}
    right, silent = judged(read(models, "qwinto", texts), texts)
    assert silent == []
    assert right >= 0.7 * 38


def test_symbols_and_sums(models: FieldModels) -> None:
    texts = {path: "/X=#TO"[n % 6] for n, path in enumerate(symbol_paths()) if n != 12}
    texts |= {"boxes.rows[1]": "-5", "boxes.cols[3]": "8", "boxes.total": "28"}
    right, silent = judged(read(models, "detrak", texts), texts)
    assert silent == []
    assert right >= 0.7 * 38


@pytest.mark.parametrize("game", ["qwinto", "detrak"])
def test_an_empty_sheet_is_empty(game: str, models: FieldModels) -> None:
    answer = read(models, game, {})
    assert judged(answer, {}) == (38, [])
    assert answer.readings[0].doubts == ()
