"""One reading against its truth: one row of figures."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from models.evaluate.truth import Truth
from vision.observation import Reading
from vision.read import PictureReading

TIE_DEG = 5.0
"""So far from 45 degrees which side faces the top is beyond what corners of small boards tell."""

FAR_CELLS = 0.5
"""A block placed further off than half a cell is not found: every cell is a neighbour's."""


@dataclass(frozen=True, slots=True)
class Score:
    """Figures of one picture; counts are of cells."""

    found: bool
    refused: str
    boards: int
    cells: int
    marks_wrong: int
    marks_asked: int
    marks_silent: int
    dots: int
    dots_wrong: int
    dots_asked: int
    dots_silent: int
    perfect: bool
    ms: int


def score(answer: PictureReading, truth: Truth) -> Score:
    """Compare the reading that lies nearest to the truth; no reading counts as all wrong.

    A reading that lies elsewhere is not found and all wrong, and what it vouches for is silently
    wrong. Dots count where the truth has one; a dot is silently wrong when another side is
    vouched for. Where two sides of the board face the picture's top alike, either may be row 0.
    """
    cells = sum(len(row) for row in truth.rows)
    dots = sum(dot != "." for row in truth.dots for dot in row)
    size = (len(answer.readings), cells)
    reading, seen, placed = _nearest(answer, truth)
    if reading is None or reading.layout is None:
        refusal = answer.refused if reading is None else reading.refused
        reason = refusal.reason if refusal else "refused"
        return Score(placed, reason, *size, cells, 0, 0, dots, dots, 0, 0, False, answer.ms)
    marks = _compare(reading, "rows", seen.rows)
    sides = _compare(reading, "dots", seen.dots)
    if not placed:
        vouched = sum(f.where.startswith("rows") and not f.asked for f in reading.fields)
        marks = (cells, cells - vouched, vouched)
        sides = (dots, 0, 0)
    perfect = placed and marks[0] == 0
    reason = "" if placed else "misplaced"
    return Score(placed, reason, *size, *marks, dots, *sides, perfect, answer.ms)


def _nearest(answer: PictureReading, truth: Truth) -> tuple[Reading[Any] | None, Truth, bool]:
    """The reading nearest to the truth, the truth in its frame, and whether it is near enough."""
    if not answer.readings or not truth.quad_px:
        return (answer.readings[0] if answer.readings else None), truth, bool(answer.readings)
    wanted = np.array(truth.quad_px)
    sides = np.linalg.norm(np.roll(wanted, -1, axis=0) - wanted, axis=1)
    cell = float(sides.mean()) / len(truth.rows)
    turns = (0, 1, 3) if _faces_two_ways(wanted) else (0,)
    choices = [
        (_apart(reading.quad_px, np.roll(wanted, -k, axis=0)), k, number)
        for number, reading in enumerate(answer.readings)
        for k in turns
    ]
    away, turn, number = min(choices)
    return answer.readings[number], truth.turned(turn), away < FAR_CELLS * cell


def _apart(quad: Any, other: Any) -> float:
    """Mean distance of corners, px."""
    return float(np.linalg.norm(np.array(quad) - other, axis=1).mean())


def _faces_two_ways(quad: Any) -> bool:
    """True when two sides of the board face the picture's top nearly alike."""
    angles = []
    for k in range(4):
        along = quad[(k + 1) % 4] - quad[k]
        outward = np.array([along[1], -along[0]])
        angles.append(float(np.degrees(np.arctan2(abs(outward[0]), -outward[1]))))
    first, second = sorted(angles)[:2]
    return second - first < 2 * TIE_DEG


def _compare(reading: Reading[Any], part: str, rows: tuple[str, ...]) -> tuple[int, int, int]:
    """How many of a part's values are wrong, asked, and wrong but vouched for."""
    fields = {field.where: field for field in reading.fields}
    wrong = asked = silent = 0
    for row, line in enumerate(rows):
        for column, value in enumerate(line):
            if part == "dots" and value == ".":
                continue
            found = fields.get(f"{part}[{row}][{column}]")
            if found is None:  # a dot where the mark came out blank
                wrong += 1
                continue
            wrong += found.value != value
            asked += found.asked
            silent += found.value != value and not found.asked
    return wrong, asked, silent
