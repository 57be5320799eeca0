"""The evidence pack of a match: one zip that anybody can check, without our data and without us.

    match.json      the match with every event and hash, as `arbitre export --as json`
    moves.csv       the rulings that hold, as `--as csv`
    frames/H.jpg    the pictures that show its events, named by their SHA-256
    README.txt      what it is and how to check it
    SHA256SUMS      the SHA-256 of every other file, for `sha256sum -c`

The chain of hashes proves that the events are those that made the newest hash, and its pictures
those that they name; the newest hash itself proves something only beside the one that the players
noted, since who holds the data could write the whole chain anew.
"""

import hashlib
import io
import json
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, Any, Final

from engine.errors import EngineError
from engine.games import get
from server.records import as_csv, as_json
from server.store.chain import Break, breaks
from server.store.rows import MatchRow, StoredEvent
from server.texts import LANGS, text

RECORD: Final = "match.json"
MOVES: Final = "moves.csv"
README: Final = "README.txt"
SUMS: Final = "SHA256SUMS"
TEXTS: Final = (RECORD, MOVES, README, SUMS)
FRAMES: Final = "frames/"
FORMAT: Final = "arbitre match 1"

AT: Final = (1980, 1, 1, 0, 0, 0)
"""Time of every file, the earliest a zip knows: the same match gives the same bytes."""
MOST_FILES: Final = 20_000
"""More than three hours at two pictures a second: a pack that claims more is not opened."""
MOST_BYTES: Final = 4 << 30
"""Of all files unpacked, likewise: 20 000 pictures of 200 kB."""
MOST_TEXT: Final = 64 << 20
"""Of the record: an event has about 2 kB, and no match thirty thousand of them."""
_CHUNK: Final = 1 << 20


class NotEvidence(Exception):  # noqa: N818 - an answer to a person
    """A file that is no evidence pack.

    Args:
        what: ``no_zip``, ``no_record`` or ``no_size`` (larger than any match): name of its text.
    """

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a pack that is not as it was packed.

    Attributes:
        why: ``chain`` (an event), ``picture_missing``, ``picture_changed`` (its content is not the
            one its name tells), ``file_missing``, ``file_changed`` (against the list of sums),
            ``file_unknown`` (not on that list, or twice in the zip).
        where: the file, or the number of the event.
    """

    why: str
    where: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check of a pack found.

    Attributes:
        match: id of the match; likewise `game`, `begun`.
        events: how many.
        pictures: how many are there and are what they were.
        dropped: pictures that are named but had been deleted before packing: they prove nothing.
        hashes: of all events in order.
        ruled_otherwise: the table of moves is not what this program makes of the events. That is
            no fault: another version may have packed it.
        faults: what does not hold; empty when all does.
    """

    match: str
    game: str
    begun: str
    events: int
    pictures: int
    dropped: int
    hashes: tuple[str, ...]
    ruled_otherwise: bool
    faults: tuple[Fault, ...]

    def noted(self, start: str) -> int | None:
        """Number of the event whose hash begins so, as players may have noted it; None if none."""
        for seq, told in enumerate(self.hashes, start=1):
            if told.startswith(start.lower()):
                return seq
        return None


# ---------------------------------------------------------------------- packing
def write_pack(
    file: IO[bytes],
    row: MatchRow,
    events: Sequence[StoredEvent],
    picture: Callable[[str], bytes | None],
) -> tuple[str, ...]:
    """Write the pack of a match.

    Args:
        file: to write to.
        row: the match.
        events: all of it, in order.
        picture: gives the JPEG of a SHA-256; None when it is no longer there.

    Returns:
        SHA-256 of the pictures that could not be packed.
    """
    names = dict.fromkeys(name for event in events for name in event.frames if name)
    lacking = []
    sums: list[str] = []
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            jpeg = picture(name)
            if jpeg is None:
                lacking.append(name)
                continue
            _add(archive, sums, f"{FRAMES}{name}.jpg", jpeg, zipfile.ZIP_STORED)
        record = as_json(row, events) | {"dropped": lacking}
        told = json.dumps(record, ensure_ascii=False, indent=2) + "\n"
        _add(archive, sums, RECORD, told.encode())
        _add(archive, sums, MOVES, as_csv(get(row.game), events).encode())
        _add(archive, sums, README, _readme(row, events).encode())
        _add(archive, [], SUMS, "".join(sums).encode())
    return tuple(lacking)


def _readme(row: MatchRow, events: Sequence[StoredEvent]) -> str:
    newest = events[-1].hash if events else "-"
    words = [text("evidence.readme", lang, match=row.id, hash=newest) for lang in LANGS]
    return "\n".join(word.lstrip("\n") for word in words)


