"""Random Qwinto for tests: positions of fair and of careless play, and acts of every kind."""

import random
from collections.abc import Iterator
from typing import Any

from engine.qwinto import ROWS, SEATS, Move, State
from engine.qwinto.game import GAME
from engine.qwinto.state import Options

WAYS: tuple[dict[str, str], ...] = (
    {},
    {"late_erasure_costs_failed": "true"},
    {"final_roll_for_all": "false"},
    {"cocked_dice": "stands"},
    {"on_illegal": "stands"},
    {"on_illegal": "loses_turn"},
)


def fair_move(rng: random.Random, state: State) -> Move:
    """A legal act; kinds of acts are drawn first, since throws outnumber all others."""
    groups: dict[Any, list[Move]] = {}
    for move in GAME.moves(state):
        groups.setdefault((move.kind, move.seat, bool(move.failed)), []).append(move)
    keys = list(groups)
    weights = [1 if key[2] else 6 for key in keys]  # rarely a failed throw: games would be short
    return rng.choice(groups[rng.choices(keys, weights)[0]])


def positions(seed: int, count: int, *, seats: int | None = None) -> Iterator[State]:
    """States of random games; in a third of them illegal acts were let stand."""
    rng = random.Random(seed)
    while count > 0:
        number = seats or rng.randint(1, 6)
        state = GAME.start(number, rng.choice(WAYS))
        careless = rng.random() < 1 / 3
        for _ in range(rng.randint(0, 40 * number)):
            if state.over:
                break
            if careless and rng.random() < 0.2:
                move = GAME.read_move(state, random_act(rng, state))
                state = GAME.stand(state, (move,), None)
            else:
                state = GAME.play(state, fair_move(rng, state))
        yield state
        count -= 1


def random_act(rng: random.Random, state: State) -> str:
    """The text of any act, legal or not."""
    draw = rng.random()
    if draw < 0.2:
        return random_throw(rng, state)
    if draw < 0.25:
        return random_sums(rng, state)
    if draw < 0.28:
        named = rng.sample(state.seat_names(), rng.randint(1, len(state.players)))
        return f"wins {' '.join(sorted(named))}"
    return random_change(rng, state)


def random_throw(rng: random.Random, state: State) -> str:
    words = [rng.choice(("roll", "reroll"))]
    if rng.random() < 0.3:
        words.insert(0, f"{rng.choice(state.seat_names())}:")
    colours = rng.sample(ROWS, rng.randint(1, 3))
    if state.throw is not None and rng.random() < 0.6:
        colours = list(state.throw.colours)
    if rng.random() < 0.1:
        colours[-1] = rng.choice(ROWS)
    dice = [(colour, rng.randint(1, 6)) for colour in sorted(colours, key=ROWS.index)]
    words.append("".join(f"{c}{n}{'~' * (rng.random() < 0.1)}" for c, n in dice))
    if rng.random() < 0.2:
        words.append(f"says={sum(n for _, n in dice) + rng.choice((0, 0, 1)) or 1}")
    if rng.random() < 0.05:
        words.append(f"full={rng.choice(ROWS)}")
    return " ".join(words)


def random_sums(rng: random.Random, state: State) -> str:
    seat = rng.choice(state.seat_names())
    from engine.qwinto import strip_of

    boxes = [number for _, number in strip_of(state.player(seat).sheet).boxes()]
    if rng.random() < 0.6:
        at = rng.randrange(10)
        boxes[at] = rng.choice((None, (boxes[at] or 0) + 1, -(boxes[at] or 0)))
    return f"{seat}: sums {' '.join('.' if n is None else str(n) for n in boxes)}"


def random_change(rng: random.Random, state: State) -> str:
    seat = rng.choice(state.seat_names())
    if rng.random() < 0.08:
        return f"{seat}: pass" + " hidden" * (rng.random() < 0.2)
    words = []
    for _ in range(rng.choice((0, 0, 0, 0, 1, 1, 2))):
        words.append(random_erasure(rng, state, seat))
    for _ in range(rng.choice((0, 1, 1, 1, 1, 1, 2)) if words else rng.choice((1, 1, 1, 1, 2))):
        words.append(random_entry(rng, state))
    words = list(dict.fromkeys(words))
    if rng.random() < 0.15:
        words.append(rng.choice(("x", "x", "x", "xx", "-x")))
    if any("=" in word and word[0] != "-" for word in words) and rng.random() < 0.05:
        words.append("late")
    if rng.random() < 0.03:
        words.append("hidden")
    if not words or set(words) <= {"hidden"}:
        words = ["x"]
    return " ".join([f"{seat}:", *words])


def random_entry(rng: random.Random, state: State) -> str:
    row, number = rng.choice(ROWS), rng.randint(1, 18)
    if state.throw is not None and state.throw.seen and rng.random() < 0.8:
        number = min(state.throw.total, 18)
        row = rng.choice(state.throw.colours)
    return f"{row}{rng.randrange(12)}={number}"


def random_erasure(rng: random.Random, state: State, seat: str) -> str:
    written = [
        (row, column, number)
        for row, columns in (("o", (2, 3, 4, 6, 7, 8, 9, 10, 11)), ("p", (0, 1, 2, 3, 5)))
        for column, number in zip(columns, state.player(seat).sheet.row(row), strict=False)
        if number > 0
    ]
    if not written or rng.random() < 0.1:
        return f"-{rng.choice(ROWS)}{rng.randrange(12)}"
    row, column, number = rng.choice(written)
    if rng.random() < 0.3:
        return f"-{row}{column}"
    return f"-{row}{column}={number if rng.random() < 0.9 else rng.randint(1, 18)}"


def conflicted(seed: int, count: int) -> Iterator[State]:
    """States whose sheets hold numbers that break placement rules, in a known order."""
    rng = random.Random(seed)
    for _ in range(count):
        number = rng.randint(1, 3)
        state = GAME.start(number, {**rng.choice(WAYS), "on_illegal": "stands"})
        for _ in range(rng.randint(4, 40)):
            if state.over:
                break
            text = random_act(rng, state) if rng.random() < 0.6 else ""
            move = GAME.read_move(state, text) if text else fair_move(rng, state)
            state = GAME.stand(state, (move,), None)
        yield state


assert Options().seat_names() == SEATS[:2]
