"""Dice of scenes with exact truth: composed, traced, and Qwinto's colours under six lamps."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

import cv2

from models.compose.tiers import TIERS
from models.errors import LabError
from models.evaluate.dice import band_of, plot_reliability, share, show, write_summary
from models.evaluate.dice_reading import PhotoTask, photo_rows, read_rows
from models.evaluate.dice_score import FOUND
from models.evaluate.dice_table import groups
from models.evaluate.dice_truth import (
    DiceTruth,
    kept_truth,
    of_composed_dice,
    of_traced_dice,
)
from models.evaluate.dice_weights import weights_folder, weights_name
from models.evaluate.run import EvaluateConfig
from models.evaluate.table import write_rows
from models.evaluate.workers import Row, loaded, run_tasks
from models.simulate.dice_record import DiceRecording
from models.simulate.dice_script import DiceWishes
from models.simulate.dice_stage import QWINTO
from models.simulate.record import Order
from vision.dice.colours import DiceSet, hue_in_box, match_set
from vision.dice.models import load_dice_models
from vision.light import scene_white
from vision.pictures import decode_picture, load_picture

GAME: Final = {"pips": "qwinto", "symbols": "detrak", "negative": "qwinto"}
"""The game with whose faces each kind of dice is read."""
FIRST_SEED: Final = 13_000_000
"""First seed of evaluation scenes of dice; training seeds lie far below."""
LAMPS_K: Final = (2400, 2700, 3200, 4300, 5500, 6800)
"""Six lamps, over the whole range of the tiers: 2 400 to 7 000 K."""
SHOWN_K: Final = 4300
"""The lamp under which a set is shown at set-up, between daylight and a warm lamp."""
A_LAMP: Final = 60
"""Pictures a lamp; three dice each."""
A_TIER: Final = 130
"""Composed scenes of each kind a tier: over 500 dice."""
NEGATIVES: Final = 30
"""Composed scenes without dice a tier."""


def measure_dice_traced(config: EvaluateConfig) -> None:
    """Pictures of ``arbitre-lab render dice``."""
    paths = sorted((config.build / "traced_dice").glob("*.json"))
    if not paths:
        raise LabError(f"nothing in {config.build}/traced_dice: run `arbitre-lab render dice`")
    truths = [of_traced_dice(json.loads(path.read_text(encoding="utf-8"))) for path in paths]
    tasks = [
        PhotoTask(path.with_suffix(".jpg"), truth, GAME[truth.facts["kind_of_dice"]])
        for path, truth in zip(paths, truths, strict=True)
    ]
    rows = _run(config, "dice_traced", photo_rows, tasks)
    _conclude(config, "dice_traced", rows)


def measure_dice_composed(config: EvaluateConfig) -> None:
    """Composed scenes of evaluation designs: pips, symbols, and scenes without dice.

    Pictures are kept in the build folder for the next networks: delete ``composed_dice`` there
    after a change of what composes them.
    """
    folder = config.build / "composed_dice"
    folder.mkdir(parents=True, exist_ok=True)
    tasks = [
        ComposedTask(kind, tier, number, folder)
        for kind in GAME
        for tier in TIERS
        for number in range(min(config.count, NEGATIVES if kind == "negative" else A_TIER))
    ]
    rows = _run(config, "dice_composed", composed_rows, tasks)
    _conclude(config, "dice_composed", rows)


def measure_dice_colours(config: EvaluateConfig) -> None:
    """Orange, yellow and purple dice of the films under six lamps."""
    numbers = range(min(config.count, A_LAMP))
    tasks = [LampTask(lamp, n) for n in numbers for lamp in LAMPS_K]
    rows = _run(config, "dice_colours", lamp_rows, tasks)
    lines = groups(rows, [("lamp_k", lambda row: row["lamp_k"])])
    lines += groups(rows, [("lamp_k", lambda _: "all")])
    kept = [line for line in lines if line["figure"].startswith(("colours", "dice found"))]
    kept += confusions(rows)
    show(kept, ("lamp_k",))
    write_summary(config, "dice_colours", kept)


def confusions(rows: Sequence[Row]) -> list[Row]:
    """Dice of Qwinto's colours that were given another of the three."""
    of = [row for row in rows if row["kind"] == FOUND and row["colour"] in QWINTO
          and row.get("said_colour")]  # fmt: skip
    other = [
        row for row in of if row["said_colour"] in QWINTO and row["said_colour"] != row["colour"]
    ]
    silent = [row for row in other if not row["colour_asked"]]
    shown = [row for row in rows if row.get("set_colour")]
    mixed = [row for row in shown if row["set_colour"] != row["colour"]]
    figures = (
        ("taken for another of the three", other, of),
        ("the same, vouched for", silent, of),
        ("with the set shown once, colours right",
         [row for row in shown if row["set_colour"] == row["colour"]], shown),
        ("with the set shown once, colours asked",
         [row for row in shown if row["set_asked"]], shown),
        ("with the set shown once, taken for another",
         [row for row in mixed if row["set_colour"] in QWINTO], shown),
        ("with the set shown once, silently wrong",
         [row for row in mixed if not row["set_asked"]], shown),
    )  # fmt: skip
    return [
        {"lamp_k": "all", "figure": name} | share(len(hits), len(total))
        for name, hits, total in figures
    ]


