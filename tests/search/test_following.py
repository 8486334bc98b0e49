"""Trees that follow the game, and players that use them."""

from copy import deepcopy

import pytest
from hypothesis import given, settings

import skerry
from skerry.search import players, tree
from skerry.search.analysis import MoveAnalysis, Search
from skerry.search.tree import DEFAULT, NO_NODE, PLAIN, ROOT, Style
from support.strategies import states


def walk(grown: tree.Tree, node: int, other: tree.Tree, place: int) -> int:
    """Compare what two trees hold below two nodes; returns how many nodes that is."""
    ours, theirs = grown.nodes[node], other.nodes[place]
    for name in ("visits", "children", "seat", "proven", "judged"):
        assert ours[name] == theirs[name]
    assert (ours["total"] == theirs["total"]).all()
    assert (ours["outlook"] == theirs["outlook"]).all()
    if ours["known"]:
        assert ours["known"] - ours["first"] == theirs["known"] - theirs["first"]
    if ours["book"]:
        assert (grown.pool.books[ours["book"]] == other.pool.books[theirs["book"]]).all()
    count = 1
    for i in range(int(ours["children"])):
        mine, yours = int(ours["first"]) + i, int(theirs["first"]) + i
        assert grown.nodes[mine]["action"] == other.nodes[yours]["action"]
        assert grown.pool.appeal[mine] == other.pool.appeal[yours]
        count += walk(grown, mine, other, yours)
    return count


@given(states(longest=20))
@settings(max_examples=20)
def test_a_followed_tree_is_the_branch_it_was(state: skerry.State) -> None:
    if state.is_over:
        return
    search = Search(state, seed=5, nodes=50_000)
    best = search.run(simulations=200).best
    after = state.play(best)
    if after.is_over:
        return
    grown = search.trees[0]
    before = deepcopy(grown)
    child = tree.find_child(before, ROOT, int(best))
    assert child != NO_NODE
    if tree.follow(grown, after.raw, int(best)):
        assert walk(before, child, grown, ROOT) == grown.used
        assert grown.states[0] == after.raw
    else:
        assert before.nodes[child]["children"] == 0


@pytest.mark.parametrize("name", skerry.GAMES)
def test_starting_over_is_like_growing_a_new_tree(name: str) -> None:
    state = skerry.make(name).initial(3)
    used, fresh = (tree.grow(state.game, state.raw, 20_000, seed=4) for _ in range(2))
    tree.run(state.game, used, 1000)
    tree.start_over(used, state.raw, seed=4)
    for grown in (used, fresh):
        assert tree.run(state.game, grown, 500) == 500
    assert walk(used, ROOT, fresh, ROOT) == used.used == fresh.used


@pytest.mark.parametrize("name", skerry.GAMES)
def test_a_search_goes_on_after_a_move(name: str) -> None:
    state = skerry.make(name).initial(3)
    search = Search(state, seed=1, threads=2)
    found = search.run(simulations=2000)
    best = found.moves[0]
    search.follow(best.move)
    assert search.state == state.play(best.move)
    kept = search.visits
    assert 0 < kept <= best.visits
    again = search.run(simulations=100)
    assert again.simulations == 100
    assert search.visits == kept + 100
    assert {move.move for move in again.moves} == set(search.state.legal_moves())


def test_less_to_do_than_threads() -> None:
    """Where almost all is known already, some threads have nothing left to do."""
    search = Search(skerry.make("x", size=5).initial(), seed=1, threads=3)
    assert search.run(simulations=2).simulations == 2
    assert search.run(simulations=1).simulations == 1
    assert search.visits == 3


def test_a_full_pool_writes_no_books() -> None:
    state = skerry.make("x", size=5).initial()
    search = Search(state, seed=1, nodes=200)
    search.run(simulations=2000)
    grown = search.trees[0]
    expanded = int((grown.nodes[: grown.used]["children"] > 0).sum())
    assert grown.used > 100
    assert grown.work[0]["books_used"] == 1 + expanded


def test_a_move_that_was_never_tried_can_be_followed() -> None:
    state = skerry.make("x").initial()
    search = Search(state, seed=1)
    found = search.run(simulations=3)
    untried = found.moves[-1]
    assert untried.visits == 0
    search.follow(untried.move)
    assert search.visits == 0
    assert search.run(simulations=50).simulations == 50


def play_out(players: list[skerry.Player], state: skerry.State) -> list[str]:
    """A game in which everybody sees every move."""
    moves = []
    while state.to_move is not None:
        move = players[state.to_move].choose(state, seed=len(moves))
        for player in players:
            player.follow(state, move)
        moves.append(str(move))
        state = state.play(move)
    return moves


def test_players_who_are_shown_the_moves_repeat_themselves() -> None:
    game = skerry.make("skirt", side=3)
    first, second = (
        play_out([skerry.player("mcts:simulations=300") for _ in range(2)], game.initial())
        for _ in range(2)
    )
    assert first == second


