"""What the referee does beyond one certain change: doubts, known moves, what follows a foul."""

import pytest

from engine import quixo
from engine.game import Change
from engine.quixo.game import GAME, result_of
from engine.quixo.layout import Layout
from engine.quixo.move import Move
from engine.quixo.state import State
from engine.referee import judge, judge_among, judge_move
from engine.ruling import Ruling, Verdict

BEFORE = "X..../...../...../...../....O - S turn=2"


def change_by(text: str, *, state: State | None = None) -> Change[Layout]:
    before = state if state is not None else GAME.read(BEFORE)
    return Change((), result_of(before, GAME.read_move(before, text)))


def known(text: str, options: dict[str, str] | None = None) -> Ruling[Move]:
    state = GAME.read(BEFORE + "".join(f" {k}={v}" for k, v in (options or {}).items()))
    return judge_move(GAME, state, GAME.read_move(state, text))


def test_candidates_that_agree() -> None:
    state = GAME.read(BEFORE)
    ruling = judge_among(GAME, [state, state], [change_by("a3>R")])
    assert ruling == judge(GAME, state, change_by("a3>R"))


def test_never_illegal_when_a_candidate_is_legal() -> None:
    state = GAME.read(BEFORE)
    for changes in (["e5>L", "a3>R"], ["a3>R", "e5>L"]):
        ruling = judge_among(GAME, [state], [change_by(text) for text in changes])
        assert ruling.verdict is Verdict.UNDECIDED
        assert ruling.move is None
        assert {f.rule for f in ruling.findings} == {"quixo.take.own"}
        assert ruling.state_text == GAME.write(state)
        assert ("e5>L", ("quixo.take.own",)) in {(e.move, e.rules) for e in ruling.excluded}


def test_candidates_with_different_fouls_are_undecided() -> None:
    ruling = judge_among(
        GAME, [GAME.read(BEFORE)], [change_by("e5>L"), change_by("a3>R=O")], one_turn=True
    )
    assert ruling.verdict is Verdict.UNDECIDED
    assert {f.rule for f in ruling.findings} == {"quixo.take.own", "quixo.mark"}


def test_candidates_with_one_foul_are_illegal() -> None:
    ruling = judge_among(GAME, [GAME.read(BEFORE)], [change_by("e5>L"), change_by("e5>T")])
    assert ruling.verdict is Verdict.ILLEGAL


def test_an_unexplained_candidate_leaves_it_undecided() -> None:
    odd = Change((), Layout.of_marks("OOOOXXXXX.OOXX.XXOOX..XO."))
    ruling = judge_among(GAME, [GAME.read(BEFORE)], [odd, change_by("a3>R")])
    assert ruling.verdict is Verdict.UNDECIDED
    assert "a3>R" in {entry.move for entry in ruling.excluded}
    assert ruling.findings == ()


def test_a_doubtful_reading_that_wins_is_undecided() -> None:
    state = GAME.read("XXXX./...../...../...../....O - S turn=-")
    won, going_on = change_by("e1>R", state=state), change_by("e3>T", state=state)
    assert judge(GAME, state, going_on).over is not None
    other = change_by("a3>B", state=state)
    ruling = judge_among(GAME, [state], [won, other])
    assert ruling.verdict is Verdict.UNDECIDED
    assert ruling.over is None


def test_no_candidates_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one state and one change"):
        judge_among(GAME, [], [change_by("a3>R")])


def test_place_is_named_where_one_explanation_is_left() -> None:
    state = GAME.join(Layout.of_marks("OOXOOO...OX...XO...OOOXOO"), "N")
    ruling = judge(GAME, state, Change((), result_of(state, Move((2, 0), "R"))))
    assert ruling.verdict is Verdict.ILLEGAL
    assert [(f.rule, f.where) for f in ruling.findings] == [("quixo.take.own", "a3")]


def test_findings_in_the_rules_own_words_where_places_differ() -> None:
    marks = "OOXOOO...XX...OO...OOOXOO"
    state = GAME.join(Layout.of_marks(marks), "N")
    blank_row = result_of(state, Move((1, 1), "R"))
    ruling = judge(GAME, state, Change((), blank_row), one_turn=True)
    assert ruling.verdict is Verdict.ILLEGAL
    places = {GAME.write_move(entry.moves[0]) for entry in ruling.moves}
    assert places == {"b2>R", "c2>R", "d2>R"}
    assert ruling.findings[0].rule == "quixo.take.edge"
    assert ruling.findings[0].where == "b2 | c2 | d2"
    rule = next(r for r in GAME.rules if r.id == "quixo.take.edge")
    assert (ruling.findings[0].text_en, ruling.findings[0].text_fr) == (rule.text_en, rule.text_fr)


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("take_back", "X..../...../...../...../....O - S turn=2"),
        ("loses_turn", "X..../...../...../...../....O - N turn=3 on_illegal=loses_turn"),
        ("stands", "X.X../...../...../...../....O - N turn=3 on_illegal=stands"),
    ],
)
def test_what_follows_a_foul(policy: str, expected: str) -> None:
    options = {} if policy == "take_back" else {"on_illegal": policy}
    ruling = known("c3>T", options)
    assert ruling.verdict is Verdict.ILLEGAL
    assert ruling.state_text == expected


