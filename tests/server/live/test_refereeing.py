"""From notices and wishes to events, on tables made of data."""

import pytest

from engine.events import Moved, Seated, from_json, to_json
from engine.match import fold
from engine.quixo import GAME, Layout
from engine.quixo.move import lifted
from server.commands import Refused
from server.frames import turned
from server.refereeing import Photo, Visit, turns_at_most
from tests.engine.positions import random_states
from tests.server.live.tables import (
    MIDDLE,
    QUAD,
    UNLIKE,
    Scene,
    after,
    begun,
    foul_then,
    gap,
    random_moves,
    reading,
    rules,
    verdict,
)
from vision.settle import Bumped, Glimpsed, Regained, Settled

# --- Moves ---


def test_a_legal_move_takes_effect_when_the_table_rests() -> None:
    scene = begun()
    assert scene.move("a3>R") == ["Moved", "Committed"]
    assert scene.state.layout.write().startswith("...../...../....X")
    assert scene.state.seat == "N"
    assert scene.noted[-2].glimpses
    assert scene.noted[-2].number == round(scene.now_s * 8)


@pytest.mark.parametrize("seed", range(4))
def test_whole_games_end_as_the_rules_say(seed: int) -> None:
    scene = begun()
    for text in random_moves(GAME.start(), seed, 24, foul_every=0):
        wanted = GAME.play(scene.state, GAME.read_move(scene.state, text))
        assert scene.move(text) == ["Moved", "Committed"], text
        assert scene.state.layout.marks == wanted.layout.marks
        assert scene.state.seat == wanted.seat
        assert (scene.state.decision is None) == (wanted.decision is None)


def test_the_match_is_the_fold_of_its_events() -> None:
    scene = begun(MIDDLE)
    scene.move("a1>R")
    scene.move("b2>L")
    scene.shows(scene.state.layout)
    scene.move("e1>L")
    events = [from_json(to_json(one.event)) for one in scene.noted]
    assert fold(GAME, events) == scene.table.match


def test_a_hand_that_passes_is_nothing() -> None:
    scene = begun(MIDDLE)
    assert scene.shows(scene.state.layout) == []


def test_at_the_button_a_move_is_provisional() -> None:
    scene = begun(MIDDLE, commit="button")
    assert scene.move("a1>R") == ["Moved"]
    assert scene.state == GAME.read(MIDDLE)
    assert scene.wish("next") == ["Committed"]
    assert scene.state.seat == "N"


def test_at_the_button_the_next_move_confirms_the_one_before() -> None:
    scene = begun(MIDDLE, commit="button")
    scene.move("a1>R")
    match = scene.table.match
    assert match is not None
    assert match.provisional is not None
    lying = GAME.read(match.provisional.state_text)
    move = GAME.read_move(lying, "e2>B")
    assert scene.shows(after(lying, "e2>B"), gap(lying, move)) == ["Committed", "Moved"]
    assert scene.state == lying


def test_at_the_button_another_mind_replaces_the_move() -> None:
    scene = begun(MIDDLE, commit="button")
    scene.move("a1>R")
    assert scene.shows(scene.state.layout) == ["Restored"]
    scene.move("a2>R")
    assert scene.wish("next") == ["Committed"]
    assert scene.state.layout.marks[9] == "X"


def test_photos_alone_count_where_moves_are_uploaded() -> None:
    scene = begun(MIDDLE, commit="upload")
    assert scene.move("a1>R") == []
    shown = reading(after(scene.state, "a1>R"))
    photo = Photo(Settled((), shown, 0.0, -1, (-1,), 0.0, True))
    assert scene.feed(photo) == ["Moved", "Committed"]
    assert scene.noted[-2].number == -1


# --- Fouls ---


def test_a_foul_that_only_the_glimpse_shows() -> None:
    scene = begun("X...O/...../...../...../O...X - S turn=4")
    inner = GAME.read_move(scene.state, "b3>L")
    lawful = after(scene.state, "b3>L")
    assert scene.shows(lawful, gap(scene.state, inner)) == ["Moved", "Committed"]
    assert verdict(scene) == "illegal"
    assert "quixo.take.edge" in rules(scene)
    assert scene.state.seat == "S"


