"""Settings of the dashboard: one frozen value, made from the command line."""

import ipaddress
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from server.texts import Lang

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8537
"""Free in the registry of well-known services; the digits have no meaning."""

UPLOAD_LIMIT_BYTES: Final = 40 * 2**20
"""One request: a 50-megapixel phone JPEG has about 15–25 MB, so 40 MiB leaves room."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the dashboard is served.

    Attributes:
        host: address to listen on.
        port: port to listen on; 0 takes a free one.
        lang: language the page opens with, unless the browser asks for the other.
        token: secret that every visitor must show; None on loopback.
        upload_limit_bytes: largest request that is read.
        shown: photos that lie on the page from the start, by place (``before``, ``after``).
    """

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    lang: Lang = "en"
    token: str | None = None
    upload_limit_bytes: int = UPLOAD_LIMIT_BYTES
    shown: tuple[tuple[str, Path], ...] = ()


def is_loopback(host: str) -> bool:
    """True for an address that only this machine can reach."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def token_for(host: str) -> str | None:
    """A fresh token when the page opens beyond this machine, None on loopback."""
    return None if is_loopback(host) else secrets.token_urlsafe(16)
