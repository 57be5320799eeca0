"""Trains the one detector for all pieces: YOLO11n with four corners a piece.

    arbitre-lab train detector --data build/sets/train --minutes 120

Bounded by wall clock, seeded, resumable. Square pieces have no first corner: the loss takes the
best of the four cyclic orders, so that a face may be named from any of its corners.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.clock import ClockBar
from models.errors import LabError
from vision.labels import DETECTOR_CLASSES

CORNER_SIGMA = 0.08
"""Tolerance of a corner as a share of the piece's size in the keypoint similarity of COCO.

Its strictest human joint has 0.025, its loosest 0.107; corners of worn cubes lie between. The
default for unknown keypoints, 1 / 4, leaves errors of a tenth of a face almost free.
"""

MODEL = "yolo11n-pose.yaml"
"""2.7 million weights: 27 ms for 416 px and about 55 ms for 640 px on two cores."""


@dataclass(frozen=True, slots=True)
class DetectorConfig:
    """One training run.

    Attributes:
        data: folders of sets written by `models.compose.dataset` (or alike), for training.
        check: folder of a set for the curves; never one of `data`.
        out: folder of the run; its ``weights/last.pt`` resumes it.
        start: weights to go on from, or None to begin anew.
        minutes: wall clock bound; 0 means ``epochs`` alone decide.
        epochs: passes over the data when ``minutes`` is 0.
        picture_px: edge of the square input.
        batch: pictures a step.
        device: ``cpu`` or a GPU's number.
        workers: processes that read pictures; 0 on small machines.
        threads: cores torch may use.
        mixed: half precision: float16 on a GPU, bfloat16 on a processor, where it pays only if
            the processor has AVX512-BF16 (measured: 1.5 against 0.8 s for four pictures of
            640 px on one core).
        seed: of weights and order.
        learning_rate: of AdamW at its highest.
        freeze: layers from the first on that stay as they are; 10 is the backbone.
        augmentation: in ultralytics' words, or None for `AUGMENTATION`.
    """

    data: tuple[Path, ...]
    check: Path
    out: Path
    start: Path | None = None
    minutes: float = 120.0
    epochs: int = 300
    picture_px: int = 640
    batch: int = 16
    device: str = "cpu"
    workers: int = 0
    threads: int = 2
    mixed: bool = False
    seed: int = 1
    learning_rate: float = 2e-3
    freeze: int = 0
    augmentation: dict[str, Any] | None = None


def train(config: DetectorConfig) -> Path:
    """Train and return the optimiser-free weights (``.pt``).

    Raises:
        FileNotFoundError: a set has no pictures.
        LabError: the run in this folder is finished.
    """
    finished = config.out / "finished"
    if finished.exists():
        raise LabError(f"the run in {config.out} is finished: choose another --out, or delete it")
    from models.offline import prepare

    prepare(config.out / "settings", config.threads)
    from ultralytics.models.yolo.pose import PoseTrainer
    from ultralytics.nn.tasks import PoseModel

    PoseModel.init_criterion = _cyclic_criterion  # type: ignore[method-assign]
    if config.mixed:
        import ultralytics.engine.trainer as trainer_module

        trainer_module.check_amp = lambda model: True  # its own test wants to fetch weights
    last = config.out / "run" / "weights" / "last.pt"
    trainer = PoseTrainer(overrides=_overrides(config, last if last.exists() else None))
    bar = ClockBar("detector", config.minutes)
    trainer.add_callback("on_train_batch_end", lambda trainer: bar.show(_news(trainer)))
    trainer.train()
    finished.touch()
    return Path(trainer.last)


def _news(trainer: Any) -> str:
    """Pass and losses of a running training, for the bar."""
    losses = " ".join(f"{name} {float(value):.3f}" for name, value in _losses(trainer).items())
    return f"pass {trainer.epoch + 1}, {losses}"


def _losses(trainer: Any) -> dict[str, Any]:
    values = trainer.tloss
    if isinstance(values, dict):
        return values
    return dict(zip(trainer.loss_names, values, strict=False)) if values is not None else {}


def _cyclic_criterion(model: Any) -> Any:
    """Pose loss whose corners may begin anywhere; built here so that torch loads late."""
    import torch
    from ultralytics.utils.loss import v8PoseLoss

    class CyclicPoseLoss(v8PoseLoss):  # type: ignore[misc]
        def loss(self, preds: Any, batch: Any) -> Any:
            """As usual, in float32: places decoded in bfloat16 would be whole px off."""
            with torch.autocast("cpu", enabled=False):
                return super().loss(_long_floats(preds), batch)

        def calculate_keypoints_loss(
            self,
            masks: Any,
            target_gt_idx: Any,
            keypoints: Any,
            stride_tensor: Any,
            target_bboxes: Any,
            pred_kpts: Any,
        ) -> Any:
            """Turn each target's corners to the order nearest to the prediction, then as usual."""
            if masks.any():
                rows = masks.nonzero(as_tuple=True)[0]
                picked = target_gt_idx[masks]
                wanted = keypoints[rows, picked].clone()  # (n, 4, 3) px
                strides = stride_tensor.view(1, -1).expand(masks.shape[0], -1)[masks]
                found = pred_kpts[masks][..., :2].detach() * strides[:, None, None]
                turned = torch.stack([wanted.roll(k, dims=1) for k in range(4)])  # (4, n, 4, 3)
                error = (turned[..., :2] - found).square().sum(-1) * (turned[..., 2] != 0)
                best = error.sum(-1).argmin(0)  # (n,)
                chosen = turned[best, torch.arange(len(picked), device=best.device)]
                # one slot a foreground anchor, since anchors of one piece may turn differently
                own = torch.zeros_like(target_gt_idx)
                own[masks] = torch.arange(len(picked), device=best.device)
                keypoints = chosen[None].expand(masks.shape[0], -1, -1, -1)
                target_gt_idx = own
            return super().calculate_keypoints_loss(
                masks, target_gt_idx, keypoints, stride_tensor, target_bboxes, pred_kpts
            )

    return CyclicPoseLoss(model)


