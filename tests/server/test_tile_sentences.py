"""Boards of tiles as lines of text: every cell has a name of its own."""

from server.cli.tile_sentences import tile_board_lines
from tests.server.live.tile_table import QUAD, QUALITY
from vision.observation import Candidates, Field, Reading
from vision.readers.quinto import TilesOnBoard


def line_of(where: str, *candidates: tuple[str, float]) -> Field:
    ranked: Candidates = candidates
    return Field(where, ranked[0][0], ranked[0][1], ranked, True, QUAD)


def test_cells_left_of_the_first_tile_have_names_of_their_own() -> None:
    """On a bare table cells count from the top left tile, and some in doubt lie before it."""
    board = TilesOnBoard(((0, 0, "5"), (0, 1, "3")), None)
    fields = (line_of("tiles[-1][0]", (".", 0.6), ("1", 0.4)),
              line_of("tiles[0][-1]", (".", 0.7), ("2", 0.3)),
              line_of("tiles[0][-2]", ("?", 0.7), (".", 0.3)))  # fmt: skip
    lines = tile_board_lines(Reading(board, fields, QUAD, QUALITY), "en")
    assert lines[1:4] == ["     -b -a  a  b", "   0  .  . [.] .", "   1 [.][.] 5  3"]
    names = [line.split(":")[1].strip() for line in lines if "in doubt" in line]
    assert names == ["a0", "-a1", "-b1"]


def test_columns_go_on_after_z() -> None:
    board = TilesOnBoard(((0, 0, "5"), (0, 27, "5")), None)
    lines = tile_board_lines(Reading(board, (), QUAD, QUALITY), "en")
    assert lines[1].endswith(" y  z aa ab")
