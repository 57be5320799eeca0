"""Quadrilaterals that may be paper: straight edges with their brighter side inwards.

What tells a sheet from its table at any size, blur and slant is its outline: four straight edges,
each in view for a part at least. Segments are those of LSD (von Gioi, Jakubowicz, Morel and
Randall, IPOL 2012), from OpenCV.
"""

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Floats

_BLUR_PX: Final = 1.0  # before segments are looked for: noise of the hard tier breaks them
_WHITE: Final = 97.0  # percentile of a channel that counts as white
_DARKEST: Final = 20.0  # of 255, of that white
_SHORTEST_PX: Final = 14.0
_BESIDE_PX: Final = 3.5  # from a segment to where its two sides are looked at
_CONTRAST: Final = 6.0  # of 255, between the two sides
_ALIGNED: Final = 0.985  # cosine of the angle between segments of one edge: 10 deg
_OFF: Final = (2.5, 0.03)  # px beside the line, and by the gap between: paper bends
_GAP: Final = (10.0, 1.5)  # px along the line, and by the length of the longer segment
_MOST_LINES: Final = 44
_STRONG: Final = 40.0  # contrast beyond which an edge is no better
_TURN: Final = 0.25  # sine of the least angle of a corner
_OUTSIDE: Final = 0.25  # how far corners may lie outside, in sides of the picture
_SHORTEST_SIDE_PX: Final = 25.0
_SEEN: Final = 0.25  # share of a side in view, of three of the four
_RUNS_ON: Final = 0.3  # weight of what of a line lies beyond the side
_AREAS: Final = (0.008, 0.9)  # of a quadrilateral, in pictures
_MOST: Final = 60
_SAME: Final = 0.05  # corners nearer than so many sides: the same quadrilateral
_CV: Final[Any] = cv2  # its annotations know no settings of this detector


@dataclass(frozen=True, slots=True)
class Edges:
    """Straight edges, brighter on the right of their direction (y down).

    Attributes:
        points: (N, 2) a point of each, px.
        along: (N, 2) unit vectors.
        parts: For each the parts in view, (M, 2) positions along it from its point, px.
    """

    points: Floats
    along: Floats
    parts: tuple[Floats, ...]


def quadrilaterals(small_bgr: NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """Quadrilaterals brighter than what lies around them.

    Args:
        small_bgr: (H, W, 3), some 500 px a side.

    Returns:
        Corners (N, 4, 2), px, clockwise, and the share of each outline in view (N,), best first.
    """
    edges = merge(see_segments(small_bgr))
    if len(edges.parts) < 4:
        return np.zeros((0, 4, 2)), np.zeros(0)
    height, width = small_bgr.shape[:2]
    corners, seen = _closed(edges, (width, height))
    order = np.argsort(-seen)
    kept: list[int] = []
    for index in order:
        if len(kept) == _MOST:
            break
        size = np.sqrt(_area(corners[index]))
        if not any(_apart(corners[index], corners[other]) < _SAME * size for other in kept):
            kept.append(int(index))
    return corners[kept], seen[kept]


def see_segments(small_bgr: NDArray[np.uint8]) -> Floats:
    """Segments (N, 6): x and y of both ends, contrast (of 255) and length, px.

    They are looked for in the weakest channel, where coloured tables are dark, and in grey.
    """
    soft = cv2.GaussianBlur(small_bgr, (0, 0), _BLUR_PX).astype(np.float32)
    white = np.percentile(soft.reshape(-1, 3), _WHITE, axis=0).clip(_DARKEST)
    least = 255 * np.minimum(soft / white, 1.0).min(axis=2)
    grey = np.minimum(soft.mean(axis=2) * 255 / white.mean(), 255)
    detector = _CV.createLineSegmentDetector(cv2.LSD_REFINE_STD, 1.0, 0.6, 2.0, 22.5, 0.0, 0.6)
    found = []
    for channel in (least.astype(np.uint8), grey.astype(np.uint8)):
        ends = detector.detect(channel)[0]
        if ends is not None:
            found.append(_turned(channel, ends.reshape(-1, 4).astype(np.float64)))
    return np.concatenate(found) if found else np.zeros((0, 6))


def _turned(channel: NDArray[np.uint8], ends: Floats) -> Floats:
    """Segments with contrast and length, each with its brighter side on its right."""
    length = np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1])
    ends, length = ends[length > _SHORTEST_PX], length[length > _SHORTEST_PX]
    along = (ends[:, 2:] - ends[:, :2]) / length[:, None]
    right = np.stack([-along[:, 1], along[:, 0]], axis=1)
    at = (
        ends[:, None, :2]
        + np.linspace(0.1, 0.9, 9)[None, :, None] * (ends[:, 2:] - ends[:, :2])[:, None]
    )
    sides = []
    for off in (_BESIDE_PX, -_BESIDE_PX):
        x, y = np.moveaxis((at + off * right[:, None]).astype(int), 2, 0)
        x, y = x.clip(0, channel.shape[1] - 1), y.clip(0, channel.shape[0] - 1)
        sides.append(channel[y, x].astype(np.float64))
    contrast = np.median(sides[0] - sides[1], axis=1)
    ends = np.where(contrast[:, None] < 0, ends[:, [2, 3, 0, 1]], ends)
    table = np.column_stack([ends, np.abs(contrast), length])
    return np.asarray(table[np.abs(contrast) > _CONTRAST])


