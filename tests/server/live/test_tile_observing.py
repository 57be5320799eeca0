"""Boards of tiles at rest as events of a match: parts of plays, fouls, doubts, contradictions."""

import pytest

from engine import Verdict, quinto
from engine.events import Moved
from tests.server.live.tile_table import Played
from vision.settle import HandIn, HandOut

FIRST = ((6, 8, 5), (6, 9, 5))


def verdict(played: Played) -> Verdict | None:
    ruling = played.match.provisional
    return None if ruling is None else ruling.verdict


def last(played: Played) -> tuple[Verdict, str | None, list[str]]:
    """Verdict, move and rules of the last step that was ruled on."""
    ruling = played.match.steps[-1].ruling
    assert ruling is not None
    return ruling.verdict, ruling.move, [finding.rule for finding in ruling.findings]


def test_a_legal_play_takes_effect_as_soon_as_the_hand_is_gone() -> None:
    played = Played()
    played.lay(*FIRST)
    assert played.told == ["Moved", "Committed"]
    assert last(played) == (Verdict.LEGAL, "i7>55", [])
    assert played.state.scores == (10, 0)
    assert played.state.seat == "B"


def test_tiles_laid_one_by_one_are_one_play() -> None:
    played = Played()
    played.lay((6, 8, 5))  # legal by itself, and takes effect
    played.lay((6, 9, 3), after_s=1.5)
    assert verdict(played) is Verdict.ILLEGAL
    played.lay((6, 10, 2), after_s=1.5)
    assert last(played) == (Verdict.LEGAL, "i7>532", [])
    assert played.state.scores == (10, 0)
    assert len(played.match.steps) == 2


def test_what_is_not_legal_yet_waits_until_nothing_moves() -> None:
    played = Played()
    played.lay((6, 8, 3))
    assert verdict(played) is Verdict.ILLEGAL
    assert len(played.match.steps) == 1
    played.lay((6, 9, 2))
    assert last(played) == (Verdict.LEGAL, "i7>32", [])
    played.lay((7, 8, 3))
    played.rest()
    assert last(played)[0] is Verdict.ILLEGAL
    assert last(played)[2] == ["quinto.line.multiple"]


def test_a_play_that_both_may_have_made_is_the_next_player_s_unless_it_comes_at_once() -> None:
    played = Played()
    played.lay(*FIRST)
    played.lay((6, 10, 5))
    assert played.state.scores == (10, 15)
    quick = Played()
    quick.lay(*FIRST)
    quick.lay((6, 10, 5), after_s=0.5)
    assert quick.state.scores == (15, 0)
    assert quick.told[-3:] == ["Undone", "Moved", "Committed"]


def test_at_the_button_everything_laid_before_it_is_one_play() -> None:
    played = Played("button")
    played.lay((6, 8, 5))
    played.lay((6, 9, 5))
    played.rest()
    assert len(played.match.steps) == 1
    played.wish("next")
    assert last(played) == (Verdict.LEGAL, "i7>55", [])


def test_tiles_taken_back_in_hand_leave_no_trace() -> None:
    played = Played()
    played.lay((6, 8, 3))
    played.lay(without=((6, 8),))
    assert played.match.pending is None
    assert played.told == ["Moved", "Restored"]
    assert len(played.match.steps) == 1


@pytest.mark.parametrize(
    ("tiles", "without", "rule"),
    [
        (((7, 8, 4),), (), "quinto.line.multiple"),
        (((6, 10, 5), (6, 11, 5), (6, 12, 5), (6, 7, 5)), (), "quinto.line.length"),
        (((0, 0, 5),), (), "quinto.play.contact"),
        (((7, 8, 5), (8, 9, 5)), (), "quinto.play.line"),
        (((7, 8, 5),), ((6, 9),), "quinto.board.fixed"),
        (((8, 9, 5),), ((6, 9),), "quinto.board.fixed"),
    ],
)
def test_fouls_are_named(
    tiles: tuple[quinto.Tile, ...], without: tuple[tuple[int, int], ...], rule: str
) -> None:
    played = Played()
    played.lay(*FIRST)
    played.lay(*tiles, without=without)
    played.rest()
    told, _, rules = last(played)
    assert told is Verdict.ILLEGAL
    assert rule in rules
    assert played.state.scores == (10, 0)  # taken back


