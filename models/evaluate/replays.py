"""Rulings of a replay against the truth of its recording: what became of every move and foul."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine import quinto
from engine.quixo import Layout

RULED: Final = ("move", "foul")
"""Kinds of events on which a ruling is wanted."""
ACTS: Final = (*RULED, "takeback", "think")
"""Kinds of events with a hand over the board."""
REACH_S: Final = 0.4
"""A ruling this soon after a hand has set out is on the act before: nothing can be done so fast."""

Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was said of one event.

    Attributes:
        event: of the truth.
        result: for a move ``right``, ``asked`` (undecided), ``missed`` (nothing said), ``wrong``
            (legal, but another board or turn) or ``accused``; for a foul ``named`` with just the
            rules broken, ``asked``, ``misnamed`` (illegal for another reason), or ``passed``
            (legal, or nothing said).
        rulings: what was said, in order.
        false_findings: rules named that were not broken.
    """

    event: Event
    result: str
    rulings: tuple[Mapping[str, Any], ...]
    false_findings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A whole replay against its truth.

    Attributes:
        outcomes: one for each move and foul, in order.
        stray: rulings on nothing: hands that only pointed, moves taken back, light.
    """

    outcomes: tuple[Outcome, ...]
    stray: tuple[Mapping[str, Any], ...]

    def accusations(self) -> int:
        """Illegal verdicts on acts that broke no rule."""
        stray = sum(ruling["verdict"] == "illegal" for ruling in self.stray)
        return stray + sum(o.result == "accused" for o in self.outcomes)


def compare(truth: Mapping[str, Any], rulings: Sequence[Mapping[str, Any]]) -> Comparison:
    """Assign each ruling to the act during or after which it was made, and judge it."""
    acts = [event for event in truth["events"] if event["kind"] in ACTS]
    said: dict[int, list[Mapping[str, Any]]] = {}
    stray = []
    for ruling in rulings:
        index = _act_of(acts, ruling["at"])
        if index is None or acts[index]["kind"] not in RULED:
            stray.append(ruling)
        else:
            said.setdefault(index, []).append(ruling)
    outcomes = [
        _outcome(act, said.get(index, [])) for index, act in enumerate(acts) if act["kind"] in RULED
    ]
    return Comparison(tuple(outcomes), tuple(stray))


def exactly(truth: Mapping[str, Any], rulings: Sequence[Mapping[str, Any]]) -> list[str]:
    """Every difference between a replay and its truth, in words; none for an exact replay.

    Moves must be legal and lead to the true state, fouls be named with just the rules broken as
    far as they could be seen, and nothing else be said.
    """
    found = compare(truth, rulings)
    lines = [f"stray ruling: {_brief(ruling)}" for ruling in found.stray]
    for outcome in found.outcomes:
        event = outcome.event
        wanted = "right" if event["kind"] == "move" else "named"
        if event["kind"] == "foul" and event["visible_verdict"] == "undecided":
            wanted = "asked"
        if outcome.result != wanted or len(outcome.rulings) != 1:
            said = "; ".join(_brief(ruling) for ruling in outcome.rulings) or "nothing"
            lines.append(
                f"{event['kind']} {event['move']} at {event['at_s']}: {outcome.result} ({said})"
            )
    return lines


def _act_of(acts: Sequence[Event], at_s: float | None) -> int | None:
    if at_s is None:
        return None
    begun = [index for index, act in enumerate(acts) if act["from_s"] + REACH_S <= at_s]
    return begun[-1] if begun else None


def _outcome(event: Event, rulings: Sequence[Mapping[str, Any]]) -> Outcome:
    named = {f["rule"] for ruling in rulings if ruling["verdict"] == "illegal"
             for f in ruling["findings"]}  # fmt: skip
    false = tuple(sorted(named - set(event["rules"])))
    decided = [ruling for ruling in rulings if ruling["verdict"] != "undecided"]
    last = decided[-1] if decided else None
    result = (
        _of_move(event, last, rulings)
        if event["kind"] == "move"
        else _of_foul(event, last, rulings)
    )
    return Outcome(event, result, tuple(rulings), false)


def _of_move(
    event: Event, last: Mapping[str, Any] | None, rulings: Sequence[Mapping[str, Any]]
) -> str:
    if any(ruling["verdict"] == "illegal" for ruling in rulings):
        return "accused"
    if last is None:
        return "asked" if rulings else "missed"
    return "right" if same_position(last["state"], event["state"]) else "wrong"


def _of_foul(
    event: Event, last: Mapping[str, Any] | None, rulings: Sequence[Mapping[str, Any]]
) -> str:
    if last is None:
        return "asked" if rulings else "passed"
    if last["verdict"] == "legal":
        return "passed"
    rules = {finding["rule"] for finding in last["findings"]}
    return "named" if rules == set(event["rules"]) else "misnamed"


def same_position(state: str, true: str) -> bool:
    """True when board and seat to move are the same; a dot not made out fits any.

    In Quinto the scores have to be the same as well: no board tells them.
    """
    if true.split()[1].isalpha():  # the seat follows the board at once; in Quixo dots or a dash do
        told, wanted_state = quinto.GAME.read(state), quinto.GAME.read(true)
        same_board = told.layout == wanted_state.layout
        return same_board and (told.seat, told.scores) == (wanted_state.seat, wanted_state.scores)
    board, seat = _position(state)
    wanted, true_seat = _position(true)
    return seat == true_seat and wanted.fits(board, with_dots=True)


def _position(state: str) -> tuple[Layout, str]:
    words = state.split()
    return Layout.read(f"{words[0]} {words[1]}"), words[2]


def _brief(ruling: Mapping[str, Any]) -> str:
    rules = ",".join(finding["rule"] for finding in ruling["findings"])
    return f"{ruling['verdict']} {ruling['move']} {rules} at {ruling['at']}"
