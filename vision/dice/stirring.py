"""What stirs over a tray, by arithmetic alone: hands that reach in, dice that fly. No network.

Everything happens on a small copy of the tray's part of the picture. It is compared with the frame
before (does anything move?) and with the tray at rest (what lies there that did not?). What differs
is light where it differs by brightness alone; else it is a hand where it reaches in from the edge,
and a die in flight where it is small, moves, and touches no edge.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.clusters import Box
from vision.dice.flights import grown, touches
from vision.dice.shifts import shifted, view_shift
from vision.homography import Matrix, Quad, as_matrix, as_quad, project

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]

SIDE_PX: Final = 400
"""Longer side of the small copy: a die of 24 px in a picture of 1280 still covers 50 px of it."""
MOVED: Final = 16
"""Least levels of 255 that a channel changes from frame to frame where something moves. Reducing
averages the noise of most cameras to about 1 level."""
NOISE: Final = 6.0
"""How many times the usual change from frame to frame a px must change by: the largest of three
channels of pure noise exceeds its median fourfold once in a million px."""
MOST_NOISE: Final = 4.0
"""Most that is taken for noise, in levels: four times what reducing leaves of most cameras'. Where
a hand or a lamp changes more than half of the tray the median is theirs, and whoever believed it
would see nothing move for seconds, as it fades."""
APART: Final = 22
"""Levels that a channel differs from the tray at rest where something else lies."""
SHADE: Final = (0.35, 1.25)
"""Part of the light that shadows leave, and that lamps add, where all channels change alike."""
TINT: Final = 0.12
"""Most that the channels' ratios may differ where only the light changed: a shadow is lit by the
sky or the wall instead of the lamp."""
DARK: Final = 8.0
"""Levels added to both sides of a ratio: dark px say nothing about light."""
TILE: Final = 8
"""Side of a square of the small copy in which a hand is told: about half a finger's width."""
USUAL_EDGE: Final = 0.05
"""A die's edge as part of the small copy's longer side while none has been seen: on the large side,
since what touches no edge of the picture is hardly a hand."""
LONG_EDGES: Final = 4.5
"""Longest thing in flight, in die edges: three dice side by side, blurred."""
SMALL_EDGES: Final = 1.8
"""What touches the tray's edge, does not move and is no longer than this, in die edges, is a die
that lies there, or the place that one has left."""
LEAST_AREA: Final = 0.2
"""Smallest thing, in squared die edges: less is a reflection."""
MOVING_AREA: Final = 0.05
"""Least area that moved from frame to frame before a thing counts as moving, in squared die edges;
the empty place of a die that was taken up differs from the tray at rest too, but does not move."""
GAIN: Final = (0.5, 2.0)
"""Most that the camera's exposure is followed."""
CHANGED: Final = 0.05
"""Least part of a die's box that differs from the tray at rest where it has come to lie since."""
MENDED: Final = 0.5
"""A shift of the view must leave less than this part of what would be a hand."""


@dataclass(frozen=True, slots=True)
class Stir:
    """What stirs in one frame.

    Attributes:
        moving: Share of the tray that changed since the frame before, 0 to 1.
        over: Squares that a hand, or what may be one, lies over, px of the picture.
        loose: Boxes of what flies, px of the picture.
        repeated: The frame before was sent again: noise alone would tell two pictures apart.
    """

    moving: float
    over: frozenset[Box]
    loose: tuple[Box, ...]
    repeated: bool = False


