"""Score sheets: photos dropped or taken with a phone, what was read in them, people's answers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    jsonify,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as BaseResponse

from engine import games
from engine.errors import EngineError
from server.examples import Answer, crop_png
from server.piles.exporting import KINDS, export
from server.piles.folder import PileFolder
from server.piles.pile import GAMES, OPTIONS, Pile
from server.piles.taking import Taken, as_read, scaled, take, take_again
from server.reading import Reader
from server.records import as_notation
from server.settings import Settings
from server.store.rows import MatchRow
from server.texts import both, known_language
from server.web.api import corners_of
from server.web.control import game_view, json_body
from server.web.dashboard import dashboard
from server.web.live import row_of
from server.web.pages import language, page_values
from server.web.refusals import refuse_with
from server.web.tally_view import pile_view
from vision.errors import VisionError

blueprint = Blueprint("tally", __name__)

YEAR_S: Final = 365 * 24 * 3600
"""Photos are named by their content; the address of a sheet laid flat changes with its corners."""


@blueprint.get("/sheets")
def newest() -> str:
    """The page with the newest pile."""
    piles = _folder().all()
    return _page(piles[0] if piles else None)


@blueprint.get("/sheets/<pile>")
def one(pile: str) -> str:
    """The page with one pile."""
    return _page(_known(pile))


def _page(pile: Pile | None) -> str:
    settings: Settings = current_app.config["SETTINGS"]
    first = {
        "games": [_game_view(game) for game in GAMES],
        "pile": None if pile is None else _view(pile),
        "piles": [_line(one) for one in _folder().all() if pile is None or one.id != pile.id],
        "matches": [_match_line(row) for row in dashboard().store.matches.all()],
        "limit": settings.upload_limit_bytes,
        "address": url_for("tally.begin"),
    }
    return render_template("sheets.html", **page_values("sheets"), first=first)


@blueprint.post("/api/piles")
def begin() -> BaseResponse:
    """Begin a pile: ``{"game", "options"}``."""
    body = json_body()
    return _done(lambda: _folder().begin(lambda new: _played(new, body)))


@blueprint.get("/api/piles/<pile>")
def view(pile: str) -> BaseResponse:
    """A pile as the page shows it."""
    return jsonify(_view(_known(pile)))


@blueprint.post("/api/piles/<pile>")
def play(pile: str) -> BaseResponse:
    """Another game, as long as no sheets lie there, or other options: ``{"game", "options"}``."""
    body = json_body()
    return _change(pile, lambda old: _played(old, body))


@blueprint.post("/api/piles/<pile>/rolls")
def compare(pile: str) -> BaseResponse:
    """Rolls to compare the sheets with: ``{"match"}``, ``{"log", "name"}``, or nothing for none."""
    body = json_body()
    match, log, name = (body.get(key, "") for key in ("match", "log", "name"))
    if not all(isinstance(text, str) for text in (match, log, name)):
        return _bad(ValueError("expected a match, or a log and its name"))

    def put() -> Pile | None:
        text = _notation_of(match) if match else log
        return _folder().change(pile, lambda old: old.compared(text, match or name[:80]))

    return _done(put)


def _notation_of(match: str) -> str:
    """The rolls of a match; raises ``EngineError`` where notation cannot tell it."""
    row = row_of(match)
    events = dashboard().store.events.since(row.id, 0)
    return as_notation(games.get(row.game), row, events)[0]


@blueprint.post("/api/piles/<pile>/forget")
def forget(pile: str) -> BaseResponse:
    """Delete a pile with its photos."""
    _folder().remove(_known(pile).id)
    return jsonify({"address": url_for("tally.newest")})


@blueprint.post("/api/piles/<pile>/photos")
def add(pile: str) -> BaseResponse:
    """Read one uploaded photo (form field ``picture``); a file that lies there is not read again.

    The answer is the pile, with ``known`` true for such a file.
    """
    upload = request.files.get("picture")
    if upload is None:
        return refuse_with("no_photo", 400, *both("piles.pile_error_no_photo"))
    old, reader = _known(pile), _reader()
    try:
        taken = take(upload.stream.read(), upload.filename or "photo.jpg", old.game, reader)
    except VisionError as error:
        return refuse_with("weights", 503, error.reason_en, error.reason_fr)
    known = old.photo(taken.photo.sha256)
    if known is not None and known.sheets:
        return jsonify({**_view(old), "known": True})
    return _keep(old.id, taken)


@blueprint.post("/api/piles/<pile>/photos/<sha>/read")
def read_again(pile: str, sha: str) -> BaseResponse:
    """Read a photo once more; ``{"corners": four points}`` says where one sheet lies in it."""
    old = _known(pile)
    photo, jpeg = old.photo(sha), _folder().picture(pile, "photos", sha)
    if photo is None or jpeg is None:
        abort(404)
    try:
        points = json_body().get("corners")
        corners = None if points is None else corners_of(points)
        taken = take_again(photo, jpeg, old.game, _reader(), corners)
    except VisionError as error:
        return refuse_with("weights", 503, error.reason_en, error.reason_fr)
    except ValueError as error:
        return _bad(error)
    return _keep(old.id, taken)


@blueprint.post("/api/piles/<pile>/photos/<sha>/remove")
def remove(pile: str, sha: str) -> BaseResponse:
    """Take a photo and its sheets away."""
    return _done(lambda: _folder().remove_photo(pile, sha))


@blueprint.post("/api/piles/<pile>/sheets/<sheet>/values")
def answer(pile: str, sheet: str) -> BaseResponse:
    """What people say is written: ``{"values": {path: text, or null to take the answer back}}``.

    The answer is the pile with everything added up anew.
    """
    values = json_body().get("values")
    texts = (str, type(None))
    if not isinstance(values, dict) or not all(isinstance(v, texts) for v in values.values()):
        return _bad(ValueError("values: expected texts by the paths of fields"))

    def put() -> Pile | None:
        after = _folder().change(pile, lambda old: old.answered(sheet, values))
        if after is not None:
            _keep_examples(
                after, sheet, [path for path, text in values.items() if text is not None]
            )
        return after

    return _done(put)


@blueprint.post("/api/piles/<pile>/sheets/<sheet>/name")
def name(pile: str, sheet: str) -> BaseResponse:
    """Whose sheet it is: ``{"name"}``."""
    given = json_body().get("name")
    if not isinstance(given, str):
        return _bad(ValueError("name: expected a text"))
    return _change(pile, lambda old: old.named(sheet, given))


@blueprint.get("/piles/<pile>/<kind>/<which>.jpg")
def picture(pile: str, kind: str, which: str) -> Response:
    """A photo, or a sheet laid flat."""
    content = _folder().picture(pile, kind, which)
    if content is None:
        abort(404)
    response = Response(content, mimetype="image/jpeg")
    response.cache_control.private = True
    response.cache_control.max_age = YEAR_S
    return response


@blueprint.get("/sheets/<pile>/sheets.<kind>")
def exported(pile: str, kind: str) -> Response:
    """The pile as a file to take along."""
    if kind not in KINDS:
        abort(404)
    settings: Settings = current_app.config["SETTINGS"]
    lang = known_language(request.args.get("lang", "")) or language(settings.lang)
    found = _known(pile)
    content = export(found, kind, lambda sha: _folder().picture(pile, "photos", sha), lang)
    response = Response(content, mimetype=KINDS[kind])
    response.headers["Content-Disposition"] = f'attachment; filename="{found.game}-sheets.{kind}"'
    return response


def _folder() -> PileFolder:
    return dashboard().piles


def _known(pile: str) -> Pile:
    """The pile of that name; 404 where there is none."""
    found = _folder().get(pile)
    if found is None:
        abort(404)
    return found


def _reader() -> Reader:
    reader: Reader = current_app.config["READER"]
    return reader


def _played(pile: Pile, body: Mapping[str, Any]) -> Pile:
    """The pile with the game and options that a request names; raises ``ValueError``."""
    game, options = body.get("game", pile.game), body.get("options", {})
    if not isinstance(game, str) or not isinstance(options, dict):
        raise ValueError("expected a game and its options")
    return pile.played(game, {str(name): str(value) for name, value in options.items()})


def _keep(pile: str, taken: Taken) -> BaseResponse:
    """Keep a photo that was read with its pictures, then put it into its pile."""
    folder = _folder()

    def put() -> Pile | None:
        if taken.jpeg is not None:
            folder.keep_photo(pile, taken.photo.sha256, taken.jpeg)
        for sheet, flat in taken.flats.items():
            folder.keep_flat(pile, sheet, flat)
        return folder.change(pile, lambda old: old.with_photo(taken.photo))

    return _done(put)


def _keep_examples(pile: Pile, sheet_id: str, paths: Sequence[str]) -> None:
    """Keep what people said about fields with the crops it is about."""
    found, said = pile.sheet(sheet_id), pile.answers.get(sheet_id, {})
    jpeg = None if found is None else _folder().picture(pile.id, "photos", found[0].sha256)
    if found is None or jpeg is None:
        return
    photo, sheet = found
    picture = as_read(jpeg, photo)
    edition = "printed" if sheet.found is None else sheet.found.edition
    told = []
    for field in sheet.fields:
        if field.where in paths:
            answer = Answer.about(field, said[field.where], game=pile.game, edition=edition)
            quad_px = scaled(field.quad_px, picture.scale)
            told.append((answer, crop_png(picture.image_bgr, answer, quad_px)))
    dashboard().examples.keep(told)


def _change(pile: str, change: Callable[[Pile], Pile]) -> BaseResponse:
    return _done(lambda: _folder().change(pile, change))


def _done(change: Callable[[], Pile | None]) -> BaseResponse:
    """Change something, and answer with the pile as it is then."""
    try:
        pile = change()
    except (ValueError, EngineError) as error:
        return _bad(error)
    except OSError as error:
        reason = error.strerror or str(error)
        return refuse_with("disk", 507, *both("piles.pile_error_disk", reason=reason))
    if pile is None:
        return refuse_with("gone", 404, *both("piles.pile_error_gone"))
    return jsonify(_view(pile))


def _bad(error: Exception) -> BaseResponse:
    return refuse_with("input", 400, *both("page.error_value", reason=error))


def _view(pile: Pile) -> dict[str, Any]:
    def address(kind: str, which: str) -> str:
        return url_for("tally.picture", pile=pile.id, kind=kind, which=which)

    return {
        **pile_view(pile, address),
        "address": url_for("tally.view", pile=pile.id),
        "page": url_for("tally.one", pile=pile.id),
        "exports": {kind: url_for("tally.exported", pile=pile.id, kind=kind) for kind in KINDS},
    }


def _line(pile: Pile) -> dict[str, Any]:
    """A pile in the list of earlier ones."""
    return {
        "address": url_for("tally.one", pile=pile.id),
        "game": pile.game,
        "begun": pile.begun_s,
        "sheets": sum(bool(sheet.fields) for photo in pile.photos for sheet in photo.sheets),
    }


def _match_line(row: MatchRow) -> dict[str, Any]:
    """A match whose rolls may be compared with."""
    return {"id": row.id, "game": row.game, "begun": row.at}


def _game_view(game_id: str) -> dict[str, Any]:
    """A game of the choice, with the options that matter to its sheets."""
    view = game_view(games.get(game_id))
    options = [option for option in view["options"] if option["name"] in OPTIONS[game_id]]
    return {**view, "options": options}
