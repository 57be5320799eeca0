"""The referee: one way of judging for all games.

Of the explanations that a game gives for a change, the nearest are kept: those that break the
fewest rules, and of these the least strained.  None broken: legal.  All break the same rules:
illegal.  They differ, or nothing explains the change: undecided, with all listed.
A strained explanation that breaks nothing keeps a player from being accused on a plain one that
breaks a single rule, but does not prove the move legal: undecided.  Nobody is accused on doubt.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from engine.game import Change, Explanation, Game
from engine.rules import Finding
from engine.ruling import Excluded, Ruling, Verdict

S = TypeVar("S")
L = TypeVar("L")
M = TypeVar("M")

NOTHING_MOVED = Excluded(None, (), "Perhaps nothing moved at all.", "Peut-être rien n'a bougé.")


@dataclass(frozen=True, slots=True)
class Weighed(Generic[M]):
    """An explanation with the rules it breaks."""

    explanation: Explanation[M]
    findings: tuple[Finding, ...]

    def rules(self) -> tuple[str, ...]:
        """Return the ids of the rules broken, each once."""
        return tuple(sorted({finding.rule for finding in self.findings}))

    def distance(self) -> tuple[int, int]:
        """Return how far from lawful and usual it is."""
        return len(self.rules()), self.explanation.strain

    def is_single_fault(self) -> bool:
        """Tell whether it is one act that breaks one rule."""
        return len(self.rules()) == 1 and len(self.explanation.moves) == 1


def judge(game: Game[S, L, M], state: S, change: Change[L], *, one_turn: bool = False) -> Ruling[M]:
    """Rule on a change seen by a camera.

    Args:
        game: the rules.
        state: before the change.
        change: glimpses in order and the layout afterwards.
        one_turn: people vouch that a single turn was taken and that a glimpse shows the piece
            just lifted.  A strained explanation then clears nobody of a single plain fault; it
            is still named in ``excluded``, and counts when no single act explains the change.
    """
    weighed = [_weigh(game, state, entry) for entry in game.explain(state, change)]
    considered = weighed
    if one_turn and any(w.is_single_fault() for w in weighed):
        considered = [w for w in weighed if w.findings or w.explanation.strain == 0]
    idle = not change.during and game.unchanged(state, change.after)
    kept, verdict = _keep(considered, idle=idle)
    if verdict is Verdict.LEGAL:
        return _legal(game, state, change, kept, weighed)
    if verdict is Verdict.ILLEGAL:
        return _illegal(game, state, kept, change.after, weighed)
    return _undecided(game, state, kept, idle=idle)


def judge_move(game: Game[S, L, M], state: S, move: M) -> Ruling[M]:
    """Rule on a move that is known, such as one of a written game."""
    weighed = _weigh(game, state, Explanation((move,)))
    if weighed.findings:
        return _illegal(game, state, [weighed], None)
    return _ruling(game, state, game.play(state, move), Verdict.LEGAL, [weighed])


def judge_among(
    game: Game[S, L, M],
    states: Sequence[S],
    changes: Sequence[Change[L]],
    *,
    one_turn: bool = False,
) -> Ruling[M]:
    """Rule on a change of which some parts are in doubt.

    Args:
        game: the rules.
        states: candidates for the state before, most likely first; at least one.
        changes: candidates for the change, most likely first; at least one.
        one_turn: as for ``judge``.

    Returns:
        The ruling of the most likely pair where all pairs agree on verdict and rules; else
        undecided, with the findings of all.

    Raises:
        ValueError: when there is no candidate.
    """
    if not states or not changes:
        raise ValueError("expected at least one state and one change to judge")
    rulings = [judge(game, s, change, one_turn=one_turn) for s in states for change in changes]
    first = rulings[0]
    if all(_same(first, other) for other in rulings):
        return first
    return replace(
        first,
        verdict=Verdict.UNDECIDED,
        move=None,
        moves=tuple(dict.fromkeys(entry for ruling in rulings for entry in ruling.moves)),
        findings=_distinct(finding for ruling in rulings for finding in ruling.findings),
        excluded=tuple(dict.fromkeys(e for ruling in rulings for e in _as_excluded(ruling))),
        scores=game.scores(states[0]),
        state_text=game.write(states[0]),
        over=game.over(states[0]),
    )


def _same(one: Ruling[M], other: Ruling[M]) -> bool:
    """Tell whether two rulings agree in verdict, rules and end of the game."""
    if one.verdict != other.verdict or one.over != other.over:
        return False
    return {f.rule for f in one.findings} == {f.rule for f in other.findings}


def _as_excluded(ruling: Ruling[M]) -> tuple[Excluded, ...]:
    if ruling.move is None:
        return ruling.excluded
    rules = tuple(sorted({finding.rule for finding in ruling.findings}))
    return (_excluded(ruling.move, rules), *ruling.excluded)


def _weigh(game: Game[S, L, M], state: S, explanation: Explanation[M]) -> Weighed[M]:
    found: list[Finding] = []
    for i, move in enumerate(explanation.moves):
        found += game.findings(state, move)
        if i + 1 < len(explanation.moves):
            state = game.play(state, move)
    return Weighed(explanation, tuple(found))


def _keep(weighed: list[Weighed[M]], *, idle: bool) -> tuple[list[Weighed[M]], Verdict]:
    """Return the nearest explanations and what they amount to."""
    if not weighed:
        return [], Verdict.UNDECIDED
    nearest = min(entry.distance() for entry in weighed)
    kept = [entry for entry in weighed if entry.distance() == nearest]
    if nearest == (0, 0):
        return kept, Verdict.LEGAL
    if idle:
        # Nothing moved and no hand was seen at a cube: that is no move, and nobody's fault.
        return kept, Verdict.UNDECIDED
    if nearest[0] == 0:
        accusing = [entry for entry in weighed if entry.distance() == (1, 0)]
        return kept + accusing, Verdict.UNDECIDED if accusing else Verdict.LEGAL
    one_set = len({entry.rules() for entry in kept}) == 1
    return kept, Verdict.ILLEGAL if one_set else Verdict.UNDECIDED


def _legal(
    game: Game[S, L, M],
    state: S,
    change: Change[L],
    kept: list[Weighed[M]],
    weighed: list[Weighed[M]],
) -> Ruling[M]:
    ends = tuple(dict.fromkeys(_play_all(game, state, entry.explanation) for entry in kept))
    after = game.common(tuple(game.fill(end, change.after) for end in ends))
    if after is None:
        return _undecided(game, state, kept, idle=False)
    others = [w for w in weighed if w in kept or w.explanation.strain == 0]
    ruling = _ruling(game, state, after, Verdict.LEGAL, kept, others)
    if change.during or not game.unchanged(state, change.after):
        return ruling
    return replace(ruling, excluded=(NOTHING_MOVED, *ruling.excluded))


def _play_all(game: Game[S, L, M], state: S, explanation: Explanation[M]) -> S:
    for move in explanation.moves:
        state = game.play(state, move)
    return state


def _illegal(
    game: Game[S, L, M],
    state: S,
    kept: list[Weighed[M]],
    after: L | None,
    weighed: Iterable[Weighed[M]] = (),
) -> Ruling[M]:
    settled = game.settle_illegal(state, kept[0].explanation.moves, after)
    faults = len(kept[0].rules())
    others = [w for w in weighed if len(w.rules()) <= faults]
    return _ruling(game, state, settled, Verdict.ILLEGAL, kept, others)


def _ruling(
    game: Game[S, L, M],
    state: S,
    after: S,
    verdict: Verdict,
    kept: list[Weighed[M]],
    others: Iterable[Weighed[M]] = (),
) -> Ruling[M]:
    acts = kept[0].explanation.moves
    return Ruling(
        seat=game.mover(state, acts[0]) if acts else game.seat(state),
        verdict=verdict,
        move=_text(game, kept[0].explanation),
        moves=tuple(entry.explanation for entry in kept),
        findings=_agreed(game, kept),
        excluded=(
            *_other_moves(game, kept[0], others),
            *(_unproven(game, state, acts) if verdict is Verdict.LEGAL else ()),
        ),
        scores=game.scores(after),
        state_text=game.write(after),
        over=game.over(after),
    )


def _other_moves(
    game: Game[S, L, M], told: Weighed[M], others: Iterable[Weighed[M]]
) -> tuple[Excluded, ...]:
    """Return what else it may have been; the move told, against the same rules, is nothing else."""
    same = _text(game, told.explanation), told.rules()
    found = ((_text(game, w.explanation), w.rules()) for w in others)
    return tuple(_excluded(*one) for one in dict.fromkeys(found) if one != same)


def _unproven(game: Game[S, L, M], state: S, acts: tuple[M, ...]) -> tuple[Excluded, ...]:
    """Return what of legal moves in order cannot be told without what players hide."""
    found: tuple[Excluded, ...] = ()
    for i, move in enumerate(acts):
        found = (*found, *game.unproven(state, move))
        if i + 1 < len(acts):
            state = game.play(state, move)
    return found


def _agreed(game: Game[S, L, M], kept: list[Weighed[M]]) -> tuple[Finding, ...]:
    """Return the findings of all kept, in the rule's own words where they differ in place."""
    found: list[Finding] = []
    for rule in game.rules:
        same = _distinct(f for entry in kept for f in entry.findings if f.rule == rule.id)
        if len(same) == 1:
            found += same
        elif same:
            places = " | ".join(dict.fromkeys(finding.where for finding in same))
            found.append(Finding(rule.id, places, rule.text_en, rule.text_fr))
    return tuple(found)


