"""Writes the committed figures into the model card, between its two marks."""

import csv
from pathlib import Path

CARD = Path(__file__).resolve().parents[1] / "MODEL_CARD.md"
RESULTS = Path(__file__).resolve().parents[1] / "results"
START, END = "<!-- figures: written by `arbitre-lab report` -->", "<!-- end of figures -->"

SETS = {
    "composed": "Composed boards of evaluation assets",
    "traced": "Boards traced as a whole",
    "second": "Boards of the second renderer (Blender's Cycles)",
}
FIGURES = (
    "boards found",
    "perfect marks",
    "cells wrong",
    "cells asked",
    "cells silently wrong",
    "dots wrong",
    "dots asked",
    "dots silently wrong",
)
FACTORS = ("tilt_deg", "px_per_cell", "exposure_ev", "shadow_depth", "temperature_k")
"""Factors shown in the card; the CSV files have more."""


def write_report() -> None:
    """Replace the figures of the card by those of the committed CSV files."""
    text = CARD.read_text(encoding="utf-8")
    before, rest = text.split(START, 1)
    after = rest.split(END, 1)[1]
    parts = [_photographs(), *(_set(name, title) for name, title in SETS.items())]
    parts += [_factors("composed"), _pairs(), _recordings()]
    body = "\n".join(part for part in parts if part)
    CARD.write_text(f"{before}{START}\n\n{body}\n{END}{after}", encoding="utf-8")


def _rows(name: str) -> list[dict[str, str]]:
    path = RESULTS / f"{name}.csv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _photographs() -> str:
    rows = _rows("real")
    if not rows:
        return ""
    boards = [row for row in rows if row["kind"] == "board"]
    others = [row for row in rows if row["kind"] == "negative"]
    box = [row for row in rows if row["kind"] == "box"]
    faces = _rows("faces")
    right = sum((f["mark"], f["dot"]) == (f["true_mark"], f["true_dot"]) for f in faces)

    def total(key: str) -> int:
        return sum(int(row[key] or 0) for row in boards)

    lines = [
        "### Photographs",
        "",
        f"- Boards with every mark right: {sum(row['perfect'] == 'True' for row in boards)} of "
        f"{len(boards)}; marks asked {total('marks_asked')}, silently wrong "
        f"{total('marks_silent')}, of {total('cells')}.",
        f"- Dots right: {total('dots') - total('dots_wrong')} of {total('dots')}; asked "
        f"{total('dots_asked')}, silently wrong {total('dots_silent')}.",
        f"- Single faces right, mark and dot: {right} of {len(faces)}.",
        f"- The photograph of a box with printed cubes: "
        f"{', '.join(row['refused'] or 'read' for row in box)}.",
        f"- Photographs of other things taken for a board: "
        f"{sum(not row['refused'] for row in others)} of {len(others)}.",
        "",
    ]
    return "\n".join(lines)


def _set(name: str, title: str) -> str:
    rows = _rows(f"{name}_summary")
    if not rows:
        return ""
    tiers = list(dict.fromkeys(row["tier"] for row in rows))
    lines = [f"### {title}", "", "| | " + " | ".join(tiers) + " |", "|---|" + "---|" * len(tiers)]
    for figure in FIGURES:
        cells = []
        for tier in tiers:
            row = next(r for r in rows if r["tier"] == tier and r["figure"] == figure)
            cells.append(f"{float(row['percent']):.2f} % ({row['hits']} of {row['of']})")
        lines.append(f"| {figure} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, ""])


def _factors(name: str) -> str:
    rows = [row for row in _rows(f"{name}_factors") if row["factor"] in FACTORS]
    if not rows:
        return ""
    lines = [
        "### By factor, composed boards, all tiers apart",
        "",
        "| factor | band | tier | boards | perfect | cells asked | cells silently wrong |",
        "|---|---|---|---|---|---|---|",
    ]
    keys = dict.fromkeys((row["factor"], row["band"], row["tier"]) for row in rows)
    for factor, band, tier in keys:
        of = {
            row["figure"]: row
            for row in rows
            if (row["factor"], row["band"], row["tier"]) == (factor, band, tier)
        }
        shown = [f"{float(of[f]['percent']):.2f} %" for f in FIGURES[1:2] + FIGURES[3:5]]
        lines.append(
            f"| {factor} | {band} | {tier} | {of['boards found']['of']} | {' | '.join(shown)} |"
        )
    return "\n".join([*lines, ""])


def _pairs() -> str:
    rows = _rows("pairs_summary")
    if not rows:
        return ""
    lines = [
        "### Moves before and after, ruled on by `arbitre rule`",
        "",
        "| glimpse | what it is | moves | legal | illegal | undecided | refused "
        "| as with perfect sight |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        glimpse = "with" if row["glimpse"] == "True" else "without"
        shown = ("legal", "illegal", "undecided", "refused", "as_perfect_sight")
        values = [row.get(key, "") for key in shown]
        lines.append(f"| {glimpse} | {row['wanted']} | {row['of']} | {' | '.join(values)} |")
    return "\n".join([*lines, ""])


def _recordings() -> str:
    rows = _rows("recordings_summary")
    if not rows:
        return ""
    tiers = list(dict.fromkeys(row["tier"] for row in rows))
    played = {(row["tier"], row["recording"]) for row in _rows("recordings")}
    lines = [
        "### Simulated recordings, replayed by `arbitre replay`",
        "",
        "Recordings of evaluation assets at 8 frames a second: "
        + ", ".join(f"{sum(tier == t for t, _ in played)} {tier}" for tier in tiers)
        + ". Rate, counts and 95 % interval; a replay starts anew from the true state after each "
        "question or error.",
        "",
        "| | " + " | ".join(tiers) + " |",
        "|---|" + "---|" * len(tiers),
    ]
    for figure in dict.fromkeys(row["figure"] for row in rows):
        of = {row["tier"]: row for row in rows if row["figure"] == figure}
        cells = (_rate(of[tier]) if tier in of else "" for tier in tiers)
        lines.append(f"| {figure} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, ""])


def _rate(row: dict[str, str]) -> str:
    if row["of"] == "0":
        return "– (0 of 0)"
    return f"{row['rate']} {row['unit']} ({row['hits']} of {row['of']}; {row['low']}–{row['high']})"
