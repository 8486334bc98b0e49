"""A ``State``: one moment of a game. It is immutable, and so is all that it hands out."""

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from skerry.core import rules
from skerry.core.calls import ILLEGAL
from skerry.core.errors import LONGEST_SHOWN, IllegalMove, InvalidMove, OptionsError, shorten
from skerry.core.notation import TURN_JOINT
from skerry.core.options import read_integer
from skerry.core.scene import FACES, TARGET, Mark, Overlay, Scene
from skerry.core.texts import N_

if TYPE_CHECKING:
    from skerry.core.game import Game


class Immutable:
    """Refuses changes after construction, so that states can be shared and hashed."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot delete {name!r}")


class Move(Immutable):
    """A legal action of one position: ``int(move)`` is the action, ``str(move)`` its notation.

    The notation is made when it is asked for: most moves that are listed are never written.
    """

    __slots__ = ("_text", "action")
    __match_args__ = ("action", "text")

    action: int
    _text: "str | State"  # until somebody asks, the state that it is a move of

    def __init__(self, action: int, text: str) -> None:
        _set_action(self, operator.index(action))
        _set_text(self, text)

    @classmethod
    def of(cls, state: "State", actions: Sequence[int]) -> "tuple[Move, ...]":
        """The moves that legal actions of a state are; without a call for each of them."""
        moves = tuple(map(_new, repeat(cls, len(actions))))
        for move, action in zip(moves, actions, strict=True):
            _set_action(move, action)
            _set_text(move, state)
        return moves

    @property
    def text(self) -> str:
        """The notation."""
        text = self._text
        if isinstance(text, State):
            text = text.game.notation.write_action(text, self.action)
            _set_text(self, text)
        return text

    def __int__(self) -> int:
        return self.action

    __index__ = __int__

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move(action={self.action!r}, text={self.text!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        return self is other or (self.action == other.action and self.text == other.text)

    def __hash__(self) -> int:
        return hash(self.action)

    def __reduce__(self) -> tuple[Any, ...]:
        return Move, (self.action, self.text)


# Slots of what is immutable are filled by these, and by nobody else.
_new = object.__new__
_set_action, _set_text = (vars(Move)[slot].__set__ for slot in ("action", "_text"))


@dataclass(frozen=True)
class Outcome:
    """How a game ended: returns per seat, the winning seat or None, the score, and why."""

    returns: tuple[float, ...]
    winner: int | None
    score: tuple[int, ...] | None
    reason: str


class State(Immutable):
    """One moment of a game: whose turn it is, what may be played, and how it ended."""

    __slots__ = {  # noqa: RUF023  # as help() shows them
        "game": "The game it is a moment of.",
        "turn": "The seat whose turn it is, or would be if the game were not over.",
        "is_over": "Whether the game has ended.",
        "_data": None,
        "_legal": None,
        "__dict__": None,
        "__weakref__": None,
    }

    game: "Game"
    turn: int
    is_over: bool
    _data: bytearray  # the record that kernels work on, of which only copies are changed
    _legal: "NDArray[np.int32] | None"  # once somebody has asked

    def __init__(self, game: "Game", states: NDArray[np.void]) -> None:
        """The state of a record, ``states[0]``."""
        if states.dtype != game.dtype or states.shape != (1,):
            raise TypeError(f"a state of {game!r} is one record of its dtype")
        _set_game(self, game)
        _set_data(self, bytearray(states.tobytes()))
        _set_turn(self, int(states["turn"][0]))
        _set_over(self, bool(states["over"][0]))
        _set_legal(self, None)

    @property
    def raw(self) -> Any:
        """What kernels work on, read-only."""
        return self.array[0]

    @cached_property
    def array(self) -> NDArray[np.void]:
        """[1] the same as an array, as kernels are handed it from Python; they must not write."""
        return np.frombuffer(memoryview(self._data).toreadonly(), self.game.dtype)

    def _copy(self) -> NDArray[np.void]:
        """[1] the same for kernels that write into its field ``work``."""
        return np.frombuffer(bytearray(self._data), self.game.dtype)

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
        rest = rules.identify_first(self.game.tables, self._copy(), codes)
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
    def to_move(self) -> int | None:
        """The seat to move, None when the game is over."""
        return None if self.is_over else self.turn

    def legal_actions(self) -> NDArray[np.int32]:
        """The legal actions in ascending order; read-only."""
        legal = self._legal
        if legal is None:
            out = np.empty(self.game.num_actions, np.int32)
            legal = out[: self.game.list_in(bytearray(self._data), out)].copy()
            legal.setflags(write=False)
            _set_legal(self, legal)
        return legal.view()  # unlike the array itself, a view cannot be made writable

    def legal_moves(self) -> tuple[Move, ...]:
        """The legal moves, in the order of ``legal_actions``."""
        actions, shared = self.legal_actions(), self.game.shared_moves
        if shared is not None:
            return tuple(shared.take(actions).tolist())
        return Move.of(self, actions.tolist())

    def move(self, action: int) -> Move:
        """The legal move of an action; IllegalMove says why there is none."""
        number, game = read_integer(action), self.game
        if number is None:
            raise InvalidMove(f"an action is a whole number, not {shorten(action)}")
        if not 0 <= number < game.num_actions or number not in self.legal_actions():
            raise self._refuse(number)
        shared = game.shared_moves
        return Move.of(self, [number])[0] if shared is None else shared[number]

    def _refuse(self, action: int) -> InvalidMove | IllegalMove:
        """Why an action that is not legal cannot be played."""
        if not 0 <= action < self.game.num_actions:
            return InvalidMove(
                f"action {shorten(action)} is not from 0 to {self.game.num_actions - 1}"
            )
        if self.is_over:
            return IllegalMove(N_("the game is over"))
        return IllegalMove(self.game.notation.why_illegal(self, action))

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
            state = state._after(moves[-1].action)
        return tuple(moves)

    def play(self, move: "str | Move | int") -> "State":
        """The state after a move: notation, a Move or an action.

        A text may also be a whole turn of several actions, such as ``a3-c5`` in Skirt; either
        all of it is played or none.
        """
        if type(move) is int:
            return self._after(move)
        if isinstance(move, Move):
            return self._after(move.action)
        if isinstance(move, str):
            state = self
            for each in self.parse_turn(move):
                state = state._after(each.action)
            return state
        action = read_integer(move)
        if action is None:
            raise InvalidMove(f"a move is text, a Move or an action, not {type(move).__name__}")
        return self._after(action)

    def _after(self, action: int) -> "State":
        game, data = self.game, bytearray(self._data)
        try:
            found = game.play_in(data, action)
        except OverflowError:  # no kernel can be handed such a number
            found = ILLEGAL
        if found == ILLEGAL:
            raise self._refuse(action)
        after = _new(State)
        _set_game(after, game)
        _set_data(after, data)
        _set_turn(after, found >> 1)
        _set_over(after, found & 1 == 1)
        _set_legal(after, None)
        return after

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it is going on."""
        if not self.is_over:
            return None
        game, out = self.game, np.zeros(self.game.num_seats)
        rules.final_returns(game.tables, self._copy(), out)
        returns = tuple(out.tolist())
        winner = None if max(returns) <= 0 else returns.index(max(returns))
        score = self._score()
        return Outcome(returns, winner, score, game.view.explain(self, returns, score or ()))

    def _score(self) -> tuple[int, ...] | None:
        """What each seat has scored, in games that count something."""
        out = np.zeros(self.game.num_seats, np.int64)
        counts = rules.count_score(self.game.tables, self._copy(), out)
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


_set_game, _set_data, _set_turn, _set_over, _set_legal = (
    vars(State)[slot].__set__ for slot in ("game", "_data", "turn", "is_over", "_legal")
)

OVERLAYS: dict[str, Callable[[State], Overlay]] = {
    "standing": lambda state: state.game.view.standing(state),
    "targets": State._targets,
    "guide": lambda state: state.game.view.guide(),
}


def _rebuild_state(game: "Game", position: str) -> State:
    return game.position(position)
