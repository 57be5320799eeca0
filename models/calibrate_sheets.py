"""Fits the temperatures of the classifier of sheets' fields, and the thresholds of doubt.

    arbitre-lab calibrate --what sheets

Sheets of the calibration split are found as in play, so that crops are as wrong as in play.
Temperatures minimise the negative log likelihood (Guo et al. 2017). Thresholds are chosen together:
those that ask least and keep what is vouched for but wrong under a target in every tier.
"""

import functools
import multiprocessing
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models import manifest
from models.calibrate import TEMPERATURES
from models.calibrate_dice import Judged
from models.compose.sheet_scene import GAMES, TrueField, TrueSheet, compose_sheet
from models.compose.sheet_set import state_of
from models.compose.tiers import TIERS
from models.render.progress import Progress
from models.ship import SHEET_FIELDS
from vision.cubes.classify import softmax
from vision.labels import FIELD_STATES
from vision.plans.sheets import sheet_plan
from vision.readers.sheet_fields import (
    PENALTY,
    SPOILT,
    candidates_of,
    failed_candidates,
    kind_of_doubt,
)
from vision.readers.sheets import EMPTY_NUMBER, EMPTY_SCORE, EMPTY_SYMBOL, SYMBOLS
from vision.sheets.classify import (
    OUTPUTS,
    FieldCalibration,
    FieldScores,
    combine_fields,
    places_of,
)
from vision.sheets.find import FoundSheet, find_sheets
from vision.sheets.models import FieldModels, FieldThresholds, load_field_models
from vision.sheets.nudges import NUDGES, is_doubtful, nudged, pooled
from vision.sheets.sights import cut, gain_of

FIRST_SEED: Final = 7_000_000
"""Seeds of calibration scenes: apart from training and evaluation."""
SILENT_TARGET: Final = {"clean": 0.0009, "everyday": 0.0018, "hard": 0.006}
"""Share of all fields that may be vouched for and wrong: six tenths of the project's floors (0.15,
0.3, 1 %). Counted on sheets that the thresholds were not chosen on, nine tenths came to 0.13, 0.28
and 0.59 %: the next sheets might well break the floors."""
THRESHOLDS: Final = (
    0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.975, 0.98, 0.985, 0.99,
    0.993, 0.995, 0.997, 0.998, 0.999, 0.9995, 1.01,
)  # fmt: skip
"""Tried for each kind. None lower: a few hundred fields of a kind show no silent error long before
there is none, and with calibrated probabilities one in ten of what lies at the first is wrong. The
last asks about everything."""
MISPLACED: Final = 0.05
"""Corners further from the true ones than this share of the sheet's diagonal: it was not found."""
EMPTY: Final = {"symbol": EMPTY_SYMBOL, "score": EMPTY_SCORE, "strip": EMPTY_SCORE}
"""Text of an empty field by its kind; of all other kinds that of a number field."""
Logits = tuple[NDArray[np.float32], ...]


@dataclass(frozen=True, slots=True)
class SeenSheetFields:
    """The fields of one composed sheet that was found.

    Attributes:
        tier: Of the scene.
        game: Whose sheet.
        truth: Its fields, in the plan's order.
        logits: One array (N, looks, classes) for each of `vision.sheets.classify.OUTPUTS`; the
            first look is the field itself, the others those of a second look.
    """

    tier: str
    game: str
    truth: tuple[TrueField, ...]
    logits: Logits

    def settled(self, calibration: FieldCalibration) -> tuple[FieldScores, ...]:
        """Scores of all fields as the program settles on them: doubtful ones looked at twice."""
        count, looks = self.logits[0].shape[:2]
        flat = combine_fields(
            [part.reshape(count * looks, -1) for part in self.logits], calibration
        )
        told = [flat[i * looks : (i + 1) * looks] for i in range(count)]
        return tuple(
            pooled(group) if is_doubtful(field.kind, group[0]) else group[0]
            for field, group in zip(self.truth, told, strict=True)
        )


def fit_sheets(count: int, workers: int) -> None:
    """Fit on ``count`` scenes a tier and game, and note the figures in the manifest."""
    sheets = collect(count, workers)
    calibration = fit_temperatures(sheets)
    told = [(sheet, sheet.settled(calibration)) for sheet in sheets]
    facts: dict[str, float] = {
        "state_temperature": calibration.state_temperature,
        "number_temperature": calibration.number_temperature,
        "symbol_temperature": calibration.symbol_temperature,
    }
    judged = judge(told)
    for kind, (_, wrong, _) in judged.items():
        print(f"{kind}: {len(wrong)} fields, {int(wrong.sum())} of them wrong")
    facts |= {f"{kind}_threshold": chosen for kind, chosen in thresholds_of(judged).items()}
    report(judged, facts)
    print(facts, f"from {len(sheets)} sheets")
    manifest.put(SHEET_FIELDS, None, facts)


