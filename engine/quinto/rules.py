"""The rules of Quinto as players read them, each with its check.

Rules that only decide the score or the end keep every move; ``engine.quinto.lines`` and
``engine.quinto.ending`` ask by their id whether they are in force.
"""

from __future__ import annotations

from engine.quinto import checks, hands
from engine.quinto.move import Move
from engine.quinto.state import State
from engine.rules import Rule

RULES: tuple[Rule[State, Move], ...] = (
    Rule(
        "quinto.setup",
        "Start",
        "Départ",
        "One to four players begin on a bare board and write down their points.",
        "De un à quatre joueurs commencent sur un plateau vide et notent leurs points.",
        checks.check_setup,
    ),
    Rule(
        "quinto.turn",
        "Clockwise",
        "Sens horaire",
        "Players take turns clockwise from the one who starts.",
        "On joue à tour de rôle dans le sens horaire à partir du premier joueur.",
        checks.check_turn,
    ),
    Rule(
        "quinto.draw",
        "Highest tile starts",
        "La plus forte commence",
        "All draw one tile, the highest starts, ties draw again; then everybody takes five tiles.",
        "Chacun tire une tuile, la plus forte commence, à égalité on retire ; puis cinq tuiles.",
        hands.check_draw,
    ),
    Rule(
        "quinto.play.count",
        "One to five from hand",
        "De une à cinq de sa main",
        "A play lays at least one and at most five of the tiles in your hand.",
        "Un coup pose au moins une et au plus cinq tuiles de sa main.",
        checks.check_count,
    ),
    Rule(
        "quinto.play.empty",
        "Empty cells only",
        "Cases vides seulement",
        "Each tile goes on a cell where no tile lies.",
        "Chaque tuile va sur une case où il n'y en a pas.",
        checks.check_empty,
    ),
    Rule(
        "quinto.tile.value",
        "A tile is what it shows",
        "Une tuile vaut ce qu'elle montre",
        "A tile counts the number on it; the line under a 6 keeps it from being a 9.",
        "Une tuile vaut le nombre inscrit ; le 6 souligné n'est pas un 9.",
        checks.check_value,
    ),
    Rule(
        "quinto.play.line",
        "One row or column",
        "Une rangée ou une colonne",
        "The tiles of a play lie in one row or column, without a gap once they lie there.",
        "Les tuiles d'un coup sont sur une rangée ou une colonne, sans trou une fois posées.",
        checks.check_line,
    ),
    Rule(
        "quinto.play.start",
        "First play on the start cell",
        "Premier coup au centre",
        "One tile of the first play covers the start cell.",
        "Une tuile du premier coup couvre la case de départ.",
        checks.check_start,
    ),
    Rule(
        "quinto.play.contact",
        "Touch what lies there",
        "Toucher une tuile posée",
        "From the second play on, some tile touches a tile of the board edge to edge.",
        "Dès le deuxième coup, une tuile au moins touche par un côté une tuile du plateau.",
        checks.check_contact,
    ),
    Rule(
        "quinto.line.multiple",
        "Totals are multiples",
        "Des totaux multiples",
        "Every line a play makes or lengthens totals a multiple of five, or the number agreed.",
        "Toute ligne créée ou allongée totalise un multiple de cinq, ou du nombre convenu.",
        checks.check_multiple,
    ),
    Rule(
        "quinto.line.length",
        "Five tiles at most",
        "Cinq tuiles au plus",
        "No line has more than five tiles.",
        "Aucune ligne n'a plus de cinq tuiles.",
        checks.check_length,
    ),
    Rule(
        "quinto.line.extend",
        "Short lines stay open",
        "Ligne courte, ligne ouverte",
        "Anybody may lengthen a line of fewer than five tiles, and scores all of it.",
        "Chacun peut allonger une ligne de moins de cinq tuiles, et la marque en entier.",
        checks.check_no_breach,
    ),
    Rule(
        "quinto.board.fixed",
        "Tiles stay",
        "Les tuiles restent",
        "Tiles on the board are neither moved, nor changed, nor taken back.",
        "Les tuiles du plateau ne sont ni déplacées, ni changées, ni reprises.",
        checks.check_fixed,
    ),
    Rule(
        "quinto.first.single",
        "A lone first tile",
        "Une première tuile seule",
        "A single tile as first play must be a multiple itself, and scores its value.",
        "Une seule tuile au premier coup doit être un multiple, et marque sa valeur.",
        checks.check_single,
    ),
    Rule(
        "quinto.refill",
        "Back to five",
        "Revenir à cinq",
        "After a play draw until you hold five tiles, as long as there are any.",
        "Après un coup, on pioche jusqu'à avoir cinq tuiles, tant qu'il en reste.",
        hands.check_refill,
    ),
    Rule(
        "quinto.pass",
        "Pass only when you must",
        "Passer seulement si forcé",
        "Who cannot play loses the turn; who can must play, unless agreed. Nothing is exchanged.",
        "Qui ne peut jouer passe ; qui peut doit jouer, sauf accord. On n'échange rien.",
        checks.check_pass,
    ),
    Rule(
        "quinto.supply",
        "Only tiles of the set",
        "Les tuiles du jeu",
        "No value can lie there more often than the set holds it.",
        "Aucune valeur ne peut apparaître plus souvent que le jeu n'en contient.",
        hands.check_supply,
    ),
    Rule(
        "quinto.score.lines",
        "Every line scores",
        "Chaque ligne compte",
        "A play scores the total of each line it makes or lengthens, old tiles included.",
        "Un coup marque le total de chaque ligne créée ou allongée, anciennes tuiles comprises.",
        checks.check_score,
    ),
    Rule(
        "quinto.end",
        "End",
        "Fin",
        "Play ends when all tiles are used, or nobody can play, or, where agreed, a hand is empty.",
        "On finit quand tout est posé, si nul ne peut jouer ou, si convenu, qu'une main est vide.",
        checks.check_end,
    ),
    Rule(
        "quinto.leftover",
        "Tiles left count against you",
        "Les tuiles restantes se déduisent",
        "At the end the tiles left in hand are subtracted; the highest score wins, ties share.",
        "À la fin on déduit les tuiles en main ; le plus haut score gagne, à égalité on partage.",
        checks.check_no_breach,
    ),
)
