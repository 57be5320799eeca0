"""Asking about doubts, and whose sheets they are, in the terminal of `arbitre tally`."""

import argparse
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from server.data import data_folder
from server.examples import Answer, Examples
from server.tally.asking import Stopped, Terminal, ask_about
from server.tally.merging import Counted, Key, Result, Terms
from server.tally.photo import NAME
from server.tally.reading import Doubt, Value
from server.tally.storing import CROPS
from server.texts import Lang, text

MOST_PLAYERS: Final = 6
"""Names are asked for a table, not for a whole folder of sheets."""


def ask(
    result: Result,
    terms: Terms,
    args: argparse.Namespace,
    answers: dict[Key, dict[str, Value]],
    keep: Callable[[], None],
) -> Terms:
    """Ask about every sheet that counts.

    Args:
        result: As it stands.
        terms: What was asked for.
        args: Of the command line.
        answers: What people said; new answers are added.
        keep: Called after each sheet, to keep the answers.

    Returns:
        The terms with the names that were given.
    """
    with tempfile.TemporaryDirectory(prefix="arbitre-") as folder:
        crops = Path(folder) if args.out is None else args.out / CROPS
        questions = _Questions(args, answers, crops)
        terminal = Terminal(_say, _hear, questions.crop, questions.heard, args.lang)
        try:
            for index in result.distinct:
                sheet = result.sheets[index]
                ask_about(sheet, _title(sheet, result), terms, terminal)
                questions.save(keep)
            return _ask_names(result, terms, terminal)
        except Stopped:
            return terms
        finally:
            questions.save(keep)


def _say(line: str) -> None:
    print(line, flush=True)


def _hear(prompt: str) -> str:
    return input(prompt)


def _title(sheet: Counted, result: Result) -> str:
    name = Path(result.photos[sheet.photo].path).name
    return f"{name}, {sheet.player}" if sheet.player else name


@dataclass
class _Questions:
    """What one round of questions needs of the world."""

    args: argparse.Namespace
    answers: dict[Key, dict[str, Value]]
    crops: Path
    warned: bool = False

    def crop(self, sheet: Counted, where: str) -> Path | None:
        """Put a field's picture where the person can open it."""
        png = sheet.record.crops.get(where)
        if png is None:
            return None
        sha256, at = sheet.key
        path = self.crops / f"{sha256[:12]}-{at + 1}-{where.replace('[', '-').replace(']', '')}.png"
        try:
            self.crops.mkdir(parents=True, exist_ok=True)
            path.write_bytes(png)
        except OSError as error:
            self._warn(error)
            return None
        return path

    def heard(self, sheet: Counted, doubt: Doubt, value: Value) -> None:
        """Count an answer, and keep it as an example of the user's own."""
        self.answers.setdefault(sheet.key, {})[doubt.where] = value
        png = sheet.record.crops.get(doubt.where)
        found = sheet.record.found
        if png is None or found is None or sheet.tally is None:
            return
        field = next(field for field in sheet.record.fields if field.where == doubt.where)
        answer = Answer.about(field, value, game=found.game, edition=found.edition)
        try:
            Examples(data_folder(self.args.data).path).keep([(answer, png)])
        except OSError as error:
            self._warn(error)

    def save(self, keep: Callable[[], None]) -> None:
        """Keep the answers; a disk that is full stops no question."""
        try:
            keep()
        except OSError as error:
            self._warn(error)

    def _warn(self, error: OSError) -> None:
        if not self.warned:
            self.warned = True
            lang: Lang = self.args.lang
            path, reason = error.filename, error.strerror or str(error)
            line = text("cli.folder", lang, path=path, reason=reason)
            sys.stderr.write(f"arbitre tally: {line}\n")


def _ask_names(result: Result, terms: Terms, terminal: Terminal) -> Terms:
    """Ask whose sheets they are, where several lie on one table and nobody has said."""
    counted = result.distinct
    if terms.names or not 1 < len(counted) <= MOST_PLAYERS:
        return terms
    if all(result.sheets[n].player for n in counted):
        return terms
    names: list[str] = []
    for n in counted:
        sheet = result.sheets[n]
        if sheet.player:
            names.append(sheet.player)
            continue
        picture = terminal.crop(sheet, NAME)
        if picture is not None:
            terminal.say("   " + text("tally.ask_picture", terminal.lang, path=picture))
        title = _title(sheet, result)
        try:
            names.append(terminal.hear(text("tally.ask_name", terminal.lang, title=title) + " "))
        except EOFError as end:
            raise Stopped from end
    return replace(terms, names=tuple(name.strip() for name in names))
