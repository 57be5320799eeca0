"""Drawn score sheets with the reading that a perfect eye would give, for tests without networks.

A hand writes each value in its own way; a photo of the sheet is the drawing seen from an angle.
What the eye would say lies beside the picture as JSON.
"""

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from server.reading import Reader, Request
from server.tally.reading import flatten
from vision.clusters import enclosing_box
from vision.homography import as_matrix, as_quad
from vision.observation import Field, Reading
from vision.pictures import Picture
from vision.plans.marks import SheetName
from vision.plans.sheets import Field as Place
from vision.plans.sheets import sheet_plan
from vision.quality import Quality
from vision.read import PictureReading
from vision.readers.sheets import from_json
from vision.refusals import refuse
from vision.sheets.find import FoundSheet
from vision.sheets.map import SheetMap
from vision.sheets.sights import quads_of

QUALITY = Quality(0.7, 0.6, 0.0, 60.0, 8.0)
PX_A_MM = 5.0
MARGIN_PX = 60
TABLE_BGR = (90, 110, 120)
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX)
Doubts = Mapping[str, list[tuple[str, float]]]


@dataclass(frozen=True)
class Drawn:
    """A sheet to be drawn.

    Attributes:
        game: Id of the game.
        sheet: As the contract writes it.
        hand: Whose handwriting.
        code: Number and player on its code; None for none.
        doubts: Candidates by path; the first is the likely value, whatever was drawn.
        refused: Id of a refusal of this sheet.
    """

    game: str
    sheet: Mapping[str, Any]
    hand: int = 0
    code: tuple[int, str] | None = None
    doubts: Doubts | None = None
    refused: str | None = None


