"""`arbitre demo`: a shipped move from photo to ruling, then the page that shows it."""

import argparse
import os
import socket
import threading
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import Final

from server.cli import rule
from server.cli.parser import add_language
from server.cli.problems import Problem
from server.cli.serve import address_of, listen, port
from server.settings import DEFAULT_PORT, Settings
from server.texts import Lang, text

FOLDER: Final = Path(__file__).parent.parent / "demo"
PHOTOS: Final = {name: FOLDER / f"{name}.jpg" for name in ("before", "after")}
OPEN_AFTER_S: Final = 0.5


def add_arguments(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Define the command line."""
    parser.add_argument("--game", choices=["quixo"], default="quixo", help=text("help.game", lang))
    parser.add_argument("--port", type=port, default=None, help=text("help.demo_port", lang))
    parser.add_argument("--once", action="store_true", help=text("help.once", lang))
    add_language(parser, lang)


def run(args: argparse.Namespace) -> int:
    """Rule on the shipped photos, print it, and serve the page with them on it."""
    for path in PHOTOS.values():
        if not path.is_file():
            raise Problem(text("serve.demo_missing", args.lang, path=path))
    status = rule.run(_rule_arguments(args))
    if args.once:
        return status
    _show(args)
    return 0


def _rule_arguments(args: argparse.Namespace) -> argparse.Namespace:
    """The command line of `arbitre rule` for the shipped photos."""
    parser = argparse.ArgumentParser()
    rule.add_arguments(parser, args.lang)
    before, after = (str(path) for path in PHOTOS.values())
    return parser.parse_args([before, after, "--game", args.game, "--lang", args.lang])


def _show(args: argparse.Namespace) -> None:
    """Serve the page with the photos on it until Ctrl-C, and open it in a browser."""
    from server.web import create_app
    from server.web.serving import serve

    settings = Settings(
        port=DEFAULT_PORT if args.port is None else args.port,
        lang=args.lang,
        shown=tuple(PHOTOS.items()),
    )
    listener = _listen(settings, fixed=args.port is not None)
    address = address_of(settings, listener)
    print(f"\n{text('serve.at', args.lang, address=address)}", flush=True)
    if not os.environ.get("NO_BROWSER"):
        # A moment later, so that the page finds the server answering.
        threading.Timer(OPEN_AFTER_S, webbrowser.open, [address]).start()
    serve(create_app(settings), listener, settings)


def _listen(settings: Settings, *, fixed: bool) -> socket.socket:
    """A socket on the usual port, or on a free one when another Arbitre has the usual one."""
    try:
        return listen(settings)
    except Problem:
        if fixed:
            raise
        return listen(replace(settings, port=0))
