"""What a corpus says: points by seat, lengths, how games end, and which cells winners hold."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skerry.core import rules
from skerry.core.game import Game
from skerry.core.kernels import kernel
from skerry.core.random import seeded
from skerry.core.rules import Codes, Points, States, TablesArray
from skerry.lab.corpus import Corpus
from skerry.lab.stats.figures import Figure, average, share

MOST_ENDINGS = 8
RARE = 0.001  # share of games: endings below it are not told


@dataclass(frozen=True)
class FinalScore:
    """Scores at the end, the highest first, and in how many games; ``won`` says which of these
    scores won, by the share of the games of this ending."""

    scores: tuple[int, ...]
    games: Figure
    won: tuple[float, ...]


@dataclass(frozen=True)
class HeldCell:
    """A cell, how often each seat held it at the end, and how often whoever held it had won."""

    name: str
    held: tuple[float, ...]  # by seat
    won: Figure | None  # None if nobody ever did


@dataclass(frozen=True)
class Census:
    """What a corpus says."""

    games: int
    points: tuple[Figure, ...]  # by seat
    draws: Figure
    length: Figure
    endings: tuple[FinalScore, ...]  # the commonest first; none in games that count nothing
    cells: tuple[HeldCell, ...]


@kernel
def find_ends(
    tables: TablesArray,
    states: States,
    seeds: NDArray[np.int64],
    actions: NDArray[np.int16],
    codes: Codes,
    scores: Points,
) -> bool:
    """Replay games to their ends: their codes [games, cells] and scores [games, seats]; False if
    the game counts nothing. ``states`` [2] is blank, and scratch."""
    t, s, counts = tables[0], states[1], False
    for k in range(len(actions)):
        states[1] = states[0]
        rules.reset(t, s, seeded(seeds[k]))
        for ply in range(actions.shape[1]):
            if actions[k, ply] < 0:
                break
            rules.play(t, s, actions[k, ply])
        rules.identify(t, s, codes[k])
        counts = rules.score(t, s, scores[k])
    return counts


def count_points(corpus: Corpus) -> tuple[Figure, ...]:
    """The points of every seat."""
    return tuple(share(seat) for seat in corpus.shares.T.tolist())


def count_draws(corpus: Corpus) -> Figure:
    """The share of games that were drawn."""
    return share((corpus.outcomes == corpus.game.num_seats).astype(float).tolist())


def measure_length(corpus: Corpus) -> Figure:
    """Plies in a game."""
    return average(corpus.lengths.tolist())


def take_census(corpus: Corpus) -> Census:
    """Count what a corpus has to say."""
    game, count = corpus.game, len(corpus)
    codes = np.zeros((count, len(game.board)), np.uint8)
    scores = np.zeros((count, game.num_seats), np.int64)
    counts = find_ends(
        game.tables, np.zeros(2, game.dtype), corpus.seeds, corpus.actions, codes, scores
    )
    return Census(
        count,
        count_points(corpus),
        count_draws(corpus),
        measure_length(corpus),
        _list_endings(corpus, scores) if counts else (),
        _list_cells(corpus, codes),
    )


def _list_endings(corpus: Corpus, scores: NDArray[np.int64]) -> tuple[FinalScore, ...]:
    order = np.argsort(-scores, axis=1, kind="stable")
    ranked = np.take_along_axis(scores, order, 1)
    won = np.take_along_axis(corpus.shares, order, 1)
    kinds, kind_of = np.unique(ranked, axis=0, return_inverse=True)
    common = Counter(kind_of.ravel().tolist()).most_common(MOST_ENDINGS)
    return tuple(
        FinalScore(
            tuple(kinds[kind].tolist()),
            share((kind_of.ravel() == kind).astype(float).tolist()),
            tuple(won[kind_of.ravel() == kind].mean(0).tolist()),
        )
        for kind, games in common
        if games >= RARE * len(corpus)
    )


def _list_cells(corpus: Corpus, codes: NDArray[np.uint8]) -> tuple[HeldCell, ...]:
    owner = _owners(corpus.game)[codes]  # [games, cells]
    found = []
    for cell, name in enumerate(corpus.game.board.names):
        taken = owner[:, cell] >= 0
        gains = corpus.shares[np.flatnonzero(taken), owner[taken, cell]]
        held = [(owner[:, cell] == seat).mean() for seat in range(corpus.game.num_seats)]
        found.append(HeldCell(name, tuple(held), share(gains.tolist()) if len(gains) else None))
    return tuple(found)


def _owners(game: Game) -> NDArray[np.int64]:
    """[codes] the seat that a piece belongs to, or -1."""
    owners = np.full(game.num_codes, -1)
    for code, letter in enumerate(game.letters, 1):
        seat = game.piece(letter).seat
        owners[code] = -1 if seat is None else seat
    return owners
