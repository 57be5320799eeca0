"""Many photos: found in folders, read by several processes, each photo once, going on after a stop.

Reading a photo (`server.tally.photo`) and merging records (`server.tally.merging`) know nothing of
this module: whoever has a cluster can drive them otherwise.
"""

import concurrent.futures
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from server.reading import Reader, Request
from server.tally.photo import PART, hash_of, read_photo
from server.tally.record import PhotoRecord
from server.tally.storing import Store
from server.texts import both
from vision.errors import VisionError
from vision.homography import Quad

SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".gif"})
"""Files of a folder that are taken for photos; a file that is named is always tried."""

FEW: Final = 4
"""So many photos are read here: to start processes would take longer."""

PHOTOS_A_WORKER: Final = 200
"""A process is replaced after so many, so that what libraries hold on to stays bounded."""

THREADS_VARIABLE: Final = "OMP_NUM_THREADS"
"""Says how many threads the networks may use, see `vision.onnx_session.usable_cores`."""

MakeReader = Callable[[], Reader]


@dataclass(frozen=True, slots=True)
class Job:
    """What is the same for all photos.

    Attributes:
        game: Whose sheets to look for.
        made_by: Fingerprint of the networks.
        make_reader: Makes a reader, in each process anew; must be a function of a module.
        corners_px: Corners of the sheet given by hand, where there is one photo.
    """

    game: str
    made_by: str
    make_reader: MakeReader
    corners_px: Quad | None = None


def photos_in(names: Sequence[str], but: Path | None = None) -> list[str]:
    """The photos named, those of folders among them by name, folders in folders too.

    Args:
        names: Files and folders.
        but: A folder to leave out: that of the results.
    """
    found: list[str] = []
    for name in names:
        path = Path(name)
        found += [str(file) for file in _inside(path, but)] if path.is_dir() else [name]
    return found


def _inside(folder: Path, but: Path | None) -> Iterator[Path]:
    skipped = None if but is None else but.resolve()
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        ours = skipped is not None and skipped in path.resolve().parents
        if path.suffix.lower() in SUFFIXES and path.is_file() and not hidden and not ours:
            yield path


def read_all(
    paths: Sequence[str],
    job: Job,
    workers: int,
    store: Store | None,
    report: Callable[[PhotoRecord], None],
) -> Iterator[PhotoRecord]:
    """Records of photos, in whatever order they are done; each content is read once.

    Args:
        paths: The photos.
        job: How to read.
        workers: Processes to use.
        store: Where records are kept, and looked for first.
        report: Called with each record that was read anew, in this process, before it is yielded.

    Raises:
        vision.errors.VisionError: No photo can be read.
        KeyboardInterrupt: The user stops; what was read until then has been yielded.
    """
    to_read: list[str] = []
    twins: dict[str, list[str]] = {}
    for path in paths:
        sha256 = hash_of(Path(path))
        known = None if store is None else store.known(sha256, job.game, _maker(job))
        if known is not None:
            yield replace(known, path=path)
        elif sha256 and sha256 in twins:
            twins[sha256].append(path)
        else:
            twins.setdefault(sha256, [])
            to_read.append(path)
    for record in _fresh(to_read, job, workers):
        report(record)
        yield record
        for path in twins.get(record.sha256, []) if record.sha256 else []:
            yield replace(record, path=path)


def _fresh(paths: Sequence[str], job: Job, workers: int) -> Iterator[PhotoRecord]:
    if workers <= 1 or len(paths) <= FEW:
        reader = job.make_reader()
        for path in paths:
            yield _read(path, job, reader)
        return
    pool = concurrent.futures.ProcessPoolExecutor(
        max_workers=min(workers, len(paths)),
        # A process that starts anew shares no threads, locks or networks with this one.
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_prepare,
        initargs=(job,),
        max_tasks_per_child=PHOTOS_A_WORKER,
    )
    try:
        waiting = [pool.submit(_read_here, path) for path in paths]
        for done in concurrent.futures.as_completed(waiting):
            waiting.remove(done)  # lets go of the record
            yield done.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_here: dict[str, tuple[Job, Reader]] = {}
"""The job and reader of this process, when it is a worker."""


def _prepare(job: Job) -> None:
    """Get a worker ready: one thread, Ctrl-C left to the process that asked."""
    import cv2

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ[THREADS_VARIABLE] = "1"
    cv2.setNumThreads(1)
    _here["job"] = (job, job.make_reader())


def _read_here(path: str) -> PhotoRecord:
    job, reader = _here["job"]
    return _read(path, job, reader)


def _maker(job: Job) -> str:
    """Networks and corners: what a photo's record depends on beside the photo."""
    return job.made_by if job.corners_px is None else f"{job.made_by} {job.corners_px}"


def _read(path: str, job: Job, reader: Reader) -> PhotoRecord:
    """Read a photo; a photo on which the program itself fails does not end the others."""
    maker = _maker(job)
    try:
        return read_photo(path, Request(job.game, PART, job.corners_px), reader, maker)
    except VisionError:  # of the networks: no photo can be read
        raise
    except ValueError as error:  # corners by hand that are no quadrilateral
        return PhotoRecord(path, "", job.game, maker, error=(str(error), str(error)))
    except Exception as error:
        if os.environ.get("ARBITRE_DEBUG"):
            raise
        told = both("cli.bug", kind=type(error).__name__, message=error)
        return PhotoRecord(path, "", job.game, maker, error=told)
