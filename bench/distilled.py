"""What a perceptron that learns to say what a net says is worth on a CPU, beside that net.

    pip install 'skerry[train]'
    python bench/distilled.py skirt --positions 400000 --minutes 8 --games 100 --seconds 0.25

The net that comes with skerry plays games with itself, looks at their positions, and a perceptron
of fully connected layers learns what it says of them, on one board. Then both look at positions
that were not learnt from, and search against each other, with the same seconds for every move.
"""

import argparse
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from multiprocessing import get_context
from time import perf_counter
from typing import Any, NamedTuple

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numba
import numpy as np
import torch
from looks import best_time
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

import skerry
from skerry.core.game import Game
from skerry.core.state import State
from skerry.lab.stats.figures import share
from skerry.nets import forward
from skerry.nets.images import list_images
from skerry.nets.matrices import COLUMNS, ROWS, Floats, multiply, pack
from skerry.nets.shipped import shipped_net
from skerry.rl import BatchEnv
from skerry.search.guided.search import GuidedSearch
from skerry.search.players import NetPlayer

CORES = 2
WHIMS = 0.1  # of the moves of its games are any
TEST = 10_000  # positions that are not learnt from
AT_ONCE = 8 * ROWS  # positions that go through a perceptron together
LESSON = 1024
OPENING = 4  # random plies


class Positions(NamedTuple):
    """Positions, and what a net said of them."""

    codes: NDArray[np.uint8]  # [positions, cells]
    seats: NDArray[np.int64]
    counters: NDArray[np.int64]
    legal: NDArray[np.bool_]  # [positions, actions]
    policy: NDArray[np.float16]  # [positions, actions]
    outlook: Floats  # [positions, seats + 1]


