"""The ways that lead to where a sheet may lie, each with its alternatives for every sheet."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Floats, Quad, as_matrix, clockwise, fit_homography
from vision.plans.marks import GAMES
from vision.plans.sheets import EDITIONS, Edition, SheetPlan, sheet_plan
from vision.sheets import bars as sheet_bars
from vision.sheets import lattice as sheet_lattice
from vision.sheets import lines as sheet_lines
from vision.sheets import markers as sheet_markers
from vision.sheets import outline as sheet_outline
from vision.sheets import squares as sheet_squares
from vision.sheets import start_cell as sheet_start_cell
from vision.sheets.guess import Guess, Seen, outline_of, outlines_of, px_per_mm_of
from vision.sheets.map import SheetMap
from vision.sheets.room import hidden

_LARGE: Final = 3.2
"""Px a mm of sheets beside which others are looked for at half the size: a disc of one half as
large has 8 px there, and 5 are enough for a lattice."""

SOFT_WAYS: Final = ("start", "pieces", "outline")
"""Those for blurred and noisy pictures, whose guesses are fitted after a blur."""
_LAID: Final = 12  # ways of laying each game's sheet on squares that are handed on
_LIKE: Final = 0.33
"""Likeness from afar of what is fitted: 0.38 and more on 28 sheets, in the median 0.65."""
_LIKE_BESIDE: Final = 0.55  # beside a sheet that was found without, where little speaks for another
_ONE_PLACE: Final = 0.04  # of a sheet's diagonal: guesses nearer than that end in the same fit
_SHEETS: Final = 3  # found by their squares in one picture
_LONGER: Final = 4  # ways of lengthening a bar that are fitted, most alike from afar
WAYS: Final = ("markers", "bars", "lattice", "squares", "lines", "start", "pieces", "outline")
"""Names of the ways, in the order they are tried in: the surest and cheapest first."""


def ready_ways(
    grey: NDArray[np.uint8], factor: float, small_bgr: NDArray[np.uint8]
) -> dict[str, Iterator[list[Guess]]]:
    """The ways that need more than the lightness; nothing is looked for before they are asked.

    Args:
        grey: (H, W), the whole picture.
        factor: Size of the picture that sheets are found in, by the whole one's.
        small_bgr: (H, W, 3), that picture.
    """
    return {
        "markers": _by_markers(grey, factor),
        "outline": _told(sheet_outline.guesses(small_bgr)),
    }


def look(
    way: str,
    levels: tuple[NDArray[np.float32], ...],
    ready: Mapping[str, Iterator[list[Guess]]],
    relative: NDArray[np.float32],
    seen: Sequence[Seen],
) -> Iterator[list[Guess]]:
    """Alternatives for each sheet that a way leads to; most of the last five where no other did.

    Those for blurred pictures go on beside what one of them found, outlines beside squares, too;
    squares are looked for beside our own sheets whose markers were not read.
    """
    if way == "markers":
        return ready[way]
    if way == "bars":
        return _by_bars(hidden(relative, outlines_of(seen)))
    if way == "lattice":
        return _by_lattice(hidden(levels[0], outlines_of(seen)), seen)
    if way == "squares" and all(_is_unmarked(one) for one in seen):
        return _by_squares(levels, _LIKE_BESIDE if seen else _LIKE)
    if way == "outline" and all(one.way in (*SOFT_WAYS, "squares") for one in seen):
        return ready[way]
    if any(one.way not in SOFT_WAYS for one in seen):
        return iter(())
    if way == "start":
        return _told(sheet_start_cell.guesses(levels))
    if way == "pieces":
        return _by_pieces(levels, relative)
    return _told(sheet_lines.guesses(levels[0])) if way == "lines" else iter(())


def _by_markers(grey: NDArray[np.uint8], factor: float) -> Iterator[list[Guess]]:
    for game, sheet in sheet_markers.guesses(sheet_markers.see_markers(grey)):
        yield [Guess(game, "printed", sheet.scaled(factor))]


def _by_bars(relative: NDArray[np.float32]) -> Iterator[list[Guess]]:
    for group in sheet_bars.guesses(relative):
        yield [Guess("qwinto", edition, sheet) for edition, sheet in group]


def _by_pieces(
    levels: tuple[NDArray[np.float32], ...], relative: NDArray[np.float32]
) -> Iterator[list[Guess]]:
    """By bars that noise broke to pieces, or whose ends glare and shadow hide."""
    for group in sheet_bars.guesses(relative, sheet_bars.JOINED_PX):
        tried: list[tuple[float, Guess]] = []
        for edition, sheet in group:
            for longer in _lengthened(sheet, sheet_plan("qwinto", edition)):
                like, shift = sheet_outline.likeness(levels, longer, "qwinto", edition)
                tried.append((like, Guess("qwinto", edition, longer.shifted(*shift))))
        tried.sort(key=lambda one: -one[0])
        yield [guess for _, guess in tried[:_LONGER]]


def _lengthened(sheet: SheetMap, plan: SheetPlan) -> Iterator[SheetMap]:
    """A sheet guessed by its yellow bar, with up to four of the ten cells of that not seen."""
    x, _, length, _ = plan.bars[1].box_mm
    cell = length / 10
    for start, end in ((0, 0), (0, 2), (2, 0), (2, 2), (0, 4), (4, 0)):
        factor = length / (length - (start + end) * cell)
        shift = x - factor * (x + start * cell)
        by = np.array([[factor, 0, shift], [0, 1, 0], [0, 0, 1.0]])
        yield SheetMap(as_matrix(np.asarray(sheet.homography) @ by))


def _told(
    groups: Iterable[Sequence[tuple[str, Edition, SheetMap]]],
) -> Iterator[list[Guess]]:
    for group in groups:
        yield [Guess(game, edition, sheet) for game, edition, sheet in group]


def _by_lattice(light: NDArray[np.float32], seen: Sequence[Seen]) -> Iterator[list[Guess]]:
    """By the lattice of fields; at half the size beside sheets that are large at that, too."""
    if not seen or min(px_per_mm_of(one) for one in seen) < _LARGE:
        yield from _told(sheet_lattice.guesses(light))
        return
    size = (light.shape[1] // 2, light.shape[0] // 2)
    half = np.asarray(cv2.resize(light, size, interpolation=cv2.INTER_AREA), np.float32)
    for group in _told(sheet_lattice.guesses(half)):
        yield [replace(guess, map=guess.map.scaled(2.0)) for guess in group]


def _is_unmarked(seen: Seen) -> bool:
    """Whether a sheet found is of ours, by other signs than markers that were read."""
    return seen.guess.edition == "printed" and seen.way != "markers"


def _by_squares(levels: tuple[NDArray[np.float32], ...], least: float) -> Iterator[list[Guess]]:
    """By markers that were not read: the ways of laying a sheet on them most alike from afar.

    Those of both games in turn; of several on much the same place only the first counts.
    """
    tried: list[tuple[float, Guess]] = []
    for game, sheet in sheet_squares.guesses(levels[0]):
        like, shift = sheet_outline.likeness(levels, sheet, game, "printed")
        if like > least:
            tried.append((like, Guess(game, "printed", sheet.shifted(*shift))))
    tried.sort(key=lambda one: -one[0])
    of_games = [_apart([guess for _, guess in tried if guess.game == game]) for game in GAMES]
    best = [guess for pair in zip_longest(*of_games) for guess in pair if guess is not None]
    for _ in range(_SHEETS if best else 0):
        yield best


def _apart(guesses: Sequence[Guess]) -> list[Guess]:
    """The first guesses of one game that lie apart from each other."""
    kept: list[Guess] = []
    corners: list[Floats] = []
    for guess in guesses:
        here = outline_of(guess.map, guess)
        size = float(np.linalg.norm(here[2] - here[0]))
        off = [float(np.linalg.norm(here - other, axis=1).mean()) for other in corners]
        if min(off, default=np.inf) > _ONE_PLACE * size and len(kept) < _LAID:
            kept.append(guess)
            corners.append(here)
    return kept


def by_hand(corners_px: Quad, game: str | None) -> list[Guess]:
    """A sheet with these corners, any of them the top left."""
    if game not in GAMES:
        raise ValueError(f"corners need a game of {', '.join(GAMES)}, not {game}")
    quad = clockwise(corners_px)
    hull = cv2.convexHull(np.array(quad, np.float32))
    if len(hull) < 4 or cv2.contourArea(hull) < 1:
        raise ValueError(f"the corners {corners_px} are no convex quadrilateral")
    return _turns(quad, [(game, edition) for edition in EDITIONS])


def _turns(
    quad: Sequence[tuple[float, float]], prints: Iterable[tuple[str, Edition]]
) -> list[Guess]:
    """The prints laid on a quadrilateral, every corner of it once the top left."""
    guesses = []
    for game, edition in prints:
        width, height = sheet_plan(game, edition).size_mm
        places = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
        for first in range(4):
            turned = [*quad[first:], *quad[:first]]
            guesses.append(
                Guess(game, edition, SheetMap(as_matrix(fit_homography(places, turned))))
            )
    return guesses