def merge(segments: Floats) -> Edges:
    """Edges made of the segments on one line with one brighter side, the longest first."""
    left = np.ones(len(segments), bool)
    found: list[tuple[float, Floats, Floats, Floats]] = []
    for index in np.argsort(-segments[:, 5]):
        if not left[index]:
            continue
        same = left & _in_line(segments, segments[index])
        left &= ~same
        found.append(_edge(segments[same], segments[index]))
    found.sort(key=lambda one: -one[0])
    found = found[:_MOST_LINES]
    return Edges(
        np.array([one[1] for one in found]).reshape(-1, 2),
        np.array([one[2] for one in found]).reshape(-1, 2),
        tuple(one[3] for one in found),
    )


def _in_line(segments: Floats, one: Floats) -> NDArray[np.bool_]:
    """Which segments continue one of them."""
    start, length = one[:2], one[5]
    along = (one[2:4] - start) / length
    normal = np.array([-along[1], along[0]])
    ways = (segments[:, 2:4] - segments[:, :2]) / segments[:, 5:6]
    first, last = segments[:, :2] - start, segments[:, 2:4] - start
    gap = np.maximum(np.maximum(first @ along - length, -(last @ along)), 0.0)
    off = np.maximum(np.abs(first @ normal), np.abs(last @ normal))
    near = (off < _OFF[0] + _OFF[1] * gap) & (gap < _GAP[0] + _GAP[1] * length)
    return np.asarray(near & (ways @ along > _ALIGNED))


def _edge(segments: Floats, longest: Floats) -> tuple[float, Floats, Floats, Floats]:
    """Weight, point, direction and parts in view of the line through segments."""
    points = np.concatenate([segments[:, :2], segments[:, 2:4]])
    weights = np.tile(segments[:, 5], 2)
    middle = (points * weights[:, None]).sum(axis=0) / weights.sum()
    _, axes = np.linalg.eigh(((points - middle) * weights[:, None]).T @ (points - middle))
    along = axes[:, 1] * np.sign(axes[:, 1] @ (longest[2:4] - longest[:2]) or 1.0)
    ends = np.stack([(segments[:, i : i + 2] - middle) @ along for i in (0, 2)], axis=1)
    parts: list[list[float]] = []
    for low, high in ends[np.argsort(ends[:, 0])]:
        if parts and low <= parts[-1][1]:
            parts[-1][1] = max(parts[-1][1], float(high))
        else:
            parts.append([float(low), float(high)])
    table = np.array(parts)
    contrast = float(np.average(segments[:, 4], weights=segments[:, 5]))
    weight = float((table[:, 1] - table[:, 0]).sum()) * min(contrast, _STRONG) ** 0.5
    return weight, middle, along, table


