"""Fits the classifier's temperatures and the thresholds of doubt, on assets never trained on.

    arbitre-lab calibrate

Scenes of the calibration split go through the whole pipeline, so that crops are as wrong as in
play. Temperatures minimise the negative log likelihood (Guo et al. 2017). A threshold is the
smallest that keeps values vouched for but wrong under `SILENT_TARGET` in every tier.
"""

import multiprocessing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.samples import cell_labels
from models.compose.scene import EVALUATION, SIZE, Composed, compose
from models.compose.tiers import TIERS
from models.evaluate.truth import SIDES
from models.render.progress import Progress
from vision.crops import crop_from_quad
from vision.cubes.classify import Calibration, FaceScores, combine
from vision.cubes.find import BoardView, find_boards
from vision.cubes.nudges import NUDGES, is_doubtful, merged, nudged
from vision.labels import DOTS, MARKS
from vision.pictures import decode_picture
from vision.read import load_models

FIRST_SEED = 5_000_000
"""Seeds of calibration scenes: apart from training and evaluation."""

SILENT_TARGET = {"clean": 0.0001, "everyday": 0.0004, "hard": 0.002}
"""Share of cells that may be vouched for and wrong; the project's goals, but for everyday and
clean where a few thousand cells can show no smaller share."""

TEMPERATURES = np.exp(np.linspace(np.log(0.5), np.log(4.0), 61))
THRESHOLDS = (
    0.5,
    0.6,
    0.7,
    0.75,
    0.8,
    0.85,
    0.9,
    0.93,
    0.95,
    0.96,
    0.97,
    0.98,
    0.985,
    0.99,
    0.995,
    0.998,
)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Logits and labels of all cells of found boards, in the board's reading frame.

    Attributes:
        mark_logits: (N, C, 4, 4) cuts, turns, marks; the first cut is the cell itself, the others
            those of a second look.
        dot_logits: (N, C, 4, 5) cuts, turns, dots.
        marks: (N,) label with ``none`` for covered cells.
        dots: (N,) label with ``unseen``.
        true_marks: (N,) what lies there, covered or not.
        true_dots: (N,) likewise.
        tiers: (N,) name of the tier.
    """

    mark_logits: NDArray[np.float32]
    dot_logits: NDArray[np.float32]
    marks: NDArray[np.int64]
    dots: NDArray[np.int64]
    true_marks: NDArray[np.int64]
    true_dots: NDArray[np.int64]
    tiers: NDArray[np.str_]

    def scores(self, calibration: Calibration) -> tuple[FaceScores, ...]:
        """Scores of all cells at the first look."""
        return self._looks(calibration, slice(0, 1))

    def settled(self, calibration: Calibration) -> tuple[FaceScores, ...]:
        """Scores of all cells as the program settles on them: doubtful ones looked at twice."""
        cuts = self.mark_logits.shape[1]
        looks = self._looks(calibration, slice(0, cuts))
        grouped = [looks[i : i + cuts] for i in range(0, len(looks), cuts)]
        return tuple(merged(g) if is_doubtful(g[0]) else g[0] for g in grouped)

    def _looks(self, calibration: Calibration, cuts: slice) -> tuple[FaceScores, ...]:
        """One score a cell and cut, cell by cell."""
        flat = []
        for logits in (self.mark_logits[:, cuts], self.dot_logits[:, cuts]):
            rows = logits.reshape(-1, *logits.shape[2:])  # (N C, 4, K)
            flat.append(rows.swapaxes(0, 1).reshape(-1, logits.shape[-1]))
        return combine(flat[0], flat[1], calibration)


def collect(bank: Path, split: str, count: int, first_seed: int, workers: int) -> Cells:
    """Send ``count`` scenes of each tier through the pipeline."""
    tasks = [
        (tier, first_seed + 100_000 * k + n) for k, tier in enumerate(TIERS) for n in range(count)
    ]
    context = multiprocessing.get_context("spawn")
    progress = Progress(len(tasks), f"reading {split} scenes")
    parts = []
    with context.Pool(workers, _start, (bank, split)) as pool:
        for part in pool.imap(_cells_of, tasks):
            progress.step()
            if part is not None:
                parts.append(part)
    stacked = [np.concatenate(values) for values in zip(*parts, strict=True)]
    return Cells(*stacked)


_worker: tuple[Any, Any] | None = None


def _start(bank: Path, split: str) -> None:
    global _worker
    from models.compose.assets import load_assets

    cv2.setNumThreads(1)
    _worker = (load_models(), load_assets(bank, split, fresh=True))


def _cells_of(task: tuple[str, int]) -> tuple[Any, ...] | None:
    assert _worker is not None
    models, assets = _worker
    tier, seed = task
    scene = compose(seed, TIERS[tier], EVALUATION, assets)
    picture = decode_picture(scene.jpeg, f"{tier}_{seed}.jpg")
    search = find_boards(picture.image_bgr, models.detector)
    turns = _turns(scene, search.views)
    if turns is None:
        return None
    quads = [q for c in search.views[0].cells for q in (c.quad_px, *nudged(c.quad_px))]
    crops = np.stack([crop_from_quad(picture.image_bgr, quad) for quad in quads])
    mark, dot = (_by_cell(part) for part in models.classifier.logits(crops))
    count = SIZE * SIZE
    labels = [cell_labels(scene, i) for i in range(count)]
    truths = [(MARKS.index(scene.marks[i]), DOTS.index(scene.dots[i])) for i in range(count)]
    order = np.rot90(np.arange(count).reshape(SIZE, SIZE), turns).ravel()
    pairs = [_turned(np.array(labels), order, turns), _turned(np.array(truths), order, turns)]
    return (
        mark,
        dot,
        pairs[0][:, 0],
        pairs[0][:, 1],
        pairs[1][:, 0],
        pairs[1][:, 1],
        np.full(count, tier),
    )


def _by_cell(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """(4 turns x N C, K) -> (N, C, 4, K)."""
    rows = logits.reshape(4, SIZE * SIZE, len(NUDGES) + 1, -1)
    return np.moveaxis(rows, 0, 2)


def _turned(pairs: NDArray[np.int64], order: NDArray[np.int64], turns: int) -> NDArray[np.int64]:
    """Marks and dots of the board's own frame, moved into the frame turned by ``turns``."""
    moved = pairs[order].copy()
    seen = moved[:, 1] < len(SIDES)
    moved[seen, 1] = (moved[seen, 1] - turns) % len(SIDES)
    return moved


