"""From the scores of 25 faces to a Quixo layout with its doubts. Pure; knows no rule of the game.

A mark is vouched for when its probability among all that a cell may show, a gap or a hand
included, reaches the threshold; likewise a dot among four sides and "unseen".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine import quixo
from vision.cubes.classify import FaceScores
from vision.cubes.find import BoardView
from vision.homography import Quad
from vision.labels import DOTS, MARK_TEXT, MARKS
from vision.observation import Candidates, Field, Reading, SeenBoard, Thresholds
from vision.refusals import refuse

GAP_SHARE: Final = 0.5
"""A cell shows no face where "none" is likelier than all marks together."""
MAX_COVERED: Final = 6
"""More cells than this without a face, a quarter of the board: take the picture again rather than
ask for each. A finger hides up to five."""
MAX_COVERED_GLIMPSE: Final = 12
"""During a move a hand may cover half of the board: the rest still tells what is lifted."""
MAX_ASKED: Final = 6
"""More cells than this in doubt, for any reason: ask for a better picture. On composed boards of
the hard tier such pictures held most of what was vouched for and wrong, and next to no board that
was right; at the clean and everyday tiers there were none."""
MAX_ASKED_GLIMPSE: Final = 12
"""Half of a board: a glimpse need not tell every face."""
_FACES: Final = MARKS[:-1]  # without "none"
_NONE: Final = MARKS.index("none")
_UNSEEN_DOT: Final = DOTS.index("unseen")


@dataclass(frozen=True, slots=True)
class _Face:
    """What one cell came out as."""

    mark: Field
    dot: Field | None


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
    bare = sum(_is_bare(scores) for scores in seen.scores)
    gaps_seen = _open_bare(seen) if seen.masked else bare
    faces = []
    for index, scores in enumerate(seen.scores):
        if gaps and _is_bare(scores):
            faces.append(_read_gap(seen, index, thresholds, alone=gaps_seen == 1))
        else:
            faces.append(_read_face(seen.view, index, scores, thresholds))
    refused = _refusal(faces, bare, seen, gaps)
    if refused is not None:
        return Reading(None, (), seen.view.quad_px, seen.quality, refuse(refused))
    fields = tuple(f for face in faces for f in (face.mark, face.dot) if f is not None)
    layout = quixo.Layout(
        size,
        tuple(face.mark.value for face in faces),
        tuple("." if face.dot is None else face.dot.value for face in faces),
    )
    return Reading(layout, fields, seen.view.quad_px, seen.quality)


def layout_json(layout: quixo.Layout) -> dict[str, list[str]]:
    """Rows of marks and of dots, from the top."""
    starts = range(0, layout.size**2, layout.size)
    return {
        "rows": ["".join(layout.marks[i : i + layout.size]) for i in starts],
        "dots": ["".join(layout.dots[i : i + layout.size]) for i in starts],
    }


def _is_bare(scores: FaceScores) -> bool:
    """True where no face shows: a gap, a hand, another thing."""
    return scores.marks[_NONE] >= GAP_SHARE


def _open_bare(seen: SeenBoard) -> int:
    """Cells that show no face and are under no hand."""
    pairs = zip(seen.view.cells, seen.scores, strict=True)
    return sum(_is_bare(scores) and not cell.under_hand for cell, scores in pairs)


def _read_gap(seen: SeenBoard, index: int, thresholds: Thresholds, *, alone: bool) -> _Face:
    """A cell without a face in a glimpse: ``_``, or ``?`` under a hand.

    The network cannot tell a hole from a hand. A gap is vouched for only where it is the one bare
    cell, no hand was seen over it and no cube in it: a move lifts one cube, a hand hides several.
    Where what hands hide is known, a gap that is not vouched for is called hidden: it may be a hand
    that stopped short of the board's other cells.
    """
    row, col = divmod(index, seen.view.lattice.size)
    cell, scores = seen.view.cells[index], seen.scores[index]
    none = scores.marks[_NONE]
    cube = cell.seen > 0 and not seen.masked  # the detector takes holes among cubes for cubes
    asked = not alone or cell.under_hand or cube or none < thresholds.mark
    value = "?" if cell.under_hand or (asked and seen.masked) else "_"
    ranked = ((value, none), *_rank([MARK_TEXT[m] for m in _FACES], scores.marks))
    return _Face(Field(f"rows[{row}][{col}]", value, none, ranked, asked, cell.quad_px), None)


def _read_face(view: BoardView, index: int, scores: FaceScores, thresholds: Thresholds) -> _Face:
    """The mark of a cell, and its dot where there is a mark."""
    row, col = divmod(index, view.lattice.size)
    cell = view.cells[index]
    ranked = _rank([MARK_TEXT[m] for m in _FACES], scores.marks)
    value, probability = ranked[0]
    hidden = cell.under_hand and cell.seen == 0  # what the crop shows may be the hand
    asked = probability < thresholds.mark or hidden
    mark = Field(f"rows[{row}][{col}]", value, probability, ranked, asked, cell.quad_px)
    if value not in (quixo.CROSS, quixo.CIRCLE):
        return _Face(mark, None)
    return _Face(mark, _read_dot(f"dots[{row}][{col}]", scores, thresholds, cell.quad_px))


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


def _refusal(faces: Sequence[_Face], bare: int, seen: SeenBoard, gaps: bool) -> str | None:
    """Id of the reason not to read this board, or None."""
    hands = any(cell.under_hand for cell in seen.view.cells)
    if bare > (MAX_COVERED_GLIMPSE if gaps else MAX_COVERED):
        # Most faces missing where a board was fitted, and no hand: it is another thing.
        return "covered" if hands or bare <= len(faces) / 2 else "no-board"
    shown = [face.mark for face in faces if face.mark.value not in (quixo.GAP, quixo.UNSEEN)]
    asked = sum(mark.asked for mark in shown)
    return "unsure" if asked > (MAX_ASKED_GLIMPSE if gaps else MAX_ASKED) else None
