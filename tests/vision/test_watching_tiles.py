"""The watcher of tiles on drawn films: what it reads, when it looks, what it leaves alone."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.filmed_tiles import SKIN, TileFilm
from vision.glance import Glance
from vision.homography import project
from vision.readers.quinto import TilesOnBoard
from vision.resting import Rested, Resting, rest
from vision.settle import Bumped, HandIn, HandOut, Notice, Regained, Settled, Settling, settle
from vision.tiles import watching
from vision.tiles.classify import TileScores
from vision.tiles.models import TileThresholds
from vision.tiles.watching import VERIFY_TILES, TileWatcher


def watched(film: TileFilm, watcher: TileWatcher | None = None) -> list[Glance]:
    watcher = watcher or TileWatcher(film.models())
    return [watcher(film.shown(frame)) for frame in film.frames]


def notices(glances: list[Glance]) -> list[Notice]:
    state = Settling()
    found: list[Notice] = []
    for glance in glances:
        state, new = settle(state, glance)
        found += new
    return found


def boards(found: list[Notice]) -> list[TilesOnBoard]:
    settled = [one for one in found if isinstance(one, Settled)]
    layouts = [one.reading.layout for one in settled]
    assert all(isinstance(layout, TilesOnBoard) for layout in layouts)
    return layouts  # type: ignore[return-value]


def tiles(*laid: tuple[int, int, int]) -> tuple[tuple[int, int, str], ...]:
    return tuple((row, column, str(value)) for row, column, value in sorted(laid))


def counted(watcher: TileWatcher) -> list[int]:
    """How many crops each further call of the classifier takes."""
    calls: list[int] = []
    classifier = watcher._models.classifier
    classify = classifier.classify

    def count(crops: NDArray[np.uint8]) -> tuple[TileScores, ...]:
        calls.append(len(crops))
        return classify(crops)

    classifier.classify = count  # type: ignore[assignment,method-assign]
    return calls


def test_a_play_is_read_once_the_hand_is_gone() -> None:
    film = TileFilm([(6, 8, 5), (6, 9, 5)]).shoot(12)
    gone = len(film.lay((7, 8, 3), (8, 8, 2)).frames)
    film.shoot(8)
    glances = watched(film)
    for glance in glances:
        assert glance.reading is None or not glance.hand  # what is hidden is not read
    found = notices(glances)
    before, after = boards(found)
    assert before.grid == after.grid == (13, 17)
    assert before.tiles == tiles((6, 8, 5), (6, 9, 5))
    assert after.tiles == tiles((6, 8, 5), (6, 9, 5), (7, 8, 3), (8, 8, 2))
    assert [type(one) for one in found] == [Settled, HandIn, HandOut, Settled]
    settled = found[-1]
    assert isinstance(settled, Settled)
    assert settled.number - gone <= 5  # half a second
    assert settled.touched
    assert not settled.reading.doubts


def test_a_tile_that_keeps_the_texture_of_its_cell_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a pale one on a pale board, over which no hand was seen to move."""

    def alike(zone: NDArray[np.uint8], *_: object) -> NDArray[np.bool_]:
        return np.zeros(13 * 17, np.bool_)

    class Unmoved(TileWatcher):
        def _motion(self, *seen: Any) -> float:
            moving = super()._motion(*seen)
            self._touched[:] = False
            return moving

    monkeypatch.setattr(watching, "changed_cells", alike)
    film = TileFilm([(6, 8, 5), (6, 9, 5)]).shoot(12).lay((7, 8, 3), (8, 8, 2)).shoot(10)
    before, after = boards(notices(watched(film, Unmoved(film.models()))))
    assert before.tiles == tiles((6, 8, 5), (6, 9, 5))
    assert after.tiles == tiles((6, 8, 5), (6, 9, 5), (7, 8, 3), (8, 8, 2))


def test_an_empty_board_is_followed_and_its_first_tiles_say_which_way_is_up() -> None:
    film = TileFilm(turn=2).shoot(12).lay((6, 8, 5), (6, 9, 4)).shoot(10)
    first, second = boards(notices(watched(film)))
    assert first.tiles == ()
    assert second.tiles == tiles((6, 8, 5), (6, 7, 4))


def test_only_what_changed_is_told_anew() -> None:
    film = TileFilm([(6, 8, 5), (6, 9, 5)]).shoot(15).lay((7, 8, 5)).shoot(8)
    watcher = TileWatcher(film.models())
    for frame in film.frames[:15]:
        watcher(film.shown(frame))
    told = counted(watcher)
    glances = [watcher(film.shown(frame)) for frame in film.frames[15:]]
    assert glances[-1].reading is not None
    assert 0 < max(told) < 60  # what the hand passed over, not 221


def test_a_tile_taken_away_is_seen_to_be_gone() -> None:
    film = TileFilm([(6, 8, 5), (6, 9, 3), (6, 10, 2)]).shoot(12).take(6, 9).shoot(8)
    assert boards(notices(watched(film)))[-1].tiles == tiles((6, 8, 5), (6, 10, 2))


def test_a_bumped_camera_is_found_again() -> None:
    film = TileFilm([(6, 8, 5), (6, 9, 5)]).shoot(12)
    film.rig.aim = (664, 373)
    film.shoot(14).lay((7, 8, 5)).shoot(8)
    found = notices(watched(film))
    assert [type(one) for one in found if isinstance(one, Bumped | Regained)] == [Bumped, Regained]
    assert boards(found)[-1].tiles == tiles((6, 8, 5), (6, 9, 5), (7, 8, 5))


