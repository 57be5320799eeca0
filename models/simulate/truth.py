"""What a recording shows and what a referee must say of it, written beside the frames."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.game import Change
from engine.quixo import GAME, GAP, Layout
from engine.referee import judge
from engine.ruling import Ruling
from models.simulate.fouls import boards, perfect_ruling
from models.simulate.script import Act, Script, Wishes
from models.simulate.weather import Disturbance

GLIMPSE_FRAMES: Final = 2
"""A glimpse counts as visible when it is clear in this many frames one after the other."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One frame: the layout that lies there, and whether nothing that matters is hidden."""

    at_s: float
    layout: Layout | None
    clear: bool
    hand: bool


def glimpses(act: Act, seen: Sequence[Seen]) -> list[dict[str, Any]]:
    """Layouts with a gap that could be seen during an act, with the time of each."""
    found: list[dict[str, Any]] = []
    run = 0
    for frame in seen:
        if not act.from_s <= frame.at_s <= act.at_s:
            continue
        if frame.layout is None or not frame.clear or frame.layout.marks.count(GAP) != 1:
            run = 0
            continue
        text = _shown(act, frame.layout).write()
        if run and found and found[-1]["layout"] == text:
            found[-1]["to_s"] = frame.at_s
            found[-1]["frames"] += 1
        else:
            found.append({"layout": text, "from_s": frame.at_s, "to_s": frame.at_s, "frames": 1})
        run += 1
    return [entry for entry in found if entry["frames"] >= GLIMPSE_FRAMES]


def event_of(number: int, act: Act, seen: Sequence[Seen]) -> dict[str, Any]:
    """The entry of an act in the truth."""
    entry: dict[str, Any] = {
        "n": number,
        "kind": act.kind,
        "seat": act.seat,
        "from_s": round(act.from_s, 3),
        "at_s": round(act.at_s, 3),
        "after": _shown(act, act.after).write(),
    }
    if act.moves:
        entry |= _ruled(act, glimpses(act, seen))
    return entry


def _ruled(act: Act, found: list[dict[str, Any]]) -> dict[str, Any]:
    """The verdict of perfect sight, and that of sight through the glimpses there were."""
    perfect = perfect_ruling(act.before, act.moves)
    during, after = boards(act.before, act.moves)
    wanted = {_shown(act, layout).write() for layout in during}
    good = [entry for entry in found if entry["layout"] in wanted]
    change = Change(tuple(Layout.read(entry["layout"]) for entry in good), after)
    visible = judge(GAME, act.before, change)
    return {
        "before": GAME.write(act.before),
        "move": " ".join(GAME.write_move(move) for move in act.moves),
        "foul": act.foul or None,
        "verdict": perfect.verdict.value,
        "rules": _rules(perfect),
        "during": [entry["layout"] for entry in good],
        "visible": [good[0]["from_s"], good[-1]["to_s"]] if good else None,
        "visible_verdict": visible.verdict.value,
        "visible_rules": _rules(visible),
        "visible_foul": bool(act.foul) and visible.verdict.value != "legal",
        "state": perfect.state_text,
        "over": None if perfect.over is None else perfect.over.to_json(),
    }


def _shown(act: Act, layout: Layout) -> Layout:
    """The layout as the game counts it: with two players dots do not."""
    return layout if act.before.with_dots() else Layout.of_marks(layout.marks)


def _rules(ruling: Ruling) -> list[str]:
    return sorted({finding.rule for finding in ruling.findings})


def truth_of(
    script: Script, seen: Sequence[Seen], weather: Sequence[Disturbance], wishes: Wishes
) -> dict[str, Any]:
    """Everything a test needs to know, as JSON."""
    events = [event_of(0, act, seen) for act in script.acts]
    events += [
        {"kind": d.kind, "from_s": round(d.from_s, 3), "at_s": round(d.to_s, 3),
         "strength": round(d.strength, 3)}
        for d in weather
    ]  # fmt: skip
    events.sort(key=lambda event: event["at_s"])
    for number, event in enumerate(events, 1):
        event["n"] = number
    return {
        "game": "quixo",
        "options": script.start.options.write(),
        "seats": wishes.seats,
        "start": GAME.write(script.start),
        "end": GAME.write(script.end or script.start),
        "events": events,
    }
