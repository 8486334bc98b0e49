"""Games in bulk: nets play very many games at a time, and all that they do is kept."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.core.state import State
from skerry.lab.corpus import NONE, Corpus, line_up, tell_outcome
from skerry.nets.file import Net
from skerry.nets.shape import Shape
from skerry.rl import functional
from skerry.train.forest import Forest
from skerry.train.net import NetModule
from skerry.train.recipe import BATCHES
from skerry.train.selfplay import SelfPlay
from skerry.train.tree import UNTOLD

Seating = NDArray[np.int8]  # [games, seats] the number of the contender who has each seat


class Contender(NamedTuple):
    """A net that plays with so many simulations for every action."""

    net: Net
    simulations: int


class _Thinker:
    """A contender in all games of a batch; contenders whose nets are of one shape share a
    ``SelfPlay``, which takes long to compile."""

    def __init__(self, contender: Contender, forest: Forest, play: SelfPlay, board: int) -> None:
        self.forest, self.play, self.board = forest, play, board
        weights = NetModule(contender.net.shape)
        # What only learning needs, players' nets do not have.
        weights.load_state_dict(
            {name: torch.from_numpy(value) for name, value in contender.net.weights.items()},
            strict=False,
        )
        self.weights = [part.to(forest.cells.device) for part in weights.parameters()]

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
            Forest(game, size, contender.simulations, device, threads=threads)
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
        games: list[list[int]] = []
        outcomes: list[NDArray[np.int8]] = []
        done = 0
        while done < count:
            size = next((size for size in self.sizes if size <= count - done), self.sizes[-1])
            chosen = slice(done, min(done + size, count))
            given = openings[chosen] if openings is not None else [()] * len(seating[chosen])
            starts = self._begin(seeds[chosen], given)
            actions, ends = self._play_batch(
                size, starts, seating[chosen], int(dice.integers(2**63))
            )
            games += [
                [*before, *row[row != NONE].tolist()]
                for before, row in zip(given, actions, strict=True)
            ]
            outcomes.append(ends)
            done = chosen.stop
            tell(done)
        present = np.unique(seating)
        return Corpus(
            self.game,
            seeds,
            line_up(games),
            np.concatenate(outcomes),
            np.searchsorted(present, seating).astype(np.int8),
            {"players": [_describe(self.contenders[n]) for n in present], "seed": seed},
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

    @torch.inference_mode()
    def _play_batch(
        self, size: int, starts: NDArray[np.void], seating: Seating, seed: int
    ) -> tuple[NDArray[np.int16], NDArray[np.int8]]:
        """Games from at most so many positions: their actions [games, plies], and how they
        ended."""
        count, spare = len(starts), size - len(starts)
        records = np.concatenate([starts, starts[np.zeros(spare, int)]])
        # Whoever has no seat in these games need not think.
        players = {int(number): self.thinkers[size][number] for number in np.unique(seating)}
        first = next(iter(players.values())).forest
        place = first.actions.device
        seated = torch.from_numpy(np.pad(seating, ((0, spare), (0, 0)))).to(place)
        for thinker in players.values():
            thinker.forest.begin(seed)
            thinker.forest.put(records)
        is_open = torch.from_numpy(records["over"] == 0).to(place)
        is_open[count:] = False
        ends = torch.full((size,), UNTOLD, dtype=torch.int8, device=place)
        rounds = []
        while bool(is_open.any()):
            actions = _choose(players, seated)
            rounds.append(torch.where(is_open, actions, NONE).to(torch.int16))
            for thinker in players.values():
                thinker.forest.actions.copy_(actions)
                thinker.forest.play(restart=False)
            ended = first.outcomes
            ends = torch.where(ended != UNTOLD, ended, ends)
            is_open &= ended == UNTOLD
        outcomes = ends.cpu().numpy()[:count]
        for k in np.flatnonzero(outcomes == UNTOLD):  # some deals leave nothing to play
            outcomes[k] = tell_outcome(State(self.game, records[k : k + 1].copy()))
        plies = torch.stack(rounds, 1)[:count].cpu().numpy() if rounds else np.zeros((count, 0))
        return plies.astype(np.int16), outcomes


def _choose(players: Mapping[int, _Thinker], seated: torch.Tensor) -> torch.Tensor:
    """What whoever is to move does in every game."""
    (_, first), *others = players.items()
    for thinker in players.values():
        thinker.think()
    actions = first.forest.actions.clone()
    mover = torch.gather(seated, 1, first.forest.root_seats.long()[:, None])[:, 0]
    for number, thinker in others:
        actions = torch.where(mover == number, thinker.forest.actions, actions)
    return actions


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


def _describe(contender: Contender) -> dict[str, Any]:
    headway = contender.net.card.get("headway", {})
    return {
        "net": contender.net.digest,
        "minutes": headway.get("minutes"),
        "simulations": contender.simulations,
    }
