"""Errors in both languages: JSON for programs, text for people."""

from flask import Response, jsonify, make_response, request

from server.texts import both


def refuse(key: str, status: int, **values: object) -> Response:
    """The answer to a request that cannot be met; its text is ``error_…`` of the page's texts."""
    return refuse_with(key, status, *both(f"page.error_{key}", **values))


def refuse_with(key: str, status: int, text_en: str, text_fr: str) -> Response:
    """The same with a text that something else has given."""
    if request.path.startswith("/api/"):
        body = {"error": {"id": key, "text_en": text_en, "text_fr": text_fr}}
        response = jsonify(body)
    else:
        response = make_response(f"{text_en}\n\n{text_fr}\n")
        response.mimetype = "text/plain"
    response.status_code = status
    return response
