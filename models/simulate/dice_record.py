"""One simulated recording of dice: its frames and what they show."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.games import get
from models.compose.tiers import TIERS, sample_sensor
from models.simulate.dice_film import DiceFilm
from models.simulate.dice_motion import Pose
from models.simulate.dice_paint import outline
from models.simulate.dice_script import SEATS, DiceWishes, DiceWriter
from models.simulate.dice_stage import EDGE, draw_dice_stage
from models.simulate.record import EXPOSURE_S, Order, write
from models.simulate.stage import FILM_SIZE
from models.simulate.weather import Disturbance, Noise, Weather, draw_weather

Bytes = NDArray[np.uint8]

TIMES: Final = ("from_s", "thrown_s", "rest_s", "at_s")


class DiceRecording:
    """A recording that is being made: `frames` gives its pictures, then `truth` what they show."""

    def __init__(self, order: Order[DiceWishes]) -> None:
        self.order = order
        wishes, tier = order.wishes, order.tier or TIERS[order.wishes.tier]
        seats = tuple(SEATS.values())[: wishes.seats]
        self.stage = draw_dice_stage(order.seed, wishes.game, tier, seats)
        rng = np.random.default_rng([order.seed, 1000])
        self.sensor = sample_sensor(rng, tier, phone=bool(rng.random() < 0.5))
        low, high = tier.clutter_objects
        self.film = DiceFilm(
            self.stage, self.sensor, min(int(rng.integers(low, high + 1)), 5), order.seed
        )
        faces = [look.faces for look in self.stage.looks]
        writer = DiceWriter(
            np.random.default_rng([order.seed, 1001]), wishes, self.stage.camera, faces
        )
        self.script = writer.run()
        self.seconds = self.script.hands.end_s
        storm = draw_weather(
            np.random.default_rng([order.seed, 1002]), wishes.tier, self.seconds, order.weather
        )
        self.weather = Weather(storm, FILM_SIZE)
        self.noise = Noise(rng, self.sensor.noise_sigma, FILM_SIZE)
        self._chance = np.random.default_rng([order.seed, 1003])
        self._given = 0

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
            key, _, camera = self.weather.cameras(self.stage.camera, time_s)
            if key != pose:
                self.film.look_from(camera)
                pose = key
            if last is None or not self.weather.dropped(time_s):
                picture = self.weather.over(self._picture(time_s), time_s)
                last = self.noise.over(picture, self._chance)
            self._given += 1
            yield last

    def _picture(self, time_s: float) -> Bytes:
        resting: list[tuple[int, Pose]] = []
        moving: list[tuple[int, Pose, Pose]] = []
        for number, track in enumerate(self.script.tracks):
            pose = track.at(time_s)
            if pose is None:
                continue
            if track.moving(time_s):
                moving.append((number, pose, track.at(time_s - EXPOSURE_S) or pose))
            else:
                resting.append((number, pose))
        hands = self.script.hands
        now, was = hands.at(time_s).hand, hands.at(time_s - EXPOSURE_S).hand
        return self.film.picture(resting, moving, now, was)

    def truth(self) -> dict[str, Any]:
        """What the frames given so far show."""
        wishes = self.order.wishes
        game = get(wishes.game)
        start = game.write(game.start(wishes.seats))
        events = [self._event(act) for act in self.script.acts]
        events += [_of_weather(d) for d in self.weather.all]
        events.sort(key=lambda event: event["at_s"])
        for number, event in enumerate(events, 1):
            event["n"] = number
        return {
            "game": wishes.game,
            "options": {},
            "seats": wishes.seats,
            "start": start,
            "zone": self.stage.zone_px.round(1).tolist(),
            "events": events,
            "frames": self._given,
            "fps": wishes.fps,
            "tier": wishes.tier,
            "seed": self.order.seed,
            "facts": dict(self.stage.facts),
        }

    def lying(self, at_s: float, dice: Sequence[int]) -> list[dict[str, Any]]:
        """What dice that are in nobody's hand show at a time, and where, px of the frame."""
        _, _, camera = self.weather.cameras(self.stage.camera, at_s)
        rows = []
        for die in dice:
            pose = self.script.tracks[die].at(at_s)
            assert pose is not None
            hull = outline(camera, pose, EDGE)
            rows.append(
                {
                    "die": die,
                    "value": self.stage.looks[die].faces[pose.up()],
                    "colour": self.stage.colours[die],
                    "box": [
                        *hull.min(axis=0).round(1).tolist(),
                        *hull.max(axis=0).round(1).tolist(),
                    ],
                    "flat": pose.is_flat(),
                }
            )
        return rows

    def _event(self, act: dict[str, Any]) -> dict[str, Any]:
        event = {k: round(v, 3) if k in TIMES else v for k, v in act.items()}
        if "dice" in act:
            event["dice"] = self.lying(act["at_s"], [die for die, _ in act["dice"]])
        return event


def make_dice(order: Order[DiceWishes], folder: Path, form: str = "frames") -> dict[str, Any]:
    """Make and write one recording."""
    return write(DiceRecording(order), folder, form)


def _of_weather(d: Disturbance) -> dict[str, Any]:
    return {"kind": d.kind, "from_s": round(d.from_s, 3), "at_s": round(d.to_s, 3),
            "strength": round(d.strength, 3)}  # fmt: skip
