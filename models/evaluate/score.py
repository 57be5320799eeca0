"""One reading against its truth: one row of figures."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from models.evaluate.truth import Truth
from vision.observation import Reading
from vision.read import PictureReading

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
    """Compare the reading that lies where the truth is; no reading counts as all wrong.

    Dots count where the truth has one. A dot is silently wrong when another side is vouched for;
    one under a silently wrong mark is counted with the mark, not twice.
    """
    cells = sum(len(row) for row in truth.rows)
    dots = sum(dot != "." for row in truth.dots for dot in row)
    reading = _nearest(answer, truth)
    if reading is None:
        reason = answer.refused.reason if answer.refused else "misplaced"
        return Score(
            False,
            reason,
            len(answer.readings),
            cells,
            cells,
            0,
            0,
            dots,
            dots,
            0,
            0,
            False,
            answer.ms,
        )
    if reading.layout is None:
        reason = reading.refused.reason if reading.refused else "refused"
        return Score(
            True,
            reason,
            len(answer.readings),
            cells,
            cells,
            0,
            0,
            dots,
            dots,
            0,
            0,
            False,
            answer.ms,
        )
    marks = _compare(reading, "rows", truth.rows)
    sides = _compare(reading, "dots", truth.dots)
    return Score(
        True, "", len(answer.readings), cells, *marks, dots, *sides, marks[0] == 0, answer.ms
    )


def _nearest(answer: PictureReading, truth: Truth) -> Reading[Any] | None:
    """The reading whose corners lie on the truth's, in the same order."""
    if not truth.quad_px:
        return answer.readings[0] if answer.readings else None
    wanted = np.array(truth.quad_px)
    cell = float(np.linalg.norm(np.roll(wanted, -1, axis=0) - wanted, axis=1).mean()) / len(
        truth.rows
    )
    best, least = None, FAR_CELLS * cell
    for reading in answer.readings:
        # the frame's first corner may flip where two sides face the top alike
        away = float(np.linalg.norm(np.array(reading.quad_px) - wanted, axis=1).mean())
        if away < least:
            best, least = reading, away
    return best


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
