"""The pipeline over a recording: every frame in order, the same code as live, no store."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from server.commands import Refused, Wish
from server.live.barred import View
from server.live.eye import AnyEye
from server.live.telling import Ruled, Teller
from server.refereeing import AnyGame, Table, step
from server.setting_up import set_up
from server.store.rows import TableSetup
from vision.frames import Source

ABOUT: Final = "recording.toml"
"""File of a recording that says what no picture shows: game, start, seats."""
WAIT_S: Final = 5.0
"""How long to wait for a frame of a recording: a slow disk, never a camera."""

NOTHING: Final = TableSetup()


@dataclass(frozen=True, slots=True)
class About:
    """What a recording says of itself.

    Attributes:
        game: id of the game, or None.
        start: the wish that starts its match.
        setup: where its tray lies.
    """

    game: str | None
    start: Mapping[str, Any]
    setup: TableSetup = NOTHING


def about(path: Path) -> About:
    """What stands beside the frames of a recording; nothing for a bare video.

    Raises:
        ValueError: the file is no TOML, or its values do not fit.
    """
    file = path / ABOUT if path.is_dir() else path.parent / ABOUT
    if not file.is_file():
        return About(None, {})
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{file}: {error}") from error
    start: dict[str, Any] = {}
    if "start" in content:
        start["state"] = str(content["start"])
    else:
        options = {str(k): _text(v) for k, v in dict(content.get("options", {})).items()}
        start["options"] = (
            {"seats": str(content["seats"]), **options} if "seats" in content else (options)
        )
    if "south" in content:
        start["south"] = str(content["south"])
    game = str(content["game"]) if "game" in content else None
    return About(game, start, TableSetup(_zone(file, content)))


def _zone(file: Path, content: Mapping[str, Any]) -> tuple[tuple[float, float], ...] | None:
    """The tray, which stands in px of the recording's frames."""
    if "zone" not in content:
        return None
    try:
        width, height = (float(value) for value in content["size"])
        zone = [[float(x) / width, float(y) / height] for x, y in content["zone"]]
        return set_up(TableSetup(), Wish("tray", {"zone": zone})).zone
    except Refused as refused:
        raise ValueError(f"{file}: {refused}") from refused
    except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise ValueError(f"{file}: zone: expected four corners in px, and size") from error


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def replay(
    source: Source,
    eye: AnyEye,
    game: AnyGame,
    start: Mapping[str, Any],
    view: View | None = None,
) -> Iterator[Ruled]:
    """Rule on a recording.

    Args:
        source: opened with every frame wanted.
        eye: what follows the table.
        game: the game on the table.
        start: values of the command ``start``; ``as_lies`` begins with what lies there first.
        view: told what bars the view.

    Yields:
        The rulings in order.

    Raises:
        Refused: the start does not fit.
    """
    table, teller = Table(), Teller(game)
    wish = Wish("start", start)
    begun = not start.get("as_lies")
    if begun:
        table, noted = step(game, table, wish)
        yield from teller.tell(noted)
    while (frame := source.next(WAIT_S)) is not None:
        eye.expect(table.match)
        glance, notices = eye.look(frame)
        if view is not None:
            view.look(frame.at_s, glance.problem)
        for notice in notices:
            table, noted = step(game, table, notice)
            yield from teller.tell(noted)
        if not begun and table.was_seen:
            table, noted = step(game, table, wish)
            begun = True
            yield from teller.tell(noted)
    yield from teller.rest()