def _undecided(game: Game[S, L, M], state: S, kept: list[Weighed[M]], *, idle: bool) -> Ruling[M]:
    listed = [_excluded(_text(game, w.explanation), w.rules()) for w in kept]
    return Ruling(
        seat=game.seat(state),
        verdict=Verdict.UNDECIDED,
        move=None,
        moves=tuple(entry.explanation for entry in kept),
        findings=() if idle else _distinct(f for entry in kept for f in entry.findings),
        excluded=(NOTHING_MOVED, *listed) if idle else tuple(listed),
        scores=game.scores(state),
        state_text=game.write(state),
        over=game.over(state),
    )


def _text(game: Game[S, L, M], explanation: Explanation[M]) -> str:
    return ", ".join(game.write_move(move) for move in explanation.moves)


def _distinct(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(dict.fromkeys(findings))


def _excluded(move: str, rules: tuple[str, ...]) -> Excluded:
    if not rules:
        return Excluded(
            move, (), f"{move} would look the same.", f"{move} donnerait la même chose."
        )
    cited = ", ".join(rules)
    return Excluded(
        move,
        rules,
        f"{move} (against {cited}) cannot be excluded without a picture taken during the move.",
        f"{move} (contre {cited}) ne peut être écarté sans une photo prise pendant le coup.",
    )
