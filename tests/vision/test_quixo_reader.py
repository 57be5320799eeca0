"""From scores to a layout with doubts."""

import numpy as np
import pytest

from tests.vision.scenes import camera
from vision.cubes.classify import FaceScores
from vision.cubes.find import BoardView, view_from_corners
from vision.cubes.places import Cell
from vision.homography import as_quad, project
from vision.labels import DOTS, MARKS
from vision.observation import SeenBoard, Thresholds
from vision.quality import Quality
from vision.readers.quixo import read_quixo

LIMITS = Thresholds(mark=0.9, dot=0.8)
FIGURES = Quality(0.8, 0.5, 0.0, 60.0, 10.0)


def face(mark="blank", share=0.99, dot="unseen", dot_share=0.99):
    """Scores with one likely mark and dot, the rest spread evenly."""
    marks = [(1 - share) / 3] * 4
    marks[MARKS.index(mark)] = share
    dots = [(1 - dot_share) / 4] * 5
    dots[DOTS.index(dot)] = dot_share
    return FaceScores(tuple(marks), tuple(dots))


def board(faces, hands=(), cubes=frozenset()):
    """A seen board with the given faces at their indices, blanks elsewhere."""
    quad = as_quad(project(camera(20, 0, 0), [(0, 0), (5, 0), (5, 5), (0, 5)]))
    view = view_from_corners(quad)
    cells = tuple(
        Cell(cell.quad_px, 0.9 if index in cubes else 0.0, index in hands)
        for index, cell in enumerate(view.cells)
    )
    scores = tuple(faces.get(index, face()) for index in range(25))
    return SeenBoard(BoardView(view.lattice, cells), scores, FIGURES)


def read(faces, *, gaps=False, hands=(), cubes=frozenset()):
    return read_quixo(board(faces, hands, cubes), LIMITS, gaps)


def test_rows_and_dots_lie_where_they_were_seen():
    reading = read({7: face("cross", dot="E"), 24: face("circle", dot="S")})
    assert reading.layout is not None
    assert reading.layout.marks[7] == "X"
    assert reading.layout.dots[7] == "E"
    assert reading.layout.marks[24] == "O"
    assert reading.layout.dots[24] == "S"
    assert reading.layout.marks.count(".") == 23
    assert reading.doubts == ()
    assert len([f for f in reading.fields if f.where.startswith("rows")]) == 25
    assert {f.where for f in reading.fields if f.where.startswith("dots")} == {
        "dots[1][2]",
        "dots[4][4]",
    }


@pytest.mark.parametrize(("share", "asked"), [(0.89, True), (0.91, False)])
def test_marks_below_the_threshold_are_asked(share, asked):
    reading = read({3: face("cross", share, dot="N")})
    assert [doubt.where for doubt in reading.doubts] == (["rows[0][3]"] if asked else [])
    if asked:
        values = dict(reading.doubts[0].candidates)
        assert values == pytest.approx({"X": share, ".": 0.11 / 3, "O": 0.11 / 3})
        assert reading.doubts[0].candidates[0][0] == "X"


@pytest.mark.parametrize(("share", "asked"), [(0.79, True), (0.81, False)])
def test_dots_below_the_threshold_are_asked(share, asked):
    reading = read({3: face("circle", dot="W", dot_share=share)})
    assert reading.layout is not None
    assert reading.layout.dots[3] == "W"
    assert [doubt.where for doubt in reading.doubts] == (["dots[0][3]"] if asked else [])


def test_a_mark_without_a_dot_is_asked():
    reading = read({3: face("circle", dot="unseen")})
    assert reading.layout is not None
    assert reading.layout.dots[3] == "?"
    (doubt,) = reading.doubts
    assert doubt.where == "dots[0][3]"
    assert {value for value, _ in doubt.candidates} == set("NESW")


def test_a_covered_cell_is_asked_and_never_vouched():
    reading = read({12: face("none", 0.98)})
    assert reading.layout is not None
    assert reading.layout.marks[12] in ".XO"
    assert [doubt.where for doubt in reading.doubts] == ["rows[2][2]"]


def test_a_hand_over_an_undetected_cube_is_asked_even_when_sure():
    reading = read({12: face("cross", 0.99, dot="N")}, hands={12})
    assert [doubt.where for doubt in reading.doubts] == ["rows[2][2]"]


def test_a_cube_seen_within_a_hands_box_is_read():
    reading = read({12: face("cross", 0.99, dot="N")}, hands={12}, cubes={12})
    assert reading.doubts == ()


def test_a_glimpse_shows_the_gap():
    reading = read({12: face("none", 0.98)}, gaps=True)
    assert reading.layout is not None
    assert reading.layout.marks[12] == "_"
    assert reading.layout.dots[12] == "."
    assert reading.doubts == ()


def test_a_faint_gap_is_asked():
    reading = read({12: face("none", 0.7)}, gaps=True)
    assert [doubt.where for doubt in reading.doubts] == ["rows[2][2]"]
    assert reading.doubts[0].candidates[0] == ("_", 0.7)


def test_several_bare_cells_are_asked():
    reading = read({12: face("none", 0.98), 13: face("none", 0.98)}, gaps=True)
    assert [doubt.where for doubt in reading.doubts] == ["rows[2][2]", "rows[2][3]"]


def test_a_gap_where_a_cube_was_seen_is_asked():
    reading = read({12: face("none", 0.98)}, gaps=True, cubes={12})
    assert [doubt.where for doubt in reading.doubts] == ["rows[2][2]"]


@pytest.mark.parametrize(("covered", "reason"), [(12, None), (13, "covered")])
def test_a_glimpse_bears_more_cover(covered, reason):
    bare = {index: face("none", 0.98) for index in range(covered)}
    reading = read(bare, gaps=True, hands=set(bare))
    assert (reading.refused.reason if reading.refused else None) == reason
    if reading.layout is not None:
        assert reading.layout.marks.count("?") == covered


def test_a_glimpse_under_a_hand_is_not_seen():
    reading = read({12: face("none", 0.98)}, gaps=True, hands={12})
    assert reading.layout is not None
    assert reading.layout.marks[12] == "?"
    assert [doubt.where for doubt in reading.doubts] == ["rows[2][2]"]


@pytest.mark.parametrize(
    ("covered", "hands", "reason"),
    [
        (6, (), None),
        (7, (), "covered"),
        (14, (), "no-board"),
        (14, (0, 1, 2), "covered"),
    ],
)
def test_too_many_covered_cells_are_refused(covered, hands, reason):
    reading = read({index: face("none", 0.98) for index in range(covered)}, hands=hands)
    assert (reading.refused.reason if reading.refused else None) == reason
    assert (reading.layout is None) == (reason is not None)


@pytest.mark.parametrize(("unsure", "reason"), [(6, None), (7, "unsure")])
def test_a_board_largely_in_doubt_is_refused(unsure, reason):
    reading = read({index: face("cross", 0.6, dot="N") for index in range(unsure)})
    assert (reading.refused.reason if reading.refused else None) == reason
    if reason:
        assert reading.refused is not None
        assert all((reading.refused.text_fr, reading.refused.advice_fr, reading.refused.text_en))


def test_every_field_says_where_it_lies():
    reading = read({7: face("cross", dot="E")})
    rows = [f for f in reading.fields if f.where.startswith("rows")]
    centres = np.array([np.mean(f.quad_px, axis=0) for f in rows]).reshape(5, 5, 2)
    assert (np.diff(centres[..., 0], axis=1) > 20).all()
    assert (np.diff(centres[..., 1], axis=0) > 20).all()
