"""Rulings from boards as seen: doubts, unknown movers, turned and mirrored photos."""

import random

import pytest

from engine import Verdict, quixo
from server.answers import Answer
from server.boards import to_json
from server.frames import mirrored, turned
from server.questions import Question, Terms, question_from_json, read_options, seat_of
from server.rulings import rule
from server.sights import Sight, sight_from_json
from tests.server.conftest import AFTER, BEFORE, DOUBTFUL, FOUL, LIFTED
from vision.observation import Doubt

GAME = quixo.GAME


def sight(board: object) -> Sight:
    return sight_from_json(board, "board")


def notes(answer: Answer) -> list[str]:
    return [note.id for note in answer.notes]


def ask(before: object, after: object, *during: object, **terms: object) -> Answer:
    sights = tuple(sight_from_json(board, "during", gaps=True) for board in during)
    return rule(Question(sight(before), sight(after), sights, Terms(**terms)))  # type: ignore[arg-type]


def test_a_legal_move_with_its_winner() -> None:
    answer = ask(BEFORE, AFTER, seat="S")
    assert answer.ruling.verdict is Verdict.LEGAL
    assert answer.ruling.move == "a2>R"
    assert answer.ruling.over is not None
    assert answer.ruling.over.winners == ("S",)
    assert answer.to_json()["boards"] == {"before": BEFORE, "after": AFTER}


def test_the_mover_is_found() -> None:
    answer = ask(BEFORE, AFTER)
    assert (answer.ruling.verdict, answer.ruling.seat) == (Verdict.LEGAL, "S")
    assert notes(answer) == ["seat_found"]
    assert "X (S)" in answer.notes[0].text_en


def test_a_glimpse_of_the_gap_leaves_nothing_to_exclude() -> None:
    without = ask(BEFORE, AFTER, seat="S")
    with_gap = ask(BEFORE, AFTER, LIFTED, seat="S")
    assert with_gap.ruling.verdict is Verdict.LEGAL
    assert with_gap.ruling.move == "a2>R"
    assert len(with_gap.ruling.excluded) <= len(without.ruling.excluded)


def test_illegal_whoever_moved() -> None:
    answer = ask(BEFORE, FOUL)
    assert answer.ruling.verdict is Verdict.ILLEGAL
    assert "illegal_for_all" in notes(answer)
    assert answer.ruling.findings


def doubt(where: str, *candidates: list[object]) -> dict[str, object]:
    return {"where": where, "candidates": list(candidates)}


def test_a_doubt_that_matters_makes_it_undecided() -> None:
    """The cube that was pushed in: only this photo shows what it has on top."""
    answer = ask(BEFORE, DOUBTFUL, seat="S")
    assert answer.ruling.verdict is Verdict.UNDECIDED
    assert answer.ruling.move is None
    assert [(doubt.picture, doubt.where) for doubt in answer.doubts] == [("after", "rows[1][4]")]


def test_a_doubt_that_the_other_photo_settles() -> None:
    """A cube that nobody touched: both photos show it, one of them clearly."""
    unclear = doubt("rows[4][2]", ["X", 0.71], ["O", 0.22], [".", 0.07])
    for pair in (
        (BEFORE, {**AFTER, "doubts": [unclear]}),
        ({**BEFORE, "doubts": [unclear]}, AFTER),
    ):
        answer = ask(*pair, seat="S")
        assert (answer.ruling.verdict, answer.ruling.move) == (Verdict.LEGAL, "a2>R")
        assert notes(answer) == ["settled"]
        assert "c5" in answer.notes[0].text_en
        assert not answer.doubts


def test_a_doubt_never_accuses() -> None:
    """The most likely reading is a foul; the less likely one is the legal move."""
    rows = [AFTER["rows"][0], "X.XOO", *AFTER["rows"][2:]]
    sure = {"rows": rows, "dots": AFTER["dots"]}
    assert ask(BEFORE, sure, seat="S").ruling.verdict is Verdict.ILLEGAL
    unclear = doubt("rows[1][4]", ["O", 0.97], ["X", 0.03])
    answer = ask(BEFORE, {**sure, "doubts": [unclear]}, seat="S")
    assert answer.ruling.verdict is Verdict.UNDECIDED


def test_a_clear_foul_stays_one_beside_a_doubt_that_does_not_matter() -> None:
    unclear = doubt("rows[4][2]", ["X", 0.8], ["O", 0.2])
    rows = [AFTER["rows"][0], "X.XOO", *AFTER["rows"][2:]]
    answer = ask(
        BEFORE, {"rows": rows, "dots": AFTER["dots"], "doubts": [unclear]}, LIFTED, seat="S"
    )
    assert answer.ruling.verdict is Verdict.ILLEGAL
    assert notes(answer) == ["settled"]


