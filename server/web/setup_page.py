"""Setting up a table: where its tray lies in the picture, and what its own dice look like."""

from math import isfinite
from typing import Any, Final

from flask import Blueprint, jsonify, render_template, url_for
from werkzeug.wrappers import Response as BaseResponse

from server.commands import Refused, Wish
from server.data import DEFAULT_TABLE
from server.setting_up import set_up
from server.spool import read_picture
from server.store.rows import TableSetup
from server.texts import both
from server.web.control import carry, json_body
from server.web.dashboard import dashboard
from server.web.live import known_table
from server.web.pages import page_values
from server.web.refusals import refuse_with
from vision.dice.colours import DiceSet, close_pairs, hue_in_box
from vision.errors import PictureError
from vision.labels import DIE_COLOURS
from vision.pictures import decode_picture

blueprint = Blueprint("setup", __name__)

COLOURS: Final = tuple(name for name in DIE_COLOURS if name != "other")
LEAST_SIDE: Final = 0.005
"""Of the picture: a die of under five px of a thousand has no body to take a hue from."""


@blueprint.get("/setup")
def setup() -> str:
    """The page: the live picture with the tray on it, and the dice to be shown."""
    table = DEFAULT_TABLE
    known = dashboard().store.setups.get(table)
    first = {
        "zone": known.zone,
        "dice": known.dice or {},
        "close": _close(known),
        "picture": url_for("live.picture", table=table),
        "feed": url_for("live.feed_of_table", table=table),
        "tray": url_for("setup.tray", table=table),
        "die": url_for("setup.die", table=table),
    }
    return render_template("setup.html", **page_values("setup"), first=first)


@blueprint.post("/api/tables/<table>/tray")
def tray(table: str) -> BaseResponse:
    """Say where the tray lies: ``{"zone": four corners in shares of the picture, or null}``."""
    return _kept(table, "tray", json_body())


@blueprint.post("/api/tables/<table>/dice")
def die(table: str) -> BaseResponse:
    """Show one die: ``{"colour", "box": [x0, y0, x1, y1] in shares of the picture, or null}``.

    Its hue is taken from the newest live picture; without a box the colour is forgotten.
    """
    body = json_body()
    colour = body.get("colour")
    if colour not in COLOURS:
        expected = ", ".join(COLOURS)
        return _bad(f"colour: expected one of {expected}, not {colour!r:.40}")
    known = dict(dashboard().store.setups.get(known_table(table)).dice or {})
    known.pop(colour, None)
    if body.get("box") is not None:
        try:
            known[colour] = _hue(table, _box(body["box"]))
        except (PictureError, FileNotFoundError):
            return refuse_with("no_picture", 409, *both("dice.error_no_live_picture"))
        except ValueError as error:
            return _bad(str(error))
    return _kept(table, "dice_set", {"dice": known or None})


def _hue(table: str, box: tuple[float, float, float, float]) -> list[float]:
    """The hue of what lies in a box of the newest live picture, as `DiceSet` writes it."""
    content = read_picture(dashboard().data.spool(table))
    if content is None:
        raise FileNotFoundError
    image_bgr = decode_picture(content, "live.jpg").image_bgr
    height, width = image_bgr.shape[:2]
    left, top, right, bottom = box
    box_px = left * width, top * height, right * width, bottom * height
    return DiceSet((("shown", hue_in_box(image_bgr, box_px)),)).to_json()["shown"]


def _box(value: Any) -> tuple[float, float, float, float]:
    """A box in shares of the picture; raises ``ValueError`` for another form."""
    try:
        left, top, right, bottom = (float(one) for one in value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"box: expected four numbers, not {value!r:.60}") from error
    inside = all(isfinite(one) and 0 <= one <= 1 for one in (left, top, right, bottom))
    if not inside or right - left < LEAST_SIDE or bottom - top < LEAST_SIDE:
        raise ValueError(f"box: expected x0 < x1 and y0 < y1 between 0 and 1, not {value!r:.60}")
    return left, top, right, bottom


def _kept(table: str, name: str, body: dict[str, Any]) -> BaseResponse:
    """Have a set-up kept by whoever has the table; the answer says how it is set up then."""
    known = dashboard().store.setups.get(known_table(table))
    try:
        wanted = set_up(known, Wish(name, body))
    except Refused as error:
        return refuse_with("input", 400, error.reason_en, error.reason_fr)
    dashboard().store.tables.add(table)
    answer = carry(table, name, body)
    if answer.status_code != 200:
        return answer
    return jsonify({"zone": wanted.zone, "dice": wanted.dice or {}, "close": _close(wanted)})


def _close(setup: TableSetup) -> list[list[str]]:
    """Colours of the table's dice that one die alone would not always be told apart by."""
    return [list(pair) for pair in close_pairs(DiceSet.from_json(setup.dice or {}))]


def _bad(reason: str) -> BaseResponse:
    return refuse_with("input", 400, *both("page.error_value", reason=reason))
