"""The conversation of a terminal game: show the board, read a line, do what it says."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import pairwise
from typing import TYPE_CHECKING

import typer

from skerry.cli.common.prompt import ask, complete_with, moves_from, similar_moves
from skerry.cli.common.savefile import SaveFile, check_new_place, check_place
from skerry.cli.common.setup import engine_notice
from skerry.cli.common.terminal import escape_controls
from skerry.cli.session.display import draw_ongoing
from skerry.cli.session.ongoing import OngoingGame, choose_seed
from skerry.cli.session.seats import name_engines
from skerry.core.errors import Forfeit, IllegalMove, OptionsError, SkerryError
from skerry.records import load

if TYPE_CHECKING:
    from skerry.search.players import Player

MOVES_IN_A_LINE = 10
AFTERWARDS = "Type undo to take back the last move, new for another game, load FILE, or quit."
HELP = """\
Type a move, or the start of one and TAB. {example}
  moves [START]   list the legal moves, or those that start with START
  hint            some of the legal moves
  board           show the board again
  undo [N]        take back the last action, or the last N
  resign          give up: {resigning}
  new             begin another game of the same kind
  save FILE       write the game to a new file
  load FILE       resume the game in a file (resume FILE is the same)
  help            this list
  quit            leave (q and exit are the same)"""


@dataclass
class Session:
    """One game at one terminal. With ``file`` the game is saved there after every change.

    ``players`` are the engines by seat, None where a person sits.
    """

    ongoing: OngoingGame
    file: SaveFile | None
    ascii: bool
    players: "Sequence[Player | None]"
    seed: int | None = None
    saved_in: str | None = None  # the game as it stands
    save_failed: bool = False
    leaving: bool = False
    written: list[SaveFile] = field(default_factory=list)  # by the save command

    def __post_init__(self) -> None:
        self.commands: dict[str, Callable[[str], None]] = {
            "?": self.help,
            "help": self.help,
            "moves": self.list_moves,
            "hint": self.hint,
            "board": self.show,
            "undo": self.undo,
            "resign": self.resign,
            "new": self.begin_next,
            "save": self.save,
            "load": self.load,
            "resume": self.load,
            "quit": self.leave,
            "exit": self.leave,
            "q": self.leave,
        }

    def run(self) -> None:
        """Play until somebody leaves, or until engines among themselves are done."""
        complete_with(self.complete)
        typer.echo(f"{self.ongoing.game.title}. Type help for help, quit to leave.")
        self.show("")
        while not self.leaving:
            engine = self.engine_to_move()
            if engine is not None:
                self.play_for(engine)
            elif None not in self.players or (entry := ask(self.question())) is None:
                break
            elif entry:
                self.obey(entry)
        typer.echo(self.goodbye())

    def question(self) -> str:
        ongoing = self.ongoing
        if ongoing.is_over or ongoing.state.to_move is None:
            return "over> "
        return f"{ongoing.game.seats[ongoing.state.to_move]}> "

    def goodbye(self) -> str:
        if self.saved_in is not None:
            return f"Bye. The game is in {self.saved_in}."
        return "Bye. The game could NOT be saved as it stands." if self.save_failed else "Bye."

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
            if command is None:
                self.suggest(entry)

    def play(self, entry: str) -> None:
        """Make the moves of a turn, before the eyes of the engines."""
        before = self.ongoing.line.plies
        moves = self.ongoing.play(entry)
        steps = zip(pairwise(self.ongoing.line.since(before - 1)), moves, strict=True)
        for (here, there), move in steps:
            for engine in filter(None, self.players):
                with suppress(Forfeit):  # it is asked again when it is to move
                    engine.follow(here.state, move, there.state)
        self.changed()

    def suggest(self, entry: str) -> None:
        """What may have been meant by something that is neither a command nor a legal move."""
        similar = [] if self.ongoing.is_over else similar_moves(self.ongoing.state, entry)
        if not any(letter.isdigit() for letter in entry):
            similar = get_close_matches(entry.lower(), self.commands, n=1) or similar
            typer.echo("Type help for a list of commands.")
        if similar:
            typer.echo(f"Did you mean {', '.join(similar)}?")

    def complete(self, text: str) -> list[str]:
        words = [word for word in self.commands if word.startswith(text)]
        return words + moves_from(self.ongoing.state, text)

    # Engines.

    def engine_to_move(self) -> "Player | None":
        seat = self.ongoing.state.to_move
        return None if seat is None or self.ongoing.is_over else self.players[seat]

    def play_for(self, engine: "Player") -> None:
        """Let an engine make its move; Ctrl-C while it thinks is leaving."""
        seed = None if self.seed is None else self.seed + self.ongoing.line.plies
        try:
            with engine_notice():
                move = engine.choose(self.ongoing.state, seed)
        except KeyboardInterrupt:
            self.leaving = True
            return
        except Forfeit as forfeit:
            self.forfeit(forfeit)
            return
        self.play(str(move))

    def forfeit(self, why: Forfeit) -> None:
        """The player that is to move has lost; what it complained of is for whoever runs it."""
        if why.detail:
            typer.echo(escape_controls(why.detail, keep="\n"), err=True)
        self.ongoing.forfeit(why.story)
        self.changed()

    # Commands; each takes the rest of the line.

    def help(self, rest: str) -> None:
        moves = self.ongoing.state.legal_moves()
        two = self.ongoing.game.num_seats == 2
        resigning = "the other seat wins" if two else "the game ends without a winner"
        example = f"For example {moves[0]}." if moves else ""
        typer.echo(HELP.format(example=example, resigning=resigning))

    def list_moves(self, start: str) -> None:
        found = [] if self.ongoing.is_over else moves_from(self.ongoing.state, start)
        for i in range(0, len(found), MOVES_IN_A_LINE):
            typer.echo("  ".join(found[i : i + MOVES_IN_A_LINE]))
        typer.echo(f"{len(found)} legal move{'' if len(found) == 1 else 's'}")

    def hint(self, rest: str) -> None:
        found = [] if self.ongoing.is_over else moves_from(self.ongoing.state, rest)
        if not found:
            raise IllegalMove("no legal move starts like that; type moves for a list")
        apart = -(-len(found) // MOVES_IN_A_LINE)  # from all over the board
        typer.echo("  ".join(found[::apart]))
        typer.echo(f"Type moves to list all {len(found)}.")

    def undo(self, rest: str) -> None:
        if rest and not (rest.isascii() and rest.isdigit() and int(rest[:9]) > 0):
            raise OptionsError("undo takes a number of actions, such as undo 2")
        ended = self.ongoing.how_it_ended() if self.ongoing.ended_off_board else None
        if not self.ongoing.undo(int(rest[:9] or 1)):
            raise IllegalMove("nothing has been played yet")
        # Back to a person's own turn, or the engine would only play on.
        while None in self.players and self.engine_to_move() is not None and self.ongoing.undo(1):
            pass
        if ended is not None:
            typer.echo(f"Taken back: {ended}.")
        self.changed()

    def resign(self, rest: str) -> None:
        self.ongoing.resign()
        self.changed()

    def begin_next(self, rest: str) -> None:
        self.check_saved("new")
        ongoing = self.ongoing
        seed = choose_seed(ongoing.game)
        if seed is not None:
            typer.echo(f"dealt with --seed {seed}")
        self.put(OngoingGame.begin(ongoing.game, seed, name_engines(ongoing.game, self.players)))

    def save(self, rest: str) -> None:
        path = os.path.expanduser(rest)
        if not path:
            raise OptionsError("save needs a file name, such as save game.skr")
        own = [file for file in (self.file, *self.written) if file is not None and file.is_at(path)]
        # Only what this session wrote may be overwritten: another file may hold another game.
        (check_place if own else check_new_place)(path)
        file = own[0] if own else SaveFile(path, None)
        file.write(self.ongoing.record())
        if not own:
            self.written.append(file)
        self.saved_in = path
        typer.echo(f"Saved in {path}.")

    def load(self, rest: str) -> None:
        path = os.path.expanduser(rest)
        if not path:
            raise OptionsError("load needs a file name, such as load game.skr")
        self.check_saved("load")
        if self.file is not None and self.file.is_at(path):
            file = SaveFile.open(self.file.path)
            if file.last is None:
                raise OptionsError(f"{path} holds no game yet")
            self.put(OngoingGame.resume(file.last), file)
            self.saved_in = file.path
            return
        self.put(OngoingGame.resume(load(path)[-1]))
        self.saved_in = path

    def check_saved(self, then: str) -> None:
        """See that no game is lost when another takes its place."""
        if self.ongoing.line.plies and not self.ongoing.is_over and self.saved_in is None:
            raise OptionsError(
                f"this game is not saved: type save FILE or resign first, then {then}"
            )

    def leave(self, rest: str) -> None:
        self.leaving = True

    def put(self, ongoing: OngoingGame, file: SaveFile | None = None) -> None:
        """Go on with another game; files are left alone until something is played."""
        seats = ongoing.game.num_seats
        if seats != len(self.players):
            if any(self.players):
                raise OptionsError(
                    f"that game has {seats} seats: start without --seat1 and so on to load it"
                )
            self.players = (None,) * seats
        if file is None and self.file is not None:
            self.file.begin_next()
        self.file = file or self.file
        self.written = []
        self.ongoing = ongoing
        self.saved_in, self.save_failed = None, False
        self.show("")

    def changed(self) -> None:
        """After every change: save and show."""
        self.saved_in = None
        if self.file is not None:
            try:
                self.file.write(self.ongoing.record())
                self.saved_in, self.save_failed = self.file.path, False
            except SkerryError as error:
                self.save_failed = True
                typer.echo(f"NOT SAVED: {error}", err=True)
        self.show("")

    def show(self, rest: str) -> None:
        typer.echo(draw_ongoing(self.ongoing, self.ascii))
        if self.ongoing.is_over and None in self.players:
            typer.echo(AFTERWARDS)
