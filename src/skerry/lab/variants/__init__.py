"""Variants of a game beside each other: who is favoured, how it plays, and which rules matter."""
