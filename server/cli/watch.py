"""`arbitre watch`: the camera loop of one table."""

import argparse
import json
import re
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.games import get
from server.cli.arguments import One
from server.cli.family import follow_parent
from server.cli.matches import add_commit, add_match, reason_of, start_of
from server.cli.parser import add_game, add_json, add_language
from server.cli.problems import Problem
from server.cli.sentences import ruled_line, view_line
from server.commands import Refused, Wish
from server.data import DEFAULT_TABLE, DataFolder, data_folder
from server.texts import Lang, text

if TYPE_CHECKING:
    from server.live.barred import View
    from server.live.eye import AnyEye
    from server.live.keeping import Keeper
    from server.live.loop import Loop, Report
    from server.live.replaying import About
    from server.refereeing import Noted
    from server.store import Store
    from vision.frames import Source

TABLE_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""A word that can be part of a path and of an address on every system."""

MOST_DAYS: Final = 36_500
PATIENCE_S: Final = 1.0
"""How long to wait for a table: longer than a page needs to carry out a command at it."""


def add_arguments(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Define the command line."""
    add_game(parser, lang)
    parser.add_argument("--source", metavar="S", action=One, help=text("help.source", lang))
    parser.add_argument("--seats", type=int, metavar="N", help=text("help.seats", lang))
    add_match(parser, lang)
    add_commit(parser, lang)
    parser.add_argument("--new", action="store_true", help=text("help.new", lang))
    parser.add_argument("--every-frame", action="store_true", help=text("help.every_frame", lang))
    parser.add_argument("--stay", action="store_true", help=text("help.stay", lang))
    parser.add_argument(
        "--table", default=DEFAULT_TABLE, metavar="ID", help=text("help.table", lang)
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help=text("help.data", lang))
    about = text("help.keep_days", lang)
    parser.add_argument("--keep-days", type=days, metavar="N", help=about)
    add_json(parser, lang)
    add_language(parser, lang)


def run(args: argparse.Namespace) -> int:
    """Watch until told to stop, or until a recording has ended."""
    from server.store import StoreError
    from vision.errors import VisionError

    if not TABLE_ID.fullmatch(args.table):
        raise Problem(text("watch.table", args.lang, table=args.table))
    follow_parent()
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    data = data_folder(args.data)
    try:
        with taken_table(data, args.table, args.lang), _store(data) as store:
            if args.keep_days is not None:
                _drop_old(store, args.keep_days)
            loop = _loop(args, data, store)
            loop.run(stopped.is_set)
            if loop.source is not None:
                loop.source.close()
            if loop.keeper.trouble is not None and loop.keeper.unsaved:
                raise loop.keeper.trouble
    except (StoreError, VisionError) as error:
        raise Problem(error.reason_fr if args.lang == "fr" else error.reason_en) from error
    except Refused as refused:
        raise Problem(reason_of(refused, args.lang)) from refused
    return 0


@contextmanager
def taken_table(data: DataFolder, table_id: str, lang: Lang) -> Iterator[None]:
    """Have a table while the block runs.

    Raises:
        Problem: another process has it, or the folder cannot be written to.
    """
    from server.live.lock import TableTaken, table_lock

    folder = data.spool(table_id)
    try:
        with table_lock(folder, PATIENCE_S):
            yield
    except TableTaken as error:
        raise Problem(text("watch.taken", lang, table=table_id)) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise Problem(text("watch.folder", lang, path=folder, reason=reason)) from error


def days(value: str) -> int:
    """A number of days from the command line."""
    if value.isascii() and value.isdigit() and 1 <= int(value) <= MOST_DAYS:
        return int(value)
    raise argparse.ArgumentTypeError(f"{value!r}: 1–{MOST_DAYS}")


def _drop_old(store: "Store", keep_days: int) -> None:
    """Delete pictures of matches that ended so long ago, but for those that a dispute holds."""
    now = datetime.now(UTC)
    cutoff = (now - timedelta(days=keep_days)).isoformat(timespec="milliseconds")
    store.frames.drop_before(cutoff, now.isoformat(timespec="milliseconds"))