def test_what_stands_may_win() -> None:
    state = GAME.read("XX.X./..X../...../...../....O - S turn=9 on_illegal=stands")
    ruling = judge_move(GAME, state, GAME.read_move(state, "e1>R"))
    assert ruling.verdict is Verdict.ILLEGAL
    assert ruling.over is None
    state = GAME.read("XX.XX/..X../...../...../....O - S turn=9 on_illegal=stands")
    ruling = judge_move(GAME, state, GAME.read_move(state, "c2>T"))
    assert ruling.verdict is Verdict.ILLEGAL
    assert ruling.over is not None
    assert ruling.over.to_json() == {"winners": ["S"], "reason": "quixo.win: row 1 of crosses"}
    assert ruling.scores == (1, 0)


def test_what_lies_there_stands_even_unexplained() -> None:
    state = GAME.read("X..../...../...../...../....O - S turn=2 used=5,7")
    lying = Layout.of_marks("OOXX.....................")
    stood = GAME.stand(state, (), lying)
    assert (stood.layout, stood.seat, stood.turn, stood.used_ms) == (lying, "N", 3, (5, 7))
    assert GAME.stand(state, (), None) == state
    over = GAME.stand(state, (), Layout.of_marks("OOOOO...................X"))
    assert over.decision is not None
    assert GAME.stand(over, (), lying) == over


def test_a_foul_out_of_turn_costs_nobody_a_turn() -> None:
    ruling = known("N/a3>R", {"on_illegal": "loses_turn"})
    assert ruling.state_text == f"{BEFORE} on_illegal=loses_turn"


def test_after_the_end_nothing_follows() -> None:
    state = GAME.read(f"{BEFORE} over=quixo.time:N: on_illegal=stands")
    ruling = judge_move(GAME, state, GAME.read_move(state, "a3>R"))
    assert ruling.state_text == GAME.write(state)


def test_time_of_a_foul_counts() -> None:
    ruling = known("c3>T@11", {"player_time_s": "10"})
    assert ruling.verdict is Verdict.ILLEGAL
    assert ruling.over is not None
    assert ruling.over.winners == ("N",)
    assert "used=11000,0" in ruling.state_text
    other = known("N/c3>T@11", {"player_time_s": "10"})
    assert other.over is not None
    assert other.over.winners == ("S",)
    in_time = known("c3>T@9", {"player_time_s": "10"})
    assert in_time.over is None
    assert "used=9000,0" in in_time.state_text


def test_json_has_exactly_the_agreed_fields() -> None:
    data = known("c3>T").to_json(7)
    assert list(data) == [
        "n", "seat", "move", "verdict", "findings", "excluded", "scores", "state", "over",
    ]  # fmt: skip
    assert data["n"] == 7
    assert data["seat"] == "S"
    assert data["findings"] == [
        {
            "rule": "quixo.take.edge",
            "where": "c3",
            "text_en": "The cube at c3 is not on the border.",
            "text_fr": "Le cube en c3 n'est pas sur le bord.",
        }
    ]


def test_json_says_what_was_not_excluded() -> None:
    data = judge(GAME, GAME.start(), Change((), result_of(GAME.start(), Move((0, 0), "R"))))
    listed = data.to_json(1)["excluded"]
    assert isinstance(listed, list)
    assert {
        "move": "e1>R",
        "rules": ["quixo.push.not-same"],
        "text_en": "e1>R (against quixo.push.not-same) cannot be excluded "
        "without a picture taken during the move.",
        "text_fr": "e1>R (contre quixo.push.not-same) ne peut être écarté "
        "sans une photo prise pendant le coup.",
    } in listed


def test_a_second_move_after_a_win_does_not_count_when_both_stand() -> None:
    state = GAME.read("XX.XX/..X../...../...../....O - S turn=9")
    win, later = GAME.read_move(state, "c2>T"), GAME.read_move(state, "S/a5>R")
    assert GAME.stand(state, (win, later), None) == GAME.stand(state, (win,), None)


def test_decision_of_a_draw_and_of_two_lines() -> None:
    draw = quixo.Decision("quixo.repetition", ())
    assert draw.over().to_json() == {"winners": [], "reason": "quixo.repetition"}
    assert draw.over().where_fr == ""
    won = quixo.Decision("quixo.win", ("S",), (("X", "diagonal a1-e5"), ("O", "column b")))
    assert won.over().where_fr == "diagonale a1-e5 des croix, colonne b des ronds"
    assert quixo.Decision.read(won.write()) == won


@pytest.mark.parametrize("text", ["d4>T", "c3>L", "b2>L"])
def test_the_move_told_is_not_among_those_that_could_not_be_excluded(text: str) -> None:
    state = GAME.read("OOX.X/X..../X...O/...../X.... - N turn=12")
    move = GAME.read_move(state, text)
    assert move.cube is not None
    index = move.cube[0] * 5 + move.cube[1]
    lifted = Layout.of_marks(
        "".join((*state.layout.marks[:index], "_", *state.layout.marks[index + 1 :]))
    )
    ruling = judge(GAME, state, Change((lifted,), result_of(state, move)), one_turn=True)
    assert (ruling.verdict, ruling.move) == (Verdict.ILLEGAL, text)
    assert (text, ("quixo.take.edge",)) not in [(e.move, e.rules) for e in ruling.excluded]
