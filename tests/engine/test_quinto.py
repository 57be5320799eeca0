"""Quinto beside its cases and vectors: changes seen, hands, ends, repairs, single boards."""

import pytest

from engine.errors import OptionError, TextError
from engine.game import Change
from engine.quinto.game import GAME
from engine.quinto.layout import Layout
from engine.quinto.move import Kind, Move, Said, less, play_of, without
from engine.quinto.plays import first_play, plays
from engine.quinto.position import position_findings
from engine.quinto.repairs import repairs
from engine.quinto.state import EDITIONS, Options, State
from engine.referee import judge, judge_move
from engine.ruling import Verdict

BOARD = "....../....../.983../....../......"
SMALL = "edition=custom rows=5 columns=6"
CUSTOM = Options(edition="custom", rows=5, columns=6)


def state(words: str = "B turn=1", board: str = BOARD) -> State:
    return GAME.read(f"{board} {words} {SMALL}")


def seen(before: State, board: str) -> object:
    return judge(GAME, before, Change((), Layout.read(board)))


def told(before: State, board: str) -> tuple[Verdict, str | None, set[str]]:
    ruling = judge(GAME, before, Change((), Layout.read(board)))
    return ruling.verdict, ruling.move, {finding.rule for finding in ruling.findings}


# Changes seen


def test_added_tiles_are_one_play() -> None:
    assert told(state(), "....../....../.983../...9../...8..") == (Verdict.LEGAL, "d4v98", set())


def test_a_wrong_total_is_illegal_and_taken_back() -> None:
    ruling = judge(GAME, state(), Change((), Layout.read("....../....../.983../...9../...7..")))
    assert ruling.verdict is Verdict.ILLEGAL
    assert ruling.move == "d4v97"
    (finding,) = ruling.findings
    assert finding.rule == "quinto.line.multiple"
    assert finding.where == "column d 3-5"
    assert finding.text_en == (
        "Column d 3-5 totals 19, no multiple of 5: 4 too many or 1 too few. "
        "One other tile would make it legal: 0 or 5 on d4; 3 or 8 on d5."
    )
    assert "Une seule autre tuile" in finding.text_fr
    assert GAME.read(ruling.state_text) == state()


def test_a_tile_taken_away_is_a_finding() -> None:
    verdict, move, rules = told(state(), "....../....../..83../...9../...8..")
    assert (verdict, rules) == (Verdict.ILLEGAL, {"quinto.board.fixed"})
    assert move == "d4v98 -b3"


def test_only_a_tile_taken_away_is_a_finding() -> None:
    assert told(state(), "....../....../..83../....../......")[::2] == (
        Verdict.ILLEGAL,
        {"quinto.board.fixed"},
    )


def test_a_tile_may_have_been_shifted_rather_than_taken() -> None:
    """One explanation shifts the 9, the other takes it and lays another: one rule either way."""
    ruling = judge(GAME, state(), Change((), Layout.read("....../....../..83../..9.../......")))
    assert ruling.verdict is Verdict.ILLEGAL
    assert {finding.rule for finding in ruling.findings} == {"quinto.board.fixed"}
    assert ruling.move == "b3~c4"


def test_a_tile_turned_into_another_is_a_finding() -> None:
    verdict, move, rules = told(state(), "....../....../.683../...9../...8..")
    assert (verdict, rules) == (Verdict.ILLEGAL, {"quinto.board.fixed"})
    assert move == "d4v98 b3:6"


def test_a_missed_board_is_found() -> None:
    """A lays a column, B lays a row below it, and nobody saw the board between them."""
    ruling = judge(GAME, state(), Change((), Layout.read("....../....../.983../...9../...82.")))
    assert ruling.verdict is not Verdict.ILLEGAL
    assert "d4v98, e5=2" in {entry.move for entry in ruling.excluded} | {ruling.move}


def test_two_plays_with_one_faulty_reading_accuse_nobody_wrongly() -> None:
    """Two faults at least, or two plays: the two legal plays explain it better."""
    board = "....../....../09839./...3../...4.."
    assert told(state(), board)[0] is not Verdict.LEGAL


def test_cells_not_seen_fit_anything() -> None:
    before = state()
    ruling = judge(GAME, before, Change((), Layout.read("....../....../.98?../...9../...8..")))
    assert ruling.verdict is Verdict.LEGAL


def test_lines_that_run_into_the_unseen_are_not_judged() -> None:
    before = state(board="....../....../.983?./....../......")
    assert told(before, "....../....../1983?./....../......")[0] is Verdict.LEGAL
    filled = GAME.fill(before, Layout.read("....../....../.9835./....../......"))
    assert filled.layout.at(2, 4) == "5"


