"""How the camera loop is doing, as the page wants it: one light, and the overlay."""

from collections.abc import Mapping
from typing import Any

from engine.grid import cell_name
from server.boards import place
from server.web.dice_view import dice_status
from vision.tiles.trust import cell_of


def status_view(raw: Mapping[str, Any] | None, *, away: bool) -> dict[str, Any] | None:
    """The loop's status file for the page; None where no loop ever ran.

    Args:
        raw: as `server.spool.read_status` gives it.
        away: the loop has not written for a while: what it said last may be long over.
    """
    if raw is None:
        return None
    source = raw.get("source") or {}
    problem = next(
        (told for told in (raw.get("trouble"), source, raw.get("problem")) if _says(told)), None
    )
    # A loop that stays after its recording has no source any more; some never had one.
    none = "none" if raw.get("frame") is None else "ended"
    return {
        "kind": source.get("kind", none),
        "problem": _problem(problem),
        "fps": raw.get("fps"),
        "hand": bool(raw.get("hand")),
        "pose": raw.get("pose"),
        "put_back": bool(raw.get("put_back")),
        "away": away,
        "odd": [] if away else _odd(raw),
        "eye": None if away else _eye(raw),
        "dice": None if away else dice_status(raw),
    }


def _says(told: Mapping[str, Any] | None) -> bool:
    return bool(told and told.get("text_en"))


def _problem(told: Mapping[str, Any] | None) -> dict[str, str] | None:
    if told is None:
        return None
    return {"text_en": _joined(told, "en"), "text_fr": _joined(told, "fr")}


def _joined(told: Mapping[str, Any], lang: str) -> str:
    return " ".join(part for part in (told[f"text_{lang}"], told.get(f"advice_{lang}")) if part)


def _eye(raw: Mapping[str, Any]) -> dict[str, Any] | None:
    """Where the board lies in the picture and what was read in it; dots belong to their cells."""
    if not raw.get("size_px"):
        return None
    fields = {str(field["where"]): field for field in raw.get("fields") or ()}
    cells = [_tile(field) for where, field in fields.items() if where.startswith("tiles[")]
    for where, field in fields.items():
        if not where.startswith(("rows", "dots")):
            continue
        kind, row, column = place(where)
        if kind != "rows":
            continue
        dot = fields.get(f"dots[{row}][{column}]")
        cells.append(
            {
                "quad": field["quad_px"],
                "value": field["value"],
                "dot": dot["value"] if dot else None,
                "asked": field["asked"],
            }
        )
    shown = [cell for cell in cells if cell is not None]
    return {"size": raw["size_px"], "quad": raw.get("quad_px"), "cells": shown}


def _tile(field: Mapping[str, Any]) -> dict[str, Any] | None:
    """A cell of a board of tiles; None for one without a tile, of which there are too many."""
    if field["value"] == "." and not field["asked"]:
        return None
    return {k: field[v] for k, v in (("quad", "quad_px"), ("value", "value"), ("asked", "asked"))}


def _odd(raw: Mapping[str, Any]) -> list[dict[str, str]]:
    """Accepted tiles that are not seen as accepted, by the names of their cells."""
    return [
        {"cell": cell_name(cell_of(str(one["where"]))), "kind": str(one["kind"])}
        for one in raw.get("odd") or ()
    ]
