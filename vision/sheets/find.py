"""Score sheets in a picture: which game's, where every millimetre of them lies, how that was found.

No network: markers, colours and the lattice of fields lead to first guesses, and the print, looked
for place by place near where a guess puts it, to the map and its residual. The ways only have to
come within a centimetre; what is found is judged by the print alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Quad, as_matrix, as_quad, clockwise, fit_homography
from vision.plans.marks import GAMES, SheetName
from vision.plans.sheets import EDITIONS, Edition, SheetPlan, sheet_plan
from vision.sheets import bars as sheet_bars
from vision.sheets import lattice as sheet_lattice
from vision.sheets import lines as sheet_lines
from vision.sheets import markers as sheet_markers
from vision.sheets import outline as sheet_outline
from vision.sheets import squares as sheet_squares
from vision.sheets.fit import (
    GLANCE,
    PASSES,
    SOFT_PASSES,
    Fit,
    in_picture,
    pyramid,
    refine,
    resemblance,
    shifted_resemblance,
    view,
)
from vision.sheets.judge import PX_PER_MM as JUDGED
from vision.sheets.judge import agreement, of_detrak_alone, of_detrak_turned
from vision.sheets.light import lightness, paper_relative
from vision.sheets.map import SheetMap
from vision.sheets.room import hidden, is_room, overlap
from vision.sheets.ruled import PX_PER_MM, calm, goes_on, is_detrak, is_faint_detrak, signs

LEAST_SIDE_PX: Final = 64  # of a picture; a sheet in a smaller one has cells of 5 px
WHOLE: Final = 0.97  # share of the fields in the picture below which a sheet counts as cut
UNCLEAR_MM: Final = 0.9
"""Residual above which a sheet is not read as it lies: a field's crop would be off by a tenth."""
_SURE: Final = {"qwinto": 0.32, "detrak": 0.25}
"""Least share of the print that must be found; see docs/decisions/0119."""
_MARKS: Final = 2  # markers and code found that make a ruled grid our own sheet
_SIDE_PX: Final = 1600
"""Longer side of the picture that sheets are found in: a sheet that fills a third of it has 36 px a
cell, and the fit compares at 1.5 to 3 px a mm."""
_ALL_MARKS: Final = 4  # of five
_SURE_MARKED: Final = 0.15  # of the print, with those: the rest may be written over
_CLOSE: Final = 0.6  # alternatives that reach so much of the best one's sum are fitted to the end
_LIKE: Final = 0.2  # correlation of an exact guess with the print; true ones have 0.3 and more
_GROUPS: Final = 5  # things alike that one way may be led to in vain, such as cells of a chessboard
_SHIFTS: Final = 4  # by two cells at most each; more is no sheet
_MOST: Final = 4  # alternatives that are fitted at all, those that look most like the print
_GLANCED: Final = 16
"""Alternatives that are compared at the usual scale: those most alike at a coarse one. A lattice
has up to 40; the right one was not lost on any composed sheet."""
_LARGE: Final = 3.2
"""Px a mm of sheets beside which others are looked for at half the size: a disc of one half as
large has 8 px there, and 5 are enough for a lattice."""
_ROUGH: Final = ("markers", "bars", "squares", "outline", "corners")
"""Ways that may be a centimetre off."""
_SHOWN: Final = (0.42, 0.3)
"""Least agreement with the print, place by place and as a whole, that makes up for few places
found: other grids reach 0.45 and 0.21, sheets of the hard tier mostly exceed 0.45 and 0.35."""
_SEARCHED: Final = 30  # alternatives of a way that orders them itself: all are fitted quickly


@dataclass(frozen=True, slots=True)
class FoundSheet:
    """One sheet in a picture.

    Attributes:
        game: Id of the game whose sheet it is.
        edition: Whose print.
        map: Where its millimetres lie, px of the picture.
        outline_px: Corners of the sheet's plan, clockwise from its own top left; some may lie
            outside of the picture.
        way: How it was found: ``markers``, ``bars``, ``lattice``, ``squares``,
            ``lines``, ``outline`` or ``corners``.
        sure: Share of the print that was looked for and found where the map puts it, 0 to 1.
        residual_mm: Root mean square distance of the found places of the print from the map.
        reason: Id of a refusal where the sheet cannot be read as it lies (``half-sheet``,
            ``sheet-unclear``), else None.
        code: What its own QR code says; None where there is none or it was not read. A code that
            could not be read does not keep a sheet from being found.
    """

    game: str
    edition: Edition
    map: SheetMap
    outline_px: Quad
    way: str
    sure: float
    residual_mm: float
    reason: str | None = None
    code: SheetName | None = None


