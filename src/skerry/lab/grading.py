"""Grades: how often a player chooses an optimal move in positions that are solved exactly.

Positions come from random games, each as likely from every stage of the game; no two are the same
or symmetric. One solver with one table serves them all, so most are solved at a glance.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from skerry.core.errors import Forfeit, OptionsError, SolveLimit
from skerry.core.game import Game
from skerry.core.options import whole_number
from skerry.core.state import State
from skerry.search.limits import DEFAULT_ENTRIES
from skerry.search.players import SEEDS, Player
from skerry.search.solver.solver import Solver

FRUITLESS = 200  # random games in a row without a new position, after which there are no more


@dataclass(frozen=True)
class Grade:
    """How a player did: in ``critical`` positions some move is worse than another.

    Where a player forfeits it has chosen no optimal move; ``forfeits`` are the reasons.
    """

    player: str
    positions: int
    optimal: int
    critical: int
    critical_optimal: int
    unsolved: int = 0  # positions that took too long, and are not counted
    forfeits: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """The share of all positions in which the player chose an optimal move."""
        return self.optimal / self.positions

    @property
    def critical_share(self) -> float | None:
        """The share of the positions in which there was something to do wrong."""
        return self.critical_optimal / self.critical if self.critical else None


def grade(
    player: Player,
    game: Game,
    positions: int,
    seed: int = 0,
    plies: int = 0,
    entries: int = DEFAULT_ENTRIES,
    seconds: float | None = None,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> Grade:
    """Let a player choose in so many positions, or in all that can be found if they are fewer.

    Positions are at least ``plies`` from the start, for games too large to be solved from there;
    those not solved within ``seconds`` are left out. With more than two seats a move is optimal if
    no other is better for the seat itself, whoever else may win (``Solver.find_good_moves``).
    """
    positions = whole_number("positions", positions, least=1)
    solver = Solver(game, entries)
    chooser = Random(f"{seed} choices")
    done = optimal = critical = critical_optimal = unsolved = 0
    forfeits: list[str] = []
    for state in sample_positions(game, positions, seed, plies):
        luck = chooser.randrange(SEEDS)  # whether or not it is needed: later ones keep theirs
        try:
            good = solver.find_good_moves(state, seconds)
        except SolveLimit:
            unsolved += 1
        else:
            try:
                right = player.choose(state, luck) in good
            except Forfeit as forfeit:
                forfeits.append(forfeit.story)
                right = False
            done += 1
            optimal += right
            if len(good) < len(state.legal_moves()):
                critical += 1
                critical_optimal += right
        tell(done + unsolved, positions)
    if unsolved and done == 0:
        raise SolveLimit(
            f"none of {unsolved} positions was solved within {seconds} s: "
            "allow more time, or ask for positions later in the game"
        )
    if done == 0:
        raise OptionsError(f"no random game of {game.title} lasts {plies} plies; ask for fewer")
    counts = done, optimal, critical, critical_optimal, unsolved
    return Grade(player.name, *counts, tuple(forfeits))


def sample_positions(game: Game, count: int, seed: int, plies: int = 0) -> Iterator[State]:
    """Different positions in which the game goes on, one from each random game."""
    dealer = Random(f"{seed} positions")
    found: set[State] = set()
    fruitless = 0
    while len(found) < count and fruitless < FRUITLESS:
        line = [game.initial(dealer.randrange(SEEDS))]
        while not line[-1].is_over:
            line.append(line[-1].play(dealer.choice(line[-1].legal_actions().tolist())))
        candidates = line[plies:-1]
        state = find_representative(dealer.choice(candidates)) if candidates else None
        if state is None or state in found:
            fruitless += 1
            continue
        fruitless = 0
        found.add(state)
        yield state


def find_representative(state: State) -> State:
    """The same state for all that are symmetric to it."""
    images = (state.game.transform(state, n) for n in range(len(state.game.symmetries)))
    return min(images, key=lambda image: image.position)