def test_a_foul_left_lying_is_told_once() -> None:
    scene = begun(MIDDLE)
    board = foul_then(scene)
    assert scene.shows(board) == []
    assert scene.still(board) == []


def test_putting_a_foul_back_is_no_move() -> None:
    scene = begun(MIDDLE)
    foul_then(scene)
    undone = gap(scene.state, GAME.read_move(scene.state, "b3>L"))
    assert scene.shows(scene.state.layout, undone) == []
    assert scene.move("a1>R") == ["Moved", "Committed"]
    assert verdict(scene) == "legal"


def test_the_same_foul_again_is_told_again() -> None:
    scene = begun(MIDDLE)
    foul_then(scene)
    scene.shows(scene.state.layout)
    foul_then(scene)


def test_a_foul_put_back_and_a_move_in_one_visit() -> None:
    scene = begun(MIDDLE)
    foul_then(scene)
    move = GAME.read_move(scene.state, "a1>R")
    seen = (scene.state.layout, gap(scene.state, move))
    assert scene.shows(after(scene.state, "a1>R"), *seen) == ["Moved", "Committed"]
    assert verdict(scene) == "legal"


def test_play_that_goes_on_lets_a_foul_stand() -> None:
    scene = begun(MIDDLE)
    board = foul_then(scene)
    stood = GAME.stand(scene.state, (GAME.read_move(scene.state, "b3>L"),), board)
    move = GAME.read_move(stood, "e1>B")
    assert scene.shows(after(stood, "e1>B"), gap(stood, move)) == ["Stood", "Moved", "Committed"]
    assert verdict(scene) == "legal"
    assert scene.state.seat == "S"


def test_two_turns_without_a_rest_are_no_foul() -> None:
    state = GAME.read(MIDDLE)
    scene = begun(MIDDLE)
    middle = GAME.play(state, GAME.read_move(state, "a1>R"))
    assert scene.shows(after(middle, "e2>B"), visits=2) == ["Moved", "Committed"]
    assert verdict(scene) == "legal"


def test_a_move_that_left_the_board_as_it_was_may_have_gone_unseen() -> None:
    scene = begun("X.OOO/XX.../X...O/..OXO/OOX.. - N turn=17")
    unseen = GAME.play(scene.state, GAME.read_move(scene.state, "c1>R"))
    assert unseen.layout.marks == scene.state.layout.marks
    assert scene.shows(unseen.layout) == []
    move = GAME.read_move(unseen, "b1>R")
    assert scene.shows(after(unseen, "b1>R"), gap(unseen, move))[0] == "Moved"
    assert verdict(scene) != "illegal"  # for a cross where it was a circle's turn


# --- Doubts ---

DOUBT = {"rows[0][4]": (("X", 0.7), (".", 0.3))}


def test_a_doubt_is_asked_and_its_answer_is_an_event() -> None:
    scene = begun()
    board = after(scene.state, "a1>R")
    assert scene.shows(board, doubts=DOUBT) == ["Moved"]
    match = scene.table.match
    assert match is not None
    assert [(d.picture, d.where, d.candidates) for d in match.doubts] == [
        ("after", "rows[0][4]", (("X", 0.7), (".", 0.3)))
    ]
    assert match.doubts[0].quad_px == ((400.0, 0.0), (500.0, 0.0), (500.0, 100.0), (400.0, 100.0))
    assert verdict(scene) == "undecided"
    assert scene.wish("reread", values={"rows[0][4]": "X"}) == ["Reread", "Committed"]
    assert verdict(scene) == "legal"
    assert scene.state.seat == "N"


def test_a_better_look_answers_a_doubt() -> None:
    scene = begun()
    board = after(scene.state, "a1>R")
    scene.shows(board, doubts=DOUBT)
    assert scene.still(board) == ["Moved", "Committed"]
    assert verdict(scene) == "legal"


def test_the_same_doubt_is_asked_once() -> None:
    scene = begun()
    board = after(scene.state, "a1>R")
    scene.shows(board, doubts=DOUBT)
    assert scene.still(board, doubts=DOUBT) == []