def _long_floats(value: Any) -> Any:
    """The tensors in dictionaries and lists as float32."""
    if isinstance(value, dict):
        return {name: _long_floats(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_long_floats(one) for one in value]
    return value.float()


def _overrides(config: DetectorConfig, last: Path | None) -> dict[str, Any]:
    """Arguments of ultralytics' trainer; everything that matters is named here."""
    values: dict[str, Any] = {
        "model": str(last or config.start or MODEL),
        "resume": str(last) if last else False,
        "task": "pose",
        "data": str(_write_data_file(config)),
        "project": str(config.out.resolve()),
        "name": "run",
        "exist_ok": True,
        "epochs": config.epochs,
        "time": config.minutes / 60 if config.minutes else None,
        "imgsz": config.picture_px,
        "batch": config.batch,
        "device": config.device,
        "workers": config.workers,
        "seed": config.seed,
        "amp": config.mixed,
        # False would throw the weights of ``model`` away; a path loads them
        "pretrained": str(config.start) if config.start and not last else False,
        "freeze": config.freeze or None,
        "plots": False,
        "val": False,  # each check costs as much as a tenth of an epoch; `evaluate` judges
        "cache": False,
        "optimizer": "AdamW",
        "lr0": config.learning_rate,
        "lrf": 0.02,
        "cos_lr": True,
        "warmup_epochs": 1.0,
        "weight_decay": 5e-4,
        "patience": 1_000_000,
    }
    return values | (config.augmentation or AUGMENTATION)


AUGMENTATION: dict[str, Any] = {
    "mosaic": 0.3,  # scenes are already varied; four at once teach small pieces
    "close_mosaic": 2,
    "degrees": 0.0,  # cameras are turned in the composed scenes
    "scale": 0.35,
    "translate": 0.1,
    "fliplr": 0.5,
    "flipud": 0.0,
    "hsv_h": 0.02,
    "hsv_s": 0.6,
    "hsv_v": 0.35,
    "erasing": 0.0,
}
"""Augmentation on top of the compositor's own variety; values are shares or ultralytics' units."""


DICE_AUGMENTATION: dict[str, Any] = AUGMENTATION | {"scale": 0.5, "degrees": 10.0, "hsv_h": 0.015}
"""Dice fill a tenth of a picture or a fiftieth of it, and photographs of them are few."""


TILE_AUGMENTATION: dict[str, Any] = AUGMENTATION | {"fliplr": 0.0, "hsv_h": 0.05, "hsv_s": 0.8}
"""Digits are never mirrored, which costs nothing here; tiles and boards have any colour."""


def _write_data_file(config: DetectorConfig) -> Path:
    for folder in (*config.data, config.check):
        if not any((folder / "images").glob("*.jpg")):
            raise FileNotFoundError(f"no pictures in {folder / 'images'}: compose the set first")
    names = "\n".join(f"  {index}: {name}" for index, name in enumerate(DETECTOR_CLASSES))
    paths = "\n".join(f"  - {(folder / 'images').resolve()}" for folder in config.data)
    text = (
        f"train:\n{paths}\nval: {(config.check / 'images').resolve()}\n"
        f"kpt_shape: [4, 3]\nflip_idx: [1, 0, 3, 2]\n"
        f"kpt_oks_sigmas: [{', '.join([str(CORNER_SIGMA)] * 4)}]\nnames:\n{names}\n"
    )
    config.out.mkdir(parents=True, exist_ok=True)
    path = config.out / "data.yaml"
    path.write_text(text)
    return path


def export(weights: Path, target: Path, picture_px: int = 640) -> Path:
    """Write the weights as ONNX for `vision.detect_onnx` (input (1, 3, height, width), RGB 0-1).

    Height and width are free, multiples of 32; ``picture_px`` is what the export is traced with.
    """
    import onnx
    from ultralytics import YOLO

    made = YOLO(str(weights), task="pose").export(
        format="onnx", imgsz=picture_px, device="cpu", dynamic=True
    )
    model = onnx.load(str(made))
    Path(made).unlink()
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.shape.dim[0].dim_value = 1  # one picture at a time
    target.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, str(target))
    return target
