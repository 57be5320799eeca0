"""What stirs over a tray, and when the networks look: drawn frames through the real watcher."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.filmed_dice import (
    Drawn,
    DrawnClassifier,
    DrawnDetector,
    Film,
    Image,
    drawn_models,
    table,
)
from vision.detect import Detection
from vision.dice.classify import DieScores
from vision.dice.colours import DiceSet, DieHue
from vision.dice.glance import DiceLook
from vision.dice.rolls import Handled, Rolled, Rolling, RollNotice, track
from vision.dice.stirring import Stirring, differs
from vision.dice.watching import DiceWatcher
from vision.readers.dice import PIPS, SYMBOLS

ONE, TWO = Drawn(400, 300, "3"), Drawn(700, 360, "5")


def watch(film: Film, watcher: DiceWatcher | None = None) -> list[DiceLook]:
    watcher = DiceWatcher(drawn_models()) if watcher is None else watcher
    return [watcher(frame) for frame in film.frames]


def told(film: Film, watcher: DiceWatcher | None = None) -> list[RollNotice]:
    watcher = DiceWatcher(drawn_models()) if watcher is None else watcher
    state = Rolling(PIPS, drawn_models().thresholds)
    found: list[RollNotice] = []
    for frame in film.frames:
        state, notices = track(state, watcher(frame))
        found += notices
    return found


def rolls(film: Film, watcher: DiceWatcher | None = None) -> list[Rolled]:
    return [notice for notice in told(film, watcher) if isinstance(notice, Rolled)]


def values(roll: Rolled) -> list[str]:
    assert roll.reading.layout is not None
    return [die.value for die in roll.reading.layout.dice]


def test_a_throw_is_seen_and_read() -> None:
    film = Film().shoot(10).throw(ONE, TWO).shoot(12)
    (roll,) = rolls(film)
    assert (values(roll), roll.unsure) == (["3", "5"], False)
    rested_s = (len(film.frames) - 12) / 15
    assert rested_s <= roll.since_s <= rested_s + 2 / 15
    assert roll.at_s - rested_s <= 0.7


def test_dice_taken_up_and_thrown_again() -> None:
    film = Film()
    film.dice = [ONE, TWO]
    film.shoot(10).reach(400, 300)
    film.dice = [TWO]
    film.leave(400, 300).throw(Drawn(520, 200, "6")).shoot(12)
    (roll,) = rolls(film)
    assert (values(roll), roll.unsure) == (["6"], False)
    assert [die.value for die in roll.others] == ["5"]


@pytest.mark.parametrize("to", [Drawn(520, 250, "3"), Drawn(400, 300, "6")])
def test_a_die_that_a_hand_moves_or_turns_is_no_roll(to: Drawn) -> None:
    film = Film()
    film.dice = [ONE, TWO]
    film.shoot(10).reach(400, 300).reach(to.x, to.y, 2)
    film.dice = [to, TWO]
    film.reach(to.x, to.y, 1).leave(to.x, to.y).shoot(14)
    notices = [notice for notice in told(film) if isinstance(notice, Handled | Rolled)]
    assert notices == [Handled("moved", 1, notices[0].at_s)]


def test_light_and_shadow_are_no_hand() -> None:
    film = Film()
    film.dice = [ONE]
    film.shoot(10)
    for gain in (0.97, 0.94, 0.9, 0.86):
        film.shoot(2, gain=gain)
    film.shoot(10, gain=0.86)
    assert told(film) == []
    assert not any(look.hand for look in watch(film)[1:])
    shaded = film.ground.copy()
    shaded[:, 800:] = shaded[:, 800:] * 0.6
    assert not differs(shaded, film.ground).any()


def test_networks_look_only_after_something_moved() -> None:
    detector = DrawnDetector()
    models = replace(drawn_models(), detector=detector)
    film = Film()
    film.dice = [ONE]
    looks = watch(film.shoot(90), DiceWatcher(models))
    assert detector.asked == 2  # the whole picture and, since the die is small, a closer look
    assert sum(look.dice is not None for look in looks) == 6
    assert all(look.moving == 0 for look in looks[1:])


def test_a_camera_that_is_stuck_shows_no_tray_at_rest() -> None:
    """The last frame of dice in flight is sent again and again."""
    film = Film().shoot(12).throw(ONE)
    stuck = film.frames[-4].image_bgr  # the hand has gone
    film.frames = [
        replace(frame, image_bgr=stuck if number >= len(film.frames) - 3 else frame.image_bgr)
        for number, frame in enumerate(film.frames)
    ]
    for _ in range(8):
        number = len(film.frames)
        film.frames.append(replace(film.frames[-1], at_s=number / 15, number=number))
    looks = watch(film)
    assert all(look.dice is None for look in looks[-8:])
    (roll,) = rolls(film.shoot(12))
    assert values(roll) == ["3"]


def test_a_tray_whose_frames_are_all_the_same_is_read() -> None:
    film = Film()
    film.dice = [ONE]
    film.shoot(1)
    film.frames = [replace(film.frames[0], at_s=n / 15, number=n) for n in range(12)]
    assert any(look.dice for look in watch(film))


def test_a_sleeve_that_rests_at_the_edge_is_let_be() -> None:
    film = Film()
    film.dice = [ONE]
    film.shoot(10).reach(900, 640, 2).shoot(60, hand=(900, 640))
    looks = watch(film)
    assert looks[20].hand
    assert not looks[-1].hand
    assert any(look.dice for look in looks[30:])


def test_only_what_lies_in_the_tray_counts() -> None:
    zone = ((0.2, 0.2), (0.45, 0.2), (0.45, 0.7), (0.2, 0.7))
    film = Film().shoot(10).throw(ONE, TWO).shoot(12)
    (roll,) = rolls(film, DiceWatcher(drawn_models(), zone))
    assert values(roll) == ["3"]
    far = Film().shoot(10).throw(replace(ONE, x=1000), TWO).shoot(12)
    assert rolls(far, DiceWatcher(drawn_models(), zone)) == []


def test_another_tray_is_looked_at_anew() -> None:
    watcher = DiceWatcher(drawn_models())
    film = Film()
    film.dice = [ONE, TWO]
    looks = [watcher(frame) for frame in film.shoot(20).frames]
    assert [len(look.dice) for look in looks if look.dice is not None] == [2] * 6
    watcher.set_up(((0.2, 0.2), (0.45, 0.2), (0.45, 0.7), (0.2, 0.7)), None)
    looks = [watcher(frame) for frame in film.frames]
    assert [len(look.dice) for look in looks if look.dice is not None] == [1] * 6


def test_hues_are_measured_for_a_set() -> None:
    known = DiceSet((("orange", DieHue(1.0, -1.0, 0.0)),))
    film = Film()
    film.dice = [ONE]
    looks = watch(film.shoot(20), DiceWatcher(drawn_models(), None, known))
    (die,) = next(look.dice for look in looks if look.dice)
    assert die.hue is not None
    assert die.hue.red < 0  # its ink is green


class FaintDetector(DrawnDetector):
    """Finds what shows three pips faintly."""

    def detect(self, image_bgr: Image, min_confidence: float = 0.0) -> tuple[Detection, ...]:
        found = super().detect(image_bgr, min_confidence)
        return tuple(replace(f, confidence=0.2) if f.box_px[0] < 500 else f for f in found)


class WaveringClassifier(DrawnClassifier):
    """Gives every face seven tenths, and the rest to other things."""

    def classify(self, crops_bgr: Image) -> tuple[DieScores, ...]:
        told = []
        for one in super().classify(crops_bgr):
            best = max(one.faces)
            faces = tuple(0.7 if share == best else 0.0 for share in one.faces[:-1])
            told.append(replace(one, faces=(*faces, 1 - sum(faces))))
        return tuple(told)


@pytest.mark.parametrize(("faces", "count"), [(None, 2), (PIPS, 2), (SYMBOLS, 1)])
def test_print_of_a_tray_that_shows_no_face_of_the_game_is_no_die(
    faces: tuple[str, ...] | None, count: int
) -> None:
    """What is found clearly stays, whatever it shows: people may have thrown the wrong dice."""
    models = replace(drawn_models(), detector=FaintDetector(), classifier=WaveringClassifier())
    zone = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    film = Film()
    film.dice = [ONE, TWO]
    looks = watch(film.shoot(20), DiceWatcher(models, zone, faces=faces))
    assert {len(look.dice) for look in looks if look.dice is not None} == {count}


def test_what_flies_and_what_reaches_in() -> None:
    film = Film().shoot(1)
    film.shoot(1, hand=(900, 500), flying=[Drawn(300, 200, "6")])
    stirring = Stirring(film.frames[0].image_bgr.shape)
    stirring(film.frames[0].image_bgr)
    stir = stirring(film.frames[1].image_bgr)
    ((x0, y0, x1, y1),) = stir.loose
    assert np.allclose((x0, y0, x1, y1), (278, 178, 322, 222), atol=8)
    assert any(b[0] <= 900 <= b[2] and b[1] <= 600 <= b[3] for b in stir.over)
    assert not any(b[0] < 700 for b in stir.over)
    assert stir.moving > 0.01


def test_a_hand_over_most_of_the_tray_blinds_nobody() -> None:
    table = np.full((360, 640, 3), 110, np.uint8)
    covered = table.copy()
    covered[:, :450] = (60, 90, 200)
    stirring = Stirring(table.shape)
    seen = [stirring(frame) for frame in (table, table, covered, table)]
    assert seen[2].over
    assert seen[3].moving > 0.5
    for step in range(4):  # at once a die flies
        frame = table.copy()
        frame[150:180, 200 + 40 * step : 230 + 40 * step] = (40, 220, 240)
        look = stirring(frame)
        assert look.moving > 0.002
        assert look.loose


def patterned() -> NDArray[np.uint8]:
    """A table with a pattern that is seen after reducing."""
    ground = table()
    rng = np.random.default_rng(5)
    for x, y, tone in zip(
        rng.integers(0, 1200, 80), rng.integers(0, 660, 80), rng.integers(60, 230, 80), strict=True
    ):
        cv2.rectangle(ground, (x, y), (x + 70, y + 50), (int(tone),) * 3, -1)
    return ground


def test_a_bumped_camera_does_not_hide_the_tray() -> None:
    """The tray lies elsewhere in the picture; dice thrown a moment later are seen and read."""
    film = Film()
    film.ground, film.dice = patterned(), [ONE]
    film.shoot(12)
    for step in range(3):
        film.ground = np.roll(patterned(), (4 * (step + 1), 8 * (step + 1)), axis=(0, 1))
        film.dice = [Drawn(ONE.x + 8 * (step + 1), ONE.y + 4 * (step + 1), ONE.face)]
        film.shoot()
    film.shoot(4)
    covered = [look.hand for look in watch(film)]
    assert covered[12]
    assert not covered[-1]
    film.throw(TWO).shoot(12)
    notices = [notice for notice in told(film) if isinstance(notice, Handled | Rolled)]
    (roll,) = notices
    assert isinstance(roll, Rolled)
    assert (values(roll), roll.unsure) == (["5"], False)


def test_a_hand_that_rests_is_no_shift_of_the_view() -> None:
    film = Film()
    film.dice = [ONE]
    looks = watch(film.shoot(10).reach(700, 300).shoot(6, hand=(700, 300)))
    assert all(look.shift is None for look in looks)
    assert looks[-1].hand


def test_a_tray_is_followed_where_a_bump_takes_it() -> None:
    zone = ((0.2, 0.2), (0.7, 0.2), (0.7, 0.7), (0.2, 0.7))
    watcher = DiceWatcher(drawn_models(), zone)
    film = Film()
    film.ground, film.dice = patterned(), [ONE]
    film.shoot(12)
    film.ground, film.dice = np.roll(patterned(), (10, 30), axis=(0, 1)), [Drawn(430, 310, "3")]
    looks = watch(film.shoot(8), watcher)
    assert looks[12].hand
    assert not looks[-1].hand
    corners = np.array(watcher.zone_px(film.frames[0].image_bgr.shape))
    assert np.allclose(corners, np.array(zone) * (1280, 720) + (30, 10), atol=2)


def test_a_die_that_rolls_against_the_edge_of_the_tray_is_no_hand() -> None:
    table_px = np.full((360, 640, 3), 110, np.uint8)
    stirring = Stirring(table_px.shape)
    stirring(table_px)
    stirring.rests(30.0)
    seen = []
    for x in (560, 580, 600, 612):
        frame = table_px.copy()
        frame[150:180, x : x + 30] = (40, 220, 240)
        seen.append(stirring(frame))
    assert all(stir.loose for stir in seen)
    assert not any(stir.over for stir in seen)
    fingers = Stirring(table_px.shape)
    fingers(table_px)
    fingers.rests(30.0)
    frame = table_px.copy()
    frame[150:180, 612:640] = (40, 220, 240)
    assert fingers(frame).over  # the same, but it came in over the edge


def test_what_was_at_a_hand_and_touches_the_edge_is_a_hand() -> None:
    """A finger that comes off the outline of its hand, by light or by its ring, flies nowhere."""
    table_px = np.full((360, 640, 3), 110, np.uint8)
    stirring = Stirring(table_px.shape)
    stirring(table_px)
    stirring.rests(30.0)
    frame = table_px.copy()
    frame[:200, 300:500] = (60, 90, 200)
    frame[20:50, 262:292] = (60, 90, 200)
    assert stirring(frame).loose
    frame = table_px.copy()
    frame[:200, 310:510] = (60, 90, 200)
    frame[0:30, 262:292] = (60, 90, 200)
    assert stirring(frame).loose == ()


def test_looks_tell_what_lay_there_when_the_tray_had_settled() -> None:
    film = Film()
    film.dice = [ONE]
    film.shoot(40).throw(TWO).shoot(6)
    dice = [look.dice for look in watch(film) if look.dice][-1]
    assert [(die.seen.scores.faces[2] > 0.9, die.changed) for die in dice] == [
        (True, False),
        (False, True),
    ]
    hasty = Film().shoot(40).throw(TWO).shoot(4).reach(300, 600, 2).leave(300, 600).shoot(6)
    ((die,),) = [look.dice for look in watch(hasty) if look.dice][-1:]
    assert die.changed  # it lay there before the hand, too shortly to have been told
