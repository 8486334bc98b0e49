"""What a record is: a start, a main line with variations, headers and a result.

Lines are flat tuples and only variations nest, so a long game is not a deep structure, and how
deep variations may go is limited (``DEEPEST``).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any

from skerry.core.errors import RecordError, SkerryError, shorten
from skerry.core.game import Game
from skerry.core.playthrough import Playthrough
from skerry.core.state import Move, State
from skerry.records.annotations import check_mark, settle_time

DEEPEST = 64  # variations within variations
UNFINISHED = "*"
# Said by a record's start and never among its other headers.
START_HEADERS = ("Game", "Options", "Seed", "Position")
RESULT_HEADER = "Result"
HEADER_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
LONGEST_REASON = 300


@dataclass(frozen=True)
class Ply:
    """An action, the comments after it, and the lines that could have been played instead.

    ``mark`` is what somebody thinks of it, such as ``!``. ``left`` is the time on the clock of
    whoever made it, afterwards, and ``spent`` what it took: whole milliseconds, None if unknown.
    """

    action: int
    comments: tuple[str, ...] = ()
    variations: "tuple[Line, ...]" = ()
    mark: str = ""
    left: int | None = None
    spent: int | None = None

    def __post_init__(self) -> None:
        check_texts("comment", self.comments)
        _make_tuples(self, "comments", "variations")
        check_mark(self.mark)
        for name, time in (("left", self.left), ("spent", self.spent)):
            object.__setattr__(self, name, settle_time(f"the time {name}", time))


@dataclass(frozen=True)
class Line:
    """Plies in order; the comments are those before the first ply."""

    plies: tuple[Ply, ...] = ()
    comments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_texts("comment", self.comments)
        _make_tuples(self, "plies", "comments")


def _make_tuples(holder: object, *fields: str) -> None:
    """Whatever sequence was given, nobody can change it later."""
    for field_name in fields:
        object.__setattr__(holder, field_name, tuple(getattr(holder, field_name)))


@dataclass(frozen=True)
class Record:
    """A game as it was played: where it started, what was played and said, how it ended.

    With ``seed`` the start is ``game.initial(seed)``. ``headers`` are all but those that the
    start speaks for (Game, Options, Seed, Position), in order. Records that are read or made by
    ``from_moves`` keep the rules; others are checked when they are written.
    """

    start: State
    line: Line = field(default_factory=Line)
    result: str = UNFINISHED
    headers: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "headers", MappingProxyType(dict(self.headers)))
        check_headers(self.headers)
        check_result_known(self.game, self.result)
        said = self.headers.get(RESULT_HEADER, self.result)
        if said != self.result:
            raise RecordError(
                f"the {RESULT_HEADER} header says {shorten(said)} but the record ends with "
                f"{self.result!r}: leave the header out"
            )
        if self.seed is not None and self.start != self.game.initial(self.seed):
            raise RecordError(f"the start is not the one of seed {self.seed}: leave the seed out")
        if self.seed is not None:
            object.__setattr__(self, "seed", int(self.seed))  # it may come from an array

    def __hash__(self) -> int:
        headers = frozenset(self.headers.items())  # equal whatever their order, so hashed so
        return hash((self.start, self.line, self.result, headers, self.seed))

    def __reduce__(self) -> tuple[Any, ...]:
        # Read-only headers cannot be pickled or copied as they are.
        return Record, (self.start, self.line, self.result, dict(self.headers), self.seed)

    @classmethod
    def from_moves(
        cls,
        game: Game,
        start: State | None = None,
        moves: Iterable[str | Move | int] = (),
        headers: Mapping[str, str] | None = None,
        *,
        seed: int | None = None,
        result: str | None = None,
    ) -> "Record":
        """The record of moves played from a start, by default ``game.initial(seed)``.

        The result is what the game came to unless another is given, such as after a resignation.
        """
        start, seed = settle_start(game, start, seed)
        here = Playthrough(start)
        for move in moves:
            try:
                here = here.follow([move])
            except SkerryError as error:
                raise RecordError(f"{name_move(here, move)}: {say_why(error)}") from None
        return cls.from_play(here, headers, seed=seed, result=result)

    @classmethod
    def from_play(
        cls,
        play: Playthrough,
        headers: Mapping[str, str] | None = None,
        *,
        seed: int | None = None,
        result: str | None = None,
    ) -> "Record":
        """The record of a line that has been played already."""
        if result is None:
            result = find_result(play.state)
        plies = tuple(Ply(point.action) for point in play.points if point.action is not None)
        record = cls(play.start, Line(plies), result, headers or {}, seed)
        check_result(play.state, result)
        record.remember(play)
        return record

    @cached_property
    def play(self) -> Playthrough:
        """The main line, played; RecordError where it breaks the rules."""
        here = Playthrough(self.start)
        for ply in self.line.plies:
            here = _play_on(here, ply.action)
        return here

    def remember(self, play: Playthrough) -> None:
        """Spare a record the work of playing its main line, which is this one."""
        self.__dict__["play"] = play

    @property
    def game(self) -> Game:
        return self.start.game

    @property
    def players(self) -> tuple[str | None, ...]:
        """Who sat in each seat, from the headers named after the seats."""
        return tuple(self.headers.get(seat) for seat in self.game.seats)

    def states(self) -> tuple[State, ...]:
        """The states of the main line: the start, then the state after each ply."""
        return self.play.states

    def moves(self) -> tuple[Move, ...]:
        """The moves of the main line."""
        return self.play.moves


@dataclass(frozen=True)
class Step:
    """A ply in its place, with its notation: all that a writer needs to know."""

    before: Playthrough  # where it is played
    text: str
    ply: Ply
    variations: "tuple[Track, ...]"


@dataclass(frozen=True)
class Track:
    """A line whose plies have been replayed."""

    comments: tuple[str, ...]
    steps: tuple[Step, ...]


def retrace(record: Record) -> Track:
    """Replay all lines of a record and see that its result fits."""
    track = _retrace_line(record.line, record.play.points, 0)
    check_result(record.play.state, record.result)
    return track


def _retrace_line(line: Line, points: Sequence[Playthrough], depth: int) -> Track:
    """A line whose plies lead from each of these points to the next."""
    check_depth(depth)
    steps = []
    for ply, before, after in zip(line.plies, points, points[1:], strict=False):
        tracks = []
        for variation in ply.variations:
            if not variation.plies:
                raise RecordError(f"a variation of turn {before.number} is empty: give it a move")
            others = [before]
            for other in variation.plies:
                others.append(_play_on(others[-1], other.action))
            tracks.append(_retrace_line(variation, others, depth + 1))
        steps.append(Step(before, str(after.move), ply, tuple(tracks)))
    return Track(line.comments, tuple(steps))


def _play_on(here: Playthrough, action: int) -> Playthrough:
    try:
        return here.after(action)
    except SkerryError as error:
        raise RecordError(f"{name_move(here, action)}: {say_why(error)}") from None


def list_records(records: Record | Iterable[Record]) -> list[Record]:
    """One record or several, as a list."""
    return [records] if isinstance(records, Record) else list(records)


def share_game(found: type[Game], options: Mapping[str, object]) -> Game:
    """The game of a record, shared between records; OptionsError where the options do not fit."""
    if all(type(value) is int for value in options.values()):
        return _keep_game(found, tuple(options.items()))
    return found(**options)


# A file of many records has few different games, and a game takes longer to set up than to replay.
@lru_cache(maxsize=32)
def _keep_game(found: type[Game], options: tuple[tuple[str, int], ...]) -> Game:
    return found(**dict(options))


def settle_start(game: Game, start: State | None, seed: int | None) -> tuple[State, int | None]:
    """Where a record begins, by default ``game.initial(seed)``, and the seed of its deal."""
    if start is None:
        seed = 0 if seed is None and game.has_chance else seed
        return game.initial(seed or 0), seed
    if start.game != game:
        raise RecordError(f"the start belongs to {start.game!r}, not to {game!r}")
    return start, seed


def find_start(game: Game, seed: int | None, position: str | None) -> State:
    """Where a record starts, from what its headers say."""
    if seed is not None and position is not None:
        raise RecordError("a record starts from a seed or from a position, not both: remove one")
    if position is not None:
        return game.position(position)
    if seed is None and game.has_chance:
        raise RecordError(f"{game.name} starts with a deal: give its seed or the position")
    return game.initial(seed or 0)


def needs_position(record: Record) -> bool:
    """Whether a record can only say by position text where it starts."""
    if record.seed is not None:
        return False
    return record.game.has_chance or record.start != record.game.initial()


def list_results(game: Game) -> tuple[str, ...]:
    """The results a record of this game may have: each seat's win, the draw, unfinished."""
    seats = range(game.num_seats)
    wins = ("-".join("1" if seat == winner else "0" for seat in seats) for winner in seats)
    return (*wins, "-".join([f"1/{game.num_seats}"] * game.num_seats), UNFINISHED)


