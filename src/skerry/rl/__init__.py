"""Environments for learning: batches on CPU and GPU, and the faces that researchers know."""

from skerry.rl.batch import BatchEnv
from skerry.rl.rows import Snapshot

__all__ = ["BatchEnv", "Snapshot"]
