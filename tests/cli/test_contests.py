"""Matches and tournaments from the command line: kept games, killed processes, clear refusals."""

import json
import os
import re
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import DEVNULL, Popen
from time import sleep

import pytest

import skerry
from skerry.cli.common.contest import prepare_site
from support.running import complaints, run, start, watch

SMALL = ["-o", "side=2", "-o", "pegs=2", "--jobs", "1"]
TOURNAMENT = ["tournament", "skew", "random", "level:1", "level:2", *SMALL]


def games_in(folder: Path) -> dict[Path, tuple[str, int]]:
    """Every kept game, and when its file was written."""
    return {
        file: (file.read_text("utf-8"), file.stat().st_mtime_ns) for file in folder.rglob("*.skr")
    }


@pytest.mark.usefixtures("in_this_process")
def test_a_match(tmp_path: Path) -> None:
    arguments = ["match", "skew", "random", "level:1", *SMALL, "--games", "6", "--out"]
    result = run(*arguments, str(tmp_path))
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert re.fullmatch(r"random   [+-]\d\.\d{3} ± \d\.\d{3} a game  Elo [+-]\d+ \(.*\)", lines[0])
    assert lines[2] == "6 games; ± and brackets are 95 % intervals"
    assert len(games_in(tmp_path)) == 6
    first, second = json.loads(run(*arguments, str(tmp_path), "--json").stdout)
    assert first["player"] == "random"
    assert first["elo"] == pytest.approx(-second["elo"])
    assert first["points"] == pytest.approx(-second["points"])


@pytest.mark.parametrize(
    ("players", "needed"),
    [
        (["random", "cmd:./level:1", "mctsbots:First"], "warm_up_rules"),
        (["random", "Level:1"], "warm_up"),
        (["random", "uct:seconds=1"], "warm_up"),
    ],
)
def test_the_search_is_compiled_for_those_who_use_it(players: list[str], needed: str) -> None:
    class Told:
        def prepare(self, function: Callable[..., object], *_: object) -> None:
            self.needed = function.__name__

    site = Told()
    prepare_site(site, skerry.make("skew", side=2, pegs=2), players)  # type: ignore[arg-type]
    assert site.needed == needed


@pytest.mark.usefixtures("in_this_process")
def test_a_match_with_a_swap_rule(tmp_path: Path) -> None:
    arguments = ["match", "skew", "random", "level:1", *SMALL, "--games", "6", "--swap", "--out"]
    result = run(*arguments, str(tmp_path))
    assert result.exit_code == 0
    games = games_in(tmp_path)
    assert len(games) == 6
    assert all('[Swap "yes"]' in text or '[Swap "no"]' in text for text, _ in games.values())
    assert run(*arguments, str(tmp_path)).stdout == result.stdout
    assert games_in(tmp_path) == games


@pytest.mark.usefixtures("in_this_process")
def test_two_players_in_a_game_of_three_have_elo_too(tmp_path: Path) -> None:
    arguments = ["match", "x", "random", "level:1", "-o", "size=2", "--games", "6"]
    result = run(*arguments, "--jobs", "1", "--out", str(tmp_path), "--json")
    first, second = json.loads(result.stdout)
    assert first["elo"] == pytest.approx(-second["elo"])
    assert first["margin"] is None  # of one block nobody knows


@pytest.mark.usefixtures("in_this_process")
def test_a_decided_match_says_so(tmp_path: Path) -> None:
    arguments = ["match", "skew", "random", "mcts:simulations=300", "-o", "side=3"]
    goal = ["--games", "200", "--until", "decided", "--least", "10"]
    result = run(*arguments, *goal, "--out", str(tmp_path))
    assert result.stdout.splitlines()[-1] == "decided: mcts:simulations=300 is better than random"
    assert len(games_in(tmp_path)) < 200


@pytest.mark.usefixtures("in_this_process")
def test_a_tournament(tmp_path: Path) -> None:
    arguments = [*TOURNAMENT, "--games", "4", "--anchor", "random=50", "--reach", "1", "--out"]
    result = run(*arguments, str(tmp_path))
    assert result.exit_code == 0
    assert complaints(result.stderr) == []
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["player", "Elo", "won", "games"]
    assert any(re.match(r" +\d random +\+50 fixed ", line) for line in lines)
    assert lines[-1] == "8 games; ± are 95 % intervals"
    table = json.loads(run(*arguments, str(tmp_path), "--json").stdout)
    assert {place["player"]: place["games"] for place in table["places"]} == {
        "random": 4,
        "level:1": 8,
        "level:2": 4,
    }
    assert sum(place["won"] for place in table["places"]) == 8
    for meeting in table["meetings"]:
        row = next(line for line in lines if re.match(rf" +\d {meeting['player']} .*/", line))
        assert f" {meeting['won']:g}/4" in row


