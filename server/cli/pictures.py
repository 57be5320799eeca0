"""Pictures named on a command line, read one by one; a bad file is a value, not the end."""

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from server.cli import arguments
from server.cli.problems import Problem
from server.reading import NetworkReader, Reader, Request
from server.texts import Lang, text

if TYPE_CHECKING:
    from vision.errors import VisionError
    from vision.pictures import Picture
    from vision.read import PictureReading


@dataclass(frozen=True, slots=True)
class Read:
    """What became of one file: a picture with its reading, or an error in the user's language."""

    path: str
    picture: "Picture | None" = None
    reading: "PictureReading | None" = None
    error: str | None = None


class Session:
    """Reads the files of one command, all in the same way."""

    def __init__(self, reader: Reader, request: Request, lang: Lang) -> None:
        """Keep what is the same for all files."""
        self.request = request
        self.lang = lang
        self._reader = reader

    def read(self, path: str, *, gaps: bool = False) -> Read:
        """Load and read one file; whatever is wrong with it comes back as its error."""
        from vision.errors import VisionError
        from vision.pictures import load_picture

        try:
            picture = load_picture(Path(path))
            reading = self._reader(picture, replace(self.request, gaps=gaps))
        except VisionError as error:
            return Read(path, error=reason(error, self.lang))
        except ValueError as error:  # corners by hand that are no quadrilateral
            return Read(path, error=str(error))
        return Read(path, picture, reading)


def open_session(args: argparse.Namespace) -> Session:
    """Get ready to read: the game's part, corners by hand, and the photo of the start position.

    Raises:
        Problem: one of them cannot be used.
    """
    request = Request(
        game_id=args.game,
        part=part_of(args.game, args.part, args.lang),
        corners_px=arguments.corners(args.corners, args.lang),
    )
    reader = NetworkReader()
    if args.start is not None:
        _adapt(reader, args.start, request, args.lang)
    return Session(reader, request, args.lang)


def reason(error: "VisionError", lang: Lang) -> str:
    """What is wrong, in the user's language."""
    return error.reason_fr if lang == "fr" else error.reason_en


def part_of(game: str, part: str | None, lang: Lang) -> str:
    """The part of a game that is named, or its first one.

    Raises:
        Problem: the game has no such part, or none that pictures show.
    """
    from vision.catalogue import parts

    known = parts(game)
    if not known:
        raise Problem(text("cli.no_reader", lang, game=game))
    if part is None:
        return known[0]
    if part not in known:
        raise Problem(text("cli.part", lang, part=part, game=game, known=", ".join(known)))
    return part


def _adapt(reader: NetworkReader, start: Path, request: Request, lang: Lang) -> None:
    from vision.catalogue import find
    from vision.errors import VisionError
    from vision.pictures import load_picture

    if find(request.game_id, request.part).adapt is None:
        raise Problem(text("cli.no_start", lang, part=request.part, game=request.game_id))
    try:
        reader.adapt(load_picture(start), request)
    except VisionError as error:
        problem = text("cli.file", lang, path=start, reason=reason(error, lang))
        raise Problem(problem) from error
