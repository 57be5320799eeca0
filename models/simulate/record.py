"""Writes one simulated recording: frames or a video, its facts, and its truth."""

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.assets import Assets, load_assets
from models.compose.camera import Camera
from models.compose.sensor import Sensor
from models.compose.tiers import TIERS, Tier, sample_sensor
from models.errors import LabError
from models.simulate.beats import Instant
from models.simulate.film import Film, MakeCube
from models.simulate.hands import SHADOW_SCALE
from models.simulate.pace import SEAT_DEG
from models.simulate.quixo import SIZE, layout_of
from models.simulate.script import Script, Wishes, Writer
from models.simulate.stage import FILM_SIZE, CubeLook, draw_cubes, draw_stage, south_of
from models.simulate.truth import Seen, truth_of
from models.simulate.weather import KINDS, Noise, Weather, draw_weather

Bytes = NDArray[np.uint8]

VIDEO_CODE: Final = "mp4v"
"""MPEG-4 part 2: the wheels of OpenCV write it and every build of FFmpeg reads it; none of them
writes H.264. See docs/decisions/0084."""
PLACED: Final = ("south", "start", "zone")
"""Facts that not every game's recording has: the side of seat S, the first state, the tray zone."""
EXPOSURE_S: Final = 1 / 60
"""How long the shutter is open: usual for a webcam by lamplight."""
CLEAR_SHARE: Final = 0.1
"""A cell is clear when less than this share of its face is hidden."""


W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class Order(Generic[W]):
    """One recording to make.

    Attributes:
        seed: the same seed gives the same recording.
        wishes: what it should hold.
        weather: kinds of disturbances, see `models.simulate.weather.KINDS`.
        tier: ranges of the conditions; None for those of the wishes' tier.
    """

    seed: int
    wishes: W
    weather: tuple[str, ...] = KINDS
    tier: Tier | None = None


class Recording:
    """A recording that is being made: `frames` gives its pictures, then `truth` what they show."""

    def __init__(self, order: Order[Wishes], assets: Assets) -> None:
        self.order = order
        tier = order.tier or TIERS[order.wishes.tier]
        self.stage = draw_stage(order.seed, tier, assets)
        rng = np.random.default_rng([order.seed, 1000])
        looks = draw_cubes(self.stage, rng)
        self.sensor = sample_sensor(rng, tier, phone=bool(rng.random() < 0.5))
        hands = {deg: assets.hand(rng) for deg in SEAT_DEG.values()}
        floor = self.stage.look.height if self.stage.look.shape != "none" else 0.0
        writer = Writer(
            np.random.default_rng([order.seed, 1001]), order.wishes, self.stage.camera, floor
        )
        self.script: Script = writer.run()
        self.seconds = self.script.timeline.end_s
        storm = draw_weather(
            np.random.default_rng([order.seed, 1002]),
            order.wishes.tier,
            self.seconds,
            order.weather,
        )
        self.weather = Weather(storm, FILM_SIZE)
        self.noise = Noise(rng, self.sensor.noise_sigma, FILM_SIZE)
        self._chance = np.random.default_rng([order.seed, 1003])
        make_cube = _maker(looks, self.stage.look.recess_floor)
        self.film = Film(self.stage, make_cube, self.sensor, hands, order.seed)
        self.seen: list[Seen] = []

    @property
    def fps(self) -> float:
        """Frames a second."""
        return self.order.wishes.fps

    @property
    def count(self) -> int:
        """Number of frames."""
        return int(self.seconds * self.order.wishes.fps)

    def frames(self) -> Iterator[Bytes]:
        """(720, 1280, 3) uint8 BGR, in order."""
        pose: tuple[float, ...] = ()
        last: Bytes | None = None
        for number in range(self.count):
            time_s = number / self.order.wishes.fps
            key, camera, board = self.weather.cameras(self.stage.camera, time_s)
            if key != pose:
                self.film.pose(camera, board)
                pose = key
            instant = self.script.timeline.at(time_s)
            lost = last is not None and self.weather.dropped(time_s)
            self.seen.append(self._look(instant, time_s, board, lost=lost))
            if not lost:
                opened = self.script.timeline.at(time_s - EXPOSURE_S)
                picture = self.weather.over(self.film.frame(instant, opened), time_s)
                last = self.noise.over(picture, self._chance)
            assert last is not None
            yield last

    def truth(self) -> dict[str, Any]:
        """What the frames given so far show."""
        wishes = self.order.wishes
        facts = truth_of(self.script, self.seen, self.weather.all, wishes)
        return facts | {
            "south": south_of(self.stage.camera, self.stage.top),
            "frames": len(self.seen),
            "fps": wishes.fps,
            "tier": wishes.tier,
            "seed": self.order.seed,
            "facts": dict(self.stage.facts),
        }

    def _look(self, instant: Instant, time_s: float, board: Camera, *, lost: bool) -> Seen:
        """What a perfect eye makes out in a frame."""
        if lost:
            before = self.seen[-1]
            return Seen(time_s, before.layout, False, before.hand)
        if instant.hand is None:
            return Seen(time_s, layout_of(instant), True, False)
        cover = self.film.cover(instant.hand, self.film.camera)
        return Seen(time_s, layout_of(instant), _is_clear(cover, board, self.stage.top), True)


