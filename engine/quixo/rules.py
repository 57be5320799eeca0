"""The rules of Quixo as players read them, each with its check.

Rules that only decide who has won keep every move; ``engine.quixo.ending`` asks by their id
whether they are in force.
"""

from __future__ import annotations

from engine.quixo import checks
from engine.quixo.move import Move
from engine.quixo.state import State
from engine.rules import Rule

RULES: tuple[Rule[State, Move], ...] = (
    Rule(
        "quixo.setup",
        "Start",
        "Départ",
        "Every cube starts with a blank face up; players agree on marks and on who begins.",
        "Au départ chaque cube montre une face neutre ; on convient des signes et de qui commence.",
        checks.check_setup,
    ),
    Rule(
        "quixo.turn",
        "Turns alternate",
        "Chacun son tour",
        "The two players move in turn, and nobody may pass.",
        "Les deux joueurs jouent l'un après l'autre, sans pouvoir passer.",
        checks.check_turn,
    ),
    Rule(
        "quixo.touch",
        "Touched, played",
        "Touché, joué",
        "Where agreed, the first cube touched must be the one that is played.",
        "Si l'on en est convenu, le premier cube touché est celui que l'on joue.",
        checks.check_touch,
    ),
    Rule(
        "quixo.board.untouched",
        "Nothing else moves",
        "Rien d'autre ne bouge",
        "A move turns or shifts no cube but the one taken and those that it pushes.",
        "Un coup ne tourne ni ne déplace d'autre cube que celui pris et ceux qu'il pousse.",
        checks.check_untouched,
    ),
    Rule(
        "quixo.take.edge",
        "Take from the border",
        "Prendre au bord",
        "The cube taken lies on the border of the board.",
        "Le cube pris se trouve sur le bord du plateau.",
        checks.check_take_edge,
    ),
    Rule(
        "quixo.take.own",
        "Blank or your own",
        "Neutre ou à soi",
        "Take a blank cube or one with your own mark, never one of the opponent's.",
        "On prend un cube neutre ou à son signe, jamais un cube de l'adversaire.",
        checks.check_take_own,
    ),
    Rule(
        "quixo.mark",
        "Your mark up",
        "Son signe dessus",
        "The cube goes back with the mover's own mark on top.",
        "Le cube est remis avec le signe du joueur sur le dessus.",
        checks.check_mark,
    ),
    Rule(
        "quixo.push.end",
        "At an end of its line",
        "Au bout de sa ligne",
        "Push the cube in at an end of the row or column that lost it.",
        "On pousse le cube à un bout de la rangée ou colonne d'où il vient.",
        checks.check_push_end,
    ),
    Rule(
        "quixo.push.not-same",
        "Not the same place",
        "Pas à la même place",
        "The cube may not go back to the place where it was taken.",
        "Le cube ne peut pas revenir à l'endroit où il a été pris.",
        checks.check_not_same,
    ),
    Rule(
        "quixo.win",
        "A full line wins",
        "Un alignement gagne",
        "A row, column or diagonal full of your mark wins.",
        "Une rangée, colonne ou diagonale pleine de votre signe gagne.",
        checks.check_no_breach,
    ),
    Rule(
        "quixo.win.opponent-first",
        "Completing the opponent's line loses",
        "Aligner pour l'autre perd",
        "Whoever completes a line of the opponent's mark loses, even with one of their own.",
        "Compléter un alignement adverse fait perdre, même si l'on complète aussi le sien.",
        checks.check_no_breach,
    ),
    Rule(
        "quixo.announce",
        "Claim your line",
        "Annoncer sa ligne",
        "Where agreed, a line of your own counts only when claimed before the next cube is taken, "
        "or at your next turn if it still stands; claim only a line that is there.",
        "Si l'on en est convenu, votre alignement ne compte qu'annoncé avant que l'autre prenne un "
        "cube, ou à votre tour suivant s'il tient encore ; on n'annonce qu'une ligne présente.",
        checks.check_announce,
    ),
    Rule(
        "quixo.end",
        "Over is over",
        "Fini, c'est fini",
        "Nobody moves once the game is decided.",
        "Plus personne ne joue quand la partie est décidée.",
        checks.check_end,
    ),
    Rule(
        "quixo.repetition",
        "Draw by repetition",
        "Nulle par répétition",
        "Where agreed, the game is drawn when a position has occurred a set number of times.",
        "Si l'on en est convenu, la partie est nulle quand une position est revenue assez souvent.",
        checks.check_no_breach,
    ),
    Rule(
        "quixo.time",
        "Time limit",
        "Temps limité",
        "Where agreed, a player who has used more than the time allowed loses.",
        "Si l'on en est convenu, qui dépasse le temps accordé perd.",
        checks.check_no_breach,
    ),
    Rule(
        "quixo.team.turn",
        "Clockwise",
        "Sens horaire",
        "With four players the turn passes clockwise from seat to seat.",
        "À quatre, on joue dans le sens des aiguilles d'une montre.",
        checks.check_team_turn,
    ),
    Rule(
        "quixo.team.first-round",
        "Blank cubes first",
        "D'abord des neutres",
        "With four players all take a blank cube in the first round, unless agreed otherwise.",
        "À quatre, chacun prend un cube neutre au premier tour, sauf convention contraire.",
        checks.check_first_round,
    ),
    Rule(
        "quixo.team.take-dot",
        "Blank, or pointing at you",
        "Neutre, ou qui vous désigne",
        "With four players take a blank cube, or one of your team's mark whose dot points at you.",
        "À quatre, on prend un cube neutre ou au signe de l'équipe dont le point vous désigne.",
        checks.check_take_dot,
    ),
    Rule(
        "quixo.team.dot",
        "Dot to you or your partner",
        "Point vers soi ou l'équipier",
        "With four players the cube goes back with its dot towards you or towards your partner.",
        "À quatre, le cube est remis avec le point vers soi ou vers son partenaire.",
        checks.check_team_dot,
    ),
    Rule(
        "quixo.team.pass",
        "Pass only when you must",
        "Passer seulement si forcé",
        "With four players pass when no border cube may be taken, and only then.",
        "À quatre, on passe quand aucun cube du bord ne peut être pris, et seulement alors.",
        checks.check_team_pass,
    ),
    Rule(
        "quixo.team.win",
        "A full line wins for the team",
        "Un alignement gagne pour l'équipe",
        "With four players a full line of a team's mark wins, whatever its dots say.",
        "À quatre, un alignement complet fait gagner l'équipe, où que pointent ses points.",
        checks.check_no_breach,
    ),
    Rule(
        "quixo.team.confer",
        "Talking to your partner",
        "Se concerter",
        "With four players partners may talk about moves only where that was agreed.",
        "À quatre, les partenaires ne se concertent que si c'est convenu.",
        checks.check_confer,
    ),
)
