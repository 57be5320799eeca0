"""Dice: found in a picture, told, followed from throw to rest."""
