"""What the referee says about one change of the table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from engine.game import Explanation, Over
from engine.rules import Finding

M = TypeVar("M")


class Verdict(StrEnum):
    """Three outcomes; none of them is an exception."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Excluded:
    """Something else that would fit what was seen, so could not be excluded.

    Attributes:
        move: notation, or None for "no move at all" and for what no notation names.
        rules: ids of the rules it would break; empty for another legal move.
        text_en, text_fr: one sentence for players.
    """

    move: str | None
    rules: tuple[str, ...]
    text_en: str
    text_fr: str

    def to_json(self) -> dict[str, object]:
        """Return the JSON object of a ruling's ``excluded`` list."""
        return {
            "move": self.move,
            "rules": list(self.rules),
            "text_en": self.text_en,
            "text_fr": self.text_fr,
        }


@dataclass(frozen=True, slots=True)
class Ruling(Generic[M]):
    """A verdict with its reasons.

    Attributes:
        seat: seat that was to move, or that acted where several may act.
        verdict: legal, illegal or undecided.
        move: the move in notation (two joined by ``, `` when a board was missed), or None
            when undecided.  Of several legal moves with one result it is the first; the others
            are in ``excluded``.
        moves: every explanation that was kept, best first.
        findings: the broken rules; when undecided, those of all explanations kept.
        excluded: what else would fit.
        scores: one a seat, after the ruling took effect.
        state_text: the state after the ruling took effect.
        over: how the game ended, or None.
    """

    seat: str
    verdict: Verdict
    move: str | None
    moves: tuple[Explanation[M], ...]
    findings: tuple[Finding, ...]
    excluded: tuple[Excluded, ...]
    scores: tuple[int, ...]
    state_text: str
    over: Over | None

    def to_json(self, n: int) -> dict[str, object]:
        """Return the ruling as a JSON object; ``n`` counts rulings from 1."""
        return {
            "n": n,
            "seat": self.seat,
            "move": self.move,
            "verdict": self.verdict.value,
            "findings": [finding.to_json() for finding in self.findings],
            "excluded": [entry.to_json() for entry in self.excluded],
            "scores": list(self.scores),
            "state": self.state_text,
            "over": self.over.to_json() if self.over is not None else None,
        }