def test_play_that_goes_on_leaves_what_was_in_doubt_unseen() -> None:
    scene = begun()
    state = scene.state
    board = after(state, "a1>R")
    assert scene.shows(board, gap(state, GAME.read_move(state, "a1>R")), doubts=DOUBT) == ["Moved"]
    lying = GAME.play(state, GAME.read_move(state, "a1>R"))
    move = GAME.read_move(lying, "a3>R")
    told = scene.shows(after(lying, "a3>R"), gap(lying, move), doubts=DOUBT)
    assert told == ["Reread", "Committed", "Moved", "Committed"]
    assert verdict(scene) == "legal"
    assert scene.state.seat == "S"
    assert scene.state.layout.marks[14] == "O"
    assert scene.state.layout.marks[4] in "?X"
    # A cube that was in doubt is held against nobody; a clear look fills it in.
    seen = scene.state
    first = scene.state.layout.marks[4]
    scene.move("a5>R")
    assert verdict(scene) == "legal"
    assert scene.state.layout.marks[24] == "X"
    assert first in "?X"
    assert seen.seat == "S"


def test_a_foul_after_a_doubt_that_nobody_answered_is_told() -> None:
    scene = begun()
    state = scene.state
    scene.shows(after(state, "a1>R"), gap(state, GAME.read_move(state, "a1>R")), doubts=DOUBT)
    lying = GAME.play(state, GAME.read_move(state, "a1>R"))
    foul = GAME.read_move(lying, "c3>R")
    told = scene.shows(after(lying, "c3>R"), gap(lying, foul), doubts=DOUBT)
    assert told == ["Reread", "Committed", "Moved", "Committed"]
    assert verdict(scene) == "illegal"
    assert rules(scene) == {"quixo.take.edge"}
    assert scene.shows(lying.layout, gap(lying, foul), doubts=DOUBT) == []
    assert scene.state.seat == "N"


GLARE = (0, 4, 20)
"""Corners of `MIDDLE` that glare lies over, each with a mark: more than are taken for misread."""
FAINT = {
    f"rows[{index // 5}][{index % 5}]": ((".", 0.6), ("X", 0.22), ("O", 0.18)) for index in GLARE
}


def faint(layout: Layout) -> Layout:
    """The board as it reads under that glare."""
    return Layout.of_marks("".join("." if i in GLARE else m for i, m in enumerate(layout.marks)))


def test_cells_in_doubt_before_and_after_a_move_that_leaves_them_alone_are_not_asked() -> None:
    scene = begun(MIDDLE)
    scene.still(faint(scene.state.layout), doubts=FAINT)
    board, move = after(scene.state, "c5>T"), GAME.read_move(scene.state, "c5>T")
    assert scene.shows(faint(board), gap(scene.state, move), doubts=FAINT) == ["Moved", "Committed"]
    assert verdict(scene) == "legal"
    assert scene.state.layout == board


def test_a_foul_put_back_beside_cells_in_doubt_is_no_move() -> None:
    scene = begun(MIDDLE)
    lying = after(scene.state, "b3>L")
    undone = gap(scene.state, GAME.read_move(scene.state, "b3>L"))
    scene.shows(faint(lying), undone, doubts=FAINT)
    assert verdict(scene) == "illegal"
    assert scene.shows(faint(scene.state.layout), undone, doubts=FAINT) == []
    assert scene.table.put_back
    board, move = after(scene.state, "c5>T"), GAME.read_move(scene.state, "c5>T")
    assert scene.shows(faint(board), gap(scene.state, move), doubts=FAINT) == ["Moved", "Committed"]
    assert verdict(scene) == "legal"


def test_a_hand_that_passes_over_cells_in_doubt_is_nothing() -> None:
    scene = begun(MIDDLE)
    scene.still(faint(scene.state.layout), doubts=FAINT)
    assert scene.shows(faint(scene.state.layout), doubts=FAINT) == []


def test_a_cell_in_doubt_that_looks_otherwise_after_a_hand_is_asked() -> None:
    scene = begun(MIDDLE)
    scene.still(scene.state.layout, doubts=FAINT)
    assert scene.shows(faint(scene.state.layout), doubts=FAINT) == ["Moved"]
    assert verdict(scene) == "undecided"


@pytest.mark.parametrize("text", ["c3>T", "b4>R"])
def test_cubes_under_way_back_are_no_second_foul(text: str) -> None:
    scene = begun(MIDDLE)
    lying = foul_then(scene)
    halfway = GAME.stand(scene.state, (GAME.read_move(scene.state, "b3>L"),), lying)
    move = GAME.read_move(halfway, text)
    assert GAME.findings(halfway, move)
    assert scene.shows(after(halfway, text), gap(halfway, move)) == ["Moved"]
    assert verdict(scene) == "undecided"


