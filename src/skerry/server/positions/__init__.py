"""Boards on which anybody tries things, and analyses of them."""
