"""Games kept in a folder: what counts, what does not, and what is somebody else's."""

from pathlib import Path

import pytest

import skerry
from skerry.core.levels import Level
from skerry.lab.contest.gamefolder import GameFolder
from skerry.lab.contest.match import Match, play_game
from skerry.lab.stats.results import Played
from skerry.records import load, save

SMALL = skerry.make("skew", side=2, pegs=2)
MATCH = Match(SMALL, ("random", "level:1"), 4)


@pytest.fixture
def store(tmp_path: Path) -> GameFolder:
    store = GameFolder(tmp_path / "games", MATCH)
    store.save(0, 1, play_game(MATCH, 0, 1))
    return store


def test_what_is_kept_is_found_again(store: GameFolder) -> None:
    (record,) = load(store.path(0, 1))
    outcome = record.states()[-1].outcome
    assert outcome is not None
    assert store.find(0, 1) == Played(("level:1", "random"), outcome.returns)
    assert store.find(0, 0) is None
    assert record == play_game(MATCH, 0, 1)


def test_half_a_file_does_not_count(store: GameFolder) -> None:
    """Whatever length a file was cut to, the game is played again and the rest is set aside."""
    path = store.path(0, 1)
    content = path.read_bytes()
    for length in [0, 10, len(content) // 2, len(content) - 4]:
        path.write_bytes(content[:length])
        assert store.find(0, 1) is None, length
        assert not path.exists()
        assert (path.parent / f"{path.name}.damaged").read_bytes() == content[:length]
    path.write_bytes(b"\xff" + content)
    assert store.find(0, 1) is None


def test_an_unfinished_game_does_not_count(store: GameFolder) -> None:
    whole = play_game(MATCH, 0, 0)
    part = skerry.records.Record.from_moves(
        SMALL, whole.start, whole.moves()[:-1], dict(whole.headers)
    )
    save(store.path(0, 0), part)
    assert store.find(0, 0) is None
    with pytest.raises(skerry.RecordError, match="only finished games"):
        store.save(0, 0, part)
    assert not store.path(0, 0).exists()


@pytest.mark.parametrize(
    "other",
    [
        Match(skerry.make("skew", side=2, pegs=1), ("random", "level:1"), 4),
        Match(SMALL, ("random", "level:2"), 4),
        Match(SMALL, ("level:1", "random"), 4),
        Match(SMALL, ("random", "level:1"), 4, seed=1),
        Match(SMALL, ("random", "level:1"), 4, opening=1),
        Match(SMALL, ("random", "level:1"), 4, swap=True),
    ],
)
def test_games_of_another_match_are_not_mixed_in(store: GameFolder, other: Match) -> None:
    content = store.path(0, 1).read_bytes()
    with pytest.raises(skerry.RecordError, match=r"round 1\.2 in .*games belongs to another match"):
        GameFolder(store.folder, other).find(0, 1)
    assert store.path(0, 1).read_bytes() == content


def test_games_of_former_levels_are_not_mixed_in(
    store: GameFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    former = (Level(7), *SMALL.levels[1:])
    monkeypatch.setattr(type(SMALL), "levels", former)
    with pytest.raises(skerry.RecordError, match=r"former levels"):
        store.find(0, 1)
    unrated = Match(SMALL, ("random", "mcts:simulations=1"), 2)
    assert "Levels" not in play_game(unrated, 0, 0).headers


def test_a_longer_match_takes_up_a_shorter_one(store: GameFolder) -> None:
    longer = Match(SMALL, MATCH.players, 400)
    assert GameFolder(store.folder, longer).find(0, 1) is not None


def test_after_a_swap_the_players_count_where_they_sat(tmp_path: Path) -> None:
    match = Match(SMALL, ("random", "mcts:simulations=20"), 8, swap=True)
    store = GameFolder(tmp_path, match)
    records = [play_game(match, block, 0) for block in range(8)]
    assert {record.headers["Swap"] for record in records} == {"yes", "no"}
    for block, record in enumerate(records):
        played = store.save(block, 0, record)
        first, second = match.seatings[0]
        swapped = record.headers["Swap"] == "yes"
        assert played.players == ((second, first) if swapped else (first, second))
        assert played.players == record.players
        assert store.find(block, 0) == played
    with pytest.raises(skerry.RecordError, match="belongs to another match"):
        GameFolder(tmp_path, Match(SMALL, match.players, 8)).find(0, 0)
