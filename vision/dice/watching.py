"""Frames in, looks at dice out: reads a tray once it is still.

The networks are slow beside a camera, so they run only where something changed and has come to
rest: the detector once, the classifier in a few frames. What decides when is
`vision.dice.stirring`. Times are those of the frames, so the same frames give the same looks,
however fast they come.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision import quality
from vision.clusters import Box
from vision.dice.colours import DiceSet, measure_hue
from vision.dice.find import Image, SeenDie, cut_die, find_dice, only_in_tray
from vision.dice.flights import edge_of, touches
from vision.dice.glance import DiceLook, LookedDie
from vision.dice.light import classify_in_light
from vision.dice.lying import MOST_LOOKS
from vision.dice.models import DiceModels
from vision.dice.rolls import QUIET
from vision.dice.stirring import Stir, Stirring
from vision.frames import Frame
from vision.homography import Matrix, Quad
from vision.light import scene_white
from vision.readers.dice import OTHER, among

Zone = tuple[tuple[float, float], ...]
"""Corners of a tray, clockwise, in shares of the picture's width and height."""

STILL_S: Final = 0.1
"""How long nothing moves before the networks look: two frames at 15 frames/s, since a die that
rocks stands still for one at each turn."""
RESTED_S: Final = 2.0
"""What reaches in and has not moved for so long is no hand in play: a sleeve, a cup at the edge, a
tray that was shifted. Dice are looked at beside it."""
FROZEN_S: Final = 1.0
"""For so long a frame sent again and again after something moved shows no tray at rest, but a
camera that is stuck: of noisy frames no two are the same. Some smooth all noise away, though."""
FRESH_S: Final = 1.0
"""How often a still tray is taken anew as the tray at rest: daylight changes less in that time."""


