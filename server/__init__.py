"""Everything that touches the world: the command `arbitre` and the dashboard."""
