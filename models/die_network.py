"""The network that reads one die from a square around it.

Input (N, 3, 64, 64) RGB 0-1; outputs face logits (N, 13), colour logits (N, 11) and a logit of
lying flat (N, 1) in the order of `vision.labels`. Needs torch, which only the training
environment has.
"""

from pathlib import Path

import torch
from torch import Tensor, nn

from models.face_network import convolutions, write_onnx
from vision.labels import DIE_COLOURS, DIE_FACES

OUTPUTS = ("face", "colour", "flat")


class DieNetwork(nn.Module):
    """About 0.6 million weights, the body of `models.face_network.FaceNetwork`.

    A network of twice the width learnt half as many crops a minute on one core, and read fewer
    photographed dice after the same time.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = convolutions()
        self.joint = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(96 * 16, 160), nn.ReLU(inplace=True)
        )
        self.face = nn.Linear(160, len(DIE_FACES))
        self.colour = nn.Linear(160, len(DIE_COLOURS))
        self.flat = nn.Linear(160, 1)

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """(N, 3, 64, 64) RGB 0-1 -> logits of face (N, 13), colour (N, 11), flat (N, 1)."""
        joint = self.joint(self.body((crops - 0.45) / 0.25))
        return self.face(joint), self.colour(joint), self.flat(joint)


def export(network: DieNetwork, target: Path) -> Path:
    """Write the network as ONNX with a free batch size."""
    return write_onnx(network, target, OUTPUTS)


def load(checkpoint: Path) -> DieNetwork:
    """The network of a checkpoint of `models.train_dice`."""
    network = DieNetwork()
    kept = torch.load(checkpoint, weights_only=True, map_location="cpu")
    network.load_state_dict(kept["weights"])
    return network
