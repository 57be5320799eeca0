"""Phone photographs of handwritten digits through the classifier of fields, and the OCR baseline.

Crops of single pencil digits in a printed grid, by one writer who is in no training set; numbers of
11 to 18 are composed of two of them on a blank square of the same source, since its own two-digit
crops hold few of them. It knows no 0, so 10 is left out. The general reader that ours is compared
with is PP-OCR's recogniser, see `models.evaluate.ocr_baseline`.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.handwriting import handwriting_folder
from models.evaluate.ocr_baseline import OcrBaseline
from models.evaluate.run import EvaluateConfig
from models.evaluate.sheets_reading import weights_name
from models.evaluate.sheets_table import rate
from models.evaluate.table import write_rows
from vision.crops import FIELD_CROP_SIDE, FIELD_SIDE
from vision.readers.sheet_fields import asked_about, number_candidates
from vision.readers.sheets import EMPTY_NUMBER
from vision.sheets.models import FieldModels, load_field_models
from vision.weights import MODELS

Bytes = NDArray[np.uint8]
Row = dict[str, Any]

SOURCE: Final = "sudoku_phone"
SEED: Final = 17
COMPOSED: Final = 100
"""Composed crops of each number."""
_RIM: Final = 0.11
"""Part of a crop on each side where the grid's lines lie; the digit stands within."""
_TALL: Final = 0.56  # of a composed digit, in sides of the square, as single ones are
_WIDE: Final = 0.7  # of a number of two digits, in sides of the square around it
_AROUND: Final = 0.2  # of a crop on each side: what has most ink between is the digit
_FAINT: Final = 0.35  # of a digit's darkest: as dark is ink
_PART: Final = 0.05  # of a digit's ink: less is a speck and no stroke of its own
_LINE: Final = 0.8  # of a cell: nothing written is as long, lines of the grid are
_BATCH: Final = 500
_PAPER_PX: Final = 21  # digits' strokes are 3 to 5 px wide

Sample = tuple[str, str, Bytes]
"""Set, truth as a field's text, and the crop (64, 64)."""


def measure_handwriting_dev(config: EvaluateConfig) -> None:
    """Single digits 1 to 9, numbers composed of them, the source's own numbers, blank squares."""
    models = load_field_models(config.weights or MODELS)
    ocr = OcrBaseline(config.ocr) if config.ocr else None
    samples = list(_samples())
    rows = []
    for start in range(0, len(samples), _BATCH):
        rows += _read(models, samples[start : start + _BATCH])
    if ocr is not None:
        for row, (_, _, crop) in zip(rows, samples, strict=True):
            row["ocr"] = ocr.read(_inner(crop))[0]
    write_rows(config.out / "handwriting_dev.csv", rows)
    lines = summary(rows)
    weights = weights_name(config.weights or MODELS)
    summed = [line | {"weights": weights} for line in lines]
    write_rows(config.out / "handwriting_dev_summary.csv", summed)
    for line in lines:
        print(" ".join(str(value) for value in line.values()))


def summary(rows: Sequence[Row]) -> list[Row]:
    """Rates of each set: right, asked, silently wrong, and right by the general reader."""
    lines = []
    for name in dict.fromkeys(row["set"] for row in rows):
        of = [row for row in rows if row["set"] == name]
        counts = {
            "right": sum(row["value"] == row["label"] for row in of),
            "asked": sum(row["asked"] for row in of),
            "silently wrong": sum(row["value"] != row["label"] and not row["asked"] for row in of),
        }
        if "ocr" in of[0]:
            counts["right by PP-OCR"] = sum(
                row["ocr"] == row["label"].replace(EMPTY_NUMBER, "") for row in of
            )
        lines += [{"set": name} | rate(figure, hits, len(of)) for figure, hits in counts.items()]
    return lines


def _samples() -> Iterator[Sample]:
    digits = {str(d): _pictures(f"digit_{d}") for d in range(1, 10)}
    for digit, images in digits.items():
        for image in images:
            yield "single digits 1 to 9", digit, image
    blanks = _pictures("blank")
    for image in blanks:
        yield "blank", EMPTY_NUMBER, image
    rng = np.random.default_rng(SEED)
    for number in range(11, 19):
        for _ in range(COMPOSED):
            yield (
                "numbers 11 to 18, composed",
                str(number),
                compose(rng, str(number), digits, blanks),
            )
    with np.load(handwriting_folder() / "dev" / SOURCE / "numbers.npz") as file:
        for image, label in zip(file["images"], file["label"], strict=True):
            if str(label).isdecimal() and 10 <= int(label) <= 18:
                yield "the source's own numbers 12 to 18", str(label), centred(image)


def _pictures(name: str) -> Bytes:
    with np.load(handwriting_folder() / "dev" / SOURCE / f"{name}.npz") as file:
        return np.asarray(file["images"], np.uint8)


