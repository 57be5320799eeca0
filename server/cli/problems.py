"""Wrong use and bad input: the exception that becomes one line and exit status 2.

Problem (Exception)
"""


class Problem(Exception):  # noqa: N818 - not a fault of the program; named as users say it
    """Something the user can mend: what is wrong, where, and what to do about it.

    Its message is one line in the user's language.
    """
