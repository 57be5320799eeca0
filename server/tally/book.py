"""What a tally has to know of a game: how its sheet is laid out, what a line is worth, its rules.

One book a game, over the engine's own scoring and checks; nothing here decides a rule. Options are
the game's own.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.rules import Finding
from server.tally.reading import Value
from server.texts import Lang

Values: TypeAlias = Mapping[str, Value]
"""What the fields of a sheet hold, by their paths."""


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of a sheet.

    Attributes:
        paths: Every field, in reading order.
        is_sum: Whether a field holds a sum that the player wrote, and not an entry of the game.
        blank: What an empty field holds.
        unseen: What stands for a field that nobody made out.
        allowed: Every value that an entry can have; of a sum only the empty one.
        parse: Path and what a person typed to a value; ``ValueError`` where it cannot stand there.
        name: A field as players call it, such as ``o7`` or ``b3``; the path where they do not.
        sum_name: A box of sums in words: ``orange row``, ``column b``, ``total``.
        to_json: The sheet as the command contract writes it.
    """

    paths: tuple[str, ...]
    is_sum: Callable[[str], bool]
    blank: Callable[[str], Value]
    unseen: Callable[[str], Value]
    allowed: Callable[[str], tuple[Value, ...]]
    parse: Callable[[str, str], Value]
    name: Callable[[str], str]
    sum_name: Callable[[str, Lang], str]
    to_json: Callable[[Values], dict[str, Any]]

    def entries(self) -> tuple[str, ...]:
        """The fields that are entries of the game."""
        return tuple(where for where in self.paths if not self.is_sum(where))

    def sums(self) -> tuple[str, ...]:
        """The boxes for the player's own sums."""
        return tuple(where for where in self.paths if self.is_sum(where))

    def is_nothing(self, where: str, value: Value) -> bool:
        """Whether a value means that nothing is written; a count of marks is a number even so."""
        return value == self.blank(where) and where != "failed"


@dataclass(frozen=True, slots=True)
class Worth:
    """What a sheet is worth: a total of lines, each counted so many times.

    Attributes:
        lines: The lines that count, in the order of the sheet.
        cells: The entries that a line's worth depends on.
        line: Worth of one line.
        weight: How often a line counts in the total; -1 for what is taken off.
        box: The line whose worth belongs in a box of sums, ``total`` for the total's own, None
            for a box that does not count.
        same_sum: Whether a written sum (path, number) is the right one.
        key: The same for values of an entry that make no difference to any line.
        tie_break: What decides between sheets of one total, more is better.
        rank: Rank of a total of one player alone in English and French; None where the game has
            none.
        hints: Ids of texts that help with this sheet, such as options that would explain its sums.
    """

    lines: Callable[[Any], tuple[str, ...]]
    cells: Callable[[str], tuple[str, ...]]
    line: Callable[[str, Values, Any], int]
    weight: Callable[[str], int]
    box: Callable[[str, Any], str | None]
    same_sum: Callable[[str, int, int], bool]
    key: Callable[[str, Value], object]
    tie_break: Callable[[Values, Any], int]
    rank: Callable[[int, Any], tuple[str, str] | None]
    hints: Callable[[Values, Any], Iterator[str]]

    def all_lines(self, values: Values, options: Any) -> dict[str, int]:
        """Worth of each line."""
        return {name: self.line(name, values, options) for name in self.lines(options)}

    def total(self, lines: Mapping[str, int]) -> int:
        """The sum of the lines."""
        return sum(self.weight(name) * points for name, points in lines.items())


@dataclass(frozen=True, slots=True)
class Law:
    """The rules that a sheet can break.

    Attributes:
        findings: Broken rules that a sheet alone tells, its sums aside; unseen entries fit any.
        key: The same for values of an entry that make no difference to them.
        erasing_is_broken: Whether an entry that was erased or changed surely breaks a rule.
        erased: The finding of such entries.
    """

    findings: Callable[[Values], tuple[Finding, ...]]
    key: Callable[[str, Value], object]
    erasing_is_broken: bool
    erased: Callable[[tuple[str, ...]], Finding]


@dataclass(frozen=True, slots=True)
class Book:
    """All of it for one game.

    Attributes:
        game: Id of the game.
        read_options: The game's options from texts; raises ``engine.errors.OptionError``.
        form, worth, law: See there.
    """

    game: str
    read_options: Callable[[Mapping[str, str]], Any]
    form: Form
    worth: Worth
    law: Law
