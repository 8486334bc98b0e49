"""Names and remarks from strangers, made harmless."""

import unicodedata

from skerry.server.web.errors import Refusal

NAME_LENGTH = 40
FOLDED_LENGTH = 128
REMARK_LENGTH = 300
# Joiners, which some scripts and emoji need, act on nothing but the letters beside them.
HARMLESS = "\u200c\u200d"
# Letters, marks and symbols of which nothing is to be seen.
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
# What looks like a Latin letter, large or small, in the usual typefaces: Cyrillic, Greek, Armenian
# and Latin ones, and digits and signs that are used in their places.
ALIKE = {
    "a": "\u0430\u03b1\u0251@",
    "b": "\u0432\u044c\u03b2",
    "c": "\u0441\u03f2",
    "d": "\u0501",
    "e": "\u0435\u03b5",
    "g": "\u0261",
    "h": "\u043d\u04bb\u03b7\u0570",
    "j": "\u0458\u03f3",
    "k": "\u043a\u03ba",
    "l": "\u0456\u03b9\u0131\u01c0\u04cfi1|!",
    "m": "\u043c\u03bc",
    "n": "\u0578",
    "o": "\u043e\u03bf\u03c3\u05850",
    "p": "\u0440\u03c1",
    "q": "\u051b",
    "s": "\u0455$",
    "t": "\u0442\u03c4",
    "u": "\u03c5\u057d",
    "v": "\u03bd",
    "w": "\u051d\u03c9",
    "x": "\u0445\u03c7",
    "y": "\u0443\u03b3",
    "z": "\u03b6",
    "'": "\u2018\u2019`\u00b4",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2212_",
}
PLAIN = {ord(other): letter for letter, others in ALIKE.items() for other in others}


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


def read_name(text: str) -> str:
    """What somebody wants to be called; Refusal if parts of it cannot be seen."""
    if not BLANK.isdisjoint(text):
        raise Refusal("this name has letters that cannot be seen; choose another")
    return tidy(text, NAME_LENGTH)


def skeleton(name: str) -> str:
    """What a name looks like: of two that look the same it is the same."""
    spread = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    seen = "".join(letter for letter in spread if not _is_hidden(letter))
    return seen.translate(PLAIN).replace("rn", "m").replace("vv", "w").replace(" ", "")


def _is_hidden(letter: str) -> bool:
    """Joiners, and what chooses between forms of a letter."""
    return unicodedata.category(letter) == "Cf" or "\ufe00" <= letter <= "\ufe0f"
