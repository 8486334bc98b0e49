"""Tree search that a net guides: it says which actions are worth a try, and what positions are
worth.

The nodes are those of ``search.tree``, proofs included. Instead of playing random games, leaves are
shown to a net, some at a time, on as many threads as there are.
"""
