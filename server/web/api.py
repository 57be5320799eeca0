"""What the page asks: read a picture, rule on two boards. JSON answers, nothing is stored."""

import json
from math import isfinite
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request

from engine import quixo
from server.answers import Answer
from server.questions import question_from_json
from server.reading import Reader, Request
from server.rulings import rule
from server.texts import both
from server.web.views import picture_view
from vision.errors import PictureError, VisionError
from vision.homography import Quad, as_quad
from vision.pictures import decode_picture

blueprint = Blueprint("api", __name__, url_prefix="/api")


@blueprint.post("/read")
def read() -> tuple[Response, int]:
    """Read one uploaded picture (form field ``picture``) and say where everything lies in it.

    The fields ``game`` and ``part`` say what it shows; without them it is a board of Quixo.
    """
    upload = request.files.get("picture")
    if upload is None:
        return _refuse(400, *both("page.error_no_picture"))
    name = upload.filename or "picture"
    reader: Reader = current_app.config["READER"]
    try:
        game, part = request.form.get("game", "quixo"), request.form.get("part", "board")
        wanted = Request(game, part, _corners(request.form.get("corners")), _gaps())
        picture = decode_picture(upload.stream.read(), name)
        answer = reader(picture, wanted)
    except PictureError as error:
        return _refuse(422, f"{name}: {error.reason_en}", f"{name} : {error.reason_fr}")
    except VisionError as error:
        return _refuse(503, error.reason_en, error.reason_fr)
    except ValueError as error:
        return _refuse(400, *both("page.error_value", reason=error))
    return jsonify(picture_view(name, picture, answer)), 200


@blueprint.post("/rule-layouts")
def rule_layouts() -> tuple[Response, int]:
    """Rule on boards sent as JSON: what was read, as corrected by the people at the table."""
    try:
        answer = rule(question_from_json(request.get_json()))
    except ValueError as error:
        return _refuse(400, *both("page.error_value", reason=error))
    return jsonify({**answer.to_json(), "rules": _cited(answer)}), 200


def _cited(answer: Answer) -> dict[str, dict[str, str]]:
    """Title and text of every rule that the ruling names, by id."""
    ids = {finding.rule for finding in answer.ruling.findings}
    if answer.ruling.over is not None:
        ids.add(answer.ruling.over.reason)
    return {
        rule.id: {
            "title_en": rule.title_en,
            "title_fr": rule.title_fr,
            "text_en": rule.text_en,
            "text_fr": rule.text_fr,
        }
        for rule in quixo.GAME.rules
        if rule.id in ids
    }


def _gaps() -> bool:
    return request.form.get("gaps") == "1"


def _corners(text: str | None) -> Quad | None:
    """Four corners sent as a JSON list of points; raises ``ValueError`` for another form."""
    if text is None:
        return None
    try:
        points = json.loads(text)
    except ValueError as error:
        raise ValueError(f"corners: expected four points, got {text:.80}") from error
    return corners_of(points)


def corners_of(points: Any) -> Quad:
    """Four corners from JSON.

    Raises:
        ValueError: another form.
    """
    wrong = f"corners: expected four points, got {json.dumps(points):.80}"
    try:
        pairs = [(float(x), float(y)) for x, y in points]
    except (TypeError, ValueError) as error:
        raise ValueError(wrong) from error
    if len(pairs) != 4 or not all(isfinite(x) and isfinite(y) for x, y in pairs):
        raise ValueError(wrong)
    return as_quad(pairs)


def _refuse(status: int, text_en: str, text_fr: str) -> tuple[Response, int]:
    return jsonify({"error": {"id": "input", "text_en": text_en, "text_fr": text_fr}}), status
