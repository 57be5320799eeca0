"""Reads `cases/*.txt`: positions and moves with the rules they break."""

from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Outcome:
    breaks: frozenset[str]
    over: str  # "rule winners", or empty


@dataclass
class Case:
    name: str
    state: str = ""
    move: str = ""
    outcome: Outcome = Outcome(frozenset(), "")
    under: dict[str, Outcome] = field(default_factory=dict)


def outcome(text: str) -> Outcome:
    """Read ``breaks A B over C D``."""
    breaks, _, over = text.partition(" over ")
    words = breaks.removeprefix("breaks").split()
    return Outcome(frozenset(words) - {"nothing"}, over.strip())


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
        elif key == "breaks":
            cases[-1].outcome = outcome(f"breaks {value}")
        elif key == "over":
            cases[-1].outcome = Outcome(cases[-1].outcome.breaks, value)
        elif key.startswith("with "):
            cases[-1].under[key.removeprefix("with ")] = outcome(value)
        else:
            raise ValueError(f"unknown line in {game_id}.txt: {line}")
    return cases
