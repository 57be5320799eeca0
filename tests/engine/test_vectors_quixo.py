"""Known positions and counts of Quixo, each by the id of its vector."""

from collections import Counter

import pytest

from engine import quixo
from engine.game import Change
from engine.grid import turned_clockwise
from engine.quixo.game import GAME
from engine.referee import judge
from engine.ruling import Verdict
from tests.engine.positions import VECTORS, joined, perft

LINE_VECTORS = [
    "quixo-win",
    "quixo-loses-by-opponent-line",
    "quixo-loses-by-opponent-column",
    "quixo-both-lines",
]


def line_name(zero_based: str) -> str:
    kind, _, number = zero_based.partition(" ")
    return f"{kind} {'abcde'[int(number)] if kind == 'column' else int(number) + 1}"


@pytest.mark.parametrize("vector_id", LINE_VECTORS)
def test_lines(vector_id: str) -> None:
    vector = VECTORS[vector_id]
    before = joined("".join(vector["before"]))
    move = quixo.Move(tuple(vector["cube"]), vector["insert"])
    assert move in GAME.moves(before)
    after = GAME.play(before, move)
    assert "".join(after.layout.marks) == "".join(vector["after"])
    assert after.decision is not None
    assert after.decision.winners == (("S",) if vector["winner"] == "X" else ("N",))
    named = {name for _, name in after.decision.lines}
    expected = {line_name(vector[key]) for key in ("line", "x_line", "o_line") if key in vector}
    assert named == expected
    assert GAME.moves(after) == ()


@pytest.mark.parametrize("vector_id", LINE_VECTORS)
def test_lines_are_found_by_the_referee(vector_id: str) -> None:
    vector = VECTORS[vector_id]
    after = quixo.Layout.of_marks("".join(vector["after"]))
    ruling = judge(GAME, joined("".join(vector["before"])), Change((), after))
    assert ruling.verdict is Verdict.LEGAL
    assert ruling.over is not None
    assert ruling.over.winners == (("S",) if vector["winner"] == "X" else ("N",))


@pytest.mark.parametrize("size", [3, 4, 5])
def test_perft_from_the_start(size: int) -> None:
    known = VECTORS["quixo-perft-start"][f"{size}x{size}"]
    start = GAME.start(2, {"size": str(size)})
    depth = {3: 4, 4: 3, 5: 4}[size]
    assert [perft(start, d) for d in range(1, depth + 1)] == known[:depth]


@pytest.mark.soak
@pytest.mark.parametrize(("size", "depth"), [(3, 5), (4, 5)])
def test_perft_deep(size: int, depth: int) -> None:
    start = GAME.start(2, {"size": str(size)})
    assert perft(start, depth) == VECTORS["quixo-perft-start"][f"{size}x{size}"][depth - 1]


def test_distinct_positions() -> None:
    known = VECTORS["quixo-perft-start"]["distinct_after_ply"]
    layer = {GAME.start()}
    for count, up_to_symmetry in zip(
        known["5x5"][:3], known["5x5_up_to_symmetry"][:3], strict=True
    ):
        played = (GAME.play(state, move) for state in layer for move in GAME.moves(state))
        layer = {GAME.join(state.layout, state.seat) for state in played}
        assert len(layer) == count
        assert len({canonical(state.layout.marks) for state in layer}) == up_to_symmetry


def canonical(marks: tuple[str, ...]) -> tuple[str, ...]:
    mirrored = tuple(marks[r * 5 + 4 - c] for r in range(5) for c in range(5))
    return min(turned_clockwise(m, 5, q) for m in (marks, mirrored) for q in range(4))


@pytest.mark.parametrize("board", sorted(VECTORS["quixo-perft-midgame"]["positions"]))
def test_perft_midgame(board: str) -> None:
    """Move sequences of 1, 2, 3 moves, and how many end with the last mover's win or loss."""
    for depth, known in enumerate(VECTORS["quixo-perft-midgame"]["positions"][board], start=1):
        assert list(count_ends(joined(board), depth)) == known


