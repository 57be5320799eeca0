"""Reading the words of a command line that need more than argparse."""

import argparse
from pathlib import Path

from server.cli.parser import Parser
from server.cli.problems import Problem
from server.texts import Lang, text

Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]


class One(argparse.Action):
    """An argument that may be given once: the first is not dropped without a word."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Keep the value.

        Raises:
            SystemExit: it is the second one.
        """
        if getattr(namespace, self.dest) is not None:
            lang = parser.lang if isinstance(parser, Parser) else "en"
            parser.error(text("cli.once", lang, option=option_string))
        setattr(namespace, self.dest, values)


def corners(value: str | None, lang: Lang) -> Corners | None:
    """The four points of ``--corners``; None if it is not given.

    Raises:
        Problem: not four points ``x,y``.
    """
    if value is None:
        return None
    try:
        points = [tuple(float(number) for number in word.split(",")) for word in value.split()]
    except ValueError:
        points = []
    if len(points) != 4 or any(len(point) != 2 for point in points):
        raise Problem(text("cli.corners", lang, value=value))
    a, b, c, d = ((point[0], point[1]) for point in points)
    return a, b, c, d


def settings(values: list[str], lang: Lang) -> dict[str, str]:
    """The pairs of ``--option name=value``; a name given twice keeps its last value.

    Raises:
        Problem: a word without a name or an equals sign.
    """
    pairs: dict[str, str] = {}
    for value in values:
        name, equals, right = value.partition("=")
        if not name or not equals:
            raise Problem(text("cli.option_form", lang, value=value))
        pairs[name.strip()] = right.strip()
    return pairs


def folder(path: Path | None, lang: Lang) -> Path | None:
    """The folder of ``--out``, made if need be; None if it is not given.

    Raises:
        Problem: it cannot be made.
    """
    if path is None:
        return None
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Problem(text("cli.folder", lang, path=path, reason=reason)) from error
    return path


def add_reading(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Add what steers the reading of pictures: ``--part``, ``--corners``, ``--start``."""
    parser.add_argument("--part", help=text("help.part", lang))
    parser.add_argument("--corners", metavar="'X,Y X,Y X,Y X,Y'", help=text("help.corners", lang))
    parser.add_argument("--start", type=Path, metavar="PHOTO", help=text("help.start", lang))