def test_a_still_table_is_no_foul() -> None:
    assert told(state("B turn=1 hands=?????,00000"), BOARD)[0] is Verdict.UNDECIDED
    assert told(state(), BOARD)[0] is Verdict.LEGAL  # a pass that nobody can gainsay


def test_a_board_of_another_size_is_refused() -> None:
    with pytest.raises(TextError, match="expected a board of 5 rows and 6 columns, not 3 and 2"):
        seen(state(), "../../..")


@pytest.mark.parametrize(
    ("words", "move", "english", "french"),
    [
        (
            "B turn=1 hands=?????,11289",
            "d4v97",
            "Player B did not hold 7.",
            "Le joueur B n'avait pas 7 en main.",
        ),
        (
            "B turn=1",
            "d4v98 +1",
            "Player B drew 1 tile, but 2 were due.",
            "Le joueur B a pioché 1 tuile, il en fallait 2.",
        ),
        (
            "B turn=1",
            "A/d4v98",
            "Player A moved, but it was the turn of player B.",
            "Le joueur A a joué, mais c'était le tour du joueur B.",
        ),
        (
            "B turn=1 hands=?????,0",
            "pass",
            "Player B passed, but could play 0 on a3.",
            "Le joueur B a passé, mais pouvait jouer 0 en a3.",
        ),
        (
            "B turn=1",
            "A/hand 12",
            "Player A shows 2 tiles, but should hold 5.",
            "Le joueur A montre 2 tuiles au lieu de 5.",
        ),
    ],
)
def test_findings_in_words(words: str, move: str, english: str, french: str) -> None:
    before = state(words)
    found = GAME.findings(before, GAME.read_move(before, move))
    assert (english, french) in {(finding.text_en, finding.text_fr) for finding in found}


# What follows


@pytest.mark.parametrize(
    ("policy", "seat", "scores"),
    [("take_back", "B", (0, 0)), ("loses_turn", "A", (0, 0)), ("stands", "A", (0, 19))],
)
def test_what_follows_a_foul(policy: str, seat: str, scores: tuple[int, ...]) -> None:
    before = state(f"B turn=1 on_illegal={policy}")
    ruling = judge_move(GAME, before, GAME.read_move(before, "d4v97"))
    after = GAME.read(ruling.state_text)
    assert (after.seat, after.scores) == (seat, scores)
    assert (after.layout == before.layout) == (policy != "stands")


def test_out_of_turn_costs_nobody_a_turn() -> None:
    before = state("B turn=1 on_illegal=loses_turn")
    ruling = judge_move(GAME, before, GAME.read_move(before, "A/d4v98"))
    assert GAME.read(ruling.state_text) == before


def test_wrong_points_and_wrong_draws_are_set_right() -> None:
    before = state()
    for text in ("d4v98 =25", "d4v98 +123"):
        ruling = judge_move(GAME, before, GAME.read_move(before, text))
        after = GAME.read(ruling.state_text)
        assert ruling.verdict is Verdict.ILLEGAL
        assert (after.scores, after.seat, after.hands) == ((0, 20), "A", ("?????", "?????"))


def test_what_lies_there_stands_even_unexplained() -> None:
    other = Layout.read("5...../....../.983../....../.....5")
    stood = GAME.stand(state(), (), other)
    assert (stood.layout, stood.seat, stood.turn) == (other, "A", 2)


def test_after_the_end_nothing_follows() -> None:
    ended = state("B turn=5 over=quinto.end hands=1,2")
    move = GAME.read_move(ended, "d4v98")
    assert GAME.settle_illegal(ended, (move,), None) == ended
    assert GAME.stand(ended, (move,), None) == ended
    assert tuple(GAME.moves(ended)) == ()


def test_a_player_without_tiles_is_skipped() -> None:
    tiles = "tiles=0,0,0,1,0,0,0,0,2,2"
    before = state(f"A turn=3 seats=3 hands=9,,8 {tiles}")
    assert GAME.play(before, play_of((2, 4, 9))).seat == "C"
    assert GAME.play(before, Move(kind=Kind.PASS)).seat == "C"


def test_a_draw_decides_who_starts() -> None:
    start = GAME.start(3)
    drawn = GAME.play(start, GAME.read_move(start, "draw 476"))
    assert (drawn.seat, drawn.drawing) == ("B", ())
    tied = GAME.play(start, GAME.read_move(start, "draw 747"))
    assert (tied.seat, tied.drawing) == ("A", ("A", "C"))
    assert all(GAME.findings(tied, move) == () for move in GAME.moves(tied))
    assert GAME.play(tied, GAME.read_move(tied, "draw 35")).seat == "C"
    red = GAME.read(GAME.write(GAME.start(2, {"edition": "1968"})) + " drawing=AB")
    assert len(tuple(GAME.moves(red))) == 20


