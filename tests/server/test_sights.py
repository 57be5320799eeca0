"""Boards as seen: the boards they may be, and boards turned and mirrored."""

import pytest

from engine import quixo
from server.sights import Sight, as_glimpse, candidates, mirrored, sight_from_json, turned
from vision.observation import Doubt

BOARD = quixo.Layout.read("X.O/.../O.. N.E/.../S..")


def test_no_doubt_is_one_board() -> None:
    assert candidates(Sight(BOARD), 8) == ((BOARD,), True)


def test_most_likely_board_comes_first() -> None:
    doubts = (
        Doubt("rows[0][0]", (("X", 0.6), (".", 0.4))),
        Doubt("rows[2][0]", (("O", 0.9), ("X", 0.1))),
    )
    boards, whole = candidates(Sight(BOARD, doubts), 8)
    assert whole
    rows = ["".join(board.marks) for board in boards]
    assert rows == ["X.O...O..", "..O...O..", "X.O...X..", "..O...X.."]  # .54 .36 .06 .04


def test_another_mark_has_no_known_dot() -> None:
    doubt = Doubt("rows[0][0]", (("X", 0.6), ("O", 0.3), (".", 0.1)))
    boards, _ = candidates(Sight(BOARD, (doubt,)), 8)
    assert [board.dots[0] for board in boards] == ["N", "?", "."]


def test_doubtful_dots_become_unknown_and_split_nothing() -> None:
    doubt = Doubt("dots[0][2]", (("E", 0.6), ("N", 0.4)))
    boards, whole = candidates(Sight(BOARD, (doubt,)), 8)
    assert whole
    assert len(boards) == 1
    assert boards[0].dots == ("N", ".", "?", ".", ".", ".", "S", ".", ".")


def test_more_boards_than_the_limit_are_said() -> None:
    doubts = tuple(Doubt(f"rows[1][{c}]", ((".", 0.6), ("X", 0.4))) for c in range(3))
    boards, whole = candidates(Sight(BOARD, doubts), 5)
    assert len(boards) == 5
    assert not whole
    assert boards[0] == BOARD


def test_hopeless_candidates_are_not_tried() -> None:
    doubt = Doubt("rows[0][0]", (("X", 0.9), (".", 0.099), ("O", 0.001)))
    boards, whole = candidates(Sight(BOARD, (doubt,)), 8)
    assert whole
    assert [board.marks[0] for board in boards] == ["X", "."]


def test_a_glimpse_is_blind_where_it_doubts() -> None:
    doubts = (Doubt("rows[0][0]", (("X", 0.6), (".", 0.4))),)
    assert as_glimpse(Sight(BOARD, doubts)).marks[0] == "?"


def test_turning_clockwise_turns_the_dots_too() -> None:
    assert turned(BOARD, 1).write() == "O.X/.../..O W.E/.../..S"
    assert turned(BOARD, 4) == turned(BOARD, 0) == BOARD
    assert turned(turned(BOARD, 3), 1) == BOARD


def test_a_mirror_exchanges_left_and_right() -> None:
    assert mirrored(BOARD).write() == "O.X/.../..O W.N/.../..S"
    assert mirrored(mirrored(BOARD)) == BOARD


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (None, "expected a board"),
        ({"rows": ["..."] * 3}, "dots"),
        ({"rows": "...", "dots": ["..."] * 3}, "rows"),
        ({"rows": ["..."] * 3, "dots": ["..."] * 2}, "3 dots"),
        ({"rows": ["..Z", "...", "..."], "dots": ["..."] * 3}, "Z"),
        ({"rows": ["..X", "...", "..."], "dots": ["..."] * 3}, "dot"),
        ({"rows": ["..."] * 3, "dots": ["..."] * 3, "doubts": [{}]}, "where"),
        (
            {
                "rows": ["..."] * 3,
                "dots": ["..."] * 3,
                "doubts": [{"where": "rows[4][0]", "candidates": []}],
            },
            "not on a board",
        ),
    ],
)
def test_bad_boards_are_refused_with_their_name(board: object, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        sight_from_json(board, "after")
    assert str(caught.value).startswith("after: ")
