"""Fits the temperature of the classifier of number tiles, and the thresholds of doubt.

    arbitre-lab calibrate --what tiles --count 40

The temperature minimises the negative log likelihood (Guo et al. 2017) of crops of calibration
scenes, cut with a finder's error. Then whole boards go through the detector, the search for the
lattice and the reader; each threshold is the smallest that keeps what is vouched for but wrong
under a target in every tier.
"""

import multiprocessing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models import manifest
from models.calibrate import TEMPERATURES
from models.compose.tiers import TIERS
from models.compose.tile_lists import require_fonts
from models.compose.tile_scene import compose_tiles
from models.compose.tile_set import crops
from models.evaluate.tiles_score import place
from models.evaluate.tiles_truth import EMPTY, keep, kept
from models.places import BUILD
from models.render.progress import Progress
from vision.cubes.classify import softmax
from vision.pictures import decode_picture
from vision.readers.quinto import DIGITS, read_tile_board
from vision.tiles.find import see_tile_boards
from vision.tiles.models import CLASSIFIER, TileModels, TileThresholds, load_tile_models

FIRST_SEED: Final = 18_000_000
"""Seeds of calibration scenes: apart from training and evaluation."""
TILE_TARGET: Final = {"clean": 0.0005, "everyday": 0.0015, "hard": 0.0075}
"""Share of tiles that may be vouched for and wrong. A board has about five cells a tile, and nearly
all that is silently wrong are tiles, so of all cells it is a fifth of this; our limits there are
0.01, 0.03 and 0.15 %."""
EMPTY_TARGET: Final = {"clean": 0.00005, "everyday": 0.00015, "hard": 0.0007}
"""Share of cells called empty that may hold a tile, vouched for: about half of the limits."""
THRESHOLDS: Final = (
    *(0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.96, 0.97, 0.98, 0.985, 0.99, 0.993, 0.995),
    *(0.997, 0.998, 0.999, 0.9995, 0.9998),
)
MISPLACED: Final = 0.2
"""Share of wrong cells over which a board was misplaced or read from a wrong side: no doubt about
single cells cures that."""
FOLDER: Final = BUILD / "calibration_tiles"

Task = tuple[str, int]
"""Tier and number of a scene."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Answers of the whole pipeline, one row a cell.

    Attributes:
        sure: (N,) probability of the answer.
        empty: (N,) the answer is an empty cell.
        wrong: (N,) the answer is wrong.
        tiers: (N,) name of the tier.
    """

    sure: NDArray[np.float64]
    empty: NDArray[np.bool_]
    wrong: NDArray[np.bool_]
    tiers: NDArray[np.str_]


def fit_tiles(count: int, workers: int) -> None:
    """Fit on ``count`` boards a tier, and note the figures in the manifest.

    The temperature is noted first: thresholds are of probabilities after it. Pictures are kept in
    the build folder: delete ``calibration_tiles`` there after a change of what composes scenes.

    Raises:
        LabError: fonts are missing.
    """
    require_fonts("calibration")
    tasks = [(tier, number) for tier in TIERS for number in range(count)]
    logits, classes = (
        np.concatenate(parts) for parts in zip(*_all(_crops, tasks, workers), strict=True)
    )
    facts = {"temperature": fit_temperature(logits, classes)}
    print(facts, f"from {len(classes)} crops, {(logits.argmax(1) == classes).mean():.4f} right")
    manifest.put(CLASSIFIER, None, facts)
    seen = Seen(*(np.concatenate(p) for p in zip(*_all(_cells, tasks, workers), strict=True)))
    facts["tile_threshold"] = choose(seen, TILE_TARGET, empty=False)
    facts["empty_threshold"] = choose(seen, EMPTY_TARGET, empty=True)
    print(facts, f"from {len(seen.sure)} cells")
    manifest.put(CLASSIFIER, None, facts)


