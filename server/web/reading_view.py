"""The readings of a move in the people's hands: boards, doubts with candidates, and pictures.

Boards and places are those of the match, seen from seat S; the camera may look from another side.
Where the loop still sees the table it says where each cell lies in the picture, so that the page
can cut the cell out beside its candidates.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine import games
from engine.events import Doubt, Moved, Reread
from engine.grid import turned_clockwise
from engine.match import Match
from engine.quinto import Layout as QuintoLayout
from server.frames import SOUTH_QUARTERS
from server.web.match_view import Followed, board_view
from server.web.tiles_view import rows as tile_rows
from vision.tiles.trust import where_of

Fields = Sequence[Mapping[str, Any]]

SIZES: Final = (3, 4, 5)


def readings_view(followed: Followed, status: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """The board after the last move seen, and those during it that hold doubts; doubtful first."""
    seen, doubts = last_seen(followed.match)
    if seen is None:
        return []
    frames = followed.seen.frames if followed.seen is not None else ()
    texts = {"after": seen.after, **{f"during[{n}]": t for n, t in enumerate(seen.during)}}
    found = []
    for at, (picture, text) in enumerate(texts.items()):
        asked = [doubt for doubt in doubts if doubt.picture == picture]
        if not asked and picture != "after":
            continue
        view = _reading_view(followed.match, text, asked, status)
        if view is not None:
            sha = _frame(frames, len(seen.during), at - 1)
            found.append({"picture": picture, "asked": bool(asked), "frame": sha, **view})
    return sorted(found, key=lambda view: not view["asked"])


def last_seen(match: Match[Any]) -> tuple[Moved | Reread | None, tuple[Doubt, ...]]:
    """The move seen last, committed or not, and what of it is in doubt."""
    if match.pending is not None:
        return match.pending, match.doubts
    event = match.steps[-1].event
    return (event, ()) if isinstance(event, Moved | Reread) else (None, ())


def _frame(frames: tuple[str, ...], glimpses: int, at: int) -> str | None:
    """The picture of the glimpse ``at``, or of the settled table for -1."""
    if len(frames) != glimpses + 1:
        return None
    return frames[at] or None  # a picture that is gone has no name


def _reading_view(
    match: Match[Any], text: str, asked: list[Doubt], status: Mapping[str, Any] | None
) -> dict[str, Any] | None:
    layout = games.get(match.game_id).read_layout(text)
    if isinstance(layout, QuintoLayout):
        return _tiles_view(layout, asked, status or {})
    board = board_view(layout)
    if board is None:
        return None
    live = status or {}
    fields = {str(field["where"]): dict(field) for field in _turned(live, match, board)}
    for kind in ("rows", "dots"):
        for row, line in enumerate(board[kind]):
            for column, value in enumerate(line):
                where = f"{kind}[{row}][{column}]"
                field = fields.setdefault(where, {"where": where, "candidates": [], "quad": None})
                same = field.get("value") == value
                field |= {"value": value, "asked": False, "confidence": _sure(field, value)}
                field["candidates"] = field["candidates"] if same else [[value, None]]
    for doubt in asked:
        first = doubt.candidates[0][1] if doubt.candidates else None
        fields[doubt.where] |= {
            "asked": True,
            "candidates": [list(pair) for pair in doubt.candidates],
            "confidence": first,
            "quad": doubt.quad_px or fields[doubt.where]["quad"],
        }
    return {
        "board": board,
        "fields": list(fields.values()),
        "quad": live.get("quad_px"),
        "size": live.get("size_px"),
    }


def _tiles_view(
    layout: QuintoLayout, asked: list[Doubt], live: Mapping[str, Any]
) -> dict[str, Any]:
    """A board of tiles; what is asked about comes with its candidates and its place."""
    doubts = [
        {
            "where": doubt.where,
            "candidates": [list(pair) for pair in doubt.candidates],
            "quad": [list(corner) for corner in doubt.quad_px] or None,
        }
        for doubt in asked
    ]
    cells = [divmod(index, layout.columns) for index in range(len(layout.cells))]
    places = {str(field["where"]): field["quad_px"] for field in live.get("fields") or ()}
    return {
        "board": None,
        "tiles": tile_rows(layout),
        "doubts": doubts,
        "quads": {w: places[w] for w in map(where_of, cells) if w in places},
        "size": live.get("size_px"),
    }


def _sure(field: Mapping[str, Any], value: str) -> float | None:
    share: float | None = field.get("confidence")
    return share if field.get("value") == value else None


def _turned(
    live: Mapping[str, Any], match: Match[Any], board: Mapping[str, list[str]]
) -> list[dict[str, Any]]:
    """The loop's newest fields with their places in the frame of seat S."""
    size, fields = len(board["rows"]), live.get("fields") or []
    rows = [field for field in fields if str(field["where"]).startswith("rows")]
    if size not in SIZES or len(rows) != size * size:
        return []
    quarters = SOUTH_QUARTERS.get(match.south, 0)
    order = turned_clockwise(tuple(range(size * size)), size, quarters)
    quads = {str(field["where"]): field for field in rows}
    found = []
    for here, there in enumerate(order):
        field = quads[f"rows[{there // size}][{there % size}]"]
        found.append(
            {
                "where": f"rows[{here // size}][{here % size}]",
                "value": field["value"],
                "candidates": [list(pair) for pair in field["candidates"]],
                "confidence": field["confidence"],
                "quad": field["quad_px"],
            }
        )
    return found
