"""Options of a game as texts: reading, writing and refusing them, the same for every game.

A game's options are a frozen dataclass whose fields have defaults: true or false, a word, a number,
or None for "no limit".  What a field takes beyond its kind the dataclass checks itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import Field, fields
from typing import Any, ClassVar, Protocol, TypeVar

from engine.errors import OptionError, TextError


class Fields(Protocol):
    """A dataclass, as ``dataclasses.fields`` takes it."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


T = TypeVar("T", bound=Fields)

YES_NO = ("false", "true")
MAX_DIGITS = 9  # of a number; longer ones are typing mistakes


def read_names(words: Iterable[str]) -> dict[str, str]:
    """Return the values of words ``name=value`` by name, as the lines of states hold them.

    Raises:
        TextError: for a word of another form, or a name given twice.
    """
    values: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key in values:
            raise TextError(f"expected name=value once for each name, not {word!r}")
        values[key] = value
    return values


def read_options(cls: type[T], texts: Mapping[str, str]) -> T:
    """Return the options of ``name -> text``; names left out keep their default.

    Args:
        cls: the frozen dataclass of the options.
        texts: values as ``write_options`` writes them.

    Raises:
        OptionError: for an unknown name or a value that the option does not take.
    """
    known = {field.name: field.default for field in fields(cls)}
    values: dict[str, object] = {}
    for name, text in texts.items():
        if name not in known:
            raise OptionError(f"unknown option {name!r}; known: {', '.join(known)}")
        values[name] = _read_value(name, text, known[name])
    return cls(**values)


def write_options(options: Fields) -> dict[str, str]:
    """Return the options that differ from their default, as texts."""
    return {
        field.name: write_value(getattr(options, field.name))
        for field in fields(options)
        if getattr(options, field.name) != field.default
    }


def write_value(value: object) -> str:
    """Return an option's value as text: ``true``, ``false``, ``none``, a number or a word."""
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else f"{value}"


def expect(name: str, value: object, allowed: tuple[object, ...]) -> None:
    """Refuse a value that the option does not take.

    Raises:
        OptionError: naming the option, what it takes and what was given.
    """
    if value not in allowed:
        expected = ", ".join(map(str, allowed))
        raise OptionError(f"option {name}: expected one of {expected}, not {value!r}")


def _read_value(name: str, text: str, default: object) -> object:
    if isinstance(default, bool):
        if text not in YES_NO:
            raise OptionError(f"option {name}: expected true or false, not {text!r}")
        return text == "true"
    if isinstance(default, str):
        return text
    if default is None and text == "none":
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        raise OptionError(f"option {name}: expected a whole number, not {text!r}")
    return int(text)
