"""The accepted board of tiles and what is seen now: the change counts, doubt changes nothing."""

from hypothesis import given
from hypothesis import strategies as st

from engine import quinto
from vision.readers.quinto import BLANK, COVERED, DIGITS, EMPTY, SHOWN
from vision.tiles.trust import (
    UNLIKELY,
    CellSeen,
    Odd,
    cell_of,
    cells_seen,
    fitting_turn,
    trust,
    turned_board,
    where_of,
)

ROWS, COLUMNS = 3, 5
CELLS = [(row, col) for row in range(ROWS) for col in range(COLUMNS)]


def sure(value: str) -> CellSeen:
    rest = 0.001 / (len(SHOWN) - 1)
    others = tuple((other, rest) for other in SHOWN if other != value)
    return CellSeen(((value, 0.999), *others))


def torn(value: str, other: str, share: float = 0.3) -> CellSeen:
    return CellSeen(((value, 1 - share), (other, share)), asked=True)


boards = st.text(alphabet=(*DIGITS, EMPTY), min_size=ROWS * COLUMNS, max_size=ROWS * COLUMNS)
layouts = boards.map(lambda cells: quinto.Layout(ROWS, COLUMNS, cells))
values = st.sampled_from(SHOWN)
looks = st.one_of(
    values.map(sure),
    st.tuples(values, values).filter(lambda pair: pair[0] != pair[1]).map(lambda p: torn(*p)),
)
sights = st.fixed_dictionaries(dict.fromkeys(CELLS, looks))


def sight_of(layout: quinto.Layout) -> dict[tuple[int, int], CellSeen]:
    return {cell: sure(layout.at(*cell)) for cell in CELLS}


@given(layouts, layouts)
def test_what_is_surely_seen_is_what_lies_there(
    accepted: quinto.Layout, seen: quinto.Layout
) -> None:
    told = trust(accepted, sight_of(seen))
    assert told.layout == seen
    assert not told.doubts
    differ = [c for c in CELLS if accepted.at(*c) in DIGITS and accepted.at(*c) != seen.at(*c)]
    assert [odd.cell for odd in told.odd] == differ


@given(layouts, sights)
def test_an_accepted_tile_is_only_lost_to_what_is_sure(
    accepted: quinto.Layout, seen: dict[tuple[int, int], CellSeen]
) -> None:
    told = trust(accepted, seen)
    odd = {one.cell: one.kind for one in told.odd}
    for cell in CELLS:
        before, look = accepted.at(*cell), seen[cell]
        if before not in DIGITS:
            assert cell not in odd
        elif told.layout.at(*cell) != before:
            assert odd[cell] in ("gone", "changed")
            assert not look.asked or look.share(before) < UNLIKELY


@given(layouts, sights)
def test_what_is_hidden_is_never_empty(
    accepted: quinto.Layout, seen: dict[tuple[int, int], CellSeen]
) -> None:
    told = trust(accepted, seen)
    for cell in CELLS:
        if seen[cell].value == COVERED:
            assert told.layout.at(*cell) in (accepted.at(*cell), quinto.UNSEEN)
            assert told.layout.at(*cell) != EMPTY
    assert trust(accepted, {}).layout.tiles() == accepted.tiles()


@given(layouts, sights)
def test_doubts_are_about_new_values_alone(
    accepted: quinto.Layout, seen: dict[tuple[int, int], CellSeen]
) -> None:
    told = trust(accepted, seen)
    for doubt in told.doubts:
        cell = cell_of(doubt.where)
        assert seen[cell].asked
        assert doubt.candidates[0][0] == told.layout.at(*cell)
        assert accepted.at(*cell) not in DIGITS or accepted.at(*cell) != told.layout.at(*cell)


@given(layouts, sights)
def test_once_accepted_the_same_sight_says_nothing_new(
    accepted: quinto.Layout, seen: dict[tuple[int, int], CellSeen]
) -> None:
    once = trust(accepted, seen).layout
    again = trust(once, seen)
    assert again.layout.tiles() == once.tiles()
    assert not [odd for odd in again.odd if odd.kind == "gone"]


def test_an_empty_cell_that_nobody_would_vouch_for_is_still_empty() -> None:
    accepted = quinto.Layout.blank(1, 2)
    faint = CellSeen(((EMPTY, 0.94), ("7", 0.06)), asked=True)
    open_ = CellSeen(((EMPTY, 0.8), ("7", 0.2)), asked=True)
    told = trust(accepted, {(0, 0): faint, (0, 1): open_})
    assert told.layout == accepted
    assert [doubt.where for doubt in told.doubts] == ["tiles[0][1]"]


def test_a_doubtful_other_digit_speaks_against_no_tile() -> None:
    accepted = quinto.Layout.of_tiles(1, 2, [(0, 0, 9)])
    look = CellSeen((("0", 0.97), ("8", 0.03)), asked=True)
    told = trust(accepted, {(0, 0): look, (0, 1): sure(EMPTY)})
    assert told.layout == accepted
    assert (told.doubts, told.odd) == ((), ())