def test_what_was_thought_before_counts_towards_the_simulations() -> None:
    state = skerry.make("skew", side=3, pegs=6).initial()
    player = skerry.player("mcts:simulations=500")
    for turn in range(4):
        move = player.choose(state, seed=turn)
        search = player._search
        assert search is not None
        assert search.visits == 500
        player.follow(state, move)
        state = state.play(move)


def test_plain_search_forgets() -> None:
    state = skerry.make("skew", side=3, pegs=6).initial()
    player = skerry.player("uct:simulations=500")
    move = player.choose(state, seed=1)
    player.follow(state, move)
    after = state.play(move)
    assert player.choose(after, seed=2) == skerry.player(player.name).choose(after, seed=2)


def test_a_player_who_missed_a_move_starts_anew() -> None:
    game = skerry.make("x", size=5)
    player = skerry.player("mcts:simulations=200")
    start = game.initial()
    player.follow(start, start.legal_moves()[0])  # before it has thought at all
    move = player.choose(start, seed=1)
    seen = start.play(move)
    elsewhere = seen.play(seen.legal_moves()[0])
    assert player.choose(elsewhere, seed=2) in elsewhere.legal_moves()
    player.follow(start, move)  # a game it is no longer in
    assert player.choose(elsewhere, seed=2) == skerry.player("mcts:simulations=200").choose(
        elsewhere, seed=2
    )


def test_players_of_the_same_name_share_no_memory() -> None:
    assert skerry.player("level:3") is not skerry.player("level:3")


def test_time_is_not_spent_on_what_is_decided() -> None:
    """Where one move wins at once there is nothing to think about."""
    state = skerry.make("x", size=2).initial()
    while len(state.legal_moves()) > 2:
        state = state.play(state.legal_moves()[0])
    move = skerry.player("mcts:seconds=600").choose(state, seed=1)  # would never return otherwise
    assert move in state.legal_moves()


def rated(*moves: tuple[int, float, bool]) -> skerry.Analysis:
    """What was found, from visits, a value for the first seat, and whether that is proven."""
    legal = skerry.make("skew").initial().legal_moves()
    candidates = tuple(
        MoveAnalysis(move, visits, (value, -value), proven, (move,))
        for move, (visits, value, proven) in zip(legal, moves, strict=False)
    )
    return skerry.Analysis((0.0, 0.0), False, legal[0], 1000, 1.0, candidates)


@pytest.mark.parametrize(
    ("moves", "decided"),
    [
        ([(900, 0.1, False), (100, 0.0, False)], True),
        ([(500, 0.1, False), (100, 0.0, False)], False),
        # The favourite is proven to lose: what was tried before no longer counts.
        ([(20, 0.1, False), (10, 0.0, False), (900, -1.0, True)], False),
        ([(20, 0.1, False), (900, -1.0, True)], True),  # all that is left
        ([(0, -1.0, True), (900, -1.0, True)], True),
        ([(20, 0.0, True), (20, 0.0, True), (900, -1.0, True)], True),  # nothing left to find out
    ],
)
def test_more_thought_is_spent_where_it_can_change_the_choice(
    moves: list[tuple[int, float, bool]], decided: bool
) -> None:
    assert players._decided(rated(*moves), 0, 500) == decided


@pytest.mark.parametrize("name", skerry.GAMES)
def test_plain_search_is_the_same_code_without_enhancements(name: str) -> None:
    state = skerry.make(name).initial(1)
    count = len(state.legal_moves())
    plain = skerry.analyse(state, simulations=count, style=PLAIN)
    assert [move.visits for move in plain.moves] == [1] * count  # all are tried before any twice
    searches = (skerry.analyse(state, simulations=500, style=style) for style in (PLAIN, DEFAULT))
    plain, known = ({str(move.move): move.visits for move in found.moves} for found in searches)
    assert plain != known


@pytest.mark.parametrize("style", [PLAIN, DEFAULT._replace(proofs=0.0)])
def test_a_search_without_proofs_proves_nothing(style: Style) -> None:
    state = skerry.make("x", size=2).initial().play("a1")
    found = skerry.analyse(state, simulations=200, style=style)
    assert not found.proven
    assert not any(move.proven for move in found.moves)
    assert found.simulations == 200
    assert skerry.analyse(state, simulations=200).proven


def test_judged_positions_are_not_proven_without_proofs_either() -> None:
    game = skerry.make("skaane", width=2, height=4, gods=1, kings=1, serfs=1, suns=1)
    state = game.position("1k/K1/2/2 w 0")
    found = skerry.analyse(state, simulations=500, style=DEFAULT._replace(proofs=0.0))
    assert found.simulations == 500
    assert not any(move.proven for move in found.moves)
    assert skerry.analyse(state, simulations=500).proven
