"""`arbitre serve`: the dashboard in a browser."""

import argparse
import errno
import socket
from pathlib import Path
from typing import Any, Final

from server.cli.family import follow_parent
from server.cli.parser import add_language
from server.cli.problems import Problem
from server.data import DataFolder, data_folder
from server.settings import DEFAULT_HOST, DEFAULT_PORT, Settings, is_loopback, token_for
from server.texts import Lang, text

LAST_PORT: Final = 65535


def add_arguments(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Define the command line."""
    parser.add_argument("--host", default=DEFAULT_HOST, help=text("help.host", lang))
    parser.add_argument("--port", type=port, default=DEFAULT_PORT, help=text("help.port", lang))
    parser.add_argument("--data", type=Path, metavar="DIR", help=text("help.data", lang))
    add_language(parser, lang)


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    follow_parent()
    settings = Settings(host=args.host, port=args.port, lang=args.lang, token=token_for(args.host))
    listener = listen(settings)
    from server.web.serving import serve

    try:
        app = open_app(settings, data_folder(args.data))
    except Problem:
        listener.close()
        raise
    address = address_of(settings, listener)
    print(text("serve.at", args.lang, address=address), flush=True)
    if not is_loopback(settings.host):
        print(text("serve.open", args.lang), flush=True)
    serve(app, listener, settings)
    return 0


def open_app(settings: Settings, data: DataFolder) -> Any:
    """The dashboard of a data folder, a WSGI application.

    Raises:
        Problem: the folder cannot be made, or its database cannot be used.
    """
    from server.store import StoreError
    from server.web import create_app

    try:
        return create_app(settings, data=data)
    except StoreError as error:
        raise Problem(error.reason_fr if settings.lang == "fr" else error.reason_en) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise Problem(text("serve.folder", settings.lang, path=data.path, reason=reason)) from error


def listen(settings: Settings) -> socket.socket:
    """A listening socket, bound before anything heavy is loaded.

    Raises:
        Problem: the port is in use or the address is not this machine's.
    """
    try:
        family = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.socket(family, socket.SOCK_STREAM)
    except OSError as error:
        raise _cannot(settings, error) from error
    try:
        # A server stopped a moment ago must not block its own port.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((settings.host, settings.port))
        listener.listen()
    except OSError as error:
        listener.close()
        raise _cannot(settings, error) from error
    return listener


def address_of(settings: Settings, listener: socket.socket) -> str:
    """The address to open in a browser, with the token where one is needed."""
    port = listener.getsockname()[1]
    host = settings.host
    if host in ("0.0.0.0", "::"):
        host = _own_address()
    host = f"[{host}]" if ":" in host else host
    return f"http://{host}:{port}/" + (f"?token={settings.token}" if settings.token else "")


def _own_address() -> str:
    """An address under which the local network reaches this machine; loopback if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket sends nothing: it only asks which way packets would go.
            probe.connect(("192.0.2.1", 9))  # TEST-NET-1 (RFC 5737), an address of nobody
        except OSError:
            return DEFAULT_HOST
        return str(probe.getsockname()[0])


def _cannot(settings: Settings, error: OSError) -> Problem:
    in_use = error.errno == errno.EADDRINUSE
    key = "serve.in_use" if in_use else "serve.cannot"
    reason = error.strerror or str(error)
    values = {"host": settings.host, "port": settings.port, "reason": reason}
    return Problem(text(key, settings.lang, **values))


def port(value: str) -> int:
    """A port number from the command line."""
    if value.isascii() and value.isdigit() and int(value) <= LAST_PORT:
        return int(value)
    raise argparse.ArgumentTypeError(f"{value!r}: 0–{LAST_PORT}")
