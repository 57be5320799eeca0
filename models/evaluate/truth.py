"""What a picture really shows, in the frame in which boards are read."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.compose.scene import SIZE, Composed
from vision.homography import from_top, project
from vision.labels import MARK_TEXT

SIDES = "NESW"


@dataclass(frozen=True, slots=True)
class Truth:
    """A Quixo board and where it lies.

    Attributes:
        rows: five strings of marks, row 0 on the side that faces the picture's top.
        dots: five strings of sides; ``.`` for blank faces.
        quad_px: four corners of the block of top faces, from the left end of row 0, clockwise;
            empty when only the marks are known.
        facts: conditions, for tables by factor.
    """

    rows: tuple[str, ...]
    dots: tuple[str, ...]
    quad_px: tuple[tuple[float, float], ...] = ()
    facts: dict[str, float | str] = field(default_factory=dict)

    def turned(self, turns: int) -> "Truth":
        """The same board with its side number ``turns``, counted clockwise, as row 0."""
        if turns == 0:
            return self
        marks, dots = (np.array([list(row) for row in part]) for part in (self.rows, self.dots))
        sides = np.vectorize(lambda dot: _turned(dot, turns))(dots)
        quad = tuple(self.quad_px[(turns + k) % 4] for k in range(len(self.quad_px)))
        return replace(
            self,
            rows=_rows(np.rot90(marks, turns)),
            dots=_rows(np.rot90(sides, turns)),
            quad_px=quad,
        )


def of_composed(scene: Composed) -> Truth | None:
    """Truth of a composed scene, None for one without a board."""
    if scene.homography is None:
        return None
    square = np.array([[0, 0], [SIZE, 0], [SIZE, SIZE], [0, SIZE]], np.float64)
    corners = [(float(x), float(y)) for x, y in project(scene.homography, square)]
    first = from_top((corners[0], corners[1], corners[2], corners[3]))[0]
    turns = corners.index(first)
    marks = np.array([MARK_TEXT[mark] for mark in scene.marks]).reshape(SIZE, SIZE)
    dots = np.array([_turned(dot, turns) for dot in scene.dots]).reshape(SIZE, SIZE)
    return Truth(
        _rows(np.rot90(marks, turns)),
        _rows(np.rot90(dots, turns)),
        tuple(corners[(turns + k) % 4] for k in range(4)),
        dict(scene.facts),
    )


def of_traced(row: dict[str, Any]) -> Truth:
    """Truth beside a fully traced board."""
    quad = tuple((float(x), float(y)) for x, y in row["quad_px"])
    return Truth(tuple(row["rows"]), tuple(row["dots"]), quad, row["facts"] | {"tier": row["tier"]})


def of_photo(label: dict[str, Any]) -> Truth:
    """Truth of a labelled photograph."""
    corners = tuple((float(x), float(y)) for x, y in label["corners"])
    return Truth(
        tuple("".join(row) for row in label["truth"]["grid"]),
        tuple("".join(dot or "." for dot in row) for row in label["truth"]["dot"]),
        corners,
    )


def _turned(dot: str, turns: int) -> str:
    return SIDES[(SIDES.index(dot) - turns) % 4] if dot in SIDES else "."


def _rows(grid: NDArray[np.str_]) -> tuple[str, ...]:
    return tuple("".join(row) for row in grid)