def _closed(edges: Edges, size: tuple[int, int]) -> tuple[Floats, Floats]:
    """Corners (N, 4, 2) of all fours of edges that close clockwise, and their shares in view."""
    points, turns, at = _crossings(edges, size)
    covered = np.stack([_covered(p, at[i]) for i, p in enumerate(edges.parts)])
    whole = np.array([float((p[:, 1] - p[:, 0]).sum()) for p in edges.parts])
    # Axes: the edge before, the edge itself, the edge after it.
    length = at[None, :, :] - at.T[:, :, None]
    cover = covered[None, :, :] - covered.T[:, :, None]
    seen = cover - _RUNS_ON * (whole[None, :, None] - cover)
    side = turns[:, :, None] & turns[None, :, :] & (length > _SHORTEST_SIDE_PX)
    shown = seen / np.maximum(length, 1.0) > _SEEN
    fours, shares = [], []
    for i in range(len(whole)):
        # b, c, d follow edge i; i is the first of them, so that each four comes once.
        good = side[i][:, :, None] & side & side[:, :, i][None] & side[:, i, :].T[:, None]
        good[: i + 1] = good[:, : i + 1] = good[:, :, : i + 1] = False
        b, c, d = np.nonzero(good)
        sides = ((i, b, c), (b, c, d), (c, d, i), (d, i, b))
        enough = sum(shown[s].astype(int) for s in sides) >= 3
        b, c, d = b[enough], c[enough], d[enough]
        sides = ((i, b, c), (b, c, d), (c, d, i), (d, i, b))
        total = sum(length[s] for s in sides)
        shares.append(sum(seen[s] for s in sides) / np.maximum(total, 1.0))
        fours.append(np.stack([points[i, b], points[b, c], points[c, d], points[d, i]], axis=1))
    corners, share = np.concatenate(fours), np.concatenate(shares)
    area = _area(corners) / (size[0] * size[1])
    fits = (area > _AREAS[0]) & (area < _AREAS[1])
    # Of two outlines as much in view the larger one has more to say.
    return corners[fits], (share * area**0.1)[fits]


def _crossings(edges: Edges, size: tuple[int, int]) -> tuple[Floats, NDArray[np.bool_], Floats]:
    """Where edges meet (N, N, 2), if they turn clockwise there, and how far along the first."""
    p, d = edges.points, edges.along
    sine = d[:, None, 0] * d[None, :, 1] - d[:, None, 1] * d[None, :, 0]
    off = p[None] - p[:, None]
    safe = np.where(np.abs(sine) < 1e-9, 1e-9, sine)
    at = (off[..., 0] * d[None, :, 1] - off[..., 1] * d[None, :, 0]) / safe
    points = p[:, None] + at[..., None] * d[:, None]
    low, high = -_OUTSIDE * np.array(size), (1 + _OUTSIDE) * np.array(size)
    inside = ((points > low) & (points < high)).all(axis=2)
    return points, inside & (sine > _TURN), at


def _covered(parts: Floats, at: Floats) -> Floats:
    """Length of the parts of an edge in view before each of the positions along it."""
    return np.asarray((at[:, None].clip(parts[:, 0], parts[:, 1]) - parts[:, 0]).sum(axis=1))


def _area(corners: Floats) -> Floats:
    """Areas of quadrilaterals (..., 4, 2)."""
    one, two = corners[..., 2, :] - corners[..., 0, :], corners[..., 3, :] - corners[..., 1, :]
    return np.asarray(0.5 * np.abs(one[..., 0] * two[..., 1] - one[..., 1] * two[..., 0]))


def _apart(one: Floats, other: Floats) -> float:
    """How far the corners of two quadrilaterals are apart at most, whichever is the first."""
    return min(float(np.abs(np.roll(one, turn, axis=0) - other).max()) for turn in range(4))
