"""The card's section on number tiles, from the committed CSV files."""

from typing import Final

from models.evaluate.dice_report import Table, markdown, read_csv
from models.evaluate.report import CARD, RESULTS

START: Final = "<!-- figures of number tiles: written by `arbitre-lab report` -->"
END: Final = "<!-- end of figures of number tiles -->"

TIERS: Final = ("clean", "everyday", "hard")
FACTORS: Final = {
    "edition": "Boards by edition",
    "set": "Boards by set of tiles",
    "px_per_cell": "Boards by px a cell",
    "tilt_deg": "Boards by tilt, degrees",
}
BRIEF: Final = ("boards found", "perfect boards", "cells wrong", "cells silently wrong")
"""Figures shown by factor; the CSV files have all."""
SILENT: Final = "what is vouched for but wrong is counted on misplaced boards too"


def write_tiles_report() -> None:
    """Replace the figures of tiles in the card by those of the committed CSV files."""
    text = CARD.read_text(encoding="utf-8")
    if START not in text:
        return
    before, rest = text.split(START, 1)
    after = rest.split(END, 1)[1]
    rows = read_csv(RESULTS / "tiles_composed_summary.csv")
    traced = read_csv(RESULTS / "tiles_traced_summary.csv")
    second = read_csv(RESULTS / "tiles_second_summary.csv")
    parts = [_tiers(rows, "Composed boards"), _tiers(traced, "Boards traced as a whole by Mitsuba")]
    parts += [_tiers(second, "Boards of the second renderer, Blender's Cycles")]
    parts += [*(_factor(rows, *one) for one in FACTORS.items()), _photographs(), _games()]
    body = "\n".join(part for part in parts if part)
    CARD.write_text(f"{before}{START}\n\n{body}\n{END}{after}", encoding="utf-8")


def _rate(row: dict[str, str] | None) -> str:
    """Rate, counts and interval; nothing where it was not counted."""
    if row is None:
        return ""
    share = f"{float(row['percent']):.2f} %"
    return f"{share} ({row['hits']} of {row['of']}; {row['low']}–{row['high']})"


def _tiers(rows: Table, title: str) -> str:
    whole = {(row["figure"], row["tier"]): row for row in rows if not row["factor"]}
    figures = list(dict.fromkeys(figure for figure, _ in whole))
    if not figures:
        return ""
    lines = [[figure, *(_rate(whole.get((figure, tier))) for tier in TIERS)] for figure in figures]
    words = f"Networks {rows[0]['weights']}. Rates of cells are of boards found; {SILENT}."
    return "\n".join([f"### {title}", "", words, "", markdown(["", *TIERS], lines)])


def _factor(rows: Table, factor: str, title: str) -> str:
    part = [row for row in rows if row["factor"] == factor]
    lines = []
    for tier in TIERS:
        for band in dict.fromkeys(row["band"] for row in part if row["tier"] == tier):
            of = {r["figure"]: r for r in part if (r["tier"], r["band"]) == (tier, band)}
            lines.append([tier, band, *(_rate(of.get(figure)) for figure in BRIEF)])
    if not lines:
        return ""
    return "\n".join([f"### {title}", "", markdown(["tier", "", *BRIEF], lines)])


def _photographs() -> str:
    rows = read_csv(RESULTS / "tiles_real_summary.csv")
    lines = []
    for group in dict.fromkeys(row["group"] for row in rows):
        of = {row["figure"]: row for row in rows if row["group"] == group}
        shown = ("found", "right", "asked", "silently wrong")
        lines.append([group, *(_rate(of.get(figure)) for figure in shown)])
    if not lines:
        return ""
    words = (
        "Relatives of Quinto's tiles, none of them in training; tall tiles of the same set were."
    )
    head = ["tiles", "found", "right", "asked", "silently wrong"]
    return "\n".join(["### Photographs of relatives", "", words, "", markdown(head, lines)])


def _games() -> str:
    """Simulated games, followed by the program from their films."""
    rows = read_csv(RESULTS / "tile_games_summary.csv")
    if not rows:
        return ""
    whole = {(row["figure"], row["tier"]): row for row in rows}
    head = ("all", *TIERS)
    lines = []
    for figure in dict.fromkeys(row["figure"] for row in rows):
        found = (whole.get((figure, tier)) for tier in head)
        lines.append([figure, *("" if row is None else _counted(row) for row in found)])
    words = "Eight plays of each game are filmed, with fouls and hands (decision 132)."
    return "\n".join(["### Simulated games of Quinto", "", words, "", markdown(["", *head], lines)])


def _counted(row: dict[str, str]) -> str:
    return f"{row['hits']} of {row['of']} ({row['low']}–{row['high']} %)"
