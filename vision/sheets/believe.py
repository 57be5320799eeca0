"""Whether a fitted print is a sheet of ours and not something like it."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.plans.sheets import sheet_plan
from vision.sheets.fit import view
from vision.sheets.guess import Guess, Seen, marks_in
from vision.sheets.judge import PX_PER_MM as JUDGED
from vision.sheets.judge import agreement, of_detrak_alone, of_detrak_turned
from vision.sheets.ruled import PX_PER_MM, calm, goes_on, is_detrak, is_faint_detrak, signs
from vision.sheets.ways import SOFT_WAYS

ALL_MARKS: Final = 4
"""Markers and code, of five, that leave no doubt."""
SURE_MARKED: Final = 0.15
"""Least share of the print found with those: the rest may be written over."""
_SURE: Final = {"qwinto": 0.32, "detrak": 0.25}
"""Least share of the print that must be found; see docs/decisions/0119."""
_MARKS: Final = 2  # markers and code found that make a ruled grid our own sheet
_SHOWN: Final = (0.42, 0.3)
"""Least agreement with the print, place by place and as a whole, that makes up for few places
found: other grids reach 0.45 and 0.21, sheets of the hard tier mostly exceed 0.45 and 0.35."""


_SHOWN_BY_MARKS: Final = {3: (0.38, 0.22), 4: (0.2, 0.3)}
"""The same with so many markers, or the code, where they belong: glare bleaches fields, and hides
one marker seldom more. No other picture reached three."""
_PLAIN: Final = 0.5
"""Share of the print found without markers that leaves no doubt: cards laid turned or shifted reach
0.41, sheets of the everyday tier have 0.7."""


def convinces(levels: tuple[NDArray[np.float32], ...], seen: Seen) -> bool:
    """Whether what was found is a sheet of ours and not something like it."""
    guess, fit = seen.guess, seen.fit
    plan = sheet_plan(guess.game, guess.edition)
    marks = marks_in(guess, fit)
    flat = view(levels, fit.map, plan, JUDGED)
    if flat is None:
        return False
    enough = fit.sure >= (SURE_MARKED if marks >= ALL_MARKS else _SURE[guess.game])
    if guess.game != "detrak" or marks >= _MARKS:
        shown = agreement(flat, guess.game, guess.edition)
        least = _SHOWN_BY_MARKS.get(min(marks, ALL_MARKS), _SHOWN)
        return enough or (shown[0] >= least[0] and shown[1] >= least[1])
    fine = view(levels, fit.map, plan, PX_PER_MM)
    if fine is None:
        return False
    apart = own = 0.0
    if guess.edition == "commercial":  # its lattice looks alike in four turns
        own = of_detrak_alone(flat)
        apart = own - of_detrak_turned(levels, fit.map)
        if apart < 0:
            return False
    # After soft passes more is found of any grid, so that what no other grid has must show.
    if enough and seen.way not in SOFT_WAYS and is_detrak(signs(fine, plan), fit.sure):
        return True
    return is_faint_detrak(signs(calm(fine), plan), fit.sure, own, apart)


def is_plain(seen: Seen) -> bool:
    """Whether a sheet that convinces leaves so little doubt that no other way has to be asked.

    A card of bars and discs lies on itself when turned by half, but for its markers and colours.
    """
    if seen.way == "outline":
        return False
    if seen.guess.edition == "printed":
        return seen.fit.sure >= _PLAIN or marks_in(seen.guess, seen.fit) > 0
    if seen.guess.game == "detrak":  # judged by what no other grid has, in the right turn alone
        return True
    return seen.fit.sure >= _PLAIN


def is_endless(levels: tuple[NDArray[np.float32], ...], guess: Guess) -> bool:
    """Whether a ruled grid plainly goes on beyond the lattice that a guess lays on it."""
    if guess.game != "detrak":
        return False
    plan = sheet_plan(guess.game, guess.edition)
    flat = view(levels, guess.map, plan, PX_PER_MM)
    return flat is None or (goes_on(signs(flat, plan)) and goes_on(signs(calm(flat), plan)))