def fit_temperature(logits: NDArray[np.float32], classes: NDArray[np.int64]) -> float:
    """Temperature of least negative log likelihood of logits (N, 43) and true classes (N,)."""
    rows = np.arange(len(classes))

    def loss(temperature: float) -> float:
        told = softmax(logits / np.float32(temperature))
        return float(-np.log(np.maximum(told[rows, classes], 1e-9)).mean())

    return round(float(min(TEMPERATURES, key=lambda t: loss(float(t)))), 3)


def choose(seen: Seen, target: dict[str, float], *, empty: bool) -> float:
    """The smallest threshold that keeps silent errors under the target in every tier.

    Of tiles, which are few, one error more is reckoned with than was seen (Laplace's rule of
    succession): 60 clean boards hold some 2 500, of which the target allows one. Of empty cells no
    set of our size could show what their target wants.

    Args:
        seen: all cells.
        target: share by tier.
        empty: of cells called empty, else of those called a digit.
    """
    kind, spare = seen.empty == empty, 0 if empty else 1
    for threshold in THRESHOLDS:
        vouched = seen.sure >= threshold
        shares = {}
        for tier in target:
            of = kind & (seen.tiers == tier)
            if of.any():
                silent = ((vouched & seen.wrong)[of].sum() + spare) / (of.sum() + 2 * spare)
                shares[tier] = (float(silent), float((~vouched)[of].mean()))
        print(threshold, {k: f"silent {s:.5f} asked {a:.4f}" for k, (s, a) in shares.items()})
        if all(silent <= target[tier] for tier, (silent, _) in shares.items()):
            break
    return threshold


# ---------------------------------------------------------------------- workers
_models: TileModels | None = None


def _all(work: Callable[[Task], Any], tasks: list[Task], workers: int) -> list[tuple[Any, ...]]:
    """What a function makes of all tasks, in processes; what it has nothing to say of left out."""
    progress = Progress(len(tasks), "reading calibration boards")
    parts = []
    with multiprocessing.get_context("spawn").Pool(workers, _start) as pool:
        for part in pool.imap(work, tasks):
            progress.step()
            if part is not None:
                parts.append(part)
    return parts


def _start() -> None:
    global _models
    cv2.setNumThreads(1)
    _models = load_tile_models()


def _crops(task: Task) -> tuple[NDArray[np.float32], NDArray[np.int64]] | None:
    """Logits (N, 43) and true classes (N,) of crops of a scene, which is composed once."""
    assert _models is not None
    path = FOLDER / f"{_name(task)}.npz"
    if not path.exists():
        seed = _seed(task)
        scene = compose_tiles(seed, "calibration", task[0], "board")
        cut = crops(scene, np.random.default_rng([seed, 6]))
        keep(path.parent, _name(task), scene)
        np.savez(path, images=cut.images, classes=cut.classes)
    with np.load(path) as file:
        images, classes = file["images"], file["classes"].astype(np.int64)
    if not len(images):
        return None
    return _models.classifier.logits(images), classes  # type: ignore[attr-defined]


def _cells(task: Task) -> tuple[NDArray[Any], ...] | None:
    """Probability, kind and truth of every cell of a board, and its tier."""
    assert _models is not None
    data, truth = kept(FOLDER, _name(task))
    image = decode_picture(data, _name(task)).image_bgr
    boards = see_tile_boards(image, _models).boards
    if not boards:
        return None
    seen = max(boards, key=lambda board: len(board.cells))
    reading = read_tile_board(seen, TileThresholds(0.0, 0.0, 0.0))
    told = [
        (field, truth.cells[row * truth.cols + col])
        for (row, col), field in place(reading, truth)[0].items()
        if row * truth.cols + col not in truth.hidden and field.value in (*DIGITS, EMPTY)
    ]
    wrong = np.array([field.value != value for field, value in told])
    if not told or wrong.mean() > MISPLACED:
        return None
    sure = np.array([field.confidence for field, _ in told])
    empty = np.array([field.value == EMPTY for field, _ in told])
    return sure, empty, wrong, np.full(len(told), task[0])


def _name(task: Task) -> str:
    return f"{task[0]}_{task[1]}"


def _seed(task: Task) -> int:
    return FIRST_SEED + 100_000 * list(TIERS).index(task[0]) + task[1]
