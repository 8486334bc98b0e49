"""Tournaments that people, bots and levels play here, by the pairings of the laboratory."""