def _turns(scene: Composed, views: tuple[BoardView, ...]) -> int | None:
    """How the one found board is turned against the scene's own frame; None when misplaced."""
    if len(views) != 1 or scene.homography is None:
        return None
    square = np.array([[0, 0, 1], [SIZE, 0, 1], [SIZE, SIZE, 1], [0, SIZE, 1]], np.float64)
    image = square @ scene.homography.T
    own = image[:, :2] / image[:, 2:]
    found = np.array(views[0].quad_px)
    away = [float(np.abs(np.roll(own, -k, axis=0) - found).mean()) for k in range(4)]
    cell = float(np.linalg.norm(own[1] - own[0])) / SIZE
    best = int(np.argmin(away))
    return best if away[best] < cell / 2 else None


def fit_temperatures(cells: Cells) -> Calibration:
    """The two temperatures of least negative log likelihood."""
    mark = min(
        TEMPERATURES,
        key=lambda t: _loss(cells.scores(Calibration(float(t), 1.0)), cells.marks, "marks"),
    )
    dot = min(
        TEMPERATURES,
        key=lambda t: _loss(cells.scores(Calibration(1.0, float(t))), cells.dots, "dots"),
    )
    return Calibration(round(float(mark), 3), round(float(dot), 3))


def _loss(scores: tuple[FaceScores, ...], labels: NDArray[np.int64], part: str) -> float:
    table = np.array([getattr(score, part) for score in scores])
    return float(-np.log(np.maximum(table[np.arange(len(labels)), labels], 1e-9)).mean())


@dataclass(frozen=True, slots=True)
class Choice:
    """A threshold and what it costs: shares by tier asked and silently wrong."""

    threshold: float
    asked: dict[str, float]
    silent: dict[str, float]


def choose(cells: Cells, settled: tuple[FaceScores, ...], part: str) -> Choice:
    """The smallest threshold that keeps silent errors under the target in every tier."""
    best = None
    for threshold in THRESHOLDS:
        best = weigh(cells, settled, part, threshold)
        if all(best.silent[tier] <= SILENT_TARGET[tier] for tier in best.silent):
            break
    assert best is not None
    return best


def weigh(cells: Cells, settled: tuple[FaceScores, ...], part: str, threshold: float) -> Choice:
    """What a threshold costs. Of dots only those of marked faces count.

    Args:
        cells: labels of all cells.
        settled: their scores, from `Cells.settled`.
        part: ``marks`` or ``dots``.
        threshold: least probability that is vouched for.
    """
    table = np.array([getattr(score, part) for score in settled])
    truth = cells.true_marks if part == "marks" else cells.true_dots
    values = table[:, :-1]  # the last class is no value: none, unseen
    answer, sure = values.argmax(axis=1), values.max(axis=1) >= threshold
    counted = np.ones(len(truth), bool) if part == "marks" else truth < len(SIDES)
    asked, silent = {}, {}
    for tier in TIERS:
        chosen = counted & (cells.tiers == tier)
        asked[tier] = float((~sure[chosen]).mean())
        silent[tier] = float((sure & (answer != truth))[chosen].mean())
    return Choice(threshold, asked, silent)


def calibration_error(
    scores: NDArray[np.float64], labels: NDArray[np.int64], bins: int = 15
) -> tuple[float, list[tuple[float, float, int]]]:
    """Expected calibration error (Naeini et al. 2015) and, a bin, confidence, accuracy, count."""
    confidence, right = scores.max(axis=1), scores.argmax(axis=1) == labels
    edges = np.minimum((confidence * bins).astype(int), bins - 1)
    parts = []
    error = 0.0
    for index in range(bins):
        inside = edges == index
        if inside.any():
            mean, share = float(confidence[inside].mean()), float(right[inside].mean())
            parts.append((mean, share, int(inside.sum())))
            error += inside.mean() * abs(mean - share)
    return float(error), parts
