"""Boards of cubes: found in a picture, their faces told, followed live."""
