"""Writes ``manifest.toml``: every shipped network with its checksum and what is known of it."""

import hashlib
import tomllib
from pathlib import Path
from typing import Any

MANIFEST = Path(__file__).resolve().parent / "manifest.toml"
HEADER = """# The networks Arbitre ships. Written by `arbitre-lab ship` and `arbitre-lab calibrate`.
# Temperatures and thresholds were fitted on calibration assets; see MODEL_CARD.md.
"""


def read(path: Path = MANIFEST) -> list[dict[str, Any]]:
    """All entries, in order; none when there is no manifest yet."""
    if not path.exists():
        return []
    rows: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["weights"]
    return rows


def put(name: str, file: Path | None, facts: dict[str, Any], path: Path = MANIFEST) -> None:
    """Add an entry, or change the facts of one.

    Args:
        name: what the program asks for.
        file: the weights beside the manifest, whose length and checksum are noted; None leaves
            them as they are.
        facts: further keys; they replace those of the same name.
        path: the manifest.
    """
    rows = read(path)
    row = next((row for row in rows if row["name"] == name), None)
    if row is None:
        row = {"name": name}
        rows.append(row)
    if file is not None:
        data = file.read_bytes()
        row["file"] = file.relative_to(path.parent).as_posix()
        row["sha256"] = hashlib.sha256(data).hexdigest()
        row["bytes"] = len(data)
    row.update(facts)
    blocks = [
        "[[weights]]\n" + "".join(f"{k} = {_toml(v)}\n" for k, v in row.items()) for row in rows
    ]
    path.write_text(HEADER + "\n" + "\n".join(blocks), encoding="utf-8")


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{k} = {_toml(v)}" for k, v in value.items()) + " }"
    return str(value)
