"""Boards on which anybody tries things, and the position editor."""
