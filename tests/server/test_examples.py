"""Answers of people, kept with the crops they are about."""

import json
from pathlib import Path

from server.examples import Answer, Examples
from vision.observation import Field

QUAD = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
READ = Field("orange[0]", "1", 0.61, (("1", 0.61), ("7", 0.3)), True, QUAD)


def test_one_line_an_answer_and_one_file_a_crop(tmp_path: Path) -> None:
    examples = Examples(tmp_path, clock=lambda: 12.3456)
    first = Answer.about(READ, 7, game="qwinto", edition="commercial")
    empty = Answer.about(READ, None, game="qwinto", edition="commercial")
    examples.keep([(first, b"png"), (empty, b"png")])
    examples.keep([])
    folder = tmp_path / "examples" / "sheets"
    (crop,) = folder.glob("crops/*/*.png")
    assert crop.read_bytes() == b"png"
    told, later = map(json.loads, (folder / "answers.jsonl").read_text().splitlines())
    assert told == {
        "crop": crop.stem,
        "game": "qwinto",
        "edition": "commercial",
        "where": "orange[0]",
        "text": "7",
        "read": "1",
        "candidates": [["1", 0.61], ["7", 0.3]],
        "asked": True,
        "at_s": 12.346,
    }
    assert (later["crop"], later["text"]) == (crop.stem, "")
