"""Asking people for input: completion with TAB where there is a terminal, hints everywhere."""

import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches

import typer

from skerry.core.errors import OptionsError, SkerryError
from skerry.core.notation import TURN_JOINT
from skerry.core.state import State
from skerry.games import GAMES, kind

MOST_HINTS = 8
LONGEST_LINE = 10_000  # characters; no move or command comes near


def ask(question: str) -> str | None:
    """A line of input, None at its end or on Ctrl-C."""
    if sys.stdin is None:
        raise OptionsError("standard input is closed, so nothing can be typed: leave it open")
    try:
        if sys.stdin.isatty():
            return input(question).strip()
        typer.echo(question, nl=False)
        answer = _read_line()
    except (EOFError, KeyboardInterrupt):
        typer.echo()
        return None
    typer.echo(answer)  # so that a transcript shows what was typed
    return answer


def _read_line() -> str:
    """A line from a program or a file, of which no more is kept than anybody could mean."""
    line = sys.stdin.readline(LONGEST_LINE)
    rest = line
    while rest and not rest.endswith("\n"):
        rest = sys.stdin.readline(LONGEST_LINE)
    if not line:
        raise EOFError
    return line.strip()


def ask_game() -> str | None:
    """Which game to play, by number, name or the start of a name."""
    for number, name in enumerate(GAMES, 1):
        typer.echo(f"{number}  {kind(name).title}: {kind(name).summary}")
    while (answer := ask("Which game? ")) is not None:
        wanted = answer.lower()
        found = [
            name
            for number, name in enumerate(GAMES, 1)
            if wanted and (wanted == str(number) or name.startswith(wanted))
        ]
        if wanted in GAMES:
            return wanted
        if len(found) == 1:
            return found[0]
        typer.echo(f"Type a number from 1 to {len(GAMES)}, or one of {', '.join(GAMES)}.")
    return None


def complete_with(candidates: Callable[[str], Sequence[str]]) -> None:
    """Let TAB complete what is typed, if there is a terminal and a line editor."""
    if sys.stdin is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return
    try:
        import readline
    except ImportError:
        return

    def complete(text: str, index: int) -> str | None:
        found = candidates(text)
        return found[index] if index < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" \t\n")  # a move is one word, whatever it joins its parts with
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")


def moves_from(state: State, prefix: str) -> list[str]:
    """The legal moves that start like this; within a turn of several actions, its rest."""
    prefix = prefix.lower()
    found = [str(move) for move in state.legal_moves() if str(move).startswith(prefix)]
    head, joint, rest = prefix.rpartition(TURN_JOINT)
    if found or not joint or not state.game.turns_of_several_actions:
        return found
    try:
        after = state.play(head)
    except SkerryError:
        return []
    if after.to_move != state.to_move:
        return []
    return [f"{head}{joint}{move}" for move in after.legal_moves() if str(move).startswith(rest)]


def similar_moves(state: State, entry: str) -> list[str]:
    """Legal moves that somebody who typed this may have meant, the likeliest first."""
    entry = entry.lower()[:40]
    for length in range(len(entry), 0, -1):
        started = moves_from(state, entry[:length])
        if 0 < len(started) <= MOST_HINTS:
            return started
    moves = [str(move) for move in state.legal_moves()]
    return get_close_matches(entry, moves, n=MOST_HINTS // 2, cutoff=0.4)
