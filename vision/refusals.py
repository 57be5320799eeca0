"""Every reason for not reading a picture, with what to do about it, in English and French."""

from typing import Final

from vision.observation import Refusal

_TEXTS: Final = {
    "no-board": (
        "No board of 5 × 5 cubes was found in the picture.",
        "Aucun plateau de 5 × 5 cubes n’a été trouvé sur la photo.",
        "Show the whole board from above, filling at least a third of the picture, or give its "
        "corners by hand.",
        "Montrez tout le plateau vu d’en haut, sur au moins un tiers de la photo, ou indiquez "
        "ses coins à la main.",
    ),
    "board-not-seen": (
        "No board of 5 × 5 cubes is seen.",
        "Aucun plateau de 5 × 5 cubes n’est visible.",
        "Point the camera at the board; come nearer until it fills a third of the picture.",
        "Dirigez la caméra vers le plateau ; approchez-la jusqu’à ce qu’il remplisse un tiers de "
        "l’image.",
    ),
    "faint-board": (
        "Cubes are seen, but not clearly enough to tell the board from them.",
        "Des cubes sont visibles, mais pas assez nettement pour reconnaître le plateau.",
        "Bring the camera nearer, tilt it less so that it looks from above, and turn lamps away "
        "that shine on the cubes.",
        "Approchez la caméra, inclinez-la moins pour qu’elle regarde d’en haut, et écartez les "
        "lampes qui se reflètent sur les cubes.",
    ),
    "not-one-board": (
        "The cubes form more rows or columns than one board has.",
        "Les cubes forment plus de lignes ou de colonnes qu’un seul plateau.",
        "Move other cubes away from the board, or give its corners by hand.",
        "Éloignez les autres cubes du plateau, ou indiquez ses coins à la main.",
    ),
    "cut": (
        "The board is cut by the picture’s edge.",
        "Le plateau est coupé par le bord de la photo.",
        "Step back until all 25 cubes and a little of the table are in view.",
        "Reculez jusqu’à voir les 25 cubes et un peu de la table.",
    ),
    "covered": (
        "Part of the board is covered.",
        "Une partie du plateau est cachée.",
        "Take hands and other things off the board and take the picture again.",
        "Retirez les mains et les objets du plateau et reprenez la photo.",
    ),
    "too-small": (
        "The pieces are too small in the picture to be read.",
        "Les pièces sont trop petites sur la photo pour être lues.",
        "Come closer, or send the picture at its full size: a piece needs about 16 pixels.",
        "Rapprochez-vous, ou envoyez la photo en taille réelle : il faut environ 16 pixels par "
        "pièce.",
    ),
    "too-dark": (
        "The picture is too dark to be read.",
        "La photo est trop sombre pour être lue.",
        "Turn on a lamp, or brighten the picture before taking it.",
        "Allumez une lampe, ou éclaircissez l’image avant de la prendre.",
    ),
    "too-bright": (
        "The picture is too bright to be read.",
        "La photo est trop claire pour être lue.",
        "Turn away from the sun or lamp, or darken the picture before taking it.",
        "Évitez le soleil ou la lampe en face, ou assombrissez l’image avant de la prendre.",
    ),
    "blurred": (
        "The picture is too blurred to be read.",
        "La photo est trop floue pour être lue.",
        "Hold the camera still and tap on the table to focus.",
        "Tenez l’appareil immobile et touchez la table à l’écran pour faire la mise au point.",
    ),
    "unsure": (
        "Most faces could not be made out with certainty.",
        "La plupart des faces n’ont pas pu être reconnues avec certitude.",
        "Take the picture from above in even light, or adapt to your set with a picture of its "
        "start position.",
        "Prenez la photo d’en haut sous une lumière égale, ou adaptez la lecture à votre jeu avec "
        "une photo de la position de départ.",
    ),
    "no-tiles": (
        "No number tiles and no board for them were found in the picture.",
        "Aucune tuile numérotée ni plateau pour elles n’a été trouvé sur la photo.",
        "Show the whole board from above, filling at least a third of the picture.",
        "Montrez tout le plateau vu d’en haut, sur au moins un tiers de la photo.",
    ),
    "no-lattice": (
        "Tiles were seen, but not how they lie in rows and columns.",
        "Des tuiles ont été vues, mais pas leurs rangées ni leurs colonnes.",
        "Show the board with its lines from above, or read loose tiles with --part tiles.",
        "Montrez le plateau et ses lignes vus d’en haut, ou lisez des tuiles éparses avec "
        "--part tiles.",
    ),
    "cut-tiles": (
        "Tiles are cut by the picture’s edge.",
        "Des tuiles sont coupées par le bord de la photo.",
        "Step back until all tiles and a little of the board around them are in view.",
        "Reculez jusqu’à voir toutes les tuiles et un peu du plateau autour.",
    ),
    "no-edge": (
        "The edge of the board for tiles is not seen.",
        "Le bord du plateau de tuiles n’est pas visible.",
        "Show the whole board with its edge: cells are counted from it.",
        "Montrez tout le plateau avec son bord : les cases sont comptées à partir de lui.",
    ),
    "other-board": (
        "The board has other rows or columns than that of the match.",
        "Le plateau a d’autres rangées ou colonnes que celui de la partie.",
        "Start the match with the edition that lies on the table.",
        "Commencez la partie avec l’édition qui est sur la table.",
    ),
    "unsure-tiles": (
        "Too many cells could not be made out with certainty.",
        "Trop de cases n’ont pas pu être reconnues avec certitude.",
        "Take the picture from above in even light, and come closer: a cell needs about 16 pixels.",
        "Prenez la photo d’en haut sous une lumière égale, et de plus près : il faut environ "
        "16 pixels par case.",
    ),
    "no-sheet": (
        "No score sheet was found in the picture.",
        "Aucune feuille de score n’a été trouvée sur la photo.",
        "Show the whole sheet from above, filling at least a third of the picture, with nothing on "
        "it, or give its corners by hand.",
        "Montrez toute la feuille vue d’en haut, sur au moins un tiers de la photo et sans rien "
        "dessus, ou indiquez ses coins à la main.",
    ),
    "half-sheet": (
        "Part of the score sheet lies outside of the picture.",
        "Une partie de la feuille de score est hors de la photo.",
        "Step back until the whole sheet and a little of the table are in view.",
        "Reculez jusqu’à voir toute la feuille et un peu de la table.",
    ),
    "sheet-unclear": (
        "A score sheet was seen, but not clearly where its fields lie.",
        "Une feuille de score a été vue, mais pas clairement où sont ses cases.",
        "Lay the sheet flat, take hands and things off it, and take the picture from above.",
        "Posez la feuille à plat, retirez mains et objets, et prenez la photo d’en haut.",
    ),
    "sheet-of-qwinto": (
        "This is a score sheet of Qwinto, another game than the one asked for.",
        "C’est une feuille de score de Qwinto, un autre jeu que celui demandé.",
        "Choose the game Qwinto (--game qwinto), or show a sheet of the game asked for.",
        "Choisissez le jeu Qwinto (--game qwinto), ou montrez une feuille du jeu demandé.",
    ),
    "sheet-of-detrak": (
        "This is a score sheet of Détrak, another game than the one asked for.",
        "C’est une feuille de score de Détrak, un autre jeu que celui demandé.",
        "Choose the game Détrak (--game detrak), or show a sheet of the game asked for.",
        "Choisissez le jeu Détrak (--game detrak), ou montrez une feuille du jeu demandé.",
    ),
    "small-sheet": (
        "The score sheet is too small in the picture to be read.",
        "La feuille de score est trop petite sur la photo pour être lue.",
        "Come closer, or send the picture at its full size: a field needs about 16 pixels.",
        "Rapprochez-vous, ou envoyez la photo en taille réelle : il faut environ 16 pixels par "
        "case.",
    ),
    "unsure-sheet": (
        "Most fields of the score sheet could not be made out with certainty.",
        "La plupart des cases de la feuille n’ont pas pu être lues avec certitude.",
        "Lay the sheet flat and take the picture from above in even light, as large as it fits.",
        "Posez la feuille à plat et prenez-la d’en haut sous une lumière égale, aussi grande que "
        "possible.",
    ),
}
"""Reason id: what is wrong (en, fr), what to do (en, fr)."""

REASONS: Final = tuple(_TEXTS)


def refuse(reason: str) -> Refusal:
    """The refusal with this id.

    Raises:
        KeyError: no such reason.
    """
    text_en, text_fr, advice_en, advice_fr = _TEXTS[reason]
    return Refusal(reason, text_en, text_fr, advice_en, advice_fr)
