"""Whole games whose rulings are kept; run this file to write the rulings anew."""

import json
from pathlib import Path

from engine.games import get
from engine.log import read_log
from engine.referee import judge_move

FOLDER = Path(__file__).parent / "logs"


def logs() -> list[Path]:
    return sorted(FOLDER.glob("*.txt"))


def rulings(path: Path) -> list[str]:
    """One line of JSON for each move of a log."""
    game = get(path.name.split("-")[0])
    reading = read_log(path.read_text(encoding="utf-8"), game)
    assert reading.log is not None, reading.errors
    assert reading.errors == ()
    state, lines = reading.log.start, []
    for n, entry in enumerate(reading.log.entries, start=1):
        ruling = judge_move(game, state, entry.move)
        state = game.read(ruling.state_text)
        lines.append(json.dumps(ruling.to_json(n), ensure_ascii=False))
    return lines


if __name__ == "__main__":
    for log in logs():
        text = "\n".join(rulings(log)) + "\n"
        log.with_suffix(".jsonl").write_text(text, encoding="utf-8")
