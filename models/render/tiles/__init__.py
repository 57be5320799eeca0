"""Number tiles and their boards, drawn fast: digits, faces, boards, and the tiles in space."""
