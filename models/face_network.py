"""The network that reads one rectified cell, and how it is trained.

Input (N, 3, 64, 64) RGB 0-1; outputs mark logits (N, 4) and dot logits (N, 5) in the order of
`vision.labels`. Needs torch, which only the training environment has.
"""

from pathlib import Path

import torch
from torch import Tensor, nn

from vision.crops import CROP_SIDE
from vision.labels import DOTS, MARKS


class Block(nn.Module):
    """Two 3x3 convolutions with a shortcut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(inplace=True),
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, value: Tensor) -> Tensor:
        """(N, C, H, W) -> the same shape."""
        return torch.relu(value + self.body(value))


def down(before: int, after: int, size: int = 3) -> nn.Sequential:
    """Halve height and width: convolution, batch norm, ReLU."""
    return nn.Sequential(
        nn.Conv2d(before, after, size, stride=2, padding=size // 2, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    )


def convolutions(blocks: tuple[int, int, int] = (1, 1, 1)) -> nn.Sequential:
    """(N, 3, 64, 64) -> (N, 96, 4, 4): what all classifiers of crops begin with.

    Args:
        blocks: how many follow each other at 16 x 16, 8 x 8 and 4 x 4.
    """
    return nn.Sequential(
        down(3, 16, 5),  # 32 x 32
        down(16, 32),  # 16 x 16
        *(Block(32) for _ in range(blocks[0])),
        down(32, 64),  # 8 x 8
        *(Block(64) for _ in range(blocks[1])),
        down(64, 96),  # 4 x 4
        *(Block(96) for _ in range(blocks[2])),
    )


class FaceNetwork(nn.Module):
    """About 0.5 million weights; 100 crops take about 40 ms on two cores."""

    def __init__(self) -> None:
        super().__init__()
        self.body = convolutions()
        self.joint = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(96 * 16, 128), nn.ReLU(inplace=True)
        )
        self.mark = nn.Linear(128, len(MARKS))
        self.dot = nn.Linear(128, len(DOTS))

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """(N, 3, 64, 64) RGB 0-1 -> mark logits (N, 4), dot logits (N, 5)."""
        joint = self.joint(self.body((crops - 0.45) / 0.25))
        return self.mark(joint), self.dot(joint)


def export(network: FaceNetwork, target: Path) -> Path:
    """Write the network as ONNX with a free batch size."""
    return write_onnx(network, target, ("mark", "dot"))


def write_onnx(
    network: nn.Module, target: Path, outputs: tuple[str, ...], side: int = CROP_SIDE
) -> Path:
    """Write a network of square crops of that many px a side as ONNX with a free batch size."""
    target.parent.mkdir(parents=True, exist_ok=True)
    network = network.cpu().float().eval()
    torch.onnx.export(
        network,
        (torch.zeros(2, 3, side, side),),
        str(target),
        input_names=["crops"],
        output_names=list(outputs),
        dynamic_axes={name: {0: "n"} for name in ("crops", *outputs)},
        opset_version=17,
        dynamo=False,
    )
    return target
