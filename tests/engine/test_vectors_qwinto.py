"""Known facts about Qwinto, each named by its id: geometry, scores, legal fields of a sheet."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.qwinto import (
    BLANK_COLUMN,
    BONUS_COLUMNS,
    COLUMNS,
    NUMBER_COLUMNS,
    ROWS,
    Player,
    Sheet,
    bonus_fields,
    dead_fields,
    fields,
    legal_fields,
    strip_of,
    total,
)
from engine.qwinto.game import GAME
from engine.qwinto.scoring import HIGHEST_TOTAL, LOWEST_TOTAL
from engine.qwinto.state import Options, State

VECTORS: dict[str, dict[str, Any]] = {
    entry["id"]: entry
    for entry in json.loads(
        (Path(__file__).parent / "vectors_qwinto.json").read_text(encoding="utf-8")
    )
}
NAMES = {"o": "orange", "y": "yellow", "p": "purple"}


def sheet_of(vector: dict[str, Any]) -> Sheet:
    numbers = [number for row in ROWS for number in vector[NAMES[row]]]
    return Sheet(tuple(numbers), vector["failed"])


def test_qwinto_geometry() -> None:
    vector = VECTORS["qwinto-geometry"]
    assert vector["columns"] == COLUMNS
    for row, name in NAMES.items():
        assert list(NUMBER_COLUMNS[row]) == vector[name]["fields"]
        assert BLANK_COLUMN[row] == vector[name]["blank"]
        assert list(BONUS_COLUMNS[row]) == vector[name]["bonus"]
    assert [field.column for field in bonus_fields()] == vector["bonus_columns"]
    heights = {c: sum(field.column == c for field in fields()) for c in range(COLUMNS)}
    assert [c for c, height in heights.items() if height == 3] == vector["bonus_columns"]
    assert [c for c, height in heights.items() if height == 2] == vector["two_field_columns"]
    assert [c for c, height in heights.items() if height == 1] == vector["single_columns"]


@pytest.mark.parametrize("vector_id", ["qwinto-emma-43", "qwinto-max-116"])
def test_scores(vector_id: str) -> None:
    vector = VECTORS[vector_id]
    sheet = sheet_of(vector)
    strip = strip_of(sheet)
    assert list(strip.rows) == [vector["rows"][NAMES[row]] for row in ROWS]
    assert list(strip.bonus) == list(vector["bonus"].values())
    assert strip.penalty == vector["penalty"]
    assert strip.total == total(sheet) == vector["total"]


def test_qwinto_max_116_and_the_lowest_are_the_bounds() -> None:
    assert total(sheet_of(VECTORS["qwinto-max-116"])) == HIGHEST_TOTAL
    assert total(Sheet(failed=4)) == LOWEST_TOTAL


def test_qwinto_emma_legal() -> None:
    sheet = sheet_of(VECTORS["qwinto-emma-43"])
    vector = VECTORS["qwinto-emma-legal"]
    for number in range(1, 19):
        for row, name in NAMES.items():
            found = [field.column for field in legal_fields(sheet, number, (row,))]
            assert found == vector[name].get(str(number), []), (number, name)


def test_qwinto_emma_legal_is_what_the_moves_say() -> None:
    """The same table from ``moves``, for each single die and each pair of dice."""
    players = (Player(), Player(sheet_of(VECTORS["qwinto-emma-43"])))
    vector = VECTORS["qwinto-emma-legal"]
    opened = State(players, "A", options=Options())
    for roll in GAME.moves(opened):
        answers = [move for move in GAME.moves(GAME.play(opened, roll)) if move.seat == "B"]
        found = {w.field.name for move in answers for w in move.writes}
        key = str(roll.throw.total)
        expected = {
            f"{row}{column}"
            for row in roll.throw.colours
            for column in vector[NAMES[row]].get(key, [])
        }
        assert found == expected, GAME.write_move(roll)


def test_dead_fields_are_those_that_no_sum_fits() -> None:
    sheet = sheet_of(VECTORS["qwinto-emma-43"])
    alive = {f for number in range(1, 19) for f in legal_fields(sheet, number)}
    empty = {f for f, number in zip(fields(), sheet.numbers, strict=True) if number == 0}
    assert set(dead_fields(sheet)) == empty - alive
    assert {field.name for field in dead_fields(sheet)} == set()


def test_a_field_between_neighbours_is_dead() -> None:
    sheet = Sheet().put(0, 5).put(2, 6)
    assert [field.name for field in dead_fields(sheet)] == ["o3"]
    assert "o3" not in {f.name for number in range(1, 19) for f in legal_fields(sheet, number)}
    full = Sheet().put(0, 18)
    assert [f.name for f in dead_fields(full)] == ["o3", "o4", "o6", "o7", "o8", "o9", "o10", "o11"]