def test_the_first_play_off_the_start_cell_is_a_foul_of_that_rule_alone() -> None:
    played = Played()
    played.lay((0, 0, 5), (0, 1, 5))
    played.rest()
    assert last(played)[2] == ["quinto.play.start"]


def test_more_tiles_of_a_value_than_the_set_holds() -> None:
    played = Played(tiles="9,9,9,9,9,2,9,9,9,9")
    played.lay(*FIRST)
    played.lay((6, 10, 5))
    played.rest()
    assert last(played)[2] == ["quinto.supply"]


def test_a_foul_put_back_and_played_anew() -> None:
    played = Played()
    played.lay(*FIRST)
    played.lay((7, 8, 4))
    played.rest()
    assert played.match.left_lying is not None
    assert not played.table.put_back
    played.lay(without=((7, 8),))
    assert played.table.put_back
    played.lay((7, 8, 5))
    assert last(played)[0] is Verdict.LEGAL
    assert played.state.scores == (10, 10)


def test_play_goes_on_from_a_foul_that_was_left_lying() -> None:
    played = Played()
    played.lay(*FIRST)
    played.lay((7, 8, 4))
    played.rest()
    played.lay((5, 9, 5))  # 5 + 5, by the next player
    assert "Stood" in played.told
    assert last(played)[0] is Verdict.LEGAL


def test_a_doubtful_tile_is_asked_about_and_the_answer_decides() -> None:
    played = Played()
    where = "tiles[6][9]"
    played.lay(*FIRST, doubts={where: (("5", 0.7), ("3", 0.3))})
    assert verdict(played) is Verdict.UNDECIDED
    assert [doubt.where for doubt in played.match.doubts] == [where]
    played.rest()
    assert len(played.match.steps) == 1
    played.wish("reread", values={where: "5"})
    assert last(played) == (Verdict.LEGAL, "i7>55", [])


def test_two_legal_values_score_differently_and_are_asked_about() -> None:
    played = Played()
    where = "tiles[6][9]"
    played.lay(*FIRST, doubts={where: (("5", 0.6), ("0", 0.4))})
    assert verdict(played) is Verdict.UNDECIDED
    assert played.match.doubts


@pytest.mark.parametrize(("share", "accused"), [(0.02, False), (0.002, True)])
def test_nobody_is_accused_of_a_tile_that_may_be_another_one(share: float, accused: bool) -> None:
    """A digit that is good enough to play on is not for that good enough for a foul."""
    played, torn = Played(), {"tiles[6][9]": (("3", 1 - share), ("5", share))}
    played.lay((6, 8, 5), (6, 9, 3), vouched=torn)
    assert verdict(played) is (Verdict.ILLEGAL if accused else Verdict.UNDECIDED)
    assert [doubt.where for doubt in played.match.doubts] == ([] if accused else ["tiles[6][9]"])
    played.look(touched=False, vouched=torn)
    assert played.told == ["Moved"], "told once"


def test_a_foul_that_no_digit_changes_is_named_and_nothing_else_of_it() -> None:
    """Off the start cell it is a foul whatever lies there; that its sum is wrong is in doubt."""
    played, where = Played(), "tiles[0][1]"
    played.lay((0, 0, 5), (0, 1, 3), doubts={where: (("3", 0.7), ("5", 0.3))})
    assert verdict(played) is Verdict.ILLEGAL
    played.rest()
    assert last(played)[2] == ["quinto.play.start"]
    told = len(played.told)
    played.look({where: (("3", 0.4), ("0", 0.4), ("5", 0.2))}, touched=False)
    played.look({where: (("5", 0.5), ("3", 0.5))})
    assert len(played.told) == told, "one foul is told once"


