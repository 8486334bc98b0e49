"""Reading records that are written as text, by people or by ``textwriter``.

A stack of open lines stands in for recursion, so the nesting of a hostile file costs nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from skerry.core.errors import RecordError, SkerryError, shorten
from skerry.core.options import read_options
from skerry.core.playthrough import Playthrough
from skerry.core.state import State
from skerry.games import kind
from skerry.records.annotations import read_clock, split_mark
from skerry.records.escapes import unescape, unfold
from skerry.records.scoresheet import OpenLine
from skerry.records.tree import (
    RESULT_HEADER,
    START_HEADERS,
    Line,
    Record,
    check_headers,
    check_result,
    check_result_known,
    find_start,
    list_results,
    name_move,
    say_why,
    share_game,
)

TOKEN = re.compile(
    r"""
      (?P<blank>   [ \t\n]+ )
    | (?P<header>  \[ [ \t]* (?P<key>[A-Za-z][A-Za-z0-9_]*) [ \t]+
                   "(?P<value>[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+)" [ \t]* \] )
    | (?P<comment> \{ [^\\{}]*+ (?:\\.[^\\{}]*+)*+ \} )
    | (?P<note>    ; [^\n]* )
    | (?P<clock>   < [^<>\n]* > )
    | (?P<open>    \( )
    | (?P<close>   \) )
    | (?P<number>  [0-9]{1,9}\.{1,3} )
    | (?P<word>    [^\s\[\]{}();"]+ )
    """,
    re.VERBOSE | re.DOTALL,
)
LOOKS_LIKE_RESULT = re.compile(r"\*|[0-9]+(/[0-9]+)?(-[0-9]+(/[0-9]+)?)+")
NOT_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
WHOLE_NUMBER = re.compile(r"[0-9]{1,19}")


def read_text(text: str, name: str | None = None) -> Iterator[Record]:
    """The records of a text, one by one; RecordError names the file and the line."""
    reader = _Reader(text.replace("\r\n", "\n").replace("\r", "\n"), name)
    while reader.begin_next():
        yield reader.read_record()


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    at: int  # offset in the text
    key: str = ""  # of a header
    value: str = ""


class _OpenedLine(NamedTuple):
    """A line that is being read, and where it begins in the text."""

    line: OpenLine
    opened_at: int


class _Reader:
    def __init__(self, text: str, name: str | None) -> None:
        self.text = text
        self.name = name
        stray = NOT_TEXT.search(text)
        if stray:
            what = "a NUL byte" if stray[0] == "\0" else f"the code {stray[0]!r}"
            raise self.error(stray.start(), f"{what} is no text: the record is damaged")
        self.tokens = self.split()
        self.token = _Token("start", "", 0)

    def error(self, at: int, message: str) -> RecordError:
        line = self.text.count("\n", 0, at) + 1
        where = f"{self.name}:{line}" if self.name else f"line {line}"
        return RecordError(f"{where}: {message}")

    def split(self) -> Iterator[_Token]:
        """The tokens of the text; the last one has the kind ``end``."""
        at = 0
        while at < len(self.text):
            found = TOKEN.match(self.text, at)
            if found is None:
                raise self.error(at, self.explain_break(at))
            kind = str(found.lastgroup)
            if kind != "blank":
                yield _Token(kind, found[0], at, found["key"], found["value"])
            at = found.end()
        # Cut-off text is reported on its last line, not on the empty one after it.
        yield _Token("end", "", len(self.text.rstrip()))

    def explain_break(self, at: int) -> str:
        letter = self.text[at]
        if letter == "{":
            return r"a comment starts here and never ends: close it with } (\{ is a brace in it)"
        if letter == "[":
            return 'a header is broken or cut off: write it on one line, as [Key "value"]'
        return f"{letter!r} does not belong here: moves, {{comments}} and (variations) do"

    def advance(self) -> None:
        self.token = next(self.tokens)

    def begin_next(self) -> bool:
        """Go on to the next record, if there is one; only now, since it may be damaged."""
        self.advance()
        return self.token.kind != "end"

    def read_record(self) -> Record:
        begun = self.token.at
        headers = self.read_headers()
        seed, start = self.read_start(headers, begun)
        others = {k: value for k, (value, _) in headers.items() if k not in START_HEADERS}
        line, end, result = self.read_moves(start)
        try:
            record = Record(start, line, result, others, seed)
        except RecordError as error:
            # All has been checked by now but what a Result header says.
            _, at = headers.get(RESULT_HEADER, ("", begun))
            raise self.error(at, say_why(error)) from None
        record.remember(end)
        return record

    def read_headers(self) -> dict[str, tuple[str, int]]:
        """Every header's value and where it stands."""
        headers: dict[str, tuple[str, int]] = {}
        while self.token.kind == "header":
            key, at = self.token.key, self.token.at
            if key in headers:
                raise self.error(at, f"a second {shorten(key)} header: keep one")
            try:
                value = unescape(self.token.value)
                if key not in START_HEADERS:
                    check_headers({key: value})
            except RecordError as error:
                raise self.error(at, f"header {shorten(key)}: {error}") from None
            headers[key] = value, at
            self.advance()
        return headers

    def read_start(
        self, headers: dict[str, tuple[str, int]], begun: int
    ) -> tuple[int | None, State]:
        """The seed and the start that the headers speak of."""
        if "Game" not in headers:
            raise self.error(
                begun, 'no Game header: a record begins with a line such as [Game "skew"]'
            )
        at = begun
        try:
            name, at = headers["Game"]
            found = kind(name.lower())
            options, at = headers.get("Options", ("", at))
            game = share_game(found, read_options(options.split()))
            seed = None
            if "Seed" in headers:
                text, at = headers["Seed"]
                seed = _read_seed(text)
            position, at = headers.get("Position", (None, at))
            return seed, find_start(game, seed, position)
        except SkerryError as error:
            raise self.error(at, say_why(error)) from None

    def read_moves(self, start: State) -> tuple[Line, Playthrough, str]:
        """The main line, where it ends, and the result."""
        open_lines = [_OpenedLine(OpenLine(Playthrough(start)), self.token.at)]
        while True:
            line, token = open_lines[-1].line, self.token
            if token.kind == "number":
                self.check_number(token, line.here)
            elif token.kind in ("comment", "note"):
                line.comment(self.read_comment(token))
            elif token.kind == "clock":
                self.read_clock(token, line)
            elif token.kind == "open":
                self.open_variation(token, open_lines)
            elif token.kind == "close":
                self.close_variation(token, open_lines)
            elif token.kind == "word" and LOOKS_LIKE_RESULT.fullmatch(token.text):
                self.check_end(token, open_lines)
                return line.close(), line.here, token.text
            elif token.kind == "word":
                self.read_word(token, line)
            else:
                raise self.explain_end(token, open_lines)
            self.advance()

    def check_number(self, token: _Token, here: Playthrough) -> None:
        if int(token.text.rstrip(".")) != here.number:
            raise self.error(
                token.at,
                f"number {token.text} stands where turn {here.number} is due: "
                "is a move missing or one too many?",
            )

    def read_comment(self, token: _Token) -> str:
        if token.kind == "note":
            return token.text[1:].strip(" \t")
        try:
            return unescape(unfold(token.text[1:-1]))
        except RecordError as error:
            raise self.error(token.at, f"in the comment that starts here, {error}") from None

    def read_clock(self, token: _Token, line: OpenLine) -> None:
        try:
            if line.plies and line.plies[-1].is_timed:
                raise RecordError(f"a second clock {shorten(token.text)}: keep one")
            left, spent = read_clock(token.text)
            line.annotate(left=left, spent=spent)
        except RecordError as error:
            raise self.error(token.at, say_why(error)) from None

    def open_variation(self, token: _Token, open_lines: list[_OpenedLine]) -> None:
        try:
            line = open_lines[-1].line.vary()
        except RecordError as error:
            raise self.error(token.at, say_why(error)) from None
        open_lines.append(_OpenedLine(line, token.at))

    def close_variation(self, token: _Token, open_lines: list[_OpenedLine]) -> None:
        if len(open_lines) == 1:
            raise self.error(token.at, "')' closes nothing: no variation is open")
        line, opened_at = open_lines.pop()
        if not line.plies:
            raise self.error(opened_at, "a variation needs at least one move")

    def read_word(self, token: _Token, line: OpenLine) -> None:
        """Play a move or a whole turn."""
        try:
            text, mark = split_mark(token.text)
            line.play(text, mark=mark)
        except SkerryError as error:
            raise self.error(
                token.at, f"{name_move(line.here, token.text)}: {say_why(error)}"
            ) from None

    def check_end(self, token: _Token, open_lines: list[_OpenedLine]) -> None:
        if len(open_lines) > 1:
            raise self.unclosed(open_lines[-1])
        state = open_lines[0].line.state
        try:
            check_result_known(state.game, token.text)
            check_result(state, token.text)
        except RecordError as error:
            raise self.error(token.at, say_why(error)) from None

    def unclosed(self, line: _OpenedLine) -> RecordError:
        return self.error(
            line.opened_at, "a variation starts here and never ends: close it with ')'"
        )

    def explain_end(self, token: _Token, open_lines: list[_OpenedLine]) -> RecordError:
        """Why the moves cannot end here: a header or the end of the text instead of a result."""
        if len(open_lines) > 1:
            return self.unclosed(open_lines[-1])
        results = ", ".join(list_results(open_lines[0].line.state.game))
        what = "the record ends" if token.kind == "end" else "the next record begins"
        return self.error(
            token.at, f"{what} without a result, so it may be cut off: end it with one of {results}"
        )


def _read_seed(text: str) -> int:
    if not WHOLE_NUMBER.fullmatch(text):
        raise RecordError(f"a seed is a whole number from 0, not {shorten(text)}")
    return int(text)
