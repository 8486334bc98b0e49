"""What engines do in the processes of the pool; little is imported, so that these start quickly."""

from collections.abc import Callable, Generator
from random import Random, randrange
from typing import Any

from skerry.core.errors import Forfeit
from skerry.core.state import State
from skerry.games import make
from skerry.lab.contest.swap import open_game
from skerry.search.players import SEEDS, Player, player, player_apart
from skerry.search.warmup import count_missing, in_per_cent, warm_up
from skerry.server.workers.aside import run_aside
from skerry.study import puzzles
from skerry.study.forcing import Prover
from skerry.study.puzzles import Verdict

OPENER = "level:6"  # whose eye for openings all levels have: a dozen of them take a dozen looks
STEP = 5  # per cent that an engine has to come closer to being ready before anybody is told
Settled = tuple[tuple[str, int], ...]  # the options of a game


def think(
    deed: Callable[[State, Player], Any], name: str, options: Settled, position: str, spec: str
) -> Any:
    """What a player comes to in a position."""
    return deed(_find_state(name, options, position), player(spec))


def choose_action(state: State, somebody: Player) -> int:
    """What a player plays."""
    return int(somebody.choose(state))


def open_evenly(state: State, somebody: Player) -> int:
    """How a player opens when the other may take over its seat; many openings are looked at."""
    moves, _, _ = open_game(state, [somebody, somebody], Random())
    return int(moves[0])


def prefer_other(state: State, somebody: Player) -> bool:
    """Whether a player that is to move takes the other seat of two for the better one."""
    values = somebody.appraise(state)
    seat = state.to_move or 0
    return values[1 - seat] > values[seat]


def ask_program(
    name: str, options: Settled, position: str, spec: str
) -> tuple[int | None, str, str]:
    """What a player of others plays, or None, why it loses its game, and what it said itself.

    Programs go on running, since starting one may take longer than its move; one that failed is
    started again. Objects are programs here too: one that ends its process does not end this one.
    """
    if spec not in _players:
        _players[spec] = player_apart(spec)
    state = _find_state(name, options, position)
    try:
        return int(_players[spec].choose(state, randrange(SEEDS))), "", ""
    except Forfeit as forfeit:
        return None, str(forfeit), forfeit.detail


_players: dict[str, Player] = {}


def _find_state(name: str, options: Settled, position: str) -> State:
    return make(name, **dict(options)).position(position)


def rehearse_engine(name: str, options: Settled) -> Generator[int | None, None, None]:
    """Load the kernels that an engine uses; how much is compiled is told in steps of per cent."""
    done = told = 0
    yield done

    def note(per_cent: int) -> None:
        nonlocal done
        done = per_cent - per_cent % STEP

    def load() -> None:
        with in_per_cent(count_missing(), note):
            warm_up(make(name, **dict(options)))

    for _ in run_aside(lambda _: load()):
        if done != told:
            told = done
            yield told
        else:
            yield None


def judge_puzzle(name: str, number: int, moves: list[str]) -> Verdict:
    """What becomes of an answer to a puzzle."""
    puzzle = puzzles.find(name, number)
    return puzzles.judge(puzzle, moves, Prover(puzzle.game))
