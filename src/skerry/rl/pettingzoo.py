"""The face that PettingZoo's tools know: one agent after the other (AEC)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core.extras import needs
from skerry.core.game import Game
from skerry.core.options import LARGEST_INTEGER
from skerry.rl.batch import BatchEnv
from skerry.rl.ids import game_of, id_of
from skerry.rl.spaces import RENDER_FPS, RENDER_MODES, mask_space, render, space_of

with needs("rl", "the face for PettingZoo"):
    import gymnasium
    import pettingzoo
    from gymnasium import spaces


class TurnsEnv(pettingzoo.AECEnv):  # type: ignore[misc]  # PettingZoo's classes have no types
    """A game for PettingZoo; agents are ``player_0`` and so on, by seat.

    An observation is a dictionary of ``observation`` [planes, height, width], seen by the agent,
    and ``action_mask`` [actions], all 0 for those who are not to move. An illegal action loses.
    """

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        super().__init__()
        self.metadata = {
            "name": id_of(game.name),
            "render_modes": RENDER_MODES,
            "render_fps": RENDER_FPS,
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.game = game
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_seats)]
        self._batch = BatchEnv(game, 1, auto_reset=False, threads=1)
        planes = space_of(self._batch.layout)
        seen = spaces.Dict(
            {
                "observation": planes,
                "action_mask": mask_space(game.num_actions),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {
            agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents
        }
        turns = np.ones((game.num_seats, *planes.shape[1:]), np.uint8)
        high = np.concatenate([planes.high, turns])
        self.state_space = spaces.Box(np.zeros_like(high), high, dtype=np.uint8)
        self._dealer = np.random.default_rng()

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game; without a seed, one that follows from the seeds before."""
        if seed is not None:
            self._dealer = np.random.default_rng(seed)
        self._batch.reset(self._dealer.integers(LARGEST_INTEGER, size=1))
        self.agents = self.possible_agents[:]
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._tell(0)
        self._accumulate_rewards()  # a deal may be over before anybody moves

    def _tell(self, next_seat: int) -> None:
        """Take over what the batch says; when the game is over the seats are asked in order."""
        over = bool(self._batch.done[0])
        self.rewards = dict(zip(self.agents, self._batch.rewards[0].tolist(), strict=True))
        self.terminations = dict.fromkeys(self.agents, over)
        seat = next_seat if over else int(self._batch.to_move[0])
        self.agent_selection = self.possible_agents[seat]

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._batch.step([int(action)])
        self._tell((self.possible_agents.index(agent) + 1) % len(self.possible_agents))
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        mask = np.zeros(self.game.num_actions, np.int8)
        if self._batch.to_move[0] == seat:
            mask[:] = self._batch.legal[0]
        return {"observation": self._batch.observe(seat)[0], "action_mask": mask}

    def state(self) -> NDArray[np.uint8]:
        """The whole game [planes + seats, height, width]: what the first seat sees, and then a
        plane for every seat, filled if it is its turn."""
        turns = np.zeros((self.game.num_seats, *self._batch.layout.shape[1:]), np.uint8)
        turns[self._batch.state(0).turn] = 1
        return np.concatenate([self._batch.observe(0)[0], turns])

    def render(self) -> Any:
        """The board as text or pixels."""
        return render(self._batch.state(0), self.render_mode)

    def close(self) -> None:
        """Nothing is left open."""


def env(environment: "str | Game", render_mode: str | None = None, **options: object) -> TurnsEnv:
    """The environment of an id such as ``skew-v0``, or of a game."""
    return TurnsEnv(game_of(environment, **options), render_mode)
