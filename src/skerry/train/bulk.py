"""Games in bulk: nets play very many games at a time, and all that they do is kept."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.core.state import State
from skerry.lab.corpus import Corpus, line_up, tell_outcome
from skerry.nets.file import Net
from skerry.nets.shape import Shape
from skerry.rl import functional
from skerry.train.forest import Forest
from skerry.train.net import load_net
from skerry.train.recipe import BATCHES
from skerry.train.selfplay import SelfPlay
from skerry.train.tree import NO_PACT, UNTOLD, Pact

TWO = 2  # seats, of which each is alone anyway
FREE = -1  # a place of a batch where no game is

Seating = NDArray[np.int8]  # [games, seats] the number of the contender who has each seat


class Contender(NamedTuple):
    """A net that plays with so many simulations for every action, by a pact if there is one."""

    net: Net
    simulations: int
    pact: Pact = NO_PACT


class _Thinker:
    """A contender in all games of a batch; contenders whose nets are of one shape share a
    ``SelfPlay``, which takes long to compile."""

    def __init__(self, contender: Contender, forest: Forest, play: SelfPlay, board: int) -> None:
        self.forest, self.play, self.board = forest, play, board
        weights = load_net(contender.net).parameters()
        self.weights = [part.to(forest.cells.device) for part in weights]

    def think(self) -> None:
        self.play.follow(self.weights)
        self.play.think(self.board)


class Bulk:
    """Nets that meet in games of one kind, as many at a time as the device takes."""

    def __init__(
        self,
        game: Game,
        contenders: Sequence[Contender],
        device: str = "cpu",
        batch: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.game, self.contenders, self.device = game, contenders, device
        batch = batch or BATCHES[device]
        # What is left after the last whole batch is played in smaller ones.
        self.sizes = sorted({batch, min(batch, BATCHES[device])}, reverse=True)
        seated = [(contender, size) for size in self.sizes for contender in contenders]
        forests = [
            Forest(game, size, contender.simulations, device, threads=threads, pact=contender.pact)
            for contender, size in seated
        ]
        places = _share([contender for contender, _ in seated], forests, device)
        thinkers = [
            _Thinker(contender, forest, *place)
            for (contender, _), forest, place in zip(seated, forests, places, strict=True)
        ]
        count = len(contenders)
        self.thinkers = {  # by size
            size: thinkers[n * count : (n + 1) * count] for n, size in enumerate(self.sizes)
        }

    def play(
        self,
        seating: Seating,
        openings: Sequence[Sequence[int]] | None = None,
        seed: int = 0,
        deals: Sequence[int] | None = None,
        tell: Callable[[int], None] = lambda done: None,
    ) -> Corpus:
        """Play a game for each seating, each after an opening and from a deal if there are such;
        ``tell`` hears how many are done. The same seed gives the same games on the same device."""
        count = len(seating)
        if openings is not None and len(openings) != count:
            raise OptionsError(f"there are {count} games, but {len(openings)} openings")
        dice = np.random.default_rng(seed)
        drawn = dice.integers(2**63, size=count)
        seeds = drawn if deals is None else np.array(deals, np.int64)
        given = openings if openings is not None else [()] * count
        starts = self._begin(seeds, given)
        actions, outcomes = _Rounds(self, starts, seating, int(dice.integers(2**63))).play(tell)
        present = np.unique(seating)
        return Corpus(
            self.game,
            seeds,
            line_up([[*before, *after] for before, after in zip(given, actions, strict=True)]),
            outcomes,
            np.searchsorted(present, seating).astype(np.int8),
            {
                "players": [_describe(self.contenders[n], self.game) for n in present],
                "seed": seed,
            },
        )

    def _begin(
        self, seeds: NDArray[np.int64], openings: Sequence[Sequence[int]]
    ) -> NDArray[np.void]:
        """The positions after deals and openings."""
        if not any(openings):
            return functional.make(self.game).init(seeds).records
        known: dict[tuple[int, ...], Any] = {}
        records = np.zeros(len(seeds), self.game.dtype)
        for k, opening in enumerate(openings):
            deal = int(seeds[k]) if self.game.has_chance else 0
            key = (deal, *opening)
            if key not in known:
                state = self.game.initial(deal)
                for action in opening:
                    state = state.play(state.move(action))
                known[key] = state.raw
            records[k] = known[key]
        return records


class _Rounds:
    """Games that are played, each at a place of a batch. Where one ends the next begins, since
    the longest of a game may take many times as long as most; the last ones, when there are few
    of them, go on in a smaller batch."""

    def __init__(self, bulk: Bulk, starts: NDArray[np.void], seating: Seating, seed: int) -> None:
        self.bulk, self.starts, self.seating, self.seed = bulk, starts, seating, seed
        self.outcomes = np.full(len(starts), UNTOLD, np.int8)
        self.waiting = np.flatnonzero(starts["over"] == 0)
        for k in np.flatnonzero(starts["over"]):  # some deals leave nothing to play
            self.outcomes[k] = tell_outcome(State(bulk.game, starts[k : k + 1].copy()))
        self.at = np.zeros(0, np.int64)  # [places] the number of the game there, or FREE
        self.numbers: list[NDArray[np.int64]] = []  # of the games, round by round
        self.actions: list[NDArray[np.int16]] = []  # and what was done in them

    def play(self, tell: Callable[[int], None]) -> tuple[list[list[int]], NDArray[np.int8]]:
        """The actions of every game, and how it ended."""
        if len(self.waiting):
            sizes = self.bulk.sizes
            size = next((size for size in sizes if size <= len(self.waiting)), sizes[-1])
            self._sit_down(size, self.starts[self.waiting[:size]], self.waiting[:size])
            self.waiting = self.waiting[size:]
        while len(self.waiting) or (self.at != FREE).any():
            self._play_round()
            tell(int((self.outcomes != UNTOLD).sum()))
            self._fill()
        return self._sort(), self.outcomes

    def _sit_down(self, size: int, records: NDArray[np.void], numbers: NDArray[np.int64]) -> None:
        """Go on with these games in batches of a size."""
        self.size = size
        spare = size - len(numbers)
        self.at = np.pad(numbers, (0, spare), constant_values=FREE)
        # Places that nobody needs follow some game, so that all players see the same there.
        records = np.concatenate([records, records[np.zeros(spare, int)]])
        for thinker in self.bulk.thinkers[size]:
            thinker.forest.begin(self.seed)
            thinker.forest.put(records, np.arange(size))

    def _play_round(self) -> None:
        """An action in every game."""
        thinkers = self.bulk.thinkers[self.size]
        is_open = self.at != FREE
        seated = self.seating[np.where(is_open, self.at, self.at.max())]
        # Whoever has no seat in these games need not think.
        actions = _choose({int(n): thinkers[n] for n in np.unique(seated)}, seated)
        for thinker in thinkers:
            thinker.forest.actions.copy_(actions)
            thinker.forest.play(restart=False)
        self.numbers.append(self.at[is_open])
        self.actions.append(actions.cpu().numpy().astype(np.int16)[is_open])
        ended = thinkers[0].forest.outcomes.cpu().numpy()
        over = is_open & (ended != UNTOLD)
        self.outcomes[self.at[over]] = ended[over]
        self.at[over] = FREE

    def _fill(self) -> None:
        """Begin games where others have ended, or move to a smaller batch."""
        places = np.flatnonzero(self.at == FREE)[: len(self.waiting)]
        thinkers, smallest = self.bulk.thinkers[self.size], self.bulk.sizes[-1]
        if len(places):
            chosen, self.waiting = np.split(self.waiting, [len(places)])
            self.at[places] = chosen
            for thinker in thinkers:
                thinker.forest.put(self.starts[chosen], places)
            return
        left = np.flatnonzero(self.at != FREE)
        if smallest < self.size and 0 < len(left) <= smallest:
            self._sit_down(smallest, thinkers[0].forest.take(left), self.at[left])

    def _sort(self) -> list[list[int]]:
        """The actions of every game, in the order they were made."""
        if not self.numbers:
            return [[] for _ in self.starts]
        numbers, actions = np.concatenate(self.numbers), np.concatenate(self.actions)
        ends = np.cumsum(np.bincount(numbers, minlength=len(self.starts)))
        made = actions[np.argsort(numbers, kind="stable")]
        return [part.tolist() for part in np.split(made, ends[:-1])]


@torch.inference_mode()
def _choose(players: Mapping[int, _Thinker], seated: Seating) -> torch.Tensor:
    """What whoever is to move does in every game."""
    (_, first), *others = players.items()
    for thinker in players.values():
        thinker.think()
    actions = first.forest.actions.clone()
    if others:
        at = torch.from_numpy(seated).to(actions.device)
        mover = torch.gather(at, 1, first.forest.root_seats.long()[:, None])[:, 0]
        for number, thinker in others:
            actions = torch.where(mover == number, thinker.forest.actions, actions)
    return actions


def unite_against(game: Game, title: str, is_known: bool) -> Pact:
    """All seats but one play together; that one may know of it."""
    titles = [each.lower() for each in game.seats]
    if len(titles) <= TWO:
        raise OptionsError(f"{game.title} has {len(titles)} seats: nobody can play together")
    if title.lower() not in titles:
        raise OptionsError(f"there is no seat {title}; {game.title} has {', '.join(game.seats)}")
    everybody = (1 << len(titles)) - 1
    allied = everybody & ~(1 << titles.index(title.lower()))
    return Pact(allied, everybody if is_known else allied)


def seat_all(seats: int, games: int, contender: int = 0) -> Seating:
    """A single contender on all seats."""
    return np.full((games, seats), contender, np.int8)


def _share(
    contenders: Sequence[Contender], forests: Sequence[Forest], device: str
) -> list[tuple[SelfPlay, int]]:
    """Who thinks for each contender, and the number of its forest there."""
    by_shape: dict[Shape, list[int]] = {}
    for number, contender in enumerate(contenders):
        by_shape.setdefault(contender.net.shape, []).append(number)
    found: dict[int, tuple[SelfPlay, int]] = {}
    for shape, numbers in by_shape.items():
        play = SelfPlay([forests[number] for number in numbers], shape, device)
        found |= {number: (play, board) for board, number in enumerate(numbers)}
    return [found[number] for number in range(len(contenders))]


def _describe(contender: Contender, game: Game) -> dict[str, Any]:
    headway = contender.net.card.get("headway", {})
    described = {
        "net": contender.net.digest,
        "minutes": headway.get("minutes"),
        "simulations": contender.simulations,
    }
    if contender.pact == NO_PACT:
        return described
    allied, witting = (
        [title for seat, title in enumerate(game.seats) if bits >> seat & 1]
        for bits in contender.pact
    )
    return described | {"pact": allied, "witting": witting}
