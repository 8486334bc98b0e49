"""Players of others: programs that are talked to, and objects that choose moves.

docs/library/agents.md is the reference. Whatever such a player does wrong is a ``Forfeit``.
"""
