"""Extras: what parts of skerry need beside the base, and how to get it once it is missed."""

from collections.abc import Iterator
from contextlib import contextmanager

from skerry.core.errors import OptionsError


class MissingExtra(ModuleNotFoundError, OptionsError):
    """A part of skerry was asked for that needs packages of an extra."""


@contextmanager
def needs(extra: str, what: str) -> Iterator[None]:
    """Around imports: if a package of others is not there, the error says which extra has it."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package == "skerry" or isinstance(error, MissingExtra):
            raise
        raise MissingExtra(
            f"{what} needs {package or error}, which is not installed: "
            f"pip install 'skerry[{extra}]'",
            name=error.name,
        ) from None
