"""The reading of one score sheet as a tally takes it: values by their path, and what is in doubt.

The shape is that of the command contract, so that a reading may come from a picture, from a file
or from a page all the same. Pure: no picture, no network.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

Value: TypeAlias = int | str | None
"""What a field holds: a number, the text of a symbol, or None for a box without a number."""

Shares: TypeAlias = tuple[tuple[Value, float], ...]
"""Values with the reader's raw probabilities, most likely first."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A field that the reader would ask about.

    Attributes:
        where: Path into the reading's JSON, such as ``orange[3]``.
        candidates: What it may hold.
    """

    where: str
    candidates: Shares

    def to_json(self) -> dict[str, Any]:
        """The object of the contract's ``doubts``."""
        pairs = [[value, round(share, 4)] for value, share in self.candidates]
        return {"where": self.where, "candidates": pairs}


@dataclass(frozen=True, slots=True)
class SheetReading:
    """What was read of one sheet.

    Attributes:
        game: Id of the game.
        values: The most likely value of every field by its path, in reading order.
        doubts: What is not vouched for, in reading order.
        player: Name on the sheet's own code, or None.
        number: Number of the sheet on its own code, or None.
    """

    game: str
    values: Mapping[str, Value]
    doubts: tuple[Doubt, ...] = ()
    player: str | None = None
    number: int | None = None
    answered: Mapping[str, Value] = field(default_factory=dict)
    """What a person has said about fields, by path; ``values`` holds it already."""

    def doubt_at(self, where: str) -> Doubt | None:
        """The doubt about one field, or None where it is vouched for."""
        return next((doubt for doubt in self.doubts if doubt.where == where), None)

    def answer(self, answers: Mapping[str, Value]) -> "SheetReading":
        """The reading after a person has said what some fields hold: these are in doubt no more.

        Raises:
            KeyError: The sheet has no such field.
        """
        for where in answers:
            if where not in self.values:
                raise KeyError(where)
        return replace(
            self,
            values={**self.values, **answers},
            doubts=tuple(doubt for doubt in self.doubts if doubt.where not in answers),
            answered={**self.answered, **answers},
        )


def flatten(sheet: Mapping[str, Any]) -> dict[str, Value]:
    """Every value of a sheet's JSON by its path, in the JSON's order.

    Rows of symbols are texts of five letters: each letter is a value of its own.
    """
    found: dict[str, Value] = {}
    for key, entry in sheet.items():
        _flatten(key, entry, found)
    return found


def _flatten(path: str, entry: Any, found: dict[str, Value]) -> None:
    if isinstance(entry, Mapping):
        for key, inner in entry.items():
            _flatten(f"{path}.{key}", inner, found)
    elif isinstance(entry, list | tuple):
        for index, inner in enumerate(entry):
            if path == "grid":
                found.update({f"{path}[{index}][{at}]": sign for at, sign in enumerate(inner)})
            else:
                _flatten(f"{path}[{index}]", inner, found)
    else:
        found[path] = entry


def doubts_from_json(entries: Any) -> tuple[Doubt, ...]:
    """The doubts of the contract's JSON."""
    return tuple(
        Doubt(entry["where"], tuple((value, float(share)) for value, share in entry["candidates"]))
        for entry in entries
    )