class Stirring:
    """Compares frame after frame of one size.

    Args:
        shape: (H, W, ...) of the frames.
        zone_px: Corners of the tray; None for the whole picture.
    """

    def __init__(self, shape: tuple[int, ...], zone_px: Quad | None = None) -> None:
        height, width = shape[:2]
        self._crop = _around(zone_px, width, height)
        x0, y0, x1, y1 = self._crop
        self._scale = min(1.0, SIDE_PX / max(x1 - x0, y1 - y0))
        size = (round((x1 - x0) * self._scale), round((y1 - y0) * self._scale))
        self._size = (max(size[0], 1), max(size[1], 1))
        self._zone_px = zone_px
        self._inside = self._mask(zone_px)
        self._edge = USUAL_EDGE * max(self._size)
        self._noise = 0.0
        self._last: Image | None = None
        self._rest: Image | None = None
        self._settled: Image | None = None
        self._fixed = np.full(self._size[::-1], 255, np.uint8)  # 0 where dice lay at rest
        self._flying: list[Box] = []  # of the frame before, px of the small copy
        self._spots: list[Box] = []  # of the newest frame, likewise

    @property
    def spots(self) -> tuple[Box, ...]:
        """Where something small lies that did not at rest, or lay there and is gone, px."""
        return tuple(self._px(*box) for box in self._spots)

    @property
    def zone_px(self) -> Quad | None:
        """Corners of the tray, where it lies now."""
        return self._zone_px

    def _mask(self, zone_px: Quad | None) -> Mask:
        """(h, w): True within the tray."""
        width, height = self._size
        if zone_px is None:
            return np.ones((height, width), np.bool_)
        mask = np.zeros((height, width), np.uint8)
        corners = (np.array(zone_px) - self._crop[:2]) * self._scale
        cv2.fillConvexPoly(mask, corners.round().astype(np.int32), 1)
        return mask.astype(np.bool_)

    def __call__(self, image_bgr: Image) -> Stir:
        """Compare the next frame, (H, W, 3)."""
        small = self._small(image_bgr)
        last, self._last = self._last, small
        if last is None:
            self._rest = small
            return Stir(1.0, frozenset(), ())
        change = cv2.absdiff(small, last).max(axis=2)
        # A frame that is the one before, sent again, says nothing about noise.
        usual = min(float(np.median(change[::4, ::4])), MOST_NOISE)
        self._noise = max(usual, 0.95 * self._noise)
        level = max(float(MOVED), NOISE * self._noise)
        moved = (change > level) & self._inside
        share = float(moved.sum()) / max(int(self._inside.sum()), 1)
        over, loose = self._sort(self._apart(), moved)
        return Stir(share, over, loose, not change.any())

    def _apart(self) -> Mask:
        """(h, w): True where something lies in the tray that did not at rest."""
        assert self._rest is not None
        return self._differs_from(self._rest) & self._inside

    def _differs_from(self, picture: Image) -> Mask:
        """(h, w): True where the newest frame differs from an earlier one by more than noise."""
        assert self._last is not None
        return differs(self._last, picture, max(float(APART), NOISE * self._noise))

    def has_changed(self, box: Box) -> bool:
        """True where the tray looks otherwise than when it had settled, px of the picture."""
        left, top = self._crop[:2]
        x0, y0, x1, y1 = (
            round((v - low) * self._scale) for v, low in zip(box, (left, top) * 2, strict=True)
        )
        if self._settled is None or self._last is None:
            return True
        apart = self._differs_from(self._settled)
        part = apart[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)]
        return part.size == 0 or float(part.mean()) >= CHANGED

    def settles(self) -> tuple[Matrix, frozenset[Box]] | None:
        """Lay the tray at rest over the newest frame where the view has shifted as a whole.

        Returns:
            The map of px of the picture, and the squares that a hand lies over all the same; None
            where the view is the one it was.
        """
        assert self._rest is not None
        assert self._last is not None
        shift = view_shift(self._rest, self._last, self._fixed)
        if shift is None:
            return None
        before, rest, inside = self._covered(), self._rest, self._inside
        small_px = np.array([[self._scale, 0, 0], [0, self._scale, 0], [0, 0, 1.0]])
        small_px[:2, 2] = [-self._crop[0] * self._scale, -self._crop[1] * self._scale]
        whole = as_matrix(np.linalg.inv(small_px) @ np.array(shift) @ small_px)
        zone = None if self._zone_px is None else as_quad(project(whole, self._zone_px))
        self._rest, self._inside = shifted(rest, self._last, shift), self._mask(zone)
        over = self._covered()
        if len(over) > MENDED * len(before):
            self._rest, self._inside = rest, inside
            return None
        self._zone_px = zone
        self._fixed.fill(255)
        self._settled = None
        return whole, over

    def _covered(self) -> frozenset[Box]:
        """Squares that a hand lies over in a frame in which nothing moves."""
        apart = self._apart()
        return self._sort(apart, np.zeros_like(apart))[0]

    def has_settled(self) -> None:
        """Take the newest frame as the tray whose dice have been told."""
        self._settled = self._last

    def rests(self, edge_px: float | None, dice: Sequence[Box] = ()) -> None:
        """Take the newest frame as the tray at rest.

        Args:
            edge_px: A die's edge in px of the picture, where one is known.
            dice: Where dice lie, px of the picture.
        """
        self._rest = self._last
        self._fixed.fill(255)
        for box in dice:
            x0, y0, x1, y1 = ((np.array(grown(box)) - self._crop[:2] * 2) * self._scale).astype(int)
            self._fixed[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)] = 0
        if edge_px is not None:
            self._edge = max(edge_px * self._scale, 2.0)

    def _small(self, image_bgr: Image) -> Image:
        x0, y0, x1, y1 = self._crop
        part = image_bgr[y0:y1, x0:x1]
        way = cv2.INTER_AREA if self._scale < 1 else cv2.INTER_NEAREST
        small = cv2.resize(part, self._size, interpolation=way)
        return np.asarray(cv2.blur(small, (3, 3)), np.uint8)

    def _sort(self, apart: Mask, moved: Mask) -> tuple[frozenset[Box], tuple[Box, ...]]:
        """Hands and what flies, of what differs from the tray at rest and what moved."""
        closed = cv2.morphologyEx(apart.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3)))
        count, labels, figures, _ = cv2.connectedComponentsWithStats(closed)
        active = np.where(moved, labels, 0)
        moves = np.bincount(active.ravel(), minlength=count)
        rim = np.bincount(labels[self._rim()], minlength=count)
        hand = np.zeros(count, np.bool_)
        loose: list[Box] = []
        self._spots = []
        for index in range(1, count):
            if figures[index][cv2.CC_STAT_AREA] < LEAST_AREA * self._edge**2:
                continue
            moving = moves[index] >= MOVING_AREA * self._edge**2
            x, y, width, height = figures[index][:4].tolist()
            side = max(width, height)
            if not moving and side <= SMALL_EDGES * self._edge:
                self._spots.append((x, y, x + width, y + height))
            if rim[index] and not (moving and self._flew(figures[index], side)):
                # where a die lay at the edge, or lies now, nothing moves
                hand[index] = moving or side > SMALL_EDGES * self._edge
            elif moving:
                x, y, width, height = cv2.boundingRect((active == index).astype(np.uint8))
                if max(width, height) <= LONG_EDGES * self._edge:
                    loose.append((x, y, x + width, y + height))
                else:
                    hand[index] = True
        hands = hand[labels]
        self._flying = [box for box in loose if not self._is_held(box, hands)]
        return self._tiles(hands), tuple(sorted(self._px(*box) for box in loose))

    def _is_held(self, box: Box, hands: Mask) -> bool:
        """True when a thing of the small copy is at a hand: it may be a finger of it."""
        x0, y0, x1, y1 = (round(v) for v in grown(box))
        return bool(hands[max(y0, 0) : y1, max(x0, 0) : x1].any())

    def _flew(self, figures: NDArray[np.int32], side: int) -> bool:
        """True for what is no larger than a die, and flew here in the frame before.

        Hands come in over the edge of the tray; a die that rolls against it was inside before, and
        clear of them.
        """
        x, y, width, height = figures[:4].tolist()
        box = (x, y, x + width, y + height)
        return side <= SMALL_EDGES * self._edge and touches(box, self._flying)

    def _rim(self) -> Mask:
        """(h, w): True along the edge of the tray, from where hands come."""
        inner = cv2.erode(
            self._inside.astype(np.uint8), np.ones((3, 3)), borderType=cv2.BORDER_CONSTANT,
            borderValue=0,
        )  # fmt: skip
        result: Mask = self._inside & ~inner.astype(np.bool_)
        return result

    def _tiles(self, mask: Mask) -> frozenset[Box]:
        """Squares in which a mask is set, px of the picture."""
        if not mask.any():
            return frozenset()
        height, width = mask.shape
        padded = np.pad(mask, ((0, -height % TILE), (0, -width % TILE)))
        rows, columns = padded.shape[0] // TILE, padded.shape[1] // TILE
        full = padded.reshape(rows, TILE, columns, TILE).any(axis=(1, 3))
        return frozenset(
            self._px(j * TILE, i * TILE, (j + 1) * TILE, (i + 1) * TILE)
            for i, j in np.argwhere(full).tolist()
        )

    def _px(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """A box of the small copy in px of the picture."""
        left, top = self._crop[:2]
        a, b, c, d = (v / self._scale for v in (x0, y0, x1, y1))
        return a + left, b + top, c + left, d + top


def differs(small: Image, rest: Image, least: float = APART) -> Mask:
    """(h, w): True where something else lies, whatever the light.

    Args:
        small: (h, w, 3) now.
        rest: (h, w, 3) at rest.
        least: Levels of 255 from which a difference counts.
    """
    now = small.astype(np.float32)
    before = np.clip(rest.astype(np.float32) * _gain(now, rest), 0, 255)
    apart: Any = np.abs(now - before).max(axis=2) > least
    if not apart.any():
        return np.asarray(apart, np.bool_)
    ratio = (now[apart] + DARK) / (before[apart] + DARK)
    low, high = ratio.min(axis=1), ratio.max(axis=1)
    light = (low >= SHADE[0]) & (high <= SHADE[1]) & (high - low <= TINT)
    apart[apart] = ~light
    return np.asarray(apart, np.bool_)


def _gain(now: NDArray[np.float32], rest: Image) -> NDArray[np.float32]:
    """How much brighter the camera shows all of it, by channel, (3,)."""
    few = (slice(None, None, 4), slice(None, None, 4))
    ratio = (now[few] + DARK) / (rest[few].astype(np.float32) + DARK)
    gain: NDArray[np.float32] = np.clip(np.median(ratio.reshape(-1, 3), axis=0), *GAIN)
    return gain


def _around(zone_px: Quad | None, width: int, height: int) -> tuple[int, int, int, int]:
    """The part of a picture that holds a tray; all of it where the tray is elsewhere."""
    if zone_px is None:
        return 0, 0, width, height
    xs, ys = [x for x, _ in zone_px], [y for _, y in zone_px]
    x0, x1 = (int(min(max(x, 0), width)) for x in (min(xs), np.ceil(max(xs))))
    y0, y1 = (int(min(max(y, 0), height)) for y in (min(ys), np.ceil(max(ys))))
    return (x0, y0, x1, y1) if x1 - x0 > 1 and y1 - y0 > 1 else (0, 0, width, height)
