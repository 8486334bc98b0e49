"""Matches: fair seatings, kept games, resumed runs, honest intervals."""

from math import inf
from pathlib import Path

import pytest

import skerry
from skerry.lab.match import Match, elo, estimate, play_game, run, standings
from skerry.records import load

SMALL = skerry.make("skew", side=2, pegs=2)


def silent(done: int, total: int) -> None:
    pass


def test_every_player_takes_every_seat_equally_often() -> None:
    for game, players in [
        (SMALL, ("random", "level:1")),
        (skerry.make("x", size=2), ("random", "level:1")),
        (skerry.make("x", size=2), ("random", "level:1", "level:2")),
    ]:
        seatings = Match(game, players, 1).seatings
        for seat in range(game.num_seats):
            taken = [seating[seat] for seating in seatings]
            assert {taken.count(number) for number in range(len(players))} == {
                len(seatings) // len(players)
            }


def test_a_block_shares_its_opening() -> None:
    match = Match(skerry.make("skaane"), ("random", "mcts:simulations=1"), 2, seed=5, opening=3)
    first, second = (play_game(match, 0, seating) for seating in range(2))
    assert first.start == second.start
    assert first.moves()[:6] == second.moves()[:6]
    assert first.headers["Light"] == second.headers["Dark"] == "random"
    other = play_game(match, 1, 0)
    assert other.start != first.start
    assert play_game(match, 0, 0) == first


def test_a_match_goes_on_where_it_was(tmp_path: Path) -> None:
    match = Match(SMALL, ("mcts:simulations=100", "random"), 12, seed=1)
    told: list[tuple[int, int]] = []
    whole = run(match, tmp_path / "a", 2, lambda done, total: told.append((done, total)))
    assert told[0] == (0, 12)
    assert told[-1] == (12, 12)
    files = sorted((tmp_path / "a").glob("*.skr"))
    assert len(files) == 12
    kept = {file.name: file.read_text() for file in files}
    for file in files[:5]:
        file.unlink()
    told.clear()
    assert run(match, tmp_path / "a", 1, lambda done, total: told.append((done, total))) == whole
    assert told[0] == (7, 12)
    assert {file.name: file.read_text() for file in (tmp_path / "a").glob("*.skr")} == kept
    assert all(load(file)[0].game == SMALL for file in files)


def test_games_of_another_match_are_not_mixed_in(tmp_path: Path) -> None:
    run(Match(SMALL, ("random", "level:1"), 2), tmp_path, 1, silent)
    for other in (
        Match(skerry.make("skew", side=2, pegs=1), ("random", "level:1"), 2),
        Match(SMALL, ("random", "level:2"), 2),
        Match(SMALL, ("random", "level:1"), 2, seed=1),
    ):
        with pytest.raises(skerry.RecordError, match="another match"):
            run(other, tmp_path, 1, silent)


def test_standings_by_hand() -> None:
    match = Match(SMALL, ("random", "level:1"), 4)
    done = {(0, 0): (1.0, -1.0), (0, 1): (1.0, -1.0), (1, 0): (-1.0, 1.0), (1, 1): (1.0, -1.0)}
    first, second = standings(match, done)
    # Block 1: a win and a loss, 0 points; block 2: two losses, -1 point.
    assert first.points == -0.5
    assert second.points == 0.5
    assert first.margin == pytest.approx(1.96 * 0.5)
    assert second.elo == pytest.approx(190.85, abs=0.01)
    assert first.elo == pytest.approx(-190.85, abs=0.01)


def test_estimates_and_elo_at_the_ends() -> None:
    assert estimate([0.5]) == (0.5, inf)
    assert elo(1.0) == inf
    assert elo(-1.0) == -inf
    assert elo(0.0) == 0


@pytest.mark.parametrize(
    ("players", "complaint"),
    [
        (("random",), "name 2 to that many players"),
        (("random", "level:1", "level:2"), "name 2 to that many players"),
        (("random", "random"), "every player once"),
        (("random", "nobody"), "there is no player 'nobody'"),
    ],
)
def test_wrong_players_are_refused(players: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(skerry.OptionsError, match=complaint):
        Match(SMALL, players, 2)
