"""The card's section on dice, from the committed CSV files."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from models.evaluate.report import CARD, RESULTS

START: Final = "<!-- figures of dice: written by `arbitre-lab report` -->"
END: Final = "<!-- end of figures of dice -->"

BRIEF: Final = (
    "values right", "values asked", "values silently wrong", "dice missed", "finds beside the dice",
    "colours right", "colours silently wrong",
)  # fmt: skip
"""Figures shown for a group; the CSV files have all."""
SCENES: Final = {
    "dice_composed": "Composed dice of evaluation designs",
    "dice_traced": "Dice traced as a whole by Mitsuba, other designs again",
}
WIDE: Final = ">= 24 px"
Table = list[dict[str, str]]


def write_dice_report() -> None:
    """Replace the figures of dice in the card by those of the committed CSV files."""
    text = CARD.read_text(encoding="utf-8")
    if START not in text:
        return
    before, rest = text.split(START, 1)
    after = rest.split(END, 1)[1]
    parts = [_photographs(), _widths(), _sources(), _negatives(), _ablation()]
    parts += [_scenes(name, title) for name, title in SCENES.items()]
    parts += [_lamps(), _rolls(), _leaks()]
    body = "\n".join(part for part in parts if part)
    CARD.write_text(f"{before}{START}\n\n{body}\n{END}{after}", encoding="utf-8")


def read_csv(path: Path) -> Table:
    """Rows of a table; none where there is no file."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def markdown(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A table."""
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n"


def _rows(name: str) -> Table:
    return read_csv(RESULTS / f"{name}.csv")


def _rate(row: dict[str, str]) -> str:
    """Rate, counts and interval."""
    share = f"{float(row['percent']):.2f} %"
    return f"{share} ({row['hits']} of {row['of']}; {row['low']}–{row['high']})"


def _pick(rows: Table, **wanted: str) -> dict[str, dict[str, str]]:
    """Rows of a group by figure."""
    return {row["figure"]: row for row in rows if all(row[key] == v for key, v in wanted.items())}


# ---------------------------------------------------------------------- photographs
def _photographs() -> str:
    rows = _rows("dice_real_summary")
    if not rows:
        return ""
    groups = [
        ("no training picture, all", {"sources": "no training picture", "width": "all"}),
        (f"no training picture, {WIDE}", {"sources": "no training picture", "width": WIDE}),
        ("shared with training, all", {"sources": "shared with training", "width": "all"}),
        ("all photographs", {"sources": "all", "width": "all"}),
    ]
    found = [(title, _pick(rows, source="", **wanted)) for title, wanted in groups]
    lines = [
        [figure, *(_rate(of[figure]) if figure in of else "" for _, of in found)]
        for figure in ("pictures exactly right", *BRIEF)
    ]
    return "\n".join(
        [
            "### Photographs of dice",
            "",
            f"Networks {rows[0]['weights']}. Sources of which no picture trained stand apart; "
            "figures on the others flatter. Colours count where they were judged by eye.",
            "",
            markdown(["", *(title for title, _ in found)], lines),
        ]
    )


def _widths() -> str:
    rows = _rows("dice_real_summary")
    widths = [
        width for width in dict.fromkeys(row["width"] for row in rows) if width not in ("all", WIDE)
    ]
    widths.sort(key=lambda width: (width.startswith(">"), int(width.strip("> px").split("-")[0])))
    lines = []
    for sources in ("no training picture", "shared with training"):
        for width in widths:
            of = _pick(rows, sources=sources, width=width, source="")
            if "values right" in of:
                shown = ("values right", "values asked", "values silently wrong", "dice missed")
                lines.append([sources, width, *(_rate(of[figure]) for figure in shown)])
    if not lines:
        return ""
    head = ["sources", "width of a die", "right", "asked", "silently wrong", "missed"]
    return "\n".join(["### Photographs of dice by width", "", markdown(head, lines)])


def _sources() -> str:
    rows = [row for row in _rows("dice_real_summary") if row["width"] == WIDE and row["source"]]
    lines = []
    for sources, source in dict.fromkeys((row["sources"], row["source"]) for row in rows):
        of = _pick(rows, sources=sources, source=source)
        if "values right" in of:
            shown = ("values right", "values asked", "values silently wrong")
            lines.append([source, sources, *(_rate(of[figure]) for figure in shown)])
    if not lines:
        return ""
    head = ["source", "", "right", "asked", "silently wrong"]
    return "\n".join([f"### Photographs of dice by source, dice {WIDE}", "", markdown(head, lines)])


