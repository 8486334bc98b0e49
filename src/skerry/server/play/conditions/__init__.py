"""Moves by letter: answers that seats plan in secret, for moves that others have yet to make."""
