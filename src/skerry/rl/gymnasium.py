"""The face that Gymnasium's tools know: one learner, with engines on all other seats.

Importing this module registers ``skerry/skew-v0`` and the like with ``gymnasium.make``, and with
``gymnasium.make_vec`` as many games at once.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.agents.python import Agent
from skerry.core.errors import OptionsError, shorten
from skerry.core.extras import needs
from skerry.core.game import Game
from skerry.rl.ids import IDS, game_of
from skerry.rl.rows import Numbers
from skerry.rl.spaces import RENDER_FPS, RENDER_MODES, mask_space, render, space_of
from skerry.rl.sparring import Sparring

with needs("rl", "the face for Gymnasium"):
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space


class SoloEnv(gymnasium.Env[Any, Any]):
    """A game against engines: ``opponent`` is any player, such as ``level:3`` or ``cmd:./mybot``,
    or an object with ``choose(state)``. Where it forfeits a game, ``info["forfeit"]`` says why.

    The learner sits on ``seat``, or on one drawn anew for every game if that is None. The reward
    is 0 until the game is over, and then what the seat made of it; an illegal action loses.
    ``info["action_mask"]`` [actions] says what is legal, and so does ``action_masks()``.

    ``with_mask`` makes an observation a dictionary of ``obs`` and ``mask``. ``random_plies`` are
    those of ``BatchEnv``; ``reset(options={"start": position})`` begins at a position.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS}  # noqa: RUF012  # Gymnasium's own way

    def __init__(
        self,
        environment: "str | Game",
        opponent: "str | Agent" = "level:1",
        seat: int | None = 0,
        render_mode: str | None = None,
        with_mask: bool = False,
        random_plies: int | tuple[int, int] = 0,
        **options: object,
    ) -> None:
        self.game = game_of(environment, **options)
        self.render_mode = render_mode
        self.with_mask = with_mask
        self._sparring = Sparring(self.game, 1, opponent, seat, random_plies)
        self.seat = self._sparring.seat
        self.observation_space = observed_space(self._sparring, with_mask)
        self.action_space = spaces.Discrete(self.game.num_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._sparring.begin(np.arange(1), [self.np_random], (options or {}).get("start"))
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self._sparring.play(np.array([int(action)]), np.arange(1), [self.np_random])
        reward, over = self._sparring.rewards[0], self._sparring.done[0]
        return self._seen(), float(reward), bool(over), False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """[actions] which are legal; sb3-contrib asks for them by this name."""
        (mask,) = self._sparring.legal()
        return mask  # type: ignore[no-any-return]

    def _seen(self) -> Any:
        return pick(0, see_all(self._sparring, self.with_mask))

    def _info(self) -> dict[str, Any]:
        info = tell_all(self._sparring)
        told = {"action_mask": info["action_mask"][0], "seat": int(info["seat"][0])}
        return {**told, "forfeit": info["forfeit"][0]} if "forfeit" in info else told

    def close(self) -> None:
        """Let an opponent go that is a program."""
        self._sparring.close()

    def render(self) -> Any:
        """The board as text or pixels."""
        return render(self._sparring.env.state(0), self.render_mode)


class SoloVectorEnv(VectorEnv[Any, Any, Any]):
    """As many games as ``num_envs`` says, each of which is what ``SoloEnv`` would be.

    Games that are over begin anew as ``autoreset_mode`` says: with the next step, whose action they
    ignore, in the same step, or not before ``reset(options={"reset_mask": mask})``.
    """

    def __init__(
        self,
        environment: "str | Game",
        num_envs: int = 1,
        opponent: "str | Agent" = "level:1",
        seat: int | None = 0,
        render_mode: str | None = None,
        with_mask: bool = False,
        random_plies: int | tuple[int, int] = 0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **options: object,
    ) -> None:
        self.game = game_of(environment, **options)
        self.mode = read_autoreset(autoreset_mode)
        self.metadata = {**SoloEnv.metadata, "autoreset_mode": self.mode}
        self.render_mode = render_mode
        self.with_mask = with_mask
        self._sparring = Sparring(self.game, num_envs, opponent, seat, random_plies)
        self.num_envs = self._sparring.env.batch
        self.single_observation_space = observed_space(self._sparring, with_mask)
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._dice = [np.random.default_rng() for _ in range(self.num_envs)]

    def reset(
        self, *, seed: "int | list[int | None] | None" = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start all games, or those of a mask; ``seed`` is one for the first, or one for each."""
        wanted = options or {}
        rows = np.flatnonzero(wanted.get("reset_mask", np.ones(self.num_envs, np.bool_)))
        if seed is not None:
            seeds = [seed + k for k in range(self.num_envs)] if isinstance(seed, int) else seed
            for k in rows:
                if seeds[k] is not None:
                    self._dice[k], _ = gymnasium.utils.seeding.np_random(seeds[k])
        self._sparring.begin(rows, self._dice, wanted.get("start"))
        return self._seen(), tell_all(self._sparring)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        sparring, chosen = self._sparring, np.asarray(actions)
        over = np.zeros(self.num_envs, np.bool_)
        if self.mode == AutoresetMode.NEXT_STEP:
            over |= sparring.done
            self._begin(np.flatnonzero(over))
        rows = np.flatnonzero(~over)
        if len(rows):
            sparring.play(chosen[rows], rows, self._dice)
        rewards, ended = sparring.rewards.copy(), sparring.done.copy()
        last: dict[str, Any] = {}
        if self.mode == AutoresetMode.SAME_STEP and ended.any():
            last = self._show_ends(ended)
            self._begin(np.flatnonzero(ended))
        info = {**tell_all(sparring), **last}
        return self._seen(), rewards, ended, np.zeros_like(ended), info

    def _begin(self, rows: Numbers) -> None:
        if len(rows):
            self._sparring.begin(rows, self._dice)

    def _show_ends(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """What was to be seen when games ended, as Gymnasium's own vectors tell it."""
        final, seen = np.full(self.num_envs, None, object), self._seen()
        for k in np.flatnonzero(ended):
            final[k] = pick(int(k), seen)
        told = tell_all(self._sparring)
        return {
            "final_obs": final,
            "_final_obs": ended,
            "final_info": {**told, **{f"_{name}": ended for name in told}},
            "_final_info": ended,
        }

    def action_masks(self) -> NDArray[np.bool_]:
        """[B, actions] which are legal."""
        return self._sparring.legal()

    def _seen(self) -> Any:
        return see_all(self._sparring, self.with_mask)

    def close_extras(self, **kwargs: Any) -> None:
        """Let an opponent go that is a program."""
        self._sparring.close()

    def render(self) -> Any:
        """All boards as texts or pixels."""
        env = self._sparring.env
        return tuple(render(env.state(k), self.render_mode) for k in range(self.num_envs))


def observed_space(sparring: Sparring, with_mask: bool) -> spaces.Space[Any]:
    """The space of one observation."""
    planes = space_of(sparring.env.layout)
    if not with_mask:
        return planes
    return spaces.Dict({"obs": planes, "mask": mask_space(sparring.game.num_actions)})


def see_all(sparring: Sparring, with_mask: bool) -> Any:
    """What the learners see [B, ...]."""
    planes = sparring.observe()
    return {"obs": planes, "mask": sparring.legal().astype(np.int8)} if with_mask else planes


def pick(k: int, seen: Any) -> Any:
    """One observation of all."""
    return {name: part[k] for name, part in seen.items()} if isinstance(seen, dict) else seen[k]


def tell_all(sparring: Sparring) -> dict[str, Any]:
    """What the learners are told besides [B, ...]."""
    seats = sparring.sits.astype(np.int64)
    told = {"action_mask": sparring.legal().astype(np.int8), "seat": seats}
    if not any(sparring.forfeits):
        return told
    forfeits = np.array(sparring.forfeits, object)
    return {**told, "forfeit": forfeits, "_forfeit": forfeits != None}  # noqa: E711  # of each


def read_autoreset(mode: AutoresetMode | str) -> AutoresetMode:
    """When games begin anew; OptionsError names the ways."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        names = " or ".join(way.value for way in AutoresetMode)
        raise OptionsError(f"there is no autoreset_mode {shorten(mode)}; use {names}") from None


for environment in IDS:
    gymnasium.register(
        f"skerry/{environment}",
        entry_point="skerry.rl.gymnasium:SoloEnv",
        vector_entry_point="skerry.rl.gymnasium:SoloVectorEnv",
        kwargs={"environment": environment},
    )
