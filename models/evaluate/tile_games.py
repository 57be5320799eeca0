"""``arbitre replay`` on simulated games of Quinto: every play, score and final result.

A replay has nobody to say that a player passes, nor to answer its questions: there the rest of the
recording is replayed again from the true state, as for boards of cubes.
"""

import json
import multiprocessing
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2

from models.compose.tile_lists import require_fonts
from models.evaluate.recordings import follow
from models.evaluate.run import EvaluateConfig
from models.evaluate.table import wilson, write_rows
from models.render.progress import Progress

FIRST_SEED: Final = 19_000_000
TIERS: Final = ("clean", "everyday", "hard")
EDITIONS: Final = ("plastic-1964", "wood-1964", "1968", "plastic-1964")
TURNS: Final = 8
"""Plays filmed of each game: its first ones, or those up to its end."""
REST_S: Final = 2.0
"""Rest that a replay sees that starts anew, at most: films have 2 to 4 s between hands, and a board
of 221 cells at the hard tier is not found and told in half a second."""
LATE: Final = 22
"""Plays before the film begins where it shows the end of a game."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class GameTask:
    """One game: its tier and number, and where its rows are kept."""

    tier: str
    number: int
    folder: Path


def measure_tile_games(config: EvaluateConfig) -> None:
    """Film and replay ``count`` games; one row an event, one a game, and the rates.

    Raises:
        LabError: fonts are missing.
    """
    require_fonts("evaluation")
    root = config.build / "tile_games"
    root.mkdir(parents=True, exist_ok=True)
    tasks = [
        GameTask(TIERS[n % 3], n // 3, root / f"{TIERS[n % 3]}_{n // 3:02d}")
        for n in range(config.count)
    ]
    progress = Progress(len(tasks), "replaying games of Quinto")
    rows: list[Row] = []
    with multiprocessing.get_context("spawn").Pool(config.workers, _start) as pool:
        for found in pool.imap(_measure, tasks):
            rows += found
            progress.step()
    write_rows(config.out / "tile_games.csv", rows)
    lines = game_summary(rows)
    write_rows(config.out / "tile_games_summary.csv", lines)
    for line in lines:
        print("{tier:9} {figure:34} {hits}/{of} = {rate} % ({low} to {high})".format(**line))


def _start() -> None:
    cv2.setNumThreads(1)


def _measure(task: GameTask) -> list[Row]:
    from models.simulate.record import Order
    from models.simulate.tile_record import make_tiles
    from models.simulate.tile_script import TileWishes

    kept = task.folder.with_suffix(".json")
    if kept.exists():
        found: list[Row] = json.loads(kept.read_text(encoding="utf-8"))
        return found
    late = task.number % 3 == 2
    wishes = TileWishes(
        turns=TURNS, seconds=400.0, tier=task.tier, seats=2 + task.number % 2,
        edition=EDITIONS[task.number % len(EDITIONS)], foul_share=0.25,
        plays_before=LATE if late else task.number % 3 * 4,
    )  # fmt: skip
    seed = FIRST_SEED + 1000 * TIERS.index(task.tier) + task.number
    truth = make_tiles(Order(seed, wishes), task.folder)
    known = {"tier": task.tier, "game": task.number, "seed": seed}
    rows = [known | row for row in follow(task.folder, truth, REST_S)]
    shutil.rmtree(task.folder)
    kept.write_text(json.dumps(rows), encoding="utf-8")
    return rows


def game_summary(rows: Sequence[Row]) -> list[Row]:
    """Rates a tier and of all, with counts and 95 % intervals."""
    lines = []
    for tier in (*TIERS, "all"):
        of = [row for row in rows if tier in (row["tier"], "all")]
        if not of:
            continue
        plays = [row for row in of if row["kind"] == "move"]
        fouls = [row for row in of if row["kind"] == "foul"]
        games = {(row["tier"], row["game"]): [] for row in of}  # type: ignore[var-annotated]
        for row in of:
            games[row["tier"], row["game"]].append(row)
        helped = sum(all(is_right(row, answered=True) for row in one) for one in games.values())
        alone = sum(all(is_right(row) for row in one) for one in games.values())
        accused = sum(row["result"] == "accused" for row in plays)
        accused += sum(row["kind"] == "stray" and row["result"] == "illegal" for row in of)
        lines += [
            _line(tier, "games right without help", alone, len(games)),
            _line(tier, "games right after answers", helped, len(games)),
            _line(tier, "plays right", sum(r["result"] == "right" for r in plays), len(plays)),
            _line(tier, "plays asked", sum(r["result"] == "asked" for r in plays), len(plays)),
            _line(tier, "fouls named", sum(r["result"] == "named" for r in fouls), len(fouls)),
            _line(tier, "false findings", accused, len(plays)),
        ]
    return lines


def is_right(row: Row, *, answered: bool = False) -> bool:
    """True where the match stands as the game does after an event, and nothing false was said.

    Args:
        row: of an event.
        answered: questions have been answered.
    """
    if row["kind"] == "stray":
        return False
    right = "right" if row["kind"] == "move" else "named"
    return row["result"] == right or (answered and row["result"] == "asked")


def _line(tier: str, figure: str, hits: int, of: int) -> Row:
    low, high = wilson(hits, of)
    return {
        "tier": tier, "figure": figure, "hits": hits, "of": of,
        "rate": round(100 * hits / max(of, 1), 1),
        "low": round(100 * low, 1), "high": round(100 * high, 1),
    }  # fmt: skip
