"""A ``Game``: rules with their options settled. The other concept to learn is a ``State``.

Both are immutable. A game subclasses ``Game``, implements the generics of ``core.rules`` for its
tables, and says what its pieces are. The rest has defaults: how moves and positions are written
(``core.notation``), what there is to see (``core.view``) and how strong engines are
(``core.levels``). A game that is a package has a *room* for each of these where it does better:
delete one, and the game still plays.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from skerry.core import rules
from skerry.core.calls import find_lister, find_player
from skerry.core.errors import PositionError, shorten
from skerry.core.levels import PLAIN_LEVELS, Level
from skerry.core.notation import EMPTY, Notation
from skerry.core.options import DEEPEST_PERFT, Option, settle, whole_number
from skerry.core.scene import Piece, Scene
from skerry.core.state import Immutable, Move, State
from skerry.core.texts import N_, fill_in
from skerry.core.view import View

if TYPE_CHECKING:
    from skerry.board import Board, Symmetry

DEALS_TRIED = 100  # in search of one that leaves a move


@dataclass(frozen=True)
class Playouts:
    """Totals over random games; ``returns`` is the sum per seat."""

    games: int
    plies: int
    returns: tuple[float, ...]
    draws: int


@dataclass(frozen=True)
class Setup:
    """What a game's options come to: its board, tables, state dtype and number of actions."""

    board: "Board"
    tables: Any
    dtype: np.dtype[np.void]
    num_actions: int


