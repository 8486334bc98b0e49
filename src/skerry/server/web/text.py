"""Names and remarks from strangers, made harmless."""

import unicodedata

NAME_LENGTH = 40
FOLDED_LENGTH = 128
REMARK_LENGTH = 300
# Joiners, which some scripts and emoji need, act on nothing but the letters beside them.
HARMLESS = "\u200c\u200d"


def tidy(text: str, longest: int) -> str:
    """Text on one line without control characters, cut to a length."""
    kept = (letter if _is_visible(letter) else " " for letter in text)
    return " ".join("".join(kept).split())[:longest].strip()


def fold(name: str) -> str:
    """A name as it is looked for: large and small letters, and looks alike, are the same."""
    return unicodedata.normalize("NFKC", name).casefold()[:FOLDED_LENGTH]


def _is_visible(letter: str) -> bool:
    kind = unicodedata.category(letter)
    return letter in HARMLESS or not (kind[0] == "C" or kind in ("Zl", "Zp"))