@contextmanager
def _store(data: DataFolder) -> Iterator["Store"]:
    from server.store import Store

    store = Store(data.url, data.frames)
    try:
        yield store
    finally:
        store.close()


def _loop(args: argparse.Namespace, data: DataFolder, store: "Store") -> "Loop":
    """Everything made ready: the match, the camera, the networks."""
    from server.live.evidence import Evidence
    from server.live.keeping import Keeper
    from server.live.loop import Loop
    from server.live.status import Status
    from server.reading import NetworkReader

    evidence = Evidence()
    keeper = Keeper(store, args.table, evidence, args.game)
    source = _source(args)  # before the match: no match begins at a table that nobody can see
    try:
        eye = eye_of(args) if source is not None else None
        wish = _match(args, keeper)
    except Exception:
        if source is not None:
            source.close()
        raise
    return Loop(
        keeper=keeper,
        status=Status(data.spool(args.table), args.game if source is not None else None),
        evidence=evidence,
        source=source,
        eye=eye,
        report=_report(args, keeper),
        stay=args.stay or source is None,
        start=wish,
        spool=data.spool(args.table),
        reader=NetworkReader(),
        recorded=_about(args).setup,
        view=view_of(args.lang),
    )


def _match(args: argparse.Namespace, keeper: "Keeper") -> Wish | None:
    """Go on with the match that is on, or begin one; what can begin only once the table is seen.

    Raises:
        Problem: a match of another game is on.
    """
    row = keeper.row
    if keeper.unreadable is not None and not args.new:
        raise keeper.unreadable
    if row is not None and row.game != args.game and not args.new:
        values = {"table": args.table, "found": row.game, "game": args.game}
        raise Problem(text("watch.other_match", args.lang, **values))
    if row is not None and not args.new:
        print(text("watch.goes_on", args.lang, match=row.id, events=row.seq), flush=True)
        return None
    wish = Wish("start", {"game": args.game, "commit": args.commit, **_start(args)})
    if args.as_lies:
        return wish
    keeper.begin(wish)
    return None


def _start(args: argparse.Namespace) -> dict[str, object]:
    """How the match begins; a recording says so itself unless the command line does."""
    given = start_of(args)
    if {"options", "state", "as_lies"} & given.keys():
        return given
    return {**_about(args).start, **given}


def _about(args: argparse.Namespace) -> "About":
    """What a recording says of itself; nothing for a camera."""
    from server.live.replaying import About, about

    if args.source is None:
        return About(None, {})
    try:
        return about(Path(args.source))
    except (ValueError, OSError) as error:
        raise Problem(str(error)) from error


def _source(args: argparse.Namespace) -> "Source | None":
    if args.source is None:
        return None
    from vision.sources import open_source

    if args.every_frame:
        from server.live.pacing import Paced

        return Paced(open_source(args.source, every_frame=True))
    return open_source(args.source)


def eye_of(args: argparse.Namespace) -> "AnyEye":
    """What follows the game that is played, with its networks loaded.

    Raises:
        Problem: no camera can follow it, or networks are missing.
    """
    from server.live.eyes import EYES, open_eye
    from vision.errors import VisionError

    if args.game not in EYES:
        known = ", ".join(EYES)
        raise Problem(text("watch.no_eye", args.lang, game=args.game, known=known))
    try:
        return open_eye(args.game)
    except VisionError as error:
        raise Problem(error.reason_fr if args.lang == "fr" else error.reason_en) from error


def view_of(lang: Lang) -> "View":
    """Says on the terminal what bars the view; beside the rulings, not among them."""
    from server.live.barred import Barred, Clear, View

    def say(change: Barred | Clear) -> None:
        barred = change if isinstance(change, Barred) else None
        print(view_line(barred, lang), file=sys.stderr, flush=True)

    return View(say)


def _report(args: argparse.Namespace, keeper: "Keeper") -> "Report":
    from server.live.telling import Teller

    teller = Teller(get(args.game), keeper.table.match)

    def report(noted: tuple["Noted", ...]) -> None:
        for ruled in teller.tell(noted):
            line = json.dumps(ruled.to_json(), ensure_ascii=False) if args.json else None
            print(line or ruled_line(ruled, args.lang), flush=True)

    return report
