"""What the referee makes of changes that a camera saw."""

import random
from dataclasses import replace

import pytest

from engine import quixo
from engine.errors import TextError
from engine.game import Change
from engine.quixo.game import GAME, result_of
from engine.quixo.layout import Layout
from engine.quixo.move import Kind, Move, lifted
from engine.quixo.state import State
from engine.referee import judge
from engine.ruling import Ruling, Verdict
from tests.engine.positions import glimpse, random_states

TWO = "XO.../.X..O/O..../...X./..O.X - S turn=9"
FOUR = "XO.../.X..O/O..../...X./..O.X SW.../.N..E/E..../...S./..W.N S turn=8 seats=4"


def seen(text: str, move: str, *, glimpsed: bool, one_turn: bool = True) -> Ruling[Move]:
    """The ruling on an act described in notation, from the boards alone or with a glimpse."""
    state = GAME.read(text)
    act = GAME.read_move(state, move)
    during = (glimpse(state, act),) if glimpsed else ()
    return judge(GAME, state, Change(during, result_of(state, act)), one_turn=one_turn)


def rules_of(ruling: Ruling[Move]) -> set[str]:
    return {finding.rule for finding in ruling.findings}


@pytest.mark.parametrize("glimpsed", [True, False])
@pytest.mark.parametrize(
    ("text", "move", "rule"),
    [
        (TWO, "b1>B", "quixo.take.own"),
        (TWO, "a1>R=.", "quixo.mark"),
        (TWO, "a1>B=O", "quixo.mark"),
        (TWO, "a5>R+c2=O", "quixo.board.untouched"),
        (TWO, "e1>R3", "quixo.push.end"),
        (FOUR, "c5>T:S", "quixo.team.take-dot"),
        (FOUR, "e5>L:N", "quixo.team.take-dot"),
        (FOUR, "a1>B:E", "quixo.team.dot"),
        (FOUR, "a5>R:N+b2=X:S", "quixo.board.untouched"),
    ],
)
def test_foul_is_named(text: str, move: str, rule: str, *, glimpsed: bool) -> None:
    ruling = seen(text, move, glimpsed=glimpsed)
    assert (ruling.verdict, rules_of(ruling)) == (Verdict.ILLEGAL, {rule})
    assert ruling.move == move
    assert GAME.read(ruling.state_text) == GAME.read(text)  # taken back


@pytest.mark.parametrize(
    ("move", "rule", "look_alike"),
    [
        ("c3>R", "quixo.take.edge", "e3>B"),
        ("e3>R", "quixo.push.not-same", "d3>R"),
    ],
)
def test_a_glimpse_separates_look_alikes(move: str, rule: str, look_alike: str) -> None:
    text = "...../...../...../...../..... - S turn=0"
    with_glimpse = seen(text, move, glimpsed=True)
    assert (with_glimpse.verdict, rules_of(with_glimpse)) == (Verdict.ILLEGAL, {rule})
    without = seen(text, move, glimpsed=False)
    assert without.verdict is Verdict.LEGAL
    named = {entry.move: entry.rules for entry in without.excluded}
    assert named[move] == (rule,)
    assert "picture taken during the move" in next(
        entry.text_en for entry in without.excluded if entry.move == move
    )
    assert look_alike in named or without.move == look_alike or move == "c3>R"


def test_all_legal_moves_with_one_board_are_listed() -> None:
    ruling = seen("...../...../...../...../..... - S turn=0", "a1>R", glimpsed=False)
    moves = {ruling.move} | {entry.move for entry in ruling.excluded if not entry.rules}
    assert moves == {"a1>R", "b1>R", "c1>R", "d1>R", "e2>T", "e3>T", "e4>T", "e5>T"}
    assert {GAME.write_move(entry.moves[0]) for entry in ruling.moves} == moves


def test_two_moves_of_one_player_are_named() -> None:
    state = GAME.read(TWO)
    first = GAME.read_move(state, "a5>R")
    middle = replace(GAME.play(state, first), seat="S")
    after = result_of(middle, GAME.read_move(middle, "c1>B"))
    ruling = judge(GAME, state, Change((), after))
    assert (ruling.verdict, rules_of(ruling)) == (Verdict.ILLEGAL, {"quixo.turn"})
    assert ruling.move is not None
    assert ruling.move.count(", ") == 1


def test_a_missed_board_is_found_and_reported() -> None:
    state = GAME.read(TWO)
    middle = GAME.play(state, GAME.read_move(state, "a5>R"))
    after = GAME.play(middle, GAME.read_move(middle, "b1>B"))
    ruling = judge(GAME, state, Change((), after.layout))
    assert ruling.verdict is Verdict.LEGAL
    assert ruling.move == "a5>R, b1>B"
    assert GAME.read(ruling.state_text) == after


