"""Matches in a real database, as a camera loop would leave them, for the tests of the dashboard."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2

from engine import quixo
from engine.events import Committed, Doubt, Event, Moved, Started, to_json
from engine.quixo.move import lifted, result
from server.boards import to_json as board_json
from server.data import DEFAULT_TABLE, DataFolder
from server.spool import PICTURE, write_aside, write_status
from server.store import MatchRow, NewEvent, Store
from server.store.matches import NewMatch
from tests.server.drawn import SIDE, draw, quad, reading

GAME = quixo.GAME
LIVE = {"kind": "live", "text_en": None, "text_fr": None}


class Recorded:
    """A data folder with a match that a camera follows: what `arbitre watch` leaves there.

    Args:
        folder: where it lies.
        commit: when moves take effect.
        south: side of the picture where seat S sits.
        seats: how many play.
    """

    def __init__(
        self, folder: Path, commit: str = "button", south: str = "bottom", seats: int = 2
    ) -> None:
        self.data = DataFolder(folder)
        self.store = Store(self.data.url, self.data.frames)
        self.store.tables.add(DEFAULT_TABLE)
        self.state = GAME.start(seats, {})
        players = ("Ann", "Ben") if seats == 2 else ()
        started = Started("quixo", GAME.write(self.state), south, players)
        new = NewMatch(DEFAULT_TABLE, "quixo", commit)
        self.row, _ = self.store.matches.start(new, NewEvent(to_json(started)))
        self.look(self.state.layout)

    def add(self, *events: Event, frames: tuple[str, ...] = ()) -> MatchRow:
        """Append events."""
        news = [NewEvent(to_json(event), frames=frames) for event in events]
        stored = self.store.events.append(self.row.id, news, after=self.row.seq)
        self.row = replace(self.row, seq=stored[-1].seq, hash=stored[-1].hash)
        return self.row

    def see(self, move: str, doubts: Iterable[Doubt] = ()) -> None:
        """The camera sees a move, its cube lifted out on the way; nothing is committed yet."""
        made = GAME.read_move(self.state, move)
        row, column = made.taken()
        gap = lifted(self.state.layout, row * self.state.layout.size + column)
        after = result(self.state.layout, made, self.state.mark())
        frames = self.picture(gap), self.picture(after)
        seen = Moved((GAME.write_layout(gap),), GAME.write_layout(after), doubts=tuple(doubts))
        self.add(seen, frames=frames)
        self.look(after)

    def play(self, move: str) -> None:
        """The camera sees a legal move and it takes effect."""
        self.see(move)
        self.add(Committed())
        self.state = GAME.play(self.state, GAME.read_move(self.state, move))

    def see_board(self, layout: quixo.Layout) -> None:
        """The camera sees a board at rest, and nothing on the way to it."""
        self.add(Moved((), GAME.write_layout(layout)), frames=(self.picture(layout),))
        self.look(layout)

    def picture(self, layout: quixo.Layout) -> str:
        """A picture of a board, stored; returns its name."""
        return self.store.frames.put(jpeg(layout))

    def look(self, layout: quixo.Layout, **status: Any) -> None:
        """Write the live picture and what the loop says of it; ``status`` overrides."""
        folder = self.data.spool(DEFAULT_TABLE)
        write_aside(folder / PICTURE, jpeg(layout))
        found = reading(board_json(layout))
        fields = [
            {
                "where": field.where,
                "value": field.value,
                "confidence": field.confidence,
                "candidates": field.candidates,
                "asked": field.asked,
                "quad_px": field.quad_px,
            }
            for field in found.fields
        ]
        seen = {"size_px": [SIDE, SIDE], "quad_px": quad(0, 0, layout.size), "fields": fields}
        doing = {"source": LIVE, "fps": 16.5, "hand": False, "pose": "steady", "problem": None}
        write_status(folder, {**doing, **seen, **status})


def jpeg(layout: quixo.Layout) -> bytes:
    """A drawing of a board as JPEG."""
    done, data = cv2.imencode(".jpg", draw(layout))
    assert done
    return data.tobytes()
