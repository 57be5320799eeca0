"""Writes down who does what with dice: rolls, and all that must not be taken for one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from models.compose.camera import Camera
from models.simulate.beats import Beat, Hand, Timeline
from models.simulate.dice_motion import (
    Array,
    Pose,
    Throw,
    Track,
    carried,
    cocked_pose,
    flat_pose,
    out_of_sight,
)
from models.simulate.dice_stage import EDGE, ZONE, on_table
from models.simulate.pace import away_hand, seat_vector
from models.simulate.stage import FILM_SIZE

KINDS: Final = ("pick", "nudge", "turn", "point")
"""Acts that are no rolls: lifting a die and putting it back, pushing one, turning one to another
face, and a hand that only comes and goes."""
COUNT: Final = {"qwinto": 3, "detrak": 2}
SEATS: Final = {"A": 180.0, "B": 0.0, "C": 90.0, "D": 270.0}
"""Directions from which hands come, clockwise from the far side of the table."""
CLEAR: Final = 1.5
"""Least distance of two dice that came to rest by themselves, in edges: turned as they may be they
do not touch."""
TOUCHING: Final = 1.02
START_REST_S: Final = 1.6
MARGIN: Final = 0.05
"""Dice come to rest this far within the tray zone, in shares of the picture."""


@dataclass(frozen=True, slots=True)
class DiceWishes:
    """What a recording should hold.

    Attributes:
        game: ``qwinto`` or ``detrak``.
        rolls: how many.
        seconds: at most about how long.
        fps: frames a second.
        tier: of the conditions.
        seats: number of players.
        mischief: share of turns before which something is done that is no roll.
        cocked: share of rolls after which one die leans.
        rerolls: share of rolls that are thrown once more, in Qwinto.
        hurry: factor of all times; below 1 hands are faster.
    """

    game: str = "qwinto"
    rolls: int = 6
    seconds: float = 60.0
    fps: float = 8.0
    tier: str = "clean"
    seats: int = 2
    mischief: float = 0.35
    cocked: float = 0.06
    rerolls: float = 0.25
    hurry: float = 1.0


@dataclass(slots=True, eq=False)
class DiceScript:
    """A finished script.

    Attributes:
        tracks: one a die.
        hands: where the hand is over time.
        acts: events of the truth, without what depends on the camera.
    """

    tracks: tuple[Track, ...]
    hands: Timeline
    acts: list[dict[str, Any]] = field(default_factory=list)


class DiceWriter:
    """Writes one script.

    Args:
        rng: source of chance.
        wishes: what it should hold.
        camera: of the film.
        faces: what the faces of each die show, in the order of `FACE_AXES`; those beyond the
            game's own dice lie aside.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        wishes: DiceWishes,
        camera: Camera,
        faces: Sequence[tuple[str, ...]],
    ) -> None:
        self.rng, self.wishes, self.camera, self.faces = rng, wishes, camera, tuple(faces)
        self.poses: list[Pose] = []
        for _ in range(COUNT[wishes.game]):
            self.poses.append(self._lies(self._free_place(self.poses), int(rng.integers(6))))
        aside = [self._lies(self._aside(), 0) for _ in self.faces[len(self.poses) :]]
        self.tracks = tuple(Track(pose) for pose in (*self.poses, *aside))
        self.hands = Timeline(())
        self.script = DiceScript(self.tracks, self.hands)
        self._turns = 0
        self._number = 0

    def run(self) -> DiceScript:
        """Roll until the wishes are fulfilled."""
        self._rest(START_REST_S)
        while self._number < self.wishes.rolls and self.hands.end_s < self.wishes.seconds:
            if self.rng.random() < self.wishes.mischief:
                self._mischief(str(self.rng.choice(KINDS)))
            self._round()
            self._turns += 1
        self._rest(1.0)
        return self.script

    # ------------------------------------------------------------------ acts
    def _round(self) -> None:
        """A roll, thrown again when a die leans or the player wishes so."""
        chosen = self._choose()
        cocked = self._roll(chosen, lean=bool(self.rng.random() < self.wishes.cocked))
        while cocked:
            cocked = self._roll(chosen, lean=False)
        once_more = self.wishes.game == "qwinto" and self.rng.random() < self.wishes.rerolls
        if once_more and self._number < self.wishes.rolls:
            self._roll(chosen, lean=False, again=True)

    def _choose(self) -> list[int]:
        """Both of Détrak's dice; of Qwinto's one, two or three."""
        count = COUNT[self.wishes.game]
        wanted = count if count == 2 else int(self.rng.choice([1, 2, 3], p=[0.25, 0.35, 0.4]))
        return sorted(int(i) for i in self.rng.permutation(count)[:wanted])

    def _roll(self, chosen: Sequence[int], *, lean: bool, again: bool = False) -> bool:
        """Dice into the hand, shaken, thrown, at rest, hand gone; True when one leans."""
        seat, away, from_s = self._enter()
        for die in chosen:
            over = self._over(seat, self.poses[die].middle, "pinch")
            self.hands.add([Beat(self._time(0.28), over), Beat(self._time(0.18), over)])
            now = self.hands.end_s
            self.tracks[die].add(now - 0.02, now, out_of_sight)
        release = self._shake(seat)
        thrown_s = self.hands.end_s
        taken = [self.poses[i] for i in range(len(self.poses)) if i not in chosen]
        ends = self._ends(chosen, taken, lean=lean)
        rest_s = self._throw(chosen, ends, release, thrown_s)
        self._leave(seat, away)
        gone_s = self.hands.end_s
        self._rest(max(rest_s - gone_s, 0.0) + self._time(float(self.rng.uniform(1.5, 2.4))))
        if not lean:
            self._number += 1
        self.script.acts.append(
            {
                "kind": "cocked" if lean else "roll",
                "seat": self._seat(),
                "from_s": from_s,
                "thrown_s": thrown_s,
                "rest_s": rest_s,
                "at_s": max(rest_s, gone_s),
                "dice": [(die, self._value(die)) for die in chosen],
                "reroll": again,
            }
        )
        return lean

    def _mischief(self, kind: str) -> None:
        """Something that is no roll."""
        die = int(self.rng.integers(len(self.poses)))
        seat, away, from_s = self._enter()
        before = self.poses[die]
        acts: dict[str, Callable[[int, float], None]] = {
            "pick": self._pick, "nudge": self._nudge, "turn": self._turn, "point": self._point,
        }  # fmt: skip
        acts[kind](die, seat)
        self._leave(seat, away)
        self.script.acts.append(
            {
                "kind": kind,
                "seat": self._seat(),
                "from_s": from_s,
                "at_s": self.hands.end_s,
                "die": die,
                "moved": float(np.linalg.norm(self.poses[die].middle - before.middle)) / EDGE,
            }
        )
        self._rest(self._time(1.3))

    def _point(self, die: int, seat: float) -> None:
        spot = self.poses[die].middle + np.array([*self.rng.uniform(-0.8, 0.8, 2), 0])
        over = self._over(seat, spot, "flat", above=0.9)
        self.hands.add([Beat(self._time(0.4), over), Beat(self._time(0.5), over)])

    def _pick(self, die: int, seat: float) -> None:
        """Lifted, looked at, put back near by with the same face up."""
        pose = self.poses[die]
        near = self._near(die, 1.5)
        face = pose.up()
        end = self._lies(near, face)
        self._carry(die, seat, end, lift=0.9)

    def _turn(self, die: int, seat: float) -> None:
        """Another face up, by hand."""
        face = int(self.rng.choice([i for i in range(6) if i != self.poses[die].up()]))
        self._carry(die, seat, self._lies(self._near(die, 0.3), face), lift=0.5)

    def _nudge(self, die: int, seat: float) -> None:
        """Pushed over the table, flat all the way."""
        pose = self.poses[die]
        end = Pose(np.array([*self._near(die, 2.0), pose.middle[2]]), pose.turn)
        self._carry(die, seat, end, lift=0.0)

    def _carry(self, die: int, seat: float, end: Pose, lift: float) -> None:
        start = self.poses[die]
        first = self._over(seat, start.middle, "pinch")
        self.hands.add([Beat(self._time(0.35), first), Beat(self._time(0.2), first)])
        from_s, lasts = self.hands.end_s, self._time(0.8)
        middle = (start.middle + end.middle) / 2 + np.array([0, 0, lift])
        self.hands.add([Beat(lasts / 2, self._over(seat, middle, "pinch")),
                        Beat(lasts / 2, self._over(seat, end.middle, "pinch"))])  # fmt: skip
        self.tracks[die].add(from_s, self.hands.end_s, carried(start, end, lift))
        self.poses[die] = end

    # ------------------------------------------------------------------ parts of a roll
    def _enter(self) -> tuple[float, Hand, float]:
        """A hand comes in: its seat's direction, where it came from, and when."""
        seat = SEATS[self._seat()]
        away = away_hand(self.camera, seat, "pinch", float(self.rng.uniform(-1, 1)))
        from_s = self.hands.end_s
        self.hands.add([Beat(1e-3, away)])
        return seat, away, from_s

    def _leave(self, seat: float, away: Hand) -> None:
        linger = float(self.rng.uniform(0, 0.5))
        last = self.hands.hand
        assert last is not None
        self.hands.add([Beat(linger + 1e-3, last), Beat(self._time(0.5), away), Beat(1e-3, None)])

    def _shake(self, seat: float) -> Array:
        """The closed hand goes up and shakes; the point where the dice leave it."""
        dx, dy = seat_vector(seat)
        middle = on_table(self.camera, np.array(FILM_SIZE) / 2)
        spot = np.array([*(middle + np.array([dx, dy]) * self.rng.uniform(0.6, 1.4)), 1.0])
        for _ in range(int(self.rng.integers(2, 5))):
            near = spot + self.rng.uniform(-0.25, 0.25, 3)
            self.hands.add([Beat(self._time(0.16), self._over(seat, near, "pinch", above=0.4))])
        self.hands.add([Beat(self._time(0.12), self._over(seat, spot, "pinch", above=0.2))])
        return spot

    def _throw(
        self, chosen: Sequence[int], ends: Sequence[Pose], release: Array, thrown_s: float
    ) -> float:
        """All dice leave the hand; when the last one rests."""
        last = thrown_s
        for die, end in zip(chosen, ends, strict=True):
            begins = thrown_s + float(self.rng.uniform(0, 0.06))
            lasts = self._time(float(self.rng.uniform(0.7, 1.25)))
            self.tracks[die].add(thrown_s, begins, out_of_sight)
            start = release + np.array([*self.rng.uniform(-0.3, 0.3, 2), 0])
            start[2] = max(float(start[2]), 0.6)
            flight = Throw(
                start,
                end,
                EDGE,
                spin=float(self.rng.uniform(1.0, 2.6)),
                bounces=int(self.rng.integers(1, 4)),
                hop=float(self.rng.uniform(0.15, 0.5)),
                wobble=float(self.rng.uniform(-2.5, 2.5)),
            )
            self.tracks[die].add(begins, begins + lasts, flight)
            self.poses[die] = end
            last = max(last, begins + lasts)
        return last

    def _ends(self, chosen: Sequence[int], taken: list[Pose], *, lean: bool) -> list[Pose]:
        """Where the chosen dice come to rest, clear of those that lie."""
        ends: list[Pose] = []
        for number in range(len(chosen)):
            face, yaw = int(self.rng.integers(6)), float(self.rng.uniform(0, 2 * np.pi))
            place = self._free_place([*taken, *ends])
            if lean and number == 0:
                tilt = float(np.radians(self.rng.uniform(18, 38)))
                ends.append(cocked_pose(place, face, yaw, tilt, EDGE))
            elif number and ends[-1].is_flat() and self.rng.random() < 0.1:
                ends.append(self._beside(ends[-1], face, [*taken, *ends[:-1]]) or
                            flat_pose(place, face, yaw, EDGE))  # fmt: skip
            else:
                ends.append(flat_pose(place, face, yaw, EDGE))
        return ends

    def _beside(self, other: Pose, face: int, taken: Sequence[Pose]) -> Pose | None:
        """A die that touches another with a whole flank, where there is room."""
        side = other.turn[:, int(np.argmin(np.abs(other.turn[2])))][:2]
        side = side / np.linalg.norm(side)
        place = other.middle[:2] + side * TOUCHING * EDGE
        if any(np.hypot(*(place - pose.middle[:2])) < CLEAR * EDGE for pose in taken):
            return None
        yaw = float(np.arctan2(side[1], side[0]))
        return flat_pose(place, face, yaw, EDGE)

    # ------------------------------------------------------------------ places and times
    def _lies(self, place: Array, face: int) -> Pose:
        return flat_pose(place, face, float(self.rng.uniform(0, 2 * np.pi)), EDGE)

    def _free_place(self, taken: Sequence[Pose]) -> Array:
        """(2,) a place in the tray zone clear of others, in cells."""
        x0, y0, x1, y1 = ZONE
        for _ in range(500):
            shares = self.rng.uniform((x0 + MARGIN, y0 + MARGIN), (x1 - MARGIN, y1 - MARGIN))
            place = on_table(self.camera, shares * FILM_SIZE)
            if all(np.hypot(*(place - pose.middle[:2])) > CLEAR * EDGE for pose in taken):
                return place
        raise ValueError("no room for another die in the tray zone")

    def _aside(self) -> Array:
        """(2,) a place in the picture beside the tray zone, in cells."""
        x0, _, x1, _ = ZONE
        side = float(self.rng.choice([0.45 * x0, 1 - 0.45 * (1 - x1)]))
        shares = np.array([side, self.rng.uniform(0.2, 0.8)])
        return on_table(self.camera, shares * FILM_SIZE)

    def _near(self, die: int, reach: float) -> Array:
        """(2,) a place within so many edges of where a die lies, clear of the others."""
        here = self.poses[die].middle[:2]
        others = [pose for i, pose in enumerate(self.poses) if i != die]
        for _ in range(200):
            place = here + self.rng.uniform(-reach, reach, 2) * EDGE
            if all(np.hypot(*(place - pose.middle[:2])) > CLEAR * EDGE for pose in others):
                return np.asarray(place)
        return np.asarray(here)

    def _over(self, seat: float, spot: Array, grip: str, above: float = 0.3) -> Hand:
        return Hand(seat, float(spot[0]), float(spot[1]), float(spot[2]) + above, grip)

    def _seat(self) -> str:
        return list(SEATS)[self._turns % self.wishes.seats]

    def _value(self, die: int) -> str:
        return self.faces[die][self.poses[die].up()]

    def _time(self, seconds: float) -> float:
        return seconds * self.wishes.hurry * float(self.rng.uniform(0.85, 1.2))

    def _rest(self, seconds: float) -> None:
        self.hands.add([Beat(seconds, None, name="rest")])
