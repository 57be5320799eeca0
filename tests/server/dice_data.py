"""A match of dice that a camera follows, in a real database, as a loop leaves it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engine import games
from engine.events import Committed, Doubt, Event, Moved, Started, to_json
from server.data import DEFAULT_TABLE, DataFolder
from server.spool import PICTURE, write_aside, write_status
from server.store import MatchRow, NewEvent, Store
from server.store.matches import NewMatch

SIZE = (640, 360)
SIDE = 40
PAINT = {"orange": (30, 125, 240), "yellow": (45, 205, 245), "purple": (165, 60, 120)}
TRAY = ((60, 40), (580, 40), (580, 320), (60, 320))


class SeenDice:
    """A data folder with a match whose dice a camera sees.

    Args:
        folder: where it lies.
        game: ``qwinto`` or ``detrak``.
        commit: when rolls take effect.
    """

    def __init__(self, folder: Path, game: str = "qwinto", commit: str = "button") -> None:
        self.data = DataFolder(folder)
        self.store = Store(self.data.url, self.data.frames)
        self.store.tables.add(DEFAULT_TABLE)
        self.game = games.get(game)
        state = self.game.start(2, {})
        self.sheets = " ".join(self.game.write_layout(self.game.visible(state)).split()[1:])
        started = Started(game, self.game.write(state), "bottom", ("Ann", "Ben"))
        new = NewMatch(DEFAULT_TABLE, game, commit)
        self.row, _ = self.store.matches.start(new, NewEvent(to_json(started)))
        self.look("empty", ())

    def add(self, *events: Event, frames: tuple[str, ...] = ()) -> MatchRow:
        """Append events."""
        self.row = self.store.matches.get(self.row.id)
        news = [NewEvent(to_json(event), frames=frames) for event in events]
        stored = self.store.events.append(self.row.id, news, after=self.row.seq)
        self.row = replace(self.row, seq=stored[-1].seq, hash=stored[-1].hash)
        return self.row

    def roll(self, dice: str, doubts: Iterable[Doubt] = (), *, unwatched: bool = False) -> None:
        """The camera sees a roll, sheets out of view; nothing takes effect yet."""
        layout = f"{dice} - -" if self.game.id == "qwinto" else f"A:- B:- dice={dice}"
        rolling = layout.replace(dice, "?" if self.game.id == "qwinto" else "??")
        frame = self.store.frames.put(picture(()))
        moved = Moved((rolling,), layout, doubts=tuple(doubts), unwatched=unwatched)
        self.add(moved, frames=(frame, frame))

    def rolled(self, dice: str) -> None:
        """A roll that takes effect."""
        self.roll(dice)
        self.add(Committed())

    def look(self, state: str, dice: Sequence[dict[str, Any]], **told: Any) -> None:
        """Write the live picture and what the loop says of it."""
        folder = self.data.spool(DEFAULT_TABLE)
        write_aside(folder / PICTURE, picture(dice))
        seen = {"state": state, "dice": list(dice), "zone_px": TRAY, **told}
        live = {"kind": "live", "text_en": None, "text_fr": None}
        write_status(
            folder,
            {"source": live, "fps": 15.0, "frame": 1, "hand": False, "size_px": SIZE, "dice": seen},
        )


def die(value: int | str, colour: str | None, x: int, y: int, **more: Any) -> dict[str, Any]:
    """A die as a loop's status has it."""
    flat = {"flat": True, "confidence": 0.98, "asked": False, "in_zone": True}
    return {"value": value, "colour": colour, "box": [x, y, x + SIDE, y + SIDE], **flat, **more}


def picture(dice: Sequence[dict[str, Any]]) -> bytes:
    """Squares of the dice's colours on grey, as JPEG."""
    image = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)
    for one in dice:
        x0, y0, x1, y1 = one["box"]
        cv2.rectangle(image, (x0, y0), (x1, y1), PAINT.get(one["colour"], (240, 240, 240)), -1)
    done, content = cv2.imencode(".jpg", image)
    assert done
    return content.tobytes()