def test_hands_are_remembered_as_far_as_known() -> None:
    start = GAME.start(2)
    shown = GAME.play(start, GAME.read_move(start, "A/hand 97788"))
    played = GAME.play(shown, GAME.read_move(shown, "g7>8877"))
    assert played.hand("A") == "9????"
    refilled = GAME.play(shown, GAME.read_move(shown, "g7>8877 +0123"))
    assert refilled.hand("A") == "01239"
    assert refilled.hand("B") == "?????"
    assert less("0123", (1, 9)) == "023"
    assert without("0123", (1, 9)) == "02"
    assert less("01??", (9, 1)) == "0?"


def test_a_game_joined_near_its_end_accuses_nobody() -> None:
    """Five tiles are left, and nobody knows in whose hand."""
    few = "tiles=0,1,1,2,1,0,0,0,2,1"
    joined = state(f"B turn=- {few}")
    assert joined.hands == ("?????", "?????")
    assert joined.supply_left() == 0
    assert GAME.findings(joined, GAME.read_move(joined, "A/hand 12")) == ()
    assert GAME.findings(joined, GAME.read_move(joined, "d4v48")) == ()
    last = GAME.play(joined, play_of((0, 0, 1), (0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 8)))
    assert last.hands == ("", "")
    assert last.ended


def test_first_out_and_all_passed_end_the_game() -> None:
    over = GAME.over(state("B turn=5 over=quinto.end hands=??,11 scores=20,20"))
    assert over is not None
    assert (over.winners, over.known) == ((), False)
    assert over.where_en == "open until all hands are shown (2 tiles of A)"
    sure = GAME.over(state("B turn=5 over=quinto.end hands=??,11 scores=60,20"))
    assert sure is not None
    assert (sure.winners, sure.known) == (("A",), True)


# Plays


def test_plays_of_no_tiles_and_of_none_left() -> None:
    assert tuple(plays(state().layout, "", CUSTOM)) == ()
    assert tuple(plays(state().layout, "?????", CUSTOM)) == ()
    used = Options(edition="custom", rows=5, columns=6, tiles="0,0,0,1,0,0,0,0,1,1")
    assert first_play(state().layout, "00000", used) is None
    assert first_play(state().layout, "00000", CUSTOM) is not None


def test_plays_keep_away_from_the_unseen() -> None:
    layout = Layout.read("....../....../?983../....../......")
    cells = {tile[:2] for tiles in plays(layout, "0016", CUSTOM) for tile in tiles}
    assert (2, 4) not in cells  # the row runs into a cell not seen
    assert cells


def test_repairs_keep_all_lines() -> None:
    before = state(board="....../...5../.983../..7.../......")
    move = play_of((1, 2, 4))  # c2 beside d2, above c3 and c4: row 9, column 19
    found = dict(repairs(before, move))
    assert found == {(1, 2): (0, 5)}
    fixed = play_of((1, 2, 0))
    assert {f.rule for f in GAME.findings(before, fixed)} == set()


def test_nothing_repairs_two_wrong_lines() -> None:
    before = state()
    move = play_of((1, 1, 1), (1, 2, 1), (1, 3, 1))
    assert repairs(before, move) == ()
    (finding,) = (f for f in GAME.findings(before, move) if f.rule == "quinto.line.multiple")
    assert finding.text_en.endswith("No other tile on a single cell makes it legal.")


# One board alone


def test_a_board_alone() -> None:
    assert position_findings(state().layout, CUSTOM) == ()
    assert position_findings(Layout.blank(13, 17)) == ()
    rules = {
        "....../....../5...../....../......": ["quinto.play.start"],
        "....../....../.983../....../5.....": ["quinto.play.contact"],
        "....../....../.984../....../......": ["quinto.line.multiple"],
        "....../....../555555/....../......": ["quinto.line.length"],
        "....../....../...3../....../......": ["quinto.first.single"],
        "....../....../...5../....../......": [],
        "....../....../.?.3../....../......": [],
        "....../....../.984?./....../......": [],
    }
    for board, expected in rules.items():
        found = position_findings(Layout.read(board), CUSTOM)
        assert [finding.rule for finding in found] == expected, board
        assert all(finding.text_en != finding.text_fr for finding in found)
    scarce = Options(edition="custom", rows=5, columns=6, tiles="1,1,1,1,1,1,1,1,1,0")
    (finding,) = position_findings(state().layout, scarce)
    assert (finding.rule, finding.where) == ("quinto.supply", "b3")


