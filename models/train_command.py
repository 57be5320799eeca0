"""The commands of ``arbitre-lab`` that make networks: train, quantise, ship, calibrate."""

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.places import BUILD

if TYPE_CHECKING:  # the real import loads torch
    from models.train_shares import SharedConfig


def add_parsers(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Define the command lines."""
    _add_train(commands)
    parser = commands.add_parser("ship", help="put a run's networks into models/weights")
    parser.add_argument("run_folder", type=Path, metavar="RUN")
    parser.set_defaults(run=_ship)
    parser = commands.add_parser("quantise", help="round a run's detector to 8 bits, before ship")
    parser.add_argument("network", type=Path, metavar="RUN/NAME.onnx")
    parser.add_argument(
        "--data", type=Path, action="append", required=True, help="folder of pictures; may repeat"
    )
    parser.set_defaults(run=_quantise)
    parser = commands.add_parser("calibrate", help="fit temperatures and thresholds")
    parser.add_argument("--what", choices=["faces", "dice", "sheets", "tiles"], default="faces")
    parser.add_argument("--bank", type=Path, default=BUILD / "assets" / "faces")
    parser.add_argument("--count", type=int, default=200, help="scenes a tier")
    parser.add_argument("--workers", type=int, default=2)
    parser.set_defaults(run=_calibrate)


def _add_train(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("train", help="train a detector, a classifier, or all of cubes")
    parser.add_argument(
        "what",
        choices=[
            *("detector", "faces", "all", "dice", "dice-detector", "real-set"),
            *("fields", "tiles", "tile-detector"),
        ],
    )
    parser.add_argument(
        "--data", action="append", metavar="SET[=SHARE]",
        help="set to train on; may repeat; for classifiers with its share of every batch",
    )  # fmt: skip
    parser.add_argument("--check", type=Path, default=BUILD / "sets" / "check")
    parser.add_argument("--out", type=Path, default=BUILD / "runs")
    parser.add_argument(
        "--start",
        type=Path,
        help="weights to go on from: .pt of a detector, .onnx of dice, tiles or fields",
    )
    parser.add_argument("--minutes", type=float, default=120.0, help="wall clock of the detector")
    parser.add_argument("--rate", type=float, default=2e-3, help="highest learning rate")
    parser.add_argument("--freeze", type=int, default=0, help="first layers that stay as they are")
    parser.add_argument("--picture-px", type=int, help="edge of the detector's training input")
    parser.add_argument("--face-minutes", type=float, default=30.0, help="of a classifier")
    parser.add_argument("--face-rate", type=float, help="the same of the classifier")
    parser.add_argument("--keep", type=float, default=0.0,
                        help="dice, tiles: share of the first weights that stays")  # fmt: skip
    parser.add_argument("--scenes", type=int, default=4000)
    parser.add_argument("--first-seed", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--mixed", action="store_true", help="the detector in half precision")
    parser.add_argument("--bank", type=Path, default=BUILD / "assets" / "faces")
    parser.add_argument("--real", type=Path, default=BUILD / "sets" / "real")
    parser.add_argument("--sets", type=Path, default=BUILD / "sets")
    parser.set_defaults(run=_train)


def _train(args: argparse.Namespace) -> None:
    trainers: dict[str, Callable[[argparse.Namespace], None]] = {
        "real-set": _write_real_sets,
        "all": _train_all,
        "faces": _train_faces,
        "dice": _train_dice,
        "detector": _train_detector,
        "dice-detector": partial(_train_detector_of, "dice"),
        "fields": _train_fields,
        "tiles": _train_tiles,
        "tile-detector": partial(_train_detector_of, "tiles"),
    }
    trainers[args.what](args)


def _write_real_sets(args: argparse.Namespace) -> None:
    from models.places import real_pictures
    from models.real_dice import write_real_dice
    from models.real_set import write_real_set
    from models.real_tiles import write_real_tiles

    write_real_set(real_pictures(), args.real)
    write_real_dice(real_pictures(), args.sets / "real_dice")
    write_real_tiles(real_pictures(), args.sets / "real_tiles")


def _train_all(args: argparse.Namespace) -> None:
    from models import train_all

    real = args.real if args.real.exists() else None
    train_all.train_all(
        train_all.AllConfig(
            args.bank, real, args.sets, args.out, args.scenes,
            minutes=args.minutes, face_minutes=args.face_minutes,
            first_seed=args.first_seed, workers=args.workers, device=args.device,
            batch=args.batch, start=args.start, rate=args.rate,
        )
    )  # fmt: skip


def _train_faces(args: argparse.Namespace) -> None:
    from models.train_all import train_faces
    from models.train_classifier import FacesConfig

    data = tuple(Path(name) for name in args.data or [args.sets / "train"])
    config = FacesConfig(
        data, args.out / "faces", args.face_minutes, device=args.device,
        **_given(learning_rate=args.face_rate),
    )  # fmt: skip
    train_faces(config, args.out / "faces.onnx")


def _train_dice(args: argparse.Namespace) -> None:
    from models.die_network import export, load
    from models.train_dice import train

    usual = [f"{args.sets / 'dice'}=0.6", f"{args.sets / 'real_dice'}=0.4"]
    export(load(train(_shared_config(args, usual, "dice"))), args.out / "die_faces.onnx")


def _train_detector(args: argparse.Namespace) -> None:
    from models.train_all import train_detector
    from models.train_detector import DetectorConfig

    train_detector(
        DetectorConfig(
            _sets(args), args.check, args.out / "detector", args.start, args.minutes,
            batch=args.batch, device=args.device, threads=args.threads, learning_rate=args.rate,
            freeze=args.freeze, mixed=args.mixed, **_given(picture_px=args.picture_px),
        ),
        args.out,
    )  # fmt: skip


def _train_fields(args: argparse.Namespace) -> None:
    from models.field_network import export, load
    from models.train_fields import train

    checkpoint = train(_shared_config(args, [f"{args.sets / 'sheets'}"], "fields"))
    export(load(checkpoint), args.out / "sheet_fields.onnx")


def _train_tiles(args: argparse.Namespace) -> None:
    from models.tile_network import export, load
    from models.train_tiles import train

    checkpoint = train(_shared_config(args, [f"{args.sets / 'tiles'}"], "tiles"))
    export(load(checkpoint), args.out / "tile_faces.onnx")


def _shared_config(args: argparse.Namespace, usual: list[str], name: str) -> "SharedConfig":
    from models.train_shares import SharedConfig

    parts = [named.partition("=") for named in args.data or usual]
    return SharedConfig(
        tuple(Path(folder) for folder, _, _ in parts),
        tuple(float(share or 1 / len(parts)) for _, _, share in parts),
        args.out / name,
        args.face_minutes,
        device=args.device,
        threads=args.threads,
        start=args.start,
        kept=args.keep,
        **_given(learning_rate=args.face_rate),
    )


def _train_detector_of(kind: str, args: argparse.Namespace) -> None:
    """Train the detector of dice or of tiles, each in weights of its own."""
    from models.train_all import train_detector
    from models.train_detector import DICE_AUGMENTATION, TILE_AUGMENTATION, DetectorConfig

    more = {"dice": DICE_AUGMENTATION, "tiles": TILE_AUGMENTATION}[kind]
    train_detector(
        DetectorConfig(
            _sets(args), args.check, args.out / f"{kind}_detector", args.start, args.minutes,
            picture_px=args.picture_px or 416, batch=args.batch, device=args.device,
            threads=args.threads, learning_rate=args.rate, freeze=args.freeze, augmentation=more,
            mixed=args.mixed,
        ),
        args.out,
        kind,
    )  # fmt: skip


def _given(**values: Any) -> dict[str, Any]:
    """Those that were given on the command line; the others keep a configuration's own default."""
    return {name: value for name, value in values.items() if value is not None}


def _sets(args: argparse.Namespace) -> tuple[Path, ...]:
    return tuple(Path(name) for name in args.data or [args.sets / "train"])


def _ship(args: argparse.Namespace) -> None:
    from models.ship import ship

    ship(args.run_folder)


def _quantise(args: argparse.Namespace) -> None:
    from models.quantise import quantise

    quantise(args.network, args.network, args.data)


def _calibrate(args: argparse.Namespace) -> None:
    if args.what == "dice":
        from models.calibrate_dice import fit_dice

        fit_dice(args.count, args.workers)
        return
    if args.what == "sheets":
        from models.calibrate_sheets import fit_sheets

        fit_sheets(args.count, args.workers)
        return
    if args.what == "tiles":
        from models.calibrate_tiles import fit_tiles

        fit_tiles(args.count, args.workers)
        return
    from models.ship import fit_and_note

    fit_and_note(args.bank, args.count, args.workers)
