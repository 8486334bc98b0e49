"""How the command line behaves as a whole: errors, interruption and closed pipes."""

import os
import re
import sys
import warnings
from io import TextIOWrapper
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from skerry.cli.common.setup import INTERRUPTED
from skerry.cli.common.terminal import escape_controls
from skerry.core.errors import SkerryError, SkerryWarning

BAD_INPUT = 2
READER_LEFT = 1


class Shell(TyperGroup):
    """A group of commands that answers bad input with one line and exit code 2."""

    def main(self, *args: Any, **settings: Any) -> Any:
        if sys.stdout is None:
            _refuse("standard output is closed: leave it open, or redirect it to /dev/null")
        _tolerate_all_characters()
        _warn_on_one_line()
        try:
            # Without the group's own standalone mode, errors come here.
            code = super().main(*args, **{**settings, "standalone_mode": False})
            sys.stdout.flush()
        except typer.TyperException as error:
            _refuse(_explain(error), hint=_help_for(error))
        except typer.Abort:
            sys.exit(INTERRUPTED)
        except BrokenPipeError:
            _silence_output()
            sys.exit(READER_LEFT)
        except OSError as error:
            _drop_unwritable_output()
            place = f"{error.filename}: " if error.filename else ""
            _refuse(f"{place}{error.strerror or error}")
        except SkerryError as error:
            _refuse(str(error))
        sys.exit(code if isinstance(code, int) else 0)


def _tolerate_all_characters() -> None:
    """Whatever is typed or named can be read and shown, if need be as an escape."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


def _warn_on_one_line() -> None:
    """What skerry itself warns of is said as errors are; other warnings stay what they were."""
    others = warnings.showwarning

    def show(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
        if issubclass(category, SkerryWarning):
            typer.echo(f"skerry: {escape_controls(str(message))}", err=True)
        else:
            others(message, category, *where, **more)

    warnings.showwarning = show


def _explain(error: typer.TyperException) -> str:
    """The group's own words, but for a number that it took for an option."""
    unknown = getattr(error, "option_name", "")
    if re.fullmatch(r"-[0-9]+", unknown):
        return f"{unknown} is negative, and no command takes a negative number"
    return error.format_message()


def _help_for(error: Exception) -> str:
    """Where to read on after a usage error."""
    context = getattr(error, "ctx", None)
    path = "skerry" if context is None else context.command_path
    return f"; try {path} --help"


def _refuse(message: str, hint: str = "") -> NoReturn:
    line = " ".join(message.split()).rstrip(".")
    typer.echo(f"skerry: {escape_controls(line)}{hint}", err=True)
    sys.exit(BAD_INPUT)


def _drop_unwritable_output() -> None:
    """See that what a full disk did not take is not tried again at the end, and said twice."""
    try:
        sys.stdout.flush()
    except OSError:
        _silence_output()


def _silence_output() -> None:
    """Give what is still buffered nowhere to go: the reader has left, or the disk is full."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
