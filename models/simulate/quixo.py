"""Quixo as something hands do: which cubes go where when a move, or a foul, is made.

What a piece kind must give the rest: places for a start, beats for an act, the layout of places.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.quixo import BLANK, GAP, NO_DOT, Layout, Move
from engine.quixo.move import push_for
from models.simulate.beats import Beat, Hand, Instant, Place
from models.simulate.pace import Pace, hand_at, seat_vector

SIZE: Final = 5
LIFT: Final = 1.5
"""Height over the floor to which a cube is lifted: over its neighbours, with room to see."""
EDGE: Final = 0.62
"""Distance of a waiting cube's middle from the block, in cells: not yet touching."""
NEAR: Final = 0.2
"""A cube further off its cell than this is on its way, in cells."""
ASIDE: Final = 1.45
"""Where the cube is turned: this far outside of the block, on the player's side."""


@dataclass(frozen=True, slots=True)
class Hands:
    """Where the hand of an act comes from and goes to."""

    seat_deg: float
    away: Hand
    pace: Pace


def face_of(mark: str, dot: str) -> str:
    """The face of a piece: its mark, and its dot where there is one."""
    return mark if mark == BLANK else f"{mark}:{dot}"


def start_places(layout: Layout) -> list[Place]:
    """One place a cube, numbered by cell."""
    return [
        Place(i % SIZE + 0.5, i // SIZE + 0.5, 0.0, face_of(mark, dot))
        for i, (mark, dot) in enumerate(zip(layout.marks, layout.dots, strict=True))
    ]


def layout_of(instant: Instant) -> Layout | None:
    """What lies on the board at an instant; None while cubes slide or one falls out."""
    if any(not _rests(instant.places[piece]) for piece in instant.moving):
        return None
    marks, dots = [GAP] * SIZE**2, [NO_DOT] * SIZE**2
    for place in instant.places:
        index = cell_index(place)
        if index is not None:
            marks[index], _, dot = place.face.partition(":")
            dots[index] = dot or NO_DOT
    return Layout(SIZE, tuple(marks), tuple(dots))


def cell_index(place: Place) -> int | None:
    """The cell in which a piece lies, or None."""
    column, row = place.x - 0.5, place.y - 0.5
    if place.z > 0.15 or abs(column - round(column)) > NEAR or abs(row - round(row)) > NEAR:
        return None
    if not (0 <= round(row) < SIZE and 0 <= round(column) < SIZE):
        return None
    return round(row) * SIZE + round(column)


def _rests(place: Place) -> bool:
    column, row = place.x - 0.5, place.y - 0.5
    return max(abs(column - round(column)), abs(row - round(row))) < 0.04


class Choreographer:
    """Turns moves into beats, following which cube lies where.

    Args:
        places: of the 25 cubes now.
        floor: height of the board beside the block, in cells.
    """

    def __init__(self, places: Sequence[Place], floor: float) -> None:
        self.places = list(places)
        self.floor = floor

    def enter(self, hands: Hands, cell: int) -> list[Beat]:
        """A hand comes in and closes around a cube."""
        over = self.places[self._piece(cell)]
        start = replace(hands.away, grip="pinch")
        above = hand_at(hands.seat_deg, over, "pinch", 1.2)
        return [
            Beat(1e-3, start, name="away"),
            Beat(hands.pace.reach, above, name="enter"),
            Beat(hands.pace.grip, hand_at(hands.seat_deg, over, "pinch"), name="grip"),
        ]

    def leave(self, hands: Hands) -> list[Beat]:
        """The hand goes away."""
        return [Beat(hands.pace.reach, replace(hands.away, grip="pinch"), name="leave")]

    def play(self, hands: Hands, move: Move, mark: str) -> list[Beat]:
        """Lift, turn, push: from the grip to the release. The cubes then lie as after the move."""
        row, col = move.taken()
        source = row * SIZE + col
        piece = self._piece(source)
        push = push_for(move, SIZE)
        face = mark if move.face is None else move.face
        shown = face_of(
            face, move.dot if move.dot in ("N", "E", "S", "W") else self._any_dot(piece)
        )
        beats = self._lift_and_turn(hands, piece, shown)
        if push.source == push.target and not move.wrong_line():
            return beats + self._put_down(hands, piece, source, shown)
        beats += self._push(hands, piece, move, shown)
        for turned in move.turned:
            beats += self.turn(hands, turned.cell[0] * SIZE + turned.cell[1],
                               face_of(turned.mark, turned.dot))  # fmt: skip
        return beats

    def turn(self, hands: Hands, cell: int, face: str) -> list[Beat]:
        """Lift a cube a little, turn it and put it back."""
        piece = self._piece(cell)
        here = self.places[piece]
        up = replace(here, z=0.9)
        turned = replace(up, face=face)
        down = replace(here, face=face)
        pace, seat = hands.pace, hands.seat_deg
        self.places[piece] = down
        return [
            self._hand_only(pace.carry, seat, here, 1.2, "reach over"),
            Beat(pace.grip, hand_at(seat, here, "pinch"), name="grip"),
            self._carried(pace.lift, seat, piece, up, "lift"),
            self._carried(pace.turn / 2, seat, piece, turned, "turn"),
            self._carried(pace.lift, seat, piece, down, "put down"),
            self._hand_only(pace.grip, seat, down, 1.2, "release"),
        ]

    # ------------------------------------------------------------------ parts
    def _lift_and_turn(self, hands: Hands, piece: int, face: str) -> list[Beat]:
        here = self.places[piece]
        pace, seat = hands.pace, hands.seat_deg
        up = replace(here, z=LIFT)
        beside = self._beside(seat, here)
        return [
            self._carried(pace.lift, seat, piece, up, "lift"),
            self._carried(pace.carry, seat, piece, beside, "carry"),
            self._carried(pace.turn, seat, piece, replace(beside, face=face), "turn"),
        ]

    def _beside(self, seat_deg: float, here: Place) -> Place:
        """Where a cube is turned: outside of the block, in front of the player."""
        dx, dy = seat_vector(seat_deg)
        middle = SIZE / 2
        reach = middle + ASIDE
        x = middle + dx * reach if abs(dx) > 0.5 else here.x * 0.6 + middle * 0.4
        y = middle + dy * reach if abs(dy) > 0.5 else here.y * 0.6 + middle * 0.4
        return replace(here, x=x, y=y, z=1.0)

    def _push(self, hands: Hands, piece: int, move: Move, face: str) -> list[Beat]:
        path = _line_path(move)
        target = _cell_place(path[-1], face)
        out = _outward(move.end)
        edge = Place(target.x + out[0] * (0.5 + EDGE), target.y + out[1] * (0.5 + EDGE), 0.0, face)
        edge = replace(edge, z=self.floor)
        pace, seat = hands.pace, hands.seat_deg
        slid = self._slide(path)
        over = replace(edge, z=1.3)
        beats = [
            self._carried(pace.carry, seat, piece, over, "carry"),
            self._carried(pace.grip, seat, piece, edge, "lower"),
            self._carried(pace.wait, seat, piece, edge, "edge"),
        ]
        beats.append(
            Beat(pace.push, hand_at(seat, target, "pinch"), {piece: target, **slid}, piece, "push")
        )
        beats.append(self._hand_only(pace.grip, seat, target, 1.0, "release"))
        for index, place in {**slid, piece: target}.items():
            self.places[index] = place
        if move.wrong_line():
            beats += self._refill(hands, move, path)
        return beats

    def _refill(self, hands: Hands, move: Move, path: Sequence[int]) -> list[Beat]:
        """The cube that fell out at the far end goes into the gap."""
        row, col = move.taken()
        fallen = next(i for i, place in enumerate(self.places) if _is_outside(place))
        here = self.places[fallen]
        gap = _cell_place(row * SIZE + col, here.face)
        pace, seat = hands.pace, hands.seat_deg
        self.places[fallen] = gap
        return [
            self._hand_only(pace.carry, seat, here, 1.2, "reach over"),
            Beat(pace.grip, hand_at(seat, here, "pinch"), name="grip"),
            self._carried(pace.lift, seat, fallen, replace(here, z=LIFT), "lift"),
            self._carried(pace.carry, seat, fallen, replace(gap, z=LIFT), "carry"),
            self._carried(pace.lift, seat, fallen, gap, "put down"),
            self._hand_only(pace.grip, seat, gap, 1.2, "release"),
        ]

    def _put_down(self, hands: Hands, piece: int, cell: int, face: str) -> list[Beat]:
        down = _cell_place(cell, face)
        pace, seat = hands.pace, hands.seat_deg
        self.places[piece] = down
        return [
            self._carried(pace.carry, seat, piece, replace(down, z=LIFT), "carry"),
            self._carried(pace.lift, seat, piece, down, "put down"),
            self._hand_only(pace.grip, seat, down, 1.2, "release"),
        ]

    def _slide(self, path: Sequence[int]) -> dict[int, Place]:
        """Where the cubes of a path lie once one more is pushed in at its end."""
        slid = {}
        far, near = _cell_place(path[0], ""), _cell_place(path[-1], "")
        step = np.sign([far.x - near.x, far.y - near.y])
        for cell in path:
            piece = self._piece_or_none(cell)
            if piece is None:
                continue
            here = self.places[piece]
            slid[piece] = replace(here, x=here.x + float(step[0]), y=here.y + float(step[1]))
        return slid

    def _carried(self, lasts_s: float, seat: float, piece: int, to: Place, name: str) -> Beat:
        self.places[piece] = to
        return Beat(lasts_s, hand_at(seat, to, "pinch"), {piece: to}, piece, name)

    @staticmethod
    def _hand_only(lasts_s: float, seat: float, over: Place, above: float, name: str) -> Beat:
        return Beat(lasts_s, hand_at(seat, over, "pinch", above), name=name)

    def _piece(self, cell: int) -> int:
        piece = self._piece_or_none(cell)
        assert piece is not None, f"no cube at cell {cell}"
        return piece

    def _piece_or_none(self, cell: int) -> int | None:
        return next((i for i, place in enumerate(self.places) if cell_index(place) == cell), None)

    def _any_dot(self, piece: int) -> str:
        """Dots do not count with two players; each cube shows one all the same."""
        return "NESW"[piece % 4]


def backwards(beats: Sequence[Beat], start: Mapping[int, Place], first: Hand) -> list[Beat]:
    """The same beats in reverse: what a player does who takes a move back.

    Args:
        beats: from the grip to the release.
        start: where the pieces lay before them.
        first: where the hand was before them.
    """
    before = dict(start)
    undone: list[Beat] = []
    hand: Hand | None = first
    for beat in beats:
        undone.append(replace(beat, hand=hand, places={p: before[p] for p in beat.places}))
        before.update(beat.places)
        hand = beat.hand
    return undone[::-1]


def _line_path(move: Move) -> list[int]:
    """Cells from the gap (or, in a wrong line, from the far end) to where the cube goes in."""
    row, col = move.taken()
    line = move.own_line() if move.line is None else move.line
    place = col if move.end in "LR" else row
    first = place if not move.wrong_line() else (0 if move.end in "RB" else SIZE - 1)
    steps = range(first, SIZE) if move.end in "RB" else range(first, -1, -1)
    return [line * SIZE + i if move.end in "LR" else i * SIZE + line for i in steps]


def _outward(end: str) -> tuple[int, int]:
    return {"L": (-1, 0), "R": (1, 0), "T": (0, -1), "B": (0, 1)}[end]


def _cell_place(cell: int, face: str) -> Place:
    return Place(cell % SIZE + 0.5, cell // SIZE + 0.5, 0.0, face)


def _is_outside(place: Place) -> bool:
    return place.z < 0.15 and not (0 < place.x < SIZE and 0 < place.y < SIZE)
