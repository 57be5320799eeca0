"""Measures recognition by stage, one row a picture, and commits the numbers as CSV."""

from models.evaluate.run import EvaluateConfig, evaluate

__all__ = ["EvaluateConfig", "evaluate"]