class Looker:
    """A net at work on both cores."""

    def __init__(self, game: Game) -> None:
        net = shipped_net(game)
        self.game = game
        self.ground = forward.survey(game)
        self.weights = forward.unpack(net, self.ground.size)
        self.desks = [forward.set_up(self.weights, self.ground) for _ in range(CORES)]
        self.threads = ThreadPoolExecutor(CORES)

    def look(self, asked: tuple[NDArray[Any], ...]) -> tuple[Floats, Floats]:
        """``asked`` are codes, seats and counters; no seat is a stranger's."""
        logits = np.zeros((len(asked[0]), self.game.num_actions), np.float32)
        outlooks = np.zeros((len(asked[0]), self.game.num_seats + 1), np.float32)
        parts = (*asked, np.zeros(len(logits), np.int64), logits, outlooks)

        def work(number: int) -> None:
            span = slice(number * len(logits) // CORES, (number + 1) * len(logits) // CORES)
            forward.evaluate(
                self.weights, self.ground, self.desks[number], *(part[span] for part in parts)
            )

        list(self.threads.map(work, range(CORES)))
        return logits, outlooks


def describe(states: list[State]) -> tuple[NDArray[Any], ...]:
    """Codes, seats and counters, as nets are asked."""
    return (
        np.array([state.codes for state in states]),
        np.array([state.turn for state in states]),
        np.array([state.counter for state in states]),
    )


def gather(game: Game, wanted: int) -> Positions:
    """Positions of games that a net plays with itself, drawing its moves from its policy."""
    looker, rng = Looker(game), np.random.default_rng(1)
    env = BatchEnv(game, 1024)
    env.reset(1)
    found: list[tuple[Any, ...]] = []
    while sum(len(part[0]) for part in found) < wanted:
        asked = describe([env.state(k) for k in range(1024)])
        logits, outlooks = looker.look(asked)
        legal = np.array(env.legal, bool)
        policy = np.where(legal, logits, -np.inf)
        policy = np.exp(policy - policy.max(1, keepdims=True))
        policy /= policy.sum(1, keepdims=True)
        found.append((*asked, legal, policy.astype(np.float16), outlooks))
        drawn = np.argmax(policy.cumsum(1) >= rng.random((1024, 1)), 1)
        env.step(np.where(rng.random(1024) < WHIMS, env.sample(), drawn).astype(np.int32))
    parts = (np.concatenate(part) for part in zip(*found, strict=True))
    return Positions(*(part[:wanted] for part in parts))


class Perceptron(nn.Module):
    """Fully connected layers; the first takes a row of weights for what stands on each cell."""

    def __init__(self, game: Game, width: int, layers: int) -> None:
        super().__init__()
        self.labels = torch.from_numpy(forward.survey(game).labels)
        self.kinds, self.seats = int(self.labels.max()) + 1, game.num_seats
        self.actions = game.num_actions
        self.enter = nn.EmbeddingBag(len(game.board) * self.kinds, width, mode="sum")
        nn.init.normal_(self.enter.weight, std=len(game.board) ** -0.5)
        self.told = nn.Linear(self.seats + 2, width)
        self.inner = nn.ModuleList(nn.Linear(width, width) for _ in range(layers - 1))
        self.out = nn.Linear(width, game.num_actions + game.num_seats + 1)

    def forward(self, codes: Tensor, seats: Tensor, counters: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the policy and of the outlook."""
        labels = torch.gather(self.labels[seats], 1, codes.long())
        rows = labels + self.kinds * torch.arange(codes.shape[1])
        counted = counters.float()[:, None]
        facts = [functional.one_hot(seats, self.seats), counted / 100, counted.clamp(max=1)]
        x = functional.relu(self.enter(rows) + self.told(torch.cat(facts, 1)))
        for layer in self.inner:
            x = functional.relu(layer(x))
        said = self.out(x)
        return said[:, : self.actions], said[:, self.actions :]


def draw_lessons(game: Game, known: Positions) -> Iterator[list[Tensor]]:
    """Some positions at a time, each lesson in one of the board's images."""
    rng, images = np.random.default_rng(2), list_images(game)
    while True:
        rows = np.sort(rng.integers(len(known.codes), size=LESSON))
        image = rng.integers(len(images.cells))
        part = Positions(*(each[rows] for each in known))
        moved = np.argsort(images.actions[image])
        seen = part._replace(
            codes=images.codes[image][part.codes[:, images.cells[image]]],
            legal=part.legal[:, moved],
            policy=part.policy[:, moved],
        )
        yield [torch.from_numpy(np.ascontiguousarray(each)) for each in seen]


def judge(net: Perceptron, lesson: list[Tensor]) -> tuple[Tensor, Tensor, Tensor]:
    """How far a perceptron's policy is from the net's, and its outlook, and how often both would
    try the same move first; divergences in nats."""
    codes, seats, counters, legal, policy, outlook = lesson
    theirs, chances = policy.float(), outlook.float()
    logits, said = net(codes, seats, counters)
    logits = logits.masked_fill(~legal, -1e9)
    apart = [
        functional.kl_div(ours.log_softmax(1), wanted, reduction="batchmean")
        for ours, wanted in ((logits, theirs), (said, chances))
    ]
    return apart[0], apart[1], (logits.argmax(1) == theirs.argmax(1)).float().mean()


def teach(game: Game, known: Positions, width: int, layers: int, minutes: float) -> Perceptron:
    torch.manual_seed(0)
    net = Perceptron(game, width, layers)
    optimiser = torch.optim.AdamW(net.parameters(), lr=1e-3)
    began, lessons = perf_counter(), draw_lessons(game, known)
    for number in count():
        passed = (perf_counter() - began) / (60 * minutes)
        if passed >= 1:
            print(f"{number:,} lessons of {LESSON:,} positions", flush=True)
            return net
        for group in optimiser.param_groups:
            group["lr"] = 1e-3 * min(1.0, number / 100, 0.02 + 2 * (1 - passed))
        policy, outlook, _ = judge(net, next(lessons))
        optimiser.zero_grad()
        (policy + outlook).backward()
        optimiser.step()
    raise AssertionError


class Weights(NamedTuple):
    """A perceptron as its kernel takes it; outputs are filled up to whole vectors."""

    labels: NDArray[np.int64]
    enter: Floats
    told: Floats
    bias: Floats
    inner: Floats  # [layers - 1, packed]
    inner_bias: Floats
    out: Floats  # packed
    out_bias: Floats


def unpack(net: Perceptron) -> Weights:
    outputs = -(-net.out.out_features // COLUMNS) * COLUMNS
    spare = outputs - net.out.out_features

    def turned(layer: Any) -> Floats:
        return np.ascontiguousarray(layer.weight.detach().numpy().T)

    layers = [(turned(layer), layer.bias.detach().numpy()) for layer in net.inner]
    return Weights(
        net.labels.numpy(),
        net.enter.weight.detach().numpy(),
        turned(net.told),
        net.told.bias.detach().numpy(),
        np.array([pack(weights) for weights, _ in layers]),
        np.array([bias for _, bias in layers]),
        pack(np.pad(turned(net.out), ((0, 0), (0, spare)))),
        np.pad(net.out.bias.detach().numpy(), (0, spare)),
    )


@numba.njit(nogil=True, fastmath={"contract"})
def evaluate(
    weights: Weights,
    room: tuple[Any, Any, Any],
    codes: Any,
    seats: Any,
    counters: Any,
    logits: Any,
    outlooks: Any,
) -> None:
    """What a perceptron says of positions."""
    here, there, out = room
    zero, kinds = np.float32(0.0), len(weights.enter) // codes.shape[1]
    for first in range(0, len(codes), len(here)):
        rows = min(len(here), len(codes) - first)
        for k in range(rows):
            at = first + k
            here[k] = weights.bias + weights.told[seats[at]]
            here[k] += weights.told[-2] * np.float32(counters[at] / 100)
            here[k] += weights.told[-1] * np.float32(min(counters[at], 1))
            for cell in range(codes.shape[1]):
                label = weights.labels[seats[at], codes[at, cell]]
                here[k] += weights.enter[kinds * cell + label]
            here[k] = np.maximum(here[k], zero)
        for number in range(len(weights.inner)):
            multiply(here, weights.inner[number], there, rows)
            for k in range(rows):
                here[k] = np.maximum(there[k] + weights.inner_bias[number], zero)
        multiply(here, weights.out, out, rows)
        actions, ends = logits.shape[1], logits.shape[1] + outlooks.shape[1]
        for k in range(rows):
            logits[first + k] = out[k, :actions] + weights.out_bias[:actions]
            said = out[k, actions:ends] + weights.out_bias[actions:ends]
            chances = np.exp(said - said.max())
            outlooks[first + k] = chances / chances.sum()


class DistilledSearch(GuidedSearch):
    """A tree that a perceptron guides, on one thread."""

    per_thread = AT_ONCE

    def __init__(self, state: State, seed: int, weights: Weights) -> None:
        super().__init__(state, shipped_net(state.game), seed)  # which is not asked
        self.perceptron, self.room = weights, make_room(weights)

    def _look(self, number: int, span: slice) -> None:
        flights = self.flights
        asked = (flights.codes[span], flights.seats[span], flights.counters[span])
        said = (flights.logits[span], flights.outlooks[span])
        evaluate(self.perceptron, self.room, *asked, *said)


def make_room(weights: Weights) -> tuple[Floats, Floats, Floats]:
    blocks, wide, columns = weights.out.shape
    outputs = blocks * columns
    return tuple(np.zeros((AT_ONCE, n), np.float32) for n in (wide, wide, outputs))  # type: ignore[return-value]


@dataclass
class DistilledPlayer(NetPlayer):
    weights: Weights = field(kw_only=True)

    def _plant(self, state: State, seed: int) -> GuidedSearch:
        return DistilledSearch(state, seed, self.weights)


def play(game: Game, weights: Weights, seconds: float, number: int) -> list[float]:
    """What the perceptron won of two games from one opening, on each seat once, as shares."""
    start = game.initial(number)
    rng = np.random.default_rng(number)
    for _ in range(OPENING):
        start = start.play(int(rng.choice(start.legal_actions())))
    shares = []
    for seat in range(game.num_seats):
        players: list[NetPlayer] = [
            DistilledPlayer("perceptron", seconds=seconds, weights=weights)
            if each == seat
            else NetPlayer("net", seconds=seconds)
            for each in range(game.num_seats)
        ]
        state = start
        while state.to_move is not None:
            move = players[state.to_move].choose(state, int(rng.integers(1 << 30)))
            after = state.play(move)
            for player in players:
                player.follow(state, move, after)
            state = after
        returns = state.outcome.returns if state.outcome else ()
        shares.append((1 + (game.num_seats - 1) * returns[seat]) / game.num_seats)
    return shares


def compare_speed(game: Game, weights: Weights, known: Positions) -> None:
    asked = (known.codes, known.seats, known.counters)
    for name, at_once in (("net", forward.AT_ONCE), ("perceptron", AT_ONCE)):
        part = tuple(each[:at_once].copy() for each in asked)
        logits = np.zeros((at_once, game.num_actions), np.float32)
        outlooks = np.zeros((at_once, game.num_seats + 1), np.float32)
        run: Callable[[], object]
        if name == "net":
            looker, none = Looker(game), np.zeros(at_once, np.int64)
            setting = (looker.weights, looker.ground, looker.desks[0])
            run = lambda: forward.evaluate(*setting, *part, none, logits, outlooks)  # noqa: B023, E731
        else:
            room = make_room(weights)
            run = lambda: evaluate(weights, room, *part, logits, outlooks)  # noqa: B023, E731
        print(
            f"{name}: {at_once / best_time(run):,.0f} positions/s on one core, {at_once} at a time"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--positions", type=int, default=400_000)
    parser.add_argument("--minutes", type=float, default=8.0, help="to learn for")
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.25, help="for a move")
    given = parser.parse_args()
    torch.set_num_threads(CORES)
    game = skerry.make(given.game)
    known = gather(game, given.positions + TEST)
    test = [torch.from_numpy(np.ascontiguousarray(each[-TEST:])) for each in known]
    known = Positions(*(each[:-TEST] for each in known))
    print(f"{len(known.codes):,} positions", flush=True)
    net = teach(game, known, given.width, given.layers, given.minutes)
    with torch.inference_mode():
        policy, outlook, same = judge(net, test)
    print(f"policy {policy:.3f} and outlook {outlook:.3f} nats from the net's; ", end="")
    print(f"the same first move in {same:.1%} of {TEST:,} positions")
    weights = unpack(net)
    compare_speed(game, weights, known)
    context = get_context("fork")
    with ProcessPoolExecutor(CORES, mp_context=context) as pool:
        jobs = [
            pool.submit(play, game, weights, given.seconds, number)
            for number in range(given.games // game.num_seats)
        ]
        won = share(float(np.mean(job.result())) for job in jobs)
    print(
        f"the perceptron has {won.value:.1%} ({won.low:.1%} to {won.high:.1%}) of the points of "
        f"{won.n * game.num_seats} games, {given.seconds:g} s and one core for a move"
    )


if __name__ == "__main__":
    main()
