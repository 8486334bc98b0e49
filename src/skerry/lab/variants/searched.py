"""Games of players of any kind, on all cores: for machines on which no nets can be trained."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from skerry.core.game import Game
from skerry.core.state import State
from skerry.lab.corpus import Corpus, line_up, tell_outcome
from skerry.lab.variants.choices import list_followers, share_of, weigh
from skerry.lab.variants.rules import Variant
from skerry.lab.work.executor import Site, Warn
from skerry.search.overlay import chance
from skerry.search.players import SEEDS, invite
from skerry.search.warmup import warm_up

Told = Callable[[int], None]
Show = Callable[[str], None]


def play_all(
    game: Game,
    players: Sequence[str],
    seating: Any,
    seed: int,
    site: Site,
    tell: Told,
    warn: Warn,
) -> Corpus:
    """A game for every seating [games, seats]; ``tell`` hears how many are done."""
    tasks = [
        (game, [players[number] for number in row], f"{seed} {k} {' '.join(players)}")
        for k, row in enumerate(seating.tolist())
    ]
    found = _do_all(play_one, tasks, site, tell, warn)
    return Corpus(
        game,
        np.array([deal for deal, _, _ in found], np.int64),
        line_up([made for _, made, _ in found]),
        np.array([winner for _, _, winner in found], np.int8),
        np.asarray(seating, np.int8),
        {"players": list(players), "seed": seed},
    )


def weigh_all(
    states: Sequence[State], player: str, seed: int, site: Site, tell: Told, warn: Warn
) -> list[float]:
    """In which share of the moves of every position something is lost, as a player sees it."""
    tasks = [(state, player, f"{seed} {k}") for k, state in enumerate(states)]
    return _do_all(weigh_one, tasks, site, tell, warn)


def _do_all(
    function: Callable[..., Any], tasks: Sequence[Any], site: Site, tell: Told, warn: Warn
) -> list[Any]:
    answers: dict[int, Any] = {}
    waiting = iter(enumerate(tasks))
    with site.hire(function, warn) as crew:
        while len(answers) < len(tasks):
            while crew.has_room and (task := next(waiting, None)) is not None:
                crew.start(task[0], *task[1])
            number, answer = crew.wait()
            answers[number] = answer
            tell(len(answers))
    return [answers[number] for number in range(len(tasks))]


def play_one(game: Game, specs: list[str], seed: str) -> tuple[int, list[int], int]:
    """The deal and the actions of a game, and who won it, or the number of seats for a draw."""
    dice = Random(seed)
    deal = dice.randrange(SEEDS)
    state, actions = game.initial(deal), []
    with invite(specs) as players:
        while state.to_move is not None:
            move = players[state.to_move].choose(state, dice.randrange(SEEDS))
            actions.append(int(move))
            state = state.play(move)
    return deal, actions, tell_outcome(state)


def weigh_one(state: State, spec: str, seed: str) -> float:
    """Which share of the moves cost something, after a look at where each leads."""
    dice, seat, values = Random(seed), state.to_move or 0, []
    with invite([spec]) as (player,):
        for after in list_followers(state):
            known = share_of(after, seat)
            if known is None:
                hoped = player.appraise(after, dice.randrange(SEEDS))[seat]
                known = chance(hoped, state.game.num_seats)
            values.append(known)
    return weigh(values)


class Searched:
    """Players of any kind; the weaker one also weighs choices."""

    def __init__(self, player: str, weaker: str, site: Site, warn: Warn) -> None:
        self.players = (player, weaker)
        self.settings = {"players": [player, weaker]}
        self._site, self._warn = site, warn

    def play(self, variant: Variant, seating: Any, seed: int, folder: Path, show: Show) -> Corpus:
        self._site.prepare(warm_up, variant.game)
        tell = _count(show, "games", len(seating))
        return play_all(variant.game, self.players, seating, seed, self._site, tell, self._warn)

    def weigh(
        self, variant: Variant, states: Sequence[State], seed: int, folder: Path, show: Show
    ) -> list[float]:
        tell = _count(show, "positions weighed", len(states))
        return weigh_all(states, self.players[1], seed, self._site, tell, self._warn)


def _count(show: Show, what: str, most: int) -> Told:
    return lambda done: show(f"{done:,} of {most:,} {what}")