# ---------------------------------------------------------------------- running
def _run(config: EvaluateConfig, name: str, work: Any, tasks: Sequence[Any]) -> list[Row]:
    folder = weights_folder(config.weights)
    print(f"{name}: {len(tasks)} pictures, networks {weights_name(folder)}")
    rows = run_tasks(
        work, tasks, partial(load_dice_models, folder), config.workers, f"reading {name}"
    )
    write_rows(config.out / f"{name}.csv", rows)
    return rows


def _conclude(config: EvaluateConfig, name: str, rows: Sequence[Row]) -> None:
    kind, tier = (("kind_of_dice", lambda row: row["kind_of_dice"]),
                  ("tier", lambda row: row["tier"]))  # fmt: skip
    lines = groups(rows, [kind, tier]) + groups(rows, [kind, ("width", band_of)])
    order = ("kind_of_dice", "tier", "width", "figure", "hits", "of", "percent", "low", "high")
    lines = [{key: line.get(key, "") for key in order} for line in lines]
    show(lines, ("kind_of_dice", "tier"))
    write_summary(config, name, lines)
    plot_reliability(config, name, rows, name.replace("_", " "))


@dataclass(frozen=True, slots=True)
class ComposedTask:
    """One composed scene: its kind, tier and number, and where pictures are kept."""

    kind: str
    tier: str
    number: int
    folder: Path


def composed_rows(task: ComposedTask) -> list[Row]:
    """Read a scene of evaluation designs, composed now or kept."""
    path, truth = composed_picture(task)
    return read_rows(load_picture(path), truth, GAME[task.kind])


def composed_picture(task: ComposedTask) -> tuple[Path, DiceTruth]:
    """The kept picture of a scene and its truth; composed where there is none."""
    from models.compose.dice_scene import compose_dice

    name = f"{task.kind}_{task.tier}_{task.number}"
    path = task.folder / f"{name}.jpg"
    beside = path.with_suffix(".json")
    if not beside.exists():
        places = (list(GAME).index(task.kind), list(TIERS).index(task.tier))
        seed = FIRST_SEED + 1_000_000 * places[0] + 100_000 * places[1] + task.number
        scene = compose_dice(seed, "evaluation", task.tier, task.kind)
        facts = {"picture": name, "kind_of_dice": task.kind, "tier": task.tier}
        path.write_bytes(scene.jpeg)
        whole = json.dumps(asdict(of_composed_dice(scene, facts)))
        beside.write_text(whole + "\n", encoding="utf-8")  # last: it tells that both are there
    return path, kept_truth(json.loads(beside.read_text(encoding="utf-8")))


@dataclass(frozen=True, slots=True)
class LampTask:
    """One picture under a lamp of a colour temperature."""

    lamp_k: int
    number: int


def lamp_rows(task: LampTask) -> list[Row]:
    """Three dice of a film at rest, under a lamp; everything else as in the everyday tier.

    Colours are read twice: by name, and by the hues of a set that was shown once under the lamp of
    `SHOWN_K`, on the same table.
    """
    recording, image = _lit(task.lamp_k, task.number)
    quality = [cv2.IMWRITE_JPEG_QUALITY, recording.sensor.jpeg_quality]
    data = cv2.imencode(".jpg", image, quality)[1].tobytes()
    name = f"lamp_{task.lamp_k}_{task.number}"
    facts = {"picture": name, "lamp_k": task.lamp_k}
    dice = recording.lying(0.0, range(len(recording.stage.looks)))
    row = {"dice": dice, "complete": True, "facts": {}}
    truth = of_traced_dice({**row, **facts, "kind_of_dice": "pips", "tier": "everyday"})
    truth = replace(truth, facts={**truth.facts, **facts})
    picture = decode_picture(data, f"{name}.jpg")
    rows = read_rows(picture, truth, "qwinto")
    own = _by_set(picture.image_bgr, dice[: len(QWINTO)], _set_shown(task.number))
    return [row | extra for row, extra in zip(rows, [*own, *[{}] * len(rows)], strict=False)]


def _lit(lamp_k: int, number: int) -> tuple[DiceRecording, Any]:
    """The table of a number under a lamp, and its picture (720, 1280, 3) uint8."""
    lamp = (float(lamp_k), float(lamp_k))
    tier = replace(TIERS["everyday"], colour_temperature_k=lamp)
    wishes = DiceWishes("qwinto", rolls=1, tier="everyday")
    order = Order(FIRST_SEED + 5_000_000 + number, wishes, weather=(), tier=tier)
    recording = DiceRecording(order)
    return recording, next(recording.frames())


@lru_cache(maxsize=8)
def _set_shown(number: int) -> DiceSet:
    recording, image = _lit(SHOWN_K, number)
    dice = recording.lying(0.0, range(len(QWINTO)))
    return DiceSet(tuple((die["colour"], hue_in_box(image, tuple(die["box"]))) for die in dice))


def _by_set(image: Any, dice: Sequence[Row], dice_set: DiceSet) -> list[Row]:
    """What the hues of the set say of each die, and whether that would be asked about."""
    white = scene_white(image)
    hues = [hue_in_box(image, tuple(die["box"]), None, white) for die in dice]
    least = loaded().thresholds.colour
    return [
        {"set_colour": way[0][0], "set_asked": way[0][1] < least}
        for way in match_set(hues, dice_set)
    ]
