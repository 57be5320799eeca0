"""Times of the rules of every game: judging whole games, keeping the score, finding plays.

The games are the golden logs of the tests, so that what is timed is what is tested.
"""

import random
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from engine import quinto, qwinto
from engine.audits import AUDITORS
from engine.errors import UnknownGameError
from engine.games import GAMES, AnyGame
from engine.log import Log, read_log
from engine.referee import judge_move
from engine.ruling import Verdict
from models.figures import Figure, percentile, timed

LOGS = Path(__file__).resolve().parent.parent / "tests" / "engine" / "logs"
BEST_OF = 3  # other programs share the machine
CROWDED = 40  # tiles on a board of Quinto, of 90
HANDS = 12  # dealt on each crowded board
SEED = 21

GAME_MS = 100
SCORE_MS = 0.2
PLAYS_MS = 50
AUDIT_MS = {"detrak": 50, "qwinto": 20}


def game_figures() -> list[Figure]:
    """Two figures a game, and the plays of Quinto."""
    figures: list[Figure] = []
    for game in GAMES.values():
        logs = logs_of(game)
        whole = [min(timed(partial(judge_all, game, log), BEST_OF)) for log in logs]
        updates = [time for log in logs for time in update_times(game, log)]
        figures += [
            Figure(
                f"judge a whole game, {game.id}, slowest", max(whole), "ms", GAME_MS, len(whole)
            ),
            Figure(
                f"score update, {game.id}, p95",
                percentile(updates, 95),
                "ms",
                SCORE_MS,
                len(updates),
            ),
        ]
    for game_id, limit_ms in AUDIT_MS.items():
        times = audit_times(game_id)
        what = f"audit a final sheet, {game_id}, p99"
        figures.append(Figure(what, percentile(times, 99), "ms", limit_ms, len(times)))
    plays = play_times()
    figures.append(
        Figure("all plays of Quinto, p99", percentile(plays, 99), "ms", PLAYS_MS, len(plays))
    )
    return figures


def logs_of(game: AnyGame) -> list[Log[Any, Any]]:
    """The golden games of a game.

    Raises:
        UnknownGameError: there is none.
    """
    found = []
    for path in sorted(LOGS.glob(f"{game.id}-*.txt")):
        log = read_log(path.read_text(encoding="utf-8"), game).log
        if log is not None:
            found.append(log)
    if not found:
        raise UnknownGameError(f"no written game of {game.id} in {LOGS}")
    return found


def judge_all(game: AnyGame, log: Log[Any, Any]) -> None:
    """Rule on every move of a log, as `arbitre judge` does."""
    state = log.start
    for entry in log.entries:
        state = game.read(judge_move(game, state, entry.move).state_text)


def update_times(game: AnyGame, log: Log[Any, Any]) -> list[float]:
    """Time in ms to carry out each legal move and reckon the scores."""
    times, state = [], log.start
    for entry in log.entries:
        ruling = judge_move(game, state, entry.move)
        if ruling.verdict is Verdict.LEGAL:
            work = partial(_update, game, state, entry.move)
            times.append(min(timed(work, BEST_OF)))
        state = game.read(ruling.state_text)
    return times


def _update(game: AnyGame, state: Any, move: Any) -> tuple[int, ...]:
    return game.scores(game.play(state, move))


def play_times() -> list[float]:
    """Time in ms to find all plays of full hands on the crowded boards of the golden games."""
    rng, times = random.Random(SEED), []
    for log in logs_of(quinto.GAME):
        state = log.start
        for entry in log.entries:
            state = quinto.GAME.read(judge_move(quinto.GAME, state, entry.move).state_text)
            if len(state.layout.tiles()) >= CROWDED:
                for _ in range(HANDS):
                    hand = "".join(rng.choice("0123456789") for _ in range(5))
                    work = partial(_all_plays, state, hand)
                    times.append(min(timed(work, BEST_OF)))
    return times


def _all_plays(state: quinto.State, hand: str) -> int:
    return sum(1 for _ in quinto.plays(state.layout, hand, state.options))


def audit_times(game_id: str) -> list[float]:
    """Time in ms to hold the final sheets of all golden games against the rolls of each.

    Most do not fit, and those are searched longest. What players wrote is left out of the logs.
    """
    game, auditor = GAMES[game_id], AUDITORS[game_id]
    logs = logs_of(game)
    sheets = [sheet for log in logs for sheet in final_sheets(game, log)]
    times = []
    for log in logs:
        rolls = tuple(e for e in log.entries if e.move.kind.value in ("roll", "reroll", "start"))
        bare = replace(log, entries=rolls)
        for seat in game.seat_names(log.start):
            for sheet in sheets:
                times.append(min(timed(partial(auditor.audit, bare, seat, sheet), BEST_OF)))
    return times


def final_sheets(game: AnyGame, log: Log[Any, Any]) -> list[Any]:
    """Each player's sheet at the end of a log, as the auditor of the game takes it."""
    state = log.start
    for entry in log.entries:
        state = game.read(judge_move(game, state, entry.move).state_text)
    if game.id == "qwinto":
        return [qwinto.FinalSheet(player.sheet) for player in state.players]
    return list(state.sheets)
