"""Weighing what may have happened: agreement, and nobody accused while a doubt may clear them."""

from engine import Change, Verdict, quixo
from server.boards import from_json
from server.weighing import GAME, Possible, judge_weighed, usual
from tests.server.conftest import AFTER, BEFORE

STATE = GAME.join(from_json(BEFORE), "S")
LEGAL = Change((), from_json(AFTER))
ILLEGAL = Change((), from_json({**AFTER, "rows": ["XXXXO", "X.XOO", *AFTER["rows"][2:]]}))
ODD = Change((), from_json({**AFTER, "rows": ["XXXXO", "X.XOX", ".XXXO", "OXXO.", "..OOO"]}))
"""c5 turned in passing: an unusual act."""


def verdict(*shares: tuple[Change[quixo.Layout], float], left_out: float = 0.0) -> Verdict:
    possible = [Possible(STATE, change, share) for change, share in shares]
    return judge_weighed(possible, left_out)[0].verdict


def test_one_possibility_is_ruled_on() -> None:
    assert verdict((LEGAL, 1.0)) is Verdict.LEGAL
    assert verdict((ILLEGAL, 1.0)) is Verdict.ILLEGAL


def test_plain_acts_that_disagree_are_undecided_whichever_is_likelier() -> None:
    assert verdict((LEGAL, 0.9), (ILLEGAL, 0.1)) is Verdict.UNDECIDED
    assert verdict((ILLEGAL, 0.99), (LEGAL, 0.01)) is Verdict.UNDECIDED


def test_what_is_less_likely_than_any_candidate_does_not_count() -> None:
    assert verdict((ILLEGAL, 0.999), (LEGAL, 0.001)) is Verdict.ILLEGAL


def test_an_unusual_act_gives_way_to_a_plain_one() -> None:
    assert verdict((LEGAL, 0.5), (ODD, 0.5)) is Verdict.LEGAL
    assert verdict((ODD, 0.65), (LEGAL, 0.35)) is Verdict.LEGAL
    assert verdict((ODD, 0.9), (LEGAL, 0.1)) is Verdict.UNDECIDED


def test_the_ruling_is_about_the_possibility_that_weighs_most() -> None:
    possible = [Possible(STATE, ODD, 0.6), Possible(STATE, LEGAL, 0.4)]
    ruling, index = judge_weighed(possible, 0.0)
    assert (ruling.move, index) == ("a2>R", 1)


def test_what_was_left_out_agrees_with_nobody() -> None:
    assert verdict((LEGAL, 0.99), left_out=0.01) is Verdict.LEGAL
    assert verdict((LEGAL, 0.9), left_out=0.1) is Verdict.UNDECIDED


def test_acts_are_weighed_by_custom_not_by_law() -> None:
    rulings = [
        judge_weighed([Possible(STATE, change, 1.0)], 0.0)[0] for change in (LEGAL, ILLEGAL, ODD)
    ]
    assert usual(rulings[0]) == usual(rulings[1]) == 1.0
    assert 0 < usual(rulings[2]) < 0.1
    nothing, _ = judge_weighed([Possible(STATE, Change((), quixo.Layout.blank()), 1.0)], 0.0)
    assert usual(nothing) < usual(rulings[2])


def test_an_open_choice_among_fouls_upholds_the_foul() -> None:
    """a3 blank became a cross: put back where it was, or a cube from the middle was pushed in."""
    rows = ["OXOXO", "XOXOX", "....O", "XOXOX", "OXOXO"]
    dots = ["?????", "?????", "....?", "?????", "?????"]
    state = GAME.join(from_json({"rows": rows, "dots": dots}), "S")
    after = from_json(
        {"rows": [*rows[:2], "X...O", *rows[3:]], "dots": [*dots[:2], "?...?", *dots[3:]]}
    )
    gap = from_json(
        {"rows": [*rows[:2], "_...O", *rows[3:]], "dots": [*dots[:2], "....?", *dots[3:]]}
    )
    seen, unseen = Change((gap,), after), Change((), after)
    either = judge_weighed([Possible(state, unseen, 1.0)], 0.0)[0]
    assert either.verdict is Verdict.UNDECIDED
    possible = [Possible(state, seen, 0.9), Possible(state, unseen, 0.1)]
    ruling = judge_weighed(possible, 0.0)[0]
    assert ruling.verdict is Verdict.ILLEGAL
    assert {finding.rule for finding in ruling.findings} == {"quixo.push.not-same"}
