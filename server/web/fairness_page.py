"""The fairness of dice: how often each face came up over stored matches, tested and drawn."""

from dataclasses import asdict
from typing import Any, Final

from flask import Blueprint, jsonify, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from engine import games
from engine.errors import EngineError
from server.fairness import BY_HAND, DEGREES, FACES, SEEN, Thrown, fits
from server.store import Missing, StoreError
from server.store.rows import MatchRow
from server.texts import both
from server.web.dashboard import dashboard
from server.web.pages import page_values
from server.web.refusals import refuse_with

blueprint = Blueprint("fairness", __name__)

ALL: Final = "all"
SOURCES: Final = (ALL, BY_HAND, SEEN)


@blueprint.get("/fairness")
def fairness() -> str:
    """The page; what it shows is asked for by itself, so that a choice needs no reload."""
    rows = [row for row in dashboard().store.matches.all() if row.game in FACES]
    first = {
        "address": url_for("fairness.counts"),
        "games": [
            {"id": name, "title_en": games.get(name).title_en, "title_fr": games.get(name).title_fr}
            for name in FACES
        ],
        "matches": [{"id": row.id, "game": row.game, "begun": row.at} for row in rows],
        "game": rows[0].game if rows else next(iter(FACES)),
    }
    return render_template("fairness.html", **page_values("fairness"), first=first)


@blueprint.get("/api/fairness")
def counts() -> BaseResponse:
    """Counts and tests: ``game``, ``match`` (an id or ``all``), ``by`` (``all hand seen``)."""
    game, by = request.args.get("game", ""), request.args.get("by", ALL)
    match = request.args.get("match", ALL)
    for name, value, known in (("game", game, tuple(FACES)), ("by", by, SOURCES)):
        if value not in known:
            reason = f"{name}: expected one of {', '.join(known)}, not {value!r:.40}"
            return refuse_with("input", 400, *both("page.error_value", reason=reason))
    store = dashboard().store
    try:
        rows = store.matches.all() if match == ALL else (store.matches.get(match),)
    except Missing as error:
        return refuse_with("not_found", 404, error.reason_en, error.reason_fr)
    rows = tuple(row for row in rows if row.game == game)
    if match != ALL and not rows:
        reason = f"match: {match} is not one of {game}"
        return refuse_with("input", 400, *both("page.error_value", reason=reason))
    thrown, unreadable = _thrown(rows)
    chosen = [die for die in thrown if by in (ALL, die.by)]
    return jsonify({**_view(game, chosen), "matches": len(rows), "unreadable": unreadable})


def _thrown(rows: tuple[MatchRow, ...]) -> tuple[list[Thrown], int]:
    """The dice thrown in matches, and how many of these cannot be read."""
    thrown: list[Thrown] = []
    unreadable = 0
    for row in rows:
        try:
            thrown += dashboard().rolled.of(row)
        except (StoreError, EngineError):
            unreadable += 1
    return thrown, unreadable


def _view(game: str, thrown: list[Thrown]) -> dict[str, Any]:
    found = fits(game, thrown)
    return {
        "game": game,
        "faces": list(FACES[game]),
        "degrees": DEGREES,
        "fits": [{**asdict(fit), "throws": fit.throws, "verdict": fit.verdict} for fit in found],
    }
