"""The card's section on score sheets, from the committed CSV files."""

from collections.abc import Sequence
from typing import Final

from models.evaluate.dice_report import Table, markdown, read_csv
from models.evaluate.report import CARD, RESULTS

START: Final = "<!-- figures of sheets: written by `arbitre-lab report` -->"
END: Final = "<!-- end of figures of sheets -->"

SHOWN: Final = (
    "sheets found", "cells right", "clear cells right", "cells silently wrong",
    "clear cells silently wrong", "cells asked", "clear cells asked", "perfect sheets",
    "total exact as read", "total exact after the questions", "sums right", "sums silently wrong",
    "sums asked",
)  # fmt: skip
"""Figures shown of a tier; the CSV files have all."""
BRIEF: Final = (
    "sheets found", "clear cells right", "clear cells silently wrong", "clear cells asked",
    "total exact as read", "total exact after the questions",
)  # fmt: skip
TIERS: Final = ("clean", "everyday", "hard")
TITLES: Final = {"qwinto": "Qwinto", "detrak": "Détrak"}


def write_sheets_report() -> None:
    """Replace the figures of sheets in the card by those of the committed CSV files."""
    text = CARD.read_text(encoding="utf-8")
    if START not in text:
        return
    before, rest = text.split(START, 1)
    after = rest.split(END, 1)[1]
    parts = [*(_composed(game) for game in TITLES), _editions(), _seeds(), _printed(), _digits()]
    body = "\n".join(part for part in parts if part)
    CARD.write_text(f"{before}{START}\n\n{body}\n{END}{after}", encoding="utf-8")


def _rows(name: str) -> Table:
    return read_csv(RESULTS / f"{name}_summary.csv")


def _pick(rows: Table, **wanted: str) -> dict[str, dict[str, str]]:
    """Rows of a group by figure."""
    return {row["figure"]: row for row in rows if all(row.get(k) == v for k, v in wanted.items())}


def _rate(of: dict[str, dict[str, str]], figure: str) -> str:
    """Rate, counts and interval; nothing where it was not counted."""
    row = of.get(figure)
    if row is None:
        return ""
    share = f"{float(row['percent']):.2f} %"
    return f"{share} ({row['hits']} of {row['of']}; {row['low']}–{row['high']})"


def _section(title: str, words: str, head: Sequence[str], lines: list[list[str]]) -> str:
    if not lines:
        return ""
    return "\n".join([f"### {title}", "", *([words, ""] if words else []), markdown(head, lines)])


def _composed(game: str) -> str:
    rows = _rows("sheets_composed")
    found = {tier: _pick(rows, game=game, tier=tier, edition="") for tier in TIERS}
    lines = [[figure, *(_rate(found[tier], figure) for tier in TIERS)] for figure in SHOWN]
    lines = [line for line in lines if any(line[1:])]
    words = f"Network {rows[0]['weights']}." if rows else ""
    return _section(f"Composed sheets of {TITLES[game]}", words, ["", *TIERS], lines)


def _editions() -> str:
    rows = _rows("sheets_composed")
    lines = []
    for game, title in TITLES.items():
        for edition, whose in (("printed", "ours"), ("commercial", "as sold")):
            for tier in TIERS:
                of = _pick(rows, game=game, tier=tier, edition=edition)
                if of:
                    lines.append([f"{title}, {whose}", tier, *(_rate(of, name) for name in BRIEF)])
    return _section("The same by print", "", ["print", "tier", *BRIEF], lines)


def _seeds() -> str:
    rows = _rows("sheets_seeds")
    sheets = list(dict.fromkeys(row["sheet"] for row in rows))
    lines = [
        [f"{sheet.split('_')[0]}, {sheet.split('_')[1]} points", tier,
         *(_rate(_pick(rows, sheet=sheet, tier=tier), name) for name in BRIEF)]
        for sheet in sheets for tier in TIERS
    ]  # fmt: skip
    words = "Written by hand on both prints, photographed, added up."
    return _section("Sheets of known points", words, ["sheet", "tier", *BRIEF], lines)


def _printed() -> str:
    rows = _rows("sheets_printed")
    groups = list(dict.fromkeys((row["game"], row["ink"], row["scale"]) for row in rows))
    lines = [
        [f"{TITLES[game]}, {ink}, {round(100 * float(scale))} %",
         *(_rate(_pick(rows, game=game, ink=ink, scale=scale), name) for name in BRIEF)]
        for game, ink, scale in groups
    ]  # fmt: skip
    words = "The PDF of `arbitre print` at 300 dpi, written on and photographed in everyday light."
    return _section("Our own PDF, printed", words, ["print", *BRIEF], lines)


def _digits() -> str:
    rows = _rows("handwriting_dev")
    figures = ("right", "asked", "silently wrong", "right by PP-OCR")
    lines = [
        [name, *(_rate(_pick(rows, set=name), figure) for figure in figures)]
        for name in dict.fromkeys(row["set"] for row in rows)
    ]
    words = "Phone photographs of one writer's pencil digits, of a source that trained nothing."
    head = ["", "right", "asked", "silently wrong", "right by PP-OCR"]
    return _section("Photographed digits", words, head, lines)