def test_cells_in_doubt_only_after_the_move_are_asked() -> None:
    scene = begun(MIDDLE)
    scene.still(scene.state.layout)
    board, move = after(scene.state, "c5>T"), GAME.read_move(scene.state, "c5>T")
    assert scene.shows(faint(board), gap(scene.state, move), doubts=FAINT) == ["Moved"]
    assert verdict(scene) == "undecided"


def test_a_cell_in_doubt_that_the_move_changes_is_asked() -> None:
    scene = begun(MIDDLE)
    scene.still(faint(scene.state.layout), doubts=FAINT)
    board, move = after(scene.state, "b1>R"), GAME.read_move(scene.state, "b1>R")
    assert board.marks[4] == "X"
    told = scene.shows(faint(board), gap(scene.state, move), doubts=FAINT)
    assert told == ["Moved"]
    assert verdict(scene) == "undecided"


def test_a_doubtful_cell_of_a_table_nobody_touched_is_no_move() -> None:
    scene = begun()
    shadow = after(scene.state, "a1>R")
    assert scene.still(shadow, doubts=DOUBT) == []


def test_a_reading_that_was_wrong_is_put_right_by_people() -> None:
    scene = begun()
    wrong = Layout.of_marks("....." * 4 + "X...X")
    scene.shows(wrong)
    assert verdict(scene) == "illegal"
    assert scene.wish("reread", values={"rows[4][4]": "."}) == ["Reread", "Committed"]
    assert verdict(scene) == "legal"
    assert scene.state.layout.write().endswith("X....")


def test_a_move_read_wrong_and_accepted_can_still_be_put_right() -> None:
    scene = begun()
    scene.move("a1>R")
    values = {"rows[0][4]": ".", "rows[4][4]": "X"}
    with pytest.raises(Refused):
        scene.wish("reread", values={"rows[9][9]": "X"})
    assert scene.wish("reread", values={**values, "during[0].rows[0][0]": "."})[0] == "Reread"
    last = scene.noted[-1].event
    assert not isinstance(last, Moved)


def test_untouched_a_better_reading_corrects_the_last_one() -> None:
    scene = begun()
    scene.shows(after(scene.state, "a1>R"))
    assert scene.still(after(GAME.start(), "a5>R")) == ["Reread", "Committed"]
    assert scene.state.layout.marks[24] == "X"
    assert len(scene.table.match.steps) == 2 if scene.table.match else False


# --- Out of sync ---


def out_of_sync() -> tuple[Scene, Layout]:
    scene = begun(MIDDLE)
    odd = Layout.of_marks("OXOXO" * 3 + "....." * 2)
    assert scene.shows(odd) == ["Moved"]
    assert scene.table.match is not None
    assert not scene.table.match.in_sync
    return scene, odd


def test_out_of_sync_waits_and_ends_when_the_cubes_are_put_back() -> None:
    scene, odd = out_of_sync()
    assert scene.shows(odd) == []
    assert scene.shows(scene.state.layout) == ["Restored"]
    assert scene.move("a1>R") == ["Moved", "Committed"]


def test_out_of_sync_resumes_with_one_command() -> None:
    scene, odd = out_of_sync()
    assert scene.wish("resume", to_move="S") == ["Stood", "Corrected"]
    assert scene.state.layout.marks == odd.marks
    assert scene.state.seat == "S"
    assert scene.table.match is not None
    assert scene.table.match.in_sync
    assert scene.shows(odd) == []


def test_the_last_move_taken_back_by_hand() -> None:
    scene = begun(MIDDLE)
    before = scene.state
    scene.move("a1>R")
    assert scene.shows(before.layout) == ["Undone"]
    assert scene.state == before
    assert scene.move("a2>R") == ["Moved", "Committed"]
    assert verdict(scene) == "legal"


# --- Camera and board moved ---


