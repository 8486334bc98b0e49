"""What single calls from Python take: ours, OpenSpiel's and python-chess's, in one run.

    pip install 'skerry[bench]' chess      # python-chess is left out where it is not installed
    python bench/calls.py --write          # also puts the table into docs/lab/performance.md

Each of them has a *stepper*: positions of random games, and what can be asked of them. All steppers
take turns, round by round, and the best round of each counts: whatever else a machine does can only
make calls slower. ``play`` gives a new position and leaves the old one as it is, everywhere.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import skerry
from skerry.lab.peers import PEERS, load_openspiel

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tools"))
from performance import TITLES, fill, table  # noqa: E402

PAGE = ROOT / "docs" / "lab" / "performance.md"
LOOP, PLY = "loop", "random ply"
CALLS = ("play", "legal_actions", "legal_moves", "is_over")
CHESS = "python-chess"
SEEDS = 2**31
MICROSECOND = 1e-6

Times = dict[str, float]  # by the names of calls


@dataclass(frozen=True)
class Stepper:
    """How positions are asked; ``play`` plays what ``actions`` lists.

    A random ply is a game that is not over, its moves, and one of them played. Nothing is asked
    twice of the same object, since it may remember.
    """

    start: Callable[[int], Any]  # by a seed
    play: Callable[[Any, Any], Any]
    actions: Callable[[Any], Sequence[Any]]
    moves: Callable[[Any], Sequence[Any]]
    is_over: Callable[[Any], bool]


def step_game(game: skerry.Game) -> Stepper:
    """Our own states."""
    return Stepper(
        game.initial,
        lambda state, action: state.play(action),
        lambda state: state.legal_actions(),
        lambda state: state.legal_moves(),
        lambda state: state.is_over,
    )


def step_openspiel(name: str) -> Stepper:
    """States of OpenSpiel, whose moves are its actions."""
    game = load_openspiel().load_game(name)
    return Stepper(
        lambda seed: game.new_initial_state(),
        lambda state, action: state.child(action),
        lambda state: state.legal_actions(),
        lambda state: state.legal_actions(),
        lambda state: state.is_terminal(),
    )


def step_chess() -> Stepper | None:
    """Boards of python-chess, copied without their history, which is quicker."""
    try:
        import chess  # noqa: PLC0415  # may be missing
    except ImportError:
        return None

    def push(board: Any, move: Any) -> Any:
        after = board.copy(stack=False)
        after.push(move)
        return after

    return Stepper(
        lambda seed: chess.Board(),
        push,
        lambda board: list(board.legal_moves),
        lambda board: list(board.legal_moves),
        lambda board: board.is_game_over(),
    )


def time_round(stepper: Stepper, seed: int, positions: int) -> Times:
    """The seconds that each call took, on average over positions of random games."""
    chooser = Random(seed)
    state, pairs = stepper.start(seed), []
    while len(pairs) < positions:
        if stepper.is_over(state):
            state = stepper.start(chooser.randrange(SEEDS))
            continue
        action = chooser.choice(list(stepper.actions(state)))
        action = action.item() if hasattr(action, "item") else action  # NumPy's are slower
        pairs.append((state, action))
        state = stepper.play(state, action)

    def afresh() -> list[tuple[Any]]:
        return [(stepper.play(*pair),) for pair in pairs]

    return {
        LOOP: time_each(lambda *arguments: None, pairs),
        "play": time_each(stepper.play, pairs),
        "legal_actions": time_each(stepper.actions, afresh()),
        "legal_moves": time_each(stepper.moves, afresh()),
        "is_over": time_each(stepper.is_over, afresh()),
        PLY: time_plies(stepper, chooser, positions),
    }


def time_each(call: Callable[..., Any], asked: Sequence[tuple[Any, ...]]) -> float:
    started = perf_counter()
    for arguments in asked:
        call(*arguments)
    return (perf_counter() - started) / len(asked)


def time_plies(stepper: Stepper, chooser: Random, positions: int) -> float:
    play, moves, is_over, choose = stepper.play, stepper.moves, stepper.is_over, chooser.choice
    plies, elapsed = 0, 0.0
    while plies < positions:
        state = stepper.start(chooser.randrange(SEEDS))
        started = perf_counter()
        while plies < positions and not is_over(state):
            state = play(state, choose(moves(state)))
            plies += 1
        elapsed += perf_counter() - started
    return elapsed / plies


def take_best(rounds: Sequence[Times]) -> Times:
    """Microseconds for each call, without those for going through the positions."""
    best = {call: min(each[call] for each in rounds) / MICROSECOND for call in rounds[0]}
    loop = best.pop(LOOP)
    return {call: took if call == PLY else max(took - loop, 0.0) for call, took in best.items()}


def measure(names: Sequence[str], rounds: int, positions: int) -> dict[str, Times]:
    """What calls take in our games, in their peers and in chess, by names."""
    steppers = {name: step_game(skerry.make(name)) for name in names}
    steppers |= {peer: step_openspiel(peer) for peer in {PEERS[name].name for name in names}}
    if chess := step_chess():
        steppers[CHESS] = chess
    found: dict[str, list[Times]] = {name: [] for name in steppers}
    for seed in range(rounds):
        for name, stepper in steppers.items():
            found[name].append(time_round(stepper, seed, positions))
    return {name: take_best(each) for name, each in found.items()}


def list_rows(names: Sequence[str], best: dict[str, Times]) -> Iterator[list[str]]:
    """Games with the ratio to their peers, which follow them; then chess."""
    shown: set[str] = set()
    for name in names:
        peer = PEERS[name].name
        ratio = best[name]["play"] / best[peer]["play"]
        yield [TITLES[name], *write(best[name]), f"**{ratio:.1f}**"]
        if peer not in shown:
            yield [f"`{peer}`", *write(best[peer]), ""]
        shown.add(peer)
    if CHESS in best:
        yield [CHESS, *write(best[CHESS]), ""]


def write(times: Times) -> list[str]:
    return [f"{times[call]:.{2 if times[call] < 10 else 0}f}" for call in (*CALLS, PLY)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", help="games to measure; all by default")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--positions", type=int, default=100, help="positions asked in a round")
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}")
    chosen = parser.parse_args()
    names = chosen.games or list(TITLES)
    best = measure(names, chosen.rounds, chosen.positions)
    heads = [f"`{call}`" for call in CALLS]
    head = " | ".join(["microseconds", *heads, PLY, "play: times its peer"])
    written = table(head, list_rows(names, best))
    print(written, end="")
    if chosen.write:
        fill(PAGE, {"calls": written})


if __name__ == "__main__":
    main()
