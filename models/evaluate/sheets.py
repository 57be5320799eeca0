"""Score sheets with exact truth: composed ones of every tier, the seeds' sheets, our own PDF."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from engine.detrak.layout import BOX_PATHS
from engine.detrak.layout import Sheet as DetrakSheet
from engine.detrak.scoring import score as detrak_score
from engine.detrak.state import Options
from engine.qwinto.layout import Sheet as QwintoSheet
from engine.qwinto.scoring import strip_of
from models.compose.sheet_paper import Wish, WrittenSheet, ink_sheet
from models.compose.sheet_scene import GAMES, SheetScene, compose_sheet, photograph, tier_of
from models.compose.sheet_values import detrak_texts, played_texts, qwinto_texts
from models.compose.tiers import TIERS
from models.errors import LabError
from models.evaluate.run import EvaluateConfig
from models.evaluate.sheets_reading import kept, read_rows, weights_name
from models.evaluate.sheets_score import Row
from models.evaluate.sheets_table import groups
from models.evaluate.table import write_rows
from models.evaluate.workers import run_tasks
from models.render.sheets.canvas import PX_PER_MM
from models.render.sheets.flat import FlatPrint, printed_by
from vision.plans.marks import DICTIONARY, read_marker
from vision.plans.sheets import EDITIONS, Edition, sheet_plan
from vision.sheets.models import load_field_models
from vision.weights import MODELS

FIRST_SEED: Final = 17_000_000
"""First seed of evaluation scenes of sheets; training and calibration seeds lie below."""
TIMES: Final = 5
"""Photographs of each of the seeds' sheets, edition and tier."""
PDF_TIMES: Final = 10
"""Photographs of our printed sheet, each way it is printed."""
PDF_SCALES: Final = (0.9, 0.97, 1.0, 1.03)
DPI: Final = 300

EMMA: Final = QwintoSheet(
    (0, 5, 0, 0, 10, 13, 0, 17, 0, 2, 3, 7, 8, 10, 11, 12, 15, 16, 2, 4, 0, 6, 7, 0, 9, 11, 0), 2
)
"""A sheet worth 43 points, of the rules' vectors."""
BASIC: Final = DetrakSheet.of_rows(["XXTTO", "X/TT#", "#/==#", "T/=T#", "X#=O#"])
"""A sheet worth 28 points by the basic rules."""
ADVANCED: Final = DetrakSheet.of_rows(["OO/OX", "X==XT", "X#=TT", "XXOOT", "X#///"])
"""A sheet worth 24 points by the advanced rules."""


@dataclass(frozen=True, slots=True)
class ComposedTask:
    """One composed photograph."""

    game: str
    tier: str
    number: int
    folder: Path


@dataclass(frozen=True, slots=True)
class SeedTask:
    """One photograph of a sheet whose points are known."""

    sheet: str
    edition: Edition
    tier: str
    number: int
    folder: Path


@dataclass(frozen=True, slots=True)
class PdfTask:
    """One photograph of our own sheet, printed from its PDF."""

    game: str
    scale: float
    grey: bool
    number: int
    folder: Path
    pdf: Path


def measure_sheets_composed(config: EvaluateConfig) -> None:
    """Composed sheets of evaluation prints, pens and handwriting; ``count`` a game and tier.

    Pictures are kept in the build folder for the next network.
    """
    folder = config.build / "composed_sheets"
    tasks = [
        ComposedTask(game, tier, number, folder)
        for number in range(config.count) for game in GAMES for tier in TIERS
    ]  # fmt: skip
    rows = _run(config, "sheets_composed", composed_rows, tasks)
    lines = groups(rows, ["game", "tier"]) + groups(rows, ["game", "tier", "edition"])
    _conclude(config, "sheets_composed", lines)


