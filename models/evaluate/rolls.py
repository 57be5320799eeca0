"""Simulated rolls, watched by the code that ``replay`` and ``play`` watch with."""

import json
import multiprocessing
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from models.evaluate.dice import share
from models.evaluate.dice_weights import weights_folder, weights_name
from models.evaluate.roll_score import Told, judge_rolls, roll_summary
from models.evaluate.run import EvaluateConfig
from models.evaluate.table import write_rows
from models.render.progress import Progress
from models.simulate.dice_record import DiceRecording
from models.simulate.dice_script import DiceWishes
from models.simulate.record import Order
from models.simulate.stage import FILM_SIZE
from vision.dice.colours import DiceSet, hue_in_box
from vision.dice.models import CLASSIFIER, DiceModels, load_dice_models
from vision.dice.rolls import Rolled, Rolling, track
from vision.dice.watching import DiceWatcher
from vision.frames import Frame
from vision.readers.dice import PIPS, SYMBOLS
from vision.weights import find_entry

FIRST_SEED: Final = 17_000_000
TIERS: Final = ("clean", "everyday", "hard")
GAMES: Final = ("qwinto", "detrak")
A_FILM: Final = 8
"""Rolls of one recording."""
FPS: Final = 8.0
FACES: Final = {"qwinto": PIPS, "detrak": SYMBOLS}

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RollTask:
    """One recording: its tier, game and number, and where its rows are kept."""

    tier: str
    game: str
    number: int
    kept: Path


_models: DiceModels | None = None


def measure_rolls(config: EvaluateConfig) -> None:
    """Film and watch about ``count`` rolls; one row an act, and the rates.

    Rows of a run that was cut short are kept by the networks and thresholds they were measured
    with: delete ``rolls`` in the build folder after a change of code.
    """
    weights = weights_folder(config.weights)
    name = weights_name(weights)
    facts = find_entry(CLASSIFIER, weights).facts
    limits = [str(value) for key, value in facts.items() if key.endswith("_threshold")]
    root = config.build / "rolls" / "_".join([name, *limits])
    root.mkdir(parents=True, exist_ok=True)
    films = max(1, round(config.count / A_FILM / len(TIERS)))
    tasks = [
        RollTask(tier, GAMES[n % 2], n, root / f"{tier}_{n:02d}.json")
        for n in range(films)
        for tier in TIERS
    ]
    print(f"rolls: {len(tasks)} recordings, networks {name}")
    progress = Progress(len(tasks), "watching rolls")
    rows: list[Row] = []
    context = multiprocessing.get_context("spawn")
    with context.Pool(config.workers, _begin, (weights,)) as pool:
        for found in pool.imap(_measure, tasks):
            rows += found
            progress.step()
    rows.sort(key=lambda row: (TIERS.index(row["tier"]), row["recording"], row["at_s"]))
    write_rows(config.out / "rolls.csv", rows)
    lines = [line | {"weights": name} for line in roll_summary(rows, share)]
    write_rows(config.out / "rolls_summary.csv", lines)
    for line in lines:
        print("{tier:9} {game:7} {figure:36} {hits}/{of} = {percent} {unit}".format(**line))


def _begin(weights: Path) -> None:
    global _models
    cv2.setNumThreads(1)
    _models = load_dice_models(weights)


def _measure(task: RollTask) -> list[Row]:
    if task.kept.exists():
        kept: list[Row] = json.loads(task.kept.read_text(encoding="utf-8"))
        return kept
    assert _models is not None
    place = 1000 * TIERS.index(task.tier) + task.number
    wishes = DiceWishes(task.game, A_FILM, 120.0, FPS, task.tier, mischief=0.3)
    recording = DiceRecording(Order(FIRST_SEED + place, wishes))
    told = watch(recording, _models)
    known = {"tier": task.tier, "game": task.game, "recording": task.number}
    rows = [known | row for row in judge_rolls(recording.truth()["events"], told)]
    task.kept.write_text(json.dumps(rows), encoding="utf-8")
    return rows


def watch(recording: DiceRecording, models: DiceModels) -> list[Told]:
    """What is told of the rolls of a recording, frame after frame in order.

    The tray zone is known, as players draw it; the hues of Qwinto's dice are those of the first
    frame, as players show each die once.
    """
    game = recording.order.wishes.game
    zone = tuple((float(x), float(y)) for x, y in recording.stage.zone_px / FILM_SIZE)
    state: Rolling | None = None
    watcher: DiceWatcher | None = None
    told = []
    for frame in _seen(recording):
        if watcher is None or state is None:
            dice_set = _shown(recording, frame.image_bgr) if game == "qwinto" else None
            watcher = DiceWatcher(models, zone, dice_set, FACES[game])
            state = Rolling(FACES[game], models.thresholds, dice_set)
        state, notices = track(state, watcher(frame))
        told += [_told(notice) for notice in notices if isinstance(notice, Rolled)]
    return told


def _seen(recording: DiceRecording) -> Iterator[Frame]:
    """Frames as a camera sends them: as JPEG, decoded again."""
    quality = [cv2.IMWRITE_JPEG_QUALITY, recording.sensor.jpeg_quality]
    for number, picture in enumerate(recording.frames()):
        data = cv2.imencode(".jpg", picture, quality)[1]
        image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
        yield Frame(image, number / recording.fps, number, "film")


def _shown(recording: DiceRecording, image_bgr: Any) -> DiceSet:
    dice = recording.lying(0.0, range(3))
    return DiceSet(tuple((die["colour"], hue_in_box(image_bgr, tuple(die["box"]))) for die in dice))


def _told(notice: Rolled) -> Told:
    dice = () if notice.reading.layout is None else notice.reading.layout.dice
    asked = notice.unsure or any(die.asked for die in dice)
    return Told(
        at_s=notice.at_s,
        since_s=notice.since_s,
        dice=tuple((die.value, die.colour or "other") for die in dice),
        asked=asked,
        colours_asked=any(die.colour_asked for die in dice),
        unsure=notice.unsure,
        cocked=bool(notice.cocked),
    )
