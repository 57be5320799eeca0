"""`arbitre demo`: a recorded game through the whole pipeline, on the live dashboard.

With ``--photos`` the earlier one: a pair of photos, the ruling on them, and the page that shows it.
"""

import argparse
import os
import socket
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from server.cli import replay, rule
from server.cli.family import start, stop
from server.cli.parser import add_language
from server.cli.problems import Problem
from server.cli.serve import address_of, listen, open_app, port
from server.data import DATABASE_VARIABLE, DataFolder
from server.settings import DEFAULT_PORT, Settings
from server.texts import Lang, text

FOLDER: Final = Path(__file__).parent.parent / "demo"
PHOTOS: Final = {name: FOLDER / f"{name}.jpg" for name in ("before", "after")}
RECORDINGS: Final = {"quixo": FOLDER / "quixo"}
OPEN_AFTER_S: Final = 0.5


def add_arguments(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Define the command line."""
    games = sorted(RECORDINGS)
    parser.add_argument("--game", choices=games, default="quixo", help=text("help.game", lang))
    parser.add_argument("--photos", action="store_true", help=text("help.photos", lang))
    parser.add_argument("--port", type=port, default=None, help=text("help.demo_port", lang))
    parser.add_argument("--once", action="store_true", help=text("help.once", lang))
    add_language(parser, lang)


def run(args: argparse.Namespace) -> int:
    """Play the recording on the dashboard, or rule on the photos and show them."""
    shown = PHOTOS.values() if args.photos else [RECORDINGS[args.game] / "recording.toml"]
    for path in shown:
        if not path.is_file():
            raise Problem(text("serve.demo_missing", args.lang, path=path))
    if args.photos:
        status = rule.run(_words_for(rule, args, *map(str, PHOTOS.values())))
        if args.once:
            return status
        _show_photos(args)
    elif args.once:
        return replay.run(_words_for(replay, args, str(RECORDINGS[args.game])))
    else:
        _show_live(args)
    return 0


def _words_for(command: Any, args: argparse.Namespace, *words: str) -> argparse.Namespace:
    """The command line of another command, in the same language."""
    parser = argparse.ArgumentParser()
    command.add_arguments(parser, args.lang)
    return parser.parse_args([*words, "--game", args.game, "--lang", args.lang])


def _show_live(args: argparse.Namespace) -> None:
    """Serve the dashboard while a camera loop plays the recording to it, until Ctrl-C.

    Nothing is kept: the match lies in a folder that is removed at the end.
    """
    from server.web.serving import serve

    with TemporaryDirectory(prefix="arbitre-demo-", ignore_cleanup_errors=True) as folder:
        settings = _settings(args)
        listener = _listen(settings, fixed=args.port is not None)
        app = open_app(settings, DataFolder(Path(folder)))
        with _watching(args, folder):
            _announce(settings, listener)
            serve(app, listener, settings)


@contextmanager
def _watching(args: argparse.Namespace, folder: str) -> Iterator[None]:
    """A camera loop beside this process, with the recording as its camera."""
    os.environ.pop(DATABASE_VARIABLE, None)  # a demonstration never writes into a club's database
    words = ["watch", "--game", args.game, "--source", str(RECORDINGS[args.game])]
    loop = start([*words, "--data", folder, "--every-frame", "--stay", "--lang", args.lang])
    try:
        yield
    finally:
        stop(loop)


def _show_photos(args: argparse.Namespace) -> None:
    """Serve the page with the photos on it until Ctrl-C, and open it in a browser."""
    from server.web import create_app
    from server.web.serving import serve

    settings = replace(_settings(args), shown=tuple(PHOTOS.items()))
    listener = _listen(settings, fixed=args.port is not None)
    _announce(settings, listener)
    serve(create_app(settings), listener, settings)


def _settings(args: argparse.Namespace) -> Settings:
    return Settings(port=DEFAULT_PORT if args.port is None else args.port, lang=args.lang)


def _announce(settings: Settings, listener: socket.socket) -> None:
    """Say where the page is, and open it in a browser."""
    address = address_of(settings, listener)
    print(f"\n{text('serve.at', settings.lang, address=address)}", flush=True)
    if not os.environ.get("NO_BROWSER"):
        # A moment later, so that the page finds the server answering.
        threading.Timer(OPEN_AFTER_S, webbrowser.open, [address]).start()


def _listen(settings: Settings, *, fixed: bool) -> socket.socket:
    """A socket on the usual port, or on a free one when another Arbitre has the usual one."""
    try:
        return listen(settings)
    except Problem:
        if fixed:
            raise
        return listen(replace(settings, port=0))