def count_ends(state: quixo.State, depth: int) -> tuple[int, int, int]:
    leaves = wins = losses = 0
    for move in GAME.moves(state):
        after = GAME.play(state, move)
        if depth > 1:
            one, two, three = count_ends(after, depth - 1)
        else:
            over = after.decision
            won = over is not None and state.seat in over.winners
            one, two, three = 1, int(won), int(over is not None and not won)
        leaves, wins, losses = leaves + one, wins + two, losses + three
    return leaves, wins, losses


@pytest.mark.parametrize(("seat", "pushes"), [("S", 0), ("N", 40)])
def test_forced_pass(seat: str, pushes: int) -> None:
    vector = VECTORS["quixo4-forced-pass"]
    marks = "".join(vector["board"])
    dots = tuple("N" if m == "X" else "E" if m == "O" else "." for m in marks)
    options = quixo.Options(seats=4)
    state = GAME.join(quixo.Layout(5, tuple(marks), dots), seat, options)
    moves = GAME.moves(state)
    assert len([m for m in moves if m.kind is quixo.Kind.PUSH]) == pushes
    assert ([m.kind for m in moves] == [quixo.Kind.PASS]) == (pushes == 0)
    assert len({(m.cube, m.end) for m in moves if m.cube is not None}) == pushes // 2


def test_first_moves_with_four_players() -> None:
    assert len(GAME.moves(GAME.start(4))) == 88


def test_first_moves_give_sixteen_boards() -> None:
    start = GAME.start()
    assert len({GAME.play(start, move).layout for move in GAME.moves(start)}) == 16


class Solver:
    """Solves a small board backwards with the engine's own moves: the mover plays crosses."""

    def __init__(self, size: int) -> None:
        self.options = quixo.Options(size=size)
        self.size = size
        self.value: dict[str, int] = {}  # 1 the mover wins, -1 loses; missing: not known
        self.plies: dict[str, int] = {}
        self.terminal: Counter[str] = Counter()
        self.next: dict[str, set[str]] = {}

    def solve(self) -> None:
        for number in range(3 ** (self.size * self.size)):
            self._enter(self._board(number))
        before: dict[str, list[str]] = {}
        for board, later in self.next.items():
            for other in later:
                before.setdefault(other, []).append(board)
        left = {board: len(later) for board, later in self.next.items()}
        queue = list(self.value)
        for board in queue:
            for earlier in before.get(board, ()):
                self._settle(board, earlier, left, queue)

    def _board(self, number: int) -> str:
        digits = []
        for _ in range(self.size * self.size):
            number, digit = divmod(number, 3)
            digits.append(".XO"[digit])
        return "".join(digits)

    def _enter(self, board: str) -> None:
        state = GAME.join(quixo.Layout.of_marks(board), "S", self.options)
        if state.decision is not None:
            marks = {mark for mark, _ in state.decision.lines}
            won = state.decision.winners == ("S",)
            self.value[board], self.plies[board] = (1 if won else -1), 0
            self.terminal["win" if won else "loss"] += 1
            self.terminal["both_lines"] += len(marks) == 2  # counted as the win it is, too
            return
        swap = str.maketrans("XO", "OX")
        played = {GAME.play(state, move).layout.marks for move in GAME.moves(state)}
        self.next[board] = {"".join(marks).translate(swap) for marks in played}

    def _settle(self, board: str, earlier: str, left: dict[str, int], queue: list[str]) -> None:
        if earlier in self.value:
            return
        left[earlier] -= 1
        if self.value[board] == -1:
            self.value[earlier] = 1
        elif left[earlier] == 0:
            self.value[earlier] = -1
        else:
            return
        self.plies[earlier] = self.plies[board] + 1
        queue.append(earlier)


def test_board_of_three_solved() -> None:
    known = VECTORS["quixo-solved-small"]["3x3"]
    solver = Solver(3)
    solver.solve()
    values = Counter(solver.value.values())
    undecided = 3**9 - len(solver.value)
    assert [values[1], values[-1], undecided] == known["wld"]
    assert dict(solver.terminal) == known["terminal"]
    assert (solver.value["." * 9], solver.plies["." * 9]) == (1, known["plies"])
