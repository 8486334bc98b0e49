"""Finding puzzles: positions of engine games in which exactly one turn forces a win.

Engines play; the last turns of every game are searched backwards. A game gives one puzzle at most,
so that no two are alike, and no two are the same but for a symmetry of the board. The same seed
finds the same puzzles.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from random import Random

from skerry.core.errors import OptionsError, SolveLimit
from skerry.core.game import Game
from skerry.core.options import whole_number
from skerry.core.playthrough import Playthrough
from skerry.core.state import State
from skerry.lab.grading import find_representative
from skerry.search.players import SEEDS, Player, player
from skerry.study.forcing import DEFAULT_NODES, Prover
from skerry.study.puzzles import DIFFICULTIES, Puzzle, solve
from skerry.study.turns import list_turns

PLAYER = "level:4"  # whose games are looked at
LAST_TURNS = 4  # of every seat are looked at
FEWEST_WAYS = 10  # turns to choose from, else there is nothing to find
POSITION_NODES = 6_000_000  # for one position
FRUITLESS = 300  # games in a row without a puzzle, after which there are no more

BEGINNER = "level:2"
ASKED = 5  # times


def mine(
    game: Game,
    seed: int,
    count: int,
    tell: Callable[[int, int], None] = lambda found, games: None,
    keep: Callable[[tuple[Puzzle, ...]], None] = lambda puzzles: None,
) -> tuple[Puzzle, ...]:
    """So many puzzles, a third of each difficulty, easy ones first.

    ``tell`` hears how many there are after so many games; ``keep`` is given all that were found so
    far whenever there is another, so that they are not lost if this falls short or is stopped.
    """
    whole_number("count", count, least=len(DIFFICULTIES))
    engine = player(PLAYER)
    wanted = Counter(level % len(DIFFICULTIES) + 1 for level in range(count))
    found: dict[State, Puzzle] = {}
    number = last_find = 0
    while wanted.total():
        if number - last_find == FRUITLESS:
            raise OptionsError(
                f"{number} games gave {len(found)} puzzles of {count}, the last {FRUITLESS} none; "
                "ask for fewer, or try another seed or a larger board"
            )
        number += 1
        luck = Random(f"{seed} {number}")  # games do not depend on what the ones before them gave
        puzzles = [
            puzzle
            for puzzle in _search_game(_play(game, engine, luck), number, max(+wanted), luck)
            if wanted[puzzle.difficulty] and find_representative(puzzle.state) not in found
        ]
        if puzzles:
            last_find = number
            # What is most wanted, and of that the longest.
            best = max(puzzles, key=lambda puzzle: (wanted[puzzle.difficulty], puzzle.turns))
            found[find_representative(best.state)] = best
            wanted[best.difficulty] -= 1
            keep(_sort(found.values()))
        tell(len(found), number)
    return _sort(found.values())


def _sort(puzzles: Iterable[Puzzle]) -> tuple[Puzzle, ...]:
    return tuple(sorted(puzzles, key=lambda puzzle: (puzzle.difficulty, puzzle.turns)))


def rate(state: State, solution: str, turns: int, luck: Random) -> int:
    """How difficult a puzzle is: 1 easy, 2 medium, 3 hard.

    That is the number of turns to the win, at most three. A weak engine is asked five times for the
    first move: if it never finds it, the solution is well hidden and the puzzle one step harder; if
    it always does, the solution suggests itself and the puzzle is one step easier.
    """
    beginner, first = player(BEGINNER), state.parse_turn(solution)[0]
    right = sum(beginner.choose(state, luck.randrange(SEEDS)) == first for _ in range(ASKED))
    step = {0: 1, ASKED: -1}.get(right, 0)
    return max(1, min(len(DIFFICULTIES), turns + step))


def _play(game: Game, engine: Player, luck: Random) -> Playthrough:
    line = Playthrough(game.initial(luck.randrange(SEEDS)))
    while not line.state.is_over:
        line = line.after(engine.choose(line.state, luck.randrange(SEEDS)))
    return line


def _search_game(line: Playthrough, number: int, most: int, luck: Random) -> Iterator[Puzzle]:
    """The puzzles of at most so many turns at the end of a game."""
    game, points = line.state.game, line.points
    prover = Prover(game)
    to_end: Counter[int | None] = Counter()  # turns of every seat, counted from the end
    for ply in range(len(points) - 2, 0, -1):
        seat = points[ply].state.to_move
        if points[ply].begun:
            continue  # in the middle of a turn
        to_end[seat] += 1
        if to_end[seat] > LAST_TURNS:
            continue
        # From its text, so that it is searched in the same way when it is proven again.
        state = game.position(points[ply].state.position)
        prover.allow(POSITION_NODES)
        try:
            turns, solution = _find_solution(state, min(to_end[seat], most), prover)
        except SolveLimit:
            continue
        if solution is not None:
            prover.allow(DEFAULT_NODES)
            difficulty = rate(state, solution, turns, luck)
            best_play = solve(state, int(state.raw["turn"]), turns, prover)
            yield Puzzle(state.game, state.position, turns, difficulty, best_play, (number, ply))


def _find_solution(state: State, most: int, prover: Prover) -> tuple[int, str | None]:
    """The turns to the shortest forced win, and the way to it if there is only one."""
    if sum(1 for _ in islice(list_turns(state), FEWEST_WAYS)) < FEWEST_WAYS:
        return 0, None
    for turns in range(1, most + 1):
        ways = list(islice(prover.winning_turns(state, turns), 2))
        if ways:
            return turns, ways[0] if len(ways) == 1 else None
    return 0, None
