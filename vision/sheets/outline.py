"""Sheets found by the outline of their paper: for pictures too dim, blurred or slanting for print.

Every quadrilateral that may be paper is tried as every sheet, every corner of it once the top left,
against the print seen from afar: blurred so much that a centimetre hardly matters. It only orders
the guesses; whether one is a sheet is told by its print.
"""

from collections.abc import Iterator
from functools import cache
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

_SIDE_PX: Final = (
    480  # longer side of the picture that is looked at: a sheet of the hard tier has 100
)
_PX_PER_MM: Final = 0.6  # of the print from afar
_REACH_PX: Final = 3  # of it, that the print may be shifted: what is cut off a sheet's margin
_BLUR_MM: Final = (3.0, 2.0)  # of the print, and of the picture, which has its own
_SHEETS: Final = 4  # in one picture
_OF_ONE: Final = 3  # ways of laying a sheet on one quadrilateral that are kept
_MOST: Final = 7  # guesses a game; the right one was among its first four in 24 of 26 pictures
_OUTLINE: Final = 0.25  # weight of the outline in view against the print
_MARGINS_MM: Final = {("detrak", "commercial"): (11.5, 12.5, 5.7, 5.7)}
"""Paper left, above, right and below of a plan that is not the paper: to 4 mm, for legends and
names are printed there and sheets are cut anyhow."""

_PLANS: Final = tuple((game, edition) for game in GAMES for edition in EDITIONS)
_Way = tuple[float, str, Edition, SheetMap]


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
        ways = sorted(_ways(light, quad), key=lambda one: -one[0])
        tried += [
            (like + _OUTLINE * float(share), game, edition, sheet)
            for like, game, edition, sheet in ways[:_OF_ONE]
        ]
    tried.sort(key=lambda one: -one[0])
    # A hand and a glare hide the print from afar more than the outline: the quadrilateral most in
    # view is tried as everything.
    chosen = [way for game in GAMES for way in [one for one in tried if one[1] == game][:_MOST]]
    chosen += _ways(light, quads[0], shifted=False)
    group = [(game, edition, one.scaled(1 / factor)) for _, game, edition, one in chosen]
    for _ in range(_SHEETS):
        yield group


def _ways(light: NDArray[np.float32], quad: Floats, shifted: bool = True) -> list[_Way]:
    """Each sheet laid on a quadrilateral in each turn, and how alike it looks from afar.

    Shifted to where it looks most alike, or as the quadrilateral says.
    """
    found = []
    for game, edition in _PLANS:
        paper = _paper_mm(game, edition)
        for turn in range(4):
            corners = np.roll(quad, -turn, axis=0).astype(np.float32)
            matrix = cv2.getPerspectiveTransform(paper, corners).astype(np.float64)
            like, shift = _likeness(light, matrix, game, edition)
            sheet = SheetMap(as_matrix(matrix / matrix[2, 2]))
            found.append((like, game, edition, sheet.shifted(*shift) if shifted else sheet))
    return found


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
    level = level_for(levels, sheet, sheet_plan(game, edition), _PX_PER_MM)
    if level is None:
        return -1.0, (0.0, 0.0)
    matrix = np.asarray(sheet.scaled(0.5**level).homography)
    return _likeness(levels[level], matrix, game, edition)


def _likeness(
    light: NDArray[np.float32], matrix: Floats, game: str, edition: Edition
) -> tuple[float, tuple[float, float]]:
    """Correlation of the print from afar with a picture, and the shift, mm, where it is best."""
    print_ = _afar(game, edition)
    height, width = print_.shape
    size = (width + 2 * _REACH_PX, height + 2 * _REACH_PX)
    step, start = 1 / _PX_PER_MM, -_REACH_PX / _PX_PER_MM
    to_mm = np.array([[step, 0, start], [0, step, start], [0, 0, 1.0]])
    flat = cv2.warpPerspective(
        light, matrix @ to_mm, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    flat = cv2.GaussianBlur(flat, (0, 0), _BLUR_MM[1] * _PX_PER_MM)
    response = cv2.matchTemplate(flat, print_, cv2.TM_CCOEFF_NORMED)
    _, like, _, (x, y) = cv2.minMaxLoc(response)
    return float(like), ((x - _REACH_PX) * step, (y - _REACH_PX) * step)


@cache
def _afar(game: str, edition: Edition) -> NDArray[np.float32]:
    """The print of a plan, blurred, without its rim; read-only."""
    fine = 2 * _PX_PER_MM
    soft = cv2.GaussianBlur(expected(game, edition, fine), (0, 0), _BLUR_MM[0] * fine)
    soft = cv2.resize(soft, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    rim = round(RIM_MM * _PX_PER_MM)
    width, height = (round(side * _PX_PER_MM) for side in sheet_plan(game, edition).size_mm)
    result = np.ascontiguousarray(soft[rim : rim + height, rim : rim + width])
    result.setflags(write=False)
    return result


def _paper_mm(game: str, edition: Edition) -> NDArray[np.float32]:
    """Corners (4, 2) of a sheet's paper, clockwise from the top left, in the plan's mm."""
    width, height = sheet_plan(game, edition).size_mm
    left, top, right, bottom = _MARGINS_MM.get((game, edition), (0.0, 0.0, 0.0, 0.0))
    x0, y0, x1, y1 = -left, -top, width + right, height + bottom
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float32)
