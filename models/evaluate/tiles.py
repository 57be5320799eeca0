"""Boards for number tiles with exact truth, and photographs of their relatives."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from models.compose.tiers import TIERS
from models.compose.tile_lists import require_fonts
from models.errors import LabError
from models.evaluate.run import BANDS, EvaluateConfig
from models.evaluate.sheets_table import rate
from models.evaluate.table import write_rows
from models.evaluate.tiles_score import row_of
from models.evaluate.tiles_table import groups
from models.evaluate.tiles_truth import TileTruth, composed, kept
from models.evaluate.workers import Row, loaded, run_tasks
from models.places import real_pictures
from models.real_tiles import straight_quad
from vision.homography import as_quad
from vision.observation import Field
from vision.pictures import decode_picture, load_picture
from vision.read import read_picture
from vision.readers.quinto import DIGITS, EMPTY, SHOWN
from vision.tiles.find import tell_cells
from vision.tiles.models import CLASSIFIER, DETECTOR, load_tile_models
from vision.weights import MODELS, find_entry

FIRST_SEED: Final = 19_000_000
"""First seed of evaluation scenes of number tiles; training and calibration seeds lie below."""
A_TIER: Final = 150
"""Composed boards a tier."""
FACTORS: Final = ("tilt_deg", "px_per_cell", "exposure_ev", "glare_share", "occlusion_share",
                  "blur_sigma_px", "shadow_depth")  # fmt: skip
LEAST_OVERLAP: Final = 0.4
"""Intersection over union with a labelled box from which a find is that tile."""
WOOD: Final = "wooden tiles, cut out"
WOOD_FOUND: Final = "wooden tiles, cut out, read as loose tiles"
TALL: Final = "tall tiles, upright"
TURNED: Final = "tall tiles, otherwise"


def measure_tiles_composed(config: EvaluateConfig) -> None:
    """Whole boards of evaluation assets: rows, rates by tier, edition and factor.

    Pictures are kept in the build folder for the next networks: delete ``composed_tiles`` there
    after a change of what composes them.

    Raises:
        LabError: fonts are missing.
    """
    require_fonts("evaluation")
    tasks = composed_tasks(config)
    rows = _run(config, "tiles_composed", composed_row, tasks)
    lines = groups(rows, ["tier"])
    _show(lines, ("tier",))
    for factor in ("edition", "set", *FACTORS):
        known = [row | {factor: _band(factor, row[factor])} for row in rows if factor in row]
        if factor == "set":
            known = [row | {"set": str(row["set"]).split("/")[0]} for row in known]
        found = groups(known, ["tier", factor])
        lines += [{"tier": line.pop("tier"), "factor": factor, "band": line.pop(factor)} | line
                  for line in found]  # fmt: skip
    _write(config, "tiles_composed", lines, ("tier", "factor", "band"))


def measure_tiles_traced(config: EvaluateConfig) -> None:
    """Pictures of ``arbitre-lab render tiles``.

    Raises:
        LabError: there are none.
    """
    _measure_folder(config, "tiles_traced", "traced_tiles", "arbitre-lab render tiles")


def measure_tiles_second(config: EvaluateConfig) -> None:
    """Pictures of the second renderer, ``python -m models.render.blender_tiles``.

    Raises:
        LabError: there are none.
    """
    maker = "python -m models.render.blender_tiles --out build/second_tiles"
    _measure_folder(config, "tiles_second", "second_tiles", maker)


def _measure_folder(config: EvaluateConfig, name: str, folder: str, maker: str) -> None:
    """Rows of all pictures with truth in a folder of the build, and rates by tier."""
    paths = sorted((config.build / folder).glob("*.json"))
    if not paths:
        raise LabError(f"nothing in {config.build / folder}: run `{maker}`")
    rows = _run(config, name, traced_row, paths)
    lines = groups(rows, ["tier"])
    _show(lines, ("tier",))
    _write(config, name, lines, ("tier", "factor", "band"))


def measure_tiles_real(config: EvaluateConfig) -> None:
    """Photographs of relatives: single wooden tiles, tall tiles, and whole boards of another game.

    Raises:
        LabError: the photographs are not there.
    """
    folder = real_pictures() / "number_tiles" / "dev"
    if not (folder / "labels.jsonl").exists():
        raise LabError(f"no photographs of tiles in {folder}: set ARBITRE_REAL")
    text = (folder / "labels.jsonl").read_text(encoding="utf-8")
    tasks = [(folder, json.loads(line)) for line in text.splitlines()]
    rows = _run(config, "tiles_real", real_rows, tasks)
    rows.sort(key=lambda row: row["group"] != WOOD)
    _write(config, "tiles_real", real_summary(rows), ("group",))
    _show(real_summary(rows), ("group",))


def real_summary(rows: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Rates by group: found, right, asked, and wrong but vouched for."""
    lines = []
    for group in dict.fromkeys(row["group"] for row in rows):
        part = [row for row in rows if row["group"] == group]
        for figure, hit in (
            ("found", lambda row: row["said"] != ""),
            ("right", lambda row: row["said"] == row["value"]),
            ("asked", lambda row: bool(row["asked"])),
            ("silently wrong", _is_silent),
            ("6 and 9 swapped", lambda row: {row["said"], row["value"]} == {"6", "9"}),
        ):
            hits = sum(bool(hit(row)) for row in part)
            lines.append({"group": group} | rate(figure, hits, len(part)))
    return lines


