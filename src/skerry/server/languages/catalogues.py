"""Catalogues of messages, as gettext has them: a folder for each language, a file for each subject.

Translators write ``locale/<language>/LC_MESSAGES/*.po``, and those files are what is read: there is
nothing to compile, so that a source tree and an installed package work alike. Whatever a catalogue
lacks is said in English, which is the language of the messages themselves.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from gettext import c2py
from pathlib import Path

LOCALE = Path(__file__).parent / "locale"
ENGLISH = "en"
SCRIPTS = "scripts"  # the subject that browsers are sent
ESCAPE = re.compile(r"\\(.)")
ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
RULE = re.compile(r"nplurals=[^;]*;\s*plural=([^;]+)")
BETWEEN = "\x04"  # what stands between the context of a message and the message, as in gettext


def _count_as_english(number: int) -> int:
    return int(number != 1)


@dataclass(frozen=True)
class Catalogue:
    """What the messages are in a language: a form for each number that its grammar tells apart."""

    language: str
    messages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scripted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # for scripts alone
    plural: Callable[[int], int] = _count_as_english
    rule: str = "n != 1"  # the same for scripts, which are given n

    def gettext(self, message: str) -> str:
        return self.messages.get(message, (message,))[0]

    def pgettext(self, context: str, message: str) -> str:
        """A message that means different things at different places."""
        return self.messages.get(context + BETWEEN + message, (message,))[0]

    def ngettext(self, one: str, many: str, number: int) -> str:
        forms = self.messages.get(one)
        if forms is None:
            return many if _count_as_english(number) else one
        return forms[min(self.plural(number), len(forms) - 1)]

    def enumerate(self, words: Iterable[str]) -> str:
        """Several words as in a sentence: ``one, two and three``."""
        *others, last = words
        if not others:
            return last
        before = self.pgettext("between the parts of a list", ", ").join(others)
        return self.pgettext("the end of a list", "{others} and {last}").format(
            others=before, last=last
        )

    @property
    def name(self) -> str:
        """What the language calls itself."""
        return self.gettext("English")


@dataclass
class _Translation:
    """A message while its lines are read."""

    fuzzy: bool = False
    parts: dict[str, str] = field(default_factory=dict)
    current: str = ""

    @property
    def key(self) -> str:
        context = self.parts.get("msgctxt")
        return self.parts.get("msgid", "") if context is None else f"{context}{BETWEEN}{self.text}"

    @property
    def text(self) -> str:
        return self.parts.get("msgid", "")

    @property
    def forms(self) -> tuple[str, ...]:
        names = [name for name in self.parts if name.startswith("msgstr")]
        return tuple(self.parts[name] for name in sorted(names))


def _unquote(text: str) -> str:
    inside = text[1:-1]
    return ESCAPE.sub(lambda found: ESCAPED.get(found[1], found[1]), inside)


def _read_entries(lines: Iterator[str]) -> Iterator[_Translation]:
    """The messages of a file, one after the other; blank lines stand between them."""
    entry = _Translation()
    for line in lines:
        if line.startswith("#"):
            entry.fuzzy |= line.startswith("#,") and "fuzzy" in line
        elif line.startswith('"'):
            entry.parts[entry.current] += _unquote(line)
        elif line:
            entry.current, _, text = line.partition(" ")
            entry.parts[entry.current] = _unquote(text)
        else:
            yield entry
            entry = _Translation()
    yield entry


def read_messages(file: Path) -> tuple[dict[str, tuple[str, ...]], str]:
    """The messages of a file that are translated, and its header."""
    messages: dict[str, tuple[str, ...]] = {}
    header = ""
    lines = map(str.strip, file.read_text(encoding="utf-8").splitlines())
    for entry in _read_entries(lines):
        if not entry.text:
            header = header or "".join(entry.forms)
        elif all(entry.forms) and not entry.fuzzy:
            messages[entry.key] = entry.forms
    return messages, header


def _find_rule(header: str) -> str:
    """How a language counts, as in ``Plural-Forms: nplurals=2; plural=(n != 1);``."""
    found = RULE.search(header)
    return found[1] if found else "n != 1"


@cache
def list_languages() -> tuple[str, ...]:
    """The languages that there is a folder for, and English."""
    found = (path.parent.name for path in LOCALE.glob("*/LC_MESSAGES"))
    return (ENGLISH, *sorted(found))


@cache
def open_catalogue(language: str) -> Catalogue:
    """All that is said in a language."""
    messages: dict[str, tuple[str, ...]] = {}
    scripted: dict[str, tuple[str, ...]] = {}
    header = ""
    for file in sorted((LOCALE / language / "LC_MESSAGES").glob("*.po")):
        found, header = read_messages(file)
        if file.stem == SCRIPTS:
            scripted = found
        else:
            messages |= found
    rule = _find_rule(header)
    return Catalogue(language, messages, scripted, c2py(rule), rule)
