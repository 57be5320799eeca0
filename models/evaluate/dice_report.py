"""The card's section on dice, from the committed CSV files."""

import csv
from pathlib import Path


def read_csv(path: Path) -> list[dict[str, str]]:
    """Rows of a table; none where there is no file."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))