def test_a_missed_board_keeps_a_player_from_being_accused() -> None:
    """X has moved invisibly and O lawfully: it looks like O's mark put up by X."""
    state = GAME.read("XX.../...../...../...../...O. - S turn=9")
    middle = GAME.play(state, GAME.read_move(state, "b1>L"))
    assert middle.layout == state.layout
    after = GAME.play(middle, GAME.read_move(middle, "a3>R"))
    change = Change((), after.layout)
    unsure = judge(GAME, state, change)
    assert unsure.verdict is Verdict.UNDECIDED
    assert rules_of(unsure) == {"quixo.mark"}
    assert "b1>L, a3>R" in {entry.move for entry in unsure.excluded}
    vouched = judge(GAME, state, change, one_turn=True)
    assert (vouched.verdict, rules_of(vouched)) == (Verdict.ILLEGAL, {"quixo.mark"})
    assert "b1>L, a3>R" in {entry.move for entry in vouched.excluded}


def test_a_row_slid_by_hand_is_no_foul_beyond_doubt() -> None:
    """Gap at the end of a blank row: e3 lifted and put back, or a3 taken and the row slid."""
    state = GAME.start()
    move = GAME.read_move(state, "a3>R")
    after = GAME.play(state, move).layout
    slid = lifted(after, 14)
    ruling = judge(GAME, state, Change((slid,), after))
    assert ruling.verdict is Verdict.UNDECIDED
    both = judge(GAME, state, Change((glimpse(state, move), slid), after))
    assert both.verdict is not Verdict.ILLEGAL


def test_a_slid_glimpse_alone_still_explains() -> None:
    state = GAME.read("...../...../O.X../...../..... - S turn=-")
    move = GAME.read_move(state, "d3>R")
    state = replace(state, layout=Layout.of_marks("..........O.XX..........."))
    after = GAME.play(state, GAME.read_move(state, "e3>L")).layout
    slid = lifted(after, 10)
    ruling = judge(GAME, state, Change((slid,), after))
    assert ruling.verdict is Verdict.LEGAL
    assert ruling.move == "e3>L"
    assert move != ruling.moves[0].moves[0]


def test_touched_first_shows_in_the_glimpses() -> None:
    state = GAME.read(TWO)
    other, played = lifted(state.layout, 22 - 2), GAME.read_move(state, "a1>B")
    change = Change((other, glimpse(state, played)), GAME.play(state, played).layout)
    free = judge(GAME, state, change)
    assert (free.verdict, free.move) == (Verdict.LEGAL, "a5~a1>B")
    strict = replace(state, options=quixo.Options(touch_move=True))
    ruling = judge(GAME, strict, change)
    assert (ruling.verdict, rules_of(ruling)) == (Verdict.ILLEGAL, {"quixo.touch"})
    swapped = Change((change.during[1], change.during[0]), change.after)
    assert judge(GAME, strict, swapped).verdict is Verdict.UNDECIDED


def test_a_touched_cube_needs_glimpses_that_all_fit() -> None:
    state = GAME.read(TWO)
    played = GAME.read_move(state, "a1>B")
    odd = Layout.of_marks("O" * 25)
    during = (lifted(state.layout, 20), odd, glimpse(state, played))
    ruling = judge(GAME, state, Change(during, GAME.play(state, played).layout))
    assert (ruling.verdict, ruling.moves) == (Verdict.UNDECIDED, ())


def test_a_cube_turned_in_passing_is_found_beside_an_unseen_one() -> None:
    state = GAME.read(TWO)
    after = result_of(state, GAME.read_move(state, "a5>R+c2=O"))
    hidden = Layout.of_marks((*after.marks[:17], "?", *after.marks[18:]))
    assert after.marks[17] == "."
    ruling = judge(GAME, state, Change((glimpse(state, Move((4, 0), "R")),), hidden))
    assert (ruling.verdict, ruling.move) == (Verdict.ILLEGAL, "a5>R+c2=O")


def test_out_of_turn_is_nearer_than_two_faults() -> None:
    state = GAME.read("O..../...../..X../...../....X - S turn=9")
    other = replace(state, seat="N")
    after = GAME.play(other, GAME.read_move(other, "a1>R")).layout
    ruling = judge(GAME, state, Change((), after), one_turn=True)
    assert (ruling.verdict, rules_of(ruling)) == (Verdict.ILLEGAL, {"quixo.turn"})
    assert ruling.move == "N/a1>R"