@dataclass(frozen=True, slots=True)
class _Guess:
    game: str
    edition: Edition
    map: SheetMap


@dataclass(frozen=True, slots=True)
class _Seen:
    guess: _Guess
    fit: Fit
    way: str


def find_sheets(
    image_bgr: NDArray[np.uint8], game: str | None = None, corners_px: Quad | None = None
) -> tuple[FoundSheet, ...]:
    """Find all score sheets in a picture, of any game.

    Args:
        image_bgr: (H, W, 3) uint8, upright.
        game: The game asked for; needed with corners, else any game's sheets are looked for and
            come out, so that the other game's sheet can be named.
        corners_px: Corners of one sheet given by hand, in any order, px; then only that is fitted.

    Returns:
        Sheets from left to right; empty where none was found. A sheet with a `reason` is seen but
        must not be read.

    Raises:
        ValueError: Corners without a game, or that are no convex quadrilateral.
    """
    if min(image_bgr.shape[:2]) < LEAST_SIDE_PX:
        return ()
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    # Markers and codes are read at full size, all else is found on a picture no larger than this.
    factor = min(1.0, _SIDE_PX / max(grey.shape))
    small = image_bgr
    if factor < 1.0:
        size = (round(grey.shape[1] * factor), round(grey.shape[0] * factor))
        # Down to a half two pixels hold all there is, and their mean costs a fifth of an area's.
        way = cv2.INTER_LINEAR if factor >= 0.5 else cv2.INTER_AREA
        small = np.asarray(cv2.resize(image_bgr, size, interpolation=way), np.uint8)
    relative = paper_relative(small)
    levels = pyramid(lightness(relative))
    if corners_px is not None:
        quad = as_quad(np.asarray(corners_px, np.float64) * factor)
        best = _best(levels, _by_hand(quad, game), "corners")
        seen = [] if best is None else [best]
    else:
        ready = {
            "markers": _by_markers(grey, factor),
            "outline": _told(sheet_outline.guesses(small)),
        }
        seen = _all(levels, ready, relative)
    found = [_found(one, grey, 1.0 / factor) for one in seen]
    return tuple(sorted(found, key=lambda sheet: sum(x for x, _ in sheet.outline_px)))


def _all(
    levels: tuple[NDArray[np.float32], ...],
    ready: Mapping[str, Iterator[list[_Guess]]],
    relative: NDArray[np.float32],
) -> list[_Seen]:
    """Every sheet, each by the first way that finds it."""
    seen: list[_Seen] = []
    for way in ("markers", "bars", "lattice", "squares", "lines", "outline"):
        if seen and not is_room(levels[0].shape, _outlines(seen)):
            break
        vain = 0
        for group in _look(way, levels, ready, relative, seen):
            if vain == _GROUPS:
                break
            new = [guess for guess in group if not _taken(guess, guess.map, seen)]
            best = _best(levels, new, way)
            if best is None or not _convinces(levels, best):
                if way == "outline":  # all its groups hold the same guesses
                    break
                vain += 1
                continue
            if not _taken(best.guess, best.fit.map, seen):
                seen.append(best)
    return seen


def _convinces(levels: tuple[NDArray[np.float32], ...], seen: _Seen) -> bool:
    """Whether what was found is a sheet of ours and not something like it."""
    guess, fit = seen.guess, seen.fit
    plan = sheet_plan(guess.game, guess.edition)
    marks = _marks(guess, fit)
    flat = view(levels, fit.map, plan, JUDGED)
    if flat is None:
        return False
    enough = fit.sure >= (_SURE_MARKED if marks >= _ALL_MARKS else _SURE[guess.game])
    if guess.game != "detrak" or marks >= _MARKS:
        shown = agreement(flat, guess.game, guess.edition)
        return enough or (shown[0] >= _SHOWN[0] and shown[1] >= _SHOWN[1])
    fine = view(levels, fit.map, plan, PX_PER_MM)
    if fine is None:
        return False
    own = 0.0
    if guess.edition == "commercial":  # its lattice looks alike in four turns
        own = of_detrak_alone(flat)
        if own < of_detrak_turned(levels, fit.map):
            return False
    # After soft passes more is found of any grid, so that what no other grid has must show.
    if enough and seen.way != "outline" and is_detrak(signs(fine, plan), fit.sure):
        return True
    return is_faint_detrak(fine, plan, fit.sure, own)


def _endless(levels: tuple[NDArray[np.float32], ...], guess: _Guess) -> bool:
    """Whether a ruled grid plainly goes on beyond the lattice that a guess lays on it."""
    if guess.game != "detrak":
        return False
    plan = sheet_plan(guess.game, guess.edition)
    flat = view(levels, guess.map, plan, PX_PER_MM)
    return flat is None or (goes_on(signs(flat, plan)) and goes_on(signs(calm(flat), plan)))


