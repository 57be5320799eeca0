"""Command ``arbitre-lab``: everything that makes or measures models and simulated games."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from models.errors import LabError

BUILD = Path("build")
"""Where made things go by default; git ignores it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns 0 when done and 2 for wrong use or missing input."""
    args = _parser().parse_args(argv)
    run: Callable[[argparse.Namespace], int | None] = args.run
    try:
        return run(args) or 0
    except (LabError, FileNotFoundError) as error:
        print(f"arbitre-lab: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="arbitre-lab", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    _add_render(commands)
    _add_compose(commands)
    _add_train(commands)
    _add_ship(commands)
    _add_evaluate(commands)
    _add_simulate(commands)
    _add_benchmark(commands)
    return parser


def _add_render(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("render", help="path-trace stills of cube tops, or whole boards")
    parser.add_argument("what", choices=["faces", "boards"])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--minutes", type=float, default=60.0, help="wall clock bound")
    parser.add_argument("--threads", type=int, default=1)
    parser.set_defaults(run=_render)


def _render(args: argparse.Namespace) -> None:
    if args.what == "faces":
        from models.render.faces import FacesConfig
        from models.render.faces import render as render_faces

        out = args.out or BUILD / "assets" / "faces"
        render_faces(FacesConfig(out, minutes=args.minutes, threads=args.threads))
    else:
        from models.render.boards import BoardsConfig
        from models.render.boards import render as render_boards

        out = args.out or BUILD / "traced"
        render_boards(BoardsConfig(out, minutes=args.minutes, threads=args.threads))


def _add_compose(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("compose", help="compose a training set")
    parser.add_argument("--split", choices=["train", "calibration"], default="train")
    parser.add_argument("--out", type=Path, default=BUILD / "sets" / "train")
    parser.add_argument("--bank", type=Path, default=BUILD / "assets" / "faces")
    parser.add_argument("--scenes", type=int, default=2000)
    parser.add_argument("--first-seed", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--demo", type=Path, help="write the demo's photos to this folder instead")
    parser.add_argument("--traps", action="store_true", help="half the scenes show other games")
    parser.set_defaults(run=_compose)


def _compose(args: argparse.Namespace) -> None:
    if args.demo:
        from models.compose.demo import write_demo

        write_demo(args.demo, args.bank)
        return
    from models.compose.composed import TRAINING, TRAPS
    from models.compose.dataset import SetConfig, write_set

    recipe = TRAPS if args.traps else TRAINING
    places = (args.out, args.bank, args.split)
    write_set(SetConfig(*places, args.first_seed, args.scenes, args.workers, recipe))


def _add_train(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("train", help="train the detector, the classifier, or all")
    parser.add_argument("what", choices=["detector", "faces", "all", "real-set"])
    parser.add_argument("--data", type=Path, action="append", help="set to train on; may repeat")
    parser.add_argument("--check", type=Path, default=BUILD / "sets" / "check")
    parser.add_argument("--out", type=Path, default=BUILD / "runs")
    parser.add_argument("--start", type=Path, help="weights (.pt) to go on from")
    parser.add_argument("--minutes", type=float, default=120.0, help="wall clock of the detector")
    parser.add_argument("--rate", type=float, default=2e-3, help="highest learning rate")
    parser.add_argument("--freeze", type=int, default=0, help="first layers that stay as they are")
    parser.add_argument("--face-minutes", type=float, default=30.0)
    parser.add_argument("--face-rate", type=float, default=3e-3, help="the same of the classifier")
    parser.add_argument("--scenes", type=int, default=4000)
    parser.add_argument("--first-seed", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--bank", type=Path, default=BUILD / "assets" / "faces")
    parser.add_argument("--real", type=Path, default=BUILD / "sets" / "real")
    parser.add_argument("--sets", type=Path, default=BUILD / "sets")
    parser.set_defaults(run=_train)


def _train(args: argparse.Namespace) -> None:
    if args.what == "real-set":
        from models.places import real_pictures
        from models.real_set import write_real_set

        write_real_set(real_pictures(), args.real)
        return
    from models import train_all

    if args.what == "all":
        real = args.real if args.real.exists() else None
        train_all.train_all(
            train_all.AllConfig(
                args.bank, real, args.sets, args.out, args.scenes,
                minutes=args.minutes, face_minutes=args.face_minutes,
                first_seed=args.first_seed, workers=args.workers, device=args.device,
                batch=args.batch, start=args.start, rate=args.rate,
            )
        )  # fmt: skip
        return
    data = tuple(args.data or [args.sets / "train"])
    if args.what == "faces":
        from models.train_classifier import FacesConfig

        config = FacesConfig(
            data, args.out / "faces", args.face_minutes, device=args.device,
            learning_rate=args.face_rate,
        )  # fmt: skip
        train_all.train_faces(config, args.out / "faces.onnx")
    else:
        from models.train_detector import DetectorConfig

        train_all.train_detector(
            DetectorConfig(
                data, args.check, args.out / "detector", args.start, args.minutes,
                batch=args.batch, device=args.device, learning_rate=args.rate, freeze=args.freeze,
            ),
            args.out,
        )  # fmt: skip


def _add_ship(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("ship", help="put a run's networks into models/weights")
    parser.add_argument("run_folder", type=Path, metavar="RUN")
    parser.set_defaults(run=_ship)
    parser = commands.add_parser("calibrate", help="fit temperatures and thresholds")
    parser.add_argument("--bank", type=Path, default=BUILD / "assets" / "faces")
    parser.add_argument("--count", type=int, default=200, help="scenes a tier")
    parser.add_argument("--workers", type=int, default=2)
    parser.set_defaults(run=_calibrate)


def _ship(args: argparse.Namespace) -> None:
    from models.ship import ship

    ship(args.run_folder)


def _calibrate(args: argparse.Namespace) -> None:
    from models.ship import fit_and_note

    fit_and_note(args.bank, args.count, args.workers)


def _add_evaluate(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("evaluate", help="measure on real, traced and composed pictures")
    parser.add_argument(
        "--set",
        choices=["real", "composed", "traced", "second", "faces", "pairs", "recordings", "all"],
        default="all",
    )
    parser.add_argument("--count", type=int, default=300, help="composed pictures a tier")
    parser.add_argument("--bank", type=Path, default=BUILD / "assets" / "faces")
    parser.add_argument("--build", type=Path, default=BUILD)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("models") / "results")
    parser.set_defaults(run=_evaluate)
    parser = commands.add_parser("report", help="write the figures into the model card")
    parser.set_defaults(run=_report)


def _report(args: argparse.Namespace) -> None:
    del args
    from models.evaluate.report import write_report

    write_report()


def _evaluate(args: argparse.Namespace) -> None:
    from models.evaluate import EvaluateConfig, evaluate

    evaluate(EvaluateConfig(args.set, args.count, args.bank, args.build, args.workers, args.out))


def _add_simulate(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    from models.simulate.command import add_arguments

    parser = commands.add_parser("simulate", help="make a recording of a simulated game")
    add_arguments(parser)
    parser.add_argument("--bank", type=Path, default=BUILD / "assets" / "faces")
    parser.set_defaults(run=_simulate)


def _simulate(args: argparse.Namespace) -> None:
    from models.simulate.command import simulate

    simulate(args)


def _add_benchmark(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("benchmark", help="times and memory against their limits")
    parser.add_argument("--picture", type=Path, help="a board to read (default: the demo's)")
    parser.add_argument("--runs", type=int, default=40, help="warm readings (default 40)")
    parser.add_argument("--out", type=Path, default=Path("models") / "results" / "bench.csv")
    parser.set_defaults(run=_benchmark)


def _benchmark(args: argparse.Namespace) -> int:
    from models.bench import benchmark

    return benchmark(args.picture, args.runs, args.out)


if __name__ == "__main__":
    sys.exit(main())
