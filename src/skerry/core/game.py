"""The two concepts to learn: a ``Game`` (rules and options) and a ``State`` (one moment of it).

Both are immutable. A game module subclasses ``Game``, implements the generics of ``core.rules``
for its tables, and fills in the hooks below that turn records into text and back.
"""

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from skerry.core import rules
from skerry.core.errors import (
    LONGEST_SHOWN,
    IllegalMove,
    InvalidMove,
    OptionsError,
    PositionError,
    shorten,
)
from skerry.core.options import DEEPEST_PERFT, Option, settle, whole_number
from skerry.core.scene import (
    CAPTURE,
    FACES,
    SELECTED,
    TARGET,
    Arrow,
    Mark,
    Overlay,
    Piece,
    Scene,
)

if TYPE_CHECKING:
    from skerry.board import Board, Symmetry

PASS = "pass"
TURN_JOINT = "-"  # joins the actions of one turn: a3-c5
DEALS_TRIED = 100  # in search of one that leaves a move


@dataclass(frozen=True)
class Move:
    """A legal action of one position: ``int(move)`` is the action, ``str(move)`` its notation."""

    action: int
    text: str

    def __int__(self) -> int:
        return self.action

    __index__ = __int__

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Outcome:
    """How a game ended: returns per seat, the winning seat or None, the score, and why."""

    returns: tuple[float, ...]
    winner: int | None
    score: tuple[int, ...] | None
    reason: str


@dataclass(frozen=True)
class Happening:
    """Something that a rule brings about in some games: its name, clause, and what it means."""

    name: str
    clause: str
    text: str


@dataclass(frozen=True)
class Playouts:
    """Totals over random games; ``returns`` is the sum per seat."""

    games: int
    plies: int
    returns: tuple[float, ...]
    draws: int


class Level(NamedTuple):
    """What an engine of a certain strength does.

    It thinks for so many ``simulations`` and then chooses more or less freely among what it thought
    of, always the best with ``temperature`` 0. The weaker may not ``judge`` positions or imagine
    likely games where the rules can, nor make sure first of what the next ``foresight`` actions
    decide.
    """

    simulations: int
    temperature: float = 0.0
    judges: bool = True
    foresight: int = 2


@dataclass(frozen=True)
class Setup:
    """What a game's options come to: its board, tables, state dtype and number of actions."""

    board: "Board"
    tables: Any
    dtype: np.dtype[np.void]
    num_actions: int


class _Immutable:
    """Refuses changes after construction, so that states can be shared and hashed."""

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot delete {name!r}")


