"""Plans of sheets and boards agree with the layouts, with their paper, and with themselves."""

import itertools

import pytest

from engine.detrak import layout as detrak
from engine.quinto.state import EDITIONS as SETS
from engine.qwinto import layout as qwinto
from vision.plans.marks import (
    GAMES,
    LARGEST_NUMBER,
    Marker,
    SheetName,
    marker_ids,
    read_marker,
    read_name,
    write_name,
)
from vision.plans.sheets import EDITIONS, Edition, Field, SheetPlan, sheet_plan
from vision.plans.tiles import tile_boards, tile_print

ALL = [(game, edition) for game in GAMES for edition in EDITIONS]


def box(field: Field) -> tuple[float, float, float, float]:
    (x, y), (width, height) = field.centre_mm, field.size_mm
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def apart(a: tuple[float, ...], b: tuple[float, ...], gap: float = -0.01) -> bool:
    return any(a[i] - b[i + 2] >= gap - 1e-9 or b[i] - a[i + 2] >= gap - 1e-9 for i in (0, 1))


@pytest.mark.parametrize("edition", EDITIONS)
def test_qwinto_has_the_fields_of_its_layout(edition: Edition) -> None:
    plan = sheet_plan("qwinto", edition)
    for row, (letter, name) in enumerate(zip(qwinto.ROWS, plan.rows, strict=True)):
        fields = [plan.field(f"{name}[{i}]") for i in range(qwinto.FIELDS_A_ROW)]
        assert {field.row for field in fields} == {row}
        assert tuple(field.column for field in fields) == qwinto.NUMBER_COLUMNS[letter]
        bonus = tuple(field.column for field in fields if field.kind == "bonus")
        assert bonus == qwinto.BONUS_COLUMNS[letter]
        assert all((field.shape == "pentagon") == (field.kind == "bonus") for field in fields)
    blanks = {plan.rows[field.row or 0][0]: field.column for field in plan.of_kind("blank")}
    assert blanks == qwinto.BLANK_COLUMN
    assert len(plan.of_kind("number", "bonus")) == qwinto.FIELDS
    assert len(plan.of_kind("failed")) == qwinto.BOXES
    assert len(plan.of_kind("strip")) == 3 + 5 + 1 + 1


@pytest.mark.parametrize("edition", EDITIONS)
def test_detrak_has_the_fields_of_its_layout(edition: Edition) -> None:
    plan = sheet_plan("detrak", edition)
    for index in range(detrak.CELLS):
        row, column = divmod(index, detrak.SIZE)
        field = plan.field(f"grid[{row}][{column}]")
        assert (field.row, field.column) == (row + 1, column + 1)
    places = [(plan.field(path).row, plan.field(path).column) for path in detrak.BOX_PATHS]
    rows, columns = [(i, 6) for i in range(1, 6)], [(6, i) for i in range(1, 6)]
    assert places == [*rows, *columns, (6, 0), (0, 6), (6, 6)]
    assert len(plan.fields) == detrak.CELLS + len(detrak.BOXES)


@pytest.mark.parametrize(("game", "edition"), ALL)
def test_fields_lie_on_the_sheet_and_apart(game: str, edition: Edition) -> None:
    plan = sheet_plan(game, edition)
    width, height = plan.size_mm
    assert len({field.path for field in plan.fields}) == len(plan.fields)
    for field in plan.fields:
        x0, y0, x1, y1 = box(field)
        assert x0 >= 0, field.path
        assert y0 >= 0, field.path
        assert x1 <= width, field.path
        assert y1 <= height, field.path
    for a, b in itertools.combinations(plan.fields, 2):
        assert apart(box(a), box(b)), (a.path, b.path)


def squares(plan: SheetPlan) -> list[tuple[float, ...]]:
    return [(*one.outline_mm()[0], *one.outline_mm()[2]) for one in plan.markers]


