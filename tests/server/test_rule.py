"""`arbitre rule`: photos in, the ruling of the contract out."""

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from server.cli import rule
from server.cli.pictures import Session
from server.cli.problems import Problem
from server.cli.terms import terms_of
from server.reading import Request
from tests.server.conftest import BEFORE
from tests.server.drawn import RecordedReader

CONTRACT = {
    *("n", "seat", "move", "verdict", "findings", "excluded", "scores", "state", "over"),
    *("readings", "error", "refused"),
}


def run(folder: Path, before: str, after: str, *more: str) -> int:
    """The command with a reader that knows the drawn boards."""
    parser = argparse.ArgumentParser()
    rule.add_arguments(parser, "en")
    photos = [str(folder / f"{name}.jpg") for name in (before, after)]
    args = parser.parse_args([*photos, "--game", "quixo", *more])
    session = Session(RecordedReader(folder), Request("quixo", "board"), args.lang)
    return rule.rule_on(args, terms_of(args), session)


@pytest.fixture
def ask(pictures: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Rule and return status, JSON answer and the lines on standard error."""

    def asked(before: str, after: str, *more: str) -> tuple[int, dict[str, Any], list[str]]:
        status = run(pictures, before, after, "--json", *more)
        said = capsys.readouterr()
        (line,) = said.out.splitlines()
        return status, json.loads(line), said.err.splitlines()

    return asked


def test_legal(ask: Any) -> None:
    status, answer, errors = ask("before", "after", "--to-move", "X")
    assert (status, errors) == (0, [])
    assert answer.keys() >= CONTRACT
    assert (answer["verdict"], answer["move"], answer["seat"]) == ("legal", "a2>R", "S")
    assert answer["over"]["winners"] == ["S"]
    assert answer["readings"]["before"]["reading"]["rows"][0] == "XXXXO"


def test_illegal(ask: Any) -> None:
    status, answer, errors = ask("before", "foul")
    assert (status, errors) == (1, [])
    assert answer["verdict"] == "illegal"
    for finding in answer["findings"]:
        assert finding["rule"].startswith("quixo.")
        assert finding["text_en"] != finding["text_fr"]


def test_undecided_lists_its_doubts(ask: Any) -> None:
    status, answer, _ = ask("before", "doubtful", "--to-move", "X")
    assert (status, answer["verdict"]) == (0, "undecided")
    assert answer["doubts"] == [
        {
            "picture": "after",
            "where": "rows[1][4]",
            "candidates": [["X", 0.71], ["O", 0.22], [".", 0.07]],
        }
    ]


def test_a_photo_of_the_lifted_cube(ask: Any, pictures: Path) -> None:
    glimpse = str(pictures / "lifted.jpg")
    _, answer, _ = ask("before", "after", "--to-move", "X", "--during", glimpse)
    assert answer["verdict"] == "legal"
    assert answer["readings"]["during[0]"]["reading"]["rows"][1] == "_X.XO"


def test_a_known_position(ask: Any) -> None:
    position = f"{'/'.join(BEFORE['rows'])} - S"
    _, answer, _ = ask("before", "after", "--state", position)
    assert answer["verdict"] == "legal"
    _, answer, _ = ask("foul", "after", "--state", position)
    assert answer["verdict"] == "undecided"
    assert [note["id"] for note in answer["notes"]] == ["other_state"]
    assert "e1" in answer["notes"][0]["text_en"]


def test_a_board_of_another_size(pictures: Path) -> None:
    with pytest.raises(Problem, match=r"5 rows.*say 4"):
        run(pictures, "before", "after", "--option", "size=4")


def test_four_players(ask: Any) -> None:
    status, answer, _ = ask("before", "after", "--option", "players=4", "--to-move", "S")
    assert status == 0
    assert answer["seat"] == "S"
    assert len(answer["scores"]) == 4


@pytest.mark.parametrize(
    ("before", "after", "status"),
    [("missing", "after", 2), ("before", "nothing", 1), ("nothing", "missing", 2)],
)
def test_photos_that_cannot_be_used(ask: Any, before: str, after: str, status: int) -> None:
    got, answer, errors = ask(before, after)
    assert got == status
    assert answer.keys() >= CONTRACT
    assert answer["verdict"] == "undecided"
    assert len(errors) == sum(name != "before" and name != "after" for name in (before, after))
    assert bool(answer["error"]) == (status == 2)
    assert bool(answer["refused"]) == ("nothing" in (before, after))


def test_two_boards_in_one_photo(ask: Any) -> None:
    status, answer, errors = ask("before", "two")
    assert (status, answer["verdict"]) == (1, "undecided")
    assert answer["refused"]["reason"] == "several-boards"
    assert len(answer["readings"]["after"]["readings"]) == 2
    assert len(errors) == 1


def test_a_covered_board_beside_the_one_that_is_played_on(ask: Any) -> None:
    status, answer, _ = ask("before", "one_covered", "--to-move", "X")
    assert (status, answer["verdict"]) == (0, "legal")


def test_the_other_photo_is_still_read(ask: Any) -> None:
    _, answer, _ = ask("missing", "after")
    assert answer["readings"]["after"]["reading"]["rows"][0] == "XXXXO"


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["LEGAL: a2>R, by X (S)", "The game is over, won by S", "only X (S)"]),
        ("fr", ["LÉGAL : a2>R, par X (S)", "La partie est finie, gagnée par S", "seul X (S)"]),
    ],
)
def test_for_human_eyes(
    lang: str, words: list[str], pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(pictures, "before", "after", "--lang", lang) == 0
    shown = capsys.readouterr().out
    assert all(word in shown for word in words)
    assert shown.count(" 1  X^  X>  Xv  X<  O^") == 2


def test_doubts_and_turns_for_human_eyes(
    pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(pictures, "before", "doubtful")
    shown = capsys.readouterr().out
    assert "UNDECIDED" in shown
    assert "after, in doubt: e2 X 71%" in shown
    run(pictures, "before", "after", "--turn-after", "0")
    assert "LEGAL" in capsys.readouterr().out
