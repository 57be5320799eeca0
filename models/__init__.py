"""Weights, the scenes they learn from, training and evaluation: the command `arbitre-lab`."""