def _maker(looks: Sequence[CubeLook], floor: float) -> MakeCube:
    """What gives a piece and its place as the compositor paints it."""
    return lambda piece, place: looks[piece].cube(replace(place, z=place.z + floor))


class Filmed(Protocol):
    """A recording that is being made, of cubes or of dice."""

    sensor: Sensor

    @property
    def fps(self) -> float:
        """Frames a second."""
        ...

    def frames(self) -> Iterator[Bytes]:
        """(720, 1280, 3) uint8 BGR, in order."""
        ...

    def truth(self) -> dict[str, Any]:
        """What the frames given so far show."""
        ...


def write(recording: Filmed, folder: Path, form: str) -> dict[str, Any]:
    """Write a recording to a folder and return its truth.

    Raises:
        LabError: no video can be written here.
    """
    if (folder / "frames").exists():
        shutil.rmtree(folder / "frames")
    folder.mkdir(parents=True, exist_ok=True)
    if form == "mp4":
        _write_video(recording, folder / "video.mp4")
    else:
        _write_frames(recording, folder / "frames")
    truth = recording.truth()
    (folder / "truth.json").write_text(json.dumps(truth, indent=1) + "\n", encoding="utf-8")
    (folder / "recording.toml").write_text(_facts(truth), encoding="utf-8")
    return truth


def make(order: Order[Wishes], bank: Path, folder: Path, form: str = "frames") -> dict[str, Any]:
    """Make and write one recording from the evaluation assets."""
    assets = load_assets(bank, "evaluation", fresh=True)
    return write(Recording(order, assets), folder, form)


def _write_frames(recording: Filmed, folder: Path) -> None:
    folder.mkdir()
    quality = [cv2.IMWRITE_JPEG_QUALITY, recording.sensor.jpeg_quality]
    for number, picture in enumerate(recording.frames()):
        cv2.imwrite(str(folder / f"{number:06d}.jpg"), picture, quality)


def _write_video(recording: Filmed, path: Path) -> None:
    code = cv2.VideoWriter.fourcc(*VIDEO_CODE)
    video = cv2.VideoWriter(str(path), code, recording.fps, FILM_SIZE)
    if not video.isOpened():
        raise LabError("this OpenCV writes no video; use --format frames")
    for picture in recording.frames():
        video.write(picture)
    video.release()


def _facts(truth: dict[str, Any]) -> str:
    lines = [
        f"game = {json.dumps(truth['game'])}",
        f"fps = {truth['fps']:g}",
        f"frames = {truth['frames']}",
        f"size = [{FILM_SIZE[0]}, {FILM_SIZE[1]}]",
        f"seats = {truth['seats']}",
        *(
            f"{key} = {json.dumps(truth[key])}"
            for key in ("south", "start", "zone")
            if key in truth
        ),
        "",
        "[options]",
    ]
    lines += [f"{name} = {json.dumps(value)}" for name, value in truth["options"].items()]
    return "\n".join(lines) + "\n"


def _is_clear(cover: Bytes, camera: Camera, top: float) -> bool:
    """True when no cell of the block is hidden by the hand."""
    steps = np.linspace(0.12, 0.88, 5)
    flat = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(1, -1, 2)
    cells = np.array([[c, r] for r in range(SIZE) for c in range(SIZE)], float)[:, None]
    points = (flat + cells).reshape(-1, 2)
    pixels = camera.project(np.column_stack([points, np.full(len(points), top)])) / SHADOW_SCALE
    columns = np.clip(pixels[:, 0].astype(int), 0, cover.shape[1] - 1)
    rows = np.clip(pixels[:, 1].astype(int), 0, cover.shape[0] - 1)
    hidden = (cover[rows, columns] > 127).reshape(SIZE**2, -1).mean(axis=1)
    return bool((hidden < CLEAR_SHARE).all())
