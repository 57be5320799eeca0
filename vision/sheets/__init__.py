"""Score sheets: found by their print, their fields told."""
