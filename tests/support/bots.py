"""Programs and objects that play, well or badly, for tests of those who ask them."""

import os
import sys
from pathlib import Path

import skerry

# What a program does with the lines it reads; the rest of a loop around it is the same for all.
FIRST = "go) set -- $moves; echo $1;;"
LOOP = """#!/bin/sh
while read -r word rest; do
  case $word in
    skerry) echo "ready test";;
    legal) moves=$rest;;
    quit) exit;;
    {deed}
  esac
done
"""
ENGINE = f"{sys.executable} -m skerry.cli engine --workers 1"


def write_bot(folder: Path, deed: str = FIRST, name: str = "bot.sh") -> str:
    """A program in the shell; returns its path."""
    return write_program(folder, LOOP.format(deed=deed), name)


def write_program(folder: Path, text: str, name: str = "bot.sh") -> str:
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def is_running(pid: int) -> bool:
    """Whether there is such a process, dead ones that nobody has asked about included."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class Last:
    """Plays the last legal move, in each of the ways to say so."""

    def choose(self, state: skerry.State) -> skerry.Move:
        return state.legal_moves()[-1]


class ByText(Last):
    def choose(self, state: skerry.State) -> str:  # type: ignore[override]
        return str(state.legal_moves()[-1])


class ByAction(Last):
    def choose(self, state: skerry.State) -> int:  # type: ignore[override]
        return int(state.legal_actions()[-1])


class Seeded:
    """Plays by the seed alone."""

    def choose(self, state: skerry.State, seed: int | None = None) -> skerry.Move:
        moves = state.legal_moves()
        return moves[(seed or 0) % len(moves)]


class Broken:
    """Raises whatever it is made with, once it has made so many moves."""

    def __init__(self, error: BaseException, after: int = 0) -> None:
        self.error = error
        self.after = after

    def choose(self, state: skerry.State) -> skerry.Move:
        self.after -= 1
        if self.after < 0:
            raise self.error
        return state.legal_moves()[0]


class Deadly:
    """Ends the process that it is in, once it has made so many moves."""

    def __init__(self, after: int = 0) -> None:
        self.after = after

    def choose(self, state: skerry.State) -> skerry.Move:
        print("farewell")
        self.after -= 1
        if self.after < 0:
            os._exit(7)
        return state.legal_moves()[0]


class Asleep:
    """Never answers, and does not let itself be disturbed."""

    def choose(self, state: skerry.State) -> skerry.Move:
        while True:
            try:
                while True:
                    pass
            except Exception:  # noqa: S112  # as careless as can be
                continue


last = Last()
