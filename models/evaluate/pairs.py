"""``arbitre rule`` as a user calls it, on composed photos before, during and after a move."""

import json
import multiprocessing
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from engine import quixo
from engine.game import Change
from engine.referee import judge
from models.compose.assets import Assets, load_assets
from models.compose.scene import EVALUATION, Shown, compose
from models.compose.tiers import TIERS
from models.evaluate.fouls import FOULS, Board, commit, legal_pushes, push, random_board
from models.evaluate.run import EvaluateConfig
from models.evaluate.table import wilson, write_rows
from models.render.progress import Progress

PAIRS = 200
FIRST_SEED = 9_000_000
WORDS = {".": "blank", "X": "cross", "O": "circle", "_": "none"}


def measure_pairs(config: EvaluateConfig) -> None:
    """Compose the pairs, rule on each with and without the glimpse, print the verdicts."""
    folder = config.build / "pairs"
    folder.mkdir(parents=True, exist_ok=True)
    assets = load_assets(config.bank, "evaluation", fresh=True)
    cases = [_compose_case(folder, assets, number) for number in range(PAIRS)]
    tasks = [(folder, case, glimpse) for case in cases for glimpse in (False, True)]
    progress = Progress(len(tasks), "ruling on pairs")
    rows = []
    with multiprocessing.get_context("spawn").Pool(config.workers) as pool:
        for row in pool.imap(_rule, tasks):
            rows.append(row)
            progress.step()
    write_rows(config.out / "pairs.csv", rows)
    write_rows(config.out / "pairs_summary.csv", _summary(rows))
    for line in _summary(rows):
        print(line)


def case_of(number: int) -> tuple[dict[str, Any], dict[str, Board]]:
    """One move, legal for even numbers, and the boards before, during and after it."""
    rng = np.random.default_rng([FIRST_SEED, number])
    made = None
    while made is None:
        board, player = random_board(rng, int(rng.integers(3, 24)))
        if number % 2 == 0:
            kind = "legal"
            moves = legal_pushes(board, player)
            cube, end = moves[int(rng.integers(len(moves)))]
            made = push(board, cube, end, player, str(rng.choice(list("NESW")))), cube
        else:
            kind = FOULS[number // 2 % len(FOULS)]
            made = commit(rng, board, player, kind)
    after, cube = made
    pushes = legal_pushes(board, player)
    ends = {(c, push(board, c, e, player, "N").marks) for c, e in pushes}
    facts = {
        "number": number,
        "tier": ("clean", "everyday")[number // 2 % 2],
        "kind": kind,
        "player": player,
        "alike": after.marks in {marks for _, marks in ends},
        "alike_cube": (cube, after.marks) in ends,
    }
    return facts, {"before": board, "during": board.put(cube, "_", "."), "after": after}


def _compose_case(folder: Path, assets: Assets, number: int) -> dict[str, Any]:
    """Write the three pictures of a case."""
    facts, boards = case_of(number)
    tier = replace(TIERS[facts["tier"]], occlusion_share=(0.0, 0.0))
    for take, (name, shown) in enumerate(boards.items()):
        path = folder / f"{number:03d}_{name}.jpg"
        seen = Shown(tuple(WORDS[m] for m in shown.marks), tuple(_dot(d) for d in shown.dots), take)
        path.write_bytes(compose(FIRST_SEED + number, tier, EVALUATION, assets, seen).jpeg)
    return facts


def _dot(side: str) -> str:
    return "unseen" if side == "." else side


def _rule(task: tuple[Path, dict[str, Any], bool]) -> dict[str, Any]:
    folder, case, glimpse = task
    number = case["number"]
    command = [sys.executable, "-m", "server", "rule"]
    command += [str(folder / f"{number:03d}_{name}.jpg") for name in ("before", "after")]
    command += ["--game", "quixo", "--to-move", case["player"], "--json"]
    if glimpse:
        command += ["--during", str(folder / f"{number:03d}_during.jpg")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    verdict, rules, excluded = "error", "", ""
    if done.stdout.strip():
        answer = json.loads(done.stdout.splitlines()[-1])
        verdict = answer.get("verdict") or "refused"
        rules = " ".join(sorted({finding["rule"] for finding in answer.get("findings", [])}))
        excluded = str(bool(answer.get("excluded")))
    return {
        **case,
        "glimpse": glimpse,
        "wanted": _wanted(case, glimpse),
        "sight": _by_perfect_sight(case["number"], glimpse),
        "verdict": verdict,
        "rules": rules,
        "excluded": excluded,
        "error": done.stderr.strip()[:200],
    }


def _by_perfect_sight(number: int, glimpse: bool) -> str:
    """The referee's verdict on the boards as they were laid, no picture in between.

    Where two single faults explain the boards it is "undecided": that much no camera can better.
    """
    facts, boards = case_of(number)
    laid = {name: quixo.Layout(5, board.marks, board.dots) for name, board in boards.items()}
    options = quixo.Options()
    seat = next(s for s in options.seat_names() if options.mark_of(s) == facts["player"])
    state = quixo.GAME.join(laid["before"], seat, options)
    during = (laid["during"],) if glimpse else ()
    return str(judge(quixo.GAME, state, Change(during, laid["after"]), one_turn=True).verdict)


def _wanted(case: dict[str, Any], glimpse: bool) -> str:
    """A foul that ends like a legal move is legal to the eye.

    A glimpse shows which cube was lifted, so that only legal moves of that cube count then.
    """
    alike = case["alike_cube"] if glimpse else case["alike"]
    return "legal" if case["kind"] == "legal" or alike else "illegal"


def _summary(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    lines = []
    for glimpse in (False, True):
        for wanted in ("legal", "illegal"):
            members = [r for r in rows if r["glimpse"] == glimpse and r["wanted"] == wanted]
            counts = Counter(row["verdict"] for row in members)
            low, high = wilson(counts[wanted], len(members))
            lines.append(
                {"glimpse": glimpse, "wanted": wanted, "of": len(members), "right": counts[wanted]}
                | {"as_perfect_sight": sum(r["verdict"] == r["sight"] for r in members)}
                | {"low": round(100 * low, 1), "high": round(100 * high, 1)}
                | {v: counts[v] for v in ("legal", "illegal", "undecided", "refused", "error")}
            )
    return lines


__all__ = ["Board", "measure_pairs"]
