"""Corpora of random games that often begin alike, and tallies made without replaying any."""

from pathlib import Path
from random import Random

import numpy as np

import skerry
from skerry.lab.corpus import NONE, Corpus
from skerry.lab.openings.atlas import Atlas, draw_atlas, name_position, write_atlas
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
    players = [{"net": "0123456789ab", "minutes": 7.5, "simulations": 32}]
    card = {"games": sum(games), "sources": [{"card": {"players": players}}]}
    return draw_atlas(next(iter(counts)).game, tally, card, least=1)


def write_atlases(folder: Path) -> None:
    """Atlases of made-up numbers for small boards."""
    skirt = skerry.make("skirt", side=3).initial()
    after = skirt.play("a1")
    best = {
        skirt: {"a1": (300, 700, 0), "a2": (30, 20, 0)},
        after: {"a2": (250, 650, 0), "a3": (50, 50, 0)},
    }
    write_atlas(folder / "skirt.atlas", atlas_of(best))
    write_atlas(folder / "skirt-early.atlas", atlas_of({skirt: {"a2": (900, 100, 0)}}))
    x = skerry.make("x", size=4).initial()
    write_atlas(folder / "x.atlas", atlas_of({x: {"b2": (50, 30, 40, 0), "a1": (1, 2, 2, 0)}}))
