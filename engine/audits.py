"""The games whose final sheets can be audited: one explicit table."""

from __future__ import annotations

from typing import Any

from engine import detrak, qwinto
from engine.audit import Auditor

# Final sheets differ from game to game; callers pass back what an auditor gave them.
AnyAuditor = Auditor[Any]

AUDITORS: dict[str, AnyAuditor] = {
    "detrak": detrak.AUDITOR,
    "qwinto": qwinto.AUDITOR,
}