def compose(
    rng: np.random.Generator, number: str, digits: dict[str, Bytes], blanks: Bytes
) -> Bytes:
    """A number of two photographed digits on a photographed blank square.

    What paper takes of the light is carried over: each digit's crop over its own paper.
    """
    paper = blanks[int(rng.integers(len(blanks)))].astype(np.float32)
    side = paper.shape[0]
    shares, wide = [], 0
    for digit in number:
        share = None
        while share is None:
            share = ink_share(digits[digit][int(rng.integers(len(digits[digit])))])
        scale = _TALL * side / max(share.shape[0], 1)
        size = (max(2, round(share.shape[1] * scale)), max(2, round(share.shape[0] * scale)))
        shares.append(cv2.resize(share, size, interpolation=cv2.INTER_AREA))
        wide += size[0]
    gap = round(float(rng.uniform(0.0, 0.1)) * side)
    fit = min(1.0, 0.8 * side / (wide + gap))
    left = side / 2 - (wide + gap) * fit / 2
    for share in shares:
        size = (max(2, round(share.shape[1] * fit)), max(2, round(share.shape[0] * fit)))
        small = cv2.resize(share, size, interpolation=cv2.INTER_AREA)
        top = round(side / 2 - size[1] / 2 + float(rng.normal(0, 0.02)) * side)
        x = round(left)
        part = paper[max(top, 0) : top + size[1], x : x + size[0]]
        part *= small[: part.shape[0], : part.shape[1]]
        left += size[0] + gap * fit
    return np.clip(paper, 0, 255).astype(np.uint8)


def centred(crop: Bytes) -> Bytes:
    """The square around what is written, where it stands in a corner of its cell."""
    inner = _inner(crop)
    count, parts, boxes, _ = cv2.connectedComponentsWithStats(_dark(_share(inner)).astype(np.uint8))
    lines = [i for i in range(1, count) if max(boxes[i, 2:4]) > _LINE * inner.shape[0]]
    dark = (parts > 0) & ~np.isin(parts, lines)
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    if len(rows) == 0:
        return inner
    side = round(max(np.ptp(rows), np.ptp(columns)) / _WIDE)
    top, left = round((rows[0] + rows[-1] - side) / 2), round((columns[0] + columns[-1] - side) / 2)
    pad = side
    wide = cv2.copyMakeBorder(inner, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(wide[top + pad : top + pad + side, left + pad : left + pad + side])


def ink_share(crop: Bytes) -> NDArray[np.float32] | None:
    """What is left of the light where a digit is written, (h, w) 0-1, cut to the digit.

    Around its strokes it is 1. None where the digit runs into the grid's lines, or goes from side
    to side: what would be cut out is no digit.
    """
    share = _share(_inner(crop))
    middle = slice(round(_AROUND * len(share)), round((1 - _AROUND) * len(share)))
    # lines of the grid are darker than pencil: the digit's own darkness says what is ink
    faint = 1 - _FAINT * (1 - share[middle, middle].min())
    dark = cv2.morphologyEx((share < faint).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3)))
    count, parts, boxes, _ = cv2.connectedComponentsWithStats(dark)
    inked = np.bincount(parts[middle, middle].ravel(), minlength=count)[1:]
    if inked.size == 0 or not inked.any():
        return None
    digit = 1 + int(inked.argmax())
    sides = [_sides(boxes[part], len(share)) for part in range(count)]
    if sides[digit] in ("across", "down"):
        return None
    least = _PART * boxes[digit, cv2.CC_STAT_AREA]
    kept = [n for n in range(1, count)
            if n == digit or (not sides[n] and boxes[n, cv2.CC_STAT_AREA] >= least)]  # fmt: skip
    ink = np.isin(parts, kept)
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    around = cv2.dilate(ink.astype(np.uint8), np.ones((5, 5))) > 0
    alone = np.where(around, share, 1.0).astype(np.float32)
    top, left = max(rows[0] - 2, 0), max(columns[0] - 2, 0)
    return np.asarray(alone[top : rows[-1] + 3, left : columns[-1] + 3], np.float32)


def _sides(box: NDArray[np.int32], side: int) -> str:
    """How a part lies at the rim: nothing, at one side, or from side to side."""
    x, y, width, height = (int(n) for n in box[:4])
    at = (x == 0, x + width == side, y == 0, y + height == side)
    if at[0] and at[1]:
        return "across"
    if at[2] and at[3]:
        return "down"
    return "one" if any(at) else ""


def _share(inner: Bytes) -> NDArray[np.float32]:
    paper = cv2.medianBlur(cv2.dilate(inner, np.ones((9, 9))), _PAPER_PX).astype(np.float32)
    return np.clip(inner.astype(np.float32) / np.maximum(paper, 1), 0, 1)


def _dark(share: NDArray[np.float32]) -> NDArray[np.bool_]:
    return np.asarray(share < (share.min() + 1) / 2)


def _inner(crop: Bytes) -> Bytes:
    """Without the rim where the grid's lines lie."""
    cut = round(_RIM * crop.shape[0])
    return np.ascontiguousarray(crop[cut:-cut, cut:-cut])


def as_field(crop: Bytes) -> Bytes:
    """A cell as readers cut it, `FIELD_SIDE` times as wide; what lies beyond it is mirrored.

    Returns:
        (FIELD_CROP_SIDE, FIELD_CROP_SIDE, 3) uint8.
    """
    pad = round((FIELD_SIDE - 1) / 2 * crop.shape[0])
    wide = cv2.copyMakeBorder(crop, pad, pad, pad, pad, cv2.BORDER_REFLECT_101)
    small = cv2.resize(wide, (FIELD_CROP_SIDE,) * 2, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_GRAY2BGR), np.uint8)


def _read(models: FieldModels, samples: Sequence[Sample]) -> list[Row]:
    """What the program says of crops, as if they were number fields of a sheet."""
    crops = [as_field(crop) for _, _, crop in samples]
    rows = []
    scores = models.classifier.classify(np.asarray(np.stack(crops), np.uint8))
    for (name, label, _), told in zip(samples, scores, strict=True):
        ranked = number_candidates(told)
        value, chance = ranked[0]
        rows.append(
            {
                "set": name, "label": label, "value": value, "confidence": round(chance, 4),
                "asked": asked_about("number", ranked, told, models.thresholds),
            }
        )  # fmt: skip
    return rows
