"""A phone as the table's camera, and photos handed in one by one."""

import secrets
import time
from pathlib import PurePath
from typing import Any, Final

from flask import Blueprint, Response, current_app, jsonify, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from server.data import DEFAULT_TABLE
from server.live.photos import PHOTO
from server.live.worker import carry_out
from server.spool import PHONE, UPLOADS, write_aside
from server.store.rows import REFUSED, WAITING, Job
from server.texts import both
from server.web.dashboard import dashboard
from server.web.live import known_table
from server.web.pages import page_values
from server.web.refusals import refuse, refuse_with

blueprint = Blueprint("phone", __name__)

FRAME: Final = "frame.jpg"
JPEG_BEGINS: Final = b"\xff\xd8\xff"
"""Start of every JPEG: a start-of-image marker and the first byte of another (ITU-T T.81, B.1)."""

LARGEST_FRAME_BYTES: Final = 4 * 2**20
"""A 1920 × 1080 frame at the page's quality has about 0.5 MB."""

PHOTO_S: Final = 30.0
"""How long to wait for the reading of a photo: on a slow machine with other work about 5 s."""

LOOK_S: Final = 0.1
ENDINGS: Final = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif")


@blueprint.get("/phone")
def phone() -> str:
    """The page that sends what a phone's camera sees."""
    first = {
        "frames": url_for("phone.frame", table=DEFAULT_TABLE),
        "photos": url_for("phone.photo", table=DEFAULT_TABLE),
        "table": url_for("live.table"),
    }
    return render_template("phone.html", **page_values("phone"), first=first)


@blueprint.post("/api/tables/<table>/frames")
def frame(table: str) -> BaseResponse:
    """Take one frame, a JPEG as the whole body; the one before it is gone."""
    content = request.get_data(cache=False)
    if len(content) > LARGEST_FRAME_BYTES:
        return refuse("too_large", 413, limit=LARGEST_FRAME_BYTES // 2**20)
    if not content.startswith(JPEG_BEGINS):
        return refuse_with("input", 422, *both("live.error_no_frame"))
    write_aside(dashboard().data.spool(known_table(table)) / PHONE / FRAME, content)
    return Response(status=204)


@blueprint.post("/api/tables/<table>/photos")
def photo(table: str) -> BaseResponse:
    """Take a photo of the table after a move (form field ``picture``) and say what came of it."""
    upload = request.files.get("picture")
    if upload is None:
        return refuse("no_picture", 400)
    board = dashboard()
    ending = PurePath(upload.filename or "").suffix.lower()
    name = f"{secrets.token_hex(8)}{ending if ending in ENDINGS else '.jpg'}"
    path = board.data.spool(known_table(table)) / UPLOADS / name
    board.store.tables.add(table)
    write_aside(path, upload.stream.read())
    job = board.store.jobs.add(table, PHOTO, {"file": name})
    try:
        done = _done(table, job)
    finally:
        path.unlink(missing_ok=True)
    if done.status == WAITING:
        response = jsonify({"waiting": True})
        response.status_code = 202
        return response
    if done.status == REFUSED:
        told: dict[str, Any] = dict(done.answer)
        return refuse_with("refused", 409, told["text_en"], told["text_fr"])
    return jsonify(dict(done.answer))


def _done(table: str, job: Job) -> Job:
    """The job once the loop, or this process, has done it; or as it is by then."""
    board, reader = dashboard(), current_app.config["READER"]
    until = time.monotonic() + PHOTO_S
    while True:
        carry_out(board.store, board.data, table, reader)
        found = board.store.jobs.get(job.id)
        if found.status != WAITING or time.monotonic() >= until:
            return found
        time.sleep(LOOK_S)
