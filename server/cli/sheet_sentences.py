"""Lines of text that say what was read on a score sheet."""

from typing import TYPE_CHECKING, Final

from engine import detrak, qwinto
from server.tally.books import BOOKS
from server.texts import Lang, table, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vision.observation import Candidates, Reading
    from vision.readers.sheets import DetrakSheet, QwintoSheet

WIDTH: Final = 5
"""Letters of a cell: ``[18]`` and a space."""
SHOWN: Final = 0.01
MOST: Final = 4
"""Of a doubt's candidates at most so many are shown, and none with a smaller share."""
_SIZE: Final = 5


def sheet_lines(reading: "Reading[QwintoSheet | DetrakSheet]", lang: Lang) -> list[str]:
    """A sheet as text, what is in doubt in brackets, and the doubts named below it."""
    if reading.layout is None:
        return []
    cells = {field.where: _cell(field.value, asked=field.asked) for field in reading.fields}
    game = "detrak" if isinstance(reading.layout.written, detrak.Sheet) else "qwinto"
    lines = _detrak_lines(cells) if game == "detrak" else _qwinto_lines(cells, lang)
    for path in getattr(reading.layout, "stray", ()):
        lines.append(f"   {text('read.stray', lang, where=path)}")
    for doubt in reading.doubts:
        lines.append(f"   {doubt_line(game, doubt.where, doubt.candidates, lang)}")
    return lines


def doubt_line(game: str, where: str, candidates: "Candidates", lang: Lang) -> str:
    """One doubt: the field, the candidates with their shares, and the path in the JSON."""
    shares = ", ".join(
        text("read.share", lang, value=value_name(where, value, lang), percent=round(100 * share))
        for value, share in candidates[:MOST]
        if share >= SHOWN
    )
    name = field_name(game, where, lang)
    return text("read.dice_doubt", lang, name=name, candidates=shares, where=where)


def field_name(game: str, where: str, lang: Lang) -> str:
    """A field in words: ``o7``, ``b3``, ``orange row``, ``failed throws``."""
    if where == "failed":
        return text("read.failed", lang)
    form = BOOKS[game].form
    return form.sum_name(where, lang) if form.is_sum(where) else form.name(where)


def value_name(where: str, value: str, lang: Lang) -> str:
    """What a field holds in words: symbols by their name, nothing as ``empty``."""
    names = dict(zip(detrak.SYMBOLS, detrak.SYMBOL_IDS, strict=True))
    if where.startswith("grid") and f"symbol_{names.get(value)}" in table("dice"):
        return text(f"dice.symbol_{names[value]}", lang)
    empty = value in ("", ".") or (
        value == "0" and where.startswith(("orange", "yellow", "purple"))
    )
    return text("dice.field_empty", lang) if empty else value


def sheet_facts(reading: "Reading[QwintoSheet | DetrakSheet]", lang: Lang) -> str:
    """What the sheet's own code says: its number and its player; empty where it says nothing."""
    found = None if reading.layout is None else reading.layout.found
    if found is None or found.code is None:
        return ""
    key = "read.sheet_of" if found.code.player else "read.sheet_number"
    return text(key, lang, number=found.code.number, player=found.code.player)


def _cell(value: str, *, asked: bool) -> str:
    shown = value or "."
    return f"[{shown}]" if asked else f" {shown} "


def _qwinto_lines(cells: "Mapping[str, str]", lang: Lang) -> list[str]:
    names = {row: text(f"dice.colour_{row}", lang) for row in ("orange", "yellow", "purple")}
    margin = max(map(len, names.values())) + 5
    head = "".join(f"{column:^{WIDTH}}" for column in range(qwinto.COLUMNS))
    lines = [" " * margin + head.rstrip()]
    for letter, (row, name) in zip(qwinto.ROWS, names.items(), strict=True):
        at = dict(zip(qwinto.NUMBER_COLUMNS[letter], range(9), strict=True))
        shown = [
            _number(cells[f"{row}[{at[column]}]"]) if column in at else ""
            for column in range(qwinto.COLUMNS)
        ]
        line = "".join(f"{cell:^{WIDTH}}" for cell in shown)
        lines.append(f"   {name:<{margin - 3}}{line}".rstrip())
    rows = " ".join(cells[f"strip.rows[{i}]"].strip() for i in range(3))
    bonus = " ".join(cells[f"strip.bonus[{i}]"].strip() for i in range(5))
    facts = {
        "failed": cells["failed"].strip(),
        "rows": rows,
        "bonus": bonus,
        "penalty": cells["strip.penalty"].strip(),
        "total": cells["strip.total"].strip(),
    }
    return [*lines, f"   {text('read.strip', lang, **facts)}"]


def _number(cell: str) -> str:
    """A cell of a number field: 0 stands for an empty one."""
    return cell if len(cell) != 3 else cell.replace("0", ".")


def _detrak_lines(cells: "Mapping[str, str]") -> list[str]:
    """The square of 7 by 7 as it is printed, the sums around the symbols."""
    corner = " " * WIDTH
    lines = [corner * (_SIZE + 1) + f"{cells['boxes.diagonal[1]']:^{WIDTH}}"]
    for row in range(_SIZE):
        symbols = [cells[f"grid[{row}][{col}]"] for col in range(_SIZE)]
        line = "".join(f"{symbol:^{WIDTH}}" for symbol in symbols)
        lines.append(f"{corner}{line}{cells[f'boxes.rows[{row}]']:^{WIDTH}}")
    sums = [cells["boxes.diagonal[0]"], *(cells[f"boxes.cols[{i}]"] for i in range(_SIZE))]
    sums.append(cells["boxes.total"])
    lines.append("".join(f"{cell:^{WIDTH}}" for cell in sums))
    return [f"   {line}".rstrip() for line in lines]
