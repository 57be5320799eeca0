"""Training goes on from a network as it is shipped: weights out of ``.onnx``, back into torch.

Batch norms are folded into the convolutions before them when a network is exported. They are put
back such that they change nothing on the crops it will be trained on, and learn on from there.
Needs torch and onnx, which only the training environment has.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from models.errors import LabError
from models.halve import SUFFIX

MEASURED: Final = 2048
"""Crops on which what each batch norm sees is measured; mean and spread of a channel over 2048
crops of 16 px and more are known to a few in a thousand."""

Arrays: TypeAlias = dict[str, NDArray[np.float32]]


def take_over(network: nn.Module, path: Path, crops: Tensor) -> None:
    """Give a network the weights of an exported one of the same form.

    Args:
        network: of which every batch norm follows a convolution.
        path: of the ``.onnx`` file.
        crops: (N, 3, S, S) float32, as it is trained on; `MEASURED` of them are enough.

    Raises:
        LabError: the file is of a network of another form.
    """
    graph = onnx.load(str(path)).graph
    arrays = {
        tensor.name.removesuffix(SUFFIX): numpy_helper.to_array(tensor).astype(np.float32)
        for tensor in graph.initializer
    }
    folded = [list(node.input[1:]) for node in graph.node if node.op_type == "Conv"]
    pairs = list(_pairs(network))
    if len(pairs) != len(folded):
        raise LabError(f"{path}: {len(folded)} convolutions; this network has {len(pairs)}")
    with torch.no_grad():
        for (convolution, norm), (weight, bias) in zip(pairs, folded, strict=True):
            _copy(convolution.weight, arrays[weight], path)
            _copy(norm.bias, arrays[bias], path)
        for name, values in network.named_parameters():
            if name in arrays:
                _copy(values, arrays[name], path)
        _unfold([norm for _, norm in pairs], network, crops)


def _pairs(network: nn.Module) -> Iterator[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Convolutions with the batch norms after them, in the order in which they calculate."""
    last: nn.Conv2d | None = None
    for module in network.modules():
        if isinstance(module, nn.Conv2d):
            last = module
        elif isinstance(module, nn.BatchNorm2d) and last is not None:
            yield last, module


def _copy(values: Tensor, given: NDArray[np.float32], path: Path) -> None:
    if tuple(values.shape) != given.shape:
        raise LabError(f"{path}: weights of {given.shape} where this network has {values.shape}")
    values.copy_(torch.from_numpy(given))


def _unfold(norms: list[nn.BatchNorm2d], network: nn.Module, crops: Tensor) -> None:
    """Let each batch norm expect what it sees, and hand that on as it was, less what is folded."""
    seen: dict[nn.Module, tuple[Tensor, Tensor]] = {}

    def note(norm: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        seen[norm] = inputs[0].mean((0, 2, 3)), inputs[0].var((0, 2, 3))

    for norm in norms:
        norm.weight.fill_((1 + norm.eps) ** 0.5)
        assert norm.running_mean is not None
        assert norm.running_var is not None
        norm.running_mean.zero_()
        norm.running_var.fill_(1.0)
    hooks = [norm.register_forward_pre_hook(note) for norm in norms]
    network.eval()(crops)
    for hook in hooks:
        hook.remove()
    for norm in norms:
        mean, spread = seen[norm]
        assert norm.running_mean is not None
        assert norm.running_var is not None
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)
        norm.weight.copy_((spread + norm.eps).sqrt())
        norm.bias += mean
    network.train()
