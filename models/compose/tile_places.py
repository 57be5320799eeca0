"""Lays tiles: on the cells of a board, beside it, in rows and heaps on a table, on racks."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from models.compose.camera import Points
from models.compose.tile_layouts import Cell, Position
from models.render.tiles.look import TileLook
from models.render.tiles.paint import LaidTile

SHIFT: Final = 0.04
"""Standard error of a tile's place in its cell, in cells: hands lay them so."""
TWIST_DEG: Final = 3.0
"""Standard error of its turn."""
LEAN: Final = 0.012
"""Standard deviation of the tiny lean that makes glossy tiles mirror different things."""
STACK_SHIFT: Final = 0.12


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A tile and what is true of it.

    Attributes:
        laid: the tile in space.
        cell: row and column, None beside the board.
        value: 0 to 9, None for a face turned down or another text.
        turn: quarter turns clockwise of its digit against the board's rows.
        odd: ``turned``, ``tilted``, ``stacked``, ``face_down``, ``other`` (letters, two figures),
            or "" for a tile as it should be.
    """

    laid: LaidTile
    cell: Cell | None
    value: int | None
    turn: int
    odd: str = ""


@dataclass(frozen=True, slots=True)
class Oddities:
    """Shares of tiles that lie or look otherwise than they should."""

    turned: float = 0.0
    tilted: float = 0.0
    stacked: float = 0.0
    face_down: float = 0.0
    other: float = 0.0


NO_ODDITIES: Final = Oddities()
TRAINING_ODDITIES: Final = Oddities(0.006, 0.01, 0.006, 0.03, 0.012)
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class TilePlacer:
    """Lays tiles of one set."""

    def __init__(self, rng: np.random.Generator, look: TileLook, odd: Oddities) -> None:
        """Tiles lie level on the plane at height 0 unless told."""
        self.rng, self.look, self.odd = rng, look, odd

    def on_board(self, position: Position, turn: int) -> list[Placed]:
        """All tiles of a position, their digits turned by so many quarters."""
        out: list[Placed] = []
        for cell, value in sorted(position.items()):
            out += self._in_cell(cell, value, turn)
        return out

    def _in_cell(self, cell: Cell, value: int, turn: int) -> list[Placed]:
        rng, kind = self.rng, self._oddity()
        if kind == "turned":
            turn = (turn + int(rng.integers(1, 4))) % 4
        text = self._text(kind, value)
        room = max(0.02, 0.75 * (1 - self.look.size))  # tiles do not lie in each other
        shift = np.clip(rng.normal(0, SHIFT, 2), -room, room)
        middle = np.array([cell[1] + 0.5, cell[0] + 0.5]) + shift
        angle = np.radians(90 * turn + rng.normal(0, TWIST_DEG))
        lean = 0.0
        if kind == "tilted":
            lean = float(np.radians(rng.uniform(6, 22)))
            middle = middle + rng.normal(0, 0.1, 2)
        told = value if kind in ("", "turned", "tilted") else None
        out = [Placed(self._lay(middle, angle, (text, 0.0, lean)), cell, told, turn, kind)]
        if kind == "stacked":
            above = int(rng.integers(10))
            spot = middle + rng.normal(0, STACK_SHIFT, 2)
            angle = angle + np.radians(rng.normal(0, 12))
            laid = self._lay(spot, angle, (str(above), self.look.height, 0.0))
            out.append(Placed(laid, cell, above, turn, kind))
        return out

    def row(self, spot: Points, angle: float, values: tuple[int, ...], lean: float) -> list[Placed]:
        """Tiles side by side from a spot (2,) on; a lean in radians stands them up as on a rack."""
        rng, gap = self.rng, float(rng_gap(self.rng))
        along = np.array([np.cos(angle), np.sin(angle)])
        out = []
        for index, value in enumerate(values):
            kind = self._oddity()
            kind = "" if kind in ("stacked", "tilted", "turned") else kind
            middle = spot + along * index * self.look.size * (1 + gap)
            middle = middle + rng.normal(0, 0.02, 2)
            twist = np.radians(rng.normal(0, 1.5 if lean else 3.0))
            laid = self._lay(middle, angle + twist, (self._text(kind, value), 0.0, lean))
            told = value if kind == "" and value < 10 else None
            out.append(Placed(laid, None, told, 0, kind or ("" if value < 10 else "other")))
        return out

    def _oddity(self) -> str:
        odd = self.odd
        shares = (odd.turned, odd.tilted, odd.stacked, odd.face_down, odd.other)
        kinds = ("turned", "tilted", "stacked", "face_down", "other", "")
        return str(self.rng.choice(kinds, p=[*shares, 1 - sum(shares)]))

    def _text(self, kind: str, value: int) -> str:
        if kind == "face_down":
            return ""
        if kind == "other":
            return (
                LETTERS[int(self.rng.integers(26))]
                if self.rng.random() < 0.4 or self.odd.other == 1.0
                else str(self.rng.integers(10, 91))
            )
        return str(value)

    def _lay(self, middle: Points, angle: float, pose: tuple[str, float, float]) -> LaidTile:
        """A tile with a text, so far over the plane, leaning back so many radians."""
        text, above, lean = pose
        rng, look = self.rng, self.look
        right = np.array([np.cos(angle), np.sin(angle), 0.0])
        down = np.array([-np.sin(angle), np.cos(angle), 0.0])
        up = np.array([0.0, 0.0, 1.0])
        if lean:
            if abs(lean) < 0.5:  # propped on something: about any axis
                about = rng.uniform(0, 2 * np.pi)
                right, down, up = _tilted(np.stack([right, down, up]), about, lean)
            else:
                down, up = (np.cos(lean) * down - np.sin(lean) * up,
                            np.cos(lean) * up + np.sin(lean) * down)  # fmt: skip
        axes = np.stack([right, down, up])
        half = np.array([look.size, look.size * look.aspect]) / 2
        rise = float(np.abs(axes[:2, 2]) @ half) + look.height * float(up[2]) + above
        ink = look.inks[int(rng.integers(len(look.inks)))]
        tint = np.append(rng.normal(0, LEAN, 2), 0.0)
        flat = not lean and not above
        return LaidTile(look, text, ink, np.append(middle, rise), axes, flat, tint)


def _tilted(axes: Points, about: float, lean: float) -> Points:
    """Axes (3, 3) turned about a level axis, by Rodrigues' formula."""
    pole = np.array([np.cos(about), np.sin(about), 0.0])
    cross = np.cross(pole, axes)
    along = (axes @ pole)[:, None] * pole
    return np.asarray(axes * np.cos(lean) + cross * np.sin(lean) + along * (1 - np.cos(lean)))


def rng_gap(rng: np.random.Generator) -> float:
    """Gap between tiles of a row, share of a tile: mostly they touch."""
    return float(abs(rng.normal(0, 0.03)) if rng.random() < 0.7 else rng.uniform(0.05, 0.5))