def test_a_cube_turned_in_passing_is_not_explained_away() -> None:
    """One photo is unsure of a cube that the other shows plainly as something else."""
    rows = [*AFTER["rows"][:4], "..OOO"]
    turned_cube = {"rows": rows, "dots": AFTER["dots"]}
    clearly = ask(BEFORE, turned_cube, LIFTED, seat="S")
    assert clearly.ruling.verdict is Verdict.ILLEGAL
    unclear = doubt("rows[4][2]", ["O", 0.9], ["X", 0.1])
    answer = ask(BEFORE, {**turned_cube, "doubts": [unclear]}, LIFTED, seat="S")
    assert answer.ruling.verdict is Verdict.UNDECIDED


def test_a_doubt_in_a_glimpse_only_clears() -> None:
    unclear = doubt("rows[1][0]", ["_", 0.6], [".", 0.4])
    answer = ask(BEFORE, AFTER, {**LIFTED, "doubts": [unclear]}, seat="S")
    assert answer.ruling.verdict is Verdict.LEGAL


def test_a_gap_that_is_likely_but_not_certain_clears_nobody_and_accuses_nobody() -> None:
    """An inner cube was taken, so it seems; the boards before and after fit a legal move."""
    before = {"rows": ["....."] * 5, "dots": ["....."] * 5}
    after = {"rows": ["..X..", *["....."] * 4], "dots": ["..?..", *["....."] * 4]}
    rows = ["....."] * 2 + [".._.."] + ["....."] * 2
    glimpse = {"rows": rows, "dots": ["....."] * 5}
    assert ask(before, after, glimpse, seat="S").ruling.verdict is Verdict.ILLEGAL
    unclear = doubt("rows[2][2]", ["_", 0.95], [".", 0.05])
    answer = ask(before, after, {**glimpse, "doubts": [unclear]}, seat="S")
    assert answer.ruling.verdict is Verdict.UNDECIDED


def test_too_many_doubts_are_not_ruled_on() -> None:
    places = [(row, column) for row in (2, 3, 4) for column in range(5)]
    doubts = [
        doubt(f"rows[{row}][{column}]", [AFTER["rows"][row][column], 0.6], [other, 0.4])
        for row, column in places
        for other in ("X" if AFTER["rows"][row][column] != "X" else "O")
    ]
    answer = ask(BEFORE, {**AFTER, "doubts": doubts}, seat="S")
    assert answer.ruling.verdict is Verdict.UNDECIDED
    assert notes(answer)[0] == "many_doubts"
    assert len(answer.doubts) == len(places)


def test_doubtful_dots_do_not_count_with_two_players() -> None:
    doubts = [{"where": "dots[0][0]", "candidates": [["N", 0.5], ["E", 0.5]]}]
    answer = ask(BEFORE, {**AFTER, "doubts": doubts}, seat="S")
    assert answer.ruling.verdict is Verdict.LEGAL
    assert not answer.doubts


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_photos_from_different_sides_accuse_nobody(quarters: int) -> None:
    seen = Sight(turned(sight(AFTER).layout, -quarters))
    answer = rule(Question(sight(BEFORE), seen, (), Terms(seat="S")))
    assert answer.ruling.verdict is Verdict.UNDECIDED
    assert notes(answer) == ["turned"]
    degrees = answer.notes[0].values["degrees"]
    assert degrees == 90 * quarters
    said = rule(Question(sight(BEFORE), seen, (), Terms(seat="S", turn_after=90 * quarters)))
    assert (said.ruling.verdict, said.ruling.move) == (Verdict.LEGAL, "a2>R")


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_still_camera_aligns_boards_read_from_other_sides(quarters: int) -> None:
    """A board askew by 45 degrees: its top in one photo may be its right side in the other."""
    corners = [(300.0, 100.0), (500.0, 300.0), (300.0, 500.0), (100.0, 300.0)]
    moved = [(x + 9, y - 6) for x, y in corners[quarters:] + corners[:quarters]]
    seen = to_json(turned(sight(AFTER).layout, -quarters))
    glimpse = to_json(turned(sight_from_json(LIFTED, "", gaps=True).layout, -quarters))
    before = {**BEFORE, "quad": corners}
    answer = ask(before, {**seen, "quad": moved}, {**glimpse, "quad": moved}, seat="S")
    assert (answer.ruling.verdict, answer.ruling.move) == (Verdict.LEGAL, "a2>R")
    assert notes(answer) == ["aligned"]
    assert answer.notes[0].values == {"degrees": 90 * quarters}
    elsewhere = [(x + 200, y) for x, y in moved]
    answer = ask(before, {**seen, "quad": elsewhere}, seat="S")
    assert notes(answer) == ["turned"]
    said = ask(before, {**seen, "quad": moved}, seat="S", turn_after=0)
    assert "aligned" not in notes(said)
    assert said.ruling.verdict is not Verdict.LEGAL


def test_a_mirrored_photo_accuses_nobody() -> None:
    seen = Sight(mirrored(sight(AFTER).layout))
    answer = rule(Question(sight(BEFORE), seen, (), Terms(seat="S")))
    assert answer.ruling.verdict is Verdict.UNDECIDED
    assert notes(answer) == ["mirrored"]


