"""The network that reads one field of a score sheet.

Input (N, 3, 64, 64) RGB 0-1; outputs logits of each attribute in the order of
`vision.sheets.classify.OUTPUTS`. Needs torch, which only the training environment has.
"""

from pathlib import Path

import torch
from torch import Tensor, nn

from models.face_network import Block, down, write_onnx
from vision.crops import FIELD_CROP_SIDE
from vision.sheets.classify import OUTPUTS, SIZES


class FieldNetwork(nn.Module):
    """About a million weights. Wider at its beginning than the networks of faces: a field holds up
    to three digits, each a quarter of its width."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            down(3, 24, 5),  # 32 x 32
            down(24, 48),  # 16 x 16
            Block(48),
            down(48, 96),  # 8 x 8
            Block(96),
            down(96, 128),  # 4 x 4
            Block(128),
        )
        self.joint = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(128 * 16, 192), nn.ReLU(inplace=True)
        )
        self.heads = nn.ModuleList(nn.Linear(192, size) for size in SIZES)

    def forward(self, crops: Tensor) -> tuple[Tensor, ...]:
        """(N, 3, 64, 64) RGB 0-1 -> logits (N, classes) of each attribute."""
        joint = self.joint(self.body((crops - 0.6) / 0.3))
        return tuple(head(joint) for head in self.heads)


def export(network: FieldNetwork, target: Path) -> Path:
    """Write the network as ONNX with a free batch size."""
    return write_onnx(network, target, OUTPUTS, FIELD_CROP_SIDE)


def load(checkpoint: Path) -> FieldNetwork:
    """The network of a checkpoint of `models.train_fields`."""
    network = FieldNetwork()
    kept = torch.load(checkpoint, weights_only=True, map_location="cpu")
    network.load_state_dict(kept["weights"])
    return network
