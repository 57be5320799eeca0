"""The folder of ``--out``: one record a photo, answers, pictures, and the tables of the result.

DIR/photos/SHA256.json      what was read of a photo; a second run goes on from here
DIR/answers.json            what people said about fields
DIR/crops/…png              fields that were asked about
DIR/annotated/NAME.jpg      photos with what was read and what differs drawn on them
DIR/tally.csv, tally.jsonl  one line a sheet, one object a photo
DIR/summary.html            everything on one page, without a network
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from server.spool import write_aside
from server.tally.counted import Key
from server.tally.reading import Value
from server.tally.record import PhotoRecord, from_json, to_json

PHOTOS: Final = "photos"
ANSWERS: Final = "answers.json"
CROPS: Final = "crops"
ANNOTATED: Final = "annotated"
CSV: Final = "tally.csv"
JSON: Final = "tally.jsonl"
HTML: Final = "summary.html"


class Store:
    """The folder of one tally.

    Args:
        folder: Exists and can be written to.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def known(self, sha256: str, game: str, reader: str) -> PhotoRecord | None:
        """What an earlier run read of a photo; None where it did not, or by other networks."""
        if not sha256:
            return None
        try:
            raw = json.loads(self._file(sha256, game).read_text(encoding="utf-8"))
            record = from_json(raw)
        except (OSError, ValueError, AttributeError):  # not there, cut off, or of another version
            return None
        same = (record.sha256, record.game, record.reader) == (sha256, game, reader)
        return record if same else None

    def keep(self, record: PhotoRecord) -> None:
        """Keep what was read; raises ``OSError`` when the folder cannot be written to."""
        if record.sha256:
            content = json.dumps(to_json(record), ensure_ascii=False).encode()
            write_aside(self._file(record.sha256, record.game), content)

    def _file(self, sha256: str, game: str) -> Path:
        return self.folder / PHOTOS / f"{sha256}.{game}.json"

    def answers(self) -> dict[Key, dict[str, Value]]:
        """What people said in earlier runs; nothing where the file is damaged."""
        try:
            raw = json.loads((self.folder / ANSWERS).read_text(encoding="utf-8"))
            return {(one["photo"], int(one["sheet"])): dict(one["values"]) for one in raw}
        except (OSError, ValueError, KeyError, TypeError):
            return {}

    def keep_answers(self, answers: Mapping[Key, Mapping[str, Value]]) -> None:
        """Keep what people said; raises ``OSError``."""
        entries: list[dict[str, Any]] = [
            {"photo": sha256, "sheet": sheet, "values": dict(values)}
            for (sha256, sheet), values in answers.items()
        ]
        self.write(ANSWERS, json.dumps(entries, ensure_ascii=False, indent=1))

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file of the folder; raises ``OSError``."""
        path = self.folder / name
        write_aside(path, content.encode() if isinstance(content, str) else content)
        return path