def test_a_table_at_rest_costs_little_and_a_lamp_that_is_turned_down_changes_nothing() -> None:
    film = TileFilm([(6, 8, 5), (6, 9, 5), (6, 10, 0)]).shoot(20).shoot(8, gain=0.8)
    watcher = TileWatcher(film.models())
    calls = counted(watcher)
    found = notices(watched(film, watcher))
    assert len(boards(found)) == 1
    assert not [one for one in found if isinstance(one, HandIn | Bumped)]
    assert sum(calls[:4]) >= 3 * 13 * 17  # found, and told twice more
    assert calls[4:]
    assert max(calls[4:]) <= VERIFY_TILES


def test_no_board_is_said_with_what_to_do() -> None:
    film = TileFilm().shoot(3)
    film.detector.known = []
    watcher = TileWatcher(film.models())
    frame = film.frames[0]
    glance = watcher(replace(frame, image_bgr=np.full_like(frame.image_bgr, 90)))
    assert glance.board == "lost"
    assert glance.problem is not None
    assert glance.problem.reason == "no-tiles"


def test_a_rest_is_told_once_and_again_after_a_hand() -> None:
    state, told = Resting(), []
    for number in range(140):
        hand = 60 <= number < 63
        state, rested = rest(state, Glance(number / 10, number, None, True, 3, 0.0, hand, "steady"))
        told += [rested] if rested else []
    assert told == [Rested(3.0), Rested(9.3)]


def resting(*glances: Glance) -> list[float]:
    """When a rest was told."""
    state, told = Resting(), []
    for glance in glances:
        state, rested = rest(state, glance)
        told += [rested.at_s] if rested else []
    return told


def test_a_shadow_that_passes_stops_the_clock_of_a_rest_and_a_hand_sets_it_back() -> None:
    def shot(number: int, moving: float = 0.0, hand: bool = False) -> Glance:
        return Glance(number / 10, number, None, True, 3, moving, hand, "steady")

    shadow = [shot(n, moving=0.02 if 10 <= n < 20 else 0.0) for n in range(60)]
    assert resting(*shadow) == [pytest.approx(4.1, abs=0.11)]
    hand = [shot(n, hand=n == 20) for n in range(60)]
    assert resting(*hand) == [pytest.approx(5.1, abs=0.11)]


def test_another_board_sets_the_clock_of_a_rest_back() -> None:
    film = TileFilm([(6, 8, 5)]).shoot(8).lay((6, 9, 5)).shoot(8)
    glances = watched(film)
    first, second = glances[6], glances[-1]
    shown = [
        replace(first if n < 20 else second, at_s=n / 10, number=n, moving=0.0, hand=False)
        for n in range(60)
    ]
    assert resting(*shown) == [pytest.approx(5.0, abs=0.11)]


def test_a_hand_that_reaches_in_from_nowhere_is_no_part_of_the_board() -> None:
    """As one of the table's colour: nothing hangs together with the edge of the zone."""
    film = TileFilm([(6, 8, 5), (6, 9, 5)]).shoot(8)
    begin = len(film.frames)
    film.shoot(10, (6.0, 3.0))
    x, y = project(film.rig.plane(), [(3.5, 9.0)])[0].astype(int)
    for number in range(begin, begin + 10):  # the arm is not told from the table
        frame = film.frames[number]
        image = film.frames[0].image_bgr.copy()
        image[y - 90 : y, x - 40 : x + 40] = SKIN
        film.frames[number] = replace(frame, image_bgr=image)
    film.shoot(8).lay((7, 8, 3)).shoot(8)
    glances = watched(film)
    assert [glance.hand for glance in glances[begin + 2 : begin + 10]] == [True] * 8
    assert [glance.hand for glance in glances[begin + 11 : begin + 18]] == [False] * 7
    before, after = boards(notices(glances))
    assert before.tiles == tiles((6, 8, 5), (6, 9, 5))
    assert after.tiles == tiles((6, 8, 5), (6, 9, 5), (7, 8, 3))


def test_one_frame_that_seems_shifted_is_no_bump(monkeypatch: pytest.MonkeyPatch) -> None:
    film = TileFilm([(6, 8, 5), (6, 9, 5)]).shoot(12).shoot(4, (8.0, 9.0)).shoot(8)
    told = iter([(0.44, 0.15)])
    monkeypatch.setattr(watching, "shift_cells", lambda *_: next(told, (0.0, 0.6)))
    found = notices(watched(film))
    assert next(told, None) is None
    assert not [one for one in found if isinstance(one, Bumped)]


def test_many_doubts_are_handed_on_since_a_match_knows_what_lay_there() -> None:
    film = TileFilm([(6, 8, 5), (6, 9, 5), (6, 10, 0)]).shoot(7)
    models = replace(film.models(), thresholds=TileThresholds(empty=0.9999))
    glances = watched(film, TileWatcher(models))
    assert glances[-1].board == "steady"
    assert glances[-1].reading is not None
    assert glances[-1].reading.layout is not None
    assert len(glances[-1].reading.doubts) > 100
