"""Random games and acts of Détrak for tests, legal and illegal."""

import random
from collections.abc import Iterator

from engine.detrak import SYMBOLS, State
from engine.detrak.game import GAME, entries
from engine.detrak.layout import ADJACENT_PAIRS, BOXES, NAMES
from engine.detrak.scoring import score

OPTIONS = {
    "advanced": ("false", "true"),
    "diagonal_penalty": ("false", "true"),
    "tie_counts_diagonal": ("false", "true"),
    "solo_15_16": ("higher", "lower"),
    "cocked_dice": ("reroll", "stands"),
}


def random_start(rng: random.Random) -> State:
    options = {name: rng.choice(values) for name, values in OPTIONS.items()}
    return GAME.start(rng.randint(1, 6), options)


def random_game(rng: random.Random) -> Iterator[State]:
    """Every state of a random legal game, the finished one last."""
    state = random_start(rng)
    while state.decision is None:
        yield state
        state = GAME.play(state, random_move(rng, state))
    yield state


def random_move(rng: random.Random, state: State):  # type: ignore[no-untyped-def]
    """A legal act, any seat and any act of it with the same chance."""
    if state.owing and state.roll is not None:
        return rng.choice(entries(state, rng.choice(state.owing), state.roll))
    return rng.choice(GAME.moves(state))


def some_states(seed: int, count: int) -> list[State]:
    """States of many games, from the start to the end."""
    rng = random.Random(seed)
    found: list[State] = []
    while len(found) < count:
        game = list(random_game(rng))
        found += [*rng.sample(game, min(len(game), 8)), game[-1]]
    return found[:count]


def random_act(rng: random.Random, state: State) -> str:
    """The text of some act, most often one that fits the moment."""
    if rng.random() < 0.3 and state.decision is None:
        return GAME.write_move(random_move(rng, state))
    seat = rng.choice(state.seat_names())
    if state.owing and rng.random() < 0.7:
        seat = rng.choice(state.owing)
    kind = rng.random()
    if kind < 0.2:
        return random_throw(rng)
    if kind < 0.3:
        return f"{seat}: start={rng.choice(SYMBOLS)}"
    if kind < 0.35:
        return f"{seat}: {rng.choice(('pass', 'hide'))}"
    if kind < 0.45:
        return random_sums(rng, state, seat)
    return f"{seat}: {' '.join(random_marks(rng, state, seat))}"


def random_throw(rng: random.Random) -> str:
    dice = rng.choice(SYMBOLS) + rng.choice((*SYMBOLS, *SYMBOLS, "."))
    text = f"{rng.choice(('roll', 'roll', 'roll', 'reroll'))} {dice}"
    if rng.random() < 0.2:
        text += "~"
    if rng.random() < 0.2:
        text += "!" + rng.choice(SYMBOLS) + rng.choice(SYMBOLS)
    return text


def random_sums(rng: random.Random, state: State, seat: str) -> str:
    right = dict(zip(BOXES, score(state.sheet(seat), state.options).boxes(), strict=True))
    words = []
    for box in rng.sample(BOXES, rng.randint(1, len(BOXES))):
        words.append(f"{box}={right[box] + (rng.random() < 0.1)}")
    return f"{seat}: sums {' '.join(words)}"


def random_marks(rng: random.Random, state: State, seat: str) -> list[str]:
    """Symbols near one another, mostly those rolled, mostly in empty cells."""
    cells = state.sheet(seat).cells
    empty = [i for i in range(25) if cells[i] == "."] or list(range(25))
    first = rng.choice(empty)
    near = [i for i in (first - 5, first - 1, first + 1, first + 5) if 0 <= i < 25]
    drawn = list(state.roll or "XO")
    rng.shuffle(drawn)
    if rng.random() < 0.2:
        drawn[0] = rng.choice(SYMBOLS)
    spots = [NAMES[first], NAMES[rng.choice(near)]]
    if rng.random() < 0.2:
        spots[1] = rng.choice((*NAMES, *BOXES))
    words = [spot + symbol for spot, symbol in zip(spots, drawn, strict=True)]
    if rng.random() < 0.1:
        words = words[:1] if rng.random() < 0.5 else [*words, "c3X"]
    if rng.random() < 0.1:
        words.append(f"{rng.choice(NAMES)}>{rng.choice((*SYMBOLS, '.'))}")
    return words


def random_final(rng: random.Random) -> tuple[list[str], list[tuple[str, str]]]:
    """Rows of one player's final sheet and the twelve rolls; half the players fill it in order."""
    cells = [rng.choice(SYMBOLS), *"." * 24]
    tidy = rng.random() < 0.5
    rolls = [(rng.choice(SYMBOLS), rng.choice(SYMBOLS)) for _ in range(12)]
    for roll in rolls:
        pairs = [(a, b) for a, b in ADJACENT_PAIRS if cells[a] == "." and cells[b] == "."]
        if pairs:
            first, second = pairs[0] if tidy else rng.choice(pairs)
            cells[first], cells[second] = rng.sample(roll, 2)
    return as_rows(cells), rolls


def as_rows(cells: list[str]) -> list[str]:
    return ["".join(cells[i : i + 5]) for i in range(0, 25, 5)]


def spoiled(
    rng: random.Random, rows: list[str], rolls: list[tuple[str, str]]
) -> tuple[list[str], list[tuple[str, str]]]:
    """The same with one thing wrong: a cell, a roll, a roll not written, or a cell erased."""
    cells = list("".join(rows))
    filled = [i for i in range(1, 25) if cells[i] != "."]
    kind = rng.randrange(4)
    if kind == 0:
        cell = rng.choice(filled)
        cells[cell] = rng.choice([symbol for symbol in SYMBOLS if symbol != cells[cell]])
    elif kind == 1:
        number = rng.randrange(len(filled) // 2)
        other = (rng.choice(SYMBOLS), rng.choice(SYMBOLS))
        rolls = [*rolls[:number], other, *rolls[number + 1 :]]
    elif kind == 2:
        number = rng.randrange(len(filled) // 2)
        rolls = [*rolls[:number], (rng.choice(SYMBOLS), rng.choice(SYMBOLS)), *rolls[number:]][:12]
    else:
        cells[rng.choice(filled)] = "."
    return as_rows(cells), rolls
