"""Games in bulk: rules and seatings hold, openings are kept, and files say what was played."""

from pathlib import Path

import numpy as np
import pytest

import skerry
from skerry.core.errors import OptionsError
from skerry.lab.corpus import NONE, Corpus, read_corpus, write_corpus
from skerry.nets.shipped import shipped_net
from skerry.train.bulk import Bulk, Contender, seat_all, unite_against
from skerry.train.forest import Forest
from skerry.train.recipe import BATCHES
from skerry.train.tree import Pact
from support.nets import random_net
from train.test_tree import NAMES, small

GAMES = 20


def play(game: skerry.Game, seed: int = 3) -> Corpus:
    """Games in which a net of one shape meets one of another, on all seats in turn."""
    contenders = [
        Contender(random_net(game), 4),
        Contender(random_net(game, seed=1), 2),
        Contender(random_net(game, channels=8), 2),
    ]
    seats = np.arange(game.num_seats)
    seating = (seats + np.arange(GAMES)[:, None]) % len(contenders)
    return Bulk(game, contenders, batch=8).play(seating.astype(np.int8), seed=seed)


@pytest.mark.parametrize("name", NAMES)
def test_games_are_played_by_the_rules_to_their_ends(name: str) -> None:
    played = play(small(name))
    assert len(played) == GAMES
    seats = played.game.num_seats
    for k in range(GAMES):
        *_, last = played.replay(k)
        assert last.outcome is not None
        winner = last.outcome.winner
        assert played.outcomes[k] == (seats if winner is None else winner)
        assert played.shares[k].sum() == pytest.approx(1)
    assert len({row.tobytes() for row in played.actions}) > 1
    assert np.array_equal(play(small(name)).actions, played.actions)


def test_where_a_game_ends_another_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BATCHES, "cpu", 2)
    game = small("skaane")  # whose games differ in length
    bulk = Bulk(game, [Contender(random_net(game), 2)], batch=6)
    assert bulk.sizes == [6, 2]
    sat: list[int] = []
    begin = Forest.begin
    monkeypatch.setattr(Forest, "begin", lambda me, seed: sat.append(me.batch) or begin(me, seed))
    heard: list[int] = []
    played = bulk.play(seat_all(2, 22), seed=2, tell=heard.append)
    assert sat == [6, 2]  # the last games are played in a smaller batch
    assert heard == sorted(heard)
    assert heard[-1] == len(played) == 22
    for k in range(22):
        *_, last = played.replay(k)
        assert last.is_over
    # In whole batches, each as long as its longest game, it would have taken more rounds.
    lengths = played.lengths
    assert len(heard) < sum(max(lengths[n : n + 6]) for n in range(0, 22, 6))


def test_whoever_has_a_seat_moves_there() -> None:
    game = small("skew")
    one, other = Contender(random_net(game), 4), Contender(random_net(game, seed=1), 4)
    seating = np.array([[0, 0], [1, 1], [0, 1]], np.int8)
    both = Bulk(game, [one, other], batch=3).play(seating, seed=5)
    alone = [Bulk(game, [each], batch=3).play(seat_all(2, 3), seed=5) for each in (one, other)]
    assert np.array_equal(both.actions[0], alone[0].actions[0])
    assert np.array_equal(both.actions[1], alone[1].actions[1])
    assert both.actions[2, 0] == alone[0].actions[2, 0]
    assert not np.array_equal(both.actions[2], alone[0].actions[2])


@pytest.mark.parametrize("name", ["x", "skaane"])
def test_games_begin_with_their_openings(name: str) -> None:
    game = small(name)
    first = play(game)
    openings = [row[:2].tolist() for row in first.actions]
    bulk = Bulk(game, [Contender(random_net(game), 2)], batch=8)
    # The same seed deals the same games.
    after = bulk.play(seat_all(game.num_seats, GAMES), openings, seed=3)
    assert np.array_equal(after.actions[:, :2], first.actions[:, :2])
    for k in range(GAMES):
        *_, last = after.replay(k)
        assert last.is_over
    with pytest.raises(OptionsError, match="20 games, but 1 openings"):
        bulk.play(seat_all(game.num_seats, GAMES), openings[:1])


def test_games_that_are_over_before_they_begin_are_told() -> None:
    game = small("x")
    played = play(game)
    whole = [row[row != NONE].tolist() for row in played.actions]
    bulk = Bulk(game, [Contender(random_net(game), 2)], batch=8)
    again = bulk.play(seat_all(game.num_seats, GAMES), whole, seed=3)
    assert np.array_equal(again.actions, played.actions)
    assert np.array_equal(again.outcomes, played.outcomes)


def test_a_file_says_what_was_played(tmp_path: Path) -> None:
    played, path = play(small("x")), tmp_path / "deep" / "x.npz"
    write_corpus(path, played)
    read = read_corpus(path)
    assert read.game == played.game
    assert read.card == played.card
    assert [each["simulations"] for each in read.card["players"]] == [4, 2, 2]
    for name in ("seeds", "actions", "outcomes", "seating"):
        assert np.array_equal(getattr(read, name), getattr(played, name))
    assert np.array_equal(read.lengths, (played.actions != NONE).sum(1))


def test_what_is_no_corpus_is_refused_in_a_line(tmp_path: Path) -> None:
    played, path = play(small("x")), tmp_path / "x.npz"
    write_corpus(path, played)
    whole = path.read_bytes()
    path.write_bytes(whole[:-40])
    with pytest.raises(OptionsError, match="no corpus of games"):
        read_corpus(path)
    path.write_bytes(b"something else")
    with pytest.raises(OptionsError, match="no corpus of games"):
        read_corpus(path)
    played.outcomes[0] = 7
    write_corpus(path, played)
    with pytest.raises(OptionsError, match="no corpus of games of X"):
        read_corpus(path)


@pytest.mark.soak
@pytest.mark.parametrize(("games", "simulations"), [(32, 8), (96, 16)])
def test_two_who_play_together_win_more(games: int, simulations: int) -> None:
    game = skerry.make("x", size=4)
    net = shipped_net(game)

    def play_by(pact: Pact) -> Corpus:
        bulk = Bulk(game, [Contender(net, simulations, pact)], batch=games)
        return bulk.play(seat_all(3, games), seed=1)

    usual, secret = play_by(Pact()), play_by(unite_against(game, "Green", is_known=False))
    assert secret.card["players"][0]["pact"] == ["Red", "Yellow"]
    assert secret.card["players"][0]["witting"] == ["Red", "Yellow"]
    assert "pact" not in usual.card["players"][0]
    assert secret.shares[:, 2].mean() < usual.shares[:, 2].mean() - 0.1
    # A pact that nobody knows of changes nothing.
    unknown = play_by(Pact(seats=0b101))
    assert np.array_equal(unknown.actions, usual.actions)


def test_a_pact_is_of_seats_that_there_are() -> None:
    game = skerry.make("x", size=4)
    assert unite_against(game, "red", is_known=True) == Pact(0b110, 0b111)
    with pytest.raises(OptionsError, match="there is no seat blue; X has Red, Yellow, Green"):
        unite_against(game, "blue", is_known=False)
    with pytest.raises(OptionsError, match="Skew has 2 seats: nobody can play together"):
        unite_against(skerry.make("skew"), "First", is_known=False)
