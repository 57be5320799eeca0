"""Questions in the terminal: keys, typed values, going back, leaving off; answers are kept."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from server.tally.asking import Stopped, Terminal, ask_about
from server.tally.merging import Counted, merge
from server.tally.reading import Doubt, Value
from tests.server.tally.sheets import QWINTO
from tests.server.tally.test_merging import photo, sheet, terms

DOUBTS = {
    "orange[0]": [("1", 0.6), ("7", 0.3), ("0", 0.1)],
    "strip.total": [("43", 0.7), ("38", 0.2), ("", 0.1)],
}


@dataclass
class Script:
    """A person who types these lines, and what is said to them."""

    typed: list[str]
    said: list[str] = field(default_factory=list)
    heard: dict[str, Value] = field(default_factory=dict)

    def terminal(self) -> Terminal:
        return Terminal(self.said.append, self._hear, lambda *_: Path("o2.png"), self._heard, "en")

    def _hear(self, prompt: str) -> str:
        if not self.typed:
            raise EOFError
        return self.typed.pop(0)

    def _heard(self, _sheet: Counted, doubt: Doubt, value: Value) -> None:
        self.heard[doubt.where] = value


def ask(*typed: str) -> Script:
    script = Script(list(typed))
    (counted,) = merge([photo(1, sheet("qwinto", QWINTO, DOUBTS))], terms()).sheets
    ask_about(counted, "a.jpg", terms(), script.terminal())
    return script


def test_keys_choose_and_totals_follow_at_once() -> None:
    script = ask("3", "2")
    assert script.heard == {"orange[0]": 0, "strip.total": 38}
    assert "1 of 2; 38 points (35 to 38 while fields are in doubt)" in script.said
    assert "2 of 2; 35 points" in script.said
    assert script.said[-1] == "35 points"
    assert "   picture: o2.png" in script.said
    assert any("[1] 1 (60%)   [2] 7 (30%)   [3] nothing (10%)" in line for line in script.said)


def test_a_value_may_be_typed() -> None:
    assert ask("12", "").heard == {"orange[0]": 12}
    assert ask("=3", ".").heard == {"orange[0]": 3, "strip.total": None}


def test_what_a_field_cannot_hold_is_asked_again() -> None:
    script = ask("19", "x", "2", "")
    assert script.heard == {"orange[0]": 7}
    assert "   o2 cannot hold 19" in script.said


def test_going_back() -> None:
    assert ask("1", "u", "2", "1").heard == {"orange[0]": 7, "strip.total": 43}
    assert ask("u", "2", "").heard == {"orange[0]": 7}


@pytest.mark.parametrize("typed", [["1", "q"], ["1"]])
def test_leaving_off_keeps_what_was_said(typed: list[str]) -> None:
    script = Script(typed)
    (counted,) = merge([photo(1, sheet("qwinto", QWINTO, DOUBTS))], terms()).sheets
    with pytest.raises(Stopped):
        ask_about(counted, "a.jpg", terms(), script.terminal())
    assert script.heard == {"orange[0]": 1}
