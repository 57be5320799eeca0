"""Score sheets laid on a table and photographed, drawn for the tests of finding them.

Our own come out of the PDF that is printed; those sold are drawn from the plan, as alike as that
allows and no more.
"""

import itertools
import math
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray

from server.printing.job import print_sheets
from server.printing.paper import PAPERS
from server.printing.sheets import arrangement
from vision.plans.sheets import Edition, SheetPlan, sheet_plan

PX_PER_MM = 8.0
Image = NDArray[np.uint8]
Points = NDArray[np.float64]


@cache
def our_print(game: str, grey: bool = False, number: int = 12) -> Image:
    """Our own sheet as the printer gets it, (H, W, 3)."""
    plan, paper = sheet_plan(game), PAPERS["a4"]
    pdf = print_sheets(game, paper, "en", (), 1, number).to_bytes()
    document = pypdfium2.PdfDocument(pdf)
    page = np.array(document[0].render(scale=PX_PER_MM * 25.4 / 72).to_numpy())[..., :3]
    document.close()
    (x, y), (width, height) = arrangement(plan, paper).places_mm()[0], plan.size_mm
    left, top, right, bottom = (int(v * PX_PER_MM) for v in (x, y, x + width, y + height))
    return in_grey(page[top:bottom, left:right]) if grey else page[top:bottom, left:right].copy()


def in_grey(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR))


@cache
def sold_print(game: str) -> Image:
    """A sheet like the one sold, (H, W, 3): bars and discs, or a ruled grid with white around."""
    plan = sheet_plan(game, "commercial")
    width, height = (int((v + 2 * rim_mm(plan)) * PX_PER_MM) for v in plan.size_mm)
    image = np.full((height, width, 3), 250, np.uint8)
    for bar in plan.bars:
        x, y, wide, high = bar.box_mm
        fill(image, plan, [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)], bar.colour)
    for field in plan.fields:
        if field.kind == "blank":
            continue
        if field.shape == "disc":
            centre = to_print(plan, field.centre_mm)
            cv2.circle(image, centre, int(field.size_mm[0] / 2 * PX_PER_MM), (245,) * 3, -1)
            continue
        grey = game == "detrak" and field.column == 6 - (field.row or 0)
        fill(image, plan, field.outline_mm(), "#d0d0d0" if grey else "#f8f8f8")
        outline = np.array([to_print(plan, corner) for corner in field.outline_mm()])
        heavy = field.path == "grid[0][0]"
        cv2.polylines(image, [outline], True, (40, 40, 40), 12 if heavy else 3, cv2.LINE_AA)
    return image


def rim_mm(plan: SheetPlan) -> float:
    """White around the plan: the lattice of Détrak is not the whole sheet."""
    return 8.0 if (plan.game, plan.edition) == ("detrak", "commercial") else 0.0


def to_print(plan: SheetPlan, point_mm: tuple[float, float]) -> tuple[int, int]:
    x, y = ((v + rim_mm(plan)) * PX_PER_MM for v in point_mm)
    return round(x), round(y)


def fill(image: Image, plan: SheetPlan, outline_mm, colour: str) -> None:
    bgr = tuple(int(colour[i : i + 2], 16) for i in (5, 3, 1))
    points = np.array([to_print(plan, corner) for corner in outline_mm])
    cv2.fillPoly(image, [points], bgr, cv2.LINE_AA)


def write_on(image: Image, plan: SheetPlan, seed: int, share: float = 0.5) -> Image:
    """A print with numbers in some of its fields."""
    rng = np.random.default_rng(seed)
    written = image.copy()
    for field in plan.fields:
        if field.kind == "blank" or rng.random() > share:
            continue
        x, y = to_print(plan, field.centre_mm)
        word = str(rng.integers(1, 19))
        place = (x - 9 * len(word), y + 14)
        cv2.putText(written, word, place, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, 1.2, (80, 40, 30), 4)
    return written


