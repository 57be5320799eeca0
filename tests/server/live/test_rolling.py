"""Rolls into matches of Qwinto and Détrak: looks at a tray in, rulings out."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from engine import Verdict
from engine.events import Committed, Corrected, Moved, Played, to_json
from engine.games import get
from engine.match import fold
from server.commands import Refused, Wish
from server.live.telling import Ruled, Teller
from server.refereeing import Noted, Table, step
from tests.vision.dice_script import Put, Script, begin
from vision.dice.rolls import Rolling, track
from vision.readers.dice import PIPS, SYMBOLS

O3, Y5, P6 = Put(300, 300, "3", "orange"), Put(500, 320, "5", "yellow"), Put(700, 280, "6", "blue")
CROSS, RING = Put(300, 300, "cross", "white"), Put(500, 320, "circle", "white")


class Scene:
    """A table with a match, dice in a tray, and what people say."""

    def __init__(self, game_id: str, *, commit: str = "stable", **options: str) -> None:
        self.game = get(game_id)
        self.table = Table()
        self.noted: list[Noted] = []
        self.told: list[Ruled] = []
        self.teller = Teller(self.game)
        self.script = Script().rest()
        self.state: Rolling = begin(PIPS if game_id == "qwinto" else SYMBOLS)
        self._looked = 0
        body = {"game": game_id, "commit": commit, "options": {"seats": "2", **options}}
        self.wish("start", body)

    def wish(self, name: str, body: Mapping[str, Any] | None = None) -> "Scene":
        """People ask for something."""
        self.table, noted = step(self.game, self.table, Wish(name, body or {}))
        return self._note(noted)

    def play(self, move: str) -> "Scene":
        return self.wish("play", {"move": move})

    def roll(self, *to: Put) -> "Scene":
        """All dice that lie there, or as many as thrown, are taken up and thrown."""
        return self.look(self.script.roll(*to, taking=list(range(len(self.script.lying)))))

    def look(self, script: Script) -> "Scene":
        """The looks that are new in the script."""
        for look in script.looks[self._looked :]:
            self.state, notices = track(self.state, look)
            for notice in notices:
                self.table, noted = step(self.game, self.table, notice)
                self._note(noted)
        self._looked = len(script.looks)
        return self

    def _note(self, noted: tuple[Noted, ...]) -> "Scene":
        self.noted += noted
        self.told += self.teller.tell(noted)
        assert self.table.match is not None
        assert self.table.match == fold(self.game, [one.event for one in self.noted])
        return self

    @property
    def moves(self) -> list[str | None]:
        return [ruled.ruling.move for ruled in self.told]

    @property
    def pending(self) -> Moved | None:
        assert self.table.match is not None
        found = self.table.match.pending
        assert found is None or isinstance(found, Moved)
        return found

    @property
    def rolled(self) -> str:
        """The roll that holds."""
        assert self.table.match is not None
        state = self.game.read(self.table.match.state)
        return state.throw.write() if self.game.id == "qwinto" else "".join(state.roll or ())

    def verdict(self) -> Verdict:
        assert self.table.match is not None
        assert self.table.match.provisional is not None
        return self.table.match.provisional.verdict


def test_a_roll_of_qwinto_takes_effect() -> None:
    scene = Scene("qwinto").roll(O3, P6)
    assert scene.moves == ["roll o3p6"]
    (ruled,) = scene.told
    assert (ruled.ruling.verdict, ruled.ruling.seat) == (Verdict.LEGAL, "A")
    moved = next(one for one in scene.noted if isinstance(one.event, Moved))
    assert isinstance(moved.event, Moved)
    assert (moved.event.during, moved.event.after) == (("? - -",), "o3p6 - -")
    assert len(moved.glimpses) == 1
    assert moved.number == ruled.frame
    assert to_json(moved.event)["kind"] == "moved"


def test_a_roll_of_detrak_takes_effect() -> None:
    scene = Scene("detrak")
    assert scene.roll(CROSS, RING).moves == ["roll XO"]
    assert scene.rolled == "XO"


def test_the_same_dice_thrown_again_are_a_second_throw() -> None:
    scene = Scene("qwinto").roll(O3, Y5).roll(replace(O3, face="1"), Y5)
    assert scene.moves == ["roll o3y5", "reroll o1y5"]
    scene = Scene("qwinto").roll(O3, Y5).roll(O3, Y5)
    assert scene.moves == ["roll o3y5", "reroll o3y5"]


def test_answers_out_of_view_hold_up_nobody() -> None:
    scene = Scene("qwinto").roll(O3, Y5).roll(O3).roll(P6)
    assert scene.moves == ["roll o3y5", "roll o3", "roll p6"]
    assert [ruled.ruling.seat for ruled in scene.told] == ["A", "B", "A"]
    assert all(ruled.ruling.verdict is Verdict.LEGAL for ruled in scene.told)
    scene = Scene("detrak").roll(CROSS, RING).roll(RING, CROSS).roll(CROSS, CROSS_TWO)
    assert scene.moves == ["roll XO", "roll XO", "roll XX"]
    assert any(isinstance(one.event, Corrected) for one in scene.noted)


CROSS_TWO = replace(CROSS, x=500)


def test_where_people_enter_sheets_a_roll_waits_for_them() -> None:
    scene = Scene("qwinto").roll(O3, Y5).play("A: o7=8").roll(Y5)
    assert scene.moves == ["roll o3y5", "A: o7=8", "roll y5"]
    scene.play("A: y3=5").roll(P6)  # B, who threw, has not entered anything
    assert (scene.verdict(), scene.rolled) == (Verdict.UNDECIDED, "y5")
    scene.play("B: y4=5")
    assert scene.pending is None
    assert scene.moves[-2:] == ["B: y4=5", "roll p6"]
    assert scene.rolled == "p6"
    last = [one for one in scene.noted if isinstance(one.event, Moved)]
    assert last[-1].number == last[-2].number  # judged again, from the same picture


def test_a_roll_that_waited_takes_effect_when_play_goes_on() -> None:
    scene = Scene("qwinto").roll(O3, Y5).play("A: o7=8").roll(Y5).play("A: y3=5").roll(P6)
    assert scene.pending is not None
    scene.roll(O3, Y5)
    steps = scene.table.match.steps if scene.table.match is not None else ()
    assert [s.ruling.move for s in steps if s.ruling is not None][-1] == "roll p6"
    assert scene.verdict() is Verdict.UNDECIDED


def test_start_symbols_that_were_not_entered_are_nobodys_fault() -> None:
    scene = Scene("detrak").play("A: start=#").roll(CROSS, RING)
    assert scene.verdict() is Verdict.UNDECIDED
    scene.play("B: start=X")
    assert scene.moves[-1] == "roll XO"
    assert all(ruled.ruling.verdict is not Verdict.ILLEGAL for ruled in scene.told)


def test_a_roll_after_the_end_is_a_finding() -> None:
    scene = Scene("detrak")
    for _ in range(12):
        scene.roll(CROSS, RING)
    scene.roll(CROSS, RING)
    last = scene.told[-1].ruling
    assert (last.verdict, [f.rule for f in last.findings]) == (Verdict.ILLEGAL, ["detrak.end"])


def test_a_doubtful_value_is_asked_and_answered() -> None:
    scene = Scene("qwinto").roll(replace(O3, sure=0.7), Y5)
    assert scene.told == []
    assert scene.pending is not None
    (doubt,) = scene.pending.doubts
    assert (doubt.picture, doubt.where, doubt.candidates[0][0]) == ("after", "dice[0]", "3")
    assert len(doubt.quad_px) == 4
    scene.wish("reread", {"roll": "o2y5"})
    assert scene.moves == ["roll o2y5"]
    assert scene.told[0].frame is not None


def test_a_doubtful_colour_is_asked() -> None:
    scene = Scene("qwinto").roll(replace(O3, colour="green"), Y5)
    assert scene.table.tray.note == "foreign_colour"
    assert scene.pending is None
    hue = replace(O3.looked().seen.scores, colours=_colours(orange=0.55, yellow=0.44))
    looked = replace(O3.looked(), seen=replace(O3.looked().seen, scores=hue))
    scene = Scene("qwinto")
    script = scene.script.fly(O3).rest()
    script.looks = [replace(look, dice=(looked,)) if look.dice else look for look in script.looks]
    scene.look(script)
    assert scene.pending is not None
    (doubt,) = scene.pending.doubts
    assert doubt.where == "dice[0].colour"
    assert [value for value, _ in doubt.candidates[:2]] == ["o", "y"]


def _colours(**shares: float) -> tuple[float, ...]:
    from vision.labels import DIE_COLOURS

    return tuple(shares.get(name, 0.001) for name in DIE_COLOURS)


def test_what_may_have_been_no_roll_is_asked() -> None:
    scene = Scene("qwinto")
    scene.script.lying += [O3, Y5]
    scene.look(scene.script.hand(600, 400).away(600, 400).rest())
    script = scene.script.hand(300, 300).hand(500, 320)
    script.lying = [replace(O3, face="1", y=400), replace(Y5, face="2", y=420)]
    scene.look(script.away(500, 320).rest())
    assert scene.pending is not None
    assert [(d.where, d.candidates[0][0]) for d in scene.pending.doubts] == [("roll", "yes")]
    asked = scene.table
    scene.wish("reread", {"roll": "o1y2"})
    assert scene.moves == ["roll o1y2"]
    scene.table = asked
    after, noted = step(scene.game, asked, Wish("undo"))
    assert [type(one.event).__name__ for one in noted] == ["Undone"]
    assert after.match is not None
    assert after.match.pending is None


def test_a_cocked_die_is_said_and_thrown_again() -> None:
    scene = Scene("detrak").roll(CROSS, replace(RING, flat=0.02))
    assert (scene.told, scene.pending, scene.table.tray.note) == ([], None, "cocked")
    script = scene.script.roll(replace(RING, x=800, face="hash"), taking=[1])
    assert scene.look(script).moves == ["roll X#"]
    assert scene.table.tray.note == ""


def test_after_a_cocked_die_all_may_be_thrown_again() -> None:
    scene = Scene("qwinto").roll(O3, replace(Y5, flat=0.02)).roll(replace(O3, face="6"), Y5)
    assert scene.moves == ["roll o6y5"]


def test_where_a_cocked_die_stands_its_value_is_asked() -> None:
    scene = Scene("detrak", cocked_dice="stands").roll(CROSS, replace(RING, flat=0.02))
    assert scene.pending is not None
    assert [doubt.where for doubt in scene.pending.doubts] == ["dice[1]"]


@pytest.mark.parametrize(
    ("game", "dice", "note"),
    [
        ("detrak", [CROSS], "one_die"),
        ("detrak", [CROSS, RING, replace(RING, x=800)], "too_many"),
        ("qwinto", [O3, Y5, P6, replace(O3, x=900, colour="red")], "too_many"),
        ("qwinto", [replace(O3, face="other")], "foreign"),
    ],
)
def test_dice_that_are_no_roll_of_the_game_are_said(game: str, dice: list[Put], note: str) -> None:
    scene = Scene(game).roll(*dice)
    assert (scene.told, scene.pending, scene.table.tray.note) == ([], None, note)


def test_at_the_button_a_roll_waits() -> None:
    scene = Scene("qwinto", commit="button").roll(O3)
    assert (scene.told, scene.verdict()) == ([], Verdict.LEGAL)
    assert scene.wish("next").moves == ["roll o3"]
    scene.roll(O3)
    scene.roll(Y5)
    assert scene.moves == ["roll o3", "reroll o3"]


def test_a_roll_that_was_read_wrong_is_put_right() -> None:
    scene = Scene("qwinto").roll(O3, Y5).wish("reread", {"roll": "o3y6"})
    assert scene.rolled == "o3y6"
    scene = Scene("detrak").roll(CROSS, RING).wish("reread", {"roll": "X#"})
    assert scene.rolled == "X#"


@pytest.mark.parametrize("roll", ["", "o9", "XO", "o1o2y3p4"])
def test_a_correction_that_is_no_roll_is_refused(roll: str) -> None:
    scene = Scene("qwinto").roll(O3)
    with pytest.raises(Refused):
        scene.wish("reread", {"roll": roll})
    assert scene.rolled == "o3"


def test_a_roll_by_hand_takes_the_place_of_one_that_waits() -> None:
    scene = Scene("qwinto").roll(replace(O3, sure=0.5)).play("roll o4")
    assert scene.pending is None
    assert scene.rolled == "o4"


def test_colours_of_a_set_are_told_apart_jointly() -> None:
    red, orange = replace(O3, colour="red"), replace(Y5, colour="orange", face="2")
    scene = Scene("qwinto").roll(red, orange)
    assert scene.pending is not None  # two dice of one colour cannot be: asked, never an accusation
    assert {doubt.where for doubt in scene.pending.doubts} <= {
        "dice[0].colour",
        "dice[1].colour",
    }


def test_no_commit_before_a_match_and_after_its_end() -> None:
    scene = Scene("qwinto").wish("close")
    before = len(scene.noted)
    scene.table = replace(scene.table, match=None)
    looks = scene.script.roll(O3).looks
    for look in looks:
        scene.state, notices = track(scene.state, look)
        for notice in notices:
            scene.table, noted = step(scene.game, scene.table, notice)
            assert noted == ()
    assert len(scene.noted) == before


def test_events_are_few() -> None:
    scene = Scene("qwinto").roll(O3)
    assert [type(one.event) for one in scene.noted[1:]] == [Moved, Committed]
    scene.play("A: o2=3")
    assert type(scene.noted[-1].event) is Played
