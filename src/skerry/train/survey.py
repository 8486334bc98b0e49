"""Surveys: what very many games of strong players say about how a game should begin.

Starts that come out even are found in sifts: the net looks once at very many of them, and those it
takes for even are played, in two rounds with fewer starts and more games. The games of the last
round alone are the evidence: those before it were used to choose.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np

from skerry.core.game import Game
from skerry.core.state import State
from skerry.lab.beginnings import EvenStart, Evidence, FirstMoveWorth, is_even
from skerry.lab.corpus import Corpus
from skerry.lab.report.measure.openings import find_first_moves
from skerry.lab.stats.figures import Figure, share
from skerry.train.bulk import Bulk, seat_all
from skerry.train.net import Appraiser

LOOKS = 10  # times as many starts are looked at as are played

Tell = Callable[[str], None]


class Sift(NamedTuple):
    """So many starts, each played so often."""

    starts: int
    games: int


@dataclass(frozen=True)
class SurveyPlan:
    """How much is played."""

    games: int = 100_000  # of a corpus
    evidence: int = 1536  # games after every first move, and every start of the last round
    starts: int = 300  # of the first round
    plies: int = 4  # of a start
    seed: int = 1

    @property
    def sifts(self) -> tuple[Sift, ...]:
        return (
            Sift(self.starts, max(1, self.evidence // 4)),
            Sift(max(1, self.starts // 4), self.evidence),
        )


class Start(NamedTuple):
    """What a game may begin with: actions, and the seed of a deal."""

    actions: tuple[int, ...]
    deal: int


def map_first_moves(
    bulk: Bulk, contenders: Sequence[int], plan: SurveyPlan, tell: Tell
) -> tuple[FirstMoveWorth, ...]:
    """What every first move is worth to contenders of a bulk, from the weakest to the strongest;
    none in dealt games."""
    game = bulk.game
    start, firsts = game.initial(), find_first_moves(game)
    openings = [[start.parse(first.move).action] for first in firsts]
    found: list[list[Evidence]] = [[] for _ in firsts]
    # A batch takes as long with fewer games in it.
    games = max(plan.evidence, bulk.sizes[-1] // max(1, len(firsts)))
    for number in contenders if firsts else ():
        tell(f"first moves, {bulk.contenders[number].simulations} simulations")
        starts = [Start(tuple(opening), 0) for opening in openings]
        judged = judge_starts(bulk, number, starts, games, plan.seed)
        for before, evidence in zip(found, judged, strict=True):
            before.append(evidence)
    return tuple(
        FirstMoveWorth(first.move, first.images, first.cells, tuple(evidence))
        for first, evidence in zip(firsts, found, strict=True)
    )


def find_even_starts(bulk: Bulk, judge: int, plan: SurveyPlan, tell: Tell) -> tuple[EvenStart, ...]:
    """Starts that are even in games of the contender ``judge``."""
    if not plan.starts:
        return ()
    net, most = bulk.contenders[judge].net, plan.sifts[0].starts
    tell(f"even starts: a look at {LOOKS * most}")
    drawn = draw_starts(bulk.game, LOOKS * most, plan.plies, plan.seed)
    starts = take_even(Appraiser(net, bulk.game, bulk.device), drawn, most)
    found: list[Evidence] = []
    for number, (most, games) in enumerate(plan.sifts):
        if found:
            order = sorted(range(len(starts)), key=lambda k: _unevenness(found[k].won))
            starts = [starts[k] for k in order[:most]]
        tell(f"even starts, round {number + 1}: {len(starts)} of {games} games each")
        found = judge_starts(bulk, judge, starts, games, plan.seed + 1 + number)
    even = [
        _describe(bulk.game, start, evidence)
        for start, evidence in zip(starts, found, strict=True)
        if is_even(evidence.won)
    ]
    return tuple(sorted(even, key=lambda each: _unevenness(each.evidence.won)))


def judge_starts(
    bulk: Bulk, number: int, starts: Sequence[Start], games: int, seed: int
) -> list[Evidence]:
    """What a contender makes of starts, by so many games after each with itself."""
    chosen = [start for start in starts for _ in range(games)]
    played = bulk.play(
        seat_all(bulk.game.num_seats, len(chosen), number),
        [start.actions for start in chosen],
        seed,
        [start.deal for start in chosen] if bulk.game.has_chance else None,
    )
    contender = bulk.contenders[number]
    minutes = contender.net.card.get("headway", {}).get("minutes", 0.0)
    shares = played.shares.reshape(len(starts), games, -1)
    return [
        Evidence(minutes, contender.simulations, tuple(share(seat) for seat in part.T.tolist()))
        for part in shares
    ]


def take_even(appraiser: Appraiser, drawn: Mapping[Start, State], most: int) -> list[Start]:
    """The starts that a net takes for the most even at a look, in the order they were drawn."""
    expected = appraiser.expect(list(drawn.values()))
    order = np.argsort(abs(expected - 1 / expected.shape[1]).max(1), kind="stable")
    chosen = set(order[:most].tolist())
    return [start for k, start in enumerate(drawn) if k in chosen]


def draw_starts(game: Game, count: int, plies: int, seed: int) -> dict[Start, State]:
    """Different starts by chance, and where they lead: deals, or so many random moves, symmetric
    ones taken as one."""
    dice, seen = Random(seed), set()
    found: dict[Start, State] = {}
    for _ in range(20 * count):  # small boards have fewer than are wished for
        if len(found) == count:
            break
        deal = dice.randrange(2**31) if game.has_chance else 0
        state = game.initial(deal)
        actions: list[int] = []
        while len(actions) < plies and not game.has_chance and not state.is_over:
            move = dice.choice(state.legal_moves())
            actions.append(move.action)
            state = state.play(move)
        key = min(game.transform(state, n).position for n in range(len(game.symmetries)))
        if key not in seen and not state.is_over:
            seen.add(key)
            found[Start(tuple(actions), deal)] = state
    return found


def _unevenness(won: Sequence[Figure]) -> float:
    """How far the seat that differs most is from an equal part."""
    return max(abs(figure.value - 1 / len(won)) for figure in won)


def _describe(game: Game, start: Start, evidence: Evidence) -> EvenStart:
    state, moves = game.initial(start.deal), []
    for action in start.actions:
        move = state.move(action)
        moves.append(str(move))
        state = state.play(move)
    deal = start.deal if game.has_chance else None
    return EvenStart(tuple(moves), deal, state.position, evidence)


def play_corpus(bulk: Bulk, number: int, games: int, seed: int, tell: Tell) -> Corpus:
    """Games of a contender with itself."""
    seats = bulk.game.num_seats
    return bulk.play(
        seat_all(seats, games, number), seed=seed, tell=lambda n: tell(f"{n:,} of {games:,} games")
    )
