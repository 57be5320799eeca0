"""Matches of the past and of now: their list, their pages, and the pictures that prove them."""

import io
import re
from typing import Any, Final

from flask import Blueprint, Response, abort, jsonify, render_template, url_for
from werkzeug.wrappers import Response as BaseResponse

from engine import games
from engine.games import GAMES
from engine.match import Match
from server.evidence import write_pack
from server.spool import read_status
from server.store import Missing, StoreError
from server.store.rows import MatchRow
from server.texts import both, table
from server.web.dashboard import dashboard
from server.web.dice_view import dice_reading
from server.web.feed import Subject
from server.web.live import row_of, table_page
from server.web.match_view import over_view, seats_view
from server.web.pages import page_values
from server.web.reading_view import readings_view
from server.web.refusals import refuse_with

blueprint = Blueprint("history", __name__)

SHA256: Final = re.compile(r"[0-9a-f]{64}")

YEAR_S: Final = 365 * 24 * 3600
"""Pictures are named by their content: what a browser has of them never changes."""


@blueprint.get("/matches")
def matches() -> str:
    """All matches, the newest first; results follow one by one, since they have to be judged."""
    rows = [
        {
            "id": row.id,
            "address": url_for("history.match", match=row.id),
            "summary": url_for("history.summary", match=row.id),
            "begun": row.at,
        }
        for row in dashboard().store.matches.all()
    ]
    return render_template("matches.html", **page_values("matches"), first={"matches": rows})


@blueprint.get("/matches/<match>")
def match(match: str) -> str:
    """The page of one match."""
    return table_page(Subject(row_of(match).table_id, match))


@blueprint.get("/api/matches/<match>")
def view(match: str) -> BaseResponse:
    """A match as the pages show it."""
    content = dashboard().following.view(row_of(match))
    if content is None:
        abort(404)
    return Response(content, mimetype="application/json")


@blueprint.get("/api/matches/<match>/summary")
def summary(match: str) -> BaseResponse:
    """Who played, how many moves, and how it ended."""
    board, row = dashboard(), row_of(match)
    try:
        followed = board.following.stand(row)
    except (StoreError, ValueError) as error:
        told = getattr(error, "reason_en", None), getattr(error, "reason_fr", None)
        text_en, text_fr = told if told[0] else both("live.error_unreadable", reason=error)
        return jsonify({"problem": {"text_en": text_en, "text_fr": text_fr}})
    if followed is None:
        abort(404)
    current = board.store.matches.open_at(row.table_id)
    return jsonify(_summary(row, followed.match, current is not None and current.id == row.id))


def _summary(row: MatchRow, played: Match[Any], current: bool) -> dict[str, Any]:
    game = games.get(row.game)
    state = game.read(played.state)
    return {
        "game": game.id,
        "title_en": game.title_en,
        "title_fr": game.title_fr,
        "seats": seats_view(game, state, played),
        "moves": sum(step.ruling is not None for step in played.steps),
        "over": over_view(game.over(state)),
        "current": current,
    }


@blueprint.get("/api/matches/<match>/reading")
def reading(match: str) -> BaseResponse:
    """What was read of the last move seen, for people to put right."""
    board, row = dashboard(), row_of(match)
    followed = board.following.stand(row)
    status = read_status(board.data.spool(row.table_id))
    found = [] if followed is None else readings_view(followed, status)
    dice = None if followed is None else dice_reading(followed, status)
    if not found and dice is None:
        return refuse_with("no_reading", 404, *both("live.error_no_reading"))
    for one in (*found, *([dice] if dice else ())):
        sha = one.pop("frame")
        one["address"] = None if sha is None else url_for("history.frame", sha256=sha)
    assert followed is not None
    asked = bool(followed.match.doubts)
    told = {"question": followed.question, "asked": asked}
    return jsonify({**told, "readings": found, "dice": dice})


@blueprint.get("/frames/<sha256>.jpg")
def frame(sha256: str) -> Response:
    """A picture that proves something, clean as it was stored."""
    if not SHA256.fullmatch(sha256):
        abort(404)
    try:
        content = dashboard().store.frames.get(sha256)
    except (Missing, OSError):
        abort(404)
    response = Response(content, mimetype="image/jpeg")
    response.cache_control.private = True
    response.cache_control.max_age = YEAR_S
    response.cache_control.immutable = True
    return response


@blueprint.get("/matches/<match>/evidence.zip")
def evidence(match: str) -> Response:
    """The pack of evidence of a match, as `arbitre export --as zip` writes it."""
    row, store = row_of(match), dashboard().store
    pack = io.BytesIO()
    write_pack(pack, row, store.events.since(row.id), store.frames.intact)
    response = Response(pack.getvalue(), mimetype="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="{row.id}.zip"'
    response.cache_control.no_store = True
    return response


@blueprint.get("/rules/<game>")
def rules(game: str) -> str:
    """Every rule and option of a game, in both languages."""
    if game not in GAMES:
        abort(404)
    titles = {"options_title": dict(table("live")["options_title"])}
    return render_template("rules.html", **page_values("rules"), game=GAMES[game], both=titles)