def thresholds_of(judged: dict[str, Judged]) -> dict[str, float]:
    """Thresholds of all kinds that together ask least.

    `SILENT_TARGET` bounds all fields of a tier together, so kinds share it as it is worth most: a
    kind with few errors, all of them sure, may keep them where that spares many questions
    elsewhere. Of all combinations within the bounds it is the one that asks about the least share
    of fields, in the mean of the tiers; if none is within them, all is asked.
    """
    sizes = (len(THRESHOLDS),) * len(judged)
    asked, allowed = np.zeros(sizes), np.ones(sizes, bool)
    for tier, target in SILENT_TARGET.items():
        count = sum(int((tiers == tier).sum()) for _, _, tiers in judged.values())
        if count:
            told = [_at_thresholds(*one, tier) for one in judged.values()]
            asked += functools.reduce(np.add.outer, [here for here, _ in told]) / count
            allowed &= functools.reduce(np.add.outer, [here for _, here in told]) <= target * count
    best = np.unravel_index(int(np.where(allowed, asked, np.inf).argmin()), sizes)
    if not allowed[best]:
        return dict.fromkeys(judged, THRESHOLDS[-1])
    return {kind: THRESHOLDS[index] for kind, index in zip(judged, best, strict=True)}


def _at_thresholds(
    confidence: NDArray[np.float64], wrong: NDArray[np.bool_], tiers: NDArray[np.str_], tier: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Fields of a tier that each of `THRESHOLDS` asks about, and those it leaves silently wrong."""
    here = tiers == tier
    sure = confidence[here] >= np.array(THRESHOLDS)[:, None]
    return (~sure).sum(axis=1), (sure & wrong[here]).sum(axis=1)


def collect(count: int, workers: int) -> list[SeenSheetFields]:
    """Send scenes of the calibration split through finder and classifier."""
    tasks = [
        (tier, game, FIRST_SEED + 100_000 * t + 50_000 * g + n)
        for t, tier in enumerate(TIERS)
        for g, game in enumerate(GAMES)
        for n in range(count)
    ]
    progress = Progress(len(tasks), "reading calibration sheets")
    sheets: list[SeenSheetFields] = []
    missed = 0
    with multiprocessing.get_context("spawn").Pool(workers, _start) as pool:
        for found, lost in pool.imap(_sheets_of, tasks):
            progress.step()
            sheets += found
            missed += lost
    print(f"{len(sheets)} sheets found, {missed} not")
    return sheets


_models: FieldModels | None = None


def _start() -> None:
    global _models
    cv2.setNumThreads(1)
    _models = load_field_models()


def _sheets_of(task: tuple[str, str, int]) -> tuple[list[SeenSheetFields], int]:
    assert _models is not None
    tier, game, seed = task
    scene = compose_sheet(seed, "calibration", tier, game)
    found = find_sheets(scene.image_bgr, game)
    seen = []
    for true in scene.sheets:
        sheet = match(true, found)
        if sheet is None:
            continue
        places = sheet_plan(true.game, true.edition).fields
        gain = gain_of(scene.image_bgr, sheet)
        crops = [
            cut(scene.image_bgr, sheet, centre_mm, size_mm, gain)
            for place in places
            for centre_mm, size_mm in ((place.centre_mm, place.size_mm), *nudged(place))
        ]
        logits = _models.classifier.logits(np.stack(crops))  # type: ignore[attr-defined]
        looks = tuple(part.reshape(len(places), len(NUDGES) + 1, -1) for part in logits)
        seen.append(SeenSheetFields(tier, game, true.fields, looks))
    return seen, len(scene.sheets) - len(seen)


def match(true: TrueSheet, found: Sequence[FoundSheet]) -> FoundSheet | None:
    """The found sheet that is this one, of the same print and the same way up; None for none."""
    corners = np.array(true.outline_px)
    limit = MISPLACED * float(np.linalg.norm(corners[2] - corners[0]))
    for sheet in found:
        away = float(np.linalg.norm(np.array(sheet.outline_px) - corners, axis=1).mean())
        same = (sheet.game, sheet.edition) == (true.game, true.edition)
        if same and away < limit and sheet.reason is None:
            return sheet
    return None


def true_value(field: TrueField) -> str:
    """What a perfect reader says of a field: text of the reading, with that of an empty one."""
    if not field.text:
        return EMPTY.get(field.kind, EMPTY_NUMBER)
    return str(abs(int(field.text))) if field.path == PENALTY else field.text


def fit_temperatures(sheets: Sequence[SeenSheetFields]) -> FieldCalibration:
    """The three temperatures of least negative log likelihood, over the first looks.

    Fields that a finger or glare hides in part tell nothing of the state, as in training: with them
    its temperature was 1.5 instead of 1.0, and the hard tier asked about 81 instead of 73 %.
    """
    logits = [
        np.concatenate([sheet.logits[index][:, 0] for sheet in sheets])
        for index in range(len(OUTPUTS))
    ]
    fields = [field for sheet in sheets for field in sheet.truth]
    written = [i for i, field in enumerate(fields) if field.state == "written"]
    symbols = [i for i in written if fields[i].kind == "symbol"]
    numbers = [i for i in written if fields[i].kind not in ("symbol", "failed", "blank")]
    told = [(i, state) for i, field in enumerate(fields) if (state := state_of(field)) is not None]
    states = np.array([FIELD_STATES.index(state) for _, state in told])
    shown = np.array([SYMBOLS.index(fields[i].text) for i in symbols])
    places = np.array([places_of(int(fields[i].text)) for i in numbers]).reshape(-1, 4)
    return FieldCalibration(
        _temperature([(logits[0][[i for i, _ in told]], states)]),
        _temperature(
            [(logits[1 + place][numbers], places[:, place]) for place in range(places.shape[1])]
        ),
        _temperature([(logits[-1][symbols], shown)]),
    )


def _temperature(answers: Sequence[tuple[NDArray[np.float32], NDArray[np.int64]]]) -> float:
    """One temperature for several answers (N, classes) with their true classes (N,)."""

    def loss(temperature: float) -> float:
        return sum(
            float(-np.log(np.maximum(_chances(logits, labels, temperature), 1e-9)).mean())
            for logits, labels in answers
        )

    return round(float(min(TEMPERATURES, key=lambda t: loss(float(t)))), 3)


def _chances(
    logits: NDArray[np.float32], labels: NDArray[np.int64], temperature: float
) -> NDArray[np.float64]:
    """Probability of each true class."""
    shares = softmax(logits / np.float32(temperature))
    return np.asarray(shares[np.arange(len(labels)), labels], np.float64)


def judge(
    told: Sequence[tuple[SeenSheetFields, Sequence[FieldScores]]],
) -> dict[str, Judged]:
    """Confidence of the answer, whether it is wrong, and the tier, by kind of threshold.

    A field that looks spoilt is asked about in any case: its confidence counts as none.
    """
    rows: dict[str, list[tuple[float, bool, str]]] = {
        name: [] for name in FieldThresholds.__dataclass_fields__
    }
    for sheet, scores in told:
        places = {place.path: place for place in sheet_plan(sheet.game).fields}
        boxes, marked = [], 0
        for field, one in zip(sheet.truth, scores, strict=True):
            place = places[field.path]
            if field.kind == "failed":
                boxes.append(one)
                marked += bool(field.text)
            elif field.kind != "blank":
                ranked = candidates_of(place, one)
                value, chance = ranked[0]
                sure = 0.0 if one.states[2] >= SPOILT else chance
                wrong = value != true_value(field)
                rows[kind_of_doubt(field.kind, value)].append((sure, wrong, sheet.tier))
        if boxes:
            value, chance = failed_candidates(boxes)[0]
            rows["failed"].append((chance, int(value) != marked, sheet.tier))
    return {
        kind: (
            np.array([sure for sure, _, _ in found]),
            np.array([wrong for _, wrong, _ in found], bool),
            np.array([tier for _, _, tier in found], np.str_),
        )
        for kind, found in rows.items()
    }


def report(judged: dict[str, Judged], facts: dict[str, float]) -> None:
    """Print what the thresholds come to together, a tier a line."""
    for tier in TIERS:
        count = asked = silent = right = 0
        for kind, (confidence, wrong, tiers) in judged.items():
            here = tiers == tier
            sure = confidence >= facts[f"{kind}_threshold"]
            count += int(here.sum())
            asked += int((here & ~sure).sum())
            silent += int((here & sure & wrong).sum())
            right += int((here & ~wrong).sum())
        if count:
            shares = ", ".join(
                f"{name} {100 * part / count:.2f} %"
                for name, part in (("right", right), ("asked", asked), ("silent wrong", silent))
            )
            print(f"{tier}: {count} fields of found sheets, {shares}")
