"""What moves on a table over time: pieces, hands, and beats between two rests.

A film is a list of beats. A beat says how long it takes, where the hand is at its end and which
pieces have gone where by then; between beats everything moves smoothly. Nothing here knows a game:
a die that is rolled or a sheet that is pushed aside is a piece whose places change.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Place:
    """Where a piece is, in cells of the board, and what it shows.

    Attributes:
        x, y: middle of the piece; x along a row, y down a column.
        z: height of its underside over the floor of the pieces.
        face: what lies up, in words of its kind: ``X:N`` for a cross with the dot to the north.
    """

    x: float
    y: float
    z: float
    face: str


@dataclass(frozen=True, slots=True)
class Hand:
    """Where a hand is.

    Attributes:
        seat_deg: direction from the tip to the body, clockwise from the board's north (-y).
        x, y, z: tip of the fingers, in cells.
        grip: name of its pose, see `models.simulate.hands`.
    """

    seat_deg: float
    x: float
    y: float
    z: float
    grip: str


@dataclass(frozen=True, slots=True)
class Beat:
    """A stretch of time.

    Attributes:
        lasts_s: how long.
        hand: where the hand is at the end; None when there is none.
        places: pieces that go elsewhere, and where they are at the end. A face changes half way.
        held: piece that the hand carries during the beat, None for none.
        name: what happens, for the truth and for looking at.
    """

    lasts_s: float
    hand: Hand | None
    places: Mapping[int, Place] = field(default_factory=dict)
    held: int | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Instant:
    """Everything that moves, at one time.

    Attributes:
        places: one place a piece.
        hand: the hand, or None.
        held: the piece in the hand.
        moving: pieces on their way on the table, the held one left out.
        name: of the beat.
    """

    places: tuple[Place, ...]
    hand: Hand | None
    held: int | None
    moving: frozenset[int]
    name: str


class Timeline:
    """Beats one after the other, and what they amount to at any time.

    Args:
        start: where the pieces lie in the beginning.
    """

    def __init__(self, start: Sequence[Place]) -> None:
        self._starts: list[float] = []
        self._beats: list[Beat] = []
        self._before: list[tuple[tuple[Place, ...], Hand | None]] = []
        self._now: tuple[tuple[Place, ...], Hand | None] = (tuple(start), None)
        self.end_s = 0.0

    @property
    def places(self) -> tuple[Place, ...]:
        """Where the pieces lie after the last beat."""
        return self._now[0]

    @property
    def hand(self) -> Hand | None:
        """Where the hand is after the last beat."""
        return self._now[1]

    def add(self, beats: Sequence[Beat]) -> None:
        """Append beats."""
        for beat in beats:
            self._starts.append(self.end_s)
            self._beats.append(beat)
            self._before.append(self._now)
            places = list(self._now[0])
            for piece, place in beat.places.items():
                places[piece] = place
            self._now = (tuple(places), beat.hand)
            self.end_s += beat.lasts_s

    def at(self, time_s: float) -> Instant:
        """What there is to see at a time; before the first beat and after the last all rests."""
        index = _last_not_after(self._starts, time_s)
        if index is None or time_s >= self.end_s:
            resting = self._now[0] if index is not None else self._before[0][0]
            return Instant(resting, None, None, frozenset(), "")
        beat, (before, hand) = self._beats[index], self._before[index]
        share = smooth((time_s - self._starts[index]) / beat.lasts_s)
        places = list(before)
        for piece, target in beat.places.items():
            places[piece] = _between(before[piece], target, share)
        moving = frozenset(p for p in beat.places if p != beat.held)
        return Instant(tuple(places), _reach(hand, beat.hand, share), beat.held, moving, beat.name)


def smooth(share: float) -> float:
    """Ease in and out: 0 to 1 with no jerk at the ends (3 t^2 - 2 t^3)."""
    share = min(max(share, 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


def mixed(start: float, end: float, share: float) -> float:
    """The value between two."""
    return start + (end - start) * share


def _between(start: Place, end: Place, share: float) -> Place:
    return Place(
        mixed(start.x, end.x, share),
        mixed(start.y, end.y, share),
        mixed(start.z, end.z, share),
        start.face if share < 0.5 else end.face,
    )


def _reach(start: Hand | None, end: Hand | None, share: float) -> Hand | None:
    if start is None or end is None or start.seat_deg != end.seat_deg:
        return end
    grip = start.grip if share < 0.5 else end.grip
    return Hand(
        end.seat_deg,
        mixed(start.x, end.x, share),
        mixed(start.y, end.y, share),
        mixed(start.z, end.z, share),
        grip,
    )


def _last_not_after(starts: Sequence[float], time_s: float) -> int | None:
    index = bisect_right(starts, time_s) - 1
    return index if index >= 0 else None
