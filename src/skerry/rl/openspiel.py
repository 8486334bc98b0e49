"""The face that OpenSpiel's algorithms know: importing this module registers the games.

``pyspiel.load_game("skerry_skew_v0(side=4)")`` then finds Skew on a small board, and so on. Deals
are chance nodes: deal ``n`` is ``game.initial(n)``, and ``deals`` says how many there are.
"""

from typing import Any

import numpy as np

from skerry.core.errors import OptionsError
from skerry.core.extras import needs
from skerry.core.game import Game
from skerry.core.state import State
from skerry.games import GAMES, kind, make
from skerry.nets.layout import lay_out
from skerry.rl.ids import VERSION
from skerry.rl.planes import see

with needs("rl", "the face for OpenSpiel"):
    import pyspiel

DEALS = 1000


def name_of(name: str) -> str:
    """What OpenSpiel calls a game of ours."""
    return f"skerry_{name}_v{VERSION}"


def type_of(name: str) -> Any:
    """How OpenSpiel describes a game before it is loaded."""
    game = kind(name)
    parameters = {option.name: option.default for option in game.option_specs}
    if game.has_chance:
        parameters["deals"] = DEALS
    return pyspiel.GameType(
        short_name=name_of(name),
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=(
            pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
            if game.has_chance
            else pyspiel.GameType.ChanceMode.DETERMINISTIC
        ),
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=len(game.seats),
        min_num_players=len(game.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel's classes have no types
    """One of our games as OpenSpiel's."""

    name: str

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        options = dict(params or {})
        self.deals = int(options.pop("deals", DEALS))
        if self.deals < 1:
            raise OptionsError(f"{self.name}: deals must be at least 1, not {self.deals}")
        self.game: Game = make(self.name, **options)
        chance = self.deals if self.game.has_chance else 0
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.num_actions,
            max_chance_outcomes=chance,
            num_players=self.game.num_seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.game.most_actions,
        )
        super().__init__(type_of(self.name), info, params or {})

    def new_initial_state(self) -> "SpielState":
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        return int(self.game.has_chance)  # the deal

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "PlanesObserver":
        return PlanesObserver(self.game)

    def __reduce__(self) -> tuple[Any, ...]:
        return load_game, (str(self),)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """One moment of a game; None before the deal."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._deals = game.deals
        self._game = game.game
        self.state: State | None = None if self._game.has_chance else self._game.initial()

    def current_player(self) -> int:
        if self.state is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.state.to_move is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.state.to_move

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(deal, 1 / self._deals) for deal in range(self._deals)]

    def _legal_actions(self, player: int) -> list[int]:
        # The base class asks for players only; chance has its outcomes.
        return [] if self.state is None else [int(a) for a in self.state.legal_actions()]

    def _apply_action(self, action: int) -> None:
        if self.state is None:
            self.state = self._game.initial(action)
        else:
            self.state = self.state.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if self.state is None else str(self.state.move(action))

    def is_terminal(self) -> bool:
        return self.state is not None and self.state.is_over

    def returns(self) -> list[float]:
        outcome = None if self.state is None else self.state.outcome
        return list(outcome.returns) if outcome else [0.0] * self._game.num_seats

    def __str__(self) -> str:
        return "before the deal" if self.state is None else str(self.state)

    def __reduce__(self) -> tuple[Any, ...]:
        return replay, (str(self.get_game()), self.history())


class PlanesObserver:
    """What a player sees: the planes of ``BatchEnv.observe`` as numbers, the position as text."""

    def __init__(self, game: Game) -> None:
        self._layout = lay_out(game)
        shape = self._layout.shape
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        if state.state is None:
            self.tensor.fill(0)
        else:
            self.dict["observation"][:] = see(self._layout, state.state, player)

    def string_from(self, state: SpielState, player: int) -> str:
        return str(state)


def load_game(text: str) -> Any:
    """The game that was pickled: whoever loads it has imported this module, which registers it."""
    return pyspiel.load_game(text)


def replay(text: str, actions: list[int]) -> SpielState:
    """The state that was pickled."""
    state: SpielState = load_game(text).new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def register() -> None:
    """Make the games known to OpenSpiel; once is enough."""
    known = set(pyspiel.registered_names())
    for name in GAMES:
        if name_of(name) not in known:
            pyspiel.register_game(type_of(name), type(f"Spiel{name}", (SpielGame,), {"name": name}))


register()
