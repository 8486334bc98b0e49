"""Texts for people: marked for those who translate them, and rule clauses as data.

Whatever is below the web app speaks English and knows of no other language. It says where a text is
one by ``N_``, the usual name for that with gettext; the web app translates it when it is shown. A
filled-in text is marked as well, ``N_(f"{seat} wins")``: there it is recognised by its words.

Clauses have places for the values of options: ``"Each player has {pegs:peg|pegs}."`` becomes "Each
player has 24 pegs.", or "1 peg" where it is one. Without the words behind the colon the bare number
is filled in.
"""

from collections.abc import Mapping


def N_(text: str) -> str:  # noqa: N802 - what everybody calls it
    """The text, unchanged."""
    return text


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
