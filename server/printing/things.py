"""What there is to print."""

from typing import Final, Literal

What = Literal["sheet", "tiles", "board"]

THINGS: Final[dict[str, tuple[What, ...]]] = {
    "detrak": ("sheet",),
    "qwinto": ("sheet",),
    "quinto": ("tiles", "board"),
}
"""What can be printed, by game."""