def test_before_a_foul_with_a_tile_in_doubt_may_stand_its_value_is_asked_for() -> None:
    played, where = Played(), "tiles[0][1]"
    played.lay((0, 0, 5), (0, 1, 3), doubts={where: (("3", 0.7), ("5", 0.3))})
    played.rest()
    played.wish("stand")
    assert [doubt.where for doubt in played.match.doubts] == [where]
    played.wish("reread", values={where: "3"})
    played.wish("stand")
    assert played.match.pending is None
    assert played.state.layout.at(0, 1) == "3"


def test_a_foul_that_could_be_told_only_a_moment_later_is_one_of_the_hand_that_was_seen() -> None:
    played, where = Played(), "tiles[6][9]"
    played.lay((6, 8, 5), (6, 9, 3), doubts={where: (("3", 0.8), ("5", 0.2))})
    assert verdict(played) is Verdict.UNDECIDED
    played.look(touched=False)
    assert verdict(played) is Verdict.ILLEGAL
    played.rest()
    assert last(played)[2] == ["quinto.line.multiple"]


def test_another_tile_that_appears_while_nobody_is_there_is_held_against_nobody() -> None:
    played, where = Played(), "tiles[6][9]"
    played.lay((6, 8, 5), (6, 9, 3), doubts={where: (("3", 0.8), ("5", 0.2))})
    played.layout = played.layout.having([(6, 10, 1)])
    played.look(touched=False)
    assert verdict(played) is Verdict.UNDECIDED


def test_nobody_is_accused_where_a_doubt_and_a_vouched_tile_together_may_be_right() -> None:
    """Each by itself leaves the sum wrong: 4 and 8, 4 and 5; 2 and 8 is ten."""
    played = Played()
    doubts = {"tiles[6][8]": (("5", 0.6), ("8", 0.4))}
    played.lay(
        (6, 8, 5), (6, 9, 4), doubts=doubts, vouched={"tiles[6][9]": (("4", 0.98), ("2", 0.02))}
    )
    assert verdict(played) is Verdict.UNDECIDED
    assert [doubt.where for doubt in played.match.doubts] == ["tiles[6][8]", "tiles[6][9]"]


def test_another_value_that_is_no_better_excuses_nobody() -> None:
    played = Played()
    played.lay((6, 8, 5), (6, 9, 3), vouched={"tiles[6][9]": (("3", 0.97), ("8", 0.03))})
    assert verdict(played) is Verdict.ILLEGAL


def test_accepted_tiles_read_otherwise_on_doubt_change_nothing() -> None:
    played = Played()
    played.lay(*FIRST)
    doubts = {"tiles[6][8]": (("3", 0.6), ("5", 0.4))}
    played.lay((7, 8, 5), doubts=doubts)
    assert last(played) == (Verdict.LEGAL, "i8=5", [])
    assert played.table.tiles is not None
    assert not played.table.tiles.odd


def test_a_covered_tile_is_told_and_accuses_nobody() -> None:
    played = Played()
    played.lay(*FIRST)
    played.lay((7, 8, 5), doubts={"tiles[6][9]": (("?", 0.99),)})
    assert last(played)[0] is Verdict.LEGAL
    assert played.table.tiles is not None
    assert [(odd.cell, odd.kind) for odd in played.table.tiles.odd] == [((6, 9), "covered")]


def test_a_tile_that_goes_while_nobody_is_there_is_held_against_nobody() -> None:
    played = Played()
    played.lay(*FIRST)
    played.layout = played.layout.having((), [(6, 9)])
    played.at_s += 3.0
    noted = played.look(touched=False)
    assert isinstance(noted[0].event, Moved)
    assert noted[0].event.unwatched
    assert verdict(played) is Verdict.UNDECIDED
    assert played.table.tiles is not None
    assert [(odd.cell, odd.kind) for odd in played.table.tiles.odd] == [((6, 9), "gone")]


def test_a_play_taken_back_by_agreement_is_undone() -> None:
    played = Played()
    played.lay(*FIRST)
    played.lay(without=((6, 8), (6, 9)))
    assert played.told[-1] == "Undone"
    assert played.state.scores == (0, 0)


