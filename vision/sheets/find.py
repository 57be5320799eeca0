"""Score sheets in a picture: which game's, where every millimetre of them lies, how that was found.

No network: markers, colours and the lattice of fields lead to first guesses, and the print, looked
for place by place near where a guess puts it, to the map and its residual. The ways only have to
come within a centimetre; what is found is judged by the print alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Quad, as_quad
from vision.plans.marks import SheetName
from vision.plans.sheets import Edition, SheetPlan, sheet_plan
from vision.sheets import markers as sheet_markers
from vision.sheets.believe import ALL_MARKS, SURE_MARKED, convinces, is_endless, is_plain
from vision.sheets.fit import (
    GLANCE,
    PASSES,
    SOFT_PASSES,
    in_picture,
    pyramid,
    refine,
    resemblance,
    shifted_resemblance,
    view,
)
from vision.sheets.guess import Guess, Seen, is_taken, marks_in, outline_of, outlines_of
from vision.sheets.judge import PX_PER_MM as JUDGED
from vision.sheets.judge import of_detrak_alone
from vision.sheets.light import lightness, paper_relative
from vision.sheets.map import SheetMap
from vision.sheets.room import is_room
from vision.sheets.ways import SOFT_WAYS, WAYS, by_hand, look, ready_ways

LEAST_SIDE_PX: Final = 64  # of a picture; a sheet in a smaller one has cells of 5 px
WHOLE: Final = 0.97  # share of the fields in the picture below which a sheet counts as cut
UNCLEAR_MM: Final = 0.9
"""Residual above which a sheet is not read as it lies: a field's crop would be off by a tenth."""
_SIDE_PX: Final = 1600
"""Longer side of the picture that sheets are found in: a sheet that fills a third of it has 36 px a
cell, and the fit compares at 1.5 to 3 px a mm."""
_CLOSE: Final = 0.6  # alternatives that reach so much of the best one's sum are fitted to the end
_LIKE: Final = 0.2  # correlation of an exact guess with the print; true ones have 0.3 and more
_GROUPS: Final = 5  # things alike that one way may be led to in vain, such as cells of a chessboard
_SHIFTS: Final = 4  # by two cells at most each; more is no sheet
_MOST: Final = 4  # alternatives that are fitted at all, those that look most like the print
_GLANCED: Final = 16
"""Alternatives that are compared at the usual scale: those most alike at a coarse one. A lattice
has up to 40; the right one was not lost on any composed sheet."""
_ROUGH: Final = ("markers", "bars", "squares", *SOFT_WAYS, "corners")
"""Ways that may be a centimetre off."""
_SOFTLY: Final = ("squares", *SOFT_WAYS)
"""Ways whose guesses are fitted after a blur: squares are tried where markers are too blurred."""
_HUED: Final = ("bars", "pieces")
"""Ways that know from the order of the bars' hues which way is up: none of theirs is turned."""
_FITTED: Final = {"outline": 30, "squares": 10}
"""Alternatives that are fitted of ways that order them themselves; each of their groups holds all,
so that what lies on a sheet found is left out and others move up; half as many beside a sheet."""


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
            ``lines``, ``start`` (the start cell of Détrak), ``pieces`` (of bars), ``outline`` or
            ``corners``.
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
        best = _best(levels, by_hand(quad, game), "corners")
        seen = [] if best is None else [best]
    else:
        seen = _all(levels, ready_ways(grey, factor, small), relative)
    found = [_found(one, grey, 1.0 / factor) for one in seen]
    return tuple(sorted(found, key=lambda sheet: sum(x for x, _ in sheet.outline_px)))


def _all(
    levels: tuple[NDArray[np.float32], ...],
    ready: Mapping[str, Iterator[list[Guess]]],
    relative: NDArray[np.float32],
) -> list[Seen]:
    """Every sheet: by the first way that leaves no doubt, else by the way that shows most of it."""
    plain: list[Seen] = []
    faint: list[Seen] = []
    for way in WAYS:
        if plain and not is_room(levels[0].shape, outlines_of(plain)):
            break
        vain = 0
        for group in look(way, levels, ready, relative, plain):
            known = [*plain, *(one for one in faint if one.way == way)]
            full = way in _FITTED and known and not is_room(levels[0].shape, outlines_of(known))
            if vain == _GROUPS or full:
                break
            best = _best(levels, _free(group, known, way), way)
            if best is None or not convinces(levels, best):
                if way in _FITTED:
                    break
                vain += 1
            elif not is_taken(best.guess, best.fit.map, plain):
                (plain if is_plain(best) else faint).append(best)
    for one in sorted(faint, key=lambda one: -_worth(levels, one)):
        if not is_taken(one.guess, one.fit.map, plain):
            plain.append(one)
    return plain


