"""The table as it is now: its page, the live picture, and the news as server-sent events."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, Final

from flask import Blueprint, Response, abort, render_template, request, url_for

from engine.errors import EngineError
from server.data import DEFAULT_TABLE
from server.spool import PICTURE
from server.store import Missing, StoreError
from server.store.rows import MatchRow
from server.texts import both
from server.web.dashboard import Dashboard, dashboard
from server.web.feed import MOST_VIEWERS, Crowded, News, Subject
from server.web.pages import page_values
from server.web.refusals import refuse

blueprint = Blueprint("live", __name__)

KEEP_ALIVE_S: Final = 10.0
"""A line now and then shows the server that a viewer has left, and the viewer that it is there."""

WAIT_S: Final = 1.0
"""How long a viewer's thread waits at a time before it looks whether the server is stopping."""

RETRY_MS: Final = 1000
"""How soon a browser should come back after a broken line."""

Watch = Callable[[News | None, float], News | None]


@blueprint.get("/")
def table() -> str:
    """The table with the match that is on there."""
    return table_page(Subject(DEFAULT_TABLE))


def table_page(subject: Subject) -> str:
    """The page of a table, or of one match."""
    board = dashboard()
    news = board.feed.now(subject)
    view, trouble = None, _trouble(news)
    if news.row is not None:
        view, trouble = _view(board, news.row)
    if subject.match is None:
        feed = url_for("live.feed_of_table", table=subject.table)
    else:
        feed = url_for("live.feed_of_match", match=subject.match)
    first = {
        "match": None if view is None else json.loads(view),
        "status": None if news.status is None else json.loads(news.status),
        "trouble": trouble,
        "feed": feed,
        "picture": url_for("live.picture", table=subject.table),
    }
    return render_template("table.html", **page_values("table"), first=first)


@blueprint.get("/tables/<table>/picture.jpg")
def picture(table: str) -> Response:
    """The newest picture, clean; 304 while it is the one that the browser has, 204 without one."""
    path = dashboard().data.spool(known_table(table)) / PICTURE
    try:
        tag = f"{path.stat().st_mtime_ns:x}"
        if tag in request.if_none_match:
            return Response(status=304)
        response = Response(path.read_bytes(), mimetype="image/jpeg")
    except FileNotFoundError:
        return Response(status=204)
    response.set_etag(tag)
    return response


@blueprint.get("/api/tables/<table>/feed")
def feed_of_table(table: str) -> Response:
    """News of whatever match is on at a table."""
    return _stream(Subject(known_table(table)))


@blueprint.get("/api/matches/<match>/feed")
def feed_of_match(match: str) -> Response:
    """News of one match."""
    return _stream(Subject(row_of(match).table_id, match))


def known_table(table: str) -> str:
    """The id of a table that was set up; 404 for others."""
    if table == DEFAULT_TABLE or any(row.id == table for row in dashboard().store.tables.all()):
        return table
    abort(404)


def row_of(match: str) -> MatchRow:
    """The row of a match; 404 where there is none."""
    try:
        return dashboard().store.matches.get(match)
    except Missing:
        abort(404)


def _stream(subject: Subject) -> Response:
    """Server-sent events (HTML standard, section 9.2); ``id`` is ``match:number of the event``."""
    board, stack = dashboard(), ExitStack()
    try:
        watch = stack.enter_context(board.feed.following(subject))
    except Crowded:
        return refuse("crowded", 503, count=MOST_VIEWERS)
    lines = _lines(board, watch, request.headers.get("Last-Event-ID", ""))
    response = Response(lines, mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    # Runs also when the viewer leaves before the first line.
    response.call_on_close(stack.close)
    return response


def _lines(board: Dashboard, watch: Watch, last: str) -> Iterator[str]:
    """What a viewer is told, from the event after ``last`` on."""
    yield f"retry: {RETRY_MS}\n\n"
    known: News | None = None
    quiet_s = 0.0
    while not board.feed.closed:
        news = watch(known, WAIT_S)
        if news is None:
            quiet_s += WAIT_S
            if quiet_s >= KEEP_ALIVE_S:
                quiet_s = 0.0
                yield ": still here\n\n"
            continue
        quiet_s = 0.0
        if news.trouble is not None:
            yield _message("trouble", json.dumps(_trouble(news), ensure_ascii=False))
        if news.row is not None and (known is None or news.row != known.row):
            yield from _events(board, news.row, last)
            last = _id(news.row)
        if news.status is not None and (known is None or news.status != known.status):
            yield _message("status", news.status)
        known = news


def _events(board: Dashboard, row: MatchRow, last: str) -> Iterator[str]:
    """Every stored event that the viewer has not seen, then the match as it stands."""
    match, _, seq = last.rpartition(":")
    since = int(seq) if match == row.id and seq.isascii() and seq.isdigit() else None
    if since is not None:
        for event in board.store.events.since(row.id, since):
            told = {"seq": event.seq, "at": event.at, "hash": event.hash, "body": event.body}
            yield _message("event", json.dumps(told, ensure_ascii=False), f"{row.id}:{event.seq}")
    if since is None or since < row.seq:
        view, trouble = _view(board, row)
        if view is not None:
            yield _message("match", view.decode(), _id(row))
        if trouble is not None:
            yield _message("trouble", json.dumps(trouble, ensure_ascii=False))


def _view(board: Dashboard, row: MatchRow) -> tuple[bytes | None, dict[str, str] | None]:
    """The match, or what is wrong with it."""
    try:
        return board.following.view(row), None
    except StoreError as error:
        return None, {"text_en": error.reason_en, "text_fr": error.reason_fr}
    except EngineError as error:
        text_en, text_fr = both("live.error_unreadable", reason=error)
        return None, {"text_en": text_en, "text_fr": text_fr}


def _id(row: MatchRow) -> str:
    return f"{row.id}:{row.seq}"


def _message(name: str, data: str, event_id: str | None = None) -> str:
    head = "" if event_id is None else f"id: {event_id}\n"
    return f"{head}event: {name}\ndata: {data}\n\n"


def _trouble(news: News) -> dict[str, Any] | None:
    if news.trouble is None:
        return None
    return {"text_en": news.trouble[0], "text_fr": news.trouble[1]}
