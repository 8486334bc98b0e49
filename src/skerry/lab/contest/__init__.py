"""Contests: matches, tournaments and the swap rule, played on many cores and kept game by game."""
