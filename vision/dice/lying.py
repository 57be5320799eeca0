"""Dice at rest, each seen in several frames: pooled, and matched from look to look. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from vision.clusters import Box
from vision.dice.classify import DieScores
from vision.dice.colours import DieHue
from vision.dice.find import SeenDie
from vision.dice.flights import distance, edge_of, middle
from vision.dice.glance import LookedDie
from vision.homography import Matrix, project

MOST_LOOKS: Final = 6
"""Frames that a die at rest is pooled from: the errors of further ones are the same."""
SAME_PLACE: Final = 0.3
"""A die found within this part of its edge lies where it lay: boxes of one still die differ by up
to a tenth of it."""
AGREE: Final = 0.5
"""Two looks show the same face when their probabilities overlap by more than this."""
APART: Final = 0.2
"""Two looks whose colours overlap by less are of different dice, however alike their faces."""
MOST_TIMES: Final = 2.0
"""Nor is what is so much larger or smaller: dice do not come that much nearer in a tray."""
FLOOR: Final = 1e-4
"""Least probability of a value in one look: a single frame never rules anything out."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A die that lies still.

    Attributes:
        seen: Where it lies, as in the newest look.
        scores: What it showed, look by look, newest last.
        hues: Of its body, likewise; empty where they were not measured.
        changed: The tray looks otherwise there than at the rest before.
    """

    seen: SeenDie
    scores: tuple[DieScores, ...]
    hues: tuple[DieHue, ...] = ()
    changed: bool = True

    @staticmethod
    def of(die: LookedDie) -> "Lying":
        """A die in its first look."""
        hues = (die.hue,) if die.hue is not None else ()
        return Lying(die.seen, (die.seen.scores,), hues, die.changed)

    @property
    def box_px(self) -> Box:
        """Where it lies."""
        return self.seen.box_px

    def seen_again(self, die: LookedDie) -> "Lying":
        """With one look more."""
        scores = (*self.scores, die.seen.scores)[-MOST_LOOKS:]
        hues = (*self.hues, *((die.hue,) if die.hue is not None else ()))[-MOST_LOOKS:]
        return Lying(die.seen, scores, hues, self.changed)

    def shifted(self, shift: Matrix) -> "Lying":
        """Where it lies once the view has shifted, as large as before."""
        x0, y0, x1, y1 = self.box_px
        x, y = project(shift, middle(self.box_px)).tolist()
        width, height = x1 - x0, y1 - y0
        box = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        return replace(self, seen=replace(self.seen, box_px=box, corners_px=None))

    def pooled(self) -> SeenDie:
        """The die with the scores of all looks together."""
        return replace(self.seen, scores=pooled(self.scores))

    def hue(self) -> DieHue | None:
        """The mean hue."""
        if not self.hues:
            return None
        count = len(self.hues)
        return DieHue(
            sum(h.red for h in self.hues) / count,
            sum(h.blue for h in self.hues) / count,
            sum(h.light for h in self.hues) / count,
        )

    def agrees(self, other: "Lying") -> bool:
        """True when both may show the same face."""
        ours, theirs = pooled(self.scores).faces, pooled(other.scores).faces
        return sum(map(min, ours, theirs)) > AGREE

    def may_be(self, other: "Lying") -> bool:
        """True when one die may have lain here and there: as large, and of the same colour."""
        ours, theirs = pooled(self.scores).colours, pooled(other.scores).colours
        times = edge_of(self.box_px) / edge_of(other.box_px)
        return sum(map(min, ours, theirs)) >= APART and 1 / MOST_TIMES <= times <= MOST_TIMES


def pooled(looks: Sequence[DieScores]) -> DieScores:
    """What several frames of one still die say together: the geometric mean.

    The noise of single frames averages out, and one frame that says otherwise leaves a doubt. What
    is wrong with all frames alike (a glint, a worn face) is not made surer by repeating it, which
    a product of the probabilities would do.
    """
    faces = _mean([look.faces for look in looks])
    colours = _mean([look.colours for look in looks])
    flat, _ = _mean([(look.flat, 1 - look.flat) for look in looks])
    return DieScores(faces, colours, flat)


def _mean(rows: Sequence[Sequence[float]]) -> tuple[float, ...]:
    if len(rows) == 1:
        return tuple(rows[0])
    logs = [
        sum(math.log(max(row[i], FLOOR)) for row in rows) / len(rows) for i in range(len(rows[0]))
    ]
    shares = [math.exp(value) for value in logs]
    total = sum(shares)
    return tuple(share / total for share in shares)


def pair_up(before: Sequence[Lying], after: Sequence[Lying]) -> tuple[tuple[int, int], ...]:
    """Dice that lie where they lay: places in both lists, the nearest first."""
    near = sorted(
        (distance(a.box_px, b.box_px), i, j)
        for i, a in enumerate(before)
        for j, b in enumerate(after)
        if distance(a.box_px, b.box_px) <= SAME_PLACE * min(edge_of(a.box_px), edge_of(b.box_px))
    )
    pairs: list[tuple[int, int]] = []
    for _, i, j in near:
        if all(i != k and j != m for k, m in pairs):
            pairs.append((i, j))
    return tuple(pairs)


def looked_again(pool: Sequence[Lying], dice: Sequence[LookedDie]) -> tuple[Lying, ...]:
    """A pool with one look more; a look that shows other dice begins anew."""
    now = tuple(Lying.of(die) for die in dice)
    pairs = pair_up(pool, now)
    if len(pairs) != len(pool) or len(pairs) != len(now):
        return now
    again = {j: pool[i].seen_again(dice[j]) for i, j in pairs}
    return tuple(again[j] for j in range(len(now)))
