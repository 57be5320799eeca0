"""`python -m server`: the command `arbitre` without an installed script."""

from server.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