@dataclass(frozen=True)
class View:
    """A camera above a table: tilt, turn, px per mm at the middle, bend of the paper in mm."""

    tilt_deg: float = 20.0
    turn_deg: float = 0.0
    px_per_mm: float = 3.5
    bend_mm: float = 0.0
    at: tuple[float, float] = (0.5, 0.5)
    size: tuple[int, int] = (900, 800)

    def to_px(self, from_middle_mm: Points) -> Points:
        """Picture points of points of the paper, mm from its middle."""
        x, y = np.asarray(from_middle_mm, np.float64).T
        z = self.bend_mm * (x / 60.0) ** 2
        turn, tilt = math.radians(self.turn_deg), math.radians(self.tilt_deg)
        u = x * math.cos(turn) - y * math.sin(turn)
        v = x * math.sin(turn) + y * math.cos(turn)
        distance = 1.3 * max(self.size) / self.px_per_mm
        depth = distance + v * math.sin(tilt) - z * math.cos(tilt)
        down = v * math.cos(tilt) + z * math.sin(tilt)
        focal = distance * self.px_per_mm
        width, height = self.size
        return np.stack(
            [focal * u / depth + self.at[0] * width, focal * down / depth + self.at[1] * height],
            axis=1,
        )


def to_px(plan: SheetPlan, view: View, points_mm) -> Points:
    """Picture points of points of a plan, mm from its top left."""
    return view.to_px(np.asarray(points_mm, np.float64) - np.array(plan.size_mm) / 2)


def table(size: tuple[int, int], seed: int = 0) -> NDArray[np.float64]:
    """A wooden table, (H, W, 3)."""
    rng = np.random.default_rng(seed)
    grain = cv2.resize(rng.normal(0, 9, (size[1] // 6, size[0] // 40)), size)
    return np.array([70.0, 105.0, 145.0]) + grain[..., None]


def photograph(picture, print_: Image, plan: SheetPlan, view: View) -> NDArray[np.float64]:
    """A sheet laid on a picture (H, W, 3) float64."""
    step = 4.0  # mm between the points the paper is laid by
    width, height = print_.shape[1] / PX_PER_MM, print_.shape[0] / PX_PER_MM
    xs, ys = (np.linspace(0, size, int(size / step) + 1) for size in (width, height))
    result = np.array(picture, np.float64)
    small = cv2.GaussianBlur(print_, (0, 0), max(0.1, 0.4 * PX_PER_MM / view.px_per_mm))
    for x0, x1 in itertools.pairwise(xs):
        for y0, y1 in itertools.pairwise(ys):
            corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
            there = to_px(plan, view, corners - rim_mm(plan))
            _lay(result, small, corners * PX_PER_MM, there)
    return result


def _lay(result: NDArray[np.float64], print_: Image, corners: Points, there: Points) -> None:
    low = np.floor(there.min(axis=0)).astype(int).clip(0)
    high = np.ceil(there.max(axis=0)).astype(int) + 1
    high = np.minimum(high, (result.shape[1], result.shape[0]))
    if (high <= low).any():
        return
    matrix = cv2.getPerspectiveTransform(
        (corners - 0.5).astype(np.float32), (there - 0.5 - low).astype(np.float32)
    )
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    warped = cv2.warpPerspective(print_, matrix, size, flags=cv2.INTER_LINEAR)
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.round((there - low) * 16 - 8).astype(np.int32), 255, shift=4)
    part = result[low[1] : high[1], low[0] : high[0]]
    part[mask > 0] = warped[mask > 0]


def developed(picture, seed: int = 0, warm: float = 0.0, shade: float = 0.0) -> Image:
    """A picture as a telephone stores it: lamp, shadow, blur, noise."""
    rng = np.random.default_rng(seed)
    light = np.array([1 - 0.5 * warm, 1 - 0.2 * warm, 1.0])
    fall = 1 - shade * np.linspace(0, 1, picture.shape[1])[None, :, None]
    lit = cv2.GaussianBlur(picture * light * fall, (0, 0), 0.8)
    return np.asarray((lit + rng.normal(0, 3, lit.shape)).clip(0, 255), np.uint8)


def scene(
    game: str, edition: Edition, view: View, seed: int = 1, grey: bool = False, share: float = 0.5
) -> tuple[Image, SheetPlan]:
    """One written sheet on a table."""
    plan = sheet_plan(game, edition)
    print_ = our_print(game) if edition == "printed" else sold_print(game)
    paper = write_on(in_grey(print_) if grey else print_, plan, seed, share)
    return developed(photograph(table(view.size), paper, plan, view), seed), plan
