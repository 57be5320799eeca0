"""Sheets, tiles and boards on paper.

`server.printing.things` says what there is and `server.printing.job` prints it; each kind of page
has its own module, which draws on `server.printing.canvas` where `vision.plans` says. All artwork
is our own.
"""
