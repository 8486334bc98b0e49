"""A ``State``: one moment of a game. It is immutable, and so is all that it hands out."""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from skerry.core import rules
from skerry.core.errors import LONGEST_SHOWN, IllegalMove, InvalidMove, OptionsError, shorten
from skerry.core.notation import TURN_JOINT
from skerry.core.scene import FACES, TARGET, Mark, Overlay, Scene

if TYPE_CHECKING:
    from skerry.core.game import Game


class Immutable:
    """Refuses changes after construction, so that states can be shared and hashed."""

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot delete {name!r}")


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


class State(Immutable):
    """One moment of a game: whose turn it is, what may be played, and how it ended."""

    def __init__(self, game: "Game", states: NDArray[np.void]) -> None:
        states.flags.writeable = False
        self.__dict__.update(game=game, _states=states)

    if TYPE_CHECKING:
        game: "Game"
        _states: NDArray[np.void]  # [1]

    @property
    def raw(self) -> Any:
        """What kernels work on, read-only."""
        return self._states[0]

    @property
    def array(self) -> NDArray[np.void]:
        """[1] the same as an array, as kernels are handed it from Python; they must not write."""
        return self._states

    @cached_property
    def position(self) -> str:
        """Position text: ``game.position(state.position) == state``."""
        game = self.game
        rows = game.board.write_rows(self.cells)
        return " ".join([rows, game.seat_letters[self.turn], *game.notation.write_tail(self)])

    @cached_property
    def _identity(self) -> tuple[NDArray[np.uint8], int]:
        """What ``rules.identify`` tells a position by: a code for every cell, and the rest."""
        codes = np.zeros(len(self.game.board), np.uint8)
        rest = rules.identify_first(self.game.tables, self._states.copy(), codes)
        codes.flags.writeable = False
        return codes, int(rest)

    @property
    def codes(self) -> NDArray[np.uint8]:
        """[cells] what stands on every cell: 0 for nothing, else 1 + its place in
        ``game.pieces``; codes beyond mark cells that are special at the moment. Read-only."""
        return self._identity[0]

    @property
    def counter(self) -> int:
        """What the game counts beside the board, such as actions without an attack."""
        return self._identity[1] // self.game.num_seats

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """The letter of every cell, ``.`` for empty."""
        return tuple(self.game.notation.write_cells(self))

    @property
    def turn(self) -> int:
        """The seat whose turn it is, or would be if the game were not over."""
        return int(self.raw["turn"])

    @property
    def is_over(self) -> bool:
        return bool(self.raw["over"])

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when the game is over."""
        return None if self.is_over else self.turn

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
            raise IllegalMove(self.game.notation.why_illegal(self, action))
        return self._move(action)

    def _move(self, action: int) -> Move:
        return Move(action, self.game.notation.write_action(self, action))

    def parse(self, text: str) -> Move:
        """The legal move of a notation; InvalidMove or IllegalMove where there is none."""
        if not isinstance(text, str):
            raise InvalidMove(f"a move is written as text, not {shorten(text)}")
        if self.is_over:
            raise IllegalMove(f"{shorten(text)} cannot be played: the game is over")
        tidy = text.strip().lower()
        if len(tidy) > LONGEST_SHOWN or not tidy.isascii():
            raise InvalidMove(f"{shorten(text)} is no move of {self.game.title}")
        return self.move(self.game.notation.read_action(self, tidy))

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
        score = self._score()
        return Outcome(returns, winner, score, game.view.explain(self, returns, score or ()))

    def _score(self) -> tuple[int, ...] | None:
        """What each seat has scored, in games that count something."""
        out = np.zeros(self.game.num_seats, np.int64)
        counts = rules.count_score(self.game.tables, self._states.copy(), out)
        return tuple(out.tolist()) if counts else None

    def scene(self) -> Scene:
        """What there is to see, for renderers."""
        return self._scene

    @cached_property
    def _scene(self) -> Scene:
        return self.game.scene_of(self.cells)

    def path(self, move: Move) -> tuple[str, ...]:
        """What a person points at to make a move: ``("d4", "ne")`` in Skew, for example."""
        return self.game.view.path(self, move.action)

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
                total += self.game.view.focus(self, self.game.board.index[cell])
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
    "standing": lambda state: state.game.view.standing(state),
    "targets": State._targets,
    "guide": lambda state: state.game.view.guide(),
}


def _rebuild_state(game: "Game", position: str) -> State:
    return game.position(position)
