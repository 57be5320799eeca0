"""What the words of `arbitre rule` say that no photo shows: options, position, mover, sides."""

import argparse
from dataclasses import replace

from engine import quixo
from server.cli import arguments
from server.cli.problems import Problem
from server.questions import PLAYERS, Terms, read_options, seat_of
from server.texts import Lang, text


def terms_of(args: argparse.Namespace) -> Terms:
    """What the command line says that no photo shows.

    Raises:
        Problem: an unknown option, an impossible value, position or mover.
    """
    lang: Lang = args.lang
    options = _options(args)
    state = None
    if args.state is not None:
        try:
            state = quixo.GAME.read(args.state)
        except ValueError as error:
            raise Problem(text("cli.state", lang, value=args.state, reason=error)) from error
        state = replace(state, options=options) if args.option else state
        options = state.options
    try:
        seat = seat_of(args.to_move, options)
    except ValueError as error:
        known = " ".join([*options.seat_names(), *("XO" if options.seats == 2 else "")])
        raise Problem(text("cli.mover", lang, value=args.to_move, known=known)) from error
    return Terms(options, seat, state, args.south, args.turn_after)


def _options(args: argparse.Namespace) -> quixo.Options:
    given = arguments.settings(args.option, args.lang)
    known = [PLAYERS, *(option.name for option in quixo.GAME.options)]
    for name in given:
        if name not in known:
            listed = ", ".join(known)
            raise Problem(text("cli.option_unknown", args.lang, name=name, known=listed))
    try:
        return read_options(given)
    except ValueError as error:
        values = " ".join(f"{name}={value}" for name, value in given.items())
        raise Problem(text("cli.option_value", args.lang, value=values, reason=error)) from error
