"""The one place that opens a network in ONNX Runtime."""

import os
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.errors import WeightsAltered

_ERRORS_ONLY = 3  # ONNX Runtime's scale: 0 verbose, 1 info, 2 warning, 3 error, 4 fatal


class OnnxSession:
    """A network with one input and one or more outputs, on the CPU.

    Threads are as many as the cores this process may use; they wait without spinning, so that an
    idle camera loop leaves the machine alone. Nothing is reported to anyone.

    Args:
        path: an ``.onnx`` file, already checked by `vision.weights.find_weights`.

    Raises:
        WeightsAltered: the file is not a network that ONNX Runtime can run.
    """

    def __init__(self, path: Path) -> None:
        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = usable_cores()
        options.inter_op_num_threads = 1
        options.log_severity_level = _ERRORS_ONLY
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            session = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except Exception as fault:  # the library has no common base for its errors
            raise WeightsAltered(
                f"{path.name}: this network does not load; install Arbitre again",
                f"{path.name} : ce réseau ne se charge pas ; réinstallez Arbitre",
            ) from fault
        self._session = session
        first = session.get_inputs()[0]
        self._input_name: str = first.name
        self.input_shape: tuple[int | str, ...] = tuple(first.shape)
        """Shape of the input; a free dimension is its name."""
        self.metadata: dict[str, str] = dict(session.get_modelmeta().custom_metadata_map)
        """What the exporter wrote into the file."""

    def run(self, batch: NDArray[np.float32]) -> tuple[NDArray[np.float32], ...]:
        """Runs the network once.

        Args:
            batch: float32 of `input_shape`.

        Returns:
            All outputs in the order of the file.
        """
        return tuple(self._session.run(None, {self._input_name: batch}))


def usable_cores() -> int:
    """Cores this process may use, at least 1.

    Containers and ``taskset`` may allow fewer than the machine has, ``OMP_NUM_THREADS`` as well.
    """
    told = os.environ.get("OMP_NUM_THREADS", "")
    if told.isascii() and told.isdigit() and int(told) > 0:
        return min(int(told), _cores())
    return _cores()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