class Game(Immutable, ABC):
    """The rules of a game with its options settled."""

    name: ClassVar[str]
    title: ClassVar[str]
    credit: ClassVar[str]
    summary: ClassVar[str]
    seats: ClassVar[tuple[str, ...]]
    seat_letters: ClassVar[str]  # one letter per seat, for position text
    option_specs: ClassVar[tuple[Option, ...]]
    sizes: ClassVar[tuple[dict[str, int], ...]]  # options from the smallest board to the largest
    clauses: ClassVar[Mapping[str, str]]  # the rules by clause id, with places for options
    # What clauses say in variants: by "id option", or by "id option=value".
    varied_clauses: ClassVar[Mapping[str, str]] = {}
    variants: ClassVar[tuple[dict[str, int], ...]] = ()  # options worth comparing with the default
    pieces: ClassVar[tuple[Piece, ...]]  # by code, from 1 on; by default a stone of every seat
    special_codes: ClassVar[int] = 0  # codes beyond those of pieces, for cells that are special
    impossible: ClassVar[str] = N_("more than one seat has won")  # what makes ``restore`` refuse
    has_chance: ClassVar[bool] = False
    has_counter: ClassVar[bool] = False  # whether it counts something beside the board
    turns_of_several_actions: ClassVar[bool] = False
    levels: ClassVar[tuple[Level, ...]] = PLAIN_LEVELS
    notation_class: ClassVar[type[Notation]] = Notation
    view_class: ClassVar[type[View]] = View
    _piece_of: ClassVar[dict[str, Piece]]

    def __init_subclass__(cls, rooms: str | None = None) -> None:
        """Take in the rooms of a game that is the package ``rooms``; it may do without any."""
        super().__init_subclass__()
        if "pieces" not in vars(cls):
            stones = enumerate(cls.seat_letters)
            cls.pieces = tuple(Piece(seat, "stone", letter) for seat, letter in stones)
        found = {name: enter_room(rooms, name) for name in ROOMS} if rooms else {}
        if engine := found.get("engine"):
            cls.levels = engine.LEVELS
        if notation := found.get("notation"):
            cls.notation_class = getattr(notation, f"{cls.__name__}Notation")
        if view := found.get("view"):
            cls.view_class = getattr(view, f"{cls.__name__}View")
        cls._piece_of = {piece.letter: piece for piece in cls.pieces}

    def __init__(self, /, **options: object) -> None:
        settled = settle(self.name, self.option_specs, options)
        setup = self.set_up(self._complete(settled))
        # Straight into the dictionary: assignment is closed to everybody else.
        self.__dict__.update(
            _options=settled,
            board=setup.board,
            tables=setup.tables,
            dtype=setup.dtype,
            num_actions=setup.num_actions,
        )

    if TYPE_CHECKING:
        _options: dict[str, int]
        board: Board
        tables: Any
        dtype: np.dtype[np.void]
        num_actions: int

    # What a game supplies.

    @classmethod
    @abstractmethod
    def set_up(cls, options: dict[str, int]) -> Setup:
        """Build everything that depends on the options; OptionsError if they do not fit."""

    @property
    def fixtures(self) -> Mapping[int, str]:
        """Cells on which the same piece stands in every position, with its letter."""
        return {}

    @property
    def symmetries(self) -> "tuple[Symmetry, ...]":
        """The board symmetries that the rules do not notice; the first is the identity."""
        return self.board.symmetries

    @property
    def most_actions(self) -> int:
        """A number of actions that no game exceeds: by default every cell is used once, and
        before each of these actions and at the end there may be a pass."""
        return 2 * (len(self.board) + 1)

    # What every game offers.

    @cached_property
    def notation(self) -> Notation:
        """How moves and positions are written."""
        return self.notation_class(self)

    @cached_property
    def view(self) -> View:
        """What there is to see and to say."""
        return self.view_class(self)

    @cached_property
    def play_in(self) -> Callable[[bytearray, int], int]:
        """``calls.play_in`` for states of this game."""
        return find_player(self.tables, self.dtype, self.num_actions)

    @cached_property
    def list_in(self) -> Callable[[bytearray, NDArray[np.int32]], int]:
        """``calls.list_in`` for states of this game."""
        return find_lister(self.tables, self.dtype)

    @cached_property
    def shared_moves(self) -> NDArray[np.object_] | None:
        """[num_actions] a ``Move`` for every action, where each is written in one way only."""
        if self.notation_class.write_action is not Notation.write_action:
            return None
        moves = np.array(Move.of(self.initial(), range(self.num_actions)), object)
        moves.flags.writeable = False
        return moves

    @property
    def options(self) -> dict[str, int]:
        """The options as settled; a copy, so that nobody changes the game through it."""
        return dict(self._options)

    @classmethod
    def _complete(cls, settled: Mapping[str, int]) -> dict[str, int]:
        """All options, with those of variants that nobody chose."""
        return {spec.name: settled.get(spec.name, spec.default) for spec in cls.option_specs}

    @property
    def all_options(self) -> dict[str, int]:
        """The options as settled, with those of variants that nobody chose."""
        return self._complete(self._options)

    @property
    def num_seats(self) -> int:
        return len(self.seats)

    @property
    def letters(self) -> str:
        """The letters of all pieces, in the order of their codes."""
        return "".join(piece.letter for piece in self.pieces)

    @property
    def num_codes(self) -> int:
        """How many codes ``rules.identify`` has for a cell, with 0 for an empty one."""
        return 1 + len(self.pieces) + self.special_codes

    def piece(self, letter: str) -> Piece:
        """The piece that a letter stands for."""
        return self._piece_of[letter]

    def list_clauses(self) -> dict[str, str]:
        """The rules, clause by clause, with the values of the options."""
        options = self.all_options
        return {id: fill_in(text, options) for id, text in self.choose_clauses().items()}

    def choose_clauses(self) -> dict[str, str]:
        """The clauses as they are with the options, with places for their values."""
        chosen = [spec.name for spec in self.option_specs if spec.ours]
        chosen = [name for name in chosen if name in self._options]
        chosen += [f"{name}={self._options[name]}" for name in chosen]
        varied = {key.split()[0]: key for key in self.varied_clauses if key.split()[1] in chosen}
        return {
            id: self.varied_clauses[varied[id]] if id in varied else text
            for id, text in self.clauses.items()
        }

    def scene_of(self, cells: Sequence[str]) -> Scene:
        """What there is to see where these letters stand, whether or not a game can come to it."""
        pieces = {
            cell: self._piece_of.get(letter) or Piece(None, "stone", letter)
            for cell, letter in enumerate(cells)
            if letter != EMPTY
        }
        return Scene(self.board, self.seats, pieces, self.view.zones, self.view.surface)

    def initial(self, seed: int = 0) -> State:
        """The start of a game; the seed decides the deal in games that have one."""
        states = np.zeros(1, self.dtype)
        rules.start(self.tables, states, whole_number("seed", seed))
        return State(self, states)

    def playable_start(self) -> State:
        """The first deal that leaves a move, for whoever tries a game out; else one without."""
        starts = (self.initial(seed) for seed in range(DEALS_TRIED))
        return next((state for state in starts if not state.is_over), self.initial())

    def position(self, text: str) -> State:
        """The state that a position text describes."""
        if not isinstance(text, str):
            raise PositionError(f"a position is text, not {type(text).__name__}")
        fields, notation = text.split(), self.notation
        expected = 2 + notation.tail_fields
        if len(fields) != expected:
            raise PositionError(
                f"a position of {self.title} has {expected} fields (rows, seat to move"
                f"{', counters' if expected > 2 else ''}), not {len(fields)}: "
                f"{shorten(text)}"
            )
        turn = self.seat_letters.find(fields[1]) if len(fields[1]) == 1 else -1
        if turn < 0:
            raise PositionError(
                f"{shorten(fields[1])} is no seat: use one of {', '.join(self.seat_letters)}"
            )
        cells = self.board.read_rows(fields[0], notation.letters)
        notation.check_cells(cells, turn)
        codes = notation.read_cells(cells)
        counter = notation.read_tail(fields[2:], codes, turn)
        return self._restore(codes, counter * self.num_seats + turn)

    def _restore(self, codes: NDArray[np.uint8], rest: int) -> State:
        """The state of which ``rules.identify`` would say this."""
        states = np.zeros(1, self.dtype)
        if not rules.complete(self.tables, states, codes, rest):
            raise PositionError(f"no game can come to this: {self.impossible}")
        return State(self, states)

    def perft(self, depth: int, state: State | None = None) -> int:
        """How many sequences of exactly ``depth`` actions there are."""
        depth = whole_number("depth", depth, DEEPEST_PERFT)
        if depth == 0:
            return 1
        states = np.zeros(depth + 1, self.dtype)
        states[0] = self._start(state).raw
        actions = np.empty((depth, self.num_actions), np.int32)
        return int(rules.count_sequences(self.tables, states, actions, depth))

    def playouts(self, n: int, seed: int = 0, start: State | None = None) -> Playouts:
        """Play ``n`` uniformly random games natively on one thread.

        Without ``start`` every game begins afresh, with a deal of its own where there is one.
        """
        n, seed = whole_number("n", n), whole_number("seed", seed)
        states = np.zeros(2, self.dtype)
        if start is not None:
            states[0] = self._start(start).raw
        totals = np.zeros(self.num_seats)
        scratch = np.empty(self.num_actions, np.int32)
        plies, draws = rules.run_playouts(
            self.tables, states, start is None, n, seed, totals, scratch
        )
        return Playouts(n, int(plies), tuple(totals.tolist()), int(draws))

    def transform(self, state: State, index: int) -> State:
        """The image of a state under one of the game's symmetries."""
        symmetry = self._symmetry(index)
        codes = np.zeros(len(self.board), np.uint8)
        codes[symmetry.cells] = self.map_codes(symmetry)[self._start(state).codes]
        return self._restore(codes, state.counter * self.num_seats + state.turn)

    def transform_action(self, action: int, index: int) -> int:
        """The image of an action under one of the game's symmetries."""
        action = whole_number("action", action, self.num_actions - 1)
        return self.notation.map_action(action, self._symmetry(index))

    def map_codes(self, symmetry: "Symmetry") -> NDArray[np.uint8]:
        """[codes] what each code becomes under a symmetry: pieces that face somewhere turn."""
        images, directions = np.arange(self.num_codes, dtype=np.uint8), self.board.direction_names
        for code, piece in enumerate(self.pieces, 1):
            if piece.facing is not None:
                facing = directions[int(symmetry.directions[directions.index(piece.facing)])]
                images[code] = 1 + next(
                    place
                    for place, other in enumerate(self.pieces)
                    if (other.seat, other.kind, other.facing) == (piece.seat, piece.kind, facing)
                )
        return images

    def _symmetry(self, index: int) -> "Symmetry":
        return self.symmetries[whole_number("index", index, len(self.symmetries) - 1)]

    def _start(self, state: State | None) -> State:
        if state is None:
            return self.initial()
        check_state(state)
        if state.game != self:
            raise PositionError(f"the state belongs to {state.game!r}, not to {self!r}")
        return state

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.name == other.name and self._options == other._options

    def __hash__(self) -> int:
        return hash((self.name, *self._options.values()))

    def __repr__(self) -> str:
        chosen = "".join(f", {name}={value}" for name, value in self.options.items())
        return f"skerry.make({self.name!r}{chosen})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild_game, (type(self), self.options)


def check_state(state: object) -> None:
    """See that somebody has given a State, not a game or a position text."""
    if not isinstance(state, State):
        raise PositionError(
            f"a State is needed, not {shorten(state)}; game.initial() and game.position() give one"
        )


def _rebuild_game(kind: type[Game], options: dict[str, int]) -> Game:
    return kind(**options)


# What a game may have beside its rules: faster ways to the same answers, what engines know, how
# moves and positions are written, and what there is to see.
ROOMS = ("playouts", "engine", "notation", "view")


def enter_room(package: str, name: str) -> Any:
    """A room of a game, imported; None where there is no such room."""
    room = f"{package}.{name}"
    return None if find_spec(room) is None else import_module(room)
