"""One composed photograph of score sheets: written, laid on a table, lit, and labelled exactly.

    compose_sheet(seed, "train", "training", "qwinto")
    compose_sheet(seed, "evaluation", "hard", "detrak", "commercial", fill="played")

The same seed gives the same picture.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.dice_sensor import develop
from models.compose.sheet_paint import SheetPainter
from models.compose.sheet_paper import RUBBED, SPOILT, Wish, WrittenSheet, write_sheet
from models.compose.sheet_stage import View, lay, look
from models.compose.sheet_values import played_texts, random_texts, reading_json
from models.compose.tiers import TIERS, TRAINING, Tier
from vision.plans.sheets import EDITIONS, Edition, sheet_plan

Bytes = NDArray[np.uint8]
Points = NDArray[np.float64]
Quad = tuple[tuple[float, float], ...]
Rng = np.random.Generator

GAMES: Final = ("qwinto", "detrak")
TRAINING_SPOILT: Final = 0.12
"""Share of written fields that are spoilt in training: many times what players do."""
TRAINING_RUBBED: Final = 0.3
"""Share of blank fields with a trace of something in training."""
SEVERAL: Final = {"everyday": 0.08, "hard": 0.04}
"""Share of pictures with a second sheet."""


@dataclass(frozen=True, slots=True)
class TrueField:
    """One field of the truth.

    Attributes:
        path: its place in a reading.
        kind: of the plan's field.
        text: what counts there: a number, a symbol's text, ``x`` for a marked box; empty for none.
        state: name of `vision.labels.FIELD_STATES`.
        way: how it was spoilt or rubbed out; empty for neither.
        visible: share of it in view, 0-1.
        edge_px: mean side of its square in the picture.
    """

    path: str
    kind: str
    text: str
    state: str
    way: str
    visible: float
    edge_px: float


@dataclass(frozen=True, slots=True, eq=False)
class TrueSheet:
    """One sheet of the truth.

    Attributes:
        game: id of the game.
        edition: whose print.
        outline_px: corners of the plan, clockwise from its own top left.
        view: where every millimetre lies: ``view.to_px``.
        fields: all fields in the plan's order.
        values: what a perfect reading holds, as the contract's JSON.
        facts: print, paper, pen and hand.
    """

    game: str
    edition: Edition
    outline_px: Quad
    view: View
    fields: tuple[TrueField, ...]
    values: dict[str, Any]
    facts: dict[str, str]

    def to_px(self, points_mm: Points) -> Points:
        """Picture points (N, 2) of points (N, 2) in the plan's mm, the bend included."""
        return self.view.to_px(points_mm)


@dataclass(frozen=True, slots=True, eq=False)
class SheetScene:
    """A finished picture and its truth.

    Attributes:
        image_bgr: (H, W, 3) uint8, the stored JPEG decoded.
        jpeg: its bytes.
        sheets: left to right by the middle of their outlines.
        facts: conditions, for tables by factor.
    """

    image_bgr: Bytes
    jpeg: bytes
    sheets: tuple[TrueSheet, ...]
    facts: dict[str, float | str]


def compose_sheet(
    seed: int, split: str, tier: str, game: str, edition: Edition | None = None, *,
    fill: str | Mapping[str, str] = "random",
) -> SheetScene:  # fmt: skip
    """Write, photograph and label a sheet of a seed; at times a second one lies beside it.

    Args:
        seed: everything random follows from it.
        split: ``train``, ``calibration`` or ``evaluation``: whose prints, pens and handwriting.
        tier: ``training`` or a name of `models.compose.tiers.TIERS`.
        game: whose sheet.
        edition: whose print; None for either.
        fill: ``random`` for any text anywhere, ``played`` for a game's sheet, or texts by path.

    Raises:
        LabError: the handwriting is not there.
        ValueError: unknown split, tier or game.
    """
    ranges = tier_of(tier)
    rng = np.random.default_rng([seed, GAMES.index(game)])
    chosen: Edition = edition or EDITIONS[int(rng.integers(2))]
    count = 1 + int(isinstance(fill, str) and rng.random() < SEVERAL.get(tier, 0.0))
    fresh = split == "evaluation"  # sets are drawn from a few prints and tables of each kind
    spoilt, rubbed = 0.0, RUBBED
    if isinstance(fill, str):
        spoilt, rubbed = (
            (TRAINING_SPOILT, TRAINING_RUBBED) if tier == TRAINING.name else (SPOILT, RUBBED)
        )
    written = []
    for _ in range(count):
        texts = _texts(rng, game, chosen, fill)
        written.append(write_sheet(rng, split, Wish(game, chosen, texts, spoilt, rubbed), fresh))
    return photograph(rng, split, ranges, tuple(written), fresh)


