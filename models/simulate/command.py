"""``arbitre-lab simulate``: one recording of a simulated game."""

import argparse
import time
from pathlib import Path

from models.errors import LabError

GAMES = ("quixo", "qwinto", "detrak", "quinto")
TIERS = ("clean", "everyday", "hard")
FOULS = (
    "opponent_cube", "inner_cube", "hidden_inner", "same_place", "kept_blank", "wrong_mark",
    "wrong_line", "two_moves", "turned_in_passing", "wrong_dot",
)  # fmt: skip
TILE_FOULS = (
    "wrong_sum", "sixth_tile", "not_touching", "moved_tile", "too_many", "off_start",
)  # fmt: skip
WEATHER = ("bump", "light", "shadow", "focus", "drop")
"""The names of `models.simulate.fouls.KINDS`, `models.simulate.tile_fouls.KINDS` and
`models.simulate.weather.KINDS`; a test holds them together. Here as well, so that ``--help`` loads
no numpy."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--game", choices=GAMES, default="quixo")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tier", choices=TIERS, default="clean")
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument("--fps", type=float, default=8.0, help="frames a second (8 to 25)")
    parser.add_argument("--out", type=Path, required=True, help="folder of the recording")
    parser.add_argument("--format", choices=["frames", "mp4"], default="frames")
    parser.add_argument("--shipped", action="store_true", help="make the demo's recording instead")
    parser.add_argument("--seats", type=int, choices=[1, 2, 3, 4], default=2)
    parser.add_argument("--plies", type=int, default=0, help="moves made before it begins")
    parser.add_argument("--bot", choices=["random", "simple"], default="simple")
    parser.add_argument("--foul-share", type=float, default=0.25, help="of turns, 0 to 1")
    parser.add_argument(
        "--foul",
        choices=[*FOULS, *TILE_FOULS],
        action="append",
        help="kind of foul to plant, of cubes or of tiles; may repeat",
    )
    parser.add_argument("--turns", type=int, default=12, help="plays of tiles, at most")
    parser.add_argument("--edition", default="plastic-1964", help="of board and tiles")
    parser.add_argument("--rolls", type=int, default=6, help="of dice, at most")
    parser.add_argument("--think-share", type=float, default=0.25, help="of turns, 0 to 1")
    parser.add_argument(
        "--weather", choices=[*WEATHER, "none"], action="append",
        help="disturbance that may happen; may repeat (default: all)",
    )  # fmt: skip


def simulate(args: argparse.Namespace) -> None:
    """Make the recording and say where it lies."""
    if not 1 <= args.fps <= 60 or not 5 <= args.seconds <= 3600:
        raise LabError("expected --fps of 1 to 60 and --seconds of 5 to 3600")
    if args.game != "quinto" and args.seats not in (2, 4):
        raise LabError("expected --seats of 2 or 4")
    if args.game == "quixo" and not set(args.foul or ()) <= set(FOULS):
        raise LabError(f"expected --foul of {', '.join(FOULS)}")
    if args.game == "quinto":
        _simulate_tiles(args)
        return
    if args.game != "quixo":
        _simulate_dice(args)
        return
    from models.simulate import demo
    from models.simulate.fouls import KINDS
    from models.simulate.record import Order, make
    from models.simulate.script import Wishes

    chosen = args.weather or list(WEATHER)
    weather = tuple(kind for kind in WEATHER if kind in chosen)
    wishes = Wishes(
        args.seats, args.seconds, args.fps, args.tier, args.plies, args.foul_share,
        fouls=tuple(args.foul or KINDS), think_share=args.think_share, bot=args.bot,
    )  # fmt: skip
    started = time.monotonic()
    order = demo.shipped() if args.shipped else Order(args.seed, wishes, weather)
    truth = make(order, args.bank, args.out, "mp4" if args.shipped else args.format)
    took = time.monotonic() - started
    moves = sum(event["kind"] == "move" for event in truth["events"])
    fouls = sum(event["kind"] == "foul" for event in truth["events"])
    print(
        f"{args.out}: {truth['frames']} frames, {moves} moves, {fouls} fouls, "
        f"{truth['frames'] / took:.0f} frames/s"
    )


def _simulate_tiles(args: argparse.Namespace) -> None:
    from engine.quinto import EDITIONS
    from models.simulate.record import Order
    from models.simulate.tile_record import make_tiles
    from models.simulate.tile_script import TileWishes

    if args.edition not in EDITIONS:
        raise LabError(f"expected --edition of {', '.join(EDITIONS)}")
    fouls = tuple(args.foul or TILE_FOULS)
    if not set(fouls) <= set(TILE_FOULS):
        raise LabError(f"expected --foul of {', '.join(TILE_FOULS)}")
    wishes = TileWishes(
        args.turns, args.seconds, args.fps, args.tier, args.seats, args.edition,
        args.foul_share, fouls, plays_before=args.plies,
    )  # fmt: skip
    chosen = args.weather or list(WEATHER)
    weather = tuple(kind for kind in WEATHER if kind in chosen)
    started = time.monotonic()
    truth = make_tiles(Order(args.seed, wishes, weather), args.out, args.format)
    took = time.monotonic() - started
    plays = sum(event["kind"] == "move" for event in truth["events"])
    fouls_made = sum(event["kind"] == "foul" for event in truth["events"])
    print(
        f"{args.out}: {truth['frames']} frames, {plays} plays, {fouls_made} fouls, "
        f"{truth['frames'] / took:.0f} frames/s"
    )


def _simulate_dice(args: argparse.Namespace) -> None:
    from models.simulate.dice_record import make_dice
    from models.simulate.dice_script import DiceWishes
    from models.simulate.record import Order

    wishes = DiceWishes(args.game, args.rolls, args.seconds, args.fps, args.tier, args.seats)
    chosen = args.weather or list(WEATHER)
    weather = tuple(kind for kind in WEATHER if kind in chosen)
    started = time.monotonic()
    truth = make_dice(Order(args.seed, wishes, weather), args.out, args.format)
    took = time.monotonic() - started
    rolls = sum(event["kind"] == "roll" for event in truth["events"])
    pace = truth["frames"] / took
    print(f"{args.out}: {truth['frames']} frames, {rolls} rolls, {pace:.0f} frames/s")