def _is_silent(row: Mapping[str, Any]) -> bool:
    """Given another digit, and vouched for; a tile that was not seen claims nothing."""
    return row["said"] not in ("", row["value"]) and not row["asked"]


# ---------------------------------------------------------------------- running
def _run(
    config: EvaluateConfig, name: str, work: Callable[[Any], list[Row]], tasks: Sequence[Any]
) -> list[Row]:
    folder = config.weights or MODELS
    print(f"{name}: networks {weights_name(folder)}")
    load = partial(load_tile_models, folder)
    rows = run_tasks(work, tasks, load, config.workers, f"reading {name}", at_once=1)
    write_rows(config.out / f"{name}.csv", rows)
    return rows


def weights_name(folder: Path) -> str:
    """Detector and classifier by the first eight digits of their checksums."""
    return "+".join(find_entry(name, folder).sha256[:8] for name in (DETECTOR, CLASSIFIER))


def _band(factor: str, value: Any) -> str:
    """The band of a number, a word as it is."""
    if isinstance(value, str):
        return value
    limits = BANDS[factor]
    band = int(np.searchsorted(limits, float(value), side="right")) - 1
    band = min(max(band, 0), len(limits) - 2)
    return f"{limits[band]:g} to {limits[band + 1]:g}"


def _write(config: EvaluateConfig, name: str, lines: Sequence[Row], keys: Sequence[str]) -> None:
    weights = weights_name(config.weights or MODELS)
    full = [{key: line.get(key, "") for key in keys} | line for line in lines]
    write_rows(config.out / f"{name}_summary.csv", [line | {"weights": weights} for line in full])


def _show(lines: Sequence[Row], keys: Sequence[str]) -> None:
    for line in lines:
        names = " ".join(f"{line.get(key, '')!s:24}" for key in keys)
        print("{0} {figure:24} {hits}/{of} = {percent} % ({low} to {high})".format(names, **line))


# ---------------------------------------------------------------------- composed boards
@dataclass(frozen=True, slots=True)
class ComposedTask:
    """One composed board, and where pictures are kept."""

    tier: str
    number: int
    folder: Path

    @property
    def seed(self) -> int:
        """Seed of the scene: tiers share none."""
        return FIRST_SEED + 100_000 * list(TIERS).index(self.tier) + self.number

    def picture(self) -> tuple[bytes, TileTruth]:
        """The stored picture and its truth, composed where there is none yet."""
        name = f"{self.tier}_{self.number}"
        return composed(self.folder, name, self.seed, "evaluation", self.tier)


def composed_tasks(config: EvaluateConfig) -> list[ComposedTask]:
    """All boards of the set."""
    folder = config.build / "composed_tiles"
    numbers = range(min(config.count, A_TIER))
    return [ComposedTask(tier, number, folder) for tier in TIERS for number in numbers]


def composed_row(task: ComposedTask) -> list[Row]:
    """Read one board in a process of `_run` and compare."""
    return _board_row(f"{task.tier}_{task.number}", *task.picture())


def traced_row(path: Path) -> list[Row]:
    """The same for a picture and its truth that lie in a folder."""
    return _board_row(path.stem, *kept(path.parent, path.stem))


def _board_row(name: str, data: bytes, truth: TileTruth) -> list[Row]:
    models = loaded()
    picture = decode_picture(data, f"{name}.jpg")
    answer = read_picture(picture, "quinto", "board", models=models)
    return [row_of(answer, truth, {"picture": name})]


# ---------------------------------------------------------------------- photographs
def real_rows(task: tuple[Path, Mapping[str, Any]]) -> list[Row]:
    """All labelled tiles of a photograph, as the program reads them; in a process of `_run`."""
    folder, label = task
    truth = label["truth"] or {}
    if "tile" in truth:
        return _single(folder, label)
    if "grid" in truth:
        return _board(folder, label)
    tiles = truth.get("tiles") or []
    return _tall(folder / label["file"], tiles) if tiles and "box" in tiles[0] else []