# Options and values


def test_editions() -> None:
    assert sum(EDITIONS["plastic-1964"].tiles) == 90
    assert sum(n * v for v, n in enumerate(EDITIONS["plastic-1964"].tiles)) == 471
    assert sum(EDITIONS["wood-1964"].tiles) == 83
    for edition, (rows, columns), start in (
        ("plastic-1964", (13, 17), (6, 8)),
        ("wood-1964", (15, 15), (7, 7)),
        ("1968", (13, 18), (6, 8)),
    ):
        options = Options(edition=edition)
        assert (options.board(), options.start()) == ((rows, columns), start)
    assert Options(edition="1968", rows=12).board() == (12, 18)
    assert Options(edition="1968", rows=12).start() == (6, 8)
    assert Options(edition="1968", rows=6).start() == (3, 9)
    assert Options(edition="custom", rows=12).start() == (6, 8)
    assert Options(edition="custom", rows=11).start() == (5, 8)
    assert Options(edition="1968", rows=12, start_cell="j7").start() == (6, 9)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"nonsense": "1"}, "unknown option 'nonsense'; known: seats, edition"),
        ({"seats": "5"}, "option seats: expected one of 1, 2, 3, 4, not 5"),
        ({"edition": "1970"}, "option edition: expected one of plastic-1964"),
        ({"rows": "27"}, "option rows: expected none or 1 to 26, not 27"),
        ({"columns": "0"}, "option columns: expected none or 1 to 26, not 0"),
        ({"start_cell": "r1"}, "option start_cell: expected a cell from a1 to q13, not 'r1'"),
        ({"start_cell": "7i"}, "option start_cell: expected a cell from a1 to q13, not '7i'"),
        ({"tiles": "1,2"}, "option tiles: expected ten numbers to 99 joined by commas"),
        ({"tiles": "1,1,1,1,1,1,1,1,1,x"}, "option tiles: expected ten numbers"),
        ({"divisor": "1"}, "option divisor: expected one of 2, 3, 4"),
        ({"divisor": "five"}, "option divisor: expected a whole number, not 'five'"),
        ({"free_pass": "yes"}, "option free_pass: expected true or false, not 'yes'"),
        ({"end_when": "now"}, "option end_when: expected one of all_out, first_out"),
        ({"starter": "C"}, "option starter: expected one of A, B, not 'C'"),
        ({"on_illegal": "shout"}, "option on_illegal: expected one of take_back"),
    ],
)
def test_mistakes_in_options(options: dict[str, str], said: str) -> None:
    with pytest.raises(OptionError) as caught:
        Options.read(options)
    assert said in str(caught.value)


def test_options_table_lists_every_option() -> None:
    table = {option.name: option for option in GAME.options}
    assert list(table) == list(Options.__dataclass_fields__)
    for option in GAME.options:
        assert Options.read({option.name: option.default}) == Options()
        for value in option.values:
            Options.read({"seats": value if option.name == "seats" else "4", option.name: value})
        assert option.text_en != option.text_fr


def test_options_round_trip() -> None:
    full = Options(
        3, "custom", 9, 11, "b2", "9,9,9,9,9,9,9,9,9,9", 7, False, False, True, "first_out", "C",
        "stands",
    )  # fmt: skip
    assert Options.read(full.write()) == full
    assert Options().write() == {}


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Layout(0, 3, ""), "1 to 26 rows and columns, not 0 and 3"),
        (lambda: Layout(2, 2, "..."), "expected 4 cells for 2 rows and 2 columns, not 3"),
        (lambda: Layout(1, 2, ".x"), "unknown cell 'x'"),
        (lambda: Layout.of_tiles(2, 2, [(2, 0, 5)]), "no cell at row 2, column 0"),
        (lambda: Move(((0, 0, 1),), kind=Kind.PASS), "a pass lays and moves no tile"),
        (lambda: Move(((0, 1, 1), (0, 0, 1))), "different cells, row by row"),
        (lambda: play_of((0, 0, 1), (0, 0, 2)), "different cells, row by row"),
        (lambda: Move(((0, 0, 1),), removed=((0, 0),)), "each cell to be named once"),
        (lambda: GAME.join(Layout.blank(3, 3), "A"), "a board of 13 rows and 17 columns, not 3"),
        (lambda: GAME.join(Layout.blank(13, 17), "C"), "expected a seat of A B, not 'C'"),
        (lambda: State(Layout.blank(13, 17), "A", ("1",)), "expected 2 hands and scores, not 1"),
    ],
)
def test_values_that_cannot_be(make: object, said: str) -> None:
    assert callable(make)
    with pytest.raises(TextError, match=said):
        make()


