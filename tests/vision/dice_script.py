"""Looks at a tray written by hand: dice, hands and flights as data, 15 looks a second."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from vision.clusters import Box
from vision.dice.classify import DieScores
from vision.dice.colours import DieHue
from vision.dice.find import SeenDie
from vision.dice.glance import DiceLook, LookedDie
from vision.dice.models import DiceThresholds
from vision.dice.rolls import Rolled, Rolling, RollNotice, track
from vision.labels import DIE_COLOURS, DIE_FACES
from vision.quality import Quality
from vision.readers.dice import PIPS

STEP_S = 1 / 15
EDGE = 40.0
TILE = 25.0
QUALITY = Quality(1.0, 0.5, 0.0, None, None)
THRESHOLDS = DiceThresholds(0.9, 0.9, 0.8, 0.8)


@dataclass(frozen=True)
class Put:
    """A die where it lies: middle, face, colour, how sure its value is, whether it lies flat."""

    x: float
    y: float
    face: str = "3"
    colour: str = "orange"
    sure: float = 0.99
    flat: float = 0.99
    hue: DieHue | None = None

    @property
    def box(self) -> Box:
        return box_at(self.x, self.y)

    def looked(self) -> LookedDie:
        faces = _shares(DIE_FACES, self.face, self.sure)
        colours = _shares(DIE_COLOURS, self.colour, 0.97)
        scores = DieScores(faces, colours, self.flat)
        return LookedDie(SeenDie(self.box, None, 0.9, scores), self.hue)


def _shares(names: Sequence[str], best: str, sure: float) -> tuple[float, ...]:
    rest = (1 - sure) / (len(names) - 1)
    return tuple(sure if name == best else rest for name in names)


def box_at(x: float, y: float, side: float = EDGE) -> Box:
    return (x - side / 2, y - side / 2, x + side / 2, y + side / 2)


def hand_at(x: float, y: float, reach: float = 60.0) -> frozenset[Box]:
    """A hand's squares: everything from the lower edge of a 1280 x 720 picture up to here."""
    return frozenset(
        (i * TILE, j * TILE, (i + 1) * TILE, (j + 1) * TILE)
        for i in range(int((x - reach) // TILE), int((x + reach) // TILE) + 1)
        for j in range(int((y - reach) // TILE), int(720 // TILE))
    )


@dataclass
class Script:
    """Looks one after the other; every method plays some of them."""

    lying: list[Put] = field(default_factory=list)
    looks: list[DiceLook] = field(default_factory=list)

    def _add(self, look: DiceLook) -> None:
        number = len(self.looks)
        self.looks.append(replace(look, at_s=number * STEP_S, number=number))

    def rest(self, count: int = 12) -> "Script":
        """Nothing moves."""
        for _ in range(count):
            dice = tuple(put.looked() for put in sorted(self.lying, key=lambda p: (p.y, p.x)))
            self._add(DiceLook(0, 0, dice, 0.0, quality=QUALITY))
        return self

    def moves(
        self, over: frozenset[Box] = frozenset(), loose: Iterable[Box] = (), count: int = 1
    ) -> "Script":
        """Something moves."""
        for _ in range(count):
            self._add(DiceLook(0, 0, None, 0.02, over, tuple(loose)))
        return self

    def hand(self, x: float, y: float, count: int = 5) -> "Script":
        """A hand comes in, stays over a place, and ..."""
        for part in range(3):
            self.moves(hand_at(x, 720 - (720 - y) * (part + 1) / 3))
        return self.moves(hand_at(x, y), count=count)

    def away(self, x: float, y: float) -> "Script":
        """... leaves."""
        for part in range(3):
            self.moves(hand_at(x, y + (720 - y) * (part + 1) / 4))
        return self

    def pick(self, *which: int) -> "Script":
        """Dice are taken up, the hand goes off with them."""
        for index in which:
            self.hand(self.lying[index].x, self.lying[index].y)
        last = self.lying[which[-1]]
        self.lying = [put for i, put in enumerate(self.lying) if i not in which]
        return self.away(last.x, last.y)

    def fly(self, *to: Put, steps: int = 8, hand: bool = True) -> "Script":
        """Dice come flying from below and come to rest."""
        for step in range(steps + 1):
            t = step / steps
            boxes = [box_at(p.x - 260 * (1 - t) ** 2, p.y - 160 * (1 - t) ** 2) for p in to]
            over = hand_at(200, 690, 40) if hand and step < 3 else frozenset()
            self.moves(over, boxes)
        self.lying += to
        return self

    def roll(self, *to: Put, taking: Sequence[int] = ()) -> "Script":
        """Dice are taken up, thrown, and rest."""
        if taking:
            self.pick(*taking)
        return self.fly(*to).rest()

    def handled(self, index: int, to: Put, steps: int = 6) -> "Script":
        """A hand moves or turns a die, staying on it."""
        old = self.lying[index]
        self.hand(old.x, old.y)
        for step in range(steps):
            t = (step + 1) / steps
            self.moves(hand_at(old.x + (to.x - old.x) * t, old.y + (to.y - old.y) * t))
        self.lying[index] = to
        return self.away(to.x, to.y).rest()


def begin(faces: Sequence[str] = PIPS) -> Rolling:
    return Rolling(tuple(faces), THRESHOLDS)


def told(looks: Iterable[DiceLook], state: Rolling | None = None) -> list[RollNotice]:
    """All notices of looks."""
    state = begin() if state is None else state
    found: list[RollNotice] = []
    for look in looks:
        state, notices = track(state, look)
        found += notices
    return found


def rolls(looks: Iterable[DiceLook], state: Rolling | None = None) -> list[Rolled]:
    return [notice for notice in told(looks, state) if isinstance(notice, Rolled)]


def values(roll: Rolled) -> list[str]:
    """What a roll shows, in order."""
    assert roll.reading.layout is not None
    return sorted(die.value for die in roll.reading.layout.dice)
