"""Nobody is accused of what was not seen: restarts, blind cameras, misread cells and glimpses."""

from engine.quixo import GAME, Layout
from engine.quixo.game import result_of
from server.refereeing import Table
from tests.server.live.tables import (
    MIDDLE,
    Scene,
    after,
    begun,
    gap,
    rules,
    verdict,
)
from vision.settle import Lost, Regained

PLAIN = "c3>R"  # an inner cube: two boards alone show the foul


def test_nobody_is_accused_while_the_camera_was_blind() -> None:
    scene = begun(MIDDLE)
    board = after(scene.state, PLAIN)
    scene.feed(Lost(scene.now_s, None))
    scene.feed(Regained(scene.now_s + 5))
    assert scene.shows(board, gap(scene.state, GAME.read_move(scene.state, PLAIN))) == ["Moved"]
    assert verdict(scene) == "undecided"
    watched = begun(MIDDLE)
    assert watched.shows(board) == ["Moved", "Committed"]
    assert verdict(watched) == "illegal"


def test_a_table_found_changed_after_a_restart_accuses_nobody() -> None:
    state = GAME.read(MIDDLE)
    scene = Scene(Table(begun(MIDDLE).table.match), [])
    assert scene.still(after(state, PLAIN)) == ["Moved"]
    assert verdict(scene) == "undecided"
    scene = Scene(Table(begun(MIDDLE).table.match), [])
    assert scene.still(after(state, "a1>R")) == ["Moved", "Committed"]
    assert verdict(scene) == "legal"


def test_a_cell_that_was_misread_before_is_held_against_nobody() -> None:
    state = GAME.read(MIDDLE)
    scene = Scene(Table(begun(MIDDLE).table.match), [])
    assert scene.still(glaring(state.layout)) == ["Moved"]  # somebody is asked
    assert verdict(scene) == "undecided"
    assert scene.still(glaring(state.layout)) == []
    for text in ("a2>R", "a3>R", "a4>R"):
        move = GAME.read_move(scene.state, text)
        lying = glaring(after(scene.state, text))
        assert scene.shows(lying, glaring(gap(scene.state, move))) == ["Moved", "Committed"]
        assert verdict(scene) == "legal"
        assert scene.state.layout.marks[0] == "X"
    foul = GAME.read_move(scene.state, "c3>R")
    lying = glaring(after(scene.state, "c3>R"))
    assert scene.shows(lying, glaring(gap(scene.state, foul))) == ["Moved", "Committed"]
    assert rules(scene) == {"quixo.take.edge"}
    assert scene.shows(glaring(scene.state.layout), gap(scene.state, foul)) == []
    assert scene.shows(glaring(after(scene.state, "c3>R"))) != []  # the foul again is told again
    assert scene.shows(scene.state.layout) == []


def test_a_cell_that_changes_with_the_move_is_held_against_the_mover() -> None:
    scene = begun(MIDDLE)
    move = GAME.read_move(scene.state, "a2>R")
    lying = glaring(after(scene.state, "a2>R"))
    assert scene.shows(lying, gap(scene.state, move)) == ["Moved", "Committed"]
    assert verdict(scene) == "illegal"


def glaring(layout: Layout) -> Layout:
    """The board with the cross at a1 under a glare, where it looks blank."""
    assert layout.marks[0] == "X"
    return Layout(layout.size, (".", *layout.marks[1:]), (".", *layout.dots[1:]))


def test_a_misread_glimpse_does_not_cost_a_legal_move() -> None:
    scene = begun(MIDDLE)
    nonsense = Layout.of_marks("OOOOO" * 5)
    move = GAME.read_move(scene.state, "a1>R")
    seen = (nonsense, gap(scene.state, move))
    assert scene.shows(after(scene.state, "a1>R"), *seen) == ["Moved", "Committed"]
    assert verdict(scene) == "legal"


def test_a_foul_taken_back_before_it_was_read_is_no_move_of_equal_cubes() -> None:
    scene = begun("X...O/...../...../...../XX..O - S turn=4")
    before = scene.state.layout
    lawful = GAME.read_move(scene.state, "b5>L")  # leaves the board as it is
    assert result_of(scene.state, lawful).marks == before.marks
    foul = after(scene.state, "e1>T")  # an opponent's cube, glimpsed as it lay for a moment
    lying = Layout(5, ("?", *foul.marks[1:]), (".", *foul.dots[1:]))
    assert scene.shows(before, lying) == ["Moved"]
    assert verdict(scene) == "undecided"
    assert scene.state.layout == before
    assert scene.shows(before) == []  # asked already
    assert scene.move("a1>R") == ["Moved", "Committed"]
    assert verdict(scene) == "legal"


def test_a_false_gap_after_the_true_one_does_not_clear_a_foul() -> None:
    scene = begun("X...O/...../...../...../O...X - S turn=4")
    lifted, misread = (
        gap(scene.state, GAME.read_move(scene.state, move)) for move in ("d3>L", "b4>L")
    )
    assert scene.shows(after(scene.state, "e3>L"), lifted, misread) == ["Moved"]
    assert verdict(scene) == "undecided"


def test_a_dot_misread_while_cubes_slide_accuses_nobody_of_a_second_turn() -> None:
    marks, dots = "OX.XO/XX..X/OOO../....O/", "WN.NW/SN..S/WEW../....E/"
    scene = begun(f"{marks}X.XOO {dots}N.NEE N turn=18 seats=4")
    lifted = Layout.read(f"{marks}X._OO {dots}N..EE")
    sliding = Layout.read(f"{marks}XX.OO {dots}N?.EE")  # the cube at the left end points south
    settled = Layout.read(f"{marks}XX.OO {dots}SN.EE")
    assert scene.shows(settled, lifted, sliding) == ["Moved", "Committed"]
    assert verdict(scene) == "legal"
