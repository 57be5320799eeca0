"""The network that reads one cell of a board for number tiles.

Input (N, 3, 64, 64) RGB 0-1; output logits (N, 43) in the order of `vision.labels.TILE_CLASSES`.
Needs torch, which only the training environment has.
"""

from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn

from models.face_network import convolutions, write_onnx
from vision.labels import TILE_CLASSES

BLOCKS: Final = (3, 3, 2)
"""Blocks at 16 x 16, 8 x 8 and 4 x 4: more than `FaceNetwork` has, for a digit has more shapes than
a cross and a ring (`docs/decisions/0172-deeper-eyes-that-know-lamps.md`)."""


class TileNetwork(nn.Module):
    """About 0.9 million weights; its body is a deeper one of `models.face_network.FaceNetwork`."""

    def __init__(self) -> None:
        super().__init__()
        self.body = convolutions(BLOCKS)
        self.joint = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(96 * 16, 160), nn.ReLU(inplace=True)
        )
        self.tile = nn.Linear(160, len(TILE_CLASSES))

    def forward(self, crops: Tensor) -> Tensor:
        """(N, 3, 64, 64) RGB 0-1 -> logits (N, 43)."""
        logits: Tensor = self.tile(self.joint(self.body((crops - 0.45) / 0.25)))
        return logits


def export(network: TileNetwork, target: Path) -> Path:
    """Write the network as ONNX with a free batch size."""
    return write_onnx(network, target, ("tile",))


def load(checkpoint: Path) -> TileNetwork:
    """The network of a checkpoint of `models.train_tiles`."""
    network = TileNetwork()
    kept = torch.load(checkpoint, weights_only=True, map_location="cpu")
    network.load_state_dict(kept["weights"])
    return network
