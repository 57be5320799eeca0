"""The figures of the dashboard come from a real server and real viewers."""

from engine import quixo
from models import bench_dashboard


def test_viewers_are_served_and_see_every_move() -> None:
    used_s, waits_ms = bench_dashboard.served(viewers=2, seconds=1.0, moves=3)
    assert used_s >= 0
    assert len(waits_ms) == 3
    assert all(0 < wait < 30_000 for wait in waits_ms)


def test_the_game_is_legal_seeded_and_goes_on() -> None:
    texts = bench_dashboard.game(30)
    assert texts == bench_dashboard.game(30)
    state = quixo.GAME.start(2, {})
    for text in texts:
        move = quixo.GAME.read_move(state, text)
        assert not quixo.GAME.findings(state, move)
        state = quixo.GAME.play(state, move)
    assert quixo.GAME.over(state) is None
