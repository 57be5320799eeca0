"""`arbitre export`: a match as a record."""

import argparse
import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import EngineError
from engine.games import get
from server.cli.parser import add_language
from server.cli.problems import Problem
from server.data import data_folder
from server.records import FORMS, as_csv, as_json, as_notation
from server.spool import write_aside
from server.texts import Lang, text

if TYPE_CHECKING:
    from server.store import MatchRow, Store, StoredEvent
    from server.store.frames import Frames

DONE, BROKEN = 0, 1
PACK = "zip"
"""The form that holds pictures as well: the evidence pack, see `server.evidence`."""
PAGES = "pdf"
"""The form for people to print, see `server.printing.record`."""
NEWEST = "last"


def add_arguments(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Define the command line."""
    parser.add_argument("match", metavar="MATCH", help=text("help.match", lang))
    parser.add_argument(
        "--as",
        dest="form",
        choices=(*FORMS, PAGES, PACK),
        default="json",
        help=text("help.as", lang),
    )
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4",
                        help=text("help.paper", lang))  # fmt: skip
    parser.add_argument("--out", type=Path, metavar="FILE", help=text("help.record_out", lang))
    held = parser.add_mutually_exclusive_group()
    held.add_argument("--hold", dest="held", action="store_true", help=text("help.hold", lang))
    held.add_argument(
        "--release", dest="held", action="store_false", help=text("help.release", lang)
    )
    parser.set_defaults(held=None)
    parser.add_argument("--data", type=Path, metavar="DIR", help=text("help.data", lang))
    add_language(parser, lang)


def run(args: argparse.Namespace) -> int:
    """Write the record to standard output."""
    from server.store import Missing, StoreError
    from server.store.chain import breaks

    store = _open(args)
    try:
        row, events = _read(args, store)
        if args.held is not None:
            row = store.matches.hold(row.id, args.held)
    except Missing as error:
        raise Problem(text("watch.no_match", args.lang, match=args.match)) from error
    except StoreError as error:
        raise Problem(error.reason_fr if args.lang == "fr" else error.reason_en) from error
    finally:
        store.close()
    lacking = _write(args, row, events, store.frames)
    broken = breaks(events)
    if broken:
        places = ", ".join(str(one.seq) for one in broken[:10])
        _say(text("watch.broken", args.lang, match=row.id, events=places))
    if lacking:
        _say(text("evidence.lacking", args.lang, count=len(lacking), first=lacking[0]))
    return BROKEN if broken or lacking else DONE


def _say(line: str) -> None:
    sys.stderr.write(f"arbitre export: {line}\n")


def _write(
    args: argparse.Namespace, row: "MatchRow", events: tuple["StoredEvent", ...], frames: "Frames"
) -> tuple[str, ...]:
    """Write the record, and return the pictures that should have been in it and are not there."""
    if args.form == PACK:
        return _write_pack(args, row, events, frames)
    try:
        if args.form == PAGES:
            _write_pages(args, row, events, frames)
            return ()
        record = _record(args, row, events)
    except EngineError as error:
        raise Problem(str(error)) from error
    if args.out is None:
        sys.stdout.write(record)
    else:
        _save(args.out, record.encode(), args.lang)
    return ()


def _write_pack(
    args: argparse.Namespace, row: "MatchRow", events: tuple["StoredEvent", ...], frames: "Frames"
) -> tuple[str, ...]:
    from server.evidence import write_pack

    path = args.out or Path(f"{row.id}.zip")
    newest = events[-1].hash if events else "-"
    pack = io.BytesIO()
    lost = write_pack(pack, row, events, frames.intact)
    _save(path, pack.getvalue(), args.lang)
    print(text("evidence.packed", args.lang, path=path, events=len(events), hash=newest))
    dropped = frames.dropped(row.id)
    return tuple(name for name in lost if name not in dropped)


def _write_pages(
    args: argparse.Namespace, row: "MatchRow", events: tuple["StoredEvent", ...], frames: "Frames"
) -> None:
    from server.printing.paper import PAPERS
    from server.printing.record import Subject, print_record

    path = args.out or Path(f"{row.id}.pdf")
    subject = Subject(
        get(row.game), row, events, frames.intact, PAPERS[args.paper], args.lang
    )  # fmt: skip
    pages = print_record(subject)
    count = len(pages.pdf.pages)
    _save(path, pages.to_bytes(), args.lang)
    print(text("record.written", args.lang, path=path, pages=count))


def _save(path: Path, content: bytes, lang: Lang) -> None:
    try:
        write_aside(path, content)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Problem(text("print.cannot_write", lang, path=path, reason=reason)) from error


def _open(args: argparse.Namespace) -> "Store":
    """The store; a damaged one for reading what is left."""
    from server.store import DamagedDatabase, Store, StoreError

    data = data_folder(args.data)
    if data.database_url is None and not (data.path / "arbitre.sqlite").exists():
        raise Problem(text("watch.no_data", args.lang, path=data.path))
    try:
        return Store(data.url, data.frames)
    except DamagedDatabase as error:
        sys.stderr.write(f"arbitre export: {_reason(error, args.lang)}\n")
        return Store(data.url, data.frames, salvage=True)
    except StoreError as error:
        raise Problem(_reason(error, args.lang)) from error


def _reason(error: "Exception", lang: Lang) -> str:
    return str(getattr(error, "reason_fr" if lang == "fr" else "reason_en"))


def _read(args: argparse.Namespace, store: "Store") -> tuple["MatchRow", tuple["StoredEvent", ...]]:
    from server.store import Missing

    if args.match == NEWEST:
        rows = store.matches.all()
        if not rows:
            raise Missing(name=args.match)
        row = rows[0]
    else:
        row = store.matches.get(args.match)
    if store.database.salvage:
        return row, tuple(store.events.readable(row.id))
    return row, store.events.since(row.id)


def _record(args: argparse.Namespace, row: "MatchRow", events: tuple["StoredEvent", ...]) -> str:
    if args.form == "json":
        return json.dumps(as_json(row, events), ensure_ascii=False, indent=2) + "\n"
    game = get(row.game)
    if args.form == "csv":
        return as_csv(game, events)
    return as_notation(game, row, events)[0]
