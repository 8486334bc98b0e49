"""Sentences that were said in English, by rules, engines or refusals, in the language of a reader.

Whatever says them knows of no language, some were said long ago and kept, and most arrive filled
in: ``a1 is not empty``. The catalogue has them with their places, ``{cell} is not empty``, and so
they are recognised. What is in a place may be a message itself, such as the name of a seat. Names
and remarks of visitors are never given here on their own.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from skerry.server.languages.catalogues import BETWEEN, ENGLISH, open_catalogue
from skerry.server.languages.choice import current_language

PLACE = re.compile(r"\{(\w+)\}")
END = re.compile(r"(?<=[.?!]) ")  # between sentences
STOP = "."
COMMA = ", "
LIST = re.compile(", | and ")
KEPT = 8192  # sentences


class Pattern(NamedTuple):
    """A message with places: what it looks like once they are filled in, and what it is then.

    The longest of its own words rule most sentences out at once.
    """

    words: str
    looks: re.Pattern[str]
    names: tuple[str, ...]
    text: str
    is_closed: bool  # it has a full stop of its own


def translate(sentence: str) -> str:
    """What was said in the language of whoever is answered; what nobody has translated as it is."""
    language = current_language()
    return sentence if language == ENGLISH else _translate(language, sentence)


def translate_all(sentences: Iterable[str]) -> list[str]:
    return [translate(sentence) for sentence in sentences]


@lru_cache(maxsize=KEPT)
def _translate(language: str, text: str) -> str:
    """All sentences of a text; of those that are one message together, as many as possible."""
    sentences = END.split(text)
    done = []
    while sentences:
        for count in range(len(sentences), 0, -1):
            found = _recognise(language, " ".join(sentences[:count]))
            if found is not None:
                break
        done.append(sentences[0] if found is None else found)
        del sentences[: count if found is not None else 1]
    return open_catalogue(language).pgettext("between sentences", " ").join(done)


def _recognise(language: str, sentence: str) -> str | None:
    """A message, with or without a full stop behind it."""
    catalogue = open_catalogue(language)
    bare = sentence.removesuffix(STOP)
    stop = "" if bare == sentence else catalogue.pgettext("end of a sentence", ".")
    for text, ending in ((sentence, ""), (bare, stop)):
        exact = catalogue.messages.get(text)
        if exact is not None:
            return exact[0] + ending
    for pattern in list_patterns(language):
        text, ending = (sentence, "") if pattern.is_closed else (bare, stop)
        filled = pattern.looks.fullmatch(text) if pattern.words in text else None
        if filled:
            values = (_translate_value(language, value) for value in filled.groups())
            return _fill(pattern.text, dict(zip(pattern.names, values, strict=True))) + ending
    return None


def _translate_value(language: str, value: str) -> str:
    """What is in a place: a message, several as in a sentence, or what stays as it is."""
    parts = [_recognise(language, part) for part in LIST.split(value)]
    if " and " in value and None not in parts:
        return open_catalogue(language).enumerate(filter(None, parts))
    return COMMA.join(_recognise(language, part) or part for part in value.split(COMMA))


def _fill(text: str, values: dict[str, str]) -> str:
    return PLACE.sub(lambda place: values.get(place[1], place[0]), text)


@cache
def list_patterns(language: str) -> tuple[Pattern, ...]:
    """All messages with places that may be said to us: those first that begin with words of their
    own, and of these those that say most."""
    messages = open_catalogue(language).messages
    found = [
        (message, forms[0])
        for message, forms in messages.items()
        if BETWEEN not in message and PLACE.search(message)
    ]
    found.sort(key=lambda pair: (pair[0].startswith("{"), -len(PLACE.sub("", pair[0]))))
    return tuple(_make_pattern(message, text) for message, text in found)


def _make_pattern(message: str, text: str) -> Pattern:
    """A place that is named twice holds the same twice, and none reaches into another sentence."""
    parts, names = [], []
    split = PLACE.split(message)
    for number, part in enumerate(split):
        if number % 2 == 0:
            parts.append(re.escape(part))
        elif part in names:
            parts.append(f"(?P={part})")
        else:
            parts.append(rf"(?P<{part}>(?:(?![.?!] ).)+?)")
            names.append(part)
    looks = re.compile("".join(parts), re.DOTALL)
    return Pattern(max(split[::2], key=len), looks, tuple(names), text, message.endswith(STOP))
