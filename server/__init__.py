"""Everything that touches the world: commands, dashboard, storage."""
