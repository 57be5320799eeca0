"""Which sheets of different photos are one sheet: by code, by what was read, by how it looks."""

from dataclasses import replace
from typing import Final

from server.tally.counted import Counted
from server.tally.likeness import PERHAPS, SAME, likeness
from server.tally.reading import SheetReading

COMPARED: Final = 3
"""Photos of a sheet that a further one is compared with: comparing hundreds would take minutes."""


def tell_apart(sheets: list[Counted]) -> list[Counted]:
    """Mark the sheets that another photo shows better: with fewer doubts, or else earlier."""
    groups: list[list[int]] = []
    like: dict[int, int] = {}
    for n, sheet in enumerate(sheets):
        if sheet.tally is None:
            continue
        group, perhaps = _group_of(n, sheets, groups)
        if group is not None:
            group.append(n)
            continue
        groups.append([n])
        if perhaps is not None:
            like[n] = perhaps
    found = list(sheets)
    for group in groups:
        best = min(group, key=lambda n: (_doubts(sheets[n]), n))
        for n in group:
            same = None if n == best else best
            found[n] = replace(sheets[n], same_as=same, like=like.get(n))
    return found


def _group_of(
    n: int, sheets: list[Counted], groups: list[list[int]]
) -> tuple[list[int] | None, int | None]:
    """The photos of one sheet that another sheet belongs to; else one that it may belong to."""
    perhaps = None
    for group in groups:
        for m in group[:COMPARED]:
            alike = _alike(sheets[m], sheets[n])
            if alike:
                return group, None
            if alike is None and perhaps is None:
                perhaps = m
    return None, perhaps


def _doubts(sheet: Counted) -> int:
    return 0 if sheet.tally is None else len(sheet.tally.reading.doubts)


def _alike(one: Counted, other: Counted) -> bool | None:
    """Whether two photos show one sheet, None for perhaps; sheets of one photo are different."""
    if one.tally is None or other.tally is None or one.photo == other.photo:
        return False
    if one.key == other.key:
        return True
    a, b = one.tally.reading, other.tally.reading
    coded = a.number is not None and b.number is not None
    if coded and (a.number, a.player) != (b.number, b.player):
        return False
    if _edition(one) != _edition(other) or _disagree(a, b):
        return False
    where = [field.where for field in one.record.fields]
    written = [
        n
        for n, path in enumerate(where)
        if a.values[path] == b.values[path] and a.values[path] not in (None, 0, ".")
    ]
    alike = likeness(one.record.look, other.record.look, written)
    if alike is None:  # hardly anything is written: only the sheet's own code can tell
        return coded
    if alike >= (PERHAPS if coded else SAME):
        return True
    return None if alike >= PERHAPS else False


def _edition(sheet: Counted) -> str | None:
    return None if sheet.record.found is None else sheet.record.found.edition


def _disagree(one: SheetReading, other: SheetReading) -> bool:
    """Whether a field that both vouch for holds different things."""
    doubtful = {doubt.where for doubt in (*one.doubts, *other.doubts)}
    return any(
        value != other.values.get(where)
        for where, value in one.values.items()
        if where not in doubtful
    )
