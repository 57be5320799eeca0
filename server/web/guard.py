"""Who may use the page: the host and token checks, the headers, and errors as JSON or text.

On loopback the danger is another web page in the same browser: it is kept out by checking the
host name (against rebinding) and where a request came from (against forged posts). Beyond
loopback every visitor needs the token, once in the address, then in a cookie.
"""

import secrets
from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Response, redirect, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as BaseResponse

from server.settings import Settings, is_loopback
from server.store import StoreError
from server.web.refusals import refuse, refuse_with

COOKIE: Final = "arbitre_token"
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def protect(app: Flask, settings: Settings) -> None:
    """Put the checks before every request, the headers on every answer."""

    @app.before_request
    def check() -> BaseResponse | None:
        if is_loopback(settings.host) and not _known_host():
            return refuse("foreign_host", 403)
        if request.method != "GET" and not _own_page():
            return refuse("foreign_page", 403)
        return _check_token(settings.token) if settings.token else None

    @app.after_request
    def seal(response: Response) -> Response:
        response.headers.update(HEADERS)
        if not request.path.startswith(("/static/", "/frames/", "/piles/")):
            response.headers["Cache-Control"] = "no-store"
        return response

    @app.errorhandler(HTTPException)
    def explain(error: HTTPException) -> BaseResponse:
        code = error.code or 500
        key = {404: "not_found", 405: "not_found", 413: "too_large"}.get(code, "bad_request")
        limit_mb = settings.upload_limit_bytes // 2**20
        return refuse(key if code < 500 else "fault", code, limit=limit_mb)

    @app.errorhandler(StoreError)
    def no_data(error: StoreError) -> BaseResponse:
        return refuse_with("store", 503, error.reason_en, error.reason_fr)

    @app.errorhandler(Exception)
    def fault(error: Exception) -> BaseResponse:
        app.logger.exception("fault while answering %s", request.path, exc_info=error)
        return refuse("fault", 500)


def _known_host() -> bool:
    """The browser asked for a name of this machine, not for one that was pointed at it."""
    return is_loopback(urlsplit(f"//{request.host}").hostname or "")


def _own_page() -> bool:
    """The request comes from our own page, or from a program that is no browser."""
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        return False
    return request.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")


def _check_token(token: str) -> BaseResponse | None:
    given = request.args.get("token")
    if given is not None and secrets.compare_digest(given.encode(), token.encode()):
        # Out of the address bar and the history as soon as it has been seen.
        response = redirect(request.path)
        response.set_cookie(COOKIE, token, httponly=True, samesite="Strict")
        return response
    if secrets.compare_digest(request.cookies.get(COOKIE, "").encode(), token.encode()):
        return None
    return refuse("token", 403)
