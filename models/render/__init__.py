"""Path-traced pictures of Quixo cubes and boards; needs the extra ``render`` except for `bank`."""
