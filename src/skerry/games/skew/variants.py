"""Variants of Skew, which are ours and not the rule sheet's.

Second leans the last peg, and strong players win four games of five with that. First is given
something in return: half points, or a last peg.
"""

from skerry.core.options import Option

OPTIONS = (
    Option(
        "bonus",
        0,
        0,
        24,
        "halves of a point that First is given (our variant, not the rule sheet's)",
        ours=True,
    ),
    Option(
        "extra",
        0,
        0,
        4,
        "pegs that First has more than Second (our variant, not the rule sheet's)",
        ours=True,
    ),
)
VARIANTS: tuple[dict[str, int], ...] = (
    {"bonus": 1},
    {"bonus": 2},
    {"bonus": 3},
    {"bonus": 5},
    {"extra": 1},
)
VARIED_CLAUSES = {
    "skew.2 extra": "Each player has {pegs:peg|pegs}, and First {extra:peg|pegs} more, which is "
    "our variant and not the rule sheet's. First begins, and turns alternate.",
    "skew.7 bonus": "A peg next to the black peg that leans straight at it scores, and so does "
    "every peg that leans straight at a scoring peg next to it. To that First is given "
    "{bonus:half point|half points}, which is our variant and not the rule sheet's. Whoever has "
    "more wins.",
}
