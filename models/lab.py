"""Command ``arbitre-lab``: everything that makes or measures models and simulated games."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from models import train_command
from models.errors import LabError
from models.places import BUILD

SETS = (
    "real", "composed", "traced", "second", "faces", "pairs", "recordings",
    "dice_real", "dice_composed", "dice_traced", "dice_colours", "rolls", "leaks",
    "sheets_composed", "sheets_seeds", "sheets_printed", "handwriting_dev",
    "tiles_composed", "tiles_real", "tiles_traced", "tiles_second", "tile_games",
)  # fmt: skip
"""The names of `models.evaluate.run.SETS`; a test holds them together. Here as well, so that
``--help`` loads no numpy."""


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
    _add_handwriting(commands)
    train_command.add_parsers(commands)
    _add_evaluate(commands)
    _add_simulate(commands)
    _add_benchmark(commands)
    return parser


def _add_render(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("render", help="path-trace cube tops, boards, dice or tiles")
    parser.add_argument("what", choices=["faces", "boards", "dice", "tiles"])
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
    elif args.what == "dice":
        from models.render.traced_dice import TracedDiceConfig
        from models.render.traced_dice import render as render_dice

        out = args.out or BUILD / "traced_dice"
        render_dice(TracedDiceConfig(out, minutes=args.minutes, threads=args.threads))
    elif args.what == "tiles":
        from models.compose.tile_lists import require_fonts
        from models.render.traced_tiles import TracedTilesConfig
        from models.render.traced_tiles import render as render_tiles

        require_fonts("evaluation")
        out = args.out or BUILD / "traced_tiles"
        render_tiles(TracedTilesConfig(out, minutes=args.minutes, threads=args.threads))
    else:
        from models.render.boards import BoardsConfig
        from models.render.boards import render as render_boards

        out = args.out or BUILD / "traced"
        render_boards(BoardsConfig(out, minutes=args.minutes, threads=args.threads))


def _add_handwriting(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("handwriting", help="add the whole of MNIST to what is trained on")
    parser.add_argument("folder", type=Path, help="where the data set was unpacked")
    parser.set_defaults(run=_handwriting)


def _handwriting(args: argparse.Namespace) -> None:
    from models.compose.handwriting_whole import WHOLE, add_whole

    print(f"{add_whole(args.folder)} digits in {WHOLE}")


def _add_compose(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("compose", help="compose a training set")
    parser.add_argument("--what", default="cubes", choices=[
        "cubes", "dice", "dice-faces", "sheets", "tiles", "tile-cells"])  # fmt: skip
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
    if args.what == "dice":
        from models.compose.dice_set import write_dice_set

        write_dice_set(args.out, args.split, args.first_seed, args.scenes, args.workers)
        return
    if args.what == "dice-faces":
        from models.compose.dice_set import write_face_set

        write_face_set(args.out, args.split, args.first_seed, args.scenes, args.workers)
        return
    if args.what == "sheets":
        from models.compose.sheet_set import write_sheet_set

        write_sheet_set(args.out, args.split, args.first_seed, args.scenes, args.workers)
        return
    if args.what == "tile-cells":
        from models.compose.tile_lists import require_fonts
        from models.compose.tile_set import write_cell_set

        require_fonts(args.split)
        write_cell_set(args.out, args.split, args.first_seed, args.scenes, args.workers)
        return
    if args.what == "tiles":
        from models.compose.tile_lists import require_fonts
        from models.compose.tile_set import write_tile_set

        require_fonts(args.split)
        write_tile_set(args.out, args.split, args.first_seed, args.scenes, args.workers)
        return
    from models.compose.composed import TRAINING, TRAPS
    from models.compose.dataset import SetConfig, write_set

    recipe = TRAPS if args.traps else TRAINING
    places = (args.out, args.bank, args.split)
    write_set(SetConfig(*places, args.first_seed, args.scenes, args.workers, recipe))


def _add_evaluate(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("evaluate", help="measure on real, traced and composed pictures")
    parser.add_argument(
        "--set",
        choices=[*SETS, "dice", "sheets", "tiles", "all"],
        default="all",
    )
    parser.add_argument("--count", type=int, default=300, help="composed pictures a tier")
    parser.add_argument("--bank", type=Path, default=BUILD / "assets" / "faces")
    parser.add_argument("--build", type=Path, default=BUILD)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("models") / "results")
    parser.add_argument(
        "--weights", type=Path, help="folder of the networks to measure, of dice or sheets"
    )
    parser.add_argument("--ocr", type=Path, help="PP-OCR recogniser to compare handwriting with")
    parser.add_argument("--only", help="of the recordings these, such as hard or hard:0-4,clean:7")
    parser.add_argument("--label", help="only note these networks in the table of ablations")
    parser.set_defaults(run=_evaluate)
    parser = commands.add_parser("report", help="write the figures into the model card")
    parser.set_defaults(run=_report)


def _report(args: argparse.Namespace) -> None:
    del args
    from models.evaluate.dice_report import write_dice_report
    from models.evaluate.report import write_report
    from models.evaluate.sheets_report import write_sheets_report
    from models.evaluate.tiles_report import write_tiles_report

    write_report()
    write_dice_report()
    write_sheets_report()
    write_tiles_report()


def _evaluate(args: argparse.Namespace) -> None:
    from models.evaluate import EvaluateConfig, evaluate

    places = (args.bank, args.build, args.workers, args.out)
    config = EvaluateConfig(
        args.set, args.count, *places, args.weights, args.label, args.ocr, args.only
    )
    evaluate(config)


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
