"""``skerry bench``: how fast the rules run, alone and beside a peer."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from skerry.cli.setup import AsJson, compile_notice, on_this_board, print_json

if TYPE_CHECKING:
    from skerry.core.game import Game

Names = Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="All games if none.")]
Seconds = Annotated[
    float, typer.Option("--seconds", min=0.05, max=600, help="Time for each measurement.")
]
Peers = Annotated[
    bool, typer.Option("--peers", help="Also compare with OpenSpiel, taking turns with it.")
]
Sizes = Annotated[bool, typer.Option("--sizes", help="Also measure every board size.")]
Rounds = Annotated[int, typer.Option("--rounds", min=1, max=1000, help="Turns with the peer.")]


def bench(
    games: Names = None,
    peers: Peers = False,
    sizes: Sizes = False,
    seconds: Seconds = 1.0,
    rounds: Rounds = 9,
    json: AsJson = False,
) -> None:
    """Measure random playouts and perft on one core.

    \b
    Examples:
      skerry bench
      skerry bench --peers
      skerry bench skew --sizes --json
    """
    from skerry.games import GAMES, make

    chosen = [make(name.lower()) for name in games or GAMES]
    report: dict[str, Any] = {"playouts": _time_playouts(chosen, seconds, json)}
    report["perft"] = _time_perft(chosen, json)
    if sizes:
        report["sizes"] = _time_sizes(chosen, seconds, json)
    if peers:
        report["peers"] = _compare(chosen, seconds, rounds, json)
    if json:
        print_json(report)


def _say(json: bool, line: str) -> None:
    if not json:
        typer.echo(line)


def _time_playouts(games: "list[Game]", seconds: float, json: bool) -> list[dict[str, Any]]:
    from skerry.lab.speed import time_playouts

    found = []
    _say(json, f"{'random playouts':24}{'plies/s':>14}{'games/s':>14}{'plies/game':>12}")
    for game in games:
        with compile_notice(on_this_board(game)):
            speed = time_playouts(game, seconds)
        found.append(speed.as_json())
        _say(
            json,
            f"{game.name:24}{speed.plies_per_second:14,.0f}{speed.games_per_second:14,.0f}"
            f"{speed.mean_plies:12.1f}",
        )
    return found


def _time_perft(games: "list[Game]", json: bool) -> list[dict[str, Any]]:
    from skerry.lab.speed import time_perft

    found = []
    _say(json, f"\n{'perft':24}{'nodes/s':>14}{'nodes':>14}{'depth':>12}")
    for game in games:
        with compile_notice(on_this_board(game)):
            depth, nodes, speed = time_perft(game)
        found.append({"game": game.name, "depth": depth, "nodes": nodes, "nodes_per_second": speed})
        _say(json, f"{game.name:24}{speed:14,.0f}{nodes:14,}{depth:12}")
    return found


def _time_sizes(games: "list[Game]", seconds: float, json: bool) -> list[dict[str, Any]]:
    from skerry.games import make
    from skerry.lab.speed import time_playouts

    found = []
    _say(json, f"\n{'by size':24}{'plies/s':>14}{'games/s':>14}{'plies/game':>12}")
    for game in games:
        for options in game.sizes:
            sized = make(game.name, **options)
            (option, value), *_ = options.items()
            with compile_notice(on_this_board(sized)):
                speed = time_playouts(sized, seconds)
            found.append(speed.as_json())
            _say(
                json,
                f"{f'{game.name} {option}={value}':24}{speed.plies_per_second:14,.0f}"
                f"{speed.games_per_second:14,.0f}{speed.mean_plies:12.1f}",
            )
    return found


def _compare(
    games: "list[Game]", seconds: float, rounds: int, json: bool
) -> dict[str, Any] | list[dict[str, Any]]:
    from skerry.lab.peers import PEERS, PeerMissing, rollouts_of
    from skerry.lab.speed import compare

    found = []
    _say(json, f"\n{'beside OpenSpiel':44}{'plies/s':>14}{'peer':>14}{'ratio':>8}{'wanted':>8}")
    for game in games:
        if game.name not in PEERS:
            _say(json, f"{game.name} has no peer in OpenSpiel")
            continue
        peer, wanted = PEERS[game.name]
        try:
            run_peer = rollouts_of(peer)
        except PeerMissing as missing:
            # Said, not hidden: a report without its peer is half a report.
            typer.echo(f"skerry: {missing}", err=True)
            return {"missing": str(missing)}
        done = compare(game, peer, run_peer, rounds, seconds / 5)
        found.append({**done.as_json(), "wanted": wanted})
        _say(
            json,
            f"{f'{game.name} / {peer}':44}{done.plies_per_second:14,.0f}"
            f"{done.peer_plies_per_second:14,.0f}{done.ratio:8.1f}{wanted:8.1f}",
        )
    return found