def _single(folder: Path, label: Mapping[str, Any]) -> list[Row]:
    """A cut-out of one upright tile that fills its picture.

    The tile and its side are given, so the classifier answers with the program's threshold; how
    the program reads the cut-out as loose tiles is noted too: there the largest find counts.
    """
    models = loaded()
    picture = load_picture(folder / label["file"])
    height, width = picture.image_bgr.shape[:2]
    quad = as_quad([(0, 0), (width, 0), (width, height), (0, height)])
    shares = tell_cells(picture.image_bgr, [quad], models.classifier)[0].faces_at(0)
    best = int(np.argmax(shares))
    asked = best >= len(DIGITS) or shares[best] < models.thresholds.tile
    told = {"said": SHOWN[best], "asked": asked, "confidence": round(shares[best], 4)}
    answer = read_picture(picture, "quinto", "tiles", models=models)
    fields = [field for reading in answer.readings for field in reading.fields]
    found = max(fields, key=lambda field: _area(field), default=None)
    known = {"picture": Path(label["file"]).stem, "value": str(label["truth"]["tile"])}
    return [
        known | {"ms": 0, "group": WOOD} | told,
        known | {"ms": answer.ms, "group": WOOD_FOUND} | _said(found),
    ]


def _area(field: Field) -> float:
    return float(cv2.contourArea(np.array(field.quad_px, np.float32)))


def _tall(path: Path, tiles: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Single-digit tall tiles: upright ones, whose digit stands up in the picture, apart."""
    models = loaded()
    picture = load_picture(path)
    answer = read_picture(picture, "quinto", "tiles", models=models)
    fields = [field for reading in answer.readings for field in reading.fields]
    rows = []
    for tile in tiles:
        value = str(tile["value"])
        if len(value) != 1 or not value.isdigit():
            continue
        quad = straight_quad(picture.image_bgr, list(np.array(tile["box"]) / picture.scale))
        upright = quad is not None and quad[0][0] < quad[1][0] and quad[0][1] < quad[3][1]
        found = max(fields, key=lambda field: _overlap(field, tile["box"]), default=None)
        if found is not None and _overlap(found, tile["box"]) < LEAST_OVERLAP:
            found = None
        known = {"picture": path.stem, "value": value, "ms": answer.ms}
        rows.append(known | {"group": TALL if upright else TURNED} | _said(found))
    return rows


def _overlap(field: Field, box: Sequence[float]) -> float:
    """Intersection over union of the box around a field's corners and another box."""
    points = np.array(field.quad_px)
    low, high = np.maximum(points.min(axis=0), box[:2]), np.minimum(points.max(axis=0), box[2:])
    shared = float(np.prod(np.maximum(high - low, 0)))
    own = float(np.prod(np.ptp(points, axis=0)))
    other = (box[2] - box[0]) * (box[3] - box[1])
    return shared / max(own + other - shared, 1e-6)


def _said(field: Field | None) -> Row:
    if field is None:
        return {"said": "", "asked": False, "confidence": 0.0}
    return {"said": field.value, "asked": field.asked, "confidence": round(field.confidence, 4)}


def _board(folder: Path, label: Mapping[str, Any]) -> list[Row]:
    """A rectified board of another game, cell by cell; only cells that Quinto has are compared."""
    models = loaded()
    grid = label["truth"]["grid"]
    picture = load_picture(folder / label["file"])
    answer = read_picture(picture, "quinto", "board", models=models)
    width, height = label["size"]
    corners = np.array(label["corners"] or [[0, 0], [width, 0], [width, height], [0, height]])
    low, high = corners.min(axis=0), corners.max(axis=0)
    step = (high - low) / (len(grid[0]), len(grid))
    fields = [field for reading in answer.readings for field in reading.fields]
    there: dict[tuple[int, int], Field] = {}
    for field in fields:
        col, row = np.floor((np.mean(field.quad_px, axis=0) - low) / step).astype(int).tolist()
        there[row, col] = field
    rows = []
    for row, line in enumerate(grid):
        for col, value in enumerate(line):
            wanted = EMPTY if value is None else str(value)
            if len(wanted) > 1:
                continue
            name = f"board {Path(label['file']).stem}, {'empty' if value is None else 'tiles'}"
            said = _said(there.get((row, col)))
            rows.append({"picture": Path(label["file"]).stem, "value": wanted, "ms": answer.ms,
                         "group": name} | said)  # fmt: skip
    return rows
