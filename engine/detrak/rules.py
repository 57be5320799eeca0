"""The rules of Détrak as players read them, each with its check.

Rules that decide what a sheet is worth or who wins keep every move; ``engine.detrak.scoring`` and
``engine.detrak.ending`` ask by their id whether they are in force.
"""

from __future__ import annotations

from engine.detrak import checks
from engine.detrak.move import Move
from engine.detrak.state import State
from engine.rules import Rule

RULES: tuple[Rule[State, Move], ...] = (
    Rule(
        "detrak.start",
        "Start symbols",
        "Symboles de départ",
        "Before the first roll each player writes a symbol into the start cell, each another one.",
        "Avant le premier lancer chacun note un symbole dans la case de départ, tous différents.",
        checks.check_start,
    ),
    Rule(
        "detrak.open",
        "Open sheets",
        "Feuilles visibles",
        "Sheets lie open, so that the others may check them.",
        "Les feuilles restent visibles : les autres peuvent les vérifier.",
        checks.check_open,
    ),
    Rule(
        "detrak.roll",
        "One throw of both dice",
        "Un lancer des deux dés",
        "In each of twelve rounds both dice are thrown once, and the throw holds for everybody.",
        "À chacun des douze tours on lance une fois les deux dés, et le résultat vaut pour tous.",
        checks.check_roll,
    ),
    Rule(
        "detrak.roll.announce",
        "Called as it lies",
        "Annoncé tel quel",
        "The symbols called out are those that the dice show.",
        "Les symboles annoncés sont ceux que montrent les dés.",
        checks.check_announce,
    ),
    Rule(
        "detrak.roll.cocked",
        "Dice lie flat",
        "Dés à plat",
        "A die that does not lie flat on the table is thrown again, unless agreed otherwise.",
        "Un dé qui ne repose pas à plat sur la table est relancé, sauf convention contraire.",
        checks.check_cocked,
    ),
    Rule(
        "detrak.place.pair",
        "Both symbols",
        "Les deux symboles",
        "For each roll a player writes its two symbols, one of each, no more and no less.",
        "Pour chaque lancer on note ses deux symboles, chacun une fois, ni plus ni moins.",
        checks.check_pair,
    ),
    Rule(
        "detrak.place.free",
        "Empty cells",
        "Cases libres",
        "Symbols are written into empty cells.",
        "On écrit dans des cases vides.",
        checks.check_free,
    ),
    Rule(
        "detrak.place.field",
        "Inside the grid",
        "Dans la grille",
        "Symbols belong into the 25 cells of the grid, never into a score box.",
        "Les symboles vont dans les 25 cases de la grille, jamais dans une case de score.",
        checks.check_field,
    ),
    Rule(
        "detrak.place.adjacent",
        "Side by side",
        "Côte à côte",
        "The two cells share an edge; they need not touch anything written before.",
        "Les deux cases se touchent par un côté ; rien n'oblige à toucher les précédentes.",
        checks.check_adjacent,
    ),
    Rule(
        "detrak.place.permanent",
        "Written stays",
        "Écrit, c'est écrit",
        "A symbol is never changed, moved or erased.",
        "Un symbole écrit n'est ni changé, ni déplacé, ni effacé.",
        checks.check_permanent,
    ),
    Rule(
        "detrak.place.time",
        "Before the next roll",
        "Avant le lancer suivant",
        "Everybody has written a roll before the dice are thrown again.",
        "Chacun a noté le lancer avant que les dés soient relancés.",
        checks.check_time,
    ),
    Rule(
        "detrak.place.must",
        "Who can write must",
        "Qui peut écrire le doit",
        "As long as two empty cells lie side by side, the roll has to be written.",
        "Tant que deux cases vides se touchent, il faut noter le lancer.",
        checks.check_must,
    ),
    Rule(
        "detrak.stuck",
        "Stuck is out",
        "Bloqué, c'est fini",
        "Without two empty cells side by side a player is out for good; the others play on.",
        "Sans deux cases vides voisines on ne joue plus ; les autres continuent.",
        checks.check_stuck,
    ),
    Rule(
        "detrak.end",
        "The end",
        "La fin",
        "The game ends when everybody is full or stuck, after twelve rounds at the latest.",
        "La partie finit quand tous sont complets ou bloqués, au plus tard après douze tours.",
        checks.check_end,
    ),
    Rule(
        "detrak.line",
        "Runs score",
        "Les suites rapportent",
        "In each row and column every run of one symbol scores: 2 cells 2, 3 cells 3, 4 cells 8, "
        "5 cells 10.",
        "Dans chaque ligne et colonne toute suite d'un symbole rapporte : 2 cases 2, 3 cases 3, "
        "4 cases 8, 5 cases 10.",
        checks.check_no_breach,
    ),
    Rule(
        "detrak.total",
        "Highest total",
        "Plus haut total",
        "The lines are added up; the highest total wins.",
        "On additionne les lignes ; le plus haut total gagne.",
        checks.check_no_breach,
    ),
    Rule(
        "detrak.sheet.sums",
        "Right sums",
        "Sommes justes",
        "The sums that a player writes are the right ones.",
        "Les sommes écrites par un joueur sont justes.",
        checks.check_sums,
    ),
    Rule(
        "detrak.tie",
        "Ties",
        "Égalités",
        "Among the tied the best single row or column wins; still tied, they share the win.",
        "À égalité, la meilleure ligne ou colonne l'emporte ; sinon la victoire est partagée.",
        checks.check_no_breach,
    ),
    Rule(
        "detrak.solo",
        "Alone",
        "En solo",
        "One player alone reaches a rank by the total.",
        "Un joueur seul atteint un rang selon son total.",
        checks.check_no_breach,
    ),
    Rule(
        "detrak.diagonal",
        "Grey diagonal",
        "Diagonale grise",
        "With the advanced rules the grey diagonal scores like a line, and counts twice.",
        "Avec les règles avancées la diagonale grise rapporte comme une ligne et compte double.",
        checks.check_no_breach,
    ),
    Rule(
        "detrak.penalty",
        "Lines worth nothing",
        "Lignes sans point",
        "With the advanced rules a row or column worth nothing counts -5.",
        "Avec les règles avancées une ligne ou colonne sans point compte -5.",
        checks.check_no_breach,
    ),
)
