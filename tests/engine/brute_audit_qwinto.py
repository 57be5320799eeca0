"""A second opinion on audits of Qwinto: tries every way to deal rolls out, in plain loops.

An entry is ``(name, row, number)``, in reading order; a roll ``(number, sum, colours, own)``.
"""

# mypy: ignore-errors


def smallest_sets(entries, rolls, failed):
    """Smallest sets of names left over, and whether the failed throws can be right with them."""
    own_rolls = 0
    for roll in rolls:
        if roll[3]:
            own_rolls += 1
    results = {(frozenset(), 0)}
    for value in range(1, 19):
        mine = [entry for entry in entries if entry[2] == value]
        theirs = [roll for roll in rolls if roll[1] == value]
        found = set()
        try_all(mine, theirs, 0, set(), set(), 0, found)
        joined = set()
        for left, used in results:
            for more_left, more_used in only_smallest(found):
                joined.add((left | more_left, used + more_used))
        results = joined
    right = {left for left, used in results if own_rolls - used == failed}
    every = {left for left, _ in results}
    return (right, True) if right else (every, False)


def only_smallest(found):
    least = min(len(left) for left, _ in found)
    return {(left, used) for left, used in found if len(left) == least}


def try_all(entries, rolls, at, taken, left, used, found):
    if at == len(entries):
        found.add((frozenset(left), used))
        return
    name, row, _ = entries[at]
    for number, _, colours, own in rolls:
        if number not in taken and row in colours:
            taken.add(number)
            try_all(entries, rolls, at + 1, taken, left, used + bool(own), found)
            taken.discard(number)
    left.add(name)
    try_all(entries, rolls, at + 1, taken, left, used, found)
    left.discard(name)