def _free(group: Sequence[Guess], known: Sequence[Seen], way: str) -> list[Guess]:
    """The guesses that lie on no sheet found, as many as are fitted."""
    free = [one for one in group if not is_taken(one, one.map, known)]
    if way not in _FITTED:
        return free
    return free[: _FITTED[way] // 2 if known else _FITTED[way]]


def _best(
    levels: tuple[NDArray[np.float32], ...], guesses: Sequence[Guess], way: str
) -> Seen | None:
    """The guess whose print is found best; all are tried quickly, those close to it in full."""
    passes = SOFT_PASSES if way in _SOFTLY else PASSES if way in _ROUGH else PASSES[1:]
    exact = way not in _ROUGH
    if len(guesses) > _GLANCED and way not in _FITTED:
        like = [resemblance(levels, one.map, one.game, one.edition, GLANCE) for one in guesses]
        guesses = [guesses[index] for index in np.argsort(like)[::-1][:_GLANCED]]
    if exact or (len(guesses) > _MOST and way not in _FITTED):
        like = [resemblance(levels, one.map, one.game, one.edition) for one in guesses]
        order = np.argsort(like)[::-1][:_MOST]
        guesses = [guesses[index] for index in order if like[index] > (_LIKE if exact else 0.0)]
    if exact:
        guesses = [one for one in guesses if not is_endless(levels, one)]
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
    full: list[Seen] = []
    for guess in guesses:
        # Three markers and more are exact, one alone is not: the better of both counts.
        for chosen in (PASSES[1:], PASSES) if way == "markers" else (passes,):
            fit = refine(levels, guess.map, guess.game, guess.edition, chosen)
            if fit is not None:
                full.append(Seen(guess, fit, way))
                if marks_in(guess, fit) >= ALL_MARKS:
                    break
    best = _worthiest(levels, full)
    if best is None or marks_in(best.guess, best.fit) >= ALL_MARKS:
        return best
    return settled(levels, best)


def _worth(levels: tuple[NDArray[np.float32], ...], seen: Seen) -> float:
    """What tells the prints that may lie on one place apart: the places found, and the whole."""
    guess = seen.guess
    like = resemblance(levels, seen.fit.map, guess.game, guess.edition)
    if (guess.game, guess.edition) == ("detrak", "commercial"):  # four turns look alike
        plan = sheet_plan(guess.game, guess.edition)
        flat = view(levels, seen.fit.map, plan, JUDGED)
        like += 0.0 if flat is None else of_detrak_alone(flat)
    return seen.fit.total * max(like, 0.05)


def _worthiest(levels: tuple[NDArray[np.float32], ...], ones: Sequence[Seen]) -> Seen | None:
    """The one that is worth most; a single one is not looked at for it."""
    if len(ones) < 2:
        return ones[0] if ones else None
    return max(ones, key=lambda one: _worth(levels, one))


def settled(levels: tuple[NDArray[np.float32], ...], seen: Seen) -> Seen | None:
    """A sheet that lies as no shift by whole cells, nor a turn, makes look more like its print.

    A card laid a row off may show more of its print turned than as it is: each turn is shifted to
    where it fits best before they are compared.
    """
    both = [_shifted(levels, one) for one in (seen, *_upside_down(levels, seen))]
    return _worthiest(levels, [one for one in both if one is not None])


def _shifted(levels: tuple[NDArray[np.float32], ...], seen: Seen) -> Seen | None:
    """A sheet where no shift by whole cells makes it look more like its print; None without end."""
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


def _upside_down(levels: tuple[NDArray[np.float32], ...], seen: Seen) -> tuple[Seen, ...]:
    """A doubtful card of three bars turned by half about them, where that can be fitted."""
    guess, fit = seen.guess, seen.fit
    plan = sheet_plan(guess.game, guess.edition)
    if not plan.bars or seen.way in _HUED or is_plain(seen):
        return ()
    boxes = np.array([bar.box_mm for bar in plan.bars])
    low, high = boxes[:, :2].min(axis=0), (boxes[:, :2] + boxes[:, 2:]).max(axis=0)
    x, y = (low + high) / 2
    turned = fit.map.turned(2, (float(x), float(y)))
    other = refine(levels, turned, guess.game, guess.edition, PASSES[1:])
    return () if other is None else (replace(seen, fit=other),)


def _pitches(plan: SheetPlan) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Shifts in x and y, mm, that lay the lattice of a plan on itself."""
    centres = np.array([f.centre_mm for f in plan.fields if f.row is not None])
    xs, ys = (np.unique(axis) for axis in centres.T)
    x, y = float(xs[1] - xs[0]), float(ys[1] - ys[0])
    return (-2 * x, -x, 0.0, x, 2 * x), (-y, 0.0, y)


def _found(seen: Seen, grey: NDArray[np.uint8], factor: float) -> FoundSheet:
    """The sheet in the whole picture, so many times as large as the one it was found in."""
    guess, fit = seen.guess, seen.fit
    sheet = fit.map.scaled(factor)
    plan = sheet_plan(guess.game, guess.edition)
    fields = np.array([field.centre_mm for field in plan.fields if field.kind != "blank"])
    reason = None
    if in_picture(grey.shape, sheet, fields).mean() < WHOLE:
        reason = "half-sheet"
    elif fit.residual_mm > UNCLEAR_MM or fit.sure < SURE_MARKED:
        reason = "sheet-unclear"
    return FoundSheet(
        game=guess.game,
        edition=guess.edition,
        map=sheet,
        outline_px=as_quad(outline_of(sheet, guess)),
        way=seen.way,
        sure=fit.sure,
        residual_mm=fit.residual_mm,
        reason=reason,
        code=sheet_markers.read_code(grey, sheet, plan),
    )
