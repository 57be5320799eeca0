"""From scores to a reading of dice: values of the game, doubts, order, and the JSON of all this."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.detrak import SYMBOL_IDS
from tests.vision.drawn_dice import Counter, Drawn, Squares, draw_table, models_for, scores
from tests.vision.scenes import Fixed
from vision.detect import Detection
from vision.dice.classify import DieScores
from vision.dice.find import SeenDie, find_dice, in_reading_order, look_twice
from vision.dice.models import DiceModels, DiceThresholds
from vision.dice.nudges import NUDGES, pooled, steadiness
from vision.labels import DIE_COLOURS, DIE_FACES
from vision.pictures import Picture
from vision.quality import Quality
from vision.read import read_picture
from vision.readers.dice import OTHER, PIPS, SYMBOLS, among, candidate_json, dice_json, read_dice

LIMITS = DiceThresholds(face=0.9, large_face=0.9, colour=0.9, flat=0.8)
QUALITY = Quality(0.6, 0.5, 0.0, 40.0, None)


def seen(face="3", sure=0.99, box=(100.0, 100.0, 140.0, 140.0), **more):
    cut = more.pop("cut", False)
    return SeenDie(box, None, 0.9, scores(face, sure, **more), cut)


def only(die, faces=PIPS):
    reading = read_dice([die], faces, LIMITS, QUALITY)
    assert reading.layout is not None
    return reading.layout.dice[0]


def picture_of(image, scale=1.0):
    height, width = image.shape[:2]
    return Picture(image, (round(width / scale), round(height / scale)), scale, Path("dice.jpg"))


def test_the_symbols_are_those_of_the_game():
    assert tuple(SYMBOL_IDS) == SYMBOLS
    assert PIPS == ("1", "2", "3", "4", "5", "6")


def test_a_clear_die_is_vouched_for():
    die = only(seen("5", colour="yellow"))
    assert (die.value, die.colour, die.flat) == ("5", "yellow", True)
    assert not die.asked
    assert not die.colour_asked
    assert die.confidence > 0.98


@pytest.mark.parametrize(
    "die",
    [
        seen("5", 0.8),
        seen("5", flat=0.7),
        seen("5", flat=0.1),
        seen("5", cut=True),
    ],
)
def test_what_is_not_sure_is_asked(die):
    assert only(die).asked
    assert only(die).value == "5"


def test_a_die_half_behind_another_is_asked():
    front, behind = (100.0, 100.0, 140.0, 140.0), (120.0, 90.0, 160.0, 130.0)
    reading = read_dice([seen(box=front), seen(box=behind)], PIPS, LIMITS, QUALITY)
    assert [doubt.where for doubt in reading.doubts] == ["dice[0]", "dice[1]"]
    beside = (140.0, 100.0, 180.0, 140.0)
    assert read_dice([seen(box=front), seen(box=beside)], PIPS, LIMITS, QUALITY).doubts == ()


@pytest.mark.parametrize(
    ("strangers", "dice", "asked"), [(2, 1, False), (3, 3, True), (3, 4, False), (4, 1, True)]
)
def test_a_value_among_mostly_other_things_is_asked(strangers, dice, asked):
    def row(face, y, count):
        return [seen(face, box=(60.0 * x, y, 60.0 * x + 40, y + 40)) for x in range(count)]

    reading = read_dice(row("4", 0.0, dice) + row(OTHER, 100.0, strangers), PIPS, LIMITS, QUALITY)
    assert reading.layout is not None
    assert {die.asked for die in reading.layout.dice[:dice]} == {asked}


def test_a_cocked_die_says_so():
    die = only(seen("5", flat=0.2))
    assert not die.flat
    layout = read_dice([seen("5", flat=0.2)], PIPS, LIMITS, QUALITY).layout
    assert layout is not None
    assert dice_json(layout)["dice"][0]["flat"] is False


def test_dice_of_the_other_game_are_other():
    assert only(seen("cross")).value == OTHER
    assert only(seen("cross"), SYMBOLS).value == "cross"
    assert only(seen("4"), SYMBOLS).value == OTHER
    assert only(seen("other")).value == OTHER


def test_a_worn_single_pip_is_not_taken_for_a_circle():
    shares = dict.fromkeys(DIE_FACES, 0.0) | {"1": 0.55, "circle": 0.44, "other": 0.01}
    assert among(list(shares.values()), PIPS)[0][0] == "1"
    assert among(list(shares.values()), SYMBOLS)[0][0] == "circle"


def test_no_known_colour_is_null_and_close_colours_are_asked():
    die = only(seen(colour="other"))
    assert die.colour is None
    assert not die.colour_asked
    shares = tuple({"orange": 0.55, "yellow": 0.45}.get(name, 0.0) for name in DIE_COLOURS)
    close = SeenDie((0.0, 0.0, 9.0, 9.0), None, 0.9, DieScores(seen().scores.faces, shares, 1.0))
    reading = read_dice([close], PIPS, LIMITS, QUALITY)
    assert [doubt.where for doubt in reading.doubts] == ["dice[0].colour"]
    assert reading.doubts[0].candidates[:2] == (("orange", 0.55), ("yellow", 0.45))


shares = st.lists(st.floats(0, 1), min_size=len(DIE_FACES), max_size=len(DIE_FACES)).filter(
    lambda values: sum(values) > 0.1 and values[-1] + sum(values[:6]) > 0.01
)


@settings(deadline=None)
@given(shares, st.sampled_from([PIPS, SYMBOLS]))
def test_shares_among_a_games_faces_add_up(values, faces):
    if values[-1] + sum(values[DIE_FACES.index(f)] for f in faces) <= 0.01:
        return
    ranked = among(values, faces)
    assert {name for name, _ in ranked} == {*faces, OTHER}
    assert sum(share for _, share in ranked) == pytest.approx(1)
    assert [share for _, share in ranked] == sorted((s for _, s in ranked), reverse=True)


def test_reading_order_is_rows_from_left_to_right():
    places = [(300, 105), (100, 100), (200, 112), (250, 190), (90, 185)]
    dice = [seen(box=(float(x), float(y), x + 40.0, y + 40.0)) for x, y in places]
    told = [die.box_px[:2] for die in in_reading_order(dice)]
    assert told == [(100, 100), (200, 112), (300, 105), (90, 185), (250, 190)]


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 900), st.integers(0, 700)), unique=True), st.randoms())
def test_reading_order_does_not_depend_on_the_order_found(places, random):
    dice = [seen(box=(float(x), float(y), x + 40.0, y + 40.0)) for x, y in places]
    shuffled = list(dice)
    random.shuffle(shuffled)
    assert in_reading_order(dice) == in_reading_order(shuffled)
    assert set(in_reading_order(dice)) == set(dice)


def test_candidates_are_written_as_values():
    assert candidate_json("dice[3]", "4") == 4
    assert candidate_json("dice[3]", "cross") == "cross"
    assert candidate_json("dice[3]", "other") == "other"
    assert candidate_json("dice[3].colour", "orange") == "orange"
    assert candidate_json("dice[3].colour", "other") is None


def test_json_follows_the_contract():
    dice = [Drawn(200, 100, 80, 3), Drawn(500, 110, 80, 6), Drawn(100, 400, 80, 1)]
    models = models_for(classifier=Counter(sure=0.7))
    answer = read_picture(picture_of(draw_table(dice)), "qwinto", "dice", models=models).to_json()
    table = json.loads(json.dumps(answer))
    assert set(table) == {"refused", "reading", "doubts", "quality", "ms"}
    assert [die["value"] for die in table["reading"]["dice"]] == [3, 6, 1]
    for die, truth in zip(table["reading"]["dice"], dice, strict=True):
        assert set(die) == {"value", "colour", "box", "flat", "confidence"}
        assert die["box"] == list(truth.box)
        assert die["colour"] == "white"
        assert die["flat"] is True
    assert [doubt["where"] for doubt in table["doubts"]] == ["dice[0]", "dice[1]", "dice[2]"]
    assert table["doubts"][0]["candidates"][0][0] == 3
    assert sum(share for _, share in table["doubts"][0]["candidates"]) == pytest.approx(1, abs=1e-3)
    assert table["quality"]["px_per_cell"] == pytest.approx(80, abs=2)


def test_boxes_are_those_of_the_stored_picture():
    dice = [Drawn(200, 100, 80, 3)]
    picture = picture_of(draw_table(dice), scale=0.5)
    answer = read_picture(picture, "qwinto", "dice", models=models_for()).to_json()
    assert answer["reading"]["dice"][0]["box"] == [400, 200, 560, 360]


def test_corners_by_hand_are_the_trays():
    dice = [Drawn(200, 100, 80, 3), Drawn(900, 600, 80, 6)]
    picture = picture_of(draw_table(dice), scale=0.5)
    tray = ((1600.0, 1700.0), (2200.0, 1100.0), (1600.0, 1100.0), (2200.0, 1700.0))
    answer = read_picture(picture, "qwinto", "dice", models=models_for(), corners_px=tray)
    assert [die["value"] for die in answer.to_json()["reading"]["dice"]] == [6]
    flat = ((0.0, 0.0), (10.0, 0.0), (20.0, 0.0), (30.0, 0.0))
    with pytest.raises(ValueError, match="no convex"):
        read_picture(picture, "qwinto", "dice", models=models_for(), corners_px=flat)


def test_an_empty_table_is_a_reading():
    answer = read_picture(picture_of(draw_table([])), "detrak", "dice", models=models_for())
    assert answer.refused is None
    table = answer.to_json()
    assert table["reading"] == {"dice": []}
    assert table["doubts"] == []


@pytest.mark.parametrize(("level", "reason"), [(4, "too-dark"), (252, "too-bright")])
def test_bad_light_without_dice_is_refused(level, reason):
    rng = np.random.default_rng(0)
    image = np.clip(rng.normal(level, 3, (900, 1200, 3)), 0, 255).astype(np.uint8)
    image[200:210] = (level + 90) % 256  # an edge: something is there
    blind = models_for(Squares(least_px=9999))
    answer = read_picture(picture_of(image), "qwinto", "dice", models=blind)
    assert answer.refused is not None
    assert answer.refused.reason == reason
    assert answer.to_json()["reading"] is None


def test_a_die_cut_by_the_frame_is_kept_and_asked():
    image = draw_table([Drawn(200, 100, 80, 3)])[:, 220:]
    (die,) = find_dice(image, models_for())
    assert die.cut
    assert only(die).asked
    (whole,) = find_dice(draw_table([Drawn(200, 100, 80, 3)]), models_for())
    assert not whole.cut


def test_what_the_classifier_does_not_know_is_left_out_or_other():
    blank = draw_table([Drawn(200, 100, 110, 3)])
    blank[105:205, 205:305] = (240, 240, 240)
    assert boxes_of(blank, [die_at(200, 100, 110, 0.7)]) == {(200, 100, 310, 210)}
    assert boxes_of(blank, [die_at(200, 100, 110, 0.55)]) == set()
    (strong,) = find_dice(blank, models_for())
    assert only(strong).value == OTHER
    faint = models_for(Squares(least_px=1))
    small = draw_table([Drawn(200, 100, 26, 3)])
    small[100:126, 200:226] = (240, 240, 240)
    assert find_dice(small[:, :1200], faint)[0].found > 0.5 or find_dice(small, faint) == ()


def die_at(x, y, side, confidence=0.9, kind="die"):
    return Detection(kind, (float(x), float(y), float(x + side), float(y + side)), None, confidence)


def boxes_of(image, finds, classifier=None):
    models = DiceModels(Fixed(finds, image.shape[:2]), classifier or Counter(), LIMITS)
    return {die.box_px for die in find_dice(image, models)}


def test_a_faint_find_counts_where_it_shows_a_face():
    image = draw_table([Drawn(200, 100, 80, 3)])
    assert boxes_of(image, [die_at(200, 100, 80, 0.12)]) == {(200, 100, 280, 180)}
    assert boxes_of(image, [die_at(200, 100, 80, 0.12, "tile")]) == {(200, 100, 280, 180)}
    assert boxes_of(image, [die_at(200, 100, 80, 0.12)], Counter(sure=0.8)) == set()
    assert boxes_of(image, [die_at(600, 500, 80, 0.5)]) == set()  # bare table
    assert boxes_of(image, [die_at(600, 500, 80, 0.9, "tile")]) == set()


@dataclass
class Torn:
    """A classifier that is torn between faces, some symbols or some pips."""

    between: tuple[str, ...]
    other: float

    def classify(self, crops_bgr):
        share = (1 - self.other) / len(self.between)
        faces = tuple(
            share if name in self.between else self.other if name == OTHER else 0.0
            for name in DIE_FACES
        )
        one = DieScores(faces, (1.0, *([0.0] * (len(DIE_COLOURS) - 1))), 0.9)
        return (one,) * len(crops_bgr)


def test_a_faint_find_counts_where_it_shows_some_symbol():
    image = draw_table([Drawn(200, 100, 80, 3)])
    find = die_at(200, 100, 80, 0.4)
    symbols = ("bar", "cross", "hash")
    assert boxes_of(image, [find], Torn(symbols, 0.05)) == {(200, 100, 280, 180)}
    assert boxes_of(image, [find], Torn(symbols, 0.2)) == set()
    assert boxes_of(image, [find], Torn(("2", "3", "5"), 0.05)) == set()


def test_in_a_drawn_tray_a_fainter_find_counts_too_and_is_asked_about():
    image = draw_table([Drawn(200, 100, 80, 3)])
    tray = ((0, 0), (1200, 0), (1200, 900), (0, 900))
    faint = [die_at(200, 100, 80, 0.12), die_at(400, 200, 80, 0.5)]  # the second is bare table
    models = DiceModels(Fixed(faint, image.shape[:2]), Counter(sure=0.91), LIMITS)
    assert find_dice(image, models) == ()
    (die,) = find_dice(image, models, tray)
    assert (only(die).value, only(die).asked) == ("3", True)
    clear = replace(die, found=0.5)
    assert (only(clear).value, only(clear).asked) == ("3", False)


def test_in_a_tray_a_side_of_a_die_is_no_die():
    tray = ((0, 0), (1200, 0), (1200, 900), (0, 900))
    for x, count in ((260, 1), (300, 2)):
        beside = die_at(x, 76, 40, 0.3)
        image = draw_table([Drawn(200, 100, 80, 3), Drawn(x, 76, 40, 5)])
        finds = [die_at(200, 100, 80, 0.9), beside]
        models = DiceModels(Fixed(finds, image.shape[:2]), Counter(sure=0.7), LIMITS)
        assert len(find_dice(image, models, tray)) == count


def test_pips_and_specks_are_left_out():
    image = draw_table([Drawn(200, 100, 80, 3), Drawn(400, 100, 80, 5)])
    dice = [die_at(200, 100, 80), die_at(400, 100, 80)]
    whole = {find.box_px for find in dice}
    assert boxes_of(image, [*dice, die_at(232, 132, 20, 0.95), die_at(600, 600, 12, 0.7)]) == whole


def test_a_weak_find_is_as_large_as_the_dice_beside_it():
    image = draw_table([Drawn(200, 100, 40, 3), Drawn(300, 100, 40, 5), Drawn(600, 300, 100, 1)])
    dice = [die_at(200, 100, 40), die_at(300, 100, 40)]
    whole = {find.box_px for find in dice}
    large = (600.0, 300.0, 700.0, 400.0)
    assert boxes_of(image, [*dice, die_at(600, 300, 100, 0.2)]) == whole
    assert boxes_of(image, [*dice, die_at(600, 300, 100, 0.5)]) == whole | {large}
    assert boxes_of(image, [die_at(600, 300, 100, 0.2)]) == {large}


def test_what_may_be_no_die_is_asked_about():
    sure = seen("5")
    assert not only(sure).asked
    assert only(replace(sure, half=True)).asked
    assert only(replace(sure, steady=0.6)).asked
    assert not only(replace(sure, steady=0.8)).asked
    assert only(replace(sure, steady=0.8, found=0.3)).asked
    assert only(replace(sure, tint=0.5)).colour_asked
    dominoes = [replace(sure, box_px=(x, 0.0, x + 40, 40.0), half=True) for x in (0.0, 60.0, 120.0)]
    for count, asked in ((2, False), (3, True)):
        layout = read_dice([*dominoes[:count], sure], PIPS, LIMITS, QUALITY).layout
        assert layout is not None
        assert layout.dice[count].asked == asked


def test_a_pile_is_not_one_die():
    image = draw_table([Drawn(200, 100, 60, 3), Drawn(260, 100, 60, 5)])
    dice = [die_at(200, 100, 60), die_at(260, 100, 60)]
    around = Detection("die", (200.0, 100.0, 320.0, 160.0), None, 0.65)
    assert boxes_of(image, [*dice, around]) == {find.box_px for find in dice}


def test_doubtful_dice_are_looked_at_again():
    image = draw_table([Drawn(200, 100, 80, 3)])

    class Wavering(Counter):
        """Takes the first cut of a die for a five, further ones for what they are."""

        calls = 0

        def classify(self, crops_bgr):
            self.calls += 1
            told = super().classify(crops_bgr)
            return tuple(scores("5", 0.5) for _ in told) if self.calls == 1 else told

    wavering = Wavering()
    models = DiceModels(Squares(), wavering, LIMITS)
    first = find_dice(image, models)
    (die,) = look_twice(image, first, wavering)
    assert only(first[0]).value == "5"
    assert only(die).value == "3"
    sure = find_dice(image, models)
    assert look_twice(image, sure, wavering) == sure
    assert wavering.calls == 3


def test_looks_pool_to_their_geometric_mean():
    one, other = scores("3", 0.9), scores("3", 0.6)
    both = pooled([one, other])
    assert sum(both.faces) == pytest.approx(1)
    assert max(other.faces) < max(both.faces) < max(one.faces)
    assert pooled([one]).faces == pytest.approx(one.faces)


def test_the_least_sure_look_tells_how_steady_a_die_is():
    sure, doubtful, other = scores("3", 0.97), scores("3", 0.6), scores("5", 0.97)
    assert steadiness([sure] * (1 + len(NUDGES))) == pytest.approx(0.97)
    assert steadiness([sure, doubtful, *[sure] * (len(NUDGES) - 1)]) == pytest.approx(0.6)
    assert steadiness([sure, other, *[sure] * (len(NUDGES) - 1)]) < 0.1
    assert steadiness([*[sure] * len(NUDGES), other]) == pytest.approx(0.97)  # the nearer one


def test_forty_dice():
    dice = [Drawn(60 + 130 * (i % 8), 60 + 150 * (i // 8), 60, 1 + i % 6) for i in range(40)]
    answer = read_picture(picture_of(draw_table(dice)), "qwinto", "dice", models=models_for())
    values = [die["value"] for die in answer.to_json()["reading"]["dice"]]
    assert values == [die.value for die in dice]
