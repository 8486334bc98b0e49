"""Openings: what was played in very many games, position by position up to symmetry."""