def test_new_tiles_that_are_vouched_for_keep_their_rivals() -> None:
    blank = quinto.Layout.blank(ROWS, COLUMNS)
    seen = sight_of(blank) | {
        (1, 2): CellSeen((("8", 0.97), ("3", 0.03))),
        (1, 3): CellSeen((("8", 0.998), ("3", 0.002))),
    }
    told = trust(blank, seen)
    assert not told.doubts
    assert [(rival.where, rival.candidates[1]) for rival in told.rivals] == [
        ("tiles[1][2]", ("3", 0.03))
    ]
    assert not trust(told.layout, seen).rivals, "accepted tiles are past that"


def test_what_seems_gone_is_asked_about_only_where_something_moved() -> None:
    accepted = quinto.Layout.of_tiles(1, 2, [(0, 0, 9)])
    looks = {(0, 0): CellSeen(((EMPTY, 0.8), ("7", 0.2)), asked=True), (0, 1): sure(EMPTY)}
    moved, calm = (trust(accepted, looks, touched=touched) for touched in (True, False))
    assert [doubt.where for doubt in moved.doubts] == ["tiles[0][0]"]
    assert calm.layout == accepted
    assert (calm.doubts, calm.odd) == ((), ())


def test_doubts_count_for_nothing_where_nothing_moved_and_nothing_is_new() -> None:
    accepted = quinto.Layout.of_tiles(1, 3, [(0, 0, 9)])
    faint = {(0, 1): torn("7", "1"), (0, 2): sure(EMPTY)}
    calm = trust(accepted, {(0, 0): sure("9"), **faint}, touched=False)
    assert calm.layout == accepted
    assert calm.doubts == ()
    moved = trust(accepted, {(0, 0): sure("9"), **faint})
    fresh = trust(quinto.Layout.blank(1, 3), {(0, 0): sure("9"), **faint}, touched=False)
    for told in (moved, fresh):  # what was laid while nobody looked is asked about
        assert [doubt.where for doubt in told.doubts] == ["tiles[0][1]"]


def test_a_tile_that_surely_shows_what_it_showed_before_keeps_its_place_and_is_named() -> None:
    accepted = quinto.Layout.of_tiles(1, 2, [(0, 0, 9)])
    looks = {(0, 0): sure("0"), (0, 1): sure(EMPTY)}
    first = trust(accepted, looks, last=("9", EMPTY))
    again = trust(accepted, looks, last=first.shown)
    calm = trust(accepted, looks, touched=False)
    assert first.layout.at(0, 0) == "0"
    assert again.layout == calm.layout == accepted
    assert first.odd == again.odd == calm.odd == (Odd((0, 0), "changed"),)


def test_a_tile_turned_over_is_asked_about() -> None:
    accepted = quinto.Layout.of_tiles(1, 2, [(0, 0, 6)])
    told = trust(accepted, {(0, 0): CellSeen(((BLANK, 1.0),), asked=True), (0, 1): sure(EMPTY)})
    assert told.layout.at(0, 0) == quinto.UNSEEN
    assert told.doubts[0].candidates == ((quinto.UNSEEN, 1.0),)
    assert told.odd == (Odd((0, 0), "changed"),)


@given(layouts.filter(lambda layout: bool(layout.tiles())), st.integers(0, 3))
def test_a_board_seen_from_another_side_is_turned_back(
    accepted: quinto.Layout, quarters: int
) -> None:
    seen, grid = turned_board(sight_of(accepted), (ROWS, COLUMNS), quarters)
    turn = fitting_turn(accepted, seen, grid)
    assert turn is not None
    back, size = turned_board(seen, grid, turn)
    assert size == (ROWS, COLUMNS)
    lies = {cell for cell, one in back.items() if one.value in DIGITS}
    assert lies == {tile[:2] for tile in accepted.tiles()}


def test_another_board_does_not_fit() -> None:
    assert fitting_turn(quinto.Layout.blank(3, 5), {}, (3, 4)) is None
    assert fitting_turn(quinto.Layout.blank(3, 5), {}, (3, 5)) == 0
    assert fitting_turn(quinto.Layout.blank(3, 5), {}, (5, 3)) == 1


def test_places() -> None:
    assert cell_of(where_of((6, 8))) == (6, 8)
    assert cells_seen([("tiles[0][1]", (("6", 0.9),), True), ("turn", (("0", 1.0),), False)]) == {
        (0, 1): CellSeen((("6", 0.9),), asked=True)
    }


def test_an_empty_cell_by_itself_stays_empty_though_it_looks_worn() -> None:
    accepted = quinto.Layout(ROWS, COLUMNS, "5" + "." * (ROWS * COLUMNS - 1))
    far, near = (2, 4), (1, 1)
    worn = {**sight_of(accepted), far: torn(EMPTY, BLANK), near: torn(EMPTY, BLANK)}
    assert [doubt.where for doubt in trust(accepted, worn).doubts] == [where_of(near)]
    laid = {**worn, (1, 3): sure("5")}  # beside a tile that is laid now it is asked about
    assert {doubt.where for doubt in trust(accepted, laid).doubts} == {
        where_of(near),
        where_of(far),
    }