class DiceWatcher:
    """Looks at frame after frame of one tray.

    Args:
        models: From `vision.dice.models.load_dice_models`.
        zone: Where the tray lies; None for the whole picture.
        dice_set: The table's own dice, whose hues are measured then; None for any dice.
        faces: What the game's dice show: what is a die only by lying in the tray must show one of
            them, or it is the tray's print. None for any dice.
    """

    def __init__(
        self,
        models: DiceModels,
        zone: Zone | None = None,
        dice_set: DiceSet | None = None,
        faces: Sequence[str] | None = None,
    ) -> None:
        self._models = models
        self._faces = faces
        self._zone = zone
        self._dice_set = dice_set
        self._shape: tuple[int, ...] = ()
        self._begin()

    def _begin(self) -> None:
        """Forget what was seen, as when the tray is another one."""
        self._stirring: Stirring | None = None
        self._still_s: float | None = None  # since when nothing moves
        self._moved_s = float("-inf")
        self._varies = False  # no two frames of a still tray are the same
        self._asked = False  # whether the view has shifted, since something last moved
        self._fresh_s = float("-inf")
        self._dice: tuple[SeenDie, ...] = ()
        self._changed: tuple[bool, ...] = ()
        self._unseen: tuple[Box, ...] = ()
        self._looks = 0  # in this rest
        self._quality: quality.Quality | None = None

    def set_up(self, zone: Zone | None, dice_set: DiceSet | None) -> None:
        """Look at another part of the picture, for other dice, from now on."""
        if zone != self._zone:
            self._begin()
        elif dice_set != self._dice_set:
            self._looks = 0
        self._zone, self._dice_set = zone, dice_set

    def zone_px(self, shape: tuple[int, ...]) -> Quad | None:
        """The tray in px of pictures (H, W, ...), where the newest frame shows it."""
        if self._stirring is not None and shape == self._shape:
            return self._stirring.zone_px
        if self._zone is None:
            return None
        height, width = shape[:2]
        a, b, c, d = ((x * width, y * height) for x, y in self._zone)
        return a, b, c, d

    def __call__(self, frame: Frame) -> DiceLook:
        """Look at the next frame."""
        image, at_s = frame.image_bgr, frame.at_s
        if image.shape != self._shape:
            self._shape = image.shape
            self._begin()
        if self._stirring is None:
            self._stirring = Stirring(image.shape, self.zone_px(image.shape))
        stir, shift = self._settled(self._stirring, self._stirring(image))
        stir = self._calmed(stir, at_s)
        look = DiceLook(
            at_s,
            frame.number,
            None,
            stir.moving,
            stir.over,
            stir.loose,
            repeated=stir.repeated,
            shift=shift,
        )
        if self._still_s is None or stir.over or at_s - self._still_s < STILL_S:
            return look
        if self._looks >= MOST_LOOKS:
            if at_s - self._fresh_s >= FRESH_S:
                self._rest(at_s)
                self._stirring.has_settled()
            return look
        dice = self._look(image)
        self._rest(at_s)
        return replace(look, dice=dice, unseen=self._unseen, quality=self._quality)

    def _settled(self, stirring: Stirring, stir: Stir) -> tuple[Stir, Matrix | None]:
        """Ask once whether what lies still over the tray is the tray itself, seen otherwise."""
        if stir.moving >= QUIET or stir.loose:
            self._asked = False
        if self._asked or stir.moving >= QUIET or not stir.over:
            return stir, None
        self._asked = True
        settled = stirring.settles()
        if settled is None:
            return stir, None
        shift, over = settled
        return replace(stir, over=over), shift

    def _calmed(self, stir: Stir, at_s: float) -> Stir:
        """Note whether anything moves; what reaches in without moving is let be after a while."""
        frozen = stir.repeated and self._varies and at_s - self._moved_s < FROZEN_S
        if self._still_s is not None:
            self._varies = not stir.repeated
        if stir.moving >= QUIET or stir.loose:
            self._still_s = None
            self._moved_s = at_s
            self._looks = 0
        elif self._still_s is None and frozen:
            pass  # nothing moves because nothing is sent
        elif self._still_s is None:
            self._still_s = at_s
        elif stir.over and at_s - self._still_s >= RESTED_S:
            self._rest(at_s)
            return replace(stir, over=frozenset())
        if stir.over:
            self._looks = 0
        return stir

    def _rest(self, at_s: float) -> None:
        """Take this frame as the tray at rest."""
        assert self._stirring is not None
        boxes = [die.box_px for die in self._dice]
        edges = [edge_of(box) for box in boxes]
        self._stirring.rests(float(np.median(edges)) if edges else None, boxes)
        self._fresh_s = at_s

    def _look(self, image_bgr: Image) -> tuple[LookedDie, ...]:
        """What lies there: found in the first look at a rest, told anew in the others."""
        if self._looks == 0:
            assert self._stirring is not None
            left = [die.box_px for die in self._dice]
            spots = tuple(spot for spot in self._stirring.spots if not touches(spot, left))
            dice = find_dice(image_bgr, self._models, self.zone_px(image_bgr.shape), spots)
            self._dice = tuple(die for die in dice if not self._is_print(die))
            found = [die.box_px for die in self._dice]
            self._changed = tuple(self._stirring.has_changed(box) for box in found)
            self._unseen = tuple(spot for spot in spots if not touches(spot, found))
            self._quality = quality.measure(image_bgr)
        elif self._dice:
            crops = np.stack([cut_die(image_bgr, die.box_px, die.turns) for die in self._dice])
            told = classify_in_light(crops, scene_white(image_bgr), self._models.classifier)
            self._dice = tuple(
                replace(die, scores=scores, tint=tint)
                for die, (scores, tint) in zip(self._dice, told, strict=True)
            )
        self._looks += 1
        looked = zip(self._dice, self._changed, strict=True)
        if self._dice_set is None:
            return tuple(LookedDie(die, None, changed) for die, changed in looked)
        white = scene_white(image_bgr)
        return tuple(
            LookedDie(die, measure_hue(image_bgr, die, white), changed) for die, changed in looked
        )

    def _is_print(self, die: SeenDie) -> bool:
        """True for what shows no face of the game and is a die only by lying in the tray."""
        if self._faces is None or not only_in_tray(die):
            return False
        return among(die.scores.faces, self._faces)[0][0] == OTHER
