"""Players by name, such as ``random``, ``level:5`` or ``cmd:./mybot``, and objects that choose."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, Protocol

import numpy as np

from skerry.agents.apart import host_agent, host_named, is_apart
from skerry.agents.command import CommandPlayer, read_command_player
from skerry.agents.python import (
    Agent,
    AgentPlayer,
    as_player,
    check_agent,
    find_agent,
    list_agents,
)
from skerry.core.errors import OptionsError, shorten
from skerry.core.game import Game
from skerry.core.levels import BEST
from skerry.core.state import Move, State
from skerry.nets.file import Net
from skerry.nets.shipped import shipped_net
from skerry.search.analysis import DEFAULT_NODES, DEFAULT_SIMULATIONS, Analysis, Search
from skerry.search.engine import DEFAULT_LOOKS, open_net, plant
from skerry.search.guided.company import GUESS, VIEWS, Company
from skerry.search.guided.search import GUIDED, GuidedSearch
from skerry.search.tree import DEFAULT, PLAIN, Style

FORMS = (
    "random, net:seconds=1, net:simulations=64, net:looks=1, mcts:simulations=2000, "
    "mcts:seconds=1.5,threads=2, uct:seconds=0.1, level:1 to level:10, cmd:./program or "
    "module:attribute"
)
SEEDS = 2**31
WHOLE_SETTINGS = {
    "simulations": re.compile(r"[1-9][0-9]{0,11}"),
    "looks": re.compile(r"[1-9][0-9]{0,11}"),
    "threads": re.compile(r"[1-9][0-9]?"),
}
FRACTIONS = ("seconds", "temperature")
NET_SETTINGS = ("looks", "file", "strangers")
WEIGHTS = ("exploration", "amaf", "judgement", "patience", "foresight", "whim", "proofs")
MOST = {"judgement": 1, "foresight": 2}
DECIMAL = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")
# A time is thought about in so many parts: after each, no more is spent on what is decided.
PARTS = 8


class Player(Protocol):
    """Somebody who chooses moves."""

    @property
    def name(self) -> str:
        """The text that ``player`` makes it from."""

    @property
    def threads(self) -> int:
        """How many cores it uses while it thinks."""

    def choose(self, state: State, seed: int | None = None) -> Move:
        """A legal move of a state in which the game goes on."""

    def follow(self, state: State, move: Move, after: State | None = None) -> None:
        """See a move being made in a state, by whomever; ``after`` is where it led, if known."""

    def appraise(self, state: State, seed: int | None = None) -> tuple[float, ...]:
        """What each seat can expect, after as much thought as goes into a move."""


@dataclass(frozen=True)
class RandomPlayer:
    """Any legal move, all equally likely."""

    name: str = "random"
    threads: int = 1

    def choose(self, state: State, seed: int | None = None) -> Move:
        moves = _moves(state)
        return moves[int(np.random.default_rng(seed).integers(len(moves)))]

    def follow(self, state: State, move: Move, after: State | None = None) -> None:
        pass

    def appraise(self, state: State, seed: int | None = None) -> tuple[float, ...]:
        """Any opinion is as good as another."""
        return tuple(np.random.default_rng(seed).uniform(-1, 1, state.game.num_seats).tolist())


@dataclass
class TreePlayer:
    """The best move of a tree search.

    With ``temperature`` above 0 a move is drawn by visits ** (1 / temperature) instead, which keeps
    to plausible moves; what is proven to lose is left out as long as there is something else.

    A player that is shown every move of a game by ``follow`` keeps what it has thought about the
    moves made. That counts towards its simulations: it saves time, and makes only those stronger
    who play by the clock. Choices are the same for the same seeds and the same moves shown.
    """

    name: str
    simulations: int = DEFAULT_SIMULATIONS
    seconds: float | None = None  # of thought, instead of simulations
    threads: int = 1
    style: Style = DEFAULT
    temperature: float = 0.0
    remembers: bool = True
    _search: Search | None = field(default=None, repr=False, compare=False)
    _chose_at: State | None = field(default=None, repr=False, compare=False)

    def choose(self, state: State, seed: int | None = None) -> Move:
        moves = _moves(state)
        if len(moves) == 1:
            return moves[0]
        chooser = np.random.default_rng(seed)
        search = self._search
        if search is None or search.state != state or self._chose_at == state:
            self._search = None  # forget the old trees before there are new ones
            search = self._plant(state, int(chooser.integers(SEEDS)))
        found = self._think(search)
        self._search, self._chose_at = search, state
        if self.temperature == 0 or found.moves[0].proven:
            return found.best
        return _draw(found, state, self.temperature, chooser)

    def follow(self, state: State, move: Move, after: State | None = None) -> None:
        search = self._search
        if search is None:
            return
        self._search = None
        if self.remembers and search.state == state:
            after = state.play(move) if after is None else after
            if not after.is_over:
                search.follow(move, after)
                self._search = search

    def appraise(self, state: State, seed: int | None = None) -> tuple[float, ...]:
        if state.outcome:
            return state.outcome.returns
        search = self._plant(state, int(np.random.default_rng(seed).integers(SEEDS)))
        simulations = None if self.seconds else self.simulations
        return search.run(simulations, self.seconds, lines=0).values

    def _plant(self, state: State, seed: int) -> Search:
        threads = self.threads if self.seconds else min(self.threads, self.simulations)
        return Search(state, seed, threads, self._room(state.game), self.style)

    def _room(self, game: Game) -> int:
        """Nodes for all that may be found: a large pool costs time, even if most stays unused."""
        if self.seconds:
            return DEFAULT_NODES
        # A simulation opens one node at most, and the first look at a position opens one.
        return min(DEFAULT_NODES, (self.simulations + self.threads) * (game.num_actions + 1))

    def _think(self, search: Search) -> Analysis:
        if self.seconds is None:
            return search.run(max(1, self.simulations - search.visits), lines=0)
        seconds, seat, decided = self.seconds, search.state.to_move or 0, False

        def hear(found: Analysis) -> None:
            nonlocal decided
            pace = found.simulations / found.seconds
            decided = _decided(found, seat, pace * (seconds - found.seconds))

        return search.run(
            seconds=seconds, lines=0, stop=lambda: decided, tell=hear, every=seconds / PARTS
        )


@dataclass
class NetPlayer(TreePlayer):
    """The best move of a tree search that a net guides.

    The net is that of a ``file``, or one that comes with skerry. With one look there is no
    search: the move is what the net would try first, but for wins and losses that are in sight.

    ``strangers`` says which of the others are taken to be none of the net's kind, where there is
    more than one: ``none``, ``all``, or those of whom the moves shown by ``follow`` tell so.
    """

    simulations: int = DEFAULT_LOOKS
    style: Style = GUIDED
    file: str | None = None
    shipped: str = BEST
    strangers: str = GUESS
    _company: Company = field(default_factory=Company, repr=False, compare=False)

    def net_for(self, game: Game) -> Net:
        return shipped_net(game, self.shipped) if self.file is None else open_net(self.file, game)

    def _plant(self, state: State, seed: int) -> Search:
        net = self.net_for(state.game)
        return plant(state, seed, self.threads, self._room(state.game), self.style, net)

    def follow(self, state: State, move: Move, after: State | None = None) -> None:
        if self.strangers == GUESS and state.game.num_seats > 2:
            self._company.see(self.net_for(state.game), state, move, after)
        super().follow(state, move, after)

    def _think(self, search: Search) -> Analysis:
        if isinstance(search, GuidedSearch):
            search.meet(self._company.find_strangers(self.strangers, search.state))
        return super()._think(search)


def _decided(found: Analysis, seat: int, simulations: float) -> bool:
    """Whether so many more simulations cannot change which move was tried most.

    Moves that are proven to lose are out, however often they were tried.
    """
    hopeful = [move for move in found.moves if not move.loses(seat)]
    if len(hopeful) < 2 or all(move.proven for move in hopeful):
        return True
    return hopeful[0].visits - hopeful[1].visits > simulations


def _draw(found: Analysis, state: State, temperature: float, chooser: np.random.Generator) -> Move:
    seat = state.to_move or 0
    hopeful = [move for move in found.moves if not move.loses(seat)]
    candidates = hopeful or list(found.moves)
    visits = np.array([move.visits for move in candidates], float)
    if visits.max() == 0:  # all that was tried is proven to lose, or a look was all there was
        visits = np.array([move.prior for move in candidates])
    if visits.max() == 0:
        visits += 1
    weights = (visits / visits.max()) ** (1 / temperature)
    return candidates[int(chooser.choice(len(candidates), p=weights / weights.sum()))].move


def _moves(state: State) -> tuple[Move, ...]:
    if state.is_over:
        raise OptionsError("the game is over: there is no move to choose")
    return state.legal_moves()


LEVELS = range(1, 11)
TOP_SECONDS = 2.0
TOP_THREADS = 2


@dataclass
class LevelPlayer:
    """One of ten strengths, by what the game says it takes; the highest thinks by the clock.

    Weaker levels think less, choose more freely among what they thought of, or ask a net that has
    learnt little.
    """

    level: int
    _player: tuple[Game, TreePlayer] | None = field(default=None, repr=False, compare=False)

    @property
    def name(self) -> str:
        return f"level:{self.level}"

    @property
    def threads(self) -> int:
        return TOP_THREADS if self.level == LEVELS[-1] else 1

    def choose(self, state: State, seed: int | None = None) -> Move:
        return self.player_of(state.game).choose(state, seed)

    def follow(self, state: State, move: Move, after: State | None = None) -> None:
        self.player_of(state.game).follow(state, move, after)

    def appraise(self, state: State, seed: int | None = None) -> tuple[float, ...]:
        return self.player_of(state.game).appraise(state, seed)

    def player_of(self, game: Game) -> TreePlayer:
        """Who plays a game at this level."""
        if self._player is None or self._player[0] != game:
            self._player = (game, self._make_player(game))
        return self._player[1]

    def _make_player(self, game: Game) -> TreePlayer:
        level = game.levels[self.level - 1]
        effort: dict[str, Any] = {"seconds": TOP_SECONDS, "threads": TOP_THREADS}
        if level.simulations is not None:
            effort = {"simulations": level.simulations, "temperature": level.temperature}
        if level.net is not None:
            return NetPlayer(self.name, shipped=level.net, **effort)
        return TreePlayer(self.name, **effort)


def player(spec: "str | Agent") -> Player:
    """The player of a text, or an object with ``choose(state)`` as a player.

    OptionsError names the forms there are.
    """
    if not isinstance(spec, str):
        if isinstance(spec, OWN):
            return spec
        name = getattr(spec, "name", None)
        name = name if isinstance(name, str) and name else type(spec).__name__
        check_agent(name, spec)
        return as_player(spec, name)
    kind, colon, rest = spec.strip().partition(":")
    kind = kind.lower()
    if kind == "random" and not colon:
        return RandomPlayer()
    if kind == "level" and rest in map(str, LEVELS):
        return LevelPlayer(int(rest))
    if kind in ("mcts", "net", "uct"):
        return _read_player(BASES[kind](spec), rest)
    if kind == "cmd":
        return read_command_player(spec, rest)
    if kind not in ("random", "level"):
        agent = find_agent(spec.strip())
        if agent is not None:
            return agent if isinstance(agent, OWN) else as_player(agent, spec)
    installed = list_agents()
    also = f"; installed: {', '.join(installed)}" if installed else ""
    raise OptionsError(f"there is no player {shorten(spec)}; use {FORMS}{also}")


OWN = (RandomPlayer, TreePlayer, LevelPlayer, CommandPlayer, AgentPlayer)
BASES: dict[str, Callable[[str], TreePlayer]] = {
    "mcts": TreePlayer,
    "net": NetPlayer,
    "uct": lambda spec: TreePlayer(spec, style=PLAIN, remembers=False),
}


def searches(spec: str) -> bool:
    """Whether a text names a player that thinks with our search."""
    kind, _, _ = spec.strip().lower().partition(":")
    return kind == "level" or kind in BASES


@contextmanager
def invite(
    specs: Sequence[str], agents: "Mapping[str, Agent] | None" = None
) -> Iterator[list[Player]]:
    """The players of these texts, for a game: programs among them are let go after it.

    ``agents`` are objects by the names that they have among the texts.
    """
    with ExitStack() as stack:
        players = []
        for spec in specs:
            invited = player((agents or {}).get(spec, spec))
            if is_apart() and isinstance(invited, AgentPlayer):
                invited = stack.enter_context(host_agent(invited))
            players.append(invited)
            stack.callback(dismiss, invited)
        yield players


def player_apart(spec: str) -> Player:
    """The player of a text; an object of somebody else's is a program of its own, which it may end
    without ending this one."""
    found = player(spec)
    return host_named(spec, found) if isinstance(found, AgentPlayer) else found


def dismiss(somebody: Player) -> None:
    """Let a player go that is a program; whoever is none needs nothing."""
    if isinstance(somebody, CommandPlayer):
        somebody.close()


def _read_player(base: TreePlayer, text: str) -> TreePlayer:
    settings: dict[str, Any] = {}
    weights: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        if name in settings or name in weights:
            raise OptionsError(f"{shorten(base.name)} sets {shorten(name)} twice")
        if name in NET_SETTINGS and not isinstance(base, NetPlayer):
            raise _misread(part, base)
        if name in WHOLE_SETTINGS and WHOLE_SETTINGS[name].fullmatch(value):
            settings[name] = int(value)
        elif (name == "file" and value) or (name == "strangers" and value in VIEWS):
            settings[name] = value
        elif name in FRACTIONS and DECIMAL.fullmatch(value) and float(value) > 0:
            settings[name] = float(value)
        elif name in WEIGHTS and DECIMAL.fullmatch(value):
            weights[name] = float(value)
            if weights[name] > MOST.get(name, inf):
                raise OptionsError(f"{name} must be at most {MOST[name]}, not {value}")
        else:
            raise _misread(part, base)
    if "looks" in settings:
        if "simulations" in settings:
            raise OptionsError(f"{shorten(base.name)} may set either looks or simulations")
        settings["simulations"] = settings.pop("looks")
    if "simulations" in settings and "seconds" in settings:
        raise OptionsError(
            f"{shorten(base.name)} sets both simulations and seconds: choose one of them"
        )
    return replace(base, style=base.style._replace(**weights), **settings)


def _misread(part: str, base: TreePlayer) -> OptionsError:
    return OptionsError(f"{shorten(part)} is not understood in {shorten(base.name)}; use {FORMS}")