def measure_sheets_seeds(config: EvaluateConfig) -> None:
    """The sheets of the rules' vectors, written by hand, photographed, added up."""
    folder = config.build / "seed_sheets"
    tasks = [
        SeedTask(sheet, edition, tier, number, folder)
        for number in range(min(config.count, TIMES)) for sheet in SHEETS
        for edition in EDITIONS for tier in TIERS
    ]  # fmt: skip
    rows = _run(config, "sheets_seeds", seed_rows, tasks)
    _conclude(config, "sheets_seeds", groups(rows, ["sheet", "tier"]))


def measure_sheets_printed(config: EvaluateConfig) -> None:
    """Our own PDF at 300 dpi, in colour and grey, at four scales, written on and photographed."""
    folder = config.build / "printed_sheets"
    pdfs = {game: _print(config.build / "printed_sheets", game) for game in GAMES}
    tasks = [
        PdfTask(game, scale, grey, number, folder, pdfs[game])
        for number in range(min(config.count, PDF_TIMES)) for game in GAMES
        for scale in PDF_SCALES for grey in (False, True)
    ]  # fmt: skip
    rows = _run(config, "sheets_printed", pdf_rows, tasks)
    _conclude(config, "sheets_printed", groups(rows, ["game", "ink", "scale"]))


def _run(config: EvaluateConfig, name: str, work: Any, tasks: Sequence[Any]) -> list[Row]:
    weights = config.weights or MODELS
    print(f"{name}: {len(tasks)} pictures, network {weights_name(weights)}")
    rows = run_tasks(
        work, tasks, partial(load_field_models, weights), config.workers, f"reading {name}"
    )
    write_rows(config.out / f"{name}.csv", rows)
    return rows


def _conclude(config: EvaluateConfig, name: str, lines: list[Row]) -> None:
    weights = weights_name(config.weights or MODELS)
    write_rows(config.out / f"{name}_summary.csv", [line | {"weights": weights} for line in lines])
    for line in lines:
        print(" ".join(str(value) for value in line.values()))


# ---------------------------------------------------------------------- composed
def composed_rows(task: ComposedTask) -> list[Row]:
    """Compose or take one photograph, read it and compare."""
    name = f"{task.game}_{task.tier}_{task.number:03d}"
    jpeg, truths = kept(task.folder, name, lambda: compose_task(task))
    return read_rows(jpeg, truths, {"set": "sheets_composed"})


