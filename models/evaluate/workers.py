"""Sends many tasks through processes that each have the networks loaded."""

import multiprocessing
from collections.abc import Callable, Sequence
from typing import Any, Final

import cv2

from models.render.progress import Progress

Row = dict[str, Any]

AT_ONCE: Final = 4
"""Tasks handed to a process at a time, where each is a picture."""
_models: Any = None


def run_tasks(
    work: Callable[[Any], list[Row]],
    tasks: Sequence[Any],
    load: Callable[[], Any],
    workers: int,
    label: str,
    at_once: int = AT_ONCE,
) -> list[Row]:
    """Rows of all tasks, in their order.

    Args:
        work: one task to rows; runs in a process that has the networks, see `loaded`.
        tasks: what it takes, one after the other.
        load: gives the networks; called once in each process, which gets it pickled.
        workers: processes.
        label: for the progress line.
        at_once: tasks handed to a process at a time.
    """
    progress = Progress(len(tasks), label)
    rows: list[Row] = []
    with multiprocessing.get_context("spawn").Pool(workers, _begin, (load,)) as pool:
        for found in pool.imap(work, tasks, chunksize=at_once):
            rows += found
            progress.step()
    return rows


def _begin(load: Callable[[], Any]) -> None:
    """One thread of OpenCV each, since there is a process for every core."""
    global _models
    cv2.setNumThreads(1)
    _models = load()


def loaded() -> Any:
    """The networks of this process of `run_tasks`, of the type that its `load` gives."""
    assert _models is not None
    return _models
