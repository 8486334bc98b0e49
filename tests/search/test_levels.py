"""Levels: what games say of them, and that the weakest still see what is in front of them."""

import pytest

import skerry
from search.test_guided import has_win, play_until
from skerry.core.levels import PLAIN_LEVELS
from skerry.nets.shipped import shipped_net
from skerry.search import warmup
from skerry.search.engine import best_net, judging_net
from skerry.search.players import LEVELS, TOP_SECONDS, TOP_THREADS, LevelPlayer, NetPlayer


@pytest.mark.parametrize("name", skerry.GAMES)
def test_every_level_is_another_that_can_be_had(name: str) -> None:
    game = skerry.make(name)
    assert len(game.levels) == len(PLAIN_LEVELS) == len(LEVELS)
    assert len(set(game.levels)) == len(LEVELS)
    for number, level in zip(LEVELS, game.levels, strict=True):
        player = LevelPlayer(number)._make_player(game)
        assert isinstance(player, NetPlayer)
        assert player.net_for(game) is shipped_net(game, str(level.net))
        assert (level.simulations is None) == (number == LEVELS[-1])


def test_only_the_last_level_goes_by_the_clock() -> None:
    game = skerry.make("x")
    top, below = (LevelPlayer(number)._make_player(game) for number in LEVELS[-1:-3:-1])
    assert (top.seconds, top.threads) == (TOP_SECONDS, TOP_THREADS)
    assert (below.seconds, below.threads) == (None, 1)


@pytest.mark.parametrize("name", ["skirt", "x", "skaane"])  # Skew goes on until nobody can move
def test_the_weakest_play_a_win_in_one(name: str) -> None:
    game = skerry.make(name)
    won = 0
    for seed in range(40):
        state, plies = play_until(game.initial(seed), 10, seed), 10
        while not has_win(state):
            further = play_until(state, 1, seed + plies)
            plies += 1
            if further == state:  # only an end is left, and that wins for nobody who moves
                break
            state = further
        else:
            seat, level = state.to_move, skerry.player("level:1")
            while state.to_move == seat:  # in Skirt a turn may go on, and win all the same
                state = state.play(level.choose(state, seed))
            assert state.outcome is not None
            assert state.outcome.winner == seat
            won += 1
        if won == 5:
            return
    pytest.fail("hardly anybody could win")


@pytest.mark.parametrize("name", skerry.GAMES)
def test_all_searches_that_people_wait_for_are_made_ready(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, asked = skerry.make(name), []
    monkeypatch.setattr(warmup, "analyse", lambda *_, net, **__: asked.append(net))
    warmup.warm_up(game)
    for level in game.levels:
        assert shipped_net(game, str(level.net)) in asked
    assert best_net(game) in asked, "the one that analyses positions"
    assert judging_net(game) in asked, "the one that reviews games"
