"""Piles of score sheets: photos of the sheets of one game, what was read, what people answered."""

from server.piles.folder import PileFolder
from server.piles.pile import Photo, Pile, Problem, ReadField, Sheet

__all__ = ["Photo", "Pile", "PileFolder", "Problem", "ReadField", "Sheet"]
