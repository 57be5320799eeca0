"""Whose sheet is whose: by its own code, by the names given, by the seats of a log."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from server.tally.counted import Counted, Terms


def name_players(sheets: list[Counted], terms: Terms) -> list[Counted]:
    """Give each sheet its player: by its own code, by the names given, by the log's order."""
    counted = [n for n, s in enumerate(sheets) if s.tally is not None and s.same_as is None]
    coded = {n: s.tally.reading.player for n, s in enumerate(sheets) if s.tally is not None}
    players = {n: coded[n] for n in counted}
    # As many names as sheets: one each, in order. Else names are for the sheets without one.
    unnamed = counted if len(terms.names) == len(counted) else [n for n in counted if not coded[n]]
    players |= {n: name for n, name in zip(unnamed, terms.names, strict=False) if name}
    seats = _seats(counted, players, terms)
    told: list[Counted] = []
    for n, sheet in enumerate(sheets):
        at = n if sheet.same_as is None else sheet.same_as
        seat = seats.get(at)
        player = players.get(at) or _player_of(seat, terms)
        told.append(replace(sheet, player=player, seat=seat))
    return told


def _seats(
    counted: Sequence[int], players: Mapping[int, str | None], terms: Terms
) -> dict[int, str]:
    """The seat of each sheet: by its player's name, else by order where all are there."""
    if terms.log is None:
        return {}
    names = [name.casefold() for name in terms.log.players]
    seats = list(terms.seats)
    found = {
        n: seats[names.index(player.casefold())]
        for n in counted
        if (player := players.get(n)) and player.casefold() in names
    }
    found |= {n: str(p) for n in counted if n not in found and (p := players.get(n)) in seats}
    left = [n for n in counted if n not in found and not players.get(n)]
    free = [seat for seat in seats if seat not in found.values()]
    if len(left) == len(free):
        found |= dict(zip(left, free, strict=True))
    return found


def _player_of(seat: str | None, terms: Terms) -> str | None:
    if seat is None or terms.log is None or not terms.log.players:
        return None
    player: str = terms.log.players[terms.seats.index(seat)]
    return player