class Game(_Immutable, ABC):
    """The rules of a game with its options settled."""

    name: ClassVar[str]
    title: ClassVar[str]
    credit: ClassVar[str]
    summary: ClassVar[str]
    seats: ClassVar[tuple[str, ...]]
    seat_letters: ClassVar[str]  # one letter per seat, for position text
    option_specs: ClassVar[tuple[Option, ...]]
    sizes: ClassVar[tuple[dict[str, int], ...]]  # options from the smallest board to the largest
    clauses: ClassVar[tuple[str, ...]]  # ids of the rule clauses, in order
    impossible: ClassVar[str] = "more than one seat has won"  # what makes ``restore`` refuse
    surface: ClassVar[str] = "cells"  # what the board is made of: cells, or holes for pegs
    has_chance: ClassVar[bool] = False
    turns_of_several_actions: ClassVar[bool] = False
    counting: ClassVar[str] = "what counts at the end"  # what ``standing`` marks as COUNTS then
    happening_table: ClassVar[tuple[Happening, ...]] = ()  # all that ``happenings`` may name
    # What it takes an engine to be level 1, 2 and so on up to 7.
    levels: ClassVar[tuple[Level, ...]] = (
        Level(20, 1.0),
        Level(60, 0.7),
        Level(200, 0.5),
        Level(700, 0.3),
        Level(2_500),
        Level(9_000),
        Level(60_000),
    )

    def __init__(self, /, **options: object) -> None:
        settled = settle(self.name, self.option_specs, options)
        setup = self.set_up(settled)
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

    # What a game module supplies.

    @classmethod
    @abstractmethod
    def set_up(cls, options: dict[str, int]) -> Setup:
        """Build everything that depends on the options; OptionsError if they do not fit."""

    @abstractmethod
    def write_action(self, s: Any, action: int) -> str:
        """The notation of an action."""

    @abstractmethod
    def read_action(self, s: Any, text: str) -> int:
        """The action of a notation; InvalidMove or IllegalMove where there is none."""

    @abstractmethod
    def why_illegal(self, s: Any, action: int) -> str:
        """Why the rules forbid an action here, in the game's own terms."""

    @abstractmethod
    def write_cells(self, s: Any) -> list[str]:
        """The letter of every cell, ``.`` for empty."""

    @abstractmethod
    def read_cells(self, cells: Sequence[str], extra: Sequence[str], s: Any) -> None:
        """Fill a blank record from letters and counters; PositionError where they do not fit."""

    @property
    @abstractmethod
    def letters(self) -> str:
        """All letters a cell may carry."""

    @abstractmethod
    def piece(self, letter: str) -> Piece:
        """What a cell's letter looks like."""

    @abstractmethod
    def explain(self, s: Any, returns: tuple[float, ...]) -> str:
        """One sentence on how the game ended."""

    def score(self, s: Any) -> tuple[int, ...] | None:
        """What each seat has scored, in games that count something."""
        return None

    @property
    def zones(self) -> dict[int, str]:
        """Cells that look different, with the name of what they belong to."""
        return {}

    def path(self, s: Any, action: int) -> tuple[str, ...]:
        """What a person points at to make a move, in order: cells, directions, or a word."""
        return (self.write_action(s, action),)

    def standing(self, state: "State") -> Overlay:
        """What counts as things stand; when the game is over, what decided it."""
        return Overlay()

    def focus(self, state: "State", cell: int) -> Overlay:
        """What there is to know about a cell: by default the moves that start from it."""
        marks, arrows = [Mark(cell, SELECTED)], []
        occupied = state.scene().pieces
        for move in state.legal_moves():
            start, *rest = state.path(move)
            if rest and start == self.board.names[cell]:
                if rest[0] in self.board.index:
                    goal = self.board.index[rest[0]]
                    marks.append(Mark(goal, CAPTURE if goal in occupied else TARGET))
                else:
                    arrows.append(Arrow(cell, rest[0], state.to_move))
        return Overlay(marks=tuple(marks), arrows=tuple(arrows))

    def guide(self) -> Overlay:
        """What the pieces mean, where that has to be known by heart."""
        return Overlay()

    def happenings(self, before: "State", action: int, after: "State") -> tuple[str, ...]:
        """What rules brought about with an action, by names of ``happening_table``."""
        return ()

    def write_extra(self, s: Any) -> list[str]:
        """Position text after the seat to move: pending placements and counters."""
        return []

    @property
    def symmetries(self) -> "tuple[Symmetry, ...]":
        """The board symmetries that the rules do not notice; the first is the identity."""
        return self.board.symmetries

    @property
    def most_actions(self) -> int:
        """A number of actions that no game exceeds: by default every cell is used once, and
        before each of these actions and at the end there may be a pass."""
        return 2 * (len(self.board) + 1)

    @property
    def num_codes(self) -> int:
        """How many codes ``rules.identify`` has for a cell; those beyond the letters stay as they
        are under every symmetry."""
        return 1 + len(self.letters)

    def map_letter(self, letter: str, symmetry: "Symmetry") -> str:
        """A cell's letter after a symmetry, where the letter carries a direction."""
        return letter

    def map_action(self, action: int, symmetry: "Symmetry") -> int:
        """The image of an action under a symmetry; actions beyond the cells stay as they are."""
        return int(symmetry.cells[action]) if action < len(self.board) else action

    def map_extra(self, extra: Sequence[str], symmetry: "Symmetry") -> list[str]:
        """The counters after a symmetry, where they name cells."""
        return list(extra)

    # What every game offers.

    @property
    def options(self) -> dict[str, int]:
        """The options as settled; a copy, so that nobody changes the game through it."""
        return dict(self._options)

    @property
    def num_seats(self) -> int:
        return len(self.seats)

    def initial(self, seed: int = 0) -> "State":
        """The start of a game; the seed decides the deal in games that have one."""
        states = np.zeros(1, self.dtype)
        rules.start(self.tables, states, whole_number("seed", seed))
        return State(self, states)

    def first_to_play(self) -> "State":
        """The first deal that leaves a move, for whoever tries a game out; else one without."""
        starts = (self.initial(seed) for seed in range(DEALS_TRIED))
        return next((state for state in starts if not state.is_over), self.initial())

    def position(self, text: str) -> "State":
        """The state that a position text describes."""
        if not isinstance(text, str):
            raise PositionError(f"a position is text, not {type(text).__name__}")
        fields = text.split()
        expected = 2 + len(self.write_extra(np.zeros(1, self.dtype)[0]))
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
        states = np.zeros(1, self.dtype)
        cells = self.board.read_rows(fields[0], self.letters)
        states["turn"] = turn
        self.read_cells(cells, fields[2:], states[0])
        if not rules.complete(self.tables, states):
            raise PositionError(f"no game can come to this: {self.impossible}")
        return State(self, states)

    def perft(self, depth: int, state: "State | None" = None) -> int:
        """How many sequences of exactly ``depth`` actions there are."""
        depth = whole_number("depth", depth, DEEPEST_PERFT)
        if depth == 0:
            return 1
        states = np.zeros(depth + 1, self.dtype)
        states[0] = self._start(state).raw
        actions = np.empty((depth, self.num_actions), np.int32)
        return int(rules.count_sequences(self.tables, states, actions, depth))

    def playouts(self, n: int, seed: int = 0, start: "State | None" = None) -> Playouts:
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

    def transform(self, state: "State", index: int) -> "State":
        """The image of a state under one of the game's symmetries."""
        symmetry = self._symmetry(index)
        before = self.write_cells(self._start(state).raw)
        after = ["."] * len(before)
        for cell, letter in enumerate(before):
            after[int(symmetry.cells[cell])] = self.map_letter(letter, symmetry)
        fields = state.position.split()
        fields[0] = self.board.write_rows(after)
        return self.position(" ".join(fields[:2] + self.map_extra(fields[2:], symmetry)))

    def transform_action(self, action: int, index: int) -> int:
        """The image of an action under one of the game's symmetries."""
        action = whole_number("action", action, self.num_actions - 1)
        return self.map_action(action, self._symmetry(index))

    def _symmetry(self, index: int) -> "Symmetry":
        return self.symmetries[whole_number("index", index, len(self.symmetries) - 1)]

    def _start(self, state: "State | None") -> "State":
        if state is None:
            return self.initial()
        if not isinstance(state, State):
            raise PositionError(f"a State is needed, not {shorten(state)}")
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