def find_result(state: State) -> str:
    """The result of a game that stands here."""
    outcome = state.outcome
    if outcome is None:
        return UNFINISHED
    results = list_results(state.game)
    return results[state.game.num_seats if outcome.winner is None else outcome.winner]


def check_result(state: State, result: str) -> None:
    """See that a result fits where the main line ends; an open game may have any (resignation)."""
    if state.outcome is None or result == find_result(state):
        return
    what = "leaves the game open" if result == UNFINISHED else "contradicts the game"
    raise RecordError(
        f"result {result!r} {what}, but it is over ({state.outcome.reason}): "
        f"write {find_result(state)}"
    )


def check_result_known(game: Game, result: str) -> None:
    """See that a result is one of those the game has."""
    results = list_results(game)
    if result not in results:
        raise RecordError(
            f"{shorten(result)} is no result of {game.name}: use one of {', '.join(results)}"
        )


def check_headers(headers: Mapping[str, str]) -> None:
    """See that headers can be written and do not speak for the start."""
    for key, value in headers.items():
        if not isinstance(key, str) or not HEADER_KEY.fullmatch(key):
            raise RecordError(
                f"{shorten(str(key))} is no name for a header: use up to 64 letters, digits and _"
            )
        if key.capitalize() in START_HEADERS:
            raise RecordError(
                f"header {key!r} is taken: a record has one {key.capitalize()}, spelled so"
            )
        check_texts(f"header {key}", (value,))


def check_texts(what: str, texts: Iterable[str]) -> None:
    """See that texts are text, and text that a file can hold."""
    if isinstance(texts, str):
        raise RecordError(f"{what}s come as a tuple of texts, not as one text")
    for text in texts:
        if not isinstance(text, str):
            raise RecordError(f"a {what} is text, not {type(text).__name__}")
        try:
            text.encode()
        except UnicodeEncodeError as error:
            stray = ord(text[error.start])
            raise RecordError(
                f"a {what} holds U+{stray:04X}, half of a character: remove it"
            ) from None


def check_depth(depth: int) -> None:
    """See that variations do not nest too deep."""
    if depth > DEEPEST:
        raise RecordError(f"variations nest deeper than {DEEPEST}: make some of them records")


def name_move(here: Playthrough, move: str | Move | int) -> str:
    """A move that could not be played, as error messages name it."""
    if isinstance(move, str | Move):
        return f"move {here.number} {shorten(str(move))}"
    return f"move {here.number} (action {move})"


def say_why(error: Exception) -> str:
    """An error's message on one line, cut to a length fit for a person."""
    reason = " ".join(str(error).split())
    return reason if len(reason) <= LONGEST_REASON else reason[:LONGEST_REASON] + "..."
