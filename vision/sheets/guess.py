"""A sheet that may lie somewhere in a picture, and one whose print was looked for there."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.homography import Floats
from vision.plans.sheets import Edition, sheet_plan
from vision.sheets.fit import Fit
from vision.sheets.map import SheetMap
from vision.sheets.room import overlap


@dataclass(frozen=True, slots=True)
class Guess:
    """Which sheet may lie where.

    Attributes:
        game: Id of the game.
        edition: Whose print.
        map: Where its millimetres may lie, px.
    """

    game: str
    edition: Edition
    map: SheetMap


@dataclass(frozen=True, slots=True)
class Seen:
    """A guess whose print was looked for.

    Attributes:
        guess: What led there.
        fit: Where its print was found.
        way: Name of the way that made the guess.
    """

    guess: Guess
    fit: Fit
    way: str


def marks_in(guess: Guess, fit: Fit) -> int:
    """How many markers and codes of a sheet were found where they belong."""
    fields = sum(field.kind != "blank" for field in sheet_plan(guess.game, guess.edition).fields)
    return sum(index >= fields for index in fit.found)


def is_taken(guess: Guess, sheet: SheetMap, seen: Sequence[Seen]) -> bool:
    """Whether a sheet lies where one was found already."""
    mine = outline_of(sheet, guess)
    return any(overlap(mine, other) for other in outlines_of(seen))


def outlines_of(seen: Sequence[Seen]) -> list[Floats]:
    """Corners (4, 2) of each sheet's plan, px."""
    return [outline_of(one.fit.map, one.guess) for one in seen]


def outline_of(sheet: SheetMap, guess: Guess) -> Floats:
    """Corners (4, 2) of a guess's plan where a map puts them, px."""
    width, height = sheet_plan(guess.game, guess.edition).size_mm
    return sheet.to_px([(0, 0), (width, 0), (width, height), (0, height)])


def px_per_mm_of(seen: Seen) -> float:
    """How large a sheet is that was found."""
    width, height = sheet_plan(seen.guess.game, seen.guess.edition).size_mm
    area = cv2.contourArea(outline_of(seen.fit.map, seen.guess).astype(np.float32))
    return float(np.sqrt(abs(area) / (width * height)))
