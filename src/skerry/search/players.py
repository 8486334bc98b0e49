"""Players by name: ``random``, ``level:5``, ``mcts:simulations=2000`` and the like."""

import re
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from skerry.core.errors import OptionsError, shorten
from skerry.core.game import Move, State
from skerry.search.analysis import Analysis, analyse
from skerry.search.tree import EXPLORATION

FORMS = "random, mcts:simulations=2000, mcts:seconds=1.5,threads=2, or level:1 to level:8"
SEEDS = 2**31
WHOLE_SETTINGS = {
    "simulations": re.compile(r"[1-9][0-9]{0,11}"),
    "threads": re.compile(r"[1-9][0-9]?"),
}
FRACTIONS = ("seconds", "exploration")
DECIMAL = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")


class Player(Protocol):
    """Somebody who chooses moves."""

    @property
    def name(self) -> str:
        """The text that ``player`` makes it from."""

    def choose(self, state: State, seed: int | None = None) -> Move:
        """A legal move of a state in which the game goes on; the same for the same seed."""


@dataclass(frozen=True)
class RandomPlayer:
    """Any legal move, all equally likely."""

    name: str = "random"

    def choose(self, state: State, seed: int | None = None) -> Move:
        moves = _moves(state)
        return moves[int(np.random.default_rng(seed).integers(len(moves)))]


@dataclass(frozen=True)
class TreePlayer:
    """The best move of a tree search.

    With ``temperature`` above 0 a move is drawn by visits ** (1 / temperature) instead, which keeps
    to plausible moves; what is proven to lose is left out as long as there is something else.
    """

    name: str
    simulations: int | None = None
    seconds: float | None = None
    threads: int = 1
    exploration: float = EXPLORATION
    temperature: float = 0.0

    def choose(self, state: State, seed: int | None = None) -> Move:
        if len(_moves(state)) == 1:
            return state.legal_moves()[0]
        chooser = np.random.default_rng(seed)
        found = analyse(
            state,
            simulations=self.simulations,
            seconds=self.seconds,
            seed=int(chooser.integers(SEEDS)),
            threads=self.threads,
            exploration=self.exploration,
            lines=False,
        )
        if self.temperature == 0 or found.moves[0].proven:
            return found.best
        return _draw(found, state, self.temperature, chooser)


def _draw(found: Analysis, state: State, temperature: float, chooser: np.random.Generator) -> Move:
    seat = state.to_move or 0
    hopeful = [move for move in found.moves if not (move.proven and move.values[seat] < 0)]
    candidates = hopeful or list(found.moves)
    visits = np.array([move.visits for move in candidates], float)
    if visits.max() == 0:  # all that was tried is proven to lose
        visits += 1
    weights = (visits / visits.max()) ** (1 / temperature)
    return candidates[int(chooser.choice(len(candidates), p=weights / weights.sum()))].move


def _moves(state: State) -> tuple[Move, ...]:
    if state.is_over:
        raise OptionsError("the game is over: there is no move to choose")
    return state.legal_moves()


# Weaker levels think less and choose more freely among what they thought of.
LEVELS = (
    TreePlayer("level:1", simulations=30, temperature=1.0),
    TreePlayer("level:2", simulations=100, temperature=0.7),
    TreePlayer("level:3", simulations=300, temperature=0.5),
    TreePlayer("level:4", simulations=1_000, temperature=0.3),
    TreePlayer("level:5", simulations=4_000),
    TreePlayer("level:6", simulations=16_000),
    TreePlayer("level:7", simulations=64_000),
    TreePlayer("level:8", seconds=2.0, threads=2),
)


def player(spec: str) -> Player:
    """The player of a text; OptionsError names the forms there are."""
    kind, _, rest = spec.strip().lower().partition(":")
    if kind == "random" and not rest:
        return RandomPlayer()
    if kind == "level" and re.fullmatch(r"[1-8]", rest):
        return LEVELS[int(rest) - 1]
    if kind == "mcts":
        return TreePlayer(spec, **_read_settings(spec, rest))  # type: ignore[arg-type]
    raise OptionsError(f"there is no player {shorten(spec)}; use {FORMS}")


def _read_settings(spec: str, text: str) -> dict[str, int | float]:
    settings: dict[str, int | float] = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        if name in WHOLE_SETTINGS and WHOLE_SETTINGS[name].fullmatch(value):
            settings[name] = int(value)
        elif name in FRACTIONS and DECIMAL.fullmatch(value) and float(value) > 0:
            settings[name] = float(value)
        else:
            raise OptionsError(f"{shorten(part)} means nothing in {shorten(spec)}; use {FORMS}")
    return settings