@pytest.mark.parametrize("rested", [True, False])
def test_a_foul_taken_back_takes_the_legal_part_it_began_with_along(rested: bool) -> None:
    played = Played()
    played.lay(*FIRST)
    played.lay((7, 8, 5))  # a legal play by itself
    played.lay((8, 8, 4))
    if rested:
        played.rest()
    played.lay(without=((7, 8), (8, 8)))
    assert played.told[-2:] == ["Undone", "Undone"]
    assert played.state.scores == (10, 0)
    assert played.state.seat == "B"
    assert ("illegal", "i9=4") in played.rulings or not rested  # it was told all the same
    played.lay((7, 9, 5))
    assert last(played) == (Verdict.LEGAL, "j8=5", [])


def test_plays_are_told_in_the_order_in_which_they_were_seen() -> None:
    played = Played()
    played.lay(*FIRST)
    played.lay((7, 8, 5), doubts={"tiles[7][8]": (("5", 0.7), ("3", 0.3))})
    assert played.rulings == []  # the first play may be gone on with
    played.lay((7, 9, 5), doubts={"tiles[7][8]": (("5", 0.7), ("3", 0.3))})
    assert played.rulings == [("legal", "i7>55"), ("undecided", None)]


def test_a_tile_that_looks_as_it_did_before_the_hand_came_was_not_exchanged() -> None:
    played = Played()
    played.lay(*FIRST)
    wrong = {"tiles[6][8]": (("3", 0.999), ("5", 0.001))}
    played.lay((7, 8, 5), doubts=wrong)  # asked about, so that the tile counts as it was accepted
    assert last(played) == (Verdict.LEGAL, "i8=5", [])
    seen = played.layout
    played.layout = played.layout.having([(6, 8, 3)])  # told surely as what it is not
    played.lay((7, 9, 0))
    assert last(played)[0] is Verdict.LEGAL
    assert played.table.tiles is not None
    assert [(odd.cell, odd.kind) for odd in played.table.tiles.odd] == [((6, 8), "changed")]
    assert played.state.layout == seen.having([(7, 9, 0)])


def test_a_tile_exchanged_under_a_hand_is_a_foul() -> None:
    played = Played()
    played.lay(*FIRST)
    played.lay((6, 8, 3))
    played.rest()
    assert last(played)[2] == ["quinto.board.fixed"]


def test_two_plays_of_which_the_board_between_was_missed_are_told_apart_or_asked() -> None:
    played = Played()
    played.lay(*FIRST)
    tiles = ((4, 9, 5), (5, 9, 5), (7, 8, 5))
    one_visit = Played()
    one_visit.lay(*FIRST)
    one_visit.lay(*tiles)
    assert verdict(one_visit) is Verdict.ILLEGAL
    played.happen(HandIn(played.at_s + 4.0))
    played.happen(HandOut(played.at_s + 5.0))
    played.lay(*tiles, after_s=7.0)
    # Not in one line: a foul by one player, or two plays by both.
    assert verdict(played) is Verdict.UNDECIDED
    ruling = played.match.provisional
    assert ruling is not None
    assert any(len(entry.moves) == 2 for entry in ruling.moves)


def test_the_board_of_a_match_may_be_joined_as_it_lies() -> None:
    played = Played()
    played.lay(*FIRST)
    assert played.table.was_seen
    played.wish("start", game="quinto", options={"seats": "2"}, as_lies=True, to_move="B")
    assert played.state.seat == "B"
    assert played.state.layout.tiles() == FIRST
    assert played.state.turn is None


def test_a_board_of_another_edition_is_said_and_nothing_is_ruled_on() -> None:
    played = Played()
    played.layout = quinto.Layout.of_tiles(15, 15, FIRST)
    assert played.lay((7, 7, 5)) == ()
    assert played.table.problem is not None
    assert played.table.problem.reason == "other-board"
    played.layout = quinto.Layout.blank(13, 17)
    played.lay(*FIRST)
    assert played.table.problem is None
    assert last(played)[0] is Verdict.LEGAL
