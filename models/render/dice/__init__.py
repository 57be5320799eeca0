"""Dice painted by marching rays at the scene's own camera: any pose, any design, exact truth."""
