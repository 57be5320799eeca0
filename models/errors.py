"""Errors of the laboratory: one line each, no traceback."""


class LabError(Exception):
    """Something a command needs is missing or unusable; the message says what to do."""
