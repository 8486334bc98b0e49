"""The swap rule: even openings, honest decisions, and results that count the right player."""

from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

import skerry
from skerry.core.state import Move, State
from skerry.lab.contest.campaign import play_matches
from skerry.lab.contest.match import Match, play_game
from skerry.lab.contest.swap import CANDIDATES, open_game
from skerry.lab.contest.tournament import Tournament
from skerry.lab.stats.standings import standings
from skerry.records import load
from skerry.search.players import player

GAME = skerry.make("skew", side=3, pegs=8)
SKIRT = skerry.make("skirt", side=3)


@dataclass
class Judge:
    """A player who thinks of every position what it is told to."""

    opinions: list[float]
    name: str = "judge"
    threads: int = 1

    def __post_init__(self) -> None:
        self.asked: list[State] = []

    def appraise(self, state: State, seed: int | None = None) -> tuple[float, ...]:
        self.asked.append(state)
        value = self.opinions[len(self.asked) - 1]
        return value, -value

    def choose(self, state: State, seed: int | None = None) -> Move:
        raise AssertionError("nobody asked for a move")

    def follow(self, state: State, move: Move) -> None:
        raise AssertionError("nobody made a move")


@pytest.mark.parametrize(("opinion", "swapped"), [(0.01, True), (0.0, False), (-0.01, False)])
def test_the_most_even_opening_is_played_and_the_better_seat_taken(
    opinion: float, swapped: bool
) -> None:
    opinions = [0.9, -0.8, 0.5, 0.4, -0.6, -0.3, -0.1, 0.2, 0.3, 0.7, 1.0, -1.0]
    assert len(opinions) == CANDIDATES
    opener, other = Judge(opinions), Judge([opinion])
    moves, state, taken = open_game(GAME.initial(), [opener, other], Random(1))
    assert len(opener.asked) == CANDIDATES
    assert state == opener.asked[6] == GAME.initial().play(moves[0])
    assert other.asked == [state]
    assert taken is swapped


def test_an_opening_is_a_whole_turn() -> None:
    start = SKIRT.initial().play("b1")  # then a turn has two placements
    for seed in range(10):
        players = [Judge([0.0]), Judge([0.0] * CANDIDATES)]
        moves, state, _ = open_game(start, players, Random(seed))
        assert state == start.play(moves[0]).play(moves[1])
        assert (start.play(moves[0]).to_move, state.to_move) == (1, 0)


def test_a_deal_that_leaves_nothing_to_do_is_not_opened() -> None:
    game = skerry.make("skaane", width=2, height=4, gods=1, kings=1, serfs=1, suns=1)
    deals = (game.initial(seed) for seed in range(1000))
    start = next(state for state in deals if state.is_over)
    players = [player("level:1"), player("level:1")]
    moves, state, _ = open_game(start, players, Random(1))
    assert (moves, state) == ([], start)


def test_who_sees_everything_takes_the_seat_that_wins() -> None:
    """Search proves such small boards, and the solver proves them in another way."""
    strong = player("mcts:simulations=60000")
    seen = set()
    for seed in range(12):
        start = SKIRT.initial().play("b1")
        players = [strong, player("random")]
        _, state, taken = open_game(start, players, Random(seed))
        returns = skerry.solve(state).returns
        assert taken is (returns[1] > returns[0])
        seen.add(taken)
    assert seen == {True, False}


def test_the_same_match_plays_the_same_games() -> None:
    match = Match(GAME, ("level:2", "mcts:simulations=60"), 4, seed=2, swap=True)
    games = [play_game(match, block, seating) for block in range(3) for seating in range(2)]
    assert len({game.moves()[0] for game in games}) > 1
    again = [play_game(match, block, seating) for block in range(3) for seating in range(2)]
    assert again == games


@pytest.mark.usefixtures("in_this_process")
def test_results_count_who_sat_there_in_the_end(tmp_path: Path) -> None:
    match = Match(GAME, ("mcts:simulations=300", "level:1"), 12, seed=2, swap=True)
    (blocks,) = play_matches({tmp_path: match})
    made = dict.fromkeys(match.players, 0.0)
    swaps = 0
    for path in tmp_path.glob("*.skr"):
        (record,) = load(path)
        opener = match.seatings[int(record.headers["Round"].split(".")[1]) - 1][0]
        swaps += record.headers["Swap"] == "yes"
        assert (record.players[0] != opener) == (record.headers["Swap"] == "yes")
        outcome = record.states()[-1].outcome
        assert outcome is not None
        for name, value in zip(record.players, outcome.returns, strict=True):
            made[str(name)] += value
    assert 0 < swaps < 12
    for standing in standings(match, blocks):
        assert standing.points == pytest.approx(made[standing.player] / 12)
        assert standing.games == 12
    assert play_matches({tmp_path: match}) == [blocks]  # all of it is found again


def test_three_seats_have_no_swap() -> None:
    triangle = skerry.make("x", size=2)
    for contest in (Match, Tournament):
        with pytest.raises(skerry.OptionsError, match="X has 3 seats, but the swap rule needs two"):
            contest(triangle, ("random", "level:1"), 2, swap=True)
