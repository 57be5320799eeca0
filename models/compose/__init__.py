"""Composes thousands of labelled scenes from path-traced cut-outs with OpenCV."""