@pytest.mark.usefixtures("in_this_process")
def test_a_tournament_of_rounds(tmp_path: Path) -> None:
    """A Swiss, then a knock-out and all the pairs from the same folder: the same games as ever."""
    players = ["random", "level:1", "level:2", "mcts:simulations=9"]
    arguments = ["tournament", "skew", *players, *SMALL, "--games", "4", "--out", str(tmp_path)]
    swiss = [*arguments, "--system", "swiss", "--rounds", "2"]
    result = run(*swiss)
    assert result.exit_code == 0
    assert complaints(result.stderr) == []
    assert "ties are decided by Buchholz, Sonneborn-Berger" in result.stdout.splitlines()[-1]
    kept = games_in(tmp_path)
    assert len(kept) == 16
    told = json.loads(run(*swiss, "--json").stdout)
    assert games_in(tmp_path) == kept
    assert sum(standing["points"] for standing in told["standings"]) == 4
    pairs = [sorted(bout["players"]) for one in told["rounds"] for bout in one["bouts"]]
    assert len({tuple(pair) for pair in pairs}) == 4
    for bout, pair in zip((b for one in told["rounds"] for b in one["bouts"]), pairs, strict=True):
        meeting = next(m for m in told["meetings"] if sorted((m["player"], m["other"])) == pair)
        won = {meeting["player"]: meeting["won"], meeting["other"]: 4 - meeting["won"]}
        best = [name for name in pair if won[name] == max(won.values())]
        assert sorted(bout["players"][seat] for seat in bout["winners"]) == best
    cup = json.loads(run(*arguments, "--system", "knockout", "--json").stdout)
    assert [standing["reached"] for standing in cup["standings"]] == [2, 1, 0, 0]
    assert run(*arguments).exit_code == 0
    assert kept.items() <= games_in(tmp_path).items()


@pytest.mark.usefixtures("in_this_process")
def test_a_round_robin_at_tables_of_three(tmp_path: Path) -> None:
    players = ["random", "level:1", "level:2", "mcts:simulations=9"]
    arguments = ["tournament", "x", *players, "-o", "size=2", "--jobs", "1", "--games", "6"]
    result = run(*arguments, "--rounds", "4", "--out", str(tmp_path))
    assert result.exit_code == 0
    assert result.stdout.count("bye\n") == 4
    assert result.stdout.splitlines()[-1].startswith("24 games, 6 in each bout")


def wait_for_games(process: Popen[str], folder: Path, games: int) -> None:
    """Until a command has kept so many games."""
    while len(list(folder.rglob("*.skr"))) < games:
        assert process.poll() is None, "it was over too soon"
        sleep(0.01)


def kill_after(arguments: Sequence[str], folder: Path, games: int) -> dict[Path, tuple[str, int]]:
    """Start a command, kill it and nothing else once it has kept some games, and list them."""
    process = start(*arguments, stdout=DEVNULL, stderr=DEVNULL)
    try:
        wait_for_games(process, folder, games)
    finally:
        process.kill()
        process.communicate()
    return games_in(folder)


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize("kills", [1, pytest.param(3, marks=pytest.mark.soak)])
def test_a_killed_tournament_loses_nothing_and_plays_nothing_twice(
    tmp_path: Path, kills: int
) -> None:
    """What is killed are processes of their own; what goes on after the last is this one."""
    arguments = [*TOURNAMENT, "--games", "16", "--jobs", str(kills)]
    whole = run(*arguments, "--out", str(tmp_path / "whole"))
    folder = tmp_path / "killed"
    resumed = [*arguments, "--out", str(folder)]
    kept: dict[Path, tuple[str, int]] = {}
    for _ in range(kills):
        found = kill_after(resumed, folder, len(kept) + 5)
        assert kept.items() <= found.items()
        # What a crash can leave behind: a file that was not put in place, and half a game.
        (next(iter(found)).parent / ".skerry-0123456789abcdef.tmp").write_text('[Game "skew"')
        torn = sorted(found)[0]
        torn.write_text(found[torn][0][:-20], encoding="utf-8")
        del found[torn]
        kept = found
    result = run(*resumed)
    assert result.exit_code == 0
    assert result.stdout == whole.stdout
    played = games_in(folder)
    assert kept.items() <= played.items()
    expected = games_in(tmp_path / "whole")
    assert {file.relative_to(folder): text for file, (text, _) in played.items()} == {
        file.relative_to(tmp_path / "whole"): text for file, (text, _) in expected.items()
    }


