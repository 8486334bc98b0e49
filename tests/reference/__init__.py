"""Slow second implementations of the four games, read straight from the rulings.

They are evidence for the tests, so they share no code with `src`: an error made there cannot be
repeated here by import. Boards are dicts of coordinate tuples, every question is answered by
searching the board anew, and each module stands alone so that it can be read beside its rule sheet.
"""
