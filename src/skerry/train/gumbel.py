"""Which action a search tries next, and which it comes to: Gumbel AlphaZero's choices.

At the root some actions are drawn by the net's policy and halved again and again by what their
simulations found; below it the action is taken whose share of the visits lags most behind the
policy that the values found so far suggest (Danihelka et al., 2022).
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core.bits import signed
from skerry.core.kernels import kernel
from skerry.core.random import scramble
from skerry.core.rules import Raw

VISIT_WEIGHT = 50.0  # how much values count against the policy: c_visit and c_scale of the paper
VALUE_SCALE = 1.0
TINIEST = 1e-12
FRACTION = 2.0**-53
TO_FRACTION = np.uint64(11)

Schedule = NDArray[np.int16]  # [width + 1, simulations]


def plan_visits(width: int, simulations: int) -> Schedule:
    """[actions, simulation]: how often the action to be tried next was tried before.

    Sequential halving: all actions are tried equally often, then the better half of them, and so on
    down to the best two.
    """
    plan = np.zeros((width + 1, simulations), np.int16)
    for actions in range(1, width + 1):
        rounds = max(1, math.ceil(math.log2(actions)))
        order: list[int] = []
        visits, left = 0, actions
        while len(order) < simulations:
            for _ in range(max(1, simulations // (rounds * left))):
                order += [visits] * left
                visits += 1
            left = max(min(2, actions), left // 2)
        plan[actions] = order[:simulations]
    return plan


@kernel
def weigh(value: float, most: int) -> float:
    """What a share of a win is worth in terms of the policy's logits."""
    return (VISIT_WEIGHT + most) * VALUE_SCALE * value


@kernel
def draw_noise(rng: Any) -> float:
    """A number drawn from the standard Gumbel distribution."""
    fraction = (np.float64(scramble(rng) >> TO_FRACTION) + 0.5) * FRACTION
    return -math.log(-math.log(fraction))


@kernel
def count_tries(node: Raw) -> tuple[int, int]:
    """How often the actions of a node were tried, all and the one that was tried most."""
    total = most = 0
    for slot in range(node.width):
        tries = signed(node.tries[slot])
        total += tries
        most = max(most, tries)
    return total, most


@kernel
def mix_value(node: Raw, total: int) -> float:
    """What an action that was not tried is taken to be worth: the mean of the net's value and the
    values found, each action as likely as the policy says."""
    tried = found = 0.0
    for slot in range(node.width):
        if node.tries[slot] > 0:
            chance = math.exp(node.prior[slot] - node.prior[0]) + TINIEST
            tried += chance
            found += chance * node.worth[slot] / node.tries[slot]
    own = np.float64(node.share[node.seat])
    return (own + total * found / tried) / (1 + total) if total > 0 else own


@kernel
def complete(node: Raw, slot: int, most: int, mixed: float) -> float:
    """The logit of an action, improved by its value, or by a guess at it."""
    tries = node.tries[slot]
    value = node.worth[slot] / tries if tries > 0 else mixed
    return node.prior[slot] + weigh(value, most)


@kernel
def choose_at_root(node: Raw, search: Raw, visits: int) -> int:
    """The most promising action of the root among those with so many visits."""
    _, most = count_tries(node)
    best, found = 0, -np.inf
    for slot in range(node.width):
        if node.tries[slot] == visits:
            merit = complete(node, slot, most, 0.0) + search.noise[slot]
            if merit > found:
                best, found = slot, merit
    return best


@kernel
def expect(node: Raw, slot: int, most: int, mixed: float, is_stranger: bool) -> float:
    """The logit by which an action is expected. What an action is worth moves whoever thinks as the
    net does; strangers do what the net has seen strangers do."""
    return node.prior[slot] if is_stranger else complete(node, slot, most, mixed)


@kernel
def choose_inside(node: Raw, is_stranger: bool) -> int:
    """Which action of another node to try next: the one that was tried too little."""
    total, most = count_tries(node)
    mixed = mix_value(node, total)
    highest = -np.inf
    for slot in range(node.width):
        highest = max(highest, expect(node, slot, most, mixed, is_stranger))
    mass = 0.0
    for slot in range(node.width):
        mass += math.exp(expect(node, slot, most, mixed, is_stranger) - highest)
    best, found = 0, -np.inf
    for slot in range(node.width):
        chance = math.exp(expect(node, slot, most, mixed, is_stranger) - highest) / mass
        lag = chance - node.tries[slot] / (1.0 + total)
        if lag > found:
            best, found = slot, lag
    return best


@kernel
def choose_best(root: Raw, search: Raw) -> tuple[int, float]:
    """The action that the search has come to, and what it is worth to whoever moves."""
    _, most = count_tries(root)
    best = choose_at_root(root, search, most)
    tries = root.tries[best]
    worth = root.worth[best] / tries if tries > 0 else np.float64(root.share[root.seat])
    return signed(root.move[best]), worth
