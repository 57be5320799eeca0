"""The network that reads one field of a score sheet.

Input (N, 3, 48, 48) RGB 0-1; outputs logits of each attribute in the order of
`vision.sheets.classify.OUTPUTS`. Needs torch, which only the training environment has.
"""

from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn

from models.face_network import Block, down, write_onnx
from vision.sheets.classify import OUTPUTS, SIZES

SIDE: Final = 48
"""Side of a crop in px, as `vision.crops.crop_field` cuts it."""


class FieldNetwork(nn.Module):
    """About 0.7 million weights. Wider at its beginning than the networks of faces: a field holds
    up to three digits, each a quarter of its width."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            down(3, 24, 5),  # 24 x 24
            down(24, 48),  # 12 x 12
            Block(48),
            down(48, 80),  # 6 x 6
            Block(80),
            down(80, 112),  # 3 x 3
            Block(112),
        )
        self.joint = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(112 * 9, 192), nn.ReLU(inplace=True)
        )
        self.heads = nn.ModuleList(nn.Linear(192, size) for size in SIZES)

    def forward(self, crops: Tensor) -> tuple[Tensor, ...]:
        """(N, 3, 48, 48) RGB 0-1 -> logits (N, classes) of each attribute."""
        joint = self.joint(self.body((crops - 0.6) / 0.3))
        return tuple(head(joint) for head in self.heads)


def export(network: FieldNetwork, target: Path) -> Path:
    """Write the network as ONNX with a free batch size."""
    return write_onnx(network, target, OUTPUTS, SIDE)


def load(checkpoint: Path) -> FieldNetwork:
    """The network of a checkpoint of `models.train_fields`."""
    network = FieldNetwork()
    kept = torch.load(checkpoint, weights_only=True, map_location="cpu")
    network.load_state_dict(kept["weights"])
    return network
