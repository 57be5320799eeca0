"""Processes that belong together: a child ends when its parent is gone, however that ended.

The parent keeps the other end of the child's standard input; the system closes it when the parent
dies, and the child, which reads it, then stops as if told to.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Final

CHILD: Final = "ARBITRE_CHILD"
STOP_S: Final = 10.0
"""How long a process may take to end by itself: it finishes the frame and the write it is at."""

Process = subprocess.Popen[bytes]


def start(words: Sequence[str]) -> Process:
    """Start a command of ours, such as ``["watch", "--game", "quixo"]``."""
    command = [sys.executable, "-m", "server", *words]
    return subprocess.Popen(command, stdin=subprocess.PIPE, env={**os.environ, CHILD: "1"})


def stop(process: Process) -> None:
    """End a process of ours, kindly first."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if process.stdin is not None:
        process.stdin.close()


def follow_parent() -> None:
    """In a child: stop when the parent is gone. Elsewhere nothing."""
    if not os.environ.pop(CHILD, ""):
        return
    threading.Thread(target=_wait, daemon=True, name="parent").start()


def _wait() -> None:
    """Read until the parent's end is closed; it never writes."""
    while os.read(0, 1024):
        pass
    signal.raise_signal(signal.SIGTERM)
