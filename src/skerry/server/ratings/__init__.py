"""Ratings of persons, bots and levels, one pool for each game."""