# Text


@pytest.mark.parametrize(
    "text",
    [
        "g7>99877",
        "i8v566",
        "j5v44.5",
        "i7=5",
        "a3=0 d4=9 d5=8",
        "b3=9 c3=6~9 d3=5",
        "B/g7>99 -a1 b1~c1 d1:4 +37?? =40",
        "g7>99 +",
        "-a1",
        "pass",
        "pass +1",
        "B/pass",
        "draw 74",
        "A/hand 34599",
        "hand 3?",
        "hand -",
    ],
)
def test_moves_round_trip(text: str) -> None:
    start = GAME.start()
    assert GAME.write_move(GAME.read_move(start, text)) == text


def test_other_spellings_of_a_move() -> None:
    start = GAME.start()
    assert GAME.read_move(start, "g7=9 h7=9") == GAME.read_move(start, "g7>99")
    assert GAME.read_move(start, "h7=9 g7=9") == GAME.read_move(start, "g7>99")
    assert GAME.read_move(start, "g7>.9") == GAME.read_move(start, "h7=9")
    assert GAME.read_move(start, "hand 95?43") == GAME.read_move(start, "hand 3459?")
    assert GAME.read_move(start, "c3=6~9").said == (Said((2, 2), 9),)


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("", 1, "expected a play such as 'g7>99877', or pass, draw or hand"),
        ("C/g7>9", 1, "expected a seat of A B, not 'C' (quinto.turn)"),
        ("r1=5", 1, "expected cells from a1 to q13, not 'r1' (quinto.play.empty)"),
        ("g7>99 p7>999", 7, "expected cells from a1 to q13, not 'p7>999'"),
        ("g7>99 hello", 7, "expected tiles such as 'g7>99877' or 'i7=5', not 'hello'"),
        ("g7>99 =1 =2", 10, "expected tiles such as 'g7>99877' or 'i7=5', not '=2'"),
        ("g7>99 +1 +2", 10, "expected tiles such as"),
        ("g7>99 g7=5", 1, "expected each cell once, not g7 twice (quinto.play.empty)"),
        ("+12", 1, "expected at least one tile, or pass (quinto.play.count)"),
        ("g7>.", 1, "expected at least one tile, or pass"),
        ("pass g7=5", 6, "expected nothing behind 'pass' but tiles drawn (quinto.pass)"),
        ("draw", 5, "expected the tiles after 'draw' as one word (quinto.draw)"),
        ("draw 7 4", 6, "expected the tiles after 'draw' as one word"),
        ("hand 12x", 6, "expected the tiles after 'hand' as one word"),
    ],
)
def test_mistakes_in_moves(text: str, column: int, said: str) -> None:
    with pytest.raises(TextError) as caught:
        GAME.read_move(GAME.start(), text)
    assert said in str(caught.value)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x", "expected board and seat to move, not 'x'"),
        ("..x/... A", "column 3: unknown cell 'x'"),
        (".../.. A", "column 5: a row of 3 cells was expected, not 2"),
        (f"{BOARD} A", "expected a board of 13 rows and 17 columns, not 5 and 6"),
        (f"{BOARD} C {SMALL}", "expected a seat of A B, not 'C'"),
        (f"{BOARD} A turn {SMALL}", "expected name=value once"),
        (f"{BOARD} A turn=x {SMALL}", "expected turn= with whole numbers, not 'x'"),
        (f"{BOARD} A hands=1,x {SMALL}", "expected hands= of digits and"),
        (f"{BOARD} A hands=1 {SMALL}", "expected 2 hands and scores, not 1 and 2"),
        (f"{BOARD} A scores=1,2,3 {SMALL}", "expected 2 hands and scores, not 2 and 3"),
        (f"{BOARD} A drawing=AX {SMALL}", "expected drawing= with seats"),
        (f"{BOARD} A over=me {SMALL}", "expected over=quinto.end, not 'me'"),
        (f"{BOARD} A speed=3 {SMALL}", "unknown option 'speed'"),
    ],
)
def test_mistakes_in_states(text: str, said: str) -> None:
    with pytest.raises(TextError) as caught:
        GAME.read(text)
    assert said in str(caught.value)


def test_a_layout_is_one_word() -> None:
    with pytest.raises(TextError, match="expected a board of rows joined by '/', not 2 words"):
        Layout.read("... ...")
