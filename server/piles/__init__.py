"""Piles of score sheets: photos of the sheets of one game, what was read, what people answered."""

from server.piles.folder import PileFolder
from server.piles.pile import Pile, sheet_id

__all__ = ["Pile", "PileFolder", "sheet_id"]
