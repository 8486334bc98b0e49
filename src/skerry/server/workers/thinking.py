"""What engines do in the processes of the pool; little is imported, so that these start quickly."""

from skerry.games import make
from skerry.search.players import player
from skerry.search.warmup import warm_up
from skerry.study import puzzles
from skerry.study.forcing import Prover
from skerry.study.puzzles import Verdict

Settled = tuple[tuple[str, int], ...]  # the options of a game


def choose_action(name: str, options: Settled, start: str, actions: list[int], spec: str) -> int:
    """What an engine plays after these actions from that start."""
    state = make(name, **dict(options)).position(start)
    for action in actions:
        state = state.play(action)
    return int(player(spec).choose(state))


def rehearse_engine(name: str, options: Settled) -> None:
    """Load the kernels that an engine uses."""
    warm_up(make(name, **dict(options)))


def judge_puzzle(name: str, number: int, moves: list[str]) -> Verdict:
    """What becomes of an answer to a puzzle."""
    puzzle = puzzles.find(name, number)
    return puzzles.judge(puzzle, moves, Prover(puzzle.game))
