"""Everything skerry raises on purpose; each message tells a person what to do next."""

import os
import warnings

LONGEST_SHOWN = 40
TOLD = "SKERRY_TOLD"  # in the environment: what a process has said, its children need not repeat
LONGEST_STORY = 300


def shorten(value: object) -> str:
    """Quote a value of unknown origin, cut to a length fit for an error message."""
    try:
        text = repr(value)
    except Exception:  # of a whole number with more digits than Python writes, for example
        return f"a value of type {type(value).__name__} that is too long to show"
    return text if len(text) <= LONGEST_SHOWN + 2 else f"{text[:LONGEST_SHOWN]}...{text[-1]}"


class SkerryWarning(UserWarning):
    """Something is missing or slower than it could be, and all else goes on."""


def warn(message: str) -> None:
    """Say something on one line, once: to whoever started this process, and not by each of those
    that it starts."""
    told = os.environ.get(TOLD, "").splitlines()
    if message not in told:
        os.environ[TOLD] = "\n".join([*told, message])
        # No line of code is to blame, so none is shown.
        warnings.warn_explicit(message, SkerryWarning, "skerry", 1)


class SkerryError(ValueError):
    """Base of all errors that bad input can cause."""


class OptionsError(SkerryError):
    """A game was asked for with options it does not have or values it does not allow."""


class InvalidMove(SkerryError):
    """A move that cannot be read: it names nothing on this board."""


class IllegalMove(SkerryError):
    """A move that can be read but that the rules forbid here; the message says why."""


class PositionError(SkerryError):
    """A position text that is damaged, or that shows more pieces or winners than there can be."""


class SolveLimit(SkerryError):
    """A position was not solved within the nodes or the seconds allowed for it."""


class RecordError(SkerryError):
    """A game record that is damaged or that breaks the rules; the message names the place."""


class EngineError(SkerryError):
    """A program that was asked something refused it, failed, or is not there any more."""


class Forfeit(SkerryError):
    """A player has lost its game by what it did or did not do; the message says which.

    ``detail`` is what it said on its way out, for whoever runs it and nobody else.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.detail = detail

    @property
    def story(self) -> str:
        """The message on one line, with the last line of the detail."""
        last = [f"({line.strip()})" for line in self.detail.splitlines()[-1:]]
        words = " ".join(" ".join([str(self), *last]).split())
        told = "".join(letter if letter.isprintable() else "?" for letter in words)
        return told if len(told) <= LONGEST_STORY else f"{told[:LONGEST_STORY]}..."
