"""Variants of Skirt, which are ours and not the rule sheet's.

Whoever designs such a game asks what its second way to win and its jumps are good for.
"""

from skerry.core.options import Option

OPTIONS = (
    Option(
        "jumps",
        1,
        0,
        1,
        "jumps over pieces that a line may have (our variant, not the rule sheet's)",
        ours=True,
    ),
    Option(
        "alternate",
        1,
        0,
        1,
        "ways to win beside opposite sides: 1 three alternate sides, 0 none (our variant, not the "
        "rule sheet's)",
        ours=True,
    ),
)
VARIANTS: tuple[dict[str, int], ...] = (
    {"jumps": 0},
    {"alternate": 0},
    {"jumps": 0, "alternate": 0},
)
VARIED_CLAUSES = {
    "skirt.4 jumps=0": "In reach are the empty inner hexes on a straight line from the outer piece "
    "up to the first piece. Pieces are not jumped, which is our variant and not the rule sheet's.",
    "skirt.7 alternate=0": "Whoever connects two opposite sides wins at once, also with the first "
    "of two pieces. Three alternate sides do not win, which is our variant and not the rule "
    "sheet's.",
}
