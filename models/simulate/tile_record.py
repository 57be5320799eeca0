"""One simulated recording of Quinto: its frames and what they show."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.quinto import GAME
from models.compose.assets import read_hand, rows
from models.compose.camera import Camera
from models.compose.tiers import TIERS, sample_sensor
from models.compose.tile_still import TileTable
from models.simulate.record import EXPOSURE_S, Order, write
from models.simulate.stage import FILM_SIZE
from models.simulate.tile_film import TileFilm, away_hand, seats_of
from models.simulate.tile_fouls import perfect_ruling
from models.simulate.tile_script import TileAct, TileScript, TileWishes, TileWriter
from models.simulate.weather import Noise, Weather, draw_weather

Bytes = NDArray[np.uint8]


class TileRecording:
    """A recording that is being made: `frames` gives its pictures, then `truth` what they show."""

    def __init__(self, order: Order[TileWishes]) -> None:
        self.order = order
        wishes, tier = order.wishes, order.tier or TIERS[order.wishes.tier]
        self.table = TileTable(order.seed, "evaluation", tier, wishes.edition, FILM_SIZE)
        rng = np.random.default_rng([order.seed, 1000])
        self.sensor = sample_sensor(rng, tier, phone=bool(rng.random() < 0.5))
        looks = rows("hands", "hand", "evaluation")
        seats = seats_of(wishes.seats)
        hands = {deg: read_hand(looks[int(rng.integers(len(looks)))]) for deg in seats}
        # Digits are read from one long side of the board or the other.
        self.film = TileFilm(self.table, self.sensor, hands, turn=int(rng.choice([0, 2])))
        away = [away_hand(self.table, deg, self.film.cells) for deg in seats]
        chance = np.random.default_rng([order.seed, 1001])
        writer = TileWriter(chance, wishes, away, self.film.spot)
        self.script: TileScript = writer.run()
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
        last: Bytes | None = None
        for number in range(self.count):
            time_s = number / self.order.wishes.fps
            if last is None or not self.weather.dropped(time_s):
                picture = self._moved(self._picture(time_s), time_s)
                last = self.noise.over(self.weather.over(picture, time_s), self._chance)
            self._given += 1
            yield last

    def _picture(self, time_s: float) -> Bytes:
        hands = self.script.hands
        now, was = hands.at(time_s).hand, hands.at(time_s - EXPOSURE_S).hand
        return self.film.frame(self.script.board_at(time_s), now, was)

    def _moved(self, picture: Bytes, time_s: float) -> Bytes:
        """The picture as a camera sees it that was bumped."""
        camera = self.film.camera
        _, _, bumped = self.weather.cameras(camera, time_s)
        if bumped is camera:
            return picture
        before, after = (self._corners(one) for one in (camera, bumped))
        if np.abs(before - after).max() < 0.05:
            return picture
        matrix = cv2.getPerspectiveTransform(before, after)
        return np.asarray(
            cv2.warpPerspective(picture, matrix, FILM_SIZE, borderMode=cv2.BORDER_REFLECT_101),
            np.uint8,
        )

    def _corners(self, camera: Camera) -> NDArray[np.float32]:
        """Corners of the board, (4, 2) px."""
        down, across = self.table.size
        flat = np.array([(0, 0), (across, 0), (across, down), (0, down)]) / self.film.cells
        return camera.project(np.column_stack([flat, np.zeros(4)])).astype(np.float32)

    def truth(self) -> dict[str, Any]:
        """What the frames given so far show."""
        wishes = self.order.wishes
        events = [_event(act) for act in self.script.acts]
        events += [
            {"kind": d.kind, "from_s": round(d.from_s, 3), "at_s": round(d.to_s, 3),
             "strength": round(d.strength, 3)}
            for d in self.weather.all
        ]  # fmt: skip
        events.sort(key=lambda event: event["at_s"])
        for number, event in enumerate(events, 1):
            event["n"] = number
        return {
            "game": "quinto",
            "options": self.script.start.options.write(),
            "seats": wishes.seats,
            "start": GAME.write(self.script.start),
            "end": GAME.write(self.script.end or self.script.start),
            "left": list(self.script.left),
            "events": events,
            "frames": self._given,
            "fps": wishes.fps,
            "tier": wishes.tier,
            "seed": self.order.seed,
            "facts": dict(self.table.facts),
        }


def _event(act: TileAct) -> dict[str, Any]:
    """The entry of an act in the truth, with what perfect sight says of it."""
    entry: dict[str, Any] = {
        "kind": act.kind,
        "seat": act.before.seat,
        "from_s": round(act.from_s, 3),
        "at_s": round(act.at_s, 3),
        "after": act.after.write(),
        "before": GAME.write(act.before),
        "foul": act.foul or None,
    }
    if act.kind in ("move", "foul"):
        ruling = perfect_ruling(act.before, act.moves)
        rules = sorted({finding.rule for finding in ruling.findings})
        entry |= {
            "move": " ".join(GAME.write_move(move) for move in act.moves),
            "verdict": ruling.verdict.value,
            "rules": rules,
            "state": ruling.state_text,
            "visible_verdict": ruling.verdict.value,
            "visible_foul": bool(act.foul),
        }
    return entry


def make_tiles(order: Order[TileWishes], folder: Path, form: str = "frames") -> dict[str, Any]:
    """Make and write one recording."""
    return write(TileRecording(order), folder, form)