class State(_Immutable):
    """One moment of a game: whose turn it is, what may be played, and how it ended."""

    def __init__(self, game: Game, states: NDArray[np.void]) -> None:
        states.flags.writeable = False
        self.__dict__.update(game=game, _states=states)

    if TYPE_CHECKING:
        game: Game
        _states: NDArray[np.void]  # [1]

    @property
    def raw(self) -> Any:
        """What kernels work on, read-only."""
        return self._states[0]

    @cached_property
    def position(self) -> str:
        """Position text: ``game.position(state.position) == state``."""
        game, s = self.game, self.raw
        rows = game.board.write_rows(game.write_cells(s))
        return " ".join([rows, game.seat_letters[s["turn"]], *game.write_extra(s)])

    @property
    def is_over(self) -> bool:
        return bool(self.raw["over"])

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when the game is over."""
        return None if self.is_over else int(self.raw["turn"])

    @cached_property
    def _legal(self) -> NDArray[np.int32]:
        out = np.empty(self.game.num_actions, np.int32)
        legal = out[: rules.list_legal(self.game.tables, self._states.copy(), out)].copy()
        legal.flags.writeable = False
        return legal

    def legal_actions(self) -> NDArray[np.int32]:
        """The legal actions in ascending order; read-only."""
        return self._legal.view()  # unlike the array itself, a view cannot be made writable

    def legal_moves(self) -> tuple[Move, ...]:
        """The legal moves, in the order of ``legal_actions``."""
        return tuple(self._move(action) for action in self._legal.tolist())

    def move(self, action: int) -> Move:
        """The legal move of an action; IllegalMove says why there is none."""
        if isinstance(action, bool) or not hasattr(action, "__index__"):
            raise InvalidMove(f"an action is a whole number, not {shorten(action)}")
        action = operator.index(action)
        if not 0 <= action < self.game.num_actions:
            raise InvalidMove(f"action {action} is not from 0 to {self.game.num_actions - 1}")
        if self.is_over:
            raise IllegalMove("the game is over")
        place = int(np.searchsorted(self._legal, action))
        if place == len(self._legal) or self._legal[place] != action:
            raise IllegalMove(self.game.why_illegal(self.raw, action))
        return self._move(action)

    def _move(self, action: int) -> Move:
        return Move(action, self.game.write_action(self.raw, action))

    def parse(self, text: str) -> Move:
        """The legal move of a notation; InvalidMove or IllegalMove where there is none."""
        if not isinstance(text, str):
            raise InvalidMove(f"a move is written as text, not {shorten(text)}")
        if self.is_over:
            raise IllegalMove(f"{shorten(text)} cannot be played: the game is over")
        tidy = text.strip().lower()
        if len(tidy) > LONGEST_SHOWN or not tidy.isascii():
            raise InvalidMove(f"{shorten(text)} is no move of {self.game.title}")
        return self.move(self.game.read_action(self.raw, tidy))

    def parse_turn(self, text: str) -> tuple[Move, ...]:
        """The legal moves of a text: one move, or a turn of several such as ``a3-c5`` in Skirt."""
        try:
            return (self.parse(text),)
        except InvalidMove:
            parts = text.split(TURN_JOINT)
            if not self.game.turns_of_several_actions or len(parts) == 1:
                raise
        moves: list[Move] = []
        state = self
        for part in parts:
            if state.to_move != self.to_move:
                raise IllegalMove(
                    f"{shorten(text)} is more than one turn: {'-'.join(map(str, moves))} ends it"
                )
            moves.append(state.parse(part))
            state = state._after(moves[-1])
        return tuple(moves)

    def play(self, move: "str | Move | int") -> "State":
        """The state after a move: notation, a Move or an action.

        A text may also be a whole turn of several actions, such as ``a3-c5`` in Skirt; either
        all of it is played or none.
        """
        if isinstance(move, str):
            state = self
            for action in self.parse_turn(move):
                state = state._after(action)
            return state
        if isinstance(move, bool) or not hasattr(move, "__index__"):
            raise InvalidMove(f"a move is text, a Move or an action, not {type(move).__name__}")
        return self._after(self.move(operator.index(move)))

    def _after(self, move: Move) -> "State":
        states = self._states.copy()
        rules.advance_by(self.game.tables, states, move.action)
        return State(self.game, states)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it is going on."""
        if not self.is_over:
            return None
        game, out = self.game, np.zeros(self.game.num_seats)
        rules.final_returns(game.tables, self._states.copy(), out)
        returns = tuple(out.tolist())
        winner = None if max(returns) <= 0 else returns.index(max(returns))
        return Outcome(returns, winner, game.score(self.raw), game.explain(self.raw, returns))

    def scene(self) -> Scene:
        """What there is to see, for renderers."""
        return self._scene

    @cached_property
    def _scene(self) -> Scene:
        game = self.game
        letters = enumerate(game.write_cells(self.raw))
        pieces = {cell: game.piece(letter) for cell, letter in letters if letter != "."}
        return Scene(game.board, game.seats, pieces, game.zones, game.surface)

    def path(self, move: Move) -> tuple[str, ...]:
        """What a person points at to make a move: ``("d4", "ne")`` in Skew, for example."""
        return self.game.path(self.raw, move.action)

    def overlay(self, names: str) -> Overlay:
        """What explains the position: one or more of these names, joined by ``+``.

        ``standing`` is what counts as things stand, ``targets`` where a move may start,
        ``focus:e5`` what there is to know about a cell, ``guide`` what the pieces mean.
        """
        if not isinstance(names, str):
            raise OptionsError(f"an overlay is named by text, not {shorten(names)}")
        total = Overlay()
        for name in dict.fromkeys(names.split("+")):
            kind, _, cell = name.strip().lower().partition(":")
            if kind == "focus" and cell in self.game.board.index:
                total += self.game.focus(self, self.game.board.index[cell])
            elif kind in OVERLAYS and not cell:
                total += OVERLAYS[kind](self)
            else:
                raise OptionsError(
                    f"there is no overlay {shorten(name)}; use {', '.join(OVERLAYS)} or focus with "
                    f"a cell, such as focus:{self.game.board.names[0]}"
                )
        return total

    def _targets(self) -> Overlay:
        """Where a move may start, unless that is every empty cell."""
        cells = self.game.board.index
        starts = {self.path(move)[0] for move in self.legal_moves()}
        found = {cells[name] for name in starts if name in cells}
        if found == set(cells.values()) - set(self.scene().pieces):
            return Overlay()
        return Overlay(marks=tuple(Mark(cell, TARGET) for cell in sorted(found)))

    def text(self, overlay: "str | Overlay | None" = None) -> str:
        """The board for terminals; the overlay is one or is named as ``overlay`` names them."""
        return FACES["text"](self._scene_under(overlay))

    def svg(self, theme: str = "light", overlay: "str | Overlay | None" = None) -> str:
        """The board as a self-contained SVG picture; overlays are those of ``text``."""
        return FACES["svg"](self._scene_under(overlay), theme=theme)

    def _scene_under(self, overlay: "str | Overlay | None") -> Scene:
        if overlay is None:
            return self.scene()
        chosen = overlay if isinstance(overlay, Overlay) else self.overlay(overlay)
        return self.scene().under(chosen)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.game == other.game and self.position == other.position

    def __hash__(self) -> int:
        return hash((self.game, self.position))

    def __repr__(self) -> str:
        return f"{self.game!r}.position({self.position!r})"

    def __str__(self) -> str:
        return self.position

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild_state, (self.game, self.position)


OVERLAYS: dict[str, Callable[[State], Overlay]] = {
    "standing": lambda state: state.game.standing(state),
    "targets": State._targets,
    "guide": lambda state: state.game.guide(),
}


def _rebuild_game(kind: type[Game], options: dict[str, int]) -> Game:
    return kind(**options)


def _rebuild_state(game: Game, position: str) -> State:
    return game.position(position)
