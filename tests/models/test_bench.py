"""The benchmark measures what it says: the picture, the percentiles, the verdict."""

import csv
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.audits import AUDITORS
from engine.games import GAMES
from models import bench, bench_games, figures
from models.bench_picture import large_jpeg


def test_picture_is_large_noisy_and_seeded(tmp_path: Path) -> None:
    path = tmp_path / "board.jpg"
    cv2.imwrite(str(path), np.full((300, 500, 3), 120, np.uint8))
    data = large_jpeg(path)
    assert len(data) >= 3_000_000
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape == (3000, 4000, 3)
    assert np.std(image[:200, :200, 1]) > 3
    assert large_jpeg(path) == data


def test_missing_picture_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"none\.jpg"):
        large_jpeg(tmp_path / "none.jpg")


def test_warm_runs_are_not_counted() -> None:
    calls: list[int] = []
    assert len(figures.timed(lambda: calls.append(1), 4, warm=2)) == 4
    assert len(calls) == 6


def test_judging_is_measured_on_real_games() -> None:
    measured = bench.engine_figures(games=1, plies=6)
    assert [figure.runs for figure in measured[:2]] == [5, 1]
    assert all(figure.value > 0 for figure in measured)


def test_every_game_is_measured_on_its_written_games() -> None:
    for game in GAMES.values():
        logs = bench_games.logs_of(game)
        assert logs
        bench_games.judge_all(game, logs[0])
        times = bench_games.update_times(game, logs[0])
        assert 0 < len(times) <= len(logs[0].entries)
        assert all(time > 0 for time in times)


def test_audits_are_measured_on_sheets_that_fit_and_that_do_not() -> None:
    assert set(bench_games.AUDIT_MS) == set(AUDITORS)
    for game_id in AUDITORS:
        game = GAMES[game_id]
        sheets = bench_games.final_sheets(game, bench_games.logs_of(game)[0])
        assert len(sheets) >= 1


def test_plays_are_measured_on_crowded_boards() -> None:
    times = bench_games.play_times()
    assert len(times) > 100
    assert all(time > 0 for time in times)


def test_table_says_which_limit_is_broken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = figures.Figure("short", 1.0, "ms", 2.0, 3)
    broken = figures.Figure("long", 3.0, "ms", 2.0, 3)
    bench.write([kept, broken], tmp_path / "new" / "bench.csv")
    with (tmp_path / "new" / "bench.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["kept"] for row in rows] == ["yes", "no"]
    assert rows[0]["machine"].endswith("cores")
    bench.report([kept, broken])
    lines = capsys.readouterr().out.splitlines()
    assert [line[0] for line in lines[1:]] == [" ", "!"]
