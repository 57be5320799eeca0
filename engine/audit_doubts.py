"""The audit of a sheet that was read with doubts: what holds however the doubts turn out.

A photo leaves fields in doubt. Each way they may turn out is audited; a finding stands only when
all of them have it, so that nobody is accused on a doubtful reading. What only the likeliest way
has is open until somebody looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.audit import Audit
from engine.rules import Finding


@dataclass(frozen=True, slots=True)
class DoubtfulAudit:
    """What an audit found on a sheet with doubts.

    Attributes:
        audit: of the likeliest reading, with nothing in it but what every reading has:
            ``explained`` where one of them is, no cell or sum that one of them clears.
        open: findings of the likeliest reading that another reading does not have.
    """

    audit: Audit
    open: tuple[Finding, ...]


def common(audits: Sequence[Audit], *, whole: bool = True) -> DoubtfulAudit:
    """Return what all audits of one sheet say.

    Args:
        audits: one a way to read the sheet, the likeliest first.
        whole: they are all the ways there are. Else findings that hang on the whole sheet, on its
            sums and on how many cells are filled, are left open too.

    Raises:
        ValueError: without an audit.
    """
    if not audits:
        raise ValueError("expected at least one audit")
    first, rest = audits[0], audits[1:]
    kept = tuple(f for f in first.findings if _stands(f, rest) and (whole or _at_cells(f, first)))
    named = {cell for finding in kept for cell in finding.where.split(", ")}
    unexplained = tuple(
        cell
        for cell in first.unexplained
        if cell in named and all(cell in other.unexplained for other in rest)
    )
    differs = tuple(
        d for d in first.written_differs if whole and all(d in o.written_differs for o in rest)
    )
    audit = replace(
        first,
        explained=first.explained or any(other.explained for other in rest) or not kept,
        unexplained=unexplained,
        findings=kept,
        written_differs=differs,
    )
    return DoubtfulAudit(audit, tuple(f for f in first.findings if f not in kept))


def _stands(finding: Finding, others: Sequence[Audit]) -> bool:
    """Tell whether every other reading breaks the same rule at the same place."""
    key = (finding.rule, finding.where)
    return all(any((f.rule, f.where) == key for f in other.findings) for other in others)


def _at_cells(finding: Finding, audit: Audit) -> bool:
    """Tell whether a finding speaks of cells that no roll explains, and of nothing else."""
    return bool(finding.where) and set(finding.where.split(", ")) <= set(audit.unexplained)
