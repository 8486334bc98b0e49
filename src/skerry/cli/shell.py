"""How the command line behaves as a whole: errors, interruption and closed pipes."""

import os
import sys
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

BAD_INPUT = 2
INTERRUPTED = 130
ALL_WELL = 0


class Shell(TyperGroup):
    """A group of commands that answers bad input with one line and exit code 2."""

    def main(self, *args: Any, standalone_mode: bool = True, **extra: Any) -> Any:
        try:
            code = super().main(*args, standalone_mode=False, **extra)
            sys.stdout.flush()
        except typer.TyperException as error:
            _refuse(error.format_message(), hint=_help_for(error))
        except typer.Abort:
            sys.exit(INTERRUPTED)
        except BrokenPipeError:
            _silence_output()
            sys.exit(ALL_WELL)
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            _refuse(f"{place}{error.strerror or error}")
        except ValueError as error:
            # By now the library is loaded if the error is one of ours.
            if not _is_ours(error):
                raise
            _refuse(str(error))
        sys.exit(code if isinstance(code, int) else ALL_WELL)


def _is_ours(error: Exception) -> bool:
    from skerry.core.errors import SkerryError

    return isinstance(error, SkerryError)


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
