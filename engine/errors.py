"""Errors of the engine, all of them ``ValueError``.

    ValueError
    +-- EngineError      base of what this package raises on purpose
        +-- TextError    a state, move, layout or log that cannot exist
        +-- OptionError  an unknown option, or a value it does not take
        +-- EventError   an event that cannot be read, or that does not fit its match
        +-- UnknownGameError  no game of that id

An illegal move is no error: it is a ``Ruling``.
"""

from __future__ import annotations


class EngineError(ValueError):
    """Base of the engine's errors; the message is one clear line for a user."""


class TextError(EngineError):
    """Text that is no layout, state, move or log.

    Attributes:
        line: 1-based line in the file, or None for one-line texts.
        column: 1-based column in that line, or None where no place can be named.
        detail: what was expected and what was there, without the place.
    """

    def __init__(self, detail: str, *, line: int | None = None, column: int | None = None) -> None:
        """Keep the place apart from the message, so that callers can name the file."""
        self.detail = detail
        self.line = line
        self.column = column
        super().__init__(self._message())

    def _message(self) -> str:
        parts = []
        if self.line is not None:
            parts.append(f"line {self.line}")
        if self.column is not None:
            parts.append(f"column {self.column}")
        return f"{', '.join(parts)}: {self.detail}" if parts else self.detail


class OptionError(EngineError):
    """An option that the game does not have, or a value that the option does not take."""


class EventError(EngineError):
    """An event that cannot be read, or that cannot happen where its match stands."""


class UnknownGameError(EngineError):
    """A game id that is not in ``engine.games.GAMES``."""