@pytest.mark.soak
def test_an_interrupted_tournament_says_how_to_go_on(tmp_path: Path) -> None:
    """On a terminal all processes hear of Ctrl-C; one of them answers."""
    arguments = [*TOURNAMENT, "--games", "1000", "--jobs", "2", "--out", str(tmp_path)]
    process = start(*arguments, start_new_session=True)
    wait_for_games(process, tmp_path, 1)
    os.killpg(process.pid, signal.SIGINT)
    _, complaint = process.communicate()
    assert process.returncode == 130
    assert complaints(complaint) == [
        "skerry: stopped; finished games are kept, and the same command resumes"
    ]


@pytest.mark.soak
@pytest.mark.usefixtures("in_this_process")
def test_progress_is_shown_on_a_terminal_only(tmp_path: Path) -> None:
    arguments = [*TOURNAMENT, "--games", "4", "--out", str(tmp_path)]
    printed, shown = watch(*arguments)
    assert "12 of 12 games" in shown
    assert "a minute" in shown
    assert "of 12 games" not in printed
    assert complaints(run(*arguments).stderr) == []


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["tournament", "skew", "random"], "a tournament needs at least 2 players"),
        (["tournament", "skew", "random", "level:11"], "there is no player 'level:11'"),
        (["match", "skew", "random", "level:11"], "there is no player 'level:11'"),
        (
            ["tournament", "skew", "random", "level:1", "--reach", "0"],
            "--reach must be a whole number",
        ),
        (["tournament", "skew", "random", "level:1", "--anchor", "level:2=0"], "is not PLAYER=ELO"),
        (["tournament", "skew", "random", "level:1", "--anchor", "random=x"], "is not PLAYER=ELO"),
        (["tournament", "skew", "random", "level:1", "--anchor", "random=nan"], "not PLAYER=ELO"),
        (
            ["match", "skew", "random", "level:1", "--until", "bored"],
            "--until must be decided or a",
        ),
        (["match", "skew", "random", "level:1", "--until", "nan"], "--until must be decided or a"),
        (["match", "skew", "random", "level:1", "--least", "10"], "--least needs --until"),
        (["match", "skew", "random", "level:1", "--swap", "--opening", "1"], "not both"),
        (["match", "x", "random", "level:1", "--swap"], "X has 3 seats, but the swap rule needs"),
        (["tournament", "x", "random", "level:1", "--swap"], "the swap rule needs two"),
        (["tournament", "skew", "random", "level:1", "--system", "cup"], "--system is round-robin"),
        (
            ["tournament", "skew", "random", "level:1", "--system", "knockout", "--rounds", "2"],
            "--rounds does not go with knockout",
        ),
        (
            ["tournament", "skew", "random", "level:1", "--system", "swiss", "--reach", "1"],
            "--reach needs a round robin without --rounds",
        ),
        (
            ["tournament", "x", "random", "level:1", "level:2", "--system", "knockout"],
            "knockout is for games of two",
        ),
        (["tournament", "x", "random", "level:1", "--system", "swiss"], "at least 3 have to take"),
        (["match", "skew", "random", "level:1", "--ray", "there"], "is not HOST:PORT"),
        (["tournament", "skew", "random", "level:1", "--ray", "localhost:1"], "no Ray cluster"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_played(
    tmp_path: Path, arguments: list[str], complaint: str
) -> None:
    result = run(*arguments, "--out", str(tmp_path / "games"))
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert not (tmp_path / "games").exists()


@pytest.mark.usefixtures("in_this_process")
def test_a_folder_of_another_tournament_is_left_alone(tmp_path: Path) -> None:
    run(*TOURNAMENT, "--games", "2", "--out", str(tmp_path))
    before = games_in(tmp_path)
    result = run(*TOURNAMENT, "--games", "2", "--seed", "1", "--out", str(tmp_path))
    assert result.exit_code == 2
    assert "belongs to another match or to former levels: name another folder" in result.stderr
    assert games_in(tmp_path) == before


@pytest.mark.usefixtures("in_this_process")
def test_an_anchor_may_have_signs_of_equality_in_its_name(tmp_path: Path) -> None:
    players = ["mcts:simulations=5", "mcts:simulations=50"]
    arguments = ["tournament", "skew", *players, *SMALL, "--games", "2", "--json"]
    for anchor, at in ((players[0], 0), (f"{players[0]}=-70", -70)):
        result = run(*arguments, "--anchor", anchor, "--out", str(tmp_path))
        elo = {place["player"]: place["elo"] for place in json.loads(result.stdout)["places"]}
        assert elo[players[0]] == at
