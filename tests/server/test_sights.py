"""Boards as seen: the boards they may be, and boards turned and mirrored."""

import pytest

from engine import quixo
from server.frames import mirrored, turned
from server.sights import Case, Sight, as_glimpse, cases, sight_from_json
from vision.observation import Doubt

BOARD = quixo.Layout.read("X.O/.../O.. N.E/.../S..")


def marks(found: tuple[Case, ...]) -> list[str]:
    return ["".join(case.after.marks) for case in found]


def test_no_doubt_is_one_case() -> None:
    assert cases(Sight(BOARD), (), Sight(BOARD), 8) == ((Case((BOARD, BOARD), 1.0),), 0.0)


def test_most_likely_case_comes_first() -> None:
    doubts = (
        Doubt("rows[0][0]", (("X", 0.6), (".", 0.4))),
        Doubt("rows[2][0]", (("O", 0.9), ("X", 0.1))),
    )
    found, left_out = cases(Sight(BOARD), (), Sight(BOARD, doubts), 8)
    assert marks(found) == ["X.O...O..", "..O...O..", "X.O...X..", "..O...X.."]
    assert [case.share for case in found] == pytest.approx([0.54, 0.36, 0.06, 0.04])
    assert left_out == pytest.approx(0.0)


def test_doubts_of_both_photos_are_combined() -> None:
    doubt = (Doubt("rows[0][0]", (("X", 0.6), (".", 0.4))),)
    found, _ = cases(Sight(BOARD, doubt), (), Sight(BOARD, doubt), 8)
    assert [(c.before.marks[0], c.after.marks[0]) for c in found] == [
        *(("X", "X"), ("X", "."), (".", "X"), (".", ".")),
    ]


def test_another_mark_has_no_known_dot() -> None:
    doubt = Doubt("rows[0][0]", (("X", 0.6), ("O", 0.3), (".", 0.1)))
    found, _ = cases(Sight(BOARD), (), Sight(BOARD, (doubt,)), 8)
    assert [case.after.dots[0] for case in found] == ["N", "?", "."]


def test_doubtful_dots_become_unknown_and_split_nothing() -> None:
    doubt = Doubt("dots[0][2]", (("E", 0.6), ("N", 0.4)))
    (case,), _ = cases(Sight(BOARD, (doubt,)), (), Sight(BOARD), 8)
    assert case.before.dots == ("N", ".", "?", ".", ".", ".", "S", ".", ".")


def test_what_is_left_out_is_counted() -> None:
    doubts = tuple(Doubt(f"rows[1][{c}]", ((".", 0.6), ("X", 0.4))) for c in range(3))
    found, left_out = cases(Sight(BOARD), (), Sight(BOARD, doubts), 5)
    assert len(found) == 5
    assert found[0].after == BOARD
    assert left_out == pytest.approx(1 - sum(case.share for case in found))
    assert left_out > 0.2


def test_hopeless_candidates_are_not_tried_and_shares_are_of_all() -> None:
    doubt = Doubt("rows[0][0]", (("X", 0.45), (".", 0.0495), ("O", 0.0005)))  # half is no face
    found, left_out = cases(Sight(BOARD), (), Sight(BOARD, (doubt,)), 8)
    assert [case.after.marks[0] for case in found] == ["X", "."]
    assert found[0].share == pytest.approx(0.9)
    assert left_out == pytest.approx(0.001)


def test_a_glimpse_is_blind_where_it_doubts() -> None:
    doubts = (Doubt("rows[0][0]", (("X", 0.6), (".", 0.4))),)
    assert as_glimpse(Sight(BOARD, doubts)).marks[0] == "?"


def test_whether_a_cube_is_missing_is_spread_out() -> None:
    doubts = (
        Doubt("rows[0][0]", (("_", 0.9), ("X", 0.1))),
        Doubt("rows[1][1]", ((".", 0.9), ("X", 0.1))),
    )
    lifted = Sight(quixo.Layout.read("_.O/.../O.. ..E/.../S.."), doubts)
    found, left_out = cases(Sight(BOARD), (lifted,), Sight(BOARD), 8)
    assert [case.during[0].marks[0] for case in found] == ["_", "?"]
    assert [case.share for case in found] == pytest.approx([0.9, 0.1])
    assert all(case.during[0].marks[4] == "?" for case in found)
    assert left_out == pytest.approx(0.0)


def test_under_a_hand_nothing_is_asked() -> None:
    doubt = Doubt("rows[0][0]", (("?", 0.9), ("_", 0.1)))
    covered = Sight(quixo.Layout.read("?.O/.../O.. ?.E/.../S.."), (doubt,))
    found, _ = cases(Sight(BOARD), (covered,), Sight(BOARD), 8)
    assert [case.during[0].marks[0] for case in found] == ["?"]


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
        ({"rows": ["..."] * 3, "dots": ["..."] * 3, "quad": [[1, 2]]}, "four points"),
        ({"rows": ["_..", "...", "..."], "dots": ["..."] * 3}, "gap"),
        (
            {
                "rows": ["..."] * 3,
                "dots": ["..."] * 3,
                "doubts": [{"where": "rows[0][0]", "candidates": [["Z", 1]]}],
            },
            "expected marks",
        ),
        (
            {
                "rows": ["..."] * 3,
                "dots": ["..."] * 3,
                "doubts": [{"where": "rows[4][0]", "candidates": [["X", 1]]}],
            },
            "not on a board",
        ),
    ],
)
def test_bad_boards_are_refused_with_their_name(board: object, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        sight_from_json(board, "after")
    assert str(caught.value).startswith("after: ")
