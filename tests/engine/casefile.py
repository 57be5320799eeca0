"""Reads `cases/*.txt`: positions and moves with the rules they break.

case: a name
state: as in docs/notation.md
move: as in docs/notation.md
breaks: ids of the rules broken, or "nothing"
over: rule that ends the game and the winners, left out when the game goes on
scores: one a seat after the move, left out where they do not matter
shows: ids of rules that break nothing here but on which the outcome rests
with NAME=VALUE: what changes under that option, "breaks ... over ... scores ..."
"""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

FOLDER = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Outcome:
    breaks: frozenset[str]
    over: str = ""  # "rule winners", or empty
    scores: str = ""  # one a seat, or empty where they do not matter


@dataclass
class Case:
    name: str
    state: str = ""
    move: str = ""
    outcome: Outcome = Outcome(frozenset())
    shows: frozenset[str] = frozenset()
    under: dict[str, Outcome] = field(default_factory=dict)

    def cited(self) -> set[str]:
        """Ids of all rules that the case names."""
        ids = set(self.shows)
        for one in (self.outcome, *self.under.values()):
            ids |= one.breaks | {one.over.split(" ")[0]} - {""}
        return ids


def outcome(text: str) -> Outcome:
    """Read ``breaks A B over C D scores 1 2``."""
    parts = re.split(r"(?:^| )(over|scores) ", text)
    named = dict(zip(parts[1::2], parts[2::2], strict=True))
    words = parts[0].removeprefix("breaks").split()
    breaks = frozenset(words) - {"nothing"}
    return Outcome(breaks, named.get("over", "").strip(), named.get("scores", "").strip())


def read_cases(game_id: str) -> list[Case]:
    cases: list[Case] = []
    for line in (FOLDER / f"{game_id}.txt").read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        key, _, value = line.partition(": ")
        if key == "case":
            cases.append(Case(value))
        elif key in ("state", "move"):
            setattr(cases[-1], key, value)
        elif key == "shows":
            cases[-1].shows = frozenset(value.split())
        elif key == "breaks":
            cases[-1].outcome = outcome(f"breaks {value}")
        elif key == "over":
            cases[-1].outcome = replace(cases[-1].outcome, over=value)
        elif key == "scores":
            cases[-1].outcome = replace(cases[-1].outcome, scores=value)
        elif key.startswith("with "):
            cases[-1].under[key.removeprefix("with ")] = outcome(value)
        else:
            raise ValueError(f"unknown line in {game_id}.txt: {line}")
    return cases
