"""What a record may say of a move beside words: a mark, and the time on its mover's clock."""

import re

from skerry.core.errors import RecordError, shorten
from skerry.core.options import read_integer

# From the best to the worst, as chess players write them.
MARKS = ("!!", "!", "!?", "?!", "?", "??")
LONGEST_TIME = 10**12 - 1  # milliseconds, some thirty years
CLOCK_FORM = "<4:58.7> for the time left, <+0:12> for the time taken, or both, <4:58.7+0:12>"

TIME = re.compile(r"(?:(?:([0-9]{1,9}):)?([0-9]{1,9}):)?([0-9]{1,12})(?:\.([0-9]{1,3}))?")
MARKED = re.compile(r"(.*?[^!?])([!?]+)", re.DOTALL)


def check_mark(mark: str) -> None:
    """See that a mark is one of those there are, or none."""
    if not isinstance(mark, str) or (mark and mark not in MARKS):
        raise RecordError(f"{shorten(mark)} is no mark: use one of {', '.join(MARKS)}")


def settle_time(what: str, time: object) -> int | None:
    """A time in whole milliseconds, wherever the number comes from; None where nobody knows it."""
    if time is None:
        return None
    settled = read_integer(time)
    if settled is None:
        raise RecordError(f"{what} is a whole number of milliseconds, not {shorten(time)}")
    if not 0 <= settled <= LONGEST_TIME:
        raise RecordError(
            f"{what} is from 0 to {LONGEST_TIME} milliseconds, not {shorten(settled)}"
        )
    return settled


def split_mark(word: str) -> tuple[str, str]:
    """A move as it is written, and the mark behind it; RecordError where there is no such mark."""
    found = MARKED.fullmatch(word)
    if found is None:
        return word, ""
    check_mark(found[2])
    return found[1], found[2]


def write_clock(left: int | None, spent: int | None) -> str:
    """The time left after a move and the time it took, as text has them; nothing for neither."""
    if left is None and spent is None:
        return ""
    taken = "" if spent is None else f"+{_write_time(spent)}"
    return f"<{'' if left is None else _write_time(left)}{taken}>"


def read_clock(text: str) -> tuple[int | None, int | None]:
    """The inverse of ``write_clock``; RecordError where the text is none of it."""
    left, plus, spent = text[1:-1].partition("+")
    if not left and not plus:
        raise RecordError(f"{shorten(text)} is no clock: write {CLOCK_FORM}")
    return (
        _read_time(left, text) if left else None,
        _read_time(spent, text) if plus else None,
    )


def _write_time(time: int) -> str:
    seconds, thousandths = divmod(time, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    whole = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return f"{whole}.{thousandths:03}".rstrip("0") if thousandths else whole


def _read_time(text: str, clock: str) -> int:
    found = TIME.fullmatch(text)
    if found is None:
        raise RecordError(f"{shorten(clock)} is no clock: write {CLOCK_FORM}")
    hours, minutes, seconds, fraction = found.groups("0")
    whole = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
    time = settle_time("a time", whole * 1000 + int(fraction.ljust(3, "0")))
    return time or 0