@pytest.mark.parametrize("glimpsed", [True, False])
def test_nothing_moved(*, glimpsed: bool) -> None:
    """A cube lifted and put back as one's move is a foul; a still table is none."""
    state = GAME.read("X.O../...../..X../...../....X - S turn=9")
    during = (lifted(state.layout, 0),) if glimpsed else ()
    ruling = judge(GAME, state, Change(during, state.layout))
    if glimpsed:
        assert (ruling.verdict, rules_of(ruling)) == (Verdict.ILLEGAL, {"quixo.push.not-same"})
    else:
        assert ruling.verdict is Verdict.UNDECIDED
        assert ruling.findings == ()
        assert ruling.excluded[0].move is None


def test_a_still_table_may_hide_a_legal_move() -> None:
    ruling = judge(
        GAME,
        state := GAME.read("XX.../...../...../...../...O. - S turn=9"),
        Change((), state.layout),
    )
    assert ruling.verdict is Verdict.LEGAL
    assert ruling.excluded[0].move is None


def test_forced_pass_is_seen_in_a_still_table() -> None:
    text = "XOXOX/O...O/X...X/O...O/XOXOX NENEN/E...E/N...N/E...E/NENEN S turn=20 seats=4"
    state = GAME.read(text)
    ruling = judge(GAME, state, Change((), state.layout))
    assert (ruling.verdict, ruling.move) == (Verdict.LEGAL, "pass")
    assert GAME.read(ruling.state_text).seat == "W"


def test_a_forced_pass_before_a_move_is_found() -> None:
    text = "XOXOX/O...O/X...X/O...O/XOXOX NENEN/E...E/N...N/E...E/NENEN S turn=20 seats=4"
    state = GAME.read(text.replace("NENEN/E...E", "NWNEN/E...E"))
    west = GAME.play(state, GAME.moves(state)[0])
    after = GAME.play(west, GAME.read_move(west, "b1>B:E"))
    ruling = judge(GAME, state, Change((glimpse(west, Move((0, 1), "B", "E")),), after.layout))
    assert (ruling.verdict, ruling.move) == (Verdict.LEGAL, "pass, b1>B:E")
    assert GAME.read(ruling.state_text) == after


def test_dots_under_an_unseen_face_do_not_count() -> None:
    ours = Layout.read("X../.../... N../.../...")
    seen = Layout(3, ("?", *"........"), ("S", *"........"))
    assert ours.fits(seen, with_dots=True)
    assert not ours.fits(Layout.read("X../.../... S../.../..."), with_dots=True)
    assert ours.fits(Layout.read("X../.../... S../.../..."), with_dots=False)


def test_after_the_end_every_move_is_a_foul() -> None:
    state = GAME.read("XXXXX/O.O.O/...../...../....O - N turn=9 over=quixo.win:S:X@row_1")
    after = result_of(state, GAME.read_move(state, "a4>R"))
    ruling = judge(GAME, state, Change((), after))
    assert (ruling.verdict, rules_of(ruling)) == (Verdict.ILLEGAL, {"quixo.end"})
    assert ruling.over is not None


def test_a_swept_table_is_undecided() -> None:
    state = GAME.read(TWO)
    ruling = judge(GAME, state, Change((), Layout.of_marks("OOOOXXXXX.OOXX.XXOOX..XO.")))
    assert (ruling.verdict, ruling.move, ruling.findings) == (Verdict.UNDECIDED, None, ())
    assert ruling.state_text == GAME.write(state)


def test_a_gap_that_stays_is_undecided() -> None:
    state = GAME.read(TWO)
    assert judge(GAME, state, Change((), lifted(state.layout, 0))).verdict is Verdict.UNDECIDED


def test_a_glimpse_that_fits_nothing_is_undecided() -> None:
    state = GAME.read(TWO)
    after = GAME.play(state, GAME.read_move(state, "a1>B")).layout
    odd = Layout.of_marks("O" * 25)
    assert judge(GAME, state, Change((odd,), after)).verdict is Verdict.UNDECIDED


def test_another_size_is_an_error() -> None:
    with pytest.raises(TextError, match="expected a board of 5 rows, not 3"):
        judge(GAME, GAME.start(), Change((), Layout.blank(3)))


