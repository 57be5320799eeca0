"""Boards for number tiles, and tiles that lie about: found, told, followed live."""
