"""Drawn score sheets with the reading that a perfect eye would give: stand-ins at the border."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from server.reading import Request
from vision.homography import as_matrix, as_quad
from vision.observation import Candidates, Field, Reading
from vision.pictures import Picture
from vision.plans.marks import SheetName
from vision.plans.sheets import Edition, SheetPlan, sheet_plan
from vision.quality import Quality
from vision.read import PictureReading
from vision.readers import sheets
from vision.readers.sheets import SheetLayout
from vision.refusals import refuse
from vision.sheets.find import FoundSheet
from vision.sheets.map import SheetMap

QUALITY = Quality(sharpness=0.6, exposure=0.5, glare_share=0.0, px_per_cell=60.0, tilt_deg=3.0)
PX_A_MM = 6.0
INK = (120, 50, 20)

EMMA = {
    **{f"orange[{n}]": str(v) for n, v in enumerate((1, 3, 4, 0, 8, 0, 11, 0, 15))},
    **{f"yellow[{n}]": str(v) for n, v in enumerate((2, 0, 5, 7, 0, 9, 12, 13, 0))},
    **{f"purple[{n}]": str(v) for n, v in enumerate((1, 4, 6, 8, 9, 10, 11, 12, 14))},
    "failed": "2",
    **{f"strip.rows[{n}]": str(v) for n, v in enumerate((6, 6, 14))},
    "strip.penalty": "10",
}
"""A Qwinto sheet: rows 6, 6 and 14 (full)."""

GRID = ("XXTTO", "XOO/=", "##O/=", "TTTT=", "O.XX=")


@dataclass(frozen=True)
class Written:
    """What is written on a sheet, and what of it is in doubt."""

    game: str = "qwinto"
    texts: Mapping[str, str] = field(default_factory=lambda: EMMA)
    doubts: Mapping[str, Candidates] = field(default_factory=dict)
    code: SheetName | None = None
    edition: Edition = "printed"


def detrak_texts(rows: Sequence[str] = GRID, **sums: str) -> dict[str, str]:
    """Texts of a Détrak sheet; sums by ``total``, ``row_0``, ``col_3``."""
    cells = {f"grid[{r}][{c}]": sign for r, row in enumerate(rows) for c, sign in enumerate(row)}
    paths = {"row": "boxes.rows[{}]", "col": "boxes.cols[{}]"}
    boxes = {}
    for name, text in sums.items():
        kind, _, n = name.partition("_")
        boxes[paths[kind].format(n) if n else f"boxes.{kind}"] = text
    return cells | boxes


def lying(at: int, plan: SheetPlan) -> SheetMap:
    """Where the sheet lies that is the ``at``-th from the left, a little turned."""
    turn = 0.04 if at % 2 == 0 else -0.05
    left = 60 + at * (plan.size_mm[0] * PX_A_MM + 60)
    rows: list[list[float]] = [
        [PX_A_MM, -turn * PX_A_MM, left],
        [turn * PX_A_MM, PX_A_MM, 90 - 30 * turn],
        [0, 0, 1],
    ]
    return SheetMap(as_matrix(rows))


def draw(written: Sequence[Written]) -> NDArray[np.uint8]:
    """Sheets side by side on a table, (H, W, 3) BGR."""
    plans = [sheet_plan(one.game, one.edition) for one in written]
    width = sum(plan.size_mm[0] * PX_A_MM + 60 for plan in plans) + 90
    height = max(plan.size_mm[1] for plan in plans) * PX_A_MM + 200
    image = np.full((round(height), round(width), 3), (86, 104, 120), np.uint8)
    for at, (one, plan) in enumerate(zip(written, plans, strict=True)):
        _draw_sheet(image, one, plan, lying(at, plan))
    return image


def _draw_sheet(image: NDArray[np.uint8], one: Written, plan: SheetPlan, place: SheetMap) -> None:
    w, h = plan.size_mm
    cv2.fillPoly(image, [_px(place, [(0, 0), (w, 0), (w, h), (0, h)])], (244, 250, 252))
    for bar in plan.bars:
        x, y, width, height = bar.box_mm
        colour = tuple(int(bar.colour[n : n + 2], 16) for n in (5, 3, 1))
        corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
        cv2.fillPoly(image, [_px(place, corners)], colour)
    failed = int(one.texts.get("failed", "0"))
    for spot in plan.fields:
        outline = _px(place, spot.outline_mm())
        cv2.fillPoly(image, [outline], (255, 255, 255))
        cv2.polylines(image, [outline], True, (90, 90, 90), 2, cv2.LINE_AA)
        text = one.texts.get(spot.path, "")
        if spot.kind == "failed":
            text = "x" if int(spot.path[7:-1]) < failed else ""
        if text not in ("", "0", "."):
            (x, y) = _px(place, [spot.centre_mm])[0]
            _write(image, text, (int(x), int(y)), spot.size_mm[1] * PX_A_MM)
    if plan.name_mm is not None and one.code is not None:
        x, y, _, height = plan.name_mm
        spot_px = _px(place, [(x + 2, y + height - 2)])[0]
        at = (int(spot_px[0]), int(spot_px[1]))
        cv2.putText(image, one.code.player, at, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, 1.4, INK, 3)


def _write(image: NDArray[np.uint8], text: str, centre: tuple[int, int], side: float) -> None:
    scale = side / 44
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 3)
    corner = (centre[0] - width // 2, centre[1] + height // 2)
    cv2.putText(image, text, corner, cv2.FONT_HERSHEY_SIMPLEX, scale, INK, 3, cv2.LINE_AA)


def _px(place: SheetMap, points_mm: Sequence[tuple[float, float]]) -> NDArray[np.int32]:
    return np.round(place.to_px(points_mm)).astype(np.int32)


def reading(at: int, one: Written, scale: float = 1.0) -> Reading[SheetLayout]:
    """The reading of a drawn sheet."""
    plan = sheet_plan(one.game, one.edition)
    place = lying(at, plan).scaled(scale)
    w, h = plan.size_mm
    outline = as_quad(place.to_px([(0, 0), (w, 0), (w, h), (0, h)]))
    code = one.code
    found = FoundSheet(one.game, one.edition, place, outline, "markers", 1.0, 0.1, None, code)
    of = sheets.detrak_of if one.game == "detrak" else sheets.qwinto_of
    layout = replace(of(one.texts), found=found)
    fields = []
    for path, text in sheets.texts_of(layout).items():
        candidates = one.doubts.get(path, ((text, 0.998),))
        quad = as_quad(place.to_px(_corners(plan, path)))
        asked = path in one.doubts
        fields.append(Field(path, text, candidates[0][1], tuple(candidates), asked, quad))
    return Reading(layout, tuple(fields), outline, QUALITY)


def _corners(plan: SheetPlan, path: str) -> list[tuple[float, float]]:
    spots = plan.of_kind("failed") if path == "failed" else (plan.field(path),)
    (x0, y0), (x1, y1) = spots[0].centre_mm, spots[-1].centre_mm
    half, high = spots[0].size_mm[0] / 2, spots[0].size_mm[1] / 2
    left, top, right, bottom = x0 - half, y0 - high, x1 + half, y1 + high
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


@dataclass
class SheetReader:
    """Knows pictures by their file name; anything else is no sheet."""

    known: dict[str, tuple[Written, ...]] = field(default_factory=dict)
    asked: list[Request] = field(default_factory=list)
    seen: list[Picture] = field(default_factory=list)

    def write(self, folder: Path, name: str, *written: Written) -> Path:
        """Draw sheets into a file, and know them."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.jpg"
        cv2.imwrite(str(path), draw(written))
        self.known[path.stem] = written
        return path

    def __call__(self, picture: Picture, request: Request) -> PictureReading:
        """The sheets of that name; a refusal where they are of the other game or none is known."""
        self.asked.append(request)
        self.seen.append(picture)
        written = self.known.get(picture.path.stem, ())
        if not written:
            return PictureReading((), refuse("no-sheet"), QUALITY, 7)
        if written[0].game != request.game_id:
            return PictureReading((), refuse(f"sheet-of-{written[0].game}"), QUALITY, 7)
        readings = tuple(reading(at, one) for at, one in enumerate(written))
        return PictureReading(readings, None, QUALITY, 7)
