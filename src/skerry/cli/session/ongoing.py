"""A game in progress: everything played so far, to be taken back, saved and resumed."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace

from skerry.cli.common.terminal import escape_controls
from skerry.core.errors import IllegalMove
from skerry.core.game import Game
from skerry.core.playthrough import Playthrough
from skerry.core.state import Move, State
from skerry.records import UNFINISHED, Record, Scoresheet, list_results

DEALS = 1_000_000  # seeds short enough to be read out
TERMINATION = "Termination"  # header that says how a game ended off the board
ENDING_HEADERS = ("Result", TERMINATION)


@dataclass(frozen=True)
class Ending:
    """What a record says about its end, all headers included, to be kept as it is."""

    result: str
    headers: Mapping[str, str]
    closes: bool  # whether the game is over by it, whatever the board says

    @property
    def reason(self) -> str:
        """One sentence, for a game that did not end on the board."""
        said = escape_controls(self.headers.get(TERMINATION, ""))
        if not said:
            return f"its record says {self.result}"
        return said if self.result == UNFINISHED else f"{said} ({self.result})"


@dataclass
class OngoingGame:
    """A game being played.

    Comments and variations of a loaded record stay with its moves for as long as these do, and so
    does what it says about its end.
    """

    sheet: Scoresheet  # whose headers are all but those of its end
    ending: Ending | None = None

    @classmethod
    def begin(
        cls, game: Game, seed: int | None, headers: Mapping[str, str] | None = None
    ) -> "OngoingGame":
        """A new game."""
        return cls(Scoresheet(game, headers=headers, seed=seed))

    @classmethod
    def resume(cls, record: Record) -> "OngoingGame":
        """The game of a record, where it stands."""
        sheet = Scoresheet.of(record)
        for header in ENDING_HEADERS:
            sheet.headers.pop(header, None)
        return cls(sheet, _ending_of(record))

    @property
    def game(self) -> Game:
        return self.state.game

    @property
    def line(self) -> Playthrough:
        """What has been played, where it has come to."""
        return self.sheet.here

    @property
    def state(self) -> State:
        return self.sheet.state

    @property
    def ended_off_board(self) -> bool:
        return self.ending is not None and self.ending.closes and not self.state.is_over

    @property
    def is_over(self) -> bool:
        return self.state.is_over or self.ended_off_board

    def play(self, text: str) -> tuple[Move, ...]:
        """Play a move, or all actions of a turn."""
        if self.ended_off_board:
            raise IllegalMove(f"the game is over: {self.how_it_ended()}; undo takes that back")
        moves = self.state.parse_turn(text)
        self.sheet.play(text)
        self.ending = None
        return moves

    def undo(self, count: int) -> int:
        """Take back so many actions, an end off the board being one; returns how many it were."""
        done = 0
        while done < count and (self.line.plies or self.ended_off_board):
            if not self.ended_off_board:
                self.sheet.take_back()
            self.ending = None
            done += 1
        return done

    def resign(self) -> None:
        """The seat to move gives up. With more than two seats nobody can be said to have won."""
        if self.is_over or self.state.to_move is None:
            raise IllegalMove("the game is already over")
        self._lose(_resignation(self.game, self.state.to_move))

    def forfeit(self, reason: str) -> None:
        """The seat to move loses by what its player did, which cannot be asked again."""
        self._lose(_forfeit(self.game, self.state.turn) + reason)

    def _lose(self, said: str) -> None:
        seats, seat = self.game.num_seats, self.state.turn
        result = list_results(self.game)[1 - seat] if seats == 2 else UNFINISHED
        self.ending = Ending(result, {**self.sheet.headers, TERMINATION: said}, closes=True)

    def how_it_ended(self) -> str | None:
        """One sentence, None while the game goes on."""
        if self.ending is not None and self.ended_off_board:
            return self.ending.reason
        return self.state.outcome.reason if self.state.outcome else None

    def record(self) -> Record:
        """All of it, as a record."""
        if self.ending is None:
            return self.sheet.record()
        record = replace(self.sheet.record(self.ending.result), headers=self.ending.headers)
        record.remember(self.line)
        return record


def choose_seed(game: Game) -> int | None:
    """A deal by chance, for games that have one."""
    return secrets.randbelow(DEALS) if game.has_chance else None


def _ending_of(record: Record) -> Ending | None:
    said = record.headers.get(TERMINATION, "")
    seats = range(record.game.num_seats)
    closes = (
        record.result != UNFINISHED
        or said in [_resignation(record.game, seat) for seat in seats]
        or said.startswith(tuple(_forfeit(record.game, seat) for seat in seats))
    )
    if not closes and not any(header in record.headers for header in ENDING_HEADERS):
        return None
    return Ending(record.result, record.headers, closes)


def _resignation(game: Game, seat: int) -> str:
    return f"{game.seats[seat]} resigned"


def _forfeit(game: Game, seat: int) -> str:
    return f"{game.seats[seat]} forfeits: "