def hide(rng: random.Random, layout: Layout, count: int) -> Layout:
    """The layout with some cells not seen and some dots not made out."""
    marks, dots = list(layout.marks), list(layout.dots)
    for index in rng.sample(range(len(marks)), count):
        marks[index] = dots[index] = "?"
    for index in rng.sample(range(len(marks)), count):
        if marks[index] in "XO":
            dots[index] = "?"
    return Layout(layout.size, tuple(marks), tuple(dots))


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("hidden", [0, 1, 3, 8, 25])
def test_unseen_cells_never_accuse_a_legal_move(seats: int, hidden: int) -> None:
    rng = random.Random(hidden)
    for state in random_states(50 + hidden, 25, seats=seats):
        move = rng.choice(GAME.moves(state))
        after = hide(rng, GAME.play(state, move).layout, hidden)
        during = (hide(rng, glimpse(state, move), hidden),) if rng.random() < 0.5 else ()
        before = replace(state, layout=hide(rng, state.layout, hidden // 2))
        for one_turn in (False, True):
            ruling = judge(GAME, before, Change(during, after), one_turn=one_turn)
            assert ruling.verdict is not Verdict.ILLEGAL
            if hidden == 0:
                assert ruling.verdict is Verdict.LEGAL


def test_a_board_hardly_seen_is_undecided() -> None:
    hidden = Layout.of_marks("?" * 25)
    assert judge(GAME, GAME.read(TWO), Change((), hidden)).verdict is Verdict.UNDECIDED


def test_unseen_parts_are_filled_in() -> None:
    state = GAME.join(Layout.read("X?.../...../...../...../....O"), "S")
    after = Layout.of_marks("XO............X.........O")
    ruling = judge(GAME, state, Change((), after))
    assert ruling.verdict is Verdict.LEGAL
    assert GAME.read(ruling.state_text).layout == after


def test_a_line_through_a_cell_unseen_before_is_found() -> None:
    state = GAME.join(Layout.of_marks("XX?X....................O"), "S")
    after = Layout.of_marks("XXXXX...................O")
    ruling = judge(GAME, state, Change((), after))
    assert ruling.verdict is Verdict.LEGAL
    assert ruling.over is not None
    assert (ruling.over.winners, ruling.over.reason) == (("S",), "quixo.win")


def test_a_dot_not_made_out_stays_open() -> None:
    state = GAME.read(FOUR)
    move = GAME.read_move(state, "a5>R:N")
    after = GAME.play(state, move).layout
    blurred = Layout(5, after.marks, (*after.dots[:-1], "?"))
    ruling = judge(GAME, state, Change((), blurred))
    assert (ruling.verdict, ruling.move) == (Verdict.LEGAL, "a5>R:?")
    assert GAME.read(ruling.state_text).layout.dots[-1] == "?"


def fouls(rng: random.Random, state: State) -> list[Move]:
    """One-rule fouls that a glimpse of the lifted cube must expose."""
    own = state.mark()
    other = "O" if own == "X" else "X"
    legal = rng.choice([m for m in GAME.moves(state) if m.kind is Kind.PUSH])
    found = [replace(legal, face=other), replace(legal, face=".", dot=None)]
    for cell in range(25):
        for end in "LRTB":
            move = Move(divmod(cell, 5), end, legal.dot)
            if len(GAME.findings(state, move)) == 1:
                found.append(move)
    return rng.sample(found, 6)


@pytest.mark.parametrize("seats", [2, 4])
def test_with_a_glimpse_no_foul_passes_unless_a_lawful_push_looks_the_same(seats: int) -> None:
    rng = random.Random(seats)
    exposed = 0
    for state in random_states(90 + seats, 25, seats=seats):
        for foul in fouls(rng, state):
            after = result_of(state, foul)
            ruling = judge(GAME, state, Change((glimpse(state, foul),), after), one_turn=True)
            same_cube = [
                m
                for m in GAME.moves(state)
                if m.cube == foul.cube and GAME.play(state, m).layout == after
            ]
            expected = Verdict.LEGAL if same_cube else Verdict.ILLEGAL
            assert ruling.verdict is expected, (GAME.write(state), GAME.write_move(foul))
            if not same_cube:
                exposed += 1
                assert rules_of(ruling) == {f.rule for f in GAME.findings(state, foul)}
    assert exposed > 100


@pytest.mark.parametrize(
    ("move", "gap", "rule"),
    [("e1>R3", "e1", "quixo.push.end"), ("a5>R+c2=O", "c2", "quixo.board.untouched")],
)
def test_a_gap_seen_after_the_push_belongs_to_the_same_foul(move: str, gap: str, rule: str) -> None:
    """The hole of a wrong line stays open until the cube that fell out is put there; a cube that
    is turned in passing is lifted for it."""
    state = GAME.read(TWO)
    act = GAME.read_move(state, move)
    after = result_of(state, act)
    index = (int(gap[1]) - 1) * 5 + "abcde".index(gap[0])
    during = (glimpse(state, act), lifted(after, index))
    ruling = judge(GAME, state, Change(during, after), one_turn=True)
    assert (ruling.verdict, rules_of(ruling)) == (Verdict.ILLEGAL, {rule})
