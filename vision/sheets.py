"""Score sheets in a picture: which game's, where every millimetre of them lies, how that was found.

No network: markers, colours and the lattice of fields lead to a first guess, and hundreds of
places of the print, looked for near where the guess puts them, to the map and its residual.
"""

from dataclasses import dataclass

from vision.homography import Quad
from vision.plans.marks import SheetName
from vision.plans.sheets import Edition
from vision.sheet_map import SheetMap


@dataclass(frozen=True, slots=True)
class FoundSheet:
    """One sheet in a picture.

    Attributes:
        game: Id of the game whose sheet it is.
        edition: Whose print.
        map: Where its millimetres lie, px of the picture.
        outline_px: Corners of the sheet's plan, clockwise from its own top left; some may lie
            outside of the picture.
        way: How it was found: ``markers``, ``bars``, ``lattice``, ``outline`` or ``corners``.
        sure: Share of the print that was looked for and found where the map puts it, 0 to 1.
        residual_mm: Root mean square distance of the found places of the print from the map.
        reason: Id of a refusal where the sheet cannot be read as it lies (``half-sheet``,
            ``sheet-unclear``), else None.
        code: What its own QR code says; None where there is none or it was not read. A code that
            could not be read does not keep a sheet from being found.
    """

    game: str
    edition: Edition
    map: SheetMap
    outline_px: Quad
    way: str
    sure: float
    residual_mm: float
    reason: str | None = None
    code: SheetName | None = None