def _look(
    way: str,
    levels: tuple[NDArray[np.float32], ...],
    ready: Mapping[str, Iterator[list[_Guess]]],
    relative: NDArray[np.float32],
    seen: Sequence[_Seen],
) -> Iterator[list[_Guess]]:
    """Alternatives for each sheet that a way leads to; the last three where no other did."""
    if way == "markers":
        return ready[way]
    if way == "bars":
        return _by_bars(hidden(relative, _outlines(seen)))
    if way == "lattice":
        return _by_lattice(hidden(levels[0], _outlines(seen)), seen)
    if seen:
        return iter(())
    if way == "outline":
        return ready[way]
    light = levels[0]
    return _by_squares(light) if way == "squares" else _told(sheet_lines.guesses(light))


def _by_markers(grey: NDArray[np.uint8], factor: float) -> Iterator[list[_Guess]]:
    for game, sheet in sheet_markers.guesses(sheet_markers.see_markers(grey)):
        yield [_Guess(game, "printed", sheet.scaled(factor))]


def _by_bars(relative: NDArray[np.float32]) -> Iterator[list[_Guess]]:
    for group in sheet_bars.guesses(relative):
        yield [_Guess("qwinto", edition, sheet) for edition, sheet in group]


def _told(
    groups: Iterable[Sequence[tuple[str, Edition, SheetMap]]],
) -> Iterator[list[_Guess]]:
    for group in groups:
        yield [_Guess(game, edition, sheet) for game, edition, sheet in group]


def _by_lattice(light: NDArray[np.float32], seen: Sequence[_Seen]) -> Iterator[list[_Guess]]:
    """By the lattice of fields; at half the size beside sheets that are large at that, too."""
    if not seen or min(_px_per_mm(one) for one in seen) < _LARGE:
        yield from _told(sheet_lattice.guesses(light))
        return
    size = (light.shape[1] // 2, light.shape[0] // 2)
    half = np.asarray(cv2.resize(light, size, interpolation=cv2.INTER_AREA), np.float32)
    for group in _told(sheet_lattice.guesses(half)):
        yield [replace(guess, map=guess.map.scaled(2.0)) for guess in group]


def _px_per_mm(seen: _Seen) -> float:
    """How large a sheet is that was found."""
    width, height = sheet_plan(seen.guess.game, seen.guess.edition).size_mm
    area = cv2.contourArea(_outline(seen.fit.map, seen.guess).astype(np.float32))
    return float(np.sqrt(abs(area) / (width * height)))


def _by_squares(light: NDArray[np.float32]) -> Iterator[list[_Guess]]:
    for group in sheet_squares.guesses(light):
        yield [_Guess(game, "printed", sheet) for game, sheet in group]


def _by_hand(corners_px: Quad, game: str | None) -> list[_Guess]:
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
) -> list[_Guess]:
    """The prints laid on a quadrilateral, every corner of it once the top left."""
    guesses = []
    for game, edition in prints:
        width, height = sheet_plan(game, edition).size_mm
        places = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
        for first in range(4):
            turned = [*quad[first:], *quad[:first]]
            guesses.append(
                _Guess(game, edition, SheetMap(as_matrix(fit_homography(places, turned))))
            )
    return guesses


def _best(
    levels: tuple[NDArray[np.float32], ...], guesses: Sequence[_Guess], way: str
) -> _Seen | None:
    """The guess whose print is found best; all are tried quickly, those close to it in full."""
    passes = SOFT_PASSES if way == "outline" else PASSES if way in _ROUGH else PASSES[1:]
    exact = way not in _ROUGH
    if len(guesses) > _GLANCED:
        like = [resemblance(levels, one.map, one.game, one.edition, GLANCE) for one in guesses]
        guesses = [guesses[index] for index in np.argsort(like)[::-1][:_GLANCED]]
    if exact or len(guesses) > (_SEARCHED if way == "outline" else _MOST):
        like = [resemblance(levels, one.map, one.game, one.edition) for one in guesses]
        order = np.argsort(like)[::-1][:_MOST]
        guesses = [guesses[index] for index in order if like[index] > (_LIKE if exact else 0.0)]
    if exact:
        guesses = [one for one in guesses if not _endless(levels, one)]
    if len(guesses) > 1:
        quick = [
            (fit.total, replace(guess, map=fit.map))
            for guess in guesses
            if (fit := refine(levels, guess.map, guess.game, guess.edition, passes[:-2]))
        ]
        quick.sort(key=lambda one: -one[0])
        bar = _CLOSE * max((total for total, _ in quick), default=0.0)
        guesses = [guess for total, guess in quick[:_MOST] if total >= bar]
        passes = passes[-2:]  # from where the quick ones ended
    full: list[_Seen] = []
    for guess in guesses:
        # Three markers and more are exact, one alone is not: the better of both counts.
        for chosen in (PASSES[1:], PASSES) if way == "markers" else (passes,):
            fit = refine(levels, guess.map, guess.game, guess.edition, chosen)
            if fit is not None:
                full.append(_Seen(guess, fit, way))
                if _marks(guess, fit) >= _ALL_MARKS:
                    break
    best = max(full, key=lambda one: _worth(levels, one)) if len(full) > 1 else (*full, None)[0]
    if best is None or _marks(best.guess, best.fit) >= _ALL_MARKS:
        return best
    return _settled(levels, best)


