"""Positions for tests: reached by random play, and read from the vectors."""

import json
import random
from pathlib import Path
from typing import Any

from engine.quixo.game import GAME
from engine.quixo.layout import Layout
from engine.quixo.move import Kind, Move, lifted
from engine.quixo.state import State

VECTORS: dict[str, dict[str, Any]] = {
    entry["id"]: entry
    for entry in json.loads(
        (Path(__file__).parent / "vectors_quixo.json").read_text(encoding="utf-8")
    )
}


def joined(marks: str, seat: str = "S") -> State:
    """Two players in mid-game; marks row-major, rows may be joined by ``/``."""
    return GAME.join(Layout.of_marks(marks.replace("/", "")), seat)


def random_states(
    seed: int, count: int, *, seats: int = 2, size: int = 5, longest: int = 40
) -> list[State]:
    """States that are not over and where a cube may be taken."""
    rng = random.Random(seed)
    found: list[State] = []
    while len(found) < count:
        state = GAME.start(seats, {"size": str(size)})
        for _ in range(rng.randint(0, longest)):
            moves = GAME.moves(state)
            if not moves:
                break
            state = GAME.play(state, rng.choice(moves))
        if state.decision is None and GAME.moves(state)[0].kind is Kind.PUSH:
            found.append(state)
    return found


def glimpse(state: State, move: Move) -> Layout:
    """What a camera sees when the cube of ``move`` has been lifted."""
    row, col = move.taken()
    return lifted(state.layout, row * state.layout.size + col)


def perft(state: State, depth: int) -> int:
    """The number of move sequences of ``depth`` moves; a finished game has no moves."""
    moves = GAME.moves(state)
    if depth == 1:
        return len(moves)
    return sum(perft(GAME.play(state, move), depth - 1) for move in moves)
