"""Where written sheets lie, how their paper bends, and the camera over them."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.compose.camera import Camera, aim, homography
from models.compose.dice_stage import CELL_MM
from models.compose.sheet_paper import WrittenSheet
from models.compose.tiers import Tier, uniform

Points = NDArray[np.float64]
Rng = np.random.Generator

CURL: Final = {"clean": (0.0, 0.0), "everyday": (0.0, 0.006), "hard": (0.0, 0.018)}
"""Bend as a share of the sheet's height, of the tiers of difficulty."""
TRAINING_CURL: Final = (0.0, 0.02)
FOLDED: Final = {"clean": 0.0, "everyday": 0.12, "hard": 0.25}
"""Share of sheets with a fold across them."""
TRAINING_FOLDED: Final = 0.15
PITCH_MM: Final = {"qwinto": 14.0, "detrak": 11.0}
"""What counts as a sheet's cell in px a cell: between those of both editions."""
MARGINS: Final = (0.04, 0.4)
"""Table on each side of the sheets, in their width or height; training needs less of it."""
TRAINING_MARGINS: Final = (0.02, 0.14)
LARGEST_PX: Final = 2200
LEAST_PX: Final = 560
_PAST: Final = 0.56  # of the bend, in lengths of the paper from its middle


@dataclass(frozen=True, slots=True)
class Bend:
    """How high the paper of a sheet lies over the table, mm.

    Attributes:
        way: (x, y) unit vector across the bend.
        sag_mm: height of the bend; below 0 the edges stand up instead of the middle.
        span_mm: length of the paper along the way.
        fold_way: (x, y) unit vector across the fold.
        fold_mm: how high the paper rises from the fold to its edges; 0 for none.
        fold_at: where the fold lies along its way from the middle, in spans.
    """

    way: tuple[float, float] = (1.0, 0.0)
    sag_mm: float = 0.0
    span_mm: float = 1.0
    fold_way: tuple[float, float] = (1.0, 0.0)
    fold_mm: float = 0.0
    fold_at: float = 0.0

    def height_mm(self, from_middle_mm: Points) -> Points:
        """(N,) heights of points (N, 2) from the middle of the paper."""
        u = np.clip(from_middle_mm @ np.array(self.way) / self.span_mm, -_PAST, _PAST)
        arch = self.sag_mm * (1 - 4 * u**2) if self.sag_mm >= 0 else -self.sag_mm * 4 * u**2
        v = np.clip(from_middle_mm @ np.array(self.fold_way) / self.span_mm, -_PAST, _PAST)
        return np.asarray(arch + self.fold_mm * 2 * np.abs(v - self.fold_at))


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """One sheet on the table.

    Attributes:
        sheet: the sheet.
        scale: of its print, 1 as planned.
        turn: of the sheet on the table, radians.
        at: (2,) where the middle of its paper lies, in cells.
        bend: of its paper.
        trim_mm: (4, 2) how far its corners are cut, clockwise from the top left.
    """

    sheet: WrittenSheet
    scale: float
    turn: float
    at: Points
    bend: Bend
    trim_mm: Points

    def world(self, points_mm: Points) -> Points:
        """(N, 3) cells of points (N, 2) in the plan's mm."""
        flat = self.sheet.flat
        from_middle = (points_mm + flat.origin_mm - np.array(flat.size_mm) / 2) * self.scale
        cos, sin = np.cos(self.turn), np.sin(self.turn)
        turned = from_middle @ np.array([[cos, sin], [-sin, cos]])
        height = self.bend.height_mm(from_middle)
        return np.column_stack([turned / CELL_MM + self.at, height / CELL_MM])

    def edge_mm(self, steps: int = 14) -> Points:
        """(N, 2) points around the paper as it is cut, in the plan's mm."""
        flat = self.sheet.flat
        width, height = flat.size_mm
        corners = np.array([(0, 0), (width, 0), (width, height), (0, height)]) + self.trim_mm
        share = np.linspace(0, 1, steps, endpoint=False)[:, None]
        sides = [a + (b - a) * share for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
        return np.concatenate(sides) - flat.origin_mm


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A sheet under a camera: where its millimetres lie in the picture."""

    lying: Lying
    camera: Camera

    def to_px(self, points_mm: Points) -> Points:
        """Picture points (N, 2), px, of points (N, 2) in the plan's mm."""
        return self.camera.project(self.lying.world(np.asarray(points_mm, np.float64)))

    def to_mm(self, points_px: Points) -> Points:
        """Points (N, 2) in the plan's mm of picture points (N, 2), px; the bend is undone."""
        flat = self.lying.sheet.flat
        width, height = flat.plan.size_mm
        corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
        back = homography(self.to_px(corners), corners)
        guess = points_px.astype(np.float64)
        for _ in range(_UNBENDING):
            found = _mapped(back, guess)
            guess = guess + points_px - self.to_px(found)
        return _mapped(back, guess)


_UNBENDING: Final = 5
"""Rounds: each leaves a tenth of the error or less where paper bends by 2 % of its height."""


def _mapped(matrix: Points, points: Points) -> Points:
    whole = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(whole[:, :2] / whole[:, 2:])


def lay(rng: Rng, tier: Tier, sheets: tuple[WrittenSheet, ...]) -> tuple[Lying, ...]:
    """Lay sheets on the table, one beside or below the other, each a little turned and bent."""
    found: list[Lying] = []
    place = np.zeros(2)
    for index, sheet in enumerate(sheets):
        scale = _scale(rng, sheet)
        size = np.array(sheet.flat.size_mm) * scale / CELL_MM
        axis = 1 if sheet.flat.plan.game == "qwinto" else 0
        if index:
            before = np.array(found[-1].sheet.flat.size_mm) * found[-1].scale / CELL_MM
            place = place.copy()
            place[axis] += (before[axis] + size[axis]) / 2 + rng.uniform(0.25, 0.8)
            place[1 - axis] += rng.normal(0, 0.3)
        turn = float(rng.normal(0, 0.04)) if len(sheets) > 1 else 0.0
        trim = _trim(rng, sheet)
        found.append(Lying(sheet, scale, turn, place, _bend(rng, tier, sheet), trim))
    return tuple(found)


def _scale(rng: Rng, sheet: WrittenSheet) -> float:
    """Printers scale pages to fit: 90 to 103 %; sheets as sold are as they are."""
    if sheet.scale is not None:
        return sheet.scale
    if sheet.flat.plan.edition == "commercial" or rng.random() < 0.5:
        return 1.0
    return float(rng.uniform(0.9, 1.03))


def _trim(rng: Rng, sheet: WrittenSheet) -> Points:
    """Cut by hand: corners a little off; pads and cards are cut straight."""
    if sheet.flat.plan.edition == "printed":
        return rng.uniform(-0.8, 0.8, (4, 2))
    if sheet.flat.plan.game == "detrak" and rng.random() < 0.4:
        return np.asarray(rng.uniform(0, 2.0, (4, 2)) * [(1, 1), (-1, 1), (-1, -1), (1, -1)])
    return np.zeros((4, 2))


def _bend(rng: Rng, tier: Tier, sheet: WrittenSheet) -> Bend:
    width, height = sheet.flat.size_mm
    curl = uniform(rng, CURL.get(tier.name, TRAINING_CURL)) * height
    if tier.name == "training" and rng.random() < 0.3:
        curl = 0.0
    angle = float(rng.choice([0.0, np.pi / 2, rng.uniform(0, np.pi)]))
    way = (float(np.cos(angle)), float(np.sin(angle)))
    span = abs(way[0]) * width + abs(way[1]) * height
    sag = curl * float(rng.choice([1.0, -1.0], p=[0.65, 0.35]))
    if rng.random() >= FOLDED.get(tier.name, TRAINING_FOLDED):
        return Bend(way, sag, span)
    across = (1.0, 0.0) if rng.random() < 0.5 else (0.0, 1.0)
    rise = uniform(rng, CURL.get(tier.name, TRAINING_CURL)) * height * 0.5
    return Bend(way, sag * 0.5, span, across, rise, float(rng.normal(0, 0.06)))


def look(rng: Rng, tier: Tier, lying: tuple[Lying, ...]) -> tuple[Camera, dict[str, float]]:
    """A camera over all sheets, drawn from a tier, and its conditions."""
    training = tier.name == "training"
    cell_px = uniform(rng, tier.px_per_cell)
    if training:
        cell_px = float(rng.uniform(24, 92))
        if rng.random() < 0.22:
            cell_px = float(np.exp(rng.uniform(np.log(15), np.log(40))))
    tilt = uniform(rng, tier.tilt_deg)
    if training:
        tilt = float(rng.choice([rng.uniform(0, 25), rng.uniform(10, 62)]))
    roll = uniform(rng, tier.roll_deg)
    azimuth = float(rng.uniform(-15, 15) if tier.name == "clean" else rng.uniform(0, 360))
    game = lying[0].sheet.flat.plan.game
    unit_px = cell_px / PITCH_MM[game] * CELL_MM
    edges = np.concatenate([one.world(one.edge_mm(4)) for one in lying])
    middle = (edges.min(axis=0) + edges.max(axis=0)) / 2
    wide = float(np.ptp(edges, axis=0).max()) * unit_px
    # a phone sees 55 to 75 degrees across, and the sheets fill a good part of that
    focal = wide * float(rng.uniform(1.0, 2.2))
    axes, eye = aim(tilt, azimuth, roll, focal / unit_px, middle)
    camera = Camera(axes, eye, focal, np.zeros(2), (1, 1))
    box = camera.project(edges)
    low, high = box.min(axis=0), box.max(axis=0)
    margins = TRAINING_MARGINS if training else MARGINS
    before, after = (rng.uniform(*margins, 2) * (high - low) for _ in range(2))
    if not training:  # a photograph is never as small as a sheet of 16 px a cell
        lacking = max(0.0, LEAST_PX - float((high - low + before + after).max()))
        before, after = before + lacking * rng.uniform(0.3, 0.7), after + lacking / 2
    size = np.minimum(np.ceil(high - low + before + after), LARGEST_PX).astype(int)
    camera = Camera(axes, eye, focal, before - low, (int(size[0]), int(size[1])))
    facts = {"tilt_deg": round(tilt, 1), "cell_px": round(cell_px, 1), "roll_deg": round(roll, 1)}
    return camera, facts
