"""Options of a game: what may be chosen, within which bounds, and what it means."""

import math
import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real

from skerry.core.errors import OptionsError, shorten


@dataclass(frozen=True)
class Option:
    """A whole number a game can be set up with; its meaning begins with what is counted.

    Some are variants of the rules that are ``ours``: no rule sheet has them, and a game in which
    nobody has chosen them is the game of the sheet and does not mention them.
    """

    name: str
    default: int
    low: int
    high: int
    meaning: str
    ours: bool = False

    @property
    def unit(self) -> str:
        """What is counted, such as ``holes``."""
        return self.meaning.split()[0]


LARGEST_INTEGER = 2**63 - 1  # what kernels count with
DEEPEST_PERFT = 10_000  # its stack of positions is allocated at once
WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
LONGEST_VALUE = 40  # characters that an error repeats of a value that is no number


def read_integer(value: object) -> int | None:
    """A value as a Python integer, whatever kind of integer it is; None if it is none."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]  # which is what it finds out
    except TypeError:  # arrays have __index__ too, and refuse unless they are one number
        return None


def whole_number(name: str, value: object, most: int = LARGEST_INTEGER, least: int = 0) -> int:
    """A value as a Python integer; OptionsError if it is none, or too large or small."""
    number = read_integer(value)
    if number is not None and least <= number <= most:
        return number
    high = "2**63 - 1" if most == LARGEST_INTEGER else most
    raise OptionsError(
        f"{name} must be a whole number from {least} to {high}, not {shorten(value)}"
    )


def positive_number(name: str, value: object) -> float:
    """A value as a finite number above 0; OptionsError if it is none."""
    if not isinstance(value, bool) and isinstance(value, Real):
        try:
            number = float(value)
        except OverflowError:  # a whole number of hundreds of digits
            number = math.inf
        if 0 < number < math.inf:
            return number
    raise OptionsError(f"{name} must be a number above 0, not {shorten(value)}")


def settle(game: str, options: Sequence[Option], chosen: Mapping[str, object]) -> dict[str, int]:
    """The value of every option but of variants that nobody chose, or an OptionsError that says
    what is allowed."""
    unknown = [name for name in chosen if name not in {option.name for option in options}]
    if unknown:
        names = ", ".join(option.name for option in options)
        raise OptionsError(f"{game} has no option {shorten(unknown[0])}; there is {names}")
    settled = {
        option.name: whole_number(
            f"{game}: {option.name}",
            chosen.get(option.name, option.default),
            option.high,
            option.low,
        )
        for option in options
    }
    unchosen = {option.name for option in options if option.ours}
    unchosen &= {option.name for option in options if settled[option.name] == option.default}
    return {name: value for name, value in settled.items() if name not in unchosen}


def read_options(texts: Iterable[str]) -> dict[str, object]:
    """``["side=4"]`` as ``{"side": 4}``; names and values are for the game to judge."""
    options: dict[str, object] = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (name and sign and value):
            raise OptionsError(f"option {shorten(text)} is not NAME=VALUE, such as side=4")
        if name in options:
            raise OptionsError(f"option {shorten(name)} is given twice")
        options[name] = int(value) if WHOLE_NUMBER.fullmatch(value) else value[:LONGEST_VALUE]
    return options


def write_options(options: Mapping[str, int]) -> str:
    """``{"side": 3, "pegs": 5}`` as ``side=3 pegs=5``, the form that records have."""
    return " ".join(f"{name}={value}" for name, value in options.items())
