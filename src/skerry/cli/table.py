"""A game on the table: everything played so far, to be taken back, kept and taken up again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike

from skerry.core.errors import IllegalMove, OptionsError
from skerry.core.game import TURN_JOINT, Game, Move, State
from skerry.records import UNFINISHED, Line, Ply, Record, find_result, list_results, load, save

HOW_IT_ENDED = "Termination"  # header of a record whose game was given up


@dataclass
class Table:
    """A game being played. ``kept`` are the other records of the file it is saved in.

    Comments and variations of a loaded record stay with its moves for as long as these do.
    """

    start: Record  # without moves: where the game begins, and its headers
    plies: list[Ply] = field(default_factory=list)
    states: list[State] = field(default_factory=list)  # one more than plies
    kept: tuple[Record, ...] = ()
    resigned: int | None = None

    def __post_init__(self) -> None:
        if not self.states:
            self.states = [self.start.start]

    @classmethod
    def begin(cls, game: Game, seed: int | None) -> "Table":
        """A new game."""
        return cls(Record(game.initial(seed or 0), seed=seed))

    @classmethod
    def open(
        cls,
        path: str | PathLike[str],
        name: str | None = None,
        options: Mapping[str, object] | None = None,
        seed: int | None = None,
        keep: bool = False,
    ) -> "Table":
        """Take up the last game of a record file; OptionsError if it is not the one asked for.

        With ``keep`` the other games of the file stay with it when it is saved.
        """
        *others, record = load(path)
        _check_asked_for(record, name, options or {}, seed)
        headers = {k: v for k, v in record.headers.items() if k not in ("Result", HOW_IT_ENDED)}
        before = Line((), record.line.comments)
        return cls(
            start=Record(record.start, before, headers=headers, seed=record.seed),
            plies=list(record.line.plies),
            states=list(record.states()),
            kept=tuple(others) if keep else (),
            resigned=_who_resigned(record),
        )

    @property
    def game(self) -> Game:
        return self.start.game

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def is_over(self) -> bool:
        return self.state.is_over or self.resigned is not None

    def last_turn(self) -> tuple[State, str] | None:
        """Where the last turn began and how it is written; a turn may be several actions."""
        first = len(self.plies)
        mover = self.states[first - 1].to_move if first else None
        while first > 0 and self.states[first - 1].to_move == mover:
            first -= 1
        if first == len(self.plies):
            return None
        steps = zip(self.states[first:], self.plies[first:], strict=False)
        texts = [str(state.move(ply.action)) for state, ply in steps]
        return self.states[first], TURN_JOINT.join(texts)

    def play(self, text: str) -> tuple[Move, ...]:
        """Play a move, or all actions of a turn."""
        if self.resigned is not None:
            raise IllegalMove("the game was given up; undo takes that back")
        moves = self.state.parse_turn(text)
        for move in moves:
            self.states.append(self.state.play(move))
            self.plies.append(Ply(int(move)))
        return moves

    def undo(self, count: int) -> int:
        """Take back so many actions, a resignation being one; returns how many there were."""
        done = 0
        while done < count and (self.plies or self.resigned is not None):
            if self.resigned is not None:
                self.resigned = None
            else:
                self.plies.pop()
                self.states.pop()
            done += 1
        return done

    def resign(self) -> None:
        """The seat to move gives up."""
        if self.is_over:
            raise IllegalMove("the game is over already")
        self.resigned = self.state.to_move

    def how_it_ended(self) -> str | None:
        """One sentence, None while the game goes on."""
        if self.resigned is not None:
            return f"{self.game.seats[self.resigned]} resigned"
        return self.state.outcome.reason if self.state.outcome else None

    def record(self) -> Record:
        """All of it, as a record."""
        line = Line(tuple(self.plies), self.start.line.comments)
        headers = dict(self.start.headers)
        result = find_result(self.state)
        if self.resigned is not None:
            headers[HOW_IT_ENDED] = f"{self.game.seats[self.resigned]} resigned"
            result = _result_of_resigning(self.game, self.resigned)
        return replace(self.start, line=line, result=result, headers=headers)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the file anew, with the records that were in it before."""
        save(path, [*self.kept, self.record()])


def _check_asked_for(
    record: Record, name: str | None, options: Mapping[str, object], seed: int | None
) -> None:
    game = record.game
    for what, asked, found in (
        ("game", name, game.name),
        ("seed", seed, record.seed),
        *((option, value, game.options.get(option)) for option, value in options.items()),
    ):
        if asked is not None and asked != found:
            raise OptionsError(f"the file holds a game with {what} {found}, not {asked}")


def _result_of_resigning(game: Game, seat: int) -> str:
    """With two seats the other one wins; with more, nobody can be said to have won."""
    return list_results(game)[1 - seat] if game.num_seats == 2 else UNFINISHED


def _who_resigned(record: Record) -> int | None:
    """The seat that gave up, by the header or by a result that the moves do not bear out."""
    said = record.headers.get(HOW_IT_ENDED, "")
    for seat, name in enumerate(record.game.seats):
        if said == f"{name} resigned":
            return seat
    results: Sequence[str] = list_results(record.game)[: record.game.num_seats]
    over = record.states()[-1].is_over
    if over or record.game.num_seats != 2 or record.result not in results:
        return None
    return 1 - results.index(record.result)