def _add(
    archive: zipfile.ZipFile, sums: list[str], name: str, content: bytes,
    how: int = zipfile.ZIP_DEFLATED,
) -> None:  # fmt: skip
    info = zipfile.ZipInfo(name, AT)
    info.external_attr = 0o644 << 16
    info.compress_type = how
    archive.writestr(info, content)
    sums.append(f"{hashlib.sha256(content).hexdigest()}  {name}\n")


# ---------------------------------------------------------------------- checking
def check_pack(file: IO[bytes]) -> Checked:
    """Check every hash of a pack.

    Raises:
        NotEvidence: it is no pack of ours, or larger than any.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            return _check(archive)
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError,
            OverflowError, RuntimeError) as error:  # fmt: skip
        # cut off, damaged beyond its directory (zipfile then seeks anywhere), or locked
        raise NotEvidence("no_zip") from error


def _check(archive: zipfile.ZipFile) -> Checked:
    infos = {info.filename: info for info in archive.infolist()}
    _bounded(archive.infolist())
    if not {RECORD, SUMS} <= set(infos):
        raise NotEvidence("no_record")
    if max(infos[name].file_size for name in infos if name in TEXTS) > MOST_TEXT:
        raise NotEvidence("no_size")
    row, events, dropped, broken = _record(archive.read(RECORD))
    sums = {name: _sum(archive, name) for name in infos}
    wanted = dict.fromkeys(name for event in events for name in event.frames if name)
    found = [name for name in wanted if sums.get(f"{FRAMES}{name}.jpg") == name]
    faults = [Fault("chain", str(one.seq)) for one in broken]
    faults += _pictures(wanted, sums, dropped)
    faults += _listed(archive.read(SUMS), sums)
    faults += [Fault("file_unknown", name) for name in _twice(archive.namelist())]
    lost = len([name for name in dropped if f"{FRAMES}{name}.jpg" not in sums])
    otherwise = not faults and MOVES in infos and _ruled_otherwise(
        row.game, events, archive.read(MOVES)
    )  # fmt: skip
    hashes = tuple(event.hash for event in events)
    return Checked(
        row.id, row.game, row.at, len(events), len(found), lost, hashes, otherwise, tuple(faults)
    )


def _bounded(infos: Sequence[zipfile.ZipInfo]) -> None:
    if len(infos) > MOST_FILES or sum(info.file_size for info in infos) > MOST_BYTES:
        raise NotEvidence("no_size")
    if any(info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for info in infos):
        raise NotEvidence("no_zip")


def _record(
    content: bytes,
) -> tuple[MatchRow, tuple[StoredEvent, ...], frozenset[str], tuple[Break, ...]]:
    try:
        known = json.loads(content)
        if known["format"] != FORMAT:
            raise NotEvidence("no_record")
        row = MatchRow(**known["match"])
        events = tuple(_event(one) for one in known["events"])
        return row, events, frozenset(map(str, known.get("dropped", ()))), breaks(events)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise NotEvidence("no_record") from error


def _event(known: dict[str, Any]) -> StoredEvent:
    told = {"frames": tuple(map(str, known["frames"])), "body": dict(known["body"])}
    return StoredEvent(**known | told | {"seq": int(known["seq"]), "hash": str(known["hash"])})


def _twice(names: Sequence[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def _ruled_otherwise(game: str, events: Sequence[StoredEvent], moves: bytes) -> bool:
    """True when this program does not make those moves of the events, or nothing at all."""
    try:
        return as_csv(get(game), events).encode() != moves
    except (EngineError, ValueError, KeyError, TypeError):
        return True


def _sum(archive: zipfile.ZipFile, name: str) -> str:
    """SHA-256 of a packed file, read in parts; empty when the zip's own check of it fails."""
    known = hashlib.sha256()
    try:
        with archive.open(name) as file:
            while part := file.read(_CHUNK):
                known.update(part)
    except (zipfile.BadZipFile, zlib.error, EOFError):
        return ""
    return known.hexdigest()


def _pictures(
    wanted: dict[str, None], sums: dict[str, str], dropped: frozenset[str]
) -> list[Fault]:
    faults = []
    for name in wanted:
        told = sums.get(f"{FRAMES}{name}.jpg")
        if told is None and name not in dropped:
            faults.append(Fault("picture_missing", name))
        elif told not in (None, name):
            faults.append(Fault("picture_changed", name))
    return faults


def _listed(content: bytes, sums: dict[str, str]) -> list[Fault]:
    """Files against the list of their sums."""
    listed = {}
    for line in io.StringIO(content.decode("utf-8", "replace")):
        known, _, name = line.rstrip("\n").partition("  ")
        listed[name] = known
    faults = [Fault("file_missing", name) for name in listed if name not in sums]
    faults += [
        Fault("file_changed", name)
        for name, known in listed.items() if sums.get(name, known) != known
    ]  # fmt: skip
    return faults + [Fault("file_unknown", n) for n in sums if n not in listed and n != SUMS]
