"""The conversation of a terminal game: show the board, read a line, do what it says."""

import os
from collections.abc import Callable

import typer

from skerry.cli.prompt import ask, complete_with, moves_from, similar_moves
from skerry.cli.table import Table
from skerry.cli.terminal import draw_board
from skerry.core.errors import SkerryError
from skerry.render.marks import mark_last, mark_targets

MOVES_IN_A_LINE = 10
HELP = """\
Type a move, or the start of one and TAB. {example}
  moves [START]   list the legal moves, or those that start so
  board           show the board again
  undo [N]        take back the last action, or the last N
  resign          give up; the seat to move loses
  save FILE       write the game to a new file
  load FILE       go on with the game in a file (resume FILE is the same)
  help            this list
  quit            leave"""


class Session:
    """One game at one terminal. With ``path`` the game is saved there after every change."""

    def __init__(self, table: Table, path: str | None, ascii: bool) -> None:
        self.table = table
        self.path = path
        self.ascii = ascii
        self.written = set() if path is None else {os.path.realpath(path)}
        self.commands: dict[str, Callable[[str], None]] = {
            "?": self.help,
            "help": self.help,
            "moves": self.list_moves,
            "board": self.show,
            "undo": self.undo,
            "resign": self.resign,
            "save": self.save,
            "load": self.load,
            "resume": self.load,
        }

    def run(self) -> None:
        """Play until somebody leaves."""
        if self.path is not None:
            self.table.save(self.path)  # now, so that a path that does not work is known at once
        complete_with(self.complete)
        typer.echo(f"{self.table.game.title}. Type help for help, quit to leave.")
        self.show("")
        while (entry := ask(self.question())) is not None:
            if entry.lower() in ("quit", "exit", "q"):
                break
            if entry:
                self.obey(entry)
        where = f" The game is in {self.path}." if self.path else ""
        typer.echo(f"Bye.{where}")

    def question(self) -> str:
        table = self.table
        if table.is_over or table.state.to_move is None:
            return "over> "
        return f"{table.game.seats[table.state.to_move]}> "

    def obey(self, entry: str) -> None:
        """Carry out a command or a move; whatever is wrong with it is said, and that is all."""
        word, _, rest = entry.partition(" ")
        command = self.commands.get(word.lower())
        try:
            if command is not None:
                command(rest.strip())
            else:
                self.play(entry)
        except SkerryError as error:
            typer.echo(f"No: {error}")

    def complete(self, text: str) -> list[str]:
        words = [word for word in (*self.commands, "quit") if word.startswith(text)]
        return words + moves_from(self.table.state, text)

    # Commands; each takes the rest of the line.

    def help(self, rest: str) -> None:
        moves = self.table.state.legal_moves()
        typer.echo(HELP.format(example=f"For example {moves[0]}." if moves else ""))

    def list_moves(self, start: str) -> None:
        found = moves_from(self.table.state, start)
        for i in range(0, len(found), MOVES_IN_A_LINE):
            typer.echo("  ".join(found[i : i + MOVES_IN_A_LINE]))
        typer.echo(f"{len(found)} legal move{'' if len(found) == 1 else 's'}")

    def undo(self, rest: str) -> None:
        if rest and not (rest.isascii() and rest.isdigit() and int(rest[:9]) > 0):
            typer.echo("No: undo takes a number of actions, for example undo 2")
        elif self.table.undo(int(rest[:9] or 1)):
            self.changed()
        else:
            typer.echo("No: nothing has been played yet")

    def resign(self, rest: str) -> None:
        self.table.resign()
        self.changed()

    def save(self, rest: str) -> None:
        file = os.path.expanduser(rest)
        if not file:
            typer.echo("No: say where to, for example save game.txt")
            return
        # Only what this session wrote may be overwritten: another file may hold another game.
        if os.path.exists(file) and os.path.realpath(file) not in self.written:
            typer.echo(f"No: there is a file {file} already; choose another name")
            return
        self.table.save(file)
        self.written.add(os.path.realpath(file))
        typer.echo(f"Saved in {file}.")

    def load(self, rest: str) -> None:
        file = os.path.expanduser(rest)
        if not file:
            typer.echo("No: say which, for example load game.txt")
            return
        loaded = Table.open(file)
        # The game left behind stays in the file of this session.
        loaded.kept = (*self.table.kept, self.table.record())
        self.table = loaded
        self.changed()

    def play(self, entry: str) -> None:
        try:
            self.table.play(entry)
        except SkerryError as error:
            typer.echo(f"No: {error}")
            similar = [] if self.table.is_over else similar_moves(self.table.state, entry)
            if similar:
                typer.echo(f"Did you mean {', '.join(similar)}?")
            return
        self.changed()

    def changed(self) -> None:
        """After every change: save and show."""
        if self.path is not None:
            try:
                self.table.save(self.path)
            except SkerryError as error:
                typer.echo(f"NOT SAVED: {error}", err=True)
        self.show("")

    def show(self, rest: str) -> None:
        """The board, the last move and whose turn it is."""
        table, state = self.table, self.table.state
        scene = state.scene()
        last = table.last_turn()
        if last is not None:
            scene = mark_last(scene, last[1], last[0].scene())
        if not table.is_over:
            scene = mark_targets(scene, [str(move) for move in state.legal_moves()])
        typer.echo(f"\n{draw_board(scene, self.ascii)}\n")
        typer.echo(self.say_turn())

    def say_turn(self) -> str:
        table = self.table
        seats = table.game.seats
        said = []
        mover, last = None, table.last_turn()
        if last is not None and last[0].to_move is not None:
            mover = last[0].to_move
            said.append(f"{seats[mover]} played {last[1]}.")
        ended = table.how_it_ended()
        if ended is not None:
            said.append(f"The game is over: {ended}.")
        elif table.state.to_move is not None:
            again = " again" if table.state.to_move == mover else ""
            said.append(f"{seats[table.state.to_move]} to move{again}.")
        return " ".join(said)