def _marks(guess: _Guess, fit: Fit) -> int:
    """How many markers and codes of a sheet were found where they belong."""
    fields = sum(field.kind != "blank" for field in sheet_plan(guess.game, guess.edition).fields)
    return sum(index >= fields for index in fit.found)


def _worth(levels: tuple[NDArray[np.float32], ...], seen: _Seen) -> float:
    """What tells the prints that may lie on one place apart: the places found, and the whole."""
    guess = seen.guess
    like = resemblance(levels, seen.fit.map, guess.game, guess.edition)
    if (guess.game, guess.edition) == ("detrak", "commercial"):  # four turns look alike
        plan = sheet_plan(guess.game, guess.edition)
        flat = view(levels, seen.fit.map, plan, JUDGED)
        like += 0.0 if flat is None else of_detrak_alone(flat)
    return seen.fit.total * max(like, 0.05)


def _settled(levels: tuple[NDArray[np.float32], ...], seen: _Seen) -> _Seen | None:
    """A sheet that no shift by whole cells makes look more like its print, or the shifted one."""
    guess = seen.guess
    plan = sheet_plan(guess.game, guess.edition)
    xs, ys = _pitches(plan)
    for _ in range(_SHIFTS):
        like = shifted_resemblance(levels, seen.fit.map, plan, xs, ys)
        column, row = np.unravel_index(int(np.argmax(like)), like.shape)
        here = resemblance(levels, seen.fit.map, guess.game, guess.edition)
        if like[column, row] <= here:
            return seen
        shifted = seen.fit.map.shifted(xs[column], ys[row])
        fit = refine(levels, shifted, guess.game, guess.edition, PASSES[1:])
        if fit is None or fit.total <= seen.fit.total:
            return seen
        seen = replace(seen, fit=fit)
    return None


def _pitches(plan: SheetPlan) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Shifts in x and y, mm, that lay the lattice of a plan on itself."""
    centres = np.array([f.centre_mm for f in plan.fields if f.row is not None])
    xs, ys = (np.unique(axis) for axis in centres.T)
    x, y = float(xs[1] - xs[0]), float(ys[1] - ys[0])
    return (-2 * x, -x, 0.0, x, 2 * x), (-y, 0.0, y)


def _taken(guess: _Guess, sheet: SheetMap, seen: Sequence[_Seen]) -> bool:
    """Whether a sheet lies where one was found already."""
    mine = _outline(sheet, guess)
    return any(overlap(mine, other) for other in _outlines(seen))


def _outlines(seen: Sequence[_Seen]) -> list[NDArray[np.float64]]:
    return [_outline(one.fit.map, one.guess) for one in seen]


def _outline(sheet: SheetMap, guess: _Guess) -> NDArray[np.float64]:
    width, height = sheet_plan(guess.game, guess.edition).size_mm
    return sheet.to_px([(0, 0), (width, 0), (width, height), (0, height)])


def _found(seen: _Seen, grey: NDArray[np.uint8], factor: float) -> FoundSheet:
    """The sheet in the whole picture, so many times as large as the one it was found in."""
    guess, fit = seen.guess, seen.fit
    sheet = fit.map.scaled(factor)
    plan = sheet_plan(guess.game, guess.edition)
    fields = np.array([field.centre_mm for field in plan.fields if field.kind != "blank"])
    reason = None
    if in_picture(grey.shape, sheet, fields).mean() < WHOLE:
        reason = "half-sheet"
    elif fit.residual_mm > UNCLEAR_MM or fit.sure < _SURE_MARKED:
        reason = "sheet-unclear"
    return FoundSheet(
        game=guess.game,
        edition=guess.edition,
        map=sheet,
        outline_px=as_quad(_outline(sheet, guess)),
        way=seen.way,
        sure=fit.sure,
        residual_mm=fit.residual_mm,
        reason=reason,
        code=sheet_markers.read_code(grey, sheet, plan),
    )
