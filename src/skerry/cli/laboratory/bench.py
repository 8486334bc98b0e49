"""``skerry bench``: how fast the rules run, alone and beside a peer."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skerry.cli.common.parameters import AsJson
from skerry.cli.common.setup import compile_notice, interrupts_kill, on_this_board
from skerry.cli.common.terminal import print_json

if TYPE_CHECKING:
    from skerry.core.game import Game
    from skerry.lab.peers import Peer
    from skerry.lab.speed import PeerSpeed, Runner

Names = Annotated[
    list[str] | None, typer.Argument(metavar="[GAME]...", help="Games to measure; all by default.")
]
Seconds = Annotated[
    float, typer.Option("--seconds", min=0.05, max=600, help="Seconds for each measurement.")
]
Peers = Annotated[
    bool, typer.Option("--peers", help="Also compare with OpenSpiel, in alternating rounds.")
]
Sizes = Annotated[bool, typer.Option("--sizes", help="Also measure every board size.")]
Rounds = Annotated[int, typer.Option("--rounds", min=1, max=1000, help="Rounds against OpenSpiel.")]

Row = tuple[str, dict[str, Any]]  # a measurement as a line for people and as JSON

SPEEDS = f"{'plies/s':>14}{'games/s':>14}{'plies/game':>12}"


def bench(
    games: Names = None,
    peers: Peers = False,
    sizes: Sizes = False,
    seconds: Seconds = 1.0,
    rounds: Rounds = 9,
    json: AsJson = False,
) -> None:
    """Measure random playouts and perft on one core; with --peers, tree search as well.

    \b
    Examples:
      skerry bench
      skerry bench --peers
      skerry bench skew --sizes --json
    """
    from skerry.games import GAMES, make
    from skerry.lab import peers as openspiel
    from skerry.lab import speed

    chosen = [make(name.lower()) for name in games or GAMES]
    tables = {
        "playouts": (f"{'random playouts':24}{SPEEDS}", _time_playouts(chosen, seconds)),
        "perft": (f"{'perft':24}{'nodes/s':>14}{'nodes':>14}{'depth':>12}", _time_perft(chosen)),
    }
    if sizes:
        tables["sizes"] = f"{'by size':24}{SPEEDS}", _time_playouts(_resize(chosen), seconds)
    if peers:
        openspiel.load_openspiel()  # half a report is none: without its peer nothing starts
        beside = partial(_compare, chosen, rounds, seconds / 5)
        tables["peers"] = (
            _peer_heading("plies/s"),
            beside(speed.playouts_of, openspiel.rollouts_of, lambda peer: peer.playouts),
        )
        tables["search"] = (
            _peer_heading("simulations/s"),
            beside(speed.searches_of, openspiel.searches_of, lambda peer: peer.searches),
        )
    with interrupts_kill():
        if json:
            print_json(
                {name: [content for _, content in rows] for name, (_, rows) in tables.items()}
            )
        else:
            _print_tables(tables.values())


def _print_tables(tables: Iterable[tuple[str, Iterable[Row]]]) -> None:
    """Every line as soon as it is measured."""
    for number, (heading, rows) in enumerate(tables):
        typer.echo(f"\n{heading}" if number else heading)
        for line, _ in rows:
            typer.echo(line)


def _resize(games: "list[Game]") -> "list[Game]":
    """The games on all their boards."""
    from skerry.games import make

    return [make(game.name, **options) for game in games for options in game.sizes]


def _time_playouts(games: "list[Game]", seconds: float) -> Iterator[Row]:
    from skerry.lab.speed import time_playouts

    for game in games:
        with compile_notice(on_this_board(game)):
            speed = time_playouts(game, seconds)
        line = f"{speed.plies_per_second:14,.0f}{speed.games_per_second:14,.0f}"
        yield f"{_name(game):24}{line}{speed.mean_plies:12.1f}", asdict(speed)


def _name(game: "Game") -> str:
    """A game and the first of its options, which is the one that a size goes by."""
    (option, value), *_ = game.options.items()
    return f"{game.name} {option}={value}"


def _time_perft(games: "list[Game]") -> Iterator[Row]:
    from skerry.lab.speed import time_perft

    for game in games:
        with compile_notice(on_this_board(game)):
            depth, nodes, speed = time_perft(game)
        content = {"game": game.name, "depth": depth, "nodes": nodes, "nodes_per_second": speed}
        yield f"{_name(game):24}{speed:14,.0f}{nodes:14,}{depth:12}", content


def _peer_heading(what: str) -> str:
    return f"{'beside OpenSpiel':44}{what:>14}{'peer':>14}{'ratio':>8}{'wanted':>8}"


def _compare(
    games: "list[Game]",
    rounds: int,
    seconds: float,
    ours: "Callable[[Game, float], Runner]",
    theirs: "Callable[[str], Runner]",
    wanted: "Callable[[Peer], float]",
) -> Iterator[Row]:
    """Each game beside its peer; the functions make what is run, and know the ratio wanted."""
    from skerry.lab.peers import PEERS
    from skerry.lab.speed import compare

    for game in games:
        if game.name not in PEERS:
            yield _without_peer(game)
            continue
        peer = PEERS[game.name]
        with compile_notice(on_this_board(game)):
            run = ours(game, seconds)
        yield _beside(game, compare(game, peer.name, run, theirs(peer.name), rounds), wanted(peer))


def _without_peer(game: "Game") -> Row:
    return f"{game.name} has no peer in OpenSpiel", {"game": game.name, "peer": None}


def _beside(game: "Game", done: "PeerSpeed", wanted: float) -> Row:
    numbers = f"{done.per_second:14,.0f}{done.peer_per_second:14,.0f}{done.ratio:8.1f}{wanted:8.1f}"
    return f"{f'{game.name} / {done.peer}':44}{numbers}", {**asdict(done), "wanted": wanted}
