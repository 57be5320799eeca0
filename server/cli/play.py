"""`arbitre play`: the camera loop and the dashboard together, each in a process of its own.

A page that is slow or falls over cannot hold up the camera, nor the other way round. A camera loop
that dies is started again and goes on with the match; one that keeps dying is given up.
"""

import argparse
import os
import signal
import sys
import threading
import time
import webbrowser
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from server.cli import watch
from server.cli.family import Process, start, stop
from server.cli.parser import WRONG_USE
from server.cli.serve import port
from server.settings import DEFAULT_HOST, DEFAULT_PORT, is_loopback
from server.texts import Lang, text

LOOK_S: Final = 0.2
RESTARTS: Final = 5
WITHIN_S: Final = 60.0
"""More restarts than this in a minute are no accident."""
OPEN_AFTER_S: Final = 2.0

Clock = Callable[[], float]


def add_arguments(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Define the command line."""
    watch.add_arguments(parser, lang)
    parser.add_argument("--host", default=DEFAULT_HOST, help=text("help.host", lang))
    parser.add_argument("--port", type=port, default=DEFAULT_PORT, help=text("help.port", lang))


def run(args: argparse.Namespace) -> int:
    """Run both until Ctrl-C."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # both end the children first
    server = start(_words("serve", args, ("host", "port", "data", "lang")))
    try:
        if not os.environ.get("NO_BROWSER") and args.port and is_loopback(args.host):
            address = f"http://{args.host}:{args.port}/"
            threading.Timer(OPEN_AFTER_S, webbrowser.open, [address]).start()
        return _look_after(args, server)
    except KeyboardInterrupt:
        return 0
    finally:
        stop(server)


def _look_after(args: argparse.Namespace, server: Process) -> int:
    """Start the camera loop again when it dies; returns when one of the two cannot go on."""
    words = _watch_words(args)
    deaths = Deaths()
    while True:
        loop = start(words)
        try:
            status = _first_end(loop, server)
        finally:
            stop(loop)
        if status is None:  # the dashboard ended
            return server.returncode
        if status in (0, WRONG_USE):
            return status
        if deaths.too_many():
            print(text("watch.gives_up", args.lang, count=RESTARTS), file=sys.stderr, flush=True)
            return WRONG_USE
        print(text("watch.restarts", args.lang, status=status), file=sys.stderr, flush=True)
        words = [word for word in words if word != "--new"]


class Deaths:
    """Counts how often a process died lately.

    Args:
        clock: seconds, never running backwards.
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._at: deque[float] = deque(maxlen=RESTARTS)

    def too_many(self) -> bool:
        """Count one more; True when there were too many within a minute."""
        self._at.append(self._clock())
        return len(self._at) == RESTARTS and self._at[-1] - self._at[0] < WITHIN_S


def _first_end(loop: Process, server: Process) -> int | None:
    """Wait for one of the two to end; the loop's status, or None when it was the dashboard."""
    while True:
        if (status := loop.poll()) is not None:
            return status
        if server.poll() is not None:
            return None
        time.sleep(LOOK_S)


def _watch_words(args: argparse.Namespace) -> list[str]:
    names = (
        "game",
        "source",
        "seats",
        "state",
        "to_move",
        "south",
        "commit",
        "table",
        "data",
        "lang",
    )
    words = _words("watch", args, names)
    words += [f"--option={pair}" for pair in args.option]
    flags = {"--as-lies": args.as_lies, "--new": args.new, "--json": args.json}
    words += [flag for flag, on in flags.items() if on]
    return [*words, "--stay"]


def _words(command: str, args: argparse.Namespace, names: Sequence[str]) -> list[str]:
    """The words of a command of ours, with the arguments that were given."""
    given = ((name, getattr(args, name)) for name in names)
    options = [f"--{name.replace('_', '-')}={value}" for name, value in given if value is not None]
    return [command, *options]