def test_unrelated_boards_accuse_nobody() -> None:
    other = {"rows": ["OOO.X", "X.O.X", "O...X", "X.X.O", "OO.X."], "dots": AFTER["dots"]}
    dots = ["".join("?" if mark in "XO" else "." for mark in row) for row in other["rows"]]
    answer = ask(BEFORE, {**other, "dots": dots})
    assert answer.ruling.verdict is Verdict.UNDECIDED
    assert notes(answer) == ["unrelated"]


def test_the_same_board_twice_is_no_move() -> None:
    blank = {"rows": ["....."] * 5, "dots": ["....."] * 5}
    answer = ask(blank, blank)
    assert answer.ruling.verdict is Verdict.UNDECIDED
    assert notes(answer) == ["unchanged"]


def test_a_legal_move_that_shows_nothing_says_so() -> None:
    full = {"rows": ["XXXX.", *["....."] * 4], "dots": ["????.", *["....."] * 4]}
    answer = ask(full, full, seat="S")  # a1>… within the row of crosses changes nothing
    assert answer.ruling.verdict is Verdict.UNDECIDED or "looks_unchanged" in notes(answer)


def test_known_position() -> None:
    state = GAME.join(sight(BEFORE).layout, "S")
    good = rule(Question(sight(BEFORE), sight(AFTER), (), Terms(state=state)))
    assert good.ruling.verdict is Verdict.LEGAL
    other = GAME.join(quixo.Layout.blank(), "S")
    bad = rule(Question(sight(BEFORE), sight(AFTER), (), Terms(state=other)))
    assert bad.ruling.verdict is Verdict.UNDECIDED
    assert "other_state" in notes(bad)
    assert "a1" in bad.notes[-1].text_en or "a1" in bad.notes[0].text_en


@pytest.mark.parametrize("south", ["bottom", "left", "top", "right"])
def test_notation_is_seen_from_south(south: str) -> None:
    back = {"bottom": 0, "left": 1, "top": 2, "right": 3}[south]
    before, after = (Sight(turned(sight(board).layout, back)) for board in (BEFORE, AFTER))
    answer = rule(Question(before, after, (), Terms(seat="S", south=south)))
    assert (answer.ruling.verdict, answer.ruling.move) == (Verdict.LEGAL, "a2>R")


@pytest.mark.parametrize("seed", range(6))
def test_legal_moves_of_random_games_are_legal(seed: int) -> None:
    """The law of the referee, through everything that pictures add: nobody is accused."""
    rng = random.Random(seed)
    state = GAME.start(2 if seed % 2 else 4)
    options = state.options
    for _ in range(14):
        moves = GAME.moves(state)
        if not moves:
            break
        after = GAME.play(state, rng.choice(moves))
        for seat in (None, state.seat):
            terms = Terms(options=options, seat=seat)
            answer = rule(Question(Sight(state.layout), Sight(after.layout), (), terms))
            assert answer.ruling.verdict is not Verdict.ILLEGAL
        state = after


def test_doubt_on_every_cell_in_turn_never_accuses() -> None:
    before, after = sight(BEFORE).layout, sight(AFTER).layout
    for index, mark in enumerate(after.marks):
        row, column = divmod(index, 5)
        others = [sign for sign in ".XO" if sign != mark]
        shares = ((others[0], 0.5), (mark, 0.4), (others[1], 0.1))
        unclear = (Doubt(f"rows[{row}][{column}]", shares),)
        for seat in ("S", None):
            question = Question(Sight(before), Sight(after, unclear), (), Terms(seat=seat))
            assert rule(question).ruling.verdict is not Verdict.ILLEGAL


def test_questions_from_json() -> None:
    body = {"before": BEFORE, "after": DOUBTFUL, "during": [LIFTED], "to_move": "O"}
    question = question_from_json({**body, "options": {"crosses": "N"}, "south": "top"})
    assert question.terms.seat == "S"
    assert question.terms.south == "top"
    assert question.after.doubts[0].where == "rows[1][4]"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"before": None}, "before"),
        ({"during": {}}, "during"),
        ({"during": [BEFORE] * 9}, "at most 8"),
        ({"options": []}, "options|object"),
        ({"options": {"colour": "red"}}, "colour"),
        ({"options": {"seats": "3"}}, "seats"),
        ({"options": {"size": "4"}}, "boards of 4 rows"),
        ({"south": "up"}, "south"),
        ({"turn_after": 45}, "turn_after"),
        ({"to_move": "Z"}, "mover"),
    ],
)
def test_bad_questions_are_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        question_from_json({"before": BEFORE, "after": AFTER, **change})


def test_movers() -> None:
    two, four = read_options({}), read_options({"players": "4"})
    assert [seat_of(mover, two) for mover in ("X", "O", "S", "N", None)] == [
        *("S", "N", "S", "N"),
        None,
    ]
    assert seat_of("W", four) == "W"
    with pytest.raises(ValueError, match="S W N E"):
        seat_of("X", four)
