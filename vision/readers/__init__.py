"""Readers: what was seen in, a layout with its doubts out. They do not know the rules."""
