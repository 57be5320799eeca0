"""What people ask of a match: to start one, and everything that the buttons do.

A command becomes a row that the camera loop carries out. Where no loop runs, this process does so
at once; either way the answer tells what became of it.
"""

import json
import time
from typing import Any, Final

from flask import Blueprint, Response, jsonify, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from engine import quixo
from engine.games import GAMES, AnyGame
from server.boards import from_json
from server.commands import NAMES, SET_UP
from server.data import DEFAULT_TABLE
from server.live.lock import is_taken
from server.live.worker import carry_out
from server.spool import read_status
from server.store.rows import DONE, REFUSED, Command
from server.texts import both
from server.web.dashboard import dashboard
from server.web.live import known_table, row_of
from server.web.pages import page_values
from server.web.refusals import refuse_with

blueprint = Blueprint("control", __name__)

ANSWER_S: Final = 2.0
"""How long to wait for the loop: it takes commands between two frames, so within 0.2 s."""

LOOK_S: Final = 0.03

NAME_LENGTH: Final = 40
"""Letters of a player's name; more would not fit a phone."""


@blueprint.get("/start")
def start() -> str:
    """The form that starts a match."""
    folder = dashboard().data.spool(DEFAULT_TABLE)
    status = read_status(folder) if is_taken(folder) else None
    first = {
        "camera": status.get("game") if status is not None else None,  # the game it reads
        "games": [game_view(game) for game in GAMES.values()],
        "address": url_for("control.start_match", table=DEFAULT_TABLE),
    }
    return render_template("start.html", **page_values("start"), first=first)


@blueprint.post("/api/tables/<table>/start")
def start_match(table: str) -> BaseResponse:
    """Start a match at a table; the answer says where its page is."""
    body = json_body()
    names = body.get("players")
    if isinstance(names, list):
        body["players"] = [" ".join(str(name).split())[:NAME_LENGTH] for name in names]
    board = body.pop("board", None)
    if board is not None:
        try:
            body["state"] = _joined(board, body)
        except (ValueError, TypeError, AttributeError) as error:
            return refuse_with("input", 400, *both("page.error_value", reason=error))
    dashboard().store.tables.add(known_table(table))
    return carry(table, "start", body)


def _joined(board: dict[str, Any], body: dict[str, Any]) -> str:
    """The state of a game joined in its middle, from the board that people have filled in."""
    options = quixo.Options.read(dict(body.get("options") or {}))
    seat = str(body.pop("to_move", options.starter))
    return quixo.GAME.write(quixo.GAME.join(from_json(board), seat, options))


@blueprint.post("/api/matches/<match>/commands/<name>")
def command(match: str, name: str) -> BaseResponse:
    """Carry out a command in a match, if it is the one on at its table."""
    row = row_of(match)
    if name not in NAMES or name in ("start", *SET_UP):
        return refuse_with("input", 400, *both("page.error_bad_request"))
    current = dashboard().store.matches.open_at(row.table_id)
    if current is None or current.id != match:
        return refuse_with("over", 409, *both("live.error_match_over"))
    return carry(row.table_id, name, json_body())


def json_body() -> dict[str, Any]:
    """The JSON object that a request brings; an empty one where it brings none."""
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        return {}
    return body


def carry(table: str, name: str, body: dict[str, Any]) -> BaseResponse:
    """Put a command down, have it carried out, and say what became of it."""
    board = dashboard()
    key = body.pop("key", None)
    asked = board.store.commands.add(table, name, body, key=key if isinstance(key, str) else None)
    done = _carried(table, asked)
    if done.status == REFUSED:
        told = (done.answer["text_en"], done.answer["text_fr"])
        return refuse_with("refused", 409, *told)
    if done.status != DONE:
        response = jsonify({"waiting": True})
        response.status_code = 202
        return response
    return _done(done)


def _carried(table: str, asked: Command) -> Command:
    """The command once the loop, or this process, has carried it out; or as it is by then."""
    board = dashboard()
    until = time.monotonic() + ANSWER_S
    while True:
        # Refused while a loop has the table, or while another page's command is carried out.
        carry_out(board.store, board.data, table)
        command = board.store.commands.get(asked.id)
        if command.status in (DONE, REFUSED) or time.monotonic() >= until:
            return command
        time.sleep(LOOK_S)


def _done(command: Command) -> BaseResponse:
    """The match after the command; it is in JSON already, see `server.web.following`."""
    if command.match_id is None:
        return jsonify({})
    board = dashboard()
    row = board.store.matches.get(command.match_id)
    view = board.following.view(row) or b"null"
    address = json.dumps(url_for("history.match", match=row.id)).encode()
    content = b'{"address": ' + address + b', "match": ' + view + b"}"
    return Response(content, mimetype="application/json")


def game_view(game: AnyGame) -> dict[str, Any]:
    """What the form needs to know about a game."""
    options = {option.name: option for option in game.options}
    counts = options["seats"].values if "seats" in options else map(str, game.seats)
    return {
        "id": game.id,
        "title_en": game.title_en,
        "title_fr": game.title_fr,
        "seats": list(game.seats),
        "seat_names": {
            count: list(game.seat_names(game.start(int(count), {}))) for count in counts
        },
        "joins": game.id == "quixo",
        "sides": game.id == "quixo",
        "size": options["size"].default if "size" in options else None,
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "values": list(option.values),
                "text_en": option.text_en,
                "text_fr": option.text_fr,
            }
            for option in game.options
        ],
    }
