"""Stores a network's weights in half the room: as 16-bit numbers that are widened when it loads.

Trained weights are kept in half precision anyway (``.pt``); the arithmetic stays in 32 bits.
"""

from pathlib import Path

SMALLEST = 256
"""Smaller tensors stay as they are: they hold biases and shapes, and next to no room."""
SUFFIX = "_half"
"""Ends the names of tensors that are kept so."""


def halve(path: Path) -> None:
    """Rewrite an ``.onnx`` file with half-precision weights; needs the training environment."""
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model = onnx.load(str(path))
    casts = []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < SMALLEST:
            continue
        name, half = tensor.name, f"{tensor.name}{SUFFIX}"
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), half))
        casts.append(helper.make_node("Cast", [half], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.save(model, str(path))
