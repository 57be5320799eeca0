"""What one look at one frame with dice tells. Values only: no picture, no network."""

from dataclasses import dataclass

from vision.clusters import Box
from vision.dice.colours import DieHue
from vision.dice.find import SeenDie
from vision.homography import Matrix
from vision.observation import Refusal
from vision.quality import Quality


@dataclass(frozen=True, slots=True)
class LookedDie:
    """A die in one frame.

    Attributes:
        seen: Where it lies and what it shows.
        hue: Of its body; None where it was not measured.
        changed: The tray looks otherwise there than at the rest before.
    """

    seen: SeenDie
    hue: DieHue | None = None
    changed: bool = True


@dataclass(frozen=True, slots=True)
class DiceLook:
    """One frame, looked at.

    What differs from the picture at rest is sorted by size: dice in flight are small and touch
    nothing, hands and sleeves are large or reach in from the edge.

    Attributes:
        at_s: Time of the frame on the source's clock, seconds.
        number: Its number.
        dice: Dice in the tray, in reading order; None where this frame was not looked at, as while
            something moves.
        moving: Share of the tray that changed since the frame before, 0 to 1.
        over: Where a hand, or what may be one, lies: squares of a grid, px.
        loose: Boxes of small things that move and touch no hand, px.
        quality: Figures of the picture, with `dice`.
        repeated: The frame is the one before, sent again: nothing was seen meanwhile.
        unseen: Boxes of small things that lie where nothing lay, or lay there and are gone, and are
            no dice that were found, px; with `dice`.
        shift: Map of px of the frames before to this one's, where the view has shifted as a whole.
        problem: Why nothing can be seen, with advice; None when something can.
    """

    at_s: float
    number: int
    dice: tuple[LookedDie, ...] | None
    moving: float
    over: frozenset[Box] = frozenset()
    loose: tuple[Box, ...] = ()
    quality: Quality | None = None
    repeated: bool = False
    unseen: tuple[Box, ...] = ()
    shift: Matrix | None = None
    problem: Refusal | None = None

    @property
    def hand(self) -> bool:
        """A hand, or what may be one, is over the tray."""
        return bool(self.over)
