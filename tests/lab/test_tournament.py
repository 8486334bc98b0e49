"""Tournaments: who meets whom, kept games, tables."""

from pathlib import Path

import pytest

import skerry
from skerry.lab.contest.campaign import play_matches
from skerry.lab.contest.match import Match
from skerry.lab.contest.schedule import Decided, Precise
from skerry.lab.contest.tournament import Tournament, folders, tabulate
from skerry.lab.stats.results import Block, Played
from skerry.lab.work.executor import Cores, Site
from support.working import InThisProcess

SMALL = skerry.make("skew", side=2, pegs=2)
HERE = InThisProcess()
FOUR = ("random", "level:1", "level:2", "mcts:simulations=50")


def names(tournament: Tournament) -> list[tuple[str, ...]]:
    return [match.players for match in tournament.pairings]


def test_everybody_meets_everybody_or_neighbours() -> None:
    everybody = Tournament(SMALL, FOUR, 2)
    assert len(names(everybody)) == len({frozenset(pair) for pair in names(everybody)}) == 6
    assert names(Tournament(SMALL, FOUR, 2, reach=1)) == [
        ("level:1", "random"),
        ("level:1", "level:2"),
        ("level:2", "mcts:simulations=50"),
    ]
    assert len(names(Tournament(SMALL, FOUR, 2, reach=2))) == 5
    assert names(Tournament(SMALL, FOUR, 2, reach=99)) == names(everybody)


def test_pairs_have_openings_of_their_own_whoever_else_plays() -> None:
    whole = {match.players: match for match in Tournament(SMALL, FOUR, 2, seed=3).pairings}
    part = Tournament(SMALL, FOUR[1::-1], 2, seed=3).pairings
    assert part == (whole["level:1", "random"],)
    assert len({match.seed for match in whole.values()}) == 6
    assert Tournament(SMALL, FOUR[:2], 2, seed=4).pairings[0].seed != part[0].seed


def test_in_three_seats_pairs_sit_in_all_ways() -> None:
    (match,) = Tournament(skerry.make("x", size=2), ("random", "level:1"), 6).pairings
    assert len(match.seatings) == 6


@pytest.mark.parametrize(
    ("players", "reach", "complaint"),
    [
        (("random",), None, "at least 2 players"),
        (("random", "level:1", "random"), None, "every player only once"),
        (("level:1", "LEVEL:1"), None, "every player only once"),
        (("random", "level:11"), None, "there is no player 'level:11'"),
        (("random", "level:1"), 0, "reach must be at least 1"),
    ],
)
def test_what_cannot_be_played_is_refused(
    players: tuple[str, ...], reach: int | None, complaint: str
) -> None:
    with pytest.raises(skerry.OptionsError, match=complaint):
        Tournament(SMALL, players, 2, reach=reach)


def test_folders_are_readable_and_apart() -> None:
    weights = ("exploration", "amaf", "judgement", "patience", "foresight", "whim", "proofs")
    long = (
        ",".join(["mcts:simulations=1", *(f"{name}=0.100000" for name in weights)]) + ",threads=1"
    )
    players = ("level:1", "mcts:simulations=1", "MCTS:simulations=2", long, f"{long}0")
    made = folders(Tournament(SMALL, players, 2), Path("games"))
    assert len(made) == 10
    assert Path("games/level-1 - mcts-simulations=1") in made
    assert max(len(path.name) for path in made) < 200


def test_a_tournament_goes_on_where_it_was(tmp_path: Path) -> None:
    chosen = folders(Tournament(SMALL, FOUR[:3], 4, seed=1), tmp_path)
    told: list[tuple[int, int]] = []
    whole = play_matches(chosen, HERE, tell=lambda *news: told.append(news))
    assert told[0] == (0, 12)
    assert told[-1] == (12, 12)
    files = sorted(tmp_path.glob("*/*.skr"))
    kept = {file: file.read_text() for file in files}
    assert len(files) == 12
    for file in files[:5]:
        file.unlink()
    told.clear()
    assert play_matches(chosen, HERE, tell=lambda *news: told.append(news)) == whole
    assert [done for done, _ in told] == [7, 8, 9, 10, 11, 12]
    assert {file: file.read_text() for file in sorted(tmp_path.glob("*/*.skr"))} == kept


def test_early_games_cover_all_pairs(tmp_path: Path) -> None:
    chosen = folders(Tournament(SMALL, FOUR, 20), tmp_path)

    class Enough(Exception):
        pass

    def stop(done: int, total: int) -> None:
        if done == 12:
            raise Enough

    with pytest.raises(Enough):
        play_matches(chosen, HERE, tell=stop)
    assert {len(list(folder.glob("*.skr"))) for folder in chosen} == {2}


@pytest.mark.parametrize(
    ("goal", "players", "site"),
    [
        (Precise(150.0), FOUR[:3], HERE),
        pytest.param(Precise(150.0), FOUR[:3], Cores(2), marks=pytest.mark.soak),
        pytest.param(
            Decided(), ("random", "mcts:simulations=300"), Cores(2), marks=pytest.mark.soak
        ),
    ],
)
def test_goals_do_not_depend_on_cores_or_interruptions(
    tmp_path: Path, goal: Precise | Decided, players: tuple[str, ...], site: Site
) -> None:
    tournament = Tournament(skerry.make("skew", side=3, pegs=8), players, 60)
    chosen = folders(tournament, tmp_path)
    whole = play_matches(chosen, site, goal=goal, least=4)
    games = sum(len(block) for blocks in whole for block in blocks)
    assert games < 60 * len(chosen)
    files = sorted(tmp_path.glob("*/*.skr"))
    assert len(files) == games
    # As if killed in the middle of a round.
    for file in files[::3]:
        file.unlink()
    assert play_matches(chosen, HERE, goal=goal, least=4) == whole
    assert sorted(tmp_path.glob("*/*.skr")) == files


def won(players: tuple[str, str], *wins: bool) -> list[Block]:
    returns = ((1.0, -1.0) if win else (-1.0, 1.0) for win in wins)
    return [(Played(players, made),) for made in returns]


def test_a_table_by_hand() -> None:
    results = [
        won(("a", "b"), *[True] * 30, *[False] * 10),
        [*won(("b", "c"), *[True, False, True] * 10), (Played(("c", "b"), (0.0, 0.0)),) * 2],
    ]
    table = tabulate(("c", "b", "a"), results, anchor="c", at=100)
    assert [place.player for place in table.places] == ["a", "b", "c"]
    assert [place.won for place in table.places] == [30, 31, 11]
    assert [place.games for place in table.places] == [40, 72, 32]
    assert table.places[2].elo == 100
    assert table.games == 72
    first, second = table.meetings
    assert (first.player, first.other, first.won, first.games) == ("a", "b", 30, 40)
    assert (second.player, second.other, second.won, second.games) == ("b", "c", 21, 32)
    assert first.elo == pytest.approx(table.places[0].elo - table.places[1].elo)
    assert second.margin == pytest.approx(table.places[1].margin)
    assert [meeting.better for meeting in table.meetings] == ["a", None]


@pytest.mark.usefixtures("in_this_process")
def test_a_match_is_a_campaign_of_its_own(tmp_path: Path) -> None:
    match = Match(SMALL, ("random", "mcts:simulations=50"), 3, seed=2)
    ((first, second),) = play_matches({tmp_path: match})
    assert [game.players for game in first] == list(match.seatings)
    assert len(first) == len(second) == 2
    assert len(list(tmp_path.glob("game-*.skr"))) == 4
