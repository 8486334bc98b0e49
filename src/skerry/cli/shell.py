"""How the command line behaves as a whole: errors, interruption and closed pipes."""

import os
import sys
from io import TextIOWrapper
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from skerry.core.errors import SkerryError

BAD_INPUT = 2
INTERRUPTED = 130
READER_LEFT = 1


class Shell(TyperGroup):
    """A group of commands that answers bad input with one line and exit code 2."""

    def main(self, *args: Any, **settings: Any) -> Any:
        _tolerate_all_characters()
        try:
            # Without the group's own standalone mode, errors come here.
            code = super().main(*args, **{**settings, "standalone_mode": False})
            sys.stdout.flush()
        except typer.TyperException as error:
            _refuse(error.format_message(), hint=_help_for(error))
        except typer.Abort:
            sys.exit(INTERRUPTED)
        except BrokenPipeError:
            _silence_output()
            sys.exit(READER_LEFT)
        except OSError as error:
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


def _help_for(error: Exception) -> str:
    """Where to read on after a usage error."""
    context = getattr(error, "ctx", None)
    path = "skerry" if context is None else context.command_path
    return f"; try {path} --help"


def _refuse(message: str, hint: str = "") -> NoReturn:
    line = " ".join(message.split()).rstrip(".")
    typer.echo(f"skerry: {line}{hint}", err=True)
    sys.exit(BAD_INPUT)


def _silence_output() -> None:
    """Give what is still buffered nowhere to go: the reader has left."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
