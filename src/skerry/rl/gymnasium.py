"""The face that Gymnasium's tools know: one learner, with engines on all other seats.

Importing this module registers ``skerry/skew-v0`` and the like with ``gymnasium.make``.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.core.options import LARGEST_INTEGER, whole_number
from skerry.rl.batch import BatchEnv
from skerry.rl.ids import IDS, game_of
from skerry.search.players import SEEDS, player

MOST_DEALS = 1000  # that may be over before the learner moves


class SoloEnv(gymnasium.Env[Any, Any]):
    """A game against engines: ``opponent`` is any player, such as ``random`` or ``level:3``.

    The learner sits on ``seat``, or on one drawn anew for every game if that is None. The reward
    is 0 until the game is over, and then what the seat made of it; an illegal action loses.
    ``info["action_mask"]`` [actions] says what is legal.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012  # Gymnasium's own way

    def __init__(
        self,
        environment: "str | Game",
        opponent: str = "level:1",
        seat: int | None = 0,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        self.game = game_of(environment, **options)
        self.seat = None if seat is None else whole_number("seat", seat, self.game.num_seats - 1)
        self.render_mode = render_mode
        self._opponent = player(opponent)
        self._batch = BatchEnv(self.game, 1, auto_reset=False, threads=1)
        self._sits = self.seat or 0
        self.observation_space = spaces.Box(0, 255, self._batch.layout.shape, np.uint8)
        self.action_space = spaces.Discrete(self.game.num_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._sits = (
            int(self.np_random.integers(self.game.num_seats)) if self.seat is None else self.seat
        )
        for _ in range(MOST_DEALS):
            self._batch.reset(self.np_random.integers(LARGEST_INTEGER, size=1))
            self._let_others_play()
            # A deal without a move, or an opening that ends it all, leaves nothing to learn.
            if not self._batch.done[0]:
                return self._seen(), self._info()
        raise OptionsError(
            f"{MOST_DEALS} games of {self.game!r} in a row were over before seat {self._sits} had "
            "a move: choose other options"
        )

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self._batch.step([int(action)])
        reward = float(self._batch.rewards[0, self._sits])
        if not self._batch.done[0]:
            self._let_others_play()
            reward = float(self._batch.rewards[0, self._sits])
        return self._seen(), reward, bool(self._batch.done[0]), False, self._info()

    def _let_others_play(self) -> None:
        """Until it is the learner's turn."""
        while not self._batch.done[0] and self._batch.to_move[0] != self._sits:
            state = self._batch.state(0)
            move = self._opponent.choose(state, int(self.np_random.integers(SEEDS)))
            self._batch.step([int(move)])

    def _seen(self) -> Any:
        return self._batch.observe(self._sits)[0]

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._batch.legal[0].astype(np.int8), "seat": self._sits}

    def render(self) -> Any:
        """The board as text."""
        return self._batch.state(0).text() if self.render_mode == "ansi" else None


for environment in IDS:
    gymnasium.register(
        f"skerry/{environment}",
        entry_point="skerry.rl.gymnasium:SoloEnv",
        kwargs={"environment": environment},
    )