def _negatives() -> str:
    rows = [row for row in _rows("dice_real_summary") if row["sources"] == "no dice"]
    of = {row["figure"]: row for row in rows if row["source"] == "all"}
    if not of:
        return ""
    return "\n".join(
        [
            "### Photographs without a six-sided die",
            "",
            *(f"- {figure[0].upper()}{figure[1:]}: {_rate(row)}." for figure, row in of.items()),
            "",
        ]
    )


def _ablation() -> str:
    rows = _rows("dice_ablation")
    lines = []
    for label in dict.fromkeys(row["label"] for row in rows):
        for group, wanted in (
            (f"no training picture, {WIDE}", {"sources": "no training picture", "width": WIDE}),
            ("all photographs", {"sources": "all", "width": "all"}),
        ):
            of = _pick(rows, label=label, source="", **wanted)
            if "values right" in of:
                shown = ("values right", "values asked", "values silently wrong", "colours right")
                rates = [_rate(of[figure]) if figure in of else "" for figure in shown]
                lines.append([label, group, *rates])
    if not lines:
        return ""
    head = ["trained on", "photographs", "right", "asked", "silently wrong", "colours right"]
    note = "All three were read before decisions 0138 and 0139."
    return "\n".join(["### What the training pictures bring", "", note, "", markdown(head, lines)])


# ---------------------------------------------------------------------- scenes and films
def _scenes(name: str, title: str) -> str:
    rows = _rows(f"{name}_summary")
    if not rows:
        return ""
    lines = []
    for kind, tier in dict.fromkeys((row["kind_of_dice"], row["tier"]) for row in rows):
        of = _pick(rows, kind_of_dice=kind, tier=tier, width="")
        if tier and "values right" in of:
            shown = ("values right", "values asked", "values silently wrong", "dice missed")
            lines.append([kind, tier, *(_rate(of[figure]) for figure in shown)])
    head = ["dice", "tier", "right", "asked", "silently wrong", "missed"]
    return "\n".join([f"### {title}", "", markdown(head, lines)])


def _lamps() -> str:
    rows = _rows("dice_colours_summary")
    if not rows:
        return ""
    lines = []
    for lamp in dict.fromkeys(row["lamp_k"] for row in rows):
        of = _pick(rows, lamp_k=lamp)
        shown = ("colours right", "colours asked", "colours silently wrong")
        name = lamp if lamp == "all" else f"{lamp} K"
        lines.append([name, *(_rate(of[figure]) for figure in shown)])
    extra = [row for row in rows if "another of the three" in row["figure"]
             or row["figure"].startswith(("the same", "with the set"))]  # fmt: skip
    return "\n".join(
        [
            "### Orange, yellow and purple under six lamps",
            "",
            markdown(["lamp", "right", "asked", "silently wrong"], lines),
            *(f"- {row['figure'][0].upper()}{row['figure'][1:]}: {_rate(row)}." for row in extra),
            "",
        ]
    )


def _rolls() -> str:
    rows = [row for row in _rows("rolls_summary") if row["game"] == "all"]
    if not rows:
        return ""
    tiers = list(dict.fromkeys(row["tier"] for row in rows))
    lines = []
    for figure in dict.fromkeys(row["figure"] for row in rows):
        of = {row["tier"]: row for row in rows if row["figure"] == figure}
        cells = [
            "" if tier not in of
            else _rate(of[tier]) if of[tier]["unit"] == "%"
            else f"{of[tier]['percent']} s ({of[tier]['of']})"
            for tier in tiers
        ]  # fmt: skip
        lines.append([figure, *cells])
    return "\n".join(["### Simulated rolls, hands in and out", "", markdown(["", *tiers], lines)])


def _leaks() -> str:
    rows = _rows("leaks")
    if not rows:
        return ""
    same = sum(int(row["same_content"]) for row in rows)
    near = [row for row in rows if int(row["near_duplicates"])]
    named = ", ".join(f"{row['source']} {row['near_duplicates']}" for row in near) or "none"
    total = sum(int(row["evaluation_pictures"]) for row in rows)
    return (
        f"Of {total} photographs measured on, {same} have the content of one that trained; near "
        f"duplicates by a difference hash: {named}.\n"
    )
