"""Environments without state of their own, in the style of Pgx: ``init`` and ``step``.

A state is a value. ``step`` makes a new one and leaves the old as it was, so that searches can
branch from anywhere. One game and many are the same thing: arrays of seeds and actions make arrays
of everything else.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.core.options import LARGEST_INTEGER, whole_number
from skerry.core.state import State
from skerry.nets.layout import lay_out
from skerry.rl.ids import game_of, id_of
from skerry.rl.stepping import NOBODY
from skerry.rl.threads import Threads


@dataclass(frozen=True, eq=False)
class Moment:
    """One moment of one game, or of a batch of games, whose arrays then have a first axis [B].

    ``rewards`` are what the step that led here brought. ``current_player`` is -1 and nothing is
    legal where ``terminated``.
    """

    current_player: Any  # [] seat
    legal_action_mask: Any  # [actions]
    rewards: Any  # [seats]
    terminated: Any  # []
    observation: Any  # [planes, height, width] seen by who is to move
    records: NDArray[np.void] = field(repr=False)  # [1] or [B]
    single: bool = field(repr=False)


class FunctionalEnv:
    """``init`` and ``step`` of one game; ``make("skew-v0", side=4)`` gives one."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.id = id_of(game.name)
        self.layout = lay_out(game)
        self.num_players = game.num_seats
        self.num_actions = game.num_actions
        self.observation_shape = self.layout.shape

    def init(self, seed: "int | NDArray[Any]" = 0) -> Moment:
        """The start of a game, or of as many as there are seeds."""
        single = np.ndim(seed) == 0
        if single:
            seed = np.array([whole_number("seed", seed)])
        seeds = np.asarray(seed)
        if seeds.ndim != 1 or seeds.dtype.kind not in "iu" or not len(seeds):
            raise OptionsError("a seed must be a whole number, or an array of them for many games")
        if int(seeds.min()) < 0 or int(seeds.max()) > LARGEST_INTEGER:
            raise OptionsError("seeds must be whole numbers from 0 to 2**63 - 1")
        does = self._batch(len(seeds))
        does.reset(np.ascontiguousarray(seeds, np.int64))
        return self._moment(does, single)

    def step(self, state: Moment, action: "int | NDArray[Any]") -> Moment:
        """What comes after an action, or after one in every game.

        An illegal action ends its game: -1 for who tried it, +1 shared by the others. Games that
        are over stay as they are and pay nothing more.
        """
        does = self._batch(len(state.records))
        does.states[:] = state.records
        marks = np.packbits(state.legal_action_mask, axis=-1, bitorder="little")
        does.marks.view(np.uint8)[:, : marks.shape[-1]] = marks
        actions = np.atleast_1d(np.asarray(action))
        if actions.shape != does.to_move.shape or actions.dtype.kind not in "iu":
            raise OptionsError(
                f"actions must be {len(does.to_move)} whole numbers, one for each game"
            )
        does.step(actions)
        return self._moment(does, state.single)

    def state(self, moment: Moment, k: int = 0) -> State:
        """One game of a moment as a ``skerry.State``."""
        return State(self.game, moment.records[k : k + 1].copy())

    def _batch(self, batch: int) -> Threads:
        return Threads(self.game, batch, self.layout, restart=False, threads=None)

    def _moment(self, does: Threads, single: bool) -> Moment:
        seen = does.observe(NOBODY)
        arrays = (does.to_move, does.legal, does.rewards, does.done, seen)
        for array in (*arrays, does.states):
            array.flags.writeable = False
        player, legal, rewards, done, planes = (a[0] if single else a for a in arrays)
        return Moment(player, legal, rewards, done, planes, does.states, single)


def make(environment: "str | Game", **options: object) -> FunctionalEnv:
    """The environment of an id such as ``skew-v0``, or of a game."""
    return FunctionalEnv(game_of(environment, **options))
