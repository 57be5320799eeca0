"""Live tables as data: readings, notices and whole scripts of glances, without pictures."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from engine.quixo import GAME, UNSEEN, Layout, Move, State
from engine.quixo.game import result_of
from engine.quixo.move import lifted
from server.commands import Wish
from server.frames import turned
from server.refereeing import Noted, Table, step
from vision.frames import Frame, SourceStatus
from vision.glance import Glance
from vision.homography import Quad
from vision.observation import Field, Reading
from vision.quality import Quality
from vision.settle import Glimpsed, HandIn, HandOut, Settled

QUALITY = Quality(1.0, 0.5, 0.0, 100.0, 0.0)
QUAD: Quad = ((0.0, 0.0), (500.0, 0.0), (500.0, 500.0), (0.0, 500.0))
MIDDLE = "X...O/...../..X../...../O...X - S turn=4"
UNLIKE = "XX..O/...../..X../...../O...X - S turn=4"  # looks different from all four sides
Doubts = Mapping[str, tuple[tuple[str, float], ...]]


def reading(layout: Layout, doubts: Doubts | None = None, quad_px: Quad = QUAD) -> Reading[Layout]:
    """What a picture of a board reads as; the values in ``doubts`` are asked about."""
    fields = []
    for index, (mark, dot) in enumerate(zip(layout.marks, layout.dots, strict=True)):
        row, col = divmod(index, layout.size)
        for kind, value in (("rows", mark), ("dots", dot)):
            if kind == "dots" and value == ".":
                continue
            where = f"{kind}[{row}][{col}]"
            candidates = (doubts or {}).get(where, ((value, 1.0),))
            asked = where in (doubts or {})
            x, y = col * 100.0, row * 100.0
            cell: Quad = ((x, y), (x + 100, y), (x + 100, y + 100), (x, y + 100))
            fields.append(Field(where, value, candidates[0][1], candidates, asked, cell))
    return Reading(layout, tuple(fields), quad_px, QUALITY)


@dataclass
class Scene:
    """A table under test: takes what happens and keeps what was noted.

    Attributes:
        table: as the referee has it.
        noted: all events so far.
        now_s: time on the source's clock.
        quarters: how the camera's picture is turned against the match's frame.
        quad_px: corners of the board in the picture.
    """

    table: Table
    noted: list[Noted]
    now_s: float = 0.0
    quarters: int = 0
    quad_px: Quad = QUAD

    @property
    def state(self) -> State:
        """The state of the match."""
        assert self.table.match is not None
        return GAME.read(self.table.match.state)

    def kinds(self) -> list[str]:
        """Names of all events so far."""
        return [type(one.event).__name__ for one in self.noted]

    def feed(self, happening: object) -> list[str]:
        """Take in one happening; returns the names of the events it led to."""
        self.table, noted = step(GAME, self.table, happening)  # type: ignore[arg-type]
        self.noted += noted
        return [type(one.event).__name__ for one in noted]

    def wish(self, name: str, **body: object) -> list[str]:
        """Take in a command."""
        return self.feed(Wish(name, body))

    def shows(
        self,
        layout: Layout,
        *during: Layout,
        doubts: Doubts | None = None,
        visits: int = 1,
        touched: bool = True,
    ) -> list[str]:
        """A hand comes and goes, then the table rests; layouts are in the match's frame."""
        glimpses = []
        for n in range(visits):
            self.feed(HandIn(self.now_s))
            self.now_s += 2.0
            if n == 0:
                for glimpse in during:
                    self.now_s += 0.5
                    seen = reading(self._seen(glimpse), quad_px=self.quad_px)
                    glimpses.append(Glimpsed(seen, self._number(), self.now_s))
            self.feed(HandOut(self.now_s))
            self.now_s += 1.0
        after = reading(self._seen(layout), doubts, self.quad_px)
        number = self._number()
        rest = Settled(
            tuple(glimpses), after, self.now_s, number, (number,), self.now_s - 0.5, touched
        )
        return self.feed(rest)

    def still(self, layout: Layout, doubts: Doubts | None = None) -> list[str]:
        """The table reads otherwise although nobody touched it."""
        return self.shows(layout, doubts=doubts, visits=0, touched=False)

    def move(self, text: str, *, glimpsed: bool = True) -> list[str]:
        """A move as it is seen: the gap of the lifted cube, then the board after."""
        move = GAME.read_move(self.state, text)
        during = (gap(self.state, move),) if glimpsed else ()
        return self.shows(result_of(self.state, move), *during)

    def _seen(self, layout: Layout) -> Layout:
        return turned(layout, -self.quarters)

    def _number(self) -> int:
        return round(self.now_s * 8)


def gap(state: State, move: Move) -> Layout:
    """The board with the cube of a move in a hand."""
    row, col = move.taken()
    return lifted(state.layout, row * state.layout.size + col)


def after(state: State, text: str) -> Layout:
    """The board after a move, legal or not."""
    return result_of(state, GAME.read_move(state, text))


def begun(
    state: str = "", *, commit: str = "stable", south: str = "bottom", **body: object
) -> Scene:
    """A table with a match that has just begun and been seen."""
    scene = Scene(Table(), [])
    if state:
        body["state"] = state
    scene.wish("start", game="quixo", commit=commit, south=south, **body)
    scene.quarters = {"bottom": 0, "right": 1, "top": 2, "left": 3}[south]
    assert scene.shows(scene.state.layout, visits=0, touched=False) == []
    return scene


