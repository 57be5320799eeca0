"""A board of tiles through watcher and referee: a drawn film, every frame in order."""

from collections import deque
from typing import Any

import pytest

from engine.events import Started
from engine.games import get
from engine.match import Match, begin
from server.live.eye import TileEye
from server.live.replaying import replay
from server.live.telling import Ruled
from tests.vision.filmed_tiles import TileFilm
from vision.frames import Frame, SourceStatus
from vision.glance import Glance
from vision.tiles.watching import TileWatcher


class Reel:
    """A film as a source."""

    id = "film"

    def __init__(self, film: TileFilm) -> None:
        self._film = film
        self._left = deque(film.frames)
        self.status = SourceStatus("ended")

    def next(self, wait_s: float) -> Frame | None:
        return self._film.shown(self._left.popleft()) if self._left else None

    def close(self) -> None:
        pass


@pytest.fixture(scope="module")
def told() -> list[Ruled]:
    """A legal play in two parts, a foul that stays there for a while, and its being put right."""
    film = TileFilm().shoot(6).lay((6, 8, 5)).shoot(5).lay((6, 9, 5), (6, 10, 5)).shoot(30)
    film.lay((7, 8, 4)).shoot(36).take(7, 8).shoot(5).lay((7, 8, 0)).shoot(5)
    eye = TileEye(TileWatcher(film.models()))
    return list(replay(Reel(film), eye, get("quinto"), {"options": {"seats": "2"}}))


def test_a_play_in_parts_is_one_play_and_a_foul_is_told_once(told: list[Ruled]) -> None:
    assert [(one.ruling.seat, one.ruling.move, one.ruling.verdict.value) for one in told] == [
        ("A", "i7>555", "legal"),
        ("B", "i8=4", "illegal"),
        ("B", "i8=0", "legal"),
    ]
    assert [one.n for one in told] == [1, 2, 3]
    assert [finding.rule for finding in told[1].ruling.findings] == ["quinto.line.multiple"]
    assert told[-1].ruling.scores == (15, 5)


def test_rulings_name_the_frame_at_which_the_board_had_settled(told: list[Ruled]) -> None:
    for one in told:
        assert one.frame is not None
        assert one.at_s == pytest.approx(one.frame / 10)


def test_the_eye_looks_for_the_board_of_the_match_under_way() -> None:
    class Told:
        def __init__(self) -> None:
            self.sizes: list[tuple[int, int] | None] = []

        def __call__(self, frame: Frame) -> Glance:
            raise AssertionError

        def expect(self, size: tuple[int, int] | None) -> None:
            self.sizes.append(size)

    def match_of(game_id: str, **options: str) -> Match[Any]:
        game = get(game_id)
        return begin(game, Started(game_id, game.write(game.start(2, options))))

    told = Told()
    eye = TileEye(told)
    wide = match_of("quinto", edition="1968")
    for match in (None, wide, wide, match_of("quixo"), match_of("quinto"), None):
        eye.expect(match)
    assert told.sizes == [(13, 18), None, (13, 17), None]
