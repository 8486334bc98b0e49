"""Escapes, by which any text fits in a header or a comment and stays on its line."""

import re
import unicodedata

from skerry.core.errors import RecordError, shorten

ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)", re.DOTALL)
UNESCAPED = {"\\": "\\", '"': '"', "{": "{", "}": "}", "n": "\n", "r": "\r", "t": "\t"}
ESCAPED = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\\": r"\\"}
LINE_SEPARATORS = "\u2028\u2029"


def escape(text: str, marks: str) -> str:
    """A text as it stands in a file, between marks that it may hold itself."""
    return "".join(_escape_letter(letter, marks) for letter in text)


def _escape_letter(letter: str, marks: str) -> str:
    if letter in marks:
        return "\\" + letter
    if letter in ESCAPED:
        return ESCAPED[letter]
    # Unseen characters could be lost, or could act on the terminal that shows them.
    if unicodedata.category(letter) == "Cc" or letter in LINE_SEPARATORS:
        return f"\\u{ord(letter):04x}"
    return letter


def unescape(text: str) -> str:
    """The inverse of ``escape``; RecordError where an escape means nothing."""
    return ESCAPE.sub(_unescape_one, text)


def _unescape_one(found: re.Match[str]) -> str:
    what = found[1]
    if what in UNESCAPED:
        return UNESCAPED[what]
    if len(what) > 1:
        code = int(what[1:], 16)
        if not 0xD800 <= code < 0xE000:  # halves of a character
            return chr(code)
    raise RecordError(f"{shorten(found[0])} means nothing: write \\\\ for a backslash")


def unfold(text: str) -> str:
    """A comment on one line: a line break and the blanks around it read as one space."""
    first, *rest = text.split("\n")
    if not rest:
        return text
    middle = [piece for line in rest[:-1] if (piece := line.strip(" \t"))]
    return " ".join([first.rstrip(" \t"), *middle, rest[-1].lstrip(" \t")])