def verdict(scene: Scene) -> str:
    """The verdict on the latest move."""
    match = scene.table.match
    assert match is not None
    ruling = match.provisional or match.steps[-1].ruling
    assert ruling is not None
    return ruling.verdict.value


def rules(scene: Scene) -> set[str]:
    """Ids of the rules that the latest move breaks."""
    match = scene.table.match
    assert match is not None
    ruling = match.provisional or match.steps[-1].ruling
    assert ruling is not None
    return {finding.rule for finding in ruling.findings}


def foul_then(scene: Scene) -> Layout:
    """A foul that is told; returns the board that lies there."""
    board = after(scene.state, "b3>L")
    move = GAME.read_move(scene.state, "b3>L")
    assert scene.shows(board, gap(scene.state, move)) == ["Moved", "Committed"]
    assert verdict(scene) == "illegal"
    return board


# --- Whole scripts, for loops that run as they would with a camera ---

FPS = 15


@dataclass
class ScriptedSource:
    """A source of small frames whose glances are written down.

    Args:
        frames: how many.
        paced: wait between frames as a camera would, seconds.
    """

    frames: int
    paced_s: float = 0.0
    first: int = 0
    id: str = "script"

    def __post_init__(self) -> None:
        self._number = self.first - 1

    def next(self, timeout_s: float) -> Frame | None:
        """The next frame."""
        if self._number + 1 >= self.frames:
            return None
        if self.paced_s:
            import time

            time.sleep(self.paced_s)
        self._number += 1
        image = np.full((8, 8, 3), self._number % 200, np.uint8)
        image[0, 0] = self._number % 256, self._number // 256, 7
        return Frame(image, self._number / FPS, self._number, self.id)

    @property
    def status(self) -> SourceStatus:
        """Live until the script ends."""
        return SourceStatus("ended" if self._number + 1 >= self.frames else "live")

    def close(self) -> None:
        """Nothing to let go of."""


class Script:
    """Glances of a game played move by move; call it as a watcher.

    Args:
        start: the state it begins with.
        moves: in notation, legal or not; a foul is put back by hand.
    """

    def __init__(self, start: State, moves: tuple[str, ...]) -> None:
        self._glances: list[tuple[Layout | None, bool]] = []
        state = start
        self._rest(state.layout, 1.0)
        for text in moves:
            state = self._play(state, text)
        self.end = state

    @property
    def frames(self) -> int:
        """How many frames it has."""
        return len(self._glances)

    def __call__(self, frame: Frame) -> Glance:
        layout, hand = self._glances[frame.number]
        seen = None if layout is None else reading(layout)
        whole = layout is not None and not {"_", UNSEEN} & set(layout.marks) and not hand
        moving = 0.1 if hand else 0.0
        return Glance(
            frame.at_s, frame.number, seen, whole, 3, moving, hand, "steady", QUAD, QUALITY
        )

    def _play(self, state: State, text: str) -> State:
        from engine.referee import judge_move

        move = GAME.read_move(state, text)
        ruling = judge_move(GAME, state, move)
        lying = result_of(state, move)
        self._visit(gap(state, move), lying)
        next_state = GAME.read(ruling.state_text)
        if next_state.layout != lying and not next_state.layout.fits(lying, with_dots=False):
            self._visit(gap(state, move), next_state.layout)
        return next_state

    def _visit(self, glimpse: Layout, then: Layout) -> None:
        self._glances += [(None, True)] * 3 + [(glimpse, True)] * 6 + [(None, True)] * 3
        self._rest(then, 0.8)

    def _rest(self, layout: Layout, seconds: float) -> None:
        self._glances += [(layout, False)] * round(seconds * FPS)


def random_moves(state: State, seed: int, count: int, *, foul_every: int = 4) -> tuple[str, ...]:
    """Moves of a game at random, now and then an inner cube taken against the rules."""
    import random

    rng = random.Random(seed)
    found: list[str] = []
    while len(found) < count and state.decision is None:
        if foul_every and len(found) % foul_every == foul_every - 1:
            found.append(_foul(state, rng.randrange(100)))
            continue
        moves = GAME.moves(state)
        visible = [m for m in moves if not GAME.unchanged(state, GAME.play(state, m).layout)]
        move = rng.choice(visible or list(moves))
        found.append(GAME.write_move(move))
        state = GAME.play(state, move)
    return tuple(found)


def _foul(state: State, pick: int) -> str:
    """An inner cube taken and pushed in at an end of its row, so that the board changes."""
    texts = (f"{column}{row}>{end}" for row in (2, 3, 4) for column in "bcd" for end in "LR")
    changing = [t for t in texts if not GAME.unchanged(state, after(state, t))]
    return changing[pick % len(changing)]


def fold_of(start: State, moves: tuple[str, ...]) -> Iterator[State]:
    """The states that the moves lead to, by the rules alone."""
    from engine.referee import judge_move

    state = start
    for text in moves:
        state = GAME.read(judge_move(GAME, state, GAME.read_move(state, text)).state_text)
        yield state