def write_photo(path: Path, sheets: list[Drawn], view: int = 0) -> Path:
    """Write a photo of sheets side by side, and what an eye says about it.

    Args:
        path: The picture file.
        sheets: Left to right; none for a picture without a sheet.
        view: From where: another number is another angle and light.
    """
    tiles = [_draw(sheet) for sheet in sheets] or [np.full((300, 400, 3), 120, np.uint8)]
    height = max(tile.shape[0] for tile in tiles)
    padded = [
        cv2.copyMakeBorder(
            t, 0, height - t.shape[0], 0, 0, cv2.BORDER_CONSTANT, value=(90, 110, 120)
        )
        for t in tiles
    ]
    flat = np.hstack(padded)
    rng = random.Random(view)
    tilt = _tilt(flat.shape[1], height, rng) if view else np.eye(3)
    image = cv2.warpPerspective(flat, tilt, flat.shape[1::-1], borderValue=TABLE_BGR)
    image = np.clip(image * rng.uniform(0.8, 1.05), 0, 255).astype(np.uint8)
    cv2.imwrite(str(path), image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    lefts = np.cumsum([0, *[tile.shape[1] for tile in padded]])
    said = [
        {
            **sheet.__dict__,
            "doubts": dict(sheet.doubts or {}),
            "to_px": (tilt @ _placed(int(left))).tolist(),
        }
        for sheet, left in zip(sheets, lefts, strict=False)
    ]
    path.with_suffix(".json").write_text(json.dumps(said))
    return path


def _placed(left: int) -> NDArray[np.float64]:
    shift = (left + MARGIN_PX, MARGIN_PX)
    return np.array([(PX_A_MM, 0, shift[0]), (0, PX_A_MM, shift[1]), (0, 0, 1)], np.float64)


def _tilt(width: int, height: int, rng: random.Random) -> NDArray[np.float64]:
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    moved = corners + np.array(
        [[rng.uniform(-0.03, 0.03) * width, rng.uniform(-0.03, 0.03) * height] for _ in range(4)]
    )
    return np.asarray(cv2.getPerspectiveTransform(corners, moved.astype(np.float32)))


def _draw(drawn: Drawn) -> NDArray[np.uint8]:
    plan = sheet_plan(drawn.game)
    width, height = (round(side * PX_A_MM) + 2 * MARGIN_PX for side in plan.size_mm)
    image = np.full((height, width, 3), TABLE_BGR, np.uint8)
    cv2.rectangle(image, (MARGIN_PX,) * 2, (width - MARGIN_PX, height - MARGIN_PX), (250,) * 3, -1)
    values = flatten(drawn.sheet)
    for place in plan.fields:
        corners = np.array(place.outline_mm()) * PX_A_MM + MARGIN_PX
        cv2.polylines(image, [corners.astype(np.int32)], True, (170, 150, 150), 2, cv2.LINE_AA)
        value = values.get(place.path)
        if place.kind == "failed" and place.path < f"failed[{values.get('failed', 0)}]":
            value = "X"
        if value not in (None, 0, "."):
            _write(image, place, str(value), drawn.hand)
    return image


def _write(image: NDArray[np.uint8], place: Place, text: str, hand: int) -> None:
    """One value in a hand: its own font, size, slant and place."""
    rng = random.Random(f"{hand} {place.path} {text}")
    side = round(max(place.size_mm) * PX_A_MM)
    ink = np.zeros((side, side), np.uint8)
    scale = rng.uniform(0.55, 1.05) * side / 60 / (1 if len(text) == 1 else 1.5)
    font = rng.choice(FONTS)
    (w, h), _ = cv2.getTextSize(text, font, scale, 2)
    at = ((side - w) // 2 + rng.randint(-7, 7), (side + h) // 2 + rng.randint(-7, 7))
    cv2.putText(ink, text, at, font, scale, 255, rng.choice((2, 3)), cv2.LINE_AA)
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), rng.uniform(-35, 35), 1.0)
    lean = np.array([(rng.uniform(0.7, 1.3), rng.uniform(-0.5, 0.5)), (0.0, rng.uniform(0.7, 1.3))])
    turn[:, :2] = lean @ turn[:, :2]
    turn[:, 2] = side / 2 - turn[:, :2] @ (side / 2, side / 2)
    ink = cv2.warpAffine(ink, turn, (side, side))
    x, y = (round(c * PX_A_MM) + MARGIN_PX - side // 2 for c in place.centre_mm)
    part = image[y : y + side, x : x + side]
    dark = (ink[: part.shape[0], : part.shape[1], None] / 255.0) * 0.85
    part[:] = (part * (1 - dark)).astype(np.uint8)


class DrawnSheetReader:
    """Says what lies beside the picture."""

    def __call__(self, picture: Picture, request: Request) -> PictureReading:
        said = json.loads(picture.path.with_suffix(".json").read_text())
        others = [one["game"] for one in said if one["game"] != request.game_id]
        ours = [one for one in said if one["game"] == request.game_id]
        if not ours:
            reason = f"sheet-of-{others[0]}" if others else "no-sheet"
            return PictureReading((), refuse(reason), QUALITY, 1)
        readings = tuple(_reading(one) for one in ours)
        refusals = [reading.refused for reading in readings]
        return PictureReading(readings, refusals[0] if all(refusals) else None, QUALITY, 1)


def make_reader() -> Reader:
    """The reader of another process, too."""
    return DrawnSheetReader()


def _reading(said: dict[str, Any]) -> Reading[Any]:
    game = said["game"]
    plan = sheet_plan(game)
    to_px = SheetMap(as_matrix(np.array(said["to_px"])))
    width, height = plan.size_mm
    outline = as_quad(to_px.to_px([(0, 0), (width, 0), (width, height), (0, height)]))
    if said["refused"] is not None:
        return Reading(None, (), outline, QUALITY, refuse(said["refused"]))
    code = said["code"]
    name = None if code is None else SheetName(game, 1, code[0], code[1])
    found = FoundSheet(game, "printed", to_px, outline, "markers", 1.0, 0.1, code=name)
    values = flatten(said["sheet"])
    for where, candidates in said["doubts"].items():
        text = candidates[0][0]
        values[where] = text if where.startswith("grid") else int(text) if text else None
    fields = tuple(_field(where, value, said["doubts"], found) for where, value in values.items())
    return Reading(replace(_layout(game, values), found=found), fields, outline, QUALITY)


def _layout(game: str, values: Mapping[str, Any]) -> Any:
    from server.tally.books import BOOKS

    return from_json(game, BOOKS[game].form.to_json(values))


def _field(where: str, value: Any, doubts: Mapping[str, Any], found: FoundSheet) -> Field:
    plan = sheet_plan(found.game)
    kind = "failed" if where == "failed" else None
    places = [p for p in plan.fields if p.path == where or p.kind == kind]
    box = enclosing_box([point for quad in quads_of(found, places) for point in quad])
    x0, y0, x1, y1 = box
    quad = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    text = "" if value is None else str(value)
    asked = where in doubts
    shares = tuple((v, float(s)) for v, s in doubts[where]) if asked else ((text, 0.999),)
    return Field(where, text, shares[0][1], shares, asked, quad)
