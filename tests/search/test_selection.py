"""Choosing the child to try next, against the formulas written out one by one."""

from math import sqrt

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from skerry.search.tree.pool import APPEAL, NO_NODE
from skerry.search.tree.proofs import NEVER
from skerry.search.tree.select import CALM, find_highest_bound

BIAS, CURIOSITY = 0.005, 0.3
FIRST = 7  # where the children begin in the pool

Child = tuple[float, int, float, int]
results = st.integers(-100, 100).map(lambda n: n / 100)
tried = st.tuples(results, st.integers(0, 10_000), results, st.integers(0, 10_000))
proven = st.tuples(st.just(float(NEVER)), st.integers(0, 9), st.just(0.0), st.just(0))


def bound(child: Child) -> float:
    """What a child may come to at best: the mean of two results, weighted by their errors."""
    merit, n, amaf, m = child
    if merit == NEVER:
        return merit
    if m == 0:
        return merit + CURIOSITY / sqrt(max(n, 1))
    share = m / (n + m + BIAS * n * m)
    return (1 - share) * merit + share * amaf + float(CALM) * CURIOSITY / sqrt(max(n, 1))


def select(children: list[Child]) -> tuple[float, int]:
    appeal = np.zeros(FIRST + len(children), APPEAL)
    appeal[:FIRST]["merit"] = 10  # somebody else's children
    for place, (merit, n, amaf, m) in enumerate(children):
        appeal[FIRST + place] = (merit, n, amaf * m, m)
    bounds = np.zeros(len(children), np.int32)
    return find_highest_bound(
        appeal, bounds, FIRST, len(children), np.float32(CURIOSITY), np.float32(BIAS)
    )


@given(st.lists(tried | proven, min_size=1, max_size=70))
def test_the_highest_bound_is_found(children: list[Child]) -> None:
    best_bound, best = select(children)
    highest = max(map(bound, children))
    if highest == NEVER:
        assert (best_bound, best) == (NEVER, NO_NODE)
    else:
        assert abs(best_bound - highest) < 1e-5
        assert abs(bound(children[best - FIRST]) - highest) < 1e-5


@given(st.lists(tried, min_size=1, max_size=40), st.data())
def test_the_first_of_equals_is_taken(children: list[Child], data: st.DataObject) -> None:
    best = select(children)[1] - FIRST
    place = data.draw(st.integers(0, len(children)))
    children.insert(place, children[best])
    assert select(children)[1] - FIRST == min(best + (place <= best), place)
