"""Drawn boards with the reading that a perfect eye would give: stand-ins at the reader's border.

The drawings are flat signs on flat squares. They are for tests of commands and pages that must
run without networks; tests of the eye use pictures.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine import quixo
from server.boards import from_json
from server.reading import Request
from vision.homography import Quad, as_quad
from vision.observation import Field, Reading
from vision.pictures import Picture
from vision.quality import Quality
from vision.read import PictureReading
from vision.refusals import refuse

CELL = 80
MARGIN = 90
SIDE = 5 * CELL + 2 * MARGIN
QUALITY = Quality(sharpness=0.61, exposure=0.52, glare_share=0.004, px_per_cell=80.0, tilt_deg=3.0)
DIRECTIONS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def draw(layout: quixo.Layout) -> NDArray[np.uint8]:
    """A drawing of a board, (SIDE, SIDE, 3) BGR."""
    image = np.full((SIDE, SIDE, 3), (96, 112, 120), np.uint8)
    cv2.circle(image, (SIDE // 2, SIDE // 2), SIDE // 2 - 6, (45, 38, 70), -1, cv2.LINE_AA)
    for index, (mark, dot) in enumerate(zip(layout.marks, layout.dots, strict=True)):
        row, column = divmod(index, layout.size)
        corner = (MARGIN + column * CELL, MARGIN + row * CELL)
        if mark != "_":
            _draw_cube(image, corner, mark, dot)
    return image


def _draw_cube(image: NDArray[np.uint8], corner: tuple[int, int], mark: str, dot: str) -> None:
    x, y = corner
    wood = (150, 200, 228) if mark == "." else (90, 150, 196)
    cv2.rectangle(image, (x + 3, y + 3), (x + CELL - 3, y + CELL - 3), wood, -1, cv2.LINE_AA)
    centre = (x + CELL // 2, y + CELL // 2)
    ink = (22, 34, 50)
    if mark == "O":
        cv2.circle(image, centre, 22, ink, 7, cv2.LINE_AA)
    if mark == "X":
        for sign in (-1, 1):
            start = (centre[0] - 18, centre[1] - 18 * sign)
            cv2.line(image, start, (centre[0] + 18, centre[1] + 18 * sign), ink, 9, cv2.LINE_AA)
    if dot in DIRECTIONS:
        reach = 10 if mark == "O" else 26
        right, down = DIRECTIONS[dot]
        cv2.circle(image, (centre[0] + right * reach, centre[1] + down * reach), 5, ink, -1)


def quad(row: int, column: int, rows: int = 1) -> Quad:
    """Where a cell, or a square of several rows of cells, lies in the drawing."""
    x, y, side = MARGIN + column * CELL, MARGIN + row * CELL, rows * CELL
    return as_quad([(x, y), (x + side, y), (x + side, y + side), (x, y + side)])


def reading(recorded: Mapping[str, Any]) -> Reading[quixo.Layout]:
    """The reading of a recorded board: ``rows``, ``dots`` and ``doubts`` as in `read --json`."""
    layout = from_json(recorded)
    doubts = {entry["where"]: entry["candidates"] for entry in recorded.get("doubts", [])}
    fields = []
    for index, (mark, dot) in enumerate(zip(layout.marks, layout.dots, strict=True)):
        row, column = divmod(index, layout.size)
        for kind, value in (("rows", mark), ("dots", dot)):
            where = f"{kind}[{row}][{column}]"
            if kind == "rows" or mark in ("X", "O"):
                candidates = doubts.get(where, [[value, 0.998]])
                pairs = tuple((str(sign), float(share)) for sign, share in candidates)
                asked = where in doubts
                fields.append(Field(where, value, pairs[0][1], pairs, asked, quad(row, column)))
    return Reading(layout, tuple(fields), quad(0, 0, rows=5), QUALITY)


COVERED: Reading[quixo.Layout] = Reading(None, (), quad(0, 0, rows=5), QUALITY, refuse("covered"))


@dataclass(frozen=True)
class RecordedReader:
    """Knows pictures by their file name: ``NAME.jpg`` is read as ``NAME.json`` was recorded.

    A list of boards stands for several in one picture, null for one that is covered.
    """

    folder: Path

    def __call__(self, picture: Picture, request: Request) -> PictureReading:
        """The recorded reading; a refusal where nothing was recorded."""
        path = self.folder / f"{picture.path.stem}.json"
        if not path.is_file() and request.corners_px is None:
            return PictureReading((), refuse("no-board"), QUALITY, 7)
        if not path.is_file():
            path = self.folder / "before.json"
        recorded = json.loads(path.read_text())
        boards = recorded if isinstance(recorded, list) else [recorded]
        readings = tuple(reading(board) if board else COVERED for board in boards)
        return PictureReading(readings, None, QUALITY, 7)


def write_picture(
    folder: Path, name: str, recorded: Mapping[str, Any] | list[Mapping[str, Any] | None]
) -> Path:
    """Draw a recorded board into a file and record its reading beside it."""
    path = folder / f"{name}.jpg"
    first = recorded[0] if isinstance(recorded, list) else recorded
    assert first is not None
    cv2.imwrite(str(path), draw(from_json(first)))
    (folder / f"{name}.json").write_text(json.dumps(recorded))
    return path
