"""The exact solver: how a game ends under best play."""

from skerry.search.solver.solver import Solution, Solver, solve

__all__ = ["Solution", "Solver", "solve"]
