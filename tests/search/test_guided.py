"""Search that a net guides: rules, proofs and bounds hold whatever the net thinks."""

from pathlib import Path

import numpy as np
import pytest

import skerry
from skerry.nets.file import write_net
from skerry.search.guided.search import GuidedSearch
from support.nets import has_win, play_until, random_net

SMALL = {
    "skew": {"side": 2, "pegs": 2},
    "skirt": {"side": 2},
    "x": {"size": 2},
    "skaane": {"width": 2, "height": 4, "gods": 1, "kings": 1, "serfs": 1, "suns": 1},
}


@pytest.mark.parametrize("name", skerry.GAMES)
def test_what_is_found_adds_up(name: str) -> None:
    game = skerry.make(name)
    state = play_until(game.initial(), 4)
    found = GuidedSearch(state, random_net(game), threads=2).run(200)
    assert found.simulations == 200
    assert sum(move.visits for move in found.moves) == 199  # the first looks at the root
    assert sum(move.prior for move in found.moves) == pytest.approx(1, abs=1e-5)
    assert sum(found.values) == pytest.approx(0, abs=1e-6)
    for move in found.moves:
        assert sum(move.values) == pytest.approx(0, abs=1e-6)
        assert all(-1 <= value <= 1 for value in move.values)
    assert found.pv[0] == found.best


@pytest.mark.parametrize("name", skerry.GAMES)
@pytest.mark.parametrize("threads", [1, 3])
def test_the_same_seed_gives_the_same_search(name: str, threads: int) -> None:
    game = skerry.make(name)
    state = play_until(game.initial(), 7)
    net = random_net(game)
    first, again, other = (GuidedSearch(state, net, seed, threads).run(300) for seed in (5, 5, 6))
    assert first.moves == again.moves
    assert first.moves != other.moves  # it looked at other images


@pytest.mark.parametrize("name", skerry.GAMES)
def test_a_search_proves_what_the_solver_says(name: str) -> None:
    game = skerry.make(name, **SMALL[name])
    net = random_net(game)
    proven = 0
    for seed in range(6):
        state = play_until(game.initial(seed=seed), 2 + seed, seed)
        found = GuidedSearch(state, net).run(3000)
        if found.proven:
            proven += 1
            solved = skerry.solve(state)
            assert found.values == pytest.approx(solved.returns)
    assert proven


@pytest.mark.parametrize("name", skerry.GAMES)
def test_one_look_takes_a_win_and_otherwise_what_the_net_likes(name: str) -> None:
    game = skerry.make(name, **SMALL[name]) if name in {"x", "skew"} else skerry.make(name)
    net = random_net(game)
    wins = likes = 0
    for seed in range(200):
        state = play_until(game.initial(seed=seed), 1000, seed)
        for position in (state, play_until(game.initial(seed=seed), seed % 10, seed)):
            found = GuidedSearch(position, net, seed).run(1)
            if has_win(position):
                assert found.moves[0].proven
                assert found.moves[0].values[position.turn] == 1
                wins += 1
            elif not any(move.proven for move in found.moves):
                assert found.moves[0].prior == max(move.prior for move in found.moves)
                likes += 1
        if wins >= 5 and likes >= 5:
            return
    pytest.fail(f"{wins} wins and {likes} others were met")


@pytest.mark.parametrize("name", skerry.GAMES)
def test_a_small_tree_forgets_and_goes_on(name: str) -> None:
    game = skerry.make(name)
    nodes = 8 * game.num_actions
    search = GuidedSearch(play_until(game.initial(), 3), random_net(game), nodes=nodes)
    found = search.run(2000)
    assert found.simulations == 2000
    assert search.trees[0].used <= nodes
    tiny = GuidedSearch(game.initial(), random_net(game), nodes=game.num_actions + 1)
    assert tiny.run(50).simulations == 50


def test_what_was_found_is_kept_when_the_game_goes_on() -> None:
    game = skerry.make("skirt", side=4)
    search = GuidedSearch(game.initial(), random_net(game), threads=2)
    found = search.run(600)
    search.follow(found.best)
    assert search.visits == found.moves[0].visits
    assert search.run(100).simulations == 100
    assert search.visits == found.moves[0].visits + 100


def test_leaves_in_flight_are_all_home_when_it_stops() -> None:
    game = skerry.make("skew")
    search = GuidedSearch(game.initial(), random_net(game), threads=3)
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    search.run(seconds=60, stop=stop)
    nodes = search.trees[0].nodes[: search.trees[0].used]
    assert set(nodes["judged"].tolist()) <= {0, 1}
    assert np.allclose(nodes["total"].sum(1), 0, atol=1e-6 * (1 + nodes["visits"].max()))


def test_players_with_a_net_of_ones_own(tmp_path: Path) -> None:
    game = skerry.make("x", size=3)
    path = tmp_path / "Mine.net"
    write_net(path, random_net(game))
    for how in ("looks=1", "simulations=20", "seconds=0.05,threads=2", "looks=1,temperature=1"):
        player = skerry.player(f"net:file={path},{how}")
        assert player.choose(game.initial(), seed=1) in game.initial().legal_moves()
        assert sum(player.appraise(game.initial(), seed=1)) == pytest.approx(0, abs=1e-6)
    drawn = {
        int(skerry.player(f"net:file={path},looks=1,temperature=2").choose(game.initial(), seed))
        for seed in range(20)
    }
    assert len(drawn) > 1
    with pytest.raises(skerry.OptionsError, match="a net for x, not for skirt"):
        skerry.player(f"net:file={path}").choose(skerry.make("skirt").initial())


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("net:looks=0", "'looks=0' is not understood"),
        ("net:looks=2,simulations=3", "either looks or simulations"),
        ("net:looks=2,seconds=3", "both simulations and seconds"),
        ("mcts:looks=2", "'looks=2' is not understood in 'mcts:looks=2'"),
        ("mcts:file=x.net", r"'file=x\.net' is not understood"),
        ("net:file=", "'file=' is not understood"),
        ("net:file=a,file=b", "sets 'file' twice"),
    ],
)
def test_wrong_nets_are_refused(spec: str, message: str) -> None:
    with pytest.raises(skerry.OptionsError, match=message):
        skerry.player(spec)


def test_a_search_that_was_interrupted_can_be_taken_up(monkeypatch: pytest.MonkeyPatch) -> None:
    game = skerry.make("skirt", side=4)
    search = GuidedSearch(game.initial(), random_net(game), threads=2)
    search.run(200)
    looks = 0

    def look(*_: object) -> None:
        nonlocal looks
        looks += 1
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(GuidedSearch, "_look", look)
        with pytest.raises(KeyboardInterrupt):
            search.run(200)
    assert looks
    found = search.run(200)
    assert found.simulations == 200
    assert set(search.trees[0].nodes[: search.trees[0].used]["judged"].tolist()) <= {0, 1}