def tier_of(name: str) -> Tier:
    """A tier by its name, ``training`` among them.

    Raises:
        ValueError: there is no such tier.
    """
    ranges = {**TIERS, TRAINING.name: TRAINING}
    if name not in ranges:
        raise ValueError(f"unknown tier {name!r}: choose among {', '.join(ranges)}")
    return ranges[name]


def _texts(
    rng: Rng, game: str, edition: Edition, fill: str | Mapping[str, str]
) -> Mapping[str, str]:
    if not isinstance(fill, str):
        return fill
    plan = sheet_plan(game, edition)
    return random_texts(rng, plan) if fill == "random" else played_texts(rng, plan)


def photograph(
    rng: Rng, split: str, tier: Tier, written: tuple[WrittenSheet, ...], fresh: bool = True
) -> SheetScene:
    """Lay written sheets on a table and photograph them.

    Args:
        rng: source of chance.
        split: whose tables, lights and hands.
        tier: ranges of the conditions.
        written: sheets of one game.
        fresh: draw the table anew; otherwise a few pictures of each are kept.
    """
    lying = lay(rng, tier, written)
    camera, conditions = look(rng, tier, lying)
    views = tuple(View(one, camera) for one in lying)
    painter = SheetPainter(rng, split, tier, views, fresh)
    canvas = painter.run()
    image, data, sensor = develop(rng, canvas, tier)
    sheets = [_truth(view, painter.hidden) for view in views]
    sheets.sort(key=lambda sheet: float(np.mean([x for x, _ in sheet.outline_px])))
    facts: dict[str, float | str] = {"tier": tier.name, **conditions, **painter.facts, **sensor}
    return SheetScene(image, data, tuple(sheets), facts)


def _truth(view: View, hidden: NDArray[np.float32]) -> TrueSheet:
    sheet = view.lying.sheet
    plan = sheet.flat.plan
    width, height = plan.size_mm
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    outline = tuple((float(x), float(y)) for x, y in view.to_px(corners))
    visible = _visible(view, hidden)
    sides = _sides(view)
    fields = tuple(
        TrueField(
            field.path, field.kind, sheet.fields[field.path].text, sheet.fields[field.path].state,
            sheet.fields[field.path].way, round(float(visible[i]), 3), round(float(sides[i]), 1),
        )
        for i, field in enumerate(plan.fields)
    )  # fmt: skip
    values = reading_json(plan, {field.path: field.text for field in fields})
    return TrueSheet(plan.game, plan.edition, outline, view, fields, values, sheet.facts)


def _visible(view: View, hidden: NDArray[np.float32]) -> Points:
    """(N,) share of each field that nothing covers; none of what lies outside of the picture."""
    fields = view.lying.sheet.flat.plan.fields
    steps = np.linspace(-0.42, 0.42, 6)
    grid = np.stack(np.meshgrid(steps, steps), axis=2).reshape(-1, 2)
    points = np.concatenate([np.array(f.centre_mm) + grid * f.size_mm for f in fields])
    at = np.floor(view.to_px(points)).astype(int)
    height, width = hidden.shape
    inside = (at >= 0).all(axis=1) & (at[:, 0] < width) & (at[:, 1] < height)
    at = np.clip(at, 0, (width - 1, height - 1))
    open_ = np.where(inside, 1 - hidden[at[:, 1], at[:, 0]], 0.0)
    return np.asarray(open_.reshape(len(fields), -1).mean(axis=1))


def _sides(view: View) -> Points:
    """(N,) square root of each field's area in the picture."""
    fields = view.lying.sheet.flat.plan.fields
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    quads = np.concatenate([np.array(f.centre_mm) + square * f.size_mm for f in fields])
    areas = [cv2.contourArea(q.astype(np.float32)) for q in view.to_px(quads).reshape(-1, 4, 2)]
    return np.sqrt(np.array(areas))
