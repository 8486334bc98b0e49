"""Environments for learning: batches on CPU and GPU, and the faces that researchers know."""

from skerry.rl.batch import BatchEnv

__all__ = ["BatchEnv"]
