"""Start Mitsuba with the fastest back end this machine has."""

import os
import re
from pathlib import Path
from types import ModuleType

MIN_LLVM = 16
"""Mitsuba 3.9 crashes with LLVM 14 and 15 (measured); 19 works."""

LIBRARIES = Path("/usr/lib")
"""Where Linux distributions put LLVM; elsewhere set DRJIT_LIBLLVM_PATH."""


def find_llvm() -> str | None:
    """Path of a new enough shared LLVM library, or None."""
    if named := os.environ.get("DRJIT_LIBLLVM_PATH"):
        return named
    found: dict[int, str] = {}
    for path in (*LIBRARIES.glob("*/libLLVM*.so*"), *LIBRARIES.glob("llvm-*/lib/libLLVM*.so*")):
        if match := re.search(r"libLLVM(?:\.so\.|-)(\d+)", path.name):
            found[int(match.group(1))] = str(path)
    newest = max(found, default=0)
    return found[newest] if newest >= MIN_LLVM else None


def start_mitsuba(threads: int | None = None) -> ModuleType:
    """Import Mitsuba and choose ``llvm_ad_rgb``, or ``scalar_rgb`` without LLVM.

    Args:
        threads: worker threads; None takes one a core.
    """
    library = find_llvm()
    if library is not None:
        os.environ["DRJIT_LIBLLVM_PATH"] = library
    import mitsuba as mi

    mi.set_variant("llvm_ad_rgb" if library is not None else "scalar_rgb")
    if threads is not None:
        import drjit as dr

        dr.set_thread_count(threads)
    mi.set_log_level(mi.LogLevel.Error)
    return mi