def test_a_bump_is_no_move() -> None:
    scene = begun(MIDDLE)
    scene.feed(Bumped(scene.now_s))
    scene.feed(Regained(scene.now_s + 1))
    scene.quad_px = ((90.0, 50.0), (590.0, 70.0), (570.0, 570.0), (70.0, 550.0))
    assert scene.still(scene.state.layout) == []
    assert scene.move("a1>R") == ["Moved", "Committed"]


def test_a_camera_carried_round_the_table_is_noticed() -> None:
    scene = begun(UNLIKE)
    scene.feed(Bumped(scene.now_s))
    scene.quarters = 1
    scene.quad_px = ((90.0, 50.0), (590.0, 70.0), (570.0, 570.0), (70.0, 550.0))
    assert scene.still(scene.state.layout) == ["Seated"]
    assert scene.noted[-1].event == Seated("right")
    assert scene.move("a1>R") == ["Moved", "Committed"]
    assert verdict(scene) == "legal"


@pytest.mark.parametrize("south", ["bottom", "right", "top", "left"])
@pytest.mark.parametrize("seed", range(2))
def test_dots_and_turns_follow_the_seats(south: str, seed: int) -> None:
    (state,) = random_states(seed, 1, seats=4)
    scene = begun(GAME.write(state), south=south)
    for _ in range(4):
        move = next(
            m
            for m in GAME.moves(scene.state)
            if not GAME.unchanged(scene.state, GAME.play(scene.state, m).layout)
        )
        wanted = GAME.play(scene.state, move)
        assert scene.move(GAME.write_move(move)) == ["Moved", "Committed"]
        assert scene.state.layout == wanted.layout
        if scene.state.decision is not None:
            return


def test_a_doubt_names_its_place_as_the_match_sees_it() -> None:
    scene = begun(south="right")
    board = after(scene.state, "a1>R")  # X at e1, which the camera sees at another corner
    seen = turned(board, -1)
    where = divmod(seen.marks.index("X"), 5)
    doubts = {f"rows[{where[0]}][{where[1]}]": (("X", 0.7), (".", 0.3))}
    scene.shows(board, doubts=doubts)
    match = scene.table.match
    assert match is not None
    assert [d.where for d in match.doubts] == ["rows[0][4]"]
    assert match.doubts[0].quad_px[0] == (where[1] * 100.0, where[0] * 100.0)


def test_a_board_askew_that_turns_over_is_still_the_same() -> None:
    """Near 45 degrees another side may come to face the top of the picture."""
    scene = begun(MIDDLE)
    a, b, c, d = QUAD
    scene.quad_px = (b, c, d, a)  # the corners stay, the reading begins at the next one
    scene.quarters = 1
    assert scene.move("a1>R") == ["Moved", "Committed"]
    assert verdict(scene) == "legal"


def test_after_the_end_the_table_may_be_cleared() -> None:
    scene = begun("XXXX./...../...../...../OOOO. - S turn=8")
    assert scene.move("e3>T") == ["Moved", "Committed"]
    assert scene.state.decision is not None
    assert scene.state.decision.winners == ("S",)
    assert scene.shows(Layout.blank()) == []


# --- Turns and visits ---


def gap_at(at_s: float) -> Glimpsed:
    return Glimpsed(reading(lifted(Layout.blank(), 0)), 0, at_s)


@pytest.mark.parametrize(
    ("visits", "glimpses", "turns"),
    [
        ((), (), 0),
        ((Visit(0, 2),), (), 1),
        ((Visit(0, 2), Visit(4, 6)), (), 2),
        ((Visit(0, 2), Visit(2.3, 6)), (), 1),
        ((Visit(0, 2), Visit(4, 6)), (gap_at(3),), 1),
        ((Visit(0, 2), Visit(4, 6)), (gap_at(1),), 2),
        ((Visit(0, 2), Visit(4, 6), Visit(8, 9)), (gap_at(3),), 2),
        ((Visit(0), Visit(4, 6)), (), 1),
    ],
)
def test_turns(visits: tuple[Visit, ...], glimpses: tuple[Glimpsed, ...], turns: int) -> None:
    assert turns_at_most(visits, glimpses) == turns


def test_a_step_changes_nothing_but_what_it_returns() -> None:
    scene = begun(MIDDLE)
    table = scene.table
    scene.move("a1>R")
    assert table != scene.table
    again = Scene(table, [], scene.now_s - 3.5)
    again.move("a1>R")
    assert again.table.match == scene.table.match
