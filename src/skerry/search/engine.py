"""The engine: which search thinks about a position, and what it finds."""

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from skerry.core.game import Game, check_state
from skerry.core.options import whole_number
from skerry.core.state import State
from skerry.nets.file import Net, read_net
from skerry.nets.shipped import has_net, shipped_net
from skerry.search.analysis import (
    DEFAULT_INTERVAL,
    DEFAULT_NODES,
    DEFAULT_SIMULATIONS,
    Analysis,
    Search,
)
from skerry.search.guided.search import GUIDED, GuidedSearch
from skerry.search.limits import MOST_SIMULATIONS, MOST_THREADS
from skerry.search.tree import DEFAULT, Style

NO_NET = "none"
DEFAULT_LOOKS = 400  # simulations of a search that a net guides


def best_net(game: Game) -> Net | None:
    """The net that comes with skerry, if it has beaten the search that does without."""
    return _proven_net(game, "elo_low")


def judging_net(game: Game) -> Net | None:
    """The net that guides reviews: one that is as likely as not to be the stronger will do.

    The search that does without is sure of little where more than two play, and blames most moves
    of players who do not think as it does (docs/lab/strength.md).
    """
    return _proven_net(game, "elo")


def _proven_net(game: Game, figure: str) -> Net | None:
    if not has_net(game):
        return None
    net = shipped_net(game)
    shown = net.card.get("strength")
    return net if shown is not None and shown[figure] > 0 else None


def choose_net(
    choice: str | None, game: Game, usual: Callable[[Game], Net | None] = best_net
) -> Net | None:
    """The net that somebody chose: that of a file, ``none``, or the usual one."""
    if choice is None:
        return usual(game)
    return None if choice == NO_NET else open_net(choice, game)


def open_net(file: str, game: Game) -> Net:
    """The net of a file, read once for each time that it is written."""
    path = Path(file)
    with suppress(OSError):  # which reading it will tell of
        return _read_version(path, path.stat().st_mtime_ns, game)
    return read_net(path, game)


@lru_cache(maxsize=16)
def _read_version(path: Path, _: int, game: Game) -> Net:
    return read_net(path, game)


def plant(
    state: State,
    seed: int = 0,
    threads: int = 1,
    nodes: int = DEFAULT_NODES,
    style: Style | None = None,
    net: Net | None = None,
) -> Search:
    """A search of a position, which a net guides if there is one."""
    if net is None:
        return Search(state, seed, threads, nodes, style or DEFAULT)
    return GuidedSearch(state, net, seed, threads, nodes, style or GUIDED)


def analyse(
    state: State,
    simulations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    threads: int = 1,
    nodes: int = DEFAULT_NODES,
    style: Style | None = None,
    net: Net | None = None,
    lines: int | None = None,
    stop: Callable[[], bool] | None = None,
    tell: Callable[[Analysis], None] | None = None,
    every: float = DEFAULT_INTERVAL,
) -> Analysis:
    """Search a position until a number of simulations or a time is used up, or all is proven.

    With simulations the result depends on the seed and the number of threads alone. Each thread
    grows a tree of its own; ``nodes`` bounds their total size, and trees that are full forget what
    they visited least. With a ``net`` there is one tree that it guides, and all threads look at
    leaves of it. ``style`` says how the search weighs what it knows. Only the best so many
    candidates get ``lines``, all if it is None; the line of others is the candidate alone, which
    saves time where nobody looks at it.

    ``stop`` is asked by every thread after each batch, some milliseconds long, and ends the search
    once it says yes; what was found until then is the result. ``tell`` hears from this thread what
    has been found so far, ``every`` so many seconds. All threads rest meanwhile: a tree is only
    read while nobody grows it.
    """
    check_state(state)
    if simulations is not None:
        simulations = whole_number("simulations", simulations, MOST_SIMULATIONS, 1)
        threads = min(whole_number("threads", threads, MOST_THREADS, 1), simulations)
    search = plant(state, seed, threads, nodes, style, net)
    if simulations is None and seconds is None:
        simulations = DEFAULT_SIMULATIONS if net is None else DEFAULT_LOOKS
    return search.run(simulations, seconds, lines, stop, tell, every)
