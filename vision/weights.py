"""From the name of a network to its checked file, through ``models/manifest.toml``.

The manifest is read as a file: nothing of the package ``models`` is imported. Its form::

    [[weights]]
    name = "detector"                 # what the program asks for
    file = "weights/detector.onnx"    # beside the manifest
    sha256 = "..."
    bytes = 10034512
    classes = ["cube", "die"]         # or a table of lists for a network with several answers
    input_size = [416, 416]           # height, width in px
    trained_by = "arbitre-lab train detector --seed 1"
    accuracy = "boards found 99.6 % of 300 clean"
"""

import functools
import hashlib
import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from vision.errors import WeightsAltered, WeightsMissing

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MODELS: Final = Path(__file__).resolve().parent.parent / "models"
"""Folder of the manifest: beside this package in the repository and when installed."""

_REMEDY_EN: Final = "install Arbitre again"
_REMEDY_FR: Final = "réinstallez Arbitre"


Figures = TypeVar("Figures", bound="DataclassInstance")


@dataclass(frozen=True, slots=True)
class WeightsEntry:
    """One network of the manifest.

    Attributes:
        name: what the program asks for.
        path: its file.
        sha256: checksum of the file, 64 hexadecimal digits.
        size_bytes: its length.
        facts: everything else the manifest says of it (classes, input size, command, accuracy).
    """

    name: str
    path: Path
    sha256: str
    size_bytes: int
    facts: dict[str, Any]

    def figure(self, name: str, usual: float) -> float:
        """A number among the facts, or the usual one where the manifest does not say it."""
        value = self.facts.get(name, usual)
        return float(value) if isinstance(value, int | float) else usual

    def figures(self, usual: "Figures", ending: str = "") -> "Figures":
        """The usual numbers of a frozen dataclass, those replaced that the manifest says.

        Args:
            usual: such as thresholds or temperatures; every field is a number.
            ending: of the manifest's names behind those of the fields, such as ``_threshold``.
        """
        said = {
            field.name: self.figure(field.name + ending, getattr(usual, field.name))
            for field in fields(usual)
        }
        return replace(usual, **said)


def read_manifest(folder: Path = MODELS) -> tuple[WeightsEntry, ...]:
    """All networks listed in the manifest, in its order.

    Args:
        folder: where ``manifest.toml`` lies.

    Raises:
        WeightsMissing: there is no manifest.
        WeightsAltered: the manifest is not in the form described above.
    """
    path = folder / "manifest.toml"
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        return tuple(_entry(folder, row) for row in table["weights"])
    except FileNotFoundError as fault:
        raise WeightsMissing(
            f"{path}: the list of networks is missing; {_REMEDY_EN}",
            f"{path} : la liste des réseaux manque ; {_REMEDY_FR}",
        ) from fault
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError) as fault:
        raise WeightsAltered(
            f"{path}: the list of networks is damaged ({fault}); {_REMEDY_EN}",
            f"{path} : la liste des réseaux est abîmée ({fault}) ; {_REMEDY_FR}",
        ) from fault


def find_weights(name: str, folder: Path = MODELS) -> Path:
    """The file of a network, there and unaltered.

    Args:
        name: its name in the manifest.
        folder: where ``manifest.toml`` lies.

    Raises:
        WeightsMissing: no manifest, no such name, or no such file.
        WeightsAltered: length or checksum differ from the manifest.
    """
    entry = find_entry(name, folder)
    try:
        stat = entry.path.stat()
    except FileNotFoundError as fault:
        raise WeightsMissing(
            f"{entry.path}: the network '{name}' is missing; {_REMEDY_EN}",
            f"{entry.path} : le réseau « {name} » manque ; {_REMEDY_FR}",
        ) from fault
    found = _sha256_unchanged(entry.path, stat.st_mtime_ns)
    if stat.st_size != entry.size_bytes or found != entry.sha256:
        raise WeightsAltered(
            f"{entry.path}: not the network '{name}' that was measured ({stat.st_size} bytes, "
            f"checksum {found[:8]}; expected {entry.size_bytes}, {entry.sha256[:8]}); "
            f"{_REMEDY_EN}",
            f"{entry.path} : ce n’est pas le réseau « {name} » qui a été mesuré "
            f"({stat.st_size} octets, empreinte {found[:8]} ; attendu {entry.size_bytes}, "
            f"{entry.sha256[:8]}) ; {_REMEDY_FR}",
        )
    return entry.path


def find_entry(name: str, folder: Path = MODELS) -> WeightsEntry:
    """What the manifest says of a network; its file is not looked at.

    Raises:
        WeightsMissing: no manifest or no such name.
        WeightsAltered: the manifest is damaged.
    """
    entries = read_manifest(folder)
    for entry in entries:
        if entry.name == name:
            return entry
    known = ", ".join(entry.name for entry in entries) or "none"
    raise WeightsMissing(
        f"{folder / 'manifest.toml'}: no network '{name}' (there: {known}); {_REMEDY_EN}",
        f"{folder / 'manifest.toml'} : pas de réseau « {name} » (présents : {known}) ; "
        f"{_REMEDY_FR}",
    )


def sha256_of(path: Path) -> str:
    """Checksum of a file, 64 hexadecimal digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@functools.lru_cache(maxsize=32)
def _sha256_unchanged(path: Path, changed_ns: int) -> str:
    """`sha256_of`, read again only when the file's time of change is another."""
    return sha256_of(path)


def _entry(folder: Path, row: dict[str, Any]) -> WeightsEntry:
    facts = {key: row[key] for key in row if key not in ("name", "file", "sha256", "bytes")}
    return WeightsEntry(row["name"], folder / row["file"], row["sha256"], row["bytes"], facts)