@pytest.mark.parametrize("game", GAMES)
def test_markers_have_a_white_margin(game: str) -> None:
    """One module at least, towards the edge, every field and bar, and the code."""
    plan = sheet_plan(game)
    module = plan.markers[0].side_mm / 6
    assert plan.qr is not None
    others = [box(field) for field in plan.fields]
    others += [(x, y, x + w, y + h) for x, y, w, h in (bar.box_mm for bar in plan.bars)]
    others.append((*plan.qr.outline_mm()[0], *plan.qr.outline_mm()[2]))
    for marker in squares(plan):
        assert min(marker[:2]) >= module
        assert plan.size_mm[0] - marker[2] >= module
        assert plan.size_mm[1] - marker[3] >= module
        assert all(apart(marker, other, module) for other in others)
    centres = [one.centre_mm for one in plan.markers]
    (a, b), (c, d), (e, f), (g, h) = centres  # clockwise from the top left
    assert a < c
    assert d < f
    assert (a, b, e, f) == (g, d, c, h)


def test_the_card_as_sold_has_the_shares_of_its_page_of_rules() -> None:
    """Columns at 0.065 + 0.0792 k of the width, rows at 0.117, 0.302, 0.487 of the height."""
    plan = sheet_plan("qwinto", "commercial")
    width, height = plan.size_mm
    assert width / height == pytest.approx(1.71)
    for field in plan.of_kind("number", "bonus", "blank"):
        assert field.row is not None
        assert field.column is not None
        x, y = field.centre_mm
        assert x / width == pytest.approx(0.065 + 0.0792 * field.column, abs=0.002)
        assert y / height == pytest.approx((0.117, 0.302, 0.487)[field.row], abs=0.002)
    failed = [field.centre_mm[0] / width for field in plan.of_kind("failed")]
    assert failed == pytest.approx([0.380, 0.458, 0.534, 0.612], abs=0.002)


def test_boards_are_those_of_the_sets() -> None:
    boards = tile_boards()
    assert set(boards) == set(SETS) - {"custom"}
    for name, board in boards.items():
        assert (board.rows, board.columns) == (SETS[name].rows, SETS[name].columns)
        assert board.start == SETS[name].start
    assert 0.8 < tile_print().tile < 1


def test_unknown_plans() -> None:
    with pytest.raises(FileNotFoundError):
        sheet_plan("chess")
    with pytest.raises(KeyError):
        sheet_plan("quinto").field("orange[0]")
    with pytest.raises(KeyError):
        sheet_plan("qwinto").field("orange[9]")


def test_marker_ids_say_what_they_stand_for() -> None:
    seen = {}
    for game, number in itertools.product(GAMES, range(1, 9)):
        for corner, marker_id in enumerate(marker_ids(game, number)):
            assert read_marker(marker_id) == Marker(game, number % 8, corner)
            seen[marker_id] = game
    assert sorted(seen) == list(range(64))
    assert read_marker(64) is None
    assert marker_ids("detrak", 9) == marker_ids("detrak", 1)
    with pytest.raises(ValueError, match="quixo"):
        marker_ids("quixo", 1)


@pytest.mark.parametrize("player", ["", "Ann", "Élodie:1/2", "50 % Łoś"])
@pytest.mark.parametrize("number", [1, LARGEST_NUMBER])
def test_names_come_back(player: str, number: int) -> None:
    name = SheetName("detrak", 1, number, player)
    assert read_name(write_name(name)) == name


def test_a_code_without_player_is_of_the_small_alphabet() -> None:
    text = write_name(SheetName("qwinto", 1, 12))
    assert text == "ARBITRE:QWINTO:1:12"
    assert set(text) <= set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:")


@pytest.mark.parametrize(
    "text",
    [
        *("", "https://example.org", "ARBITRE", "ARBITRE:QWINTO:1", "ARBITRE:QUIXO:1:2"),
        *(
            "ARBITRE:QWINTO:1:2:a:b",
            "ARBITRE:QWINTO:x:2",
            "ARBITRE:QWINTO::2",
            "arbitre:qwinto:1:2",
        ),
    ],
)
def test_other_codes_are_not_ours(text: str) -> None:
    assert read_name(text) is None
