"""The rules of Quinto against a checker that shares no code with them, on random acts."""

import random
from dataclasses import replace
from itertools import islice, permutations
from typing import Any

import pytest

from engine.quinto.game import GAME
from engine.quinto.layout import DIGITS
from engine.quinto.move import Kind
from engine.quinto.plays import plays
from engine.quinto.state import State
from tests.engine import brute_quinto as brute
from tests.engine.games_under_test import SETTINGS, deal_tiles

LETTERS = "abcdefghijklmnopqrstuvwxyz"
SMALL = (2, 3)  # numbers of the ways on small boards, where a pass is checked by trying everything
ACTS = 350  # a way; six ways make 2 100


def random_state(rng: random.Random, seats: int, options: dict[str, str]) -> State:
    """A state on the way of a game of random legal plays; some hands are partly not known."""
    state = deal_tiles(rng, GAME.start(seats, options))
    rows, columns = state.options.board()
    for _ in range(rng.randint(0, min(24, rows * columns // 3))):
        moves = tuple(islice(GAME.moves(state), 40))
        if not moves:
            break
        state = deal_tiles(rng, GAME.play(state, rng.choice(moves)))
    return state


def some_play(rng: random.Random, state: State) -> dict[tuple[int, int], int] | None:
    found = list(islice(plays(state.layout, state.hand(state.seat), state.options), 200))
    return {(r, c): v for r, c, v in rng.choice(found)} if found else None


def random_tiles(rng: random.Random, state: State) -> dict[tuple[int, int], int]:
    """Tiles in a row or column beside something, mostly from the hand."""
    rows, columns = state.options.board()
    lying = [tile[:2] for tile in state.layout.tiles()] or [state.options.start()]
    row, column = rng.choice(lying)
    row, column = row + rng.randint(-2, 2), column + rng.randint(-2, 2)
    down = rng.random() < 0.5
    tiles = {}
    for _ in range(rng.choice((1, 1, 2, 2, 3, 4, 5, 6))):
        if 0 <= row < rows and 0 <= column < columns:
            hand = state.hand(state.seat).replace("?", "") or DIGITS
            tiles[(row, column)] = int(rng.choice(hand if rng.random() < 0.8 else DIGITS))
        row, column = (row + 1, column) if down else (row, column + 1)
        if rng.random() < 0.15:
            row, column = row + rng.randint(0, 1), column + rng.randint(0, 1)
    return tiles or {state.options.start(): 5}


def cell_text(cell: tuple[int, int]) -> str:
    return f"{LETTERS[cell[1]]}{cell[0] + 1}"


def extras(rng: random.Random, state: State, tiles: dict[tuple[int, int], int]) -> list[str]:
    """What may be written behind the tiles; each cell is named once."""
    words = []
    lying = [tile[:2] for tile in state.layout.tiles() if tile[:2] not in tiles]
    rng.shuffle(lying)
    if lying and rng.random() < 0.08:
        words.append(f"-{cell_text(lying.pop())}")
    if lying and rng.random() < 0.05:
        words.append(f"{cell_text(lying.pop())}:{rng.randint(0, 9)}")
    if lying and rng.random() < 0.05:
        row, column = rng.randrange(state.layout.rows), rng.randrange(state.layout.columns)
        if (row, column) not in tiles and state.layout.at(row, column) == ".":
            words.append(f"{cell_text(lying.pop())}~{cell_text((row, column))}")
    if rng.random() < 0.15:
        words.append("+" + "".join(rng.choice(DIGITS + "????") for _ in range(rng.randint(0, 5))))
    if rng.random() < 0.15:
        words.append(f"={5 * rng.randint(0, 8)}")
    return words


def random_act(rng: random.Random, state: State, *, small: bool) -> str:
    if small and rng.random() < 0.12:
        return "pass"
    tiles = some_play(rng, state) if rng.random() < 0.65 else None
    if tiles is None:
        tiles = random_tiles(rng, state)
    elif rng.random() < 0.4:
        tiles[rng.choice(list(tiles))] = rng.randint(0, 9)
    words = [f"{cell_text(cell)}={value}" for cell, value in tiles.items()]
    if rng.random() < 0.05:
        words[0] += f"~{rng.randint(0, 9)}"
    who = f"{rng.choice(state.options.seat_names())}/" if rng.random() < 0.08 else ""
    return who + " ".join([*words, *extras(rng, state, tiles)])


@pytest.mark.parametrize("way", range(len(SETTINGS["quinto"].ways)))
def test_same_rules_on_random_acts(way: int) -> None:
    seats, options = SETTINGS["quinto"].ways[way]
    rng = random.Random(way)
    legal = 0
    seen: set[str] = set()
    for _ in range(ACTS // 5):
        state = random_state(rng, seats, options)
        for _ in range(5):
            text = random_act(rng, state, small=way in SMALL)
            expected = brute.rules_broken(
                brute.read_state(GAME.write(state)), brute.read_move(text)
            )
            move = GAME.read_move(state, text)
            found = {finding.rule for finding in GAME.findings(state, move)}
            assert found == expected, (GAME.write(state), text)
            seen |= found
            legal += not found
            if move.kind is Kind.PLAY:
                check_result(state, text)
    assert legal > ACTS // 10
    assert len(seen) > 5


def check_result(state: State, text: str) -> None:
    """The board and the score after a play, legal or not."""
    move = GAME.read_move(state, text)
    theirs = brute.read_move(text)
    plain = brute.read_state(GAME.write(state))
    board = brute.board_after(plain, theirs)
    after = GAME.stand(state, (move,), None)
    if not state.ended:
        assert after.layout.write() == "/".join("".join(row) for row in board)
    assert GAME.points(state, move) == brute.score(plain, theirs)


@pytest.mark.parametrize(("rows", "columns"), [(3, 4), (4, 4)])
def test_plays_are_all_that_break_nothing(rows: int, columns: int) -> None:
    """Every way to lay known tiles on a small board is listed once, or breaks a rule."""
    rng = random.Random(rows)
    options = {"edition": "custom", "rows": str(rows), "columns": str(columns)}
    for _ in range(12):
        state = random_state(rng, 2, options)
        if state.ended:
            continue
        listed = list(plays(state.layout, state.hand(state.seat), state.options))
        assert len(set(listed)) == len(listed)
        assert set(listed) == set(every_play(state))


def test_plays_with_gaps_are_all_that_break_nothing() -> None:
    """The house rule that allows gaps: every way to lay up to three known tiles in a row."""
    rng = random.Random(5)
    options = {
        "edition": "custom",
        "rows": "3",
        "columns": "5",
        "require_contiguous": "false",
        "tiles": "2,2,2,2,2,2,2,2,2,2",
    }
    gapped = 0
    for _ in range(10):
        state = random_state(rng, 2, options)
        hand = state.hand(state.seat)[:3]
        plain = brute.read_state(GAME.write(state))
        expected = set()
        for size in range(1, len(hand) + 1):
            for cells in permutations(ALL_CELLS, size):
                if cells == tuple(sorted(cells)) and in_line(cells):
                    for order in set(permutations(hand, size)):
                        tiles = dict(zip(cells, map(int, order), strict=True))
                        if free(plain, cells) and brute.fits(plain, tiles):
                            expected.add(tuple((*cell, value) for cell, value in tiles.items()))
        listed = list(plays(state.layout, hand, state.options))
        assert set(listed) == expected
        assert len(listed) == len(expected)
        gapped += len(expected) - len(
            list(plays(state.layout, hand, replace(state.options, require_contiguous=True)))
        )
    assert gapped > 50


ALL_CELLS = [(row, column) for row in range(3) for column in range(5)]


def in_line(cells: tuple[tuple[int, int], ...]) -> bool:
    return len({row for row, _ in cells}) == 1 or len({column for _, column in cells}) == 1


def free(plain: Any, cells: tuple[tuple[int, int], ...]) -> bool:
    return all(plain["board"][row][column] == "." for row, column in cells)


def every_play(state: State) -> Any:
    """All fillings of empty cells in a row or column by the hand, judged by the second checker."""
    plain = brute.read_state(GAME.write(state))
    board, hand = plain["board"], state.hand(state.seat)
    for order in {o for n in range(1, len(hand) + 1) for o in permutations(hand, n)}:
        for row in range(len(board)):
            for column in range(len(board[0])):
                for step in ((0, 1), (1, 0)):
                    tiles = brute.lay(board, order, (row, column), step)
                    if tiles is not None and brute.fits(plain, tiles):
                        yield tuple(sorted((*cell, value) for cell, value in tiles.items()))
