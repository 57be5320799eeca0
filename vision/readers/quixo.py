"""From the scores of 25 faces to a Quixo layout with its doubts. Pure; knows no rule of the game.

A mark is vouched for when its probability among all that a cell may show, a gap or a hand
included, reaches the threshold; likewise a dot among four sides and "unseen".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine import quixo
from vision.board import BoardView
from vision.classify import FaceScores
from vision.homography import Quad
from vision.labels import DOTS, MARK_TEXT, MARKS
from vision.observation import Candidates, Field, Reading, SeenBoard, Thresholds
from vision.refusals import refuse

GAP_SHARE: Final = 0.5
"""A glimpse shows a gap where "none" is likelier than all marks together."""
MAX_COVERED: Final = 8
"""More cells than this without a face, a third of the board: take the picture again rather than
ask for each. A lifted cube and two fingers hide up to five."""
MAX_ASKED_SHARE: Final = 0.5
"""When most cells are in doubt the picture shows something that the networks do not know."""
_FACES: Final = MARKS[:-1]  # without "none"
_NONE: Final = MARKS.index("none")
_UNSEEN_DOT: Final = DOTS.index("unseen")


@dataclass(frozen=True, slots=True)
class _Face:
    """What one cell came out as."""

    mark: Field
    dot: Field | None
    covered: bool


def read_quixo(seen: SeenBoard, thresholds: Thresholds, gaps: bool) -> Reading[quixo.Layout]:
    """Read one board.

    Args:
        seen: The board's place and the scores of its faces.
        thresholds: When to ask.
        gaps: The picture was taken during a move: a cube may be lifted out (``_``) and cells may
            be hidden (``?``). Else the rows hold faces only and such cells are asked about.

    Returns:
        The reading; its layout is None when it is refused: too much covered, or most in doubt.
    """
    size = seen.view.lattice.size
    faces = [
        _read_face(seen.view, index, scores, thresholds, gaps)
        for index, scores in enumerate(seen.scores)
    ]
    fields = tuple(f for face in faces for f in (face.mark, face.dot) if f is not None)
    refused = _refusal(faces, seen)
    if refused is not None:
        return Reading(None, (), seen.view.quad_px, seen.quality, refuse(refused))
    layout = quixo.Layout(
        size,
        tuple(face.mark.value for face in faces),
        tuple("." if face.dot is None else face.dot.value for face in faces),
    )
    return Reading(layout, fields, seen.view.quad_px, seen.quality)


def _read_face(
    view: BoardView, index: int, scores: FaceScores, thresholds: Thresholds, gaps: bool
) -> _Face:
    """The mark of a cell, and its dot where there is a mark."""
    row, col = divmod(index, view.lattice.size)
    cell = view.cells[index]
    none = scores.marks[_NONE]
    covered = none >= GAP_SHARE
    ranked = _rank([MARK_TEXT[m] for m in _FACES], scores.marks)
    where = f"rows[{row}][{col}]"
    if gaps and covered:
        # A hand hides, a hole shows: only the latter is evidence of a lifted cube.
        value = "?" if cell.under_hand else "_"
        asked = value == "?" or none < thresholds.mark
        mark = Field(where, value, none, ((value, none), *ranked), asked, cell.quad_px)
        return _Face(mark, None, covered)
    value, probability = ranked[0]
    asked = probability < thresholds.mark or cell.under_hand
    mark = Field(where, value, probability, ranked, asked, cell.quad_px)
    has_dot = value in (quixo.CROSS, quixo.CIRCLE)
    dot = _read_dot(f"dots[{row}][{col}]", scores, thresholds, cell.quad_px) if has_dot else None
    return _Face(mark, dot, covered)


def _read_dot(where: str, scores: FaceScores, thresholds: Thresholds, quad_px: Quad) -> Field:
    """The dot's side; ``?``, and asked, where none is likelier."""
    ranked = _rank(DOTS[:_UNSEEN_DOT], scores.dots)
    value, probability = ranked[0]
    unseen = scores.dots[_UNSEEN_DOT]
    if unseen > probability:
        return Field(where, "?", unseen, ranked, True, quad_px)
    return Field(where, value, probability, ranked, probability < thresholds.dot, quad_px)


def _rank(values: Sequence[str], probabilities: Sequence[float]) -> Candidates:
    """Values with their probabilities, most likely first, ties in the order given."""
    pairs = zip(values, probabilities, strict=False)
    return tuple(sorted(pairs, key=lambda pair: -pair[1]))


def _refusal(faces: Sequence[_Face], seen: SeenBoard) -> str | None:
    """Id of the reason not to read this board, or None."""
    covered = sum(face.covered for face in faces)
    asked = sum(face.mark.asked for face in faces)
    hands = sum(cell.under_hand for cell in seen.view.cells)
    if covered > MAX_COVERED:
        # Faces missing where a board was fitted, and no hand: it is another thing.
        return "covered" if hands or covered <= len(faces) / 2 else "no-board"
    return "unsure" if asked > MAX_ASKED_SHARE * len(faces) else None
