"""What stands on a composed sheet: any text in any field, or the sheet of a game that was played.

Half of the sheets that train hold anything anywhere, so that no network learns the rules of a game
from them.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from engine.detrak.layout import ADJACENT_PAIRS, BOX_PATHS, SYMBOLS
from engine.detrak.layout import Sheet as DetrakSheet
from engine.detrak.scoring import score
from engine.detrak.state import Options as DetrakOptions
from engine.qwinto.layout import BOXES, ROWS, row_span
from engine.qwinto.layout import Sheet as QwintoSheet
from engine.qwinto.possible import legal_fields
from engine.qwinto.scoring import strip_of
from vision.plans.sheets import SheetPlan

Rng = np.random.Generator
Texts = dict[str, str]

FAILED: Final = "x"
"""Text of a failed box that is marked."""
WRONG_SUM: Final = 0.08
"""Share of sums that a player of ours gets wrong."""
SUMS: Final = (-60, 120)
"""Least and largest sum of any box: twelve lines of Détrak at -5, and its best total."""
_ROW_NAMES: Final = dict(zip(ROWS, ("orange", "yellow", "purple"), strict=True))


def random_texts(rng: Rng, plan: SheetPlan) -> Texts:
    """Any text that a field may hold in any field; fields left out are blank."""
    empty = float(rng.choice([0.15, 0.45, 0.75], p=[0.4, 0.35, 0.25]))
    texts: Texts = {}
    for field in plan.fields:
        if rng.random() < (0.985 if field.kind == "blank" else empty):
            continue
        texts[field.path] = _any_text(rng, field.kind, field.path)
    return texts


def _any_text(rng: Rng, kind: str, path: str) -> str:
    if kind == "symbol":
        return str(rng.choice(SYMBOLS))
    if kind == "failed":
        return FAILED
    if kind in ("number", "bonus", "blank"):
        return str(rng.integers(1, 19))
    return str(_any_sum(rng, path))


def _any_sum(rng: Rng, path: str) -> int:
    if path == "strip.penalty":
        value = int(rng.choice([0, 5, 10, 15, 20]))
        return -value if rng.random() < 0.4 else value
    if path == "strip.total":
        return int(rng.integers(-20, 117))
    if path == "boxes.total":
        return int(rng.integers(SUMS[0], SUMS[1] + 1))
    if path.startswith("boxes."):
        return -5 if rng.random() < 0.2 else int(rng.integers(0, 11))
    return int(rng.integers(0, 19))


def played_texts(rng: Rng, plan: SheetPlan) -> Texts:
    """The sheet of a game in which somebody placed by the rules, and perhaps added up."""
    return (_played_qwinto if plan.game == "qwinto" else _played_detrak)(rng)


def _played_qwinto(rng: Rng) -> Texts:
    sheet = QwintoSheet()
    for _ in range(int(rng.integers(4, 34))):
        colours = [row for row in ROWS if rng.random() < 0.6] or [str(rng.choice(ROWS))]
        total = int(rng.integers(1, 7, len(colours)).sum())
        free = legal_fields(sheet, total, colours)
        fair = [f for f in free if abs(_share(f.column, f.row) - (total - 1) / 17) < 0.35]
        if fair:
            index = fair[int(rng.integers(len(fair)))].index
            assert index is not None
            sheet = sheet.put(index, total)
        elif rng.random() < 0.25 and sheet.failed < BOXES:
            sheet = QwintoSheet(sheet.numbers, sheet.failed + 1)
        if len(sheet.full_rows()) >= 2 or sheet.failed == BOXES:
            break
    return qwinto_texts(
        sheet, _sums(rng, {p: v for p, v in strip_of(sheet).boxes() if v is not None})
    )


def _share(column: int, row: str) -> float:
    """How far to the right a column stands in its row, 0-1."""
    return float(np.clip((column - (2, 1, 0)[ROWS.index(row)]) / 9, 0, 1))


def qwinto_texts(sheet: QwintoSheet, strip: Mapping[str, int] | None = None) -> Texts:
    """Texts of a sheet as it is, with what stands in the boxes of the strip."""
    texts: Texts = {}
    for row in ROWS:
        for index, place in enumerate(row_span(row)):
            if sheet.numbers[place] > 0:
                texts[f"{_ROW_NAMES[row]}[{index}]"] = str(sheet.numbers[place])
    texts |= {f"failed[{index}]": FAILED for index in range(sheet.failed)}
    return texts | {path: str(value) for path, value in (strip or {}).items()}


def _played_detrak(rng: Rng) -> Texts:
    cells = ["."] * 25
    cells[0] = str(rng.choice(SYMBOLS))
    for _ in range(int(rng.integers(3, 13))):
        pair = rng.choice(SYMBOLS, 2)
        free = [p for p in ADJACENT_PAIRS if cells[p[0]] == cells[p[1]] == "."]
        if not free:
            break
        first, second = free[int(rng.integers(len(free)))]
        if rng.random() < 0.5:
            first, second = second, first
        cells[first], cells[second] = str(pair[0]), str(pair[1])
    sheet = DetrakSheet(tuple(cells))
    right = score(sheet, DetrakOptions(advanced=bool(rng.random() < 0.6)))
    sums = dict(zip(BOX_PATHS, right.boxes(), strict=True))
    if right.diagonal is None:
        sums = {path: value for path, value in sums.items() if "diagonal" not in path}
    return detrak_texts(sheet, _sums(rng, sums))


def detrak_texts(sheet: DetrakSheet, boxes: Mapping[str, int] | None = None) -> Texts:
    """Texts of a sheet as it is, with what stands in its boxes."""
    texts = {f"grid[{i // 5}][{i % 5}]": cell for i, cell in enumerate(sheet.cells) if cell != "."}
    return texts | {path: str(value) for path, value in (boxes or {}).items()}


def _sums(rng: Rng, right: Mapping[str, int]) -> dict[str, int]:
    """Sums that a player writes: all, some or none, some of them wrong."""
    written = float(rng.choice([0.0, 0.6, 1.0], p=[0.3, 0.2, 0.5]))
    found = {}
    for path, value in right.items():
        if rng.random() >= written:
            continue
        wrong = int(rng.integers(-3, 4)) if rng.random() < WRONG_SUM else 0
        found[path] = -value if path == "strip.penalty" and rng.random() < 0.3 else value + wrong
    if found.get("strip.penalty", 0) < -20 or found.get("strip.penalty", 0) > 20:
        found.pop("strip.penalty")
    return {path: int(np.clip(value, *SUMS)) for path, value in found.items()}


def reading_json(plan: SheetPlan, texts: Mapping[str, str]) -> dict[str, Any]:
    """The contract's JSON of what stands on a sheet.

    The penalty is given without its sign, whether it was written with or without.
    """
    number = lambda path: int(texts[path]) if texts.get(path) else None  # noqa: E731
    if plan.game == "detrak":
        grid = ["".join(texts.get(f"grid[{r}][{c}]") or "." for c in range(5)) for r in range(5)]
        boxes = {
            "rows": [number(f"boxes.rows[{i}]") for i in range(5)],
            "cols": [number(f"boxes.cols[{i}]") for i in range(5)],
            "diagonal": [number(f"boxes.diagonal[{i}]") for i in range(2)],
            "total": number("boxes.total"),
        }
        return {"grid": grid, "boxes": boxes}
    penalty = number("strip.penalty")
    strip = {
        "rows": [number(f"strip.rows[{i}]") for i in range(3)],
        "bonus": [number(f"strip.bonus[{i}]") for i in range(5)],
        "penalty": None if penalty is None else abs(penalty),
        "total": number("strip.total"),
    }
    rows = {name: [number(f"{name}[{i}]") or 0 for i in range(9)] for name in plan.rows}
    failed = sum(bool(texts.get(f"failed[{i}]")) for i in range(BOXES))
    return {**rows, "failed": failed, "strip": strip}
