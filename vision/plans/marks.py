"""What the markers and the QR code of a printed sheet say.

A marker's id names the game, its own corner, and the sheet's number modulo 8: markers are read from
much further away than the code, and sheets side by side are told apart by them.
"""

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote

DICTIONARY: Final = "DICT_4X4_100"
"""ArUco dictionary, by OpenCV's name: the largest modules there are. Of the 64 ids in use no two
are nearer than 4 bits in any turn, as in the dictionary of 50; counted."""

GAMES: Final = ("qwinto", "detrak")
"""Games with a printed sheet, in the order of the ids; append only."""

CORNERS: Final = 4  # clockwise from the top left
NUMBERS: Final = 8  # sheets told apart by their markers
LARGEST_NUMBER: Final = 9999
LONGEST_NAME: Final = 20  # letters; at most a code of 49 modules, 0.3 mm each on 15 mm

_WORD: Final = "ARBITRE"


@dataclass(frozen=True, slots=True)
class Marker:
    """What a marker's id says.

    Attributes:
        game: Id of the game.
        residue: Number of the sheet modulo 8.
        corner: 0 to 3, clockwise from the top left.
    """

    game: str
    residue: int
    corner: int


@dataclass(frozen=True, slots=True)
class SheetName:
    """What the QR code says.

    Attributes:
        game: Id of the game.
        version: Version of the sheet's geometry.
        number: Number of the sheet, 1 to 9999.
        player: Name of the player, or empty.
    """

    game: str
    version: int
    number: int
    player: str = ""


def marker_ids(game: str, number: int) -> tuple[int, ...]:
    """The ids of a sheet's four markers, clockwise from the top left.

    Raises:
        ValueError: The game has no printed sheet.
    """
    if game not in GAMES:
        raise ValueError(f"expected a game of {', '.join(GAMES)}, not {game}")
    base = (GAMES.index(game) * NUMBERS + number % NUMBERS) * CORNERS
    return tuple(range(base, base + CORNERS))


def read_marker(marker_id: int) -> Marker | None:
    """What an id says; None for an id that no sheet of ours has."""
    rest, corner = divmod(marker_id, CORNERS)
    game, residue = divmod(rest, NUMBERS)
    return Marker(GAMES[game], residue, corner) if 0 <= game < len(GAMES) else None


def write_name(name: SheetName) -> str:
    """The text of the code: ``ARBITRE:QWINTO:1:12``, and the player, percent-encoded, if any.

    Capitals, digits and colons alone make the code with the fewest modules.
    """
    words = [_WORD, name.game.upper(), str(name.version), str(name.number)]
    if name.player:
        words.append(quote(name.player, safe=""))
    return ":".join(words)


def read_name(text: str) -> SheetName | None:
    """What the text of a code says; None if it is not one of ours."""
    word, *rest = text.split(":")
    if word != _WORD or not 3 <= len(rest) <= 4:
        return None
    game, version, number = rest[0].lower(), rest[1], rest[2]
    if game not in GAMES or not (version + number).isdecimal() or not (version and number):
        return None
    return SheetName(game, int(version), int(number), unquote(rest[3]) if rest[3:] else "")
