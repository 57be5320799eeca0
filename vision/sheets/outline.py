"""Sheets found by the outline of their paper: for pictures too dim, blurred or slanting for print.

Every quadrilateral that may be paper is tried as every sheet, every corner of it once the top left,
against the print seen from afar: blurred so much that a centimetre hardly matters. It only orders
the guesses; whether one is a sheet is told by its print.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Floats, as_matrix
from vision.plans.marks import GAMES
from vision.plans.sheets import EDITIONS, Edition, sheet_plan
from vision.sheets.edges import quadrilaterals
from vision.sheets.fit import level_for
from vision.sheets.light import lightness, paper_relative
from vision.sheets.map import SheetMap
from vision.sheets.print import RIM_MM, expected

_SIDE_PX: Final = 480
"""Longer side of the picture that is looked at: a sheet of the hard tier has 100."""


@dataclass(frozen=True, slots=True)
class _Look:
    """How print and picture are compared from afar: scale, and blur of each, that has its own."""

    px_per_mm: float
    print_mm: float
    picture_mm: float


_FAR: Final = _Look(0.6, 3.0, 2.0)
_NEARER: Final = _Look(0.8, 2.0, 1.5)
"""For the ways that are most alike from afar. In seven hard pictures the right one was the 2nd to
121st from afar with the light left in, the 1st to 33rd without, the 1st to 20th in this look."""
_LIGHT_MM: Final = 8.0
"""Blur whose result is taken off both: a shadow, a glare or a hand counts less than the print."""
_REACH_MM: Final = 5.0  # that the print may be shifted: what is cut off a sheet's margin
_LOOKED_AT: Final = 100  # ways from afar that are looked at nearer
_SHEETS: Final = 4  # in one picture
_OF_ONE: Final = 4  # ways of laying a sheet on one quadrilateral that are kept
_MOST: Final = 24  # guesses, of both games in turn, before those on the outline most in view
_MOST_SEEN: Final = 6  # guesses on the outline most in view, the most alike
_OUTLINE: Final = 0.25  # weight of the outline in view against the print
_MARGINS_MM: Final = {("detrak", "commercial"): (11.5, 12.5, 5.7, 5.7)}
"""Paper left, above, right and below of a plan that is not the paper: to 4 mm, for legends and
names are printed there and sheets are cut anyhow."""

_PLANS: Final = tuple((game, edition) for game in GAMES for edition in EDITIONS)
_Way = tuple[float, str, Edition, Floats, float]
"""How alike, whose print, its homography, and what its outline in view adds to the first."""


def guesses(image_bgr: NDArray[np.uint8]) -> Iterator[list[tuple[str, Edition, SheetMap]]]:
    """The sheets that outlines in a picture may be, the most alike first.

    The same guesses come once more for each further sheet: those where one was found are to be left
    out by whoever asks.

    Args:
        image_bgr: (H, W, 3).
    """
    factor = min(1.0, _SIDE_PX / max(image_bgr.shape[:2]))
    small = np.asarray(
        cv2.resize(image_bgr, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8
    )
    quads, shares = quadrilaterals(small)
    if not len(quads):
        return
    light = lightness(paper_relative(small))
    tried: list[_Way] = []
    for quad, share in zip(quads, shares, strict=True):
        tried += _ways(light, quad, _OUTLINE * float(share))[:_OF_ONE]
    tried.sort(key=lambda one: -one[0])
    ranked = sorted((_nearer(light, one) for one in tried[:_LOOKED_AT]), key=lambda one: -one[0])
    # A hand and a glare hide the print from afar more than the outline: the quadrilateral most in
    # view is tried as it lies, too.
    lying = _ways(light, quads[0], shifted=False)[:_MOST_SEEN]
    of_games = [[one for one in ranked if one[1] == game] for game in GAMES]
    chosen = [one for pair in zip_longest(*of_games) for one in pair if one is not None]
    group = [
        (game, edition, SheetMap(as_matrix(matrix / matrix[2, 2])).scaled(1 / factor))
        for _, game, edition, matrix, _ in (*chosen[:_MOST], *lying, *chosen[_MOST:])
    ]
    for _ in range(_SHEETS):
        yield group


def _ways(
    light: NDArray[np.float32], quad: Floats, more: float = 0.0, shifted: bool = True
) -> list[_Way]:
    """Each sheet laid on a quadrilateral in each turn, the most alike from afar first.

    Shifted to where it looks most alike, or as the quadrilateral says.
    """
    found: list[_Way] = []
    for game, edition in _PLANS:
        paper = _paper_mm(game, edition)
        for turn in range(4):
            corners = np.roll(quad, -turn, axis=0).astype(np.float32)
            matrix = cv2.getPerspectiveTransform(paper, corners).astype(np.float64)
            like, shift = _likeness(light, matrix, game, edition, _FAR)
            found.append(
                (like + more, game, edition, _moved(matrix, shift) if shifted else matrix, more)
            )
    return sorted(found, key=lambda one: -one[0])


def _nearer(light: NDArray[np.float32], way: _Way) -> _Way:
    """A way and how alike it is, looked at nearer."""
    _, game, edition, matrix, more = way
    like, shift = _likeness(light, matrix, game, edition, _NEARER)
    return like + more, game, edition, _moved(matrix, shift), more


def _moved(matrix: Floats, shift: tuple[float, float]) -> Floats:
    """A homography that puts each point where this one puts a shifted one, mm."""
    return np.asarray(matrix @ np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1.0]]))


def likeness(
    levels: tuple[NDArray[np.float32], ...], sheet: SheetMap, game: str, edition: Edition
) -> tuple[float, tuple[float, float]]:
    """How alike print and picture are from afar, -1 to 1, and the shift, mm, where they are most.

    Args:
        levels: From `vision.sheets.fit.pyramid`.
        sheet: Where the sheet may lie.
        game: Id of the game.
        edition: Whose print.
    """
    level = level_for(levels, sheet, sheet_plan(game, edition), _FAR.px_per_mm)
    if level is None:
        return -1.0, (0.0, 0.0)
    matrix = np.asarray(sheet.scaled(0.5**level).homography)
    return _likeness(levels[level], matrix, game, edition, _FAR)


def _likeness(
    light: NDArray[np.float32], matrix: Floats, game: str, edition: Edition, look: _Look
) -> tuple[float, tuple[float, float]]:
    """Correlation of the print from afar with a picture, and the shift, mm, where it is best."""
    print_ = _afar(game, edition, look)
    height, width = print_.shape
    reach, step = round(_REACH_MM * look.px_per_mm), 1 / look.px_per_mm
    size, start = (width + 2 * reach, height + 2 * reach), -reach * step
    to_mm = np.array([[step, 0, start], [0, step, start], [0, 0, 1.0]])
    flat = cv2.warpPerspective(
        light, matrix @ to_mm, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    seen = cv2.GaussianBlur(flat, (0, 0), look.picture_mm * look.px_per_mm)
    seen -= cv2.GaussianBlur(flat, (0, 0), _LIGHT_MM * look.px_per_mm)
    response = cv2.matchTemplate(seen, print_, cv2.TM_CCOEFF_NORMED)
    _, like, _, (x, y) = cv2.minMaxLoc(response)
    return float(like), ((x - reach) * step, (y - reach) * step)


@cache
def _afar(game: str, edition: Edition, look: _Look) -> NDArray[np.float32]:
    """The print of a plan, blurred, its light taken off, without its rim; read-only."""
    fine = 2 * look.px_per_mm
    print_ = expected(game, edition, fine)
    soft = cv2.GaussianBlur(print_, (0, 0), look.print_mm * fine)
    soft -= cv2.GaussianBlur(print_, (0, 0), _LIGHT_MM * fine)
    soft = cv2.resize(soft, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    rim = round(RIM_MM * look.px_per_mm)
    width, height = (round(side * look.px_per_mm) for side in sheet_plan(game, edition).size_mm)
    result = np.ascontiguousarray(soft[rim : rim + height, rim : rim + width])
    result.setflags(write=False)
    return result


def _paper_mm(game: str, edition: Edition) -> NDArray[np.float32]:
    """Corners (4, 2) of a sheet's paper, clockwise from the top left, in the plan's mm."""
    width, height = sheet_plan(game, edition).size_mm
    left, top, right, bottom = _MARGINS_MM.get((game, edition), (0.0, 0.0, 0.0, 0.0))
    x0, y0, x1, y1 = -left, -top, width + right, height + bottom
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float32)
