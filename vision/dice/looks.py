"""Looks at a picture for dice: the whole, closer ones where dice are small, merged into one list.

A look costs 60 ms whatever it shows, so what was found decides how many there are: dice that are
large enough in the first look need no second.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.clusters import Box, overlap_share
from vision.detect import INPUT_SIDE, Detection, Detector
from vision.dice.flights import touches
from vision.homography import Quad
from vision.looks import detect_in, square_around

Image = NDArray[np.uint8]
Crop = tuple[int, int, int, int]

DICE_KINDS: Final = frozenset({"die", "symbol_die"})
"""One thing here: what a die shows is the classifier's to tell."""
LIKE_DICE: Final = frozenset({"cube", "tile"})
"""What a wooden or a worn white die may pass for; then only the classifier's word counts."""
MIN_FOUND: Final = 0.1
"""Low, because the classifier sorts out what is no die: on photographs of training sources and
composed scenes of calibration tables one die in twenty is found with less than 0.25."""
SAME_IOU: Final = 0.5
"""Boxes that overlap more are one die, whatever their kinds. Of two touching dice of one size,
turned by 45 degrees and seen at 60 degrees, they overlap up to about 0.4, see `detect.NMS_IOU`."""
INSIDE: Final = 0.85
"""A box that lies so far in another is a part of the same thing."""
FACE_SHARE: Final = 0.3
"""It is another view of the same die, its top face or what an edge of a closer look left of it, if
it covers this part of it at least; a smaller one is a pip, which may not stand for its die."""
SMALL_PX: Final = 28.0
"""Dice smaller than this in the network's input are looked at again, enlarged."""
WANTED_PX: Final = 64.0
"""Size of a die in the input of a closer look, the middle of those it was trained on."""
MIN_CROP_PX: Final = 320
"""Smallest closer look: twofold enlargement; more would only show the network blur it never saw."""
MOST_LOOKS: Final = 3
"""Closer looks at one picture. Where dice lie too far apart for so few, each takes in more."""
TILE_SHARE: Final = 0.6
"""Side of a tile as part of the picture's: tiles overlap by a fifth of it."""
MIN_TILED_PX: Final = 1500
"""Where nothing was found in a larger picture, its dice may be too small for the first look."""
AT_EDGE_PX: Final = 2.0
"""A box this near to the edge of a closer look goes on beyond it; another look shows it whole."""
ZONE_MARGIN: Final = 0.08
"""Part of a tray's extent that is looked at around it: dice stand out over its rim when seen
aslant."""


def look_for_dice(
    image_bgr: Image,
    detector: Detector,
    zone_px: Quad | None = None,
    spots: Sequence[Box] = (),
) -> tuple[Detection, ...]:
    """All finds that may be dice, each once, best first.

    Args:
        image_bgr: (H, W, 3).
        detector: Finds pieces.
        zone_px: Corners of the part to look at, px; None for the whole picture.
        spots: Where dice may lie, px: looked at from nearer where none was found.
    """
    shape = image_bgr.shape
    whole = _around_zone(zone_px, shape)
    finds = _look(image_bgr, detector, whole)
    for crop in closer_looks([find.box_px for find in finds], whole):
        finds = merged([*finds, *_look(image_bgr, detector, crop)])
    unseen = [spot for spot in spots if not touches(spot, [find.box_px for find in finds])]
    for group in _grouped(unseen, MIN_CROP_PX)[:MOST_LOOKS]:
        crop = _square(group, MIN_CROP_PX, whole)
        finds = merged([*finds, *_look(image_bgr, detector, crop)])
    return tuple(finds)


def _look(image_bgr: Image, detector: Detector, crop: Crop) -> list[Detection]:
    """Dice in a part of the picture that lie wholly in it, each once, in px of the picture."""
    found = detect_in(image_bgr, detector, crop, MIN_FOUND)
    height, width = image_bgr.shape[:2]
    kinds = DICE_KINDS | LIKE_DICE
    return merged(
        [d for d in found if d.kind in kinds and not _goes_on(d.box_px, crop, width, height)]
    )


def _goes_on(box: Box, crop: Crop, width: int, height: int) -> bool:
    """True when a box ends at an edge of the look that is none of the picture's."""
    near = (
        crop[0] > 0 and box[0] - crop[0] < AT_EDGE_PX,
        crop[1] > 0 and box[1] - crop[1] < AT_EDGE_PX,
        crop[2] < width and crop[2] - box[2] < AT_EDGE_PX,
        crop[3] < height and crop[3] - box[3] < AT_EDGE_PX,
    )
    return any(near)


