"""Memory of the camera loop: the figure, the recording it is measured on, and two hours of it."""

from pathlib import Path

import pytest

from models import bench_memory
from models.bench_memory import MOST_GROWTH, TEN_MINUTES_S, WARM_S, growth, looped, watched
from server.live.replaying import about
from vision.sources import open_source

TWO_HOURS_S = 7200.0
SHORT_S = 8.0


def test_growth_is_of_the_last_third_over_the_first_after_warming_up():
    warming = [(at_s, 10.0) for at_s in range(0, int(WARM_S), 2)]
    first, middle, last = ([(WARM_S + 10 * n + k, mb) for k in range(5)]
                           for n, mb in enumerate((200.0, 999.0, 210.0)))  # fmt: skip
    assert growth([*warming, *first, *middle, *last]) == pytest.approx(5.0)
    with pytest.raises(ValueError, match="expected at least 9"):
        growth(warming)


def test_the_recording_goes_on_and_on_without_the_end_of_its_match(tmp_path: Path):
    folder = looped(tmp_path / "recording", SHORT_S)
    frames = sorted((folder / "frames").iterdir())
    first = frames[0].stat().st_ino
    again = [number for number, path in enumerate(frames) if path.stat().st_ino == first]
    once = again[1]
    assert again[0] == 0
    assert len(frames) == once + int(SHORT_S * 8)
    assert about(folder).game == "quixo"
    source = open_source(str(folder), every_frame=True)
    seen = source.next(5)
    source.close()
    assert seen is not None
    assert seen.image_bgr.shape == (720, 1280, 3)


@pytest.mark.weights
def test_a_loop_that_ends_before_its_time_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(bench_memory, "looped", lambda folder, seconds: tmp_path / "nothing")
    with pytest.raises(RuntimeError, match=r"arbitre watch ended with 2: .*nothing"):
        watched(60)


@pytest.mark.soak
@pytest.mark.weights
@pytest.mark.parametrize("seconds", [TEN_MINUTES_S, TWO_HOURS_S])
def test_memory_stays_flat(seconds: float):
    samples = watched(seconds)
    assert growth(samples) <= MOST_GROWTH
