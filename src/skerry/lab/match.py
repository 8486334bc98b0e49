"""Matches: the same openings with all seatings, every game kept, and what the result is worth.

A *block* is one opening, dealt and played at random, from which one game is played with every way
to seat the players. So no player is favoured by a seat or by luck in the opening, and the blocks
are independent of each other, which is what the intervals are computed from.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import permutations, product
from math import inf, log10, sqrt
from multiprocessing import get_context
from pathlib import Path
from random import Random

from skerry.core.errors import OptionsError, RecordError
from skerry.core.game import Game
from skerry.records import Record, load, save
from skerry.search.players import player

SURE = 1.96  # standard errors on each side of a 95 % interval
SEEDS = 2**31

Returns = tuple[float, ...]


@dataclass(frozen=True)
class Match:
    """What is to be played: ``games`` are rounded up to whole blocks."""

    game: Game
    players: tuple[str, ...]
    games: int
    seed: int = 0
    opening: int = 2  # random plies per seat before the players take over

    def __post_init__(self) -> None:
        if not 2 <= len(self.players) <= self.game.num_seats:
            raise OptionsError(
                f"{self.game.title} has {self.game.num_seats} seats: name 2 to that many players"
            )
        if len(set(self.players)) != len(self.players):
            raise OptionsError("name every player once; seats that are left over are shared out")
        for spec in self.players:
            player(spec)

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """Every way to seat the players: which player sits on each seat."""
        everybody = range(len(self.players))
        if len(self.players) == self.game.num_seats:
            return tuple(permutations(everybody))
        every = product(everybody, repeat=self.game.num_seats)
        return tuple(seating for seating in every if set(seating) == set(everybody))

    @property
    def blocks(self) -> int:
        return -(-self.games // len(self.seatings))

    def fixtures(self) -> Iterator[tuple[int, int]]:
        """The games to play, as block and seating."""
        return ((b, s) for b in range(self.blocks) for s in range(len(self.seatings)))


@dataclass(frozen=True)
class Standing:
    """A player's points per game (the mean return, -1 to 1) with its 95 % interval, and Elo.

    Elo is against the other player, so it is None in games of more than two seats.
    """

    player: str
    games: int
    points: float
    margin: float
    elo: float | None
    elo_low: float | None
    elo_high: float | None


def describe(match: Match, block: int, seating: int) -> dict[str, str]:
    """What the record of a game says about it: its round, and who sits where."""
    names = (match.players[number] for number in match.seatings[seating])
    seats = dict(zip(match.game.seats, names, strict=True))
    return {"Event": f"match {match.seed}", "Round": f"{block + 1}.{seating + 1}", **seats}


def play_game(match: Match, block: int, seating: int) -> Record:
    """One game of a match; the same for the same match on every machine."""
    dealer = Random(f"{match.seed} {block}")
    deal = dealer.randrange(SEEDS)
    start = state = match.game.initial(deal)
    moves = []
    for _ in range(match.opening * match.game.num_seats):
        if not state.is_over:
            moves.append(dealer.choice(state.legal_moves()))
            state = state.play(moves[-1])
    players = [player(match.players[number]) for number in match.seatings[seating]]
    chooser = Random(f"{match.seed} {block} {seating}")
    while state.to_move is not None:
        moves.append(players[state.to_move].choose(state, chooser.randrange(SEEDS)))
        state = state.play(moves[-1])
    return Record.from_moves(
        match.game,
        start,
        moves,
        describe(match, block, seating),
        seed=deal if match.game.has_chance else None,
    )


def run(match: Match, folder: Path, jobs: int, tell: Callable[[int, int], None]) -> list[Standing]:
    """Play what the folder does not hold yet, and tell how far it is; returns the standings.

    Each game is saved on its own as soon as it ends, so a killed match goes on where it was.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = {(b, s): folder / f"game-{b + 1}-{s + 1}.skr" for b, s in match.fixtures()}
    done = {
        fixture: returns_of(match, *fixture, load(path))
        for fixture, path in files.items()
        if path.exists()
    }
    tell(len(done), len(files))
    todo = [fixture for fixture in files if fixture not in done]
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting: dict[Future[Record], tuple[int, int]] = {
            pool.submit(play_game, match, *fixture): fixture for fixture in todo
        }
        for future in as_completed(waiting):
            fixture = waiting[future]
            record = future.result()
            save(files[fixture], record)
            done[fixture] = returns_of(match, *fixture, [record])
            tell(len(done), len(files))
    return standings(match, done)


def returns_of(match: Match, block: int, seating: int, records: Iterable[Record]) -> Returns:
    """How a game of the match ended; RecordError if it is not among these."""
    expected = describe(match, block, seating)
    for record in records:
        outcome = record.states()[-1].outcome
        said = {name: record.headers.get(name) for name in expected}
        if record.game == match.game and said == expected and outcome is not None:
            return outcome.returns
    raise RecordError(
        f"round {expected['Round']} in the folder belongs to another match: name another folder"
    )


def standings(match: Match, done: dict[tuple[int, int], Returns]) -> list[Standing]:
    """Points and intervals from the blocks that are complete."""
    table = []
    for number, name in enumerate(match.players):
        blocks = [_points(match, done, block, number) for block in range(match.blocks)]
        mean, margin = estimate(blocks)
        two = match.game.num_seats == 2
        bounds = [elo(mean), elo(mean - margin), elo(mean + margin)] if two else [None] * 3
        table.append(Standing(name, len(done), mean, margin, *bounds))
    return table


def _points(match: Match, done: dict[tuple[int, int], Returns], block: int, number: int) -> float:
    """What a player made of a block: the mean return over its seats in all of its games."""
    made = [
        done[block, index][seat]
        for index, seating in enumerate(match.seatings)
        for seat, sitting in enumerate(seating)
        if sitting == number
    ]
    return sum(made) / len(made)


def estimate(values: list[float]) -> tuple[float, float]:
    """The mean, and half the width of its 95 % interval; infinite for fewer than two values."""
    n = len(values)
    mean = sum(values) / n
    if n < 2:
        return mean, inf
    spread = sum((value - mean) ** 2 for value in values) / (n - 1)
    return mean, SURE * sqrt(spread / n)


def elo(points: float) -> float:
    """The Elo difference that points per game from -1 to 1 stand for."""
    share = (points + 1) / 2
    if share <= 0:
        return -inf
    return inf if share >= 1 else 400 * log10(share / (1 - share))