def merged(finds: Sequence[Detection]) -> list[Detection]:
    """Each die once, best first: non-maximum suppression over all kinds and looks."""
    kept: list[Detection] = []
    for find in sorted(finds, key=lambda d: (-d.confidence, d.box_px, d.kind)):
        if not any(_is_same(find.box_px, other.box_px) for other in kept):
            kept.append(find)
    return kept


def _is_same(a: Box, b: Box) -> bool:
    inside = overlap_share(a, b)
    smaller, larger = sorted((_area(a), _area(b)))
    if inside >= INSIDE and smaller >= FACE_SHARE * larger:
        return True
    common = inside * smaller
    return common >= SAME_IOU * (_area(a) + _area(b) - common)


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def side_of(box: Box) -> float:
    """Longer side of a box, px."""
    return max(box[2] - box[0], box[3] - box[1])


def closer_looks(boxes: Sequence[Box], whole: Crop) -> tuple[Crop, ...]:
    """Parts of the picture to look at again, given the finds of the first look. Pure.

    Args:
        boxes: Of the finds, px.
        whole: What the first look took in.

    Returns:
        None where the dice are large enough, tiles where nothing was found in a large picture,
        else squares that hold the small dice, `MOST_LOOKS` at most.
    """
    width, height = whole[2] - whole[0], whole[3] - whole[1]
    longer = max(width, height)
    if not boxes:
        return _tiles(whole) if longer >= MIN_TILED_PX else ()
    small = [box for box in boxes if side_of(box) * INPUT_SIDE / longer < SMALL_PX]
    if not small:
        return ()
    side = max(INPUT_SIDE / WANTED_PX * float(np.median([side_of(b) for b in small])), MIN_CROP_PX)
    while side < longer:
        groups = _grouped(small, side)
        if len(groups) <= MOST_LOOKS:
            return tuple(_square(group, side, whole) for group in groups)
        side *= 1.5
    return ()


def _grouped(boxes: Sequence[Box], side: float) -> list[list[Box]]:
    """Boxes shared out among squares of a side, greedily from the left."""
    groups: list[list[Box]] = []
    for box in sorted(boxes):
        for group in groups:
            x0, y0, x1, y1 = enclosing([*group, box])
            air = side_of(box)  # so that no die ends at the look's edge, nor lacks its table
            if max(x1 - x0, y1 - y0) + air <= side:
                group.append(box)
                break
        else:
            groups.append([box])
    return groups


def enclosing(boxes: Sequence[Box]) -> Box:
    """The box around boxes, one at least."""
    return (
        min(b[0] for b in boxes),
        min(b[1] for b in boxes),
        max(b[2] for b in boxes),
        max(b[3] for b in boxes),
    )


def _square(group: Sequence[Box], side: float, whole: Crop) -> Crop:
    x0, y0, x1, y1 = enclosing(group)
    left, top, right, bottom = whole
    limits = (right - left, bottom - top)
    a, b, c, d = square_around((x0 + x1) / 2 - left, (y0 + y1) / 2 - top, side, limits)
    return a + left, b + top, c + left, d + top


def _tiles(whole: Crop) -> tuple[Crop, ...]:
    """Four tiles that overlap."""
    x0, y0, x1, y1 = whole
    width, height = x1 - x0, y1 - y0
    across, down = round(width * TILE_SHARE), round(height * TILE_SHARE)
    return tuple(
        (left, top, left + across, top + down)
        for top in (y0, y1 - down)
        for left in (x0, x1 - across)
    )


def _around_zone(zone_px: Quad | None, shape: tuple[int, ...]) -> Crop:
    """The part of a picture (H, W, ...) that holds a tray and what stands out over its rim."""
    height, width = shape[:2]
    if zone_px is None:
        return 0, 0, width, height
    xs, ys = [x for x, _ in zone_px], [y for _, y in zone_px]
    air = ZONE_MARGIN * max(max(xs) - min(xs), max(ys) - min(ys))
    x0, x1 = (round(min(max(x, 0), width)) for x in (min(xs) - air, max(xs) + air))
    y0, y1 = (round(min(max(y, 0), height)) for y in (min(ys) - air, max(ys) + air))
    if x1 - x0 < 2 or y1 - y0 < 2:  # a tray outside of the picture
        return 0, 0, width, height
    return x0, y0, x1, y1
