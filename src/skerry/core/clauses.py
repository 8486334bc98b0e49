"""Rule clauses as data: texts with places for the values of options.

``"Each player has {pegs:peg|pegs}."`` becomes "Each player has 24 pegs.", or "1 peg" where it is
one. Without the words behind the colon the bare number is filled in.
"""

from collections.abc import Mapping


class _Count(int):
    """A number that is written with its noun, in the singular or the plural."""

    def __format__(self, nouns: str) -> str:
        if not nouns:
            return str(int(self))
        one, _, many = nouns.partition("|")
        return f"{int(self)} {one if self == 1 else many}"


def fill_in(text: str, options: Mapping[str, int]) -> str:
    """A clause with the values of its options."""
    return text.format_map({name: _Count(value) for name, value in options.items()})