def compose_task(task: ComposedTask) -> SheetScene:
    """The photograph of a task: either print, any filling and played ones in turn."""
    seed = FIRST_SEED + 100_000 * list(TIERS).index(task.tier) + task.number
    fill = "played" if task.number % 2 else "random"
    edition = EDITIONS[task.number // 2 % 2]
    return compose_sheet(seed, "evaluation", task.tier, task.game, edition, fill=fill)


# ---------------------------------------------------------------------- the seeds' sheets
def _emma() -> dict[str, str]:
    return qwinto_texts(EMMA, {p: v for p, v in strip_of(EMMA).boxes() if v is not None})


def _detrak(sheet: DetrakSheet, advanced: bool) -> dict[str, str]:
    right = detrak_score(sheet, Options(advanced=advanced))
    sums = dict(zip(BOX_PATHS, right.boxes(), strict=True))
    if right.diagonal is None:
        sums = {path: value for path, value in sums.items() if "diagonal" not in path}
    return detrak_texts(sheet, sums)


SHEETS: Final = {
    "emma_43": ("qwinto", _emma(), False),
    "basic_28": ("detrak", _detrak(BASIC, False), False),
    "advanced_24": ("detrak", _detrak(ADVANCED, True), True),
}
"""Game, texts and whether the advanced rules hold, by name; the number is what it is worth."""


def seed_rows(task: SeedTask) -> list[Row]:
    """Compose or take one photograph of a seed's sheet, read it and compare."""
    game, texts, advanced = SHEETS[task.sheet]
    order = (
        list(SHEETS).index(task.sheet),
        EDITIONS.index(task.edition),
        list(TIERS).index(task.tier),
    )
    seed = FIRST_SEED + 1_000_000 + 1_000 * (9 * order[0] + 3 * order[1] + order[2]) + task.number

    def compose() -> SheetScene:
        return compose_sheet(seed, "evaluation", task.tier, game, task.edition, fill=texts)

    name = f"{task.sheet}_{task.edition}_{task.tier}_{task.number:02d}"
    jpeg, truths = kept(task.folder, name, compose, advanced)
    return read_rows(jpeg, truths, {"set": "sheets_seeds", "sheet": task.sheet})


# ---------------------------------------------------------------------- our own PDF
def _print(folder: Path, game: str) -> Path:
    """The PDF, written by ``arbitre print`` as a user would."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{game}.pdf"
    command = [sys.executable, "-m", "server", "print", "--game", game, "--what", "sheet"]
    done = subprocess.run(
        [*command, "--count", "1", "--out", str(path)], capture_output=True, text=True, check=False
    )
    if done.returncode or not path.exists():
        raise LabError(f"arbitre print failed: {done.stderr.strip()}")
    return path


@lru_cache(maxsize=4)
def pdf_print(pdf: Path, game: str) -> FlatPrint:
    """The first sheet of a PDF at 300 dpi, cut out by its own markers with 4 mm of paper around it.

    Raises:
        LabError: pypdfium2 is not installed, or the page shows no whole sheet.
    """
    try:
        import pypdfium2
    except ImportError as error:
        raise LabError("pypdfium2 is needed to look at our PDF: install the dev extra") from error
    page = pypdfium2.PdfDocument(pdf)[0]
    image = np.ascontiguousarray(page.render(scale=DPI / 72).to_numpy()[..., :3])
    plan, margin = sheet_plan(game), 4.0
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(image)
    found: dict[int, Any] = {}
    for quad, marker_id in zip(corners, () if ids is None else ids.ravel().tolist(), strict=True):
        marker = read_marker(marker_id)
        if marker is not None:
            found.setdefault(marker.corner, quad[0] + 0.5)
    if len(found) != len(plan.markers):
        raise LabError(f"{pdf}: expected the four markers of one sheet")
    order = sorted(found)
    source = np.concatenate([found[corner] for corner in order])
    target = np.concatenate([np.array(plan.markers[c].outline_mm()) for c in order])
    to_mm, _ = cv2.findHomography(source, (target + margin) * PX_PER_MM)
    size = tuple(round((side + 2 * margin) * PX_PER_MM) for side in plan.size_mm)
    soft = cv2.GaussianBlur(image, (0, 0), 0.5 * DPI / 25.4 / PX_PER_MM)  # 11.8 to 8 px/mm
    flat = cv2.warpPerspective(soft, to_mm, size, flags=cv2.INTER_LINEAR, borderValue=(255,) * 3)
    return FlatPrint(plan, np.asarray(flat, np.uint8), (margin, margin), "pdf")


def pdf_rows(task: PdfTask) -> list[Row]:
    """Compose or take one photograph of our printed sheet, read it and compare."""
    ink = "grey" if task.grey else "colour"
    name = f"{task.game}_{ink}_{round(task.scale * 100)}_{task.number:02d}"
    jpeg, truths = kept(task.folder, name, lambda: compose_pdf(task))
    return read_rows(jpeg, truths, {"set": "sheets_printed", "ink": ink, "scale": task.scale})


def compose_pdf(task: PdfTask) -> SheetScene:
    """Write a played sheet on the print, and photograph it in everyday light."""
    place = (GAMES.index(task.game), round(task.scale * 100), int(task.grey), task.number)
    rng = np.random.default_rng([FIRST_SEED, *place])
    flat = pdf_print(task.pdf, task.game)
    if task.grey:
        plain = {"name": "grey", "grey": 1.0, "fade": 0.0, "drift": 0.0, "streaks": 0.0}
        flat = printed_by(flat, rng, plain)
    wish = Wish(task.game, "printed", played_texts(rng, flat.plan))
    written: WrittenSheet = ink_sheet(rng, "evaluation", flat, wish)
    return photograph(rng, "evaluation", tier_of("everyday"), (replace(written, scale=task.scale),))
