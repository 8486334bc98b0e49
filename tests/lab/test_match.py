"""Matches: fair seatings, and the same games for the same match."""

from collections import Counter
from math import inf
from random import Random

import pytest

import skerry
from skerry.lab.contest import match as match_module
from skerry.lab.contest.match import Match, most_threads, play_game
from skerry.lab.stats.results import Block, Played, estimate
from skerry.lab.stats.standings import standings
from skerry.search.warmup import warm_up

SMALL = skerry.make("skew", side=2, pegs=2)


def test_every_player_takes_every_seat_equally_often() -> None:
    for game, players in [
        (SMALL, ("random", "level:1")),
        (skerry.make("x", size=2), ("random", "level:1")),
        (skerry.make("x", size=2), ("random", "level:1", "level:2")),
    ]:
        seatings = Match(game, players, 1).seatings
        for seat in range(game.num_seats):
            taken = Counter(seating[seat] for seating in seatings)
            assert taken == dict.fromkeys(players, len(seatings) // len(players))


def test_a_first_deal_without_a_move_keeps_nobody_from_playing() -> None:
    few = {"gods": 2, "kings": 2, "serfs": 2, "suns": 0}
    game = skerry.make("skaane", width=3, height=4, **few)
    assert game.initial(0).is_over
    warm_up(game)


def test_a_block_shares_its_opening() -> None:
    match = Match(skerry.make("skaane"), ("random", "mcts:simulations=1"), 2, seed=5, opening=3)
    first, second = (play_game(match, 0, seating) for seating in range(2))
    assert first.start == second.start
    assert first.moves()[:6] == second.moves()[:6]
    assert first.headers["Light"] == second.headers["Dark"] == "random"
    other = play_game(match, 1, 0)
    assert other.start != first.start
    assert play_game(match, 0, 0) == first


@pytest.mark.parametrize(
    ("game", "opening", "plies"),
    [
        (skerry.make("x", size=3), 2, {6}),
        (skerry.make("skirt", side=2), 3, {6}),  # one random game in six is longer
        (SMALL, 2, {2}),  # four plies are all there are
        pytest.param(SMALL, 1000, {3}, marks=pytest.mark.soak),
        (SMALL, 0, {0}),
    ],
)
def test_an_opening_leaves_something_to_play_for(
    game: skerry.Game, opening: int, plies: set[int]
) -> None:
    found = set()
    for seed in range(20):
        match = Match(game, ("random", "level:1"), 2, seed, opening)
        line = match_module._open_at_random(match, game.initial(seed), Random(seed))
        assert not line.state.is_over
        found.add(line.plies)
    assert found == plies


def block(*returns: tuple[float, float]) -> Block:
    """A block of a match between random and level:1."""
    seatings = Match(SMALL, ("random", "level:1"), 2).seatings
    return tuple(Played(*game) for game in zip(seatings, returns, strict=True))


def test_standings_by_hand() -> None:
    blocks = [block((1.0, -1.0), (1.0, -1.0)), block((-1.0, 1.0), (1.0, -1.0))]
    first, second = standings(Match(SMALL, ("random", "level:1"), 4), blocks)
    # Block 1: a win and a loss, 0 points; block 2: two losses, -1 point.
    assert first.points == -0.5
    assert second.points == 0.5
    assert first.margin == pytest.approx(1.96 * 0.5)
    assert first.games == 4
    # 3 of 4 games and one virtual draw: 3.5 to 1.5.
    assert second.elo == pytest.approx(147.19, abs=0.01)
    assert first.elo == pytest.approx(-147.19, abs=0.01)
    assert first.elo_low + second.elo_high == pytest.approx(0)


def test_an_estimate_needs_two_values_for_a_margin() -> None:
    assert estimate([0.5]) == (0.5, inf)
    assert estimate([0.0, 1.0]) == (0.5, pytest.approx(0.98))


def test_threads_of_players_are_known() -> None:
    assert most_threads(("random", "mcts:simulations=10")) == 1
    assert most_threads(("random", "mcts:seconds=1,threads=3", "level:1")) == 3


@pytest.mark.parametrize(
    ("players", "complaint"),
    [
        (("random",), "name 2 players"),
        (("random", "level:1", "level:2"), "name 2 players"),
        (("random", "random"), "every player only once"),
        (("random", "nobody"), "there is no player 'nobody'"),
    ],
)
def test_wrong_players_are_refused(players: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(skerry.OptionsError, match=complaint):
        Match(SMALL, players, 2)
