"""Names of all classes, once for training and running.

The order is part of the weights: names may be appended, never moved or removed, because a
trained network knows a class by its index only.
"""

from typing import Final

DETECTOR_CLASSES: Final = (
    "cube",  # a Quixo cube
    "die",  # a die with pips
    "symbol_die",  # a Détrak die
    "tile",  # a number tile of Quinto
    "hand",  # hand, forearm or sleeve over the table; it has no corners
    "cube_board",  # the 5 x 5 block of Quixo cubes as one thing
    "tile_board",  # the playing surface of Quinto
    "qwinto_sheet",
    "detrak_sheet",
)
"""Pieces, sheets and boards of all four games.

A box holds the whole visible piece; its four corners are those of the upward face (of the paper
for sheets, of the block of top faces for ``cube_board``), clockwise in the picture.
"""

MARKS: Final = ("blank", "cross", "circle", "none")
"""What a rectified cell may show; ``none`` is a cell without a cube face: a gap, a hand, a die."""

DOTS: Final = ("N", "E", "S", "W", "unseen")
"""Side of the cell on which the dot of a marked face lies; ``unseen`` when there is none."""

MARK_TEXT: Final = {"blank": ".", "cross": "X", "circle": "O", "none": "_"}
"""The sign of each mark in readings; see `engine.quixo.Layout`."""

DIE_FACES: Final = (
    *("1", "2", "3", "4", "5", "6"),
    *("bar", "cross", "triple", "hash", "triangle", "circle"),
    "other",
)
"""What the upward face of a die may show: pips, Détrak's six symbols, anything else."""

DIE_COLOURS: Final = (
    *("white", "ivory", "yellow", "orange", "red", "purple"),
    *("blue", "green", "brown", "black", "other"),
)
"""Colours of a die's body; ``other`` for grey, pink, metal, and bodies of several colours."""

FIELD_STATES: Final = ("blank", "written", "spoilt")
"""What became of a field of a score sheet; ``spoilt`` where something was struck out, scribbled
over, half erased or written over: never guessed, always asked about."""

FIELD_SYMBOLS: Final = ("bar", "cross", "triple", "hash", "triangle", "circle")
"""Détrak's symbols, as players draw them."""

SIGNS: Final = ("plus", "minus")
HUNDREDS: Final = ("", "1")
TENS: Final = ("", *"0123456789")
UNITS: Final = tuple("0123456789")
"""The digits of a written number by their place; "" where it has none. No field of a sheet holds
more than 120."""

TURNS: Final = 4
"""Quarter turns clockwise."""

TILE_CLASSES: Final = (
    *(f"{digit}@{turn}" for digit in range(10) for turn in range(TURNS)),
    *("empty", "blank", "covered"),
)
"""What a cell of a board for number tiles shows: a digit and how many quarter turns clockwise it is
turned in the crop; no tile; a tile without a digit; or something that hides the cell."""
