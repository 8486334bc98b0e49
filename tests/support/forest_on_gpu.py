"""Run with NUMBA_ENABLE_CUDASIM=1: trees on the simulated GPU are those on the CPU, and so are
guests and pacts.

python forest_on_gpu.py GAME...
"""

import sys

import numpy as np
import torch

import skerry
from skerry.rl import functional
from skerry.train.forest import Forest
from skerry.train.tree import Pact

BATCH, SIMULATIONS, MOVES = 3, 5, 2
PACT = Pact(0b110, 0b111)


def compare(game: skerry.Game) -> None:
    forests = [
        Forest(
            game,
            BATCH,
            SIMULATIONS,
            device,
            seed=5,  # guests and rivals are among those who move, in every game
            guests=0.9,
            rivals=0.4,
            believer=True,
            pact=PACT,
        )
        for device in ("cpu", "cuda")
    ]
    ours, theirs = forests
    chance, guests_moved, known = torch.Generator().manual_seed(1), 0, 0
    for _ in range(MOVES):
        for number in range(SIMULATIONS + 1):
            logits = torch.randn(BATCH, game.num_actions, generator=chance)
            outlooks = torch.rand(BATCH, game.num_seats + 1, generator=chance).softmax(1)
            if number == 0:
                roots = logits
            for forest in forests:
                if number == 0:
                    forest.plant()
                forest.simulate(number, logits, outlooks)
            assert torch.equal(ours.cells, theirs.cells)
            assert torch.equal(ours.seats, theirs.seats)
            assert torch.equal(ours.counters, theirs.counters)
            assert torch.equal(ours.strangers, theirs.strangers)
        for forest in forests:
            forest.conclude(roots)
        assert torch.equal(ours.actions, theirs.actions)
        assert torch.equal(ours.foretold, theirs.foretold)
        assert torch.allclose(ours.targets, theirs.targets, atol=1e-5)
        assert torch.allclose(ours.worths, theirs.worths, atol=1e-5)
        moving = zip(ours.root_seats.tolist(), ours.seating(), strict=True)
        guests_moved += sum(sat[seat] > 0 for seat, sat in moving)
        known += int((ours.strangers > 0).sum())
        for forest in forests:
            forest.play()
        assert torch.equal(ours.outcomes, theirs.outcomes)
        assert torch.equal(ours.finals, theirs.finals)
        assert torch.equal(ours.rivals, theirs.rivals)
    assert 0 < guests_moved < BATCH * MOVES
    assert (known > 0) == (game.num_seats > 2)
    assert ours.seating() == theirs.seating()
    some, dealt = np.array([2, 0]), functional.make(game).init(np.arange(2)).records
    before = ours.state(1)
    for forest in forests:
        forest.put(dealt, some)
        forest.plant()
        assert [forest.state(k) for k in (2, 0)] == [game.initial(k) for k in range(2)]
        assert forest.state(1) == before
        taken = forest.take(np.array([0, 1]))
        assert [skerry.State(game, taken[k : k + 1]) for k in (0, 1)] == [game.initial(1), before]
    assert torch.equal(ours.cells, theirs.cells)


for name in sys.argv[1:]:
    compare(skerry.make(name, **skerry.make(name).sizes[1]))
    print(name, "agrees")
