"""The rules of Qwinto as players read them, each with its check."""

from __future__ import annotations

from engine.qwinto import checks, entries, sums
from engine.qwinto.move import Move
from engine.qwinto.state import State
from engine.rules import Breach, Rule


def _check_total(state: State, move: Move) -> Breach | None:
    """``qwinto.total``: the boxes add up to the total, and the highest total wins."""
    return sums.check_total(state, move) or checks.check_winner(state, move)


RULES: tuple[Rule[State, Move], ...] = (
    Rule(
        "qwinto.turn",
        "Who throws",
        "Qui lance",
        "The first player is drawn by lot; turns go clockwise and only the player whose turn it is "
        "throws.",
        "Le premier est tiré au sort ; on joue dans le sens horaire et seul le joueur dont c'est "
        "le tour lance.",
        checks.check_turn,
    ),
    Rule(
        "qwinto.open",
        "Sheets lie open",
        "Feuilles visibles",
        "Everybody may see every sheet; only the hand that writes may be covered meanwhile.",
        "Chacun peut voir toutes les feuilles ; on ne cache que la main pendant qu'elle écrit.",
        checks.check_open,
    ),
    Rule(
        "qwinto.dice",
        "One to three dice",
        "Un à trois dés",
        "The player throws one, two or all three dice, whichever colours they like.",
        "On lance un, deux ou les trois dés, de la ou des couleurs de son choix.",
        checks.check_dice,
    ),
    Rule(
        "qwinto.reroll",
        "Throw again once",
        "Relancer une fois",
        "The player may throw once more, all the chosen dice and no others; the last throw counts.",
        "On peut relancer une fois, tous les dés choisis et eux seuls ; le dernier lancer compte.",
        checks.check_reroll,
    ),
    Rule(
        "qwinto.dice.cocked",
        "Dice lie flat",
        "Dés à plat",
        "A throw with a die that does not lie flat is thrown again, unless agreed that it stands.",
        "Un lancer dont un dé n'est pas à plat est refait, sauf si l'on convient qu'il compte.",
        entries.check_cocked,
    ),
    Rule(
        "qwinto.sum",
        "The sum of the dice",
        "La somme des dés",
        "What may be written is the sum of the dice thrown, the same for everybody.",
        "Ce qu'on peut écrire est la somme des dés lancés, la même pour tous.",
        entries.check_sum,
    ),
    Rule(
        "qwinto.sum.announce",
        "The sum is announced",
        "La somme est annoncée",
        "The sum that is announced is the one the dice show.",
        "La somme annoncée est celle que montrent les dés.",
        checks.check_announce,
    ),
    Rule(
        "qwinto.entry",
        "One number a roll",
        "Un nombre par lancer",
        "Every player may write the sum once, in one field.",
        "Chaque joueur peut écrire la somme une fois, dans une case.",
        entries.check_entry,
    ),
    Rule(
        "qwinto.entry.field",
        "In a number field",
        "Dans une case à nombre",
        "Numbers go into the nine number fields of a row, never into its blank cell.",
        "On écrit dans les neuf cases à nombre d'une rangée, jamais dans sa case vide.",
        entries.check_field,
    ),
    Rule(
        "qwinto.entry.free",
        "In an empty field",
        "Dans une case libre",
        "A number is written into a field that holds none yet.",
        "On écrit dans une case qui ne contient encore rien.",
        entries.check_free,
    ),
    Rule(
        "qwinto.entry.time",
        "Before the next throw",
        "Avant le lancer suivant",
        "A number is written before the first throw of the next turn.",
        "On écrit avant le premier lancer du tour suivant.",
        entries.check_time,
    ),
    Rule(
        "qwinto.entry.colour",
        "In a colour thrown",
        "Dans une couleur lancée",
        "A number is written in a row whose colour was among the dice thrown.",
        "On écrit dans une rangée dont la couleur fait partie des dés lancés.",
        entries.check_colour,
    ),
    Rule(
        "qwinto.row.ascending",
        "Rows increase",
        "Rangées croissantes",
        "In a row each number is higher than all to its left; gaps may be filled later.",
        "Dans une rangée chaque nombre dépasse tous ceux de gauche ; on peut combler plus tard.",
        entries.check_ascending,
    ),
    Rule(
        "qwinto.column.distinct",
        "Columns differ",
        "Colonnes sans doublon",
        "The same number never stands twice in one column.",
        "Un même nombre ne figure jamais deux fois dans une colonne.",
        entries.check_distinct,
    ),
    Rule(
        "qwinto.permanent",
        "Written is written",
        "Écrit, c'est écrit",
        "Numbers are not moved, overwritten or erased, unless they break a rule of place.",
        "On ne déplace, ne surcharge ni n'efface un nombre, sauf s'il enfreint une règle de place.",
        entries.check_permanent,
    ),
    Rule(
        "qwinto.failed",
        "Failed throws",
        "Lancers ratés",
        "Who throws and writes nothing marks exactly one failed throw; nobody else marks one.",
        "Qui lance et n'écrit rien coche exactement un lancer raté ; personne d'autre n'en coche.",
        entries.check_failed,
    ),
    Rule(
        "qwinto.late-error",
        "Errors found later",
        "Erreur découverte après coup",
        "A number against the rules of place is erased, of two the later one; before the next "
        "throw it may be written elsewhere, after it no more.",
        "Un nombre contraire aux règles de place est effacé, de deux le dernier écrit ; avant le "
        "lancer suivant on peut l'écrire ailleurs, ensuite plus.",
        entries.check_late_error,
    ),
    Rule(
        "qwinto.full-row",
        "Full rows stay in play",
        "Rangée pleine, dé permis",
        "A colour may be chosen although its row is full on any sheet.",
        "On peut choisir une couleur même si sa rangée est pleine sur une feuille.",
        checks.check_full_row,
    ),
    Rule(
        "qwinto.end",
        "The end",
        "La fin",
        "The game ends with a second full row or a fourth failed throw; the others still answer "
        "that roll, unless agreed otherwise.",
        "La partie finit avec une deuxième rangée pleine ou un quatrième lancer raté ; les autres "
        "répondent encore à ce lancer, sauf convention contraire.",
        checks.check_end,
    ),
    Rule(
        "qwinto.score.row",
        "Points of a row",
        "Points d'une rangée",
        "A full row counts the number at its right end, any other one point a number.",
        "Une rangée pleine vaut le nombre de son bout droit, une autre un point par nombre.",
        sums.check_row,
    ),
    Rule(
        "qwinto.score.bonus",
        "Points of a pentagon",
        "Points d'un pentagone",
        "A complete column of three fields counts the number in its pentagon, else nothing.",
        "Une colonne de trois cases complète vaut le nombre de son pentagone, sinon rien.",
        sums.check_bonus,
    ),
    Rule(
        "qwinto.score.failed",
        "Price of a failed throw",
        "Prix d'un lancer raté",
        "Each failed throw costs five points.",
        "Chaque lancer raté coûte cinq points.",
        sums.check_penalty,
    ),
    Rule(
        "qwinto.total",
        "Total",
        "Total",
        "Rows and bonuses less the failed throws make the total; the highest wins.",
        "Rangées et bonus moins les lancers ratés font le total ; le plus haut gagne.",
        _check_total,
    ),
    Rule(
        "qwinto.sheet.sums",
        "Sums on the sheet",
        "Sommes de la feuille",
        "Every sum that a player writes on the sheet is the right one.",
        "Chaque somme inscrite sur la feuille est juste.",
        sums.check_sums,
    ),
    Rule(
        "qwinto.tie",
        "Ties",
        "Égalité",
        "Players with the same highest total share the win.",
        "Les joueurs au même plus haut total gagnent ensemble.",
        checks.check_tie,
    ),
)
