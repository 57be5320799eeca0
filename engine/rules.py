"""Rules as values: an id, a title, a text for players, and a check.

The words shown to players live here and nowhere else, in English and French.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

S = TypeVar("S")
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Breach:
    """How one rule was broken: the place in players' notation, and a sentence a language."""

    where: str
    text_en: str
    text_fr: str


@dataclass(frozen=True, slots=True)
class Rule(Generic[S, M]):
    """One rule of a game.

    Attributes:
        id: stable name ``game.slug``; never renamed or reused, stored events cite it.
        title_en, title_fr: the rule in a few words.
        text_en, text_fr: the rule in one or two sentences of our own.
        check: state and move to a ``Breach``, or None when the rule is kept.  Rules that only
            decide who has won keep every move; the game asks for them by id when play ends.
    """

    id: str
    title_en: str
    title_fr: str
    text_en: str
    text_fr: str
    check: Callable[[S, M], Breach | None]


@dataclass(frozen=True, slots=True)
class Finding:
    """A broken rule in a ruling: the rule's id, the place, and a sentence a language."""

    rule: str
    where: str
    text_en: str
    text_fr: str

    def to_json(self) -> dict[str, str]:
        """Return the finding as the JSON object of a ruling."""
        return {
            "rule": self.rule,
            "where": self.where,
            "text_en": self.text_en,
            "text_fr": self.text_fr,
        }


def broken(rules: Iterable[Rule[S, M]], state: S, move: M) -> tuple[Finding, ...]:
    """Return every rule that ``move`` breaks in ``state``, in the order of ``rules``."""
    found = []
    for rule in rules:
        breach = rule.check(state, move)
        if breach is not None:
            found.append(Finding(rule.id, breach.where, breach.text_en, breach.text_fr))
    return tuple(found)
