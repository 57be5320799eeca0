"""Simulated games: an engine-driven game composed over time from the cut-outs, with its truth."""
