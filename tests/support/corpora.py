"""Corpora of random games that often begin alike, and tallies made without replaying any."""

from random import Random

import numpy as np

import skerry
from skerry.lab.corpus import NONE, Corpus
from skerry.lab.openings.atlas import Atlas, draw_atlas, name_position
from skerry.lab.openings.gathering import Tally


def random_corpus(game: skerry.Game, games: int, seed: int = 0) -> Corpus:
    """Random games in which one of three moves is chosen at first, so that many meet again."""
    luck = Random(seed)
    rows, outcomes = [], []
    for deal in range(games):
        state, row = game.initial(deal), []
        while not state.is_over:
            legal = state.legal_actions().tolist()
            row.append(luck.choice(legal[-3:] if len(row) < 4 else legal))
            state = state.play(row[-1])
        assert state.outcome is not None
        winner = state.outcome.winner
        rows.append(row)
        outcomes.append(game.num_seats if winner is None else winner)
    actions = np.full((games, max(map(len, rows))), NONE, np.int16)
    for k, row in enumerate(rows):
        actions[k, : len(row)] = row
    return Corpus(
        game,
        np.arange(games),
        actions,
        np.array(outcomes, np.int8),
        np.zeros((games, game.num_seats), np.int8),
        {"players": [{"net": "0123456789ab", "minutes": 1.0, "simulations": 4}], "seed": seed},
    )


def atlas_of(counts: dict[skerry.State, dict[str, tuple[int, ...]]]) -> Atlas:
    """An atlas of made-up numbers: by position and move who won how many games, draws last."""
    found = []
    for state, moves in counts.items():
        key, labels = name_position(state)
        for move, (*wins, draws) in moves.items():
            found.append((key, labels[int(state.parse(move))], sum(wins) + draws, wins))
    found.sort(key=lambda row: row[:2])
    keys, labels, games, wins = zip(*found, strict=True)
    tally = Tally(np.array(keys), np.array(labels), np.array(games), np.array(wins))
    return draw_atlas(next(iter(counts)).game, tally, {"games": max(games)}, least=1)
