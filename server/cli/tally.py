"""`arbitre tally`: photos of score sheets in, totals that people can trust out."""

import argparse
import json
import sys
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from server.cli import arguments
from server.cli.parser import WRONG_USE, add_json, add_language
from server.cli.problems import Problem
from server.cli.tally_terms import terms_of
from server.texts import Lang, text

if TYPE_CHECKING:
    from server.tally.batch import MakeReader
    from server.tally.merging import Key, Result, Terms
    from server.tally.reading import Value
    from server.tally.record import PhotoRecord
    from server.tally.storing import Store
    from vision.homography import Quad

GAMES: Final = ("detrak", "qwinto")
"""Games that are written on sheets."""

FOUND_WRONG: Final = 1
INTERRUPTED: Final = 130  # as for every command, see `server.cli`


def add_arguments(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Define the command line."""
    parser.add_argument("files", nargs="+", metavar="FILE", help=text("help.tally_files", lang))
    parser.add_argument("--game", required=True, choices=GAMES, help=text("help.game", lang))
    parser.add_argument(
        "--option", action="append", default=[], metavar="K=V", help=text("help.option", lang)
    )
    parser.add_argument("--log", type=Path, metavar="LOG", help=text("help.tally_log", lang))
    parser.add_argument("--names", metavar="A,B", help=text("help.tally_names", lang))
    parser.add_argument("--since", metavar="BEFORE", help=text("help.tally_since", lang))
    parser.add_argument("--corners", metavar="'X,Y X,Y X,Y X,Y'", help=text("help.corners", lang))
    add_json(parser, lang)
    parser.add_argument("--out", type=Path, metavar="DIR", help=text("help.tally_out", lang))
    parser.add_argument("--no-ask", action="store_true", help=text("help.tally_no_ask", lang))
    parser.add_argument("--jobs", type=int, metavar="N", help=text("help.tally_jobs", lang))
    parser.add_argument("--data", type=Path, metavar="DIR", help=text("help.data", lang))
    add_language(parser, lang)


def run(args: argparse.Namespace) -> int:
    """Tally every file, whatever becomes of the others; returns the exit status."""
    from server.reading import NetworkReader
    from server.tally.photo import fingerprint

    return run_with(args, NetworkReader, fingerprint)


def run_with(
    args: argparse.Namespace, make_reader: "MakeReader", made_by: Callable[[], str]
) -> int:
    """Tally with readers of one kind; ``made_by`` is their fingerprint."""
    from vision.errors import VisionError

    try:
        return _Run(args, make_reader, made_by()).run()
    except VisionError as error:
        raise Problem(error.reason_fr if args.lang == "fr" else error.reason_en) from error
    except BrokenProcessPool as error:
        raise Problem(text("tally.worker_died", args.lang)) from error


@dataclass
class _Run:
    """One run of the command. Mutable: it collects what goes wrong and what people say."""

    args: argparse.Namespace
    make_reader: "MakeReader"
    made_by: str
    faults: list[str] = field(default_factory=list)
    answers: "dict[Key, dict[str, Value]]" = field(default_factory=dict)

    def run(self) -> int:
        from server.tally.batch import photos_in
        from server.tally.merging import merge

        lang: Lang = self.args.lang
        terms = terms_of(self.args)
        store = self._store()
        paths = photos_in(self.args.files, self.args.out)
        if not paths:
            raise Problem(text("tally.no_photos", lang, path=", ".join(self.args.files)))
        if store is not None:
            self.answers = store.answers()
        corners = arguments.corners(self.args.corners, lang)
        if corners is not None and len(paths) > 1:
            raise Problem(text("tally.corners", lang))
        records = self._read(paths, store, corners)
        if records is None:
            return INTERRUPTED
        if self.args.since is not None:
            before = self._read(photos_in([self.args.since], self.args.out), store)
            if before is None:
                return INTERRUPTED
            terms = replace(terms, before=tuple(before))
        result = merge(records, terms, self.answers)
        if self._may_ask():
            from server.cli.tally_asking import ask

            terms = ask(result, terms, self.args, self.answers, self._keep_answers(store))
            result = merge(records, terms, self.answers)
        self._print(result, terms)
        self._warn_of_names(result, terms)
        if store is not None:
            self._write(store, result, terms)
        for fault in self.faults:
            sys.stderr.write(f"arbitre tally: {' '.join(fault.split())}\n")
        return self._status(result, terms)

    def _store(self) -> "Store | None":
        """The folder of ``--out``, which must be writable before anything is read."""
        from server.tally.storing import Store

        folder = arguments.folder(self.args.out, self.args.lang)
        if folder is None:
            return None
        store = Store(folder)
        try:
            store.write(".writable", b"").unlink()
        except OSError as error:
            raise Problem(self._unwritable(error)) from error
        return store

    def _unwritable(self, error: OSError) -> str:
        reason = error.strerror or str(error)
        return text("cli.folder", self.args.lang, path=self.args.out, reason=reason)

    def _read(
        self, paths: list[str], store: "Store | None", corners: "Quad | None" = None
    ) -> "list[PhotoRecord] | None":
        """Records in the order of the paths; None when the user stopped."""
        from server.tally.batch import Job, read_all
        from server.tally.progress import Progress
        from vision.onnx_session import usable_cores

        job = Job(self.args.game, self.made_by, self.make_reader, corners)
        workers = usable_cores() if self.args.jobs is None else self.args.jobs
        progress = Progress(len(paths), sys.stderr, self.args.lang)
        found: dict[str, PhotoRecord] = {}
        unique = list(dict.fromkeys(paths))
        try:
            for record in read_all(unique, job, workers, store, self._keeper(store)):
                found[record.path] = record
                progress.step()
        except KeyboardInterrupt:
            progress.close()
            key = "tally.stopped" if store is None else "tally.stopped_kept"
            line = text(key, self.args.lang, done=len(found), total=len(unique))
            sys.stderr.write(f"arbitre tally: {line}\n")
            return None
        progress.close()
        return [found[path] for path in paths]

    def _keeper(self, store: "Store | None") -> "Callable[[PhotoRecord], None]":
        """Keeps records as they come; a full disk is said once and stops nothing."""
        failed = False

        def keep(record: "PhotoRecord") -> None:
            nonlocal failed
            if store is None or failed:
                return
            try:
                store.keep(record)
            except OSError as error:
                failed = True
                self.faults.append(self._unwritable(error))

        return keep

    def _may_ask(self) -> bool:
        silent = self.args.json or self.args.no_ask
        return not silent and sys.stdin.isatty() and sys.stdout.isatty()

    def _keep_answers(self, store: "Store | None") -> Callable[[], None]:
        def keep() -> None:
            if store is not None:
                store.keep_answers(self.answers)

        return keep

    def _print(self, result: "Result", terms: "Terms") -> None:
        from server.tally.contract import photo_json
        from server.tally.telling import photo_lines, ranking_lines

        lang: Lang = self.args.lang
        for photo, record in enumerate(result.photos):
            if self.args.json:
                print(json.dumps(photo_json(result, photo, terms), ensure_ascii=False), flush=True)
            else:
                for line in photo_lines(result, photo, terms, lang):
                    print(line, flush=True)
            if record.error is not None:
                reason = record.error[lang == "fr"]
                self.faults.append(text("cli.file", lang, path=record.path, reason=reason))
        if not self.args.json:
            for line in ranking_lines(result, lang):
                print(line, flush=True)

    def _write(self, store: "Store", result: "Result", terms: "Terms") -> None:
        from server.tally.progress import Progress
        from server.tally.writing import write_result

        progress = Progress(len(result.photos), sys.stderr, self.args.lang)
        try:
            write_result(store, result, terms, self.args.lang, progress.step)
        except OSError as error:
            self.faults.append(self._unwritable(error))
        finally:
            progress.close()
        if not self.args.json:
            print(text("tally.written", self.args.lang, path=self.args.out), flush=True)

    def _warn_of_names(self, result: "Result", terms: "Terms") -> None:
        left = terms.names[len(result.distinct) :]
        if left:
            line = text("tally.names_left", self.args.lang, names=", ".join(left))
            sys.stderr.write(f"arbitre tally: {line}\n")

    def _status(self, result: "Result", terms: "Terms") -> int:
        if self.faults:
            return WRONG_USE
        refused = any(p.refused for p in (*result.photos, *terms.before))
        refused = refused or any(sheet.record.refused for sheet in result.sheets)
        return FOUND_WRONG if refused or any(sheet.wrong for sheet in result.sheets) else 0
