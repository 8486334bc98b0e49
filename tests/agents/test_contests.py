"""Players of others in matches and reports: whatever they do, it costs them a game and no more."""

import json
import pickle
from pathlib import Path

import pytest

import skerry
from skerry.agents.apart import apart
from skerry.lab.contest.campaign import play_matches
from skerry.lab.contest.forfeit import find_played, share_out
from skerry.lab.contest.gamefolder import GameFolder
from skerry.lab.contest.match import Match, play_game
from skerry.lab.contest.tournament import Tournament, folders, tabulate
from skerry.lab.grading import grade
from skerry.lab.report.measure.units import STAGES, Experiment, Unit, work
from skerry.lab.report.result.assemble import assemble
from skerry.lab.report.result.findings import ForfeitCount
from skerry.lab.stats.standings import standings
from skerry.lab.work.executor import Cores
from skerry.records import load, read_all, write_text
from skerry.search.players import invite
from support.bots import Broken, Deadly, Last, write_bot
from support.running import complaints, run
from support.working import InThisProcess

SMALL = skerry.make("skew", side=2, pegs=2)
HERE = InThisProcess()
BAD = "go) echo boom >&2; exit 3;;"


def test_a_game_that_is_forfeited_is_kept_with_its_reason(tmp_path: Path) -> None:
    bot = f"cmd:{write_bot(tmp_path, BAD)}"
    match = Match(SMALL, ("random", bot), 2)
    record = play_game(match, 0, 0)
    assert record.headers["Forfeit"] == "Second"
    assert record.headers["Termination"] == "Second forfeits: it ended with exit code 3 (boom)"
    assert record.headers["Second"] == bot
    assert record.result == "1-0"
    assert read_all(write_text(record)) == [record]
    folder = GameFolder(tmp_path / "games", match)
    played = folder.save(0, 0, record)
    assert folder.find(0, 0) == played
    assert (played.returns, played.forfeited_by) == ((1.0, -1.0), bot)
    assert played.reason == "it ended with exit code 3 (boom)"


@pytest.mark.parametrize(
    ("players", "seat", "returns"),
    [
        (("a", "b"), 1, (1.0, -1.0)),
        (("a", "b", "c"), 2, (0.5, 0.5, -1.0)),
        (("a", "b", "b"), 2, (1.0, -0.5, -0.5)),  # it loses with both seats
        (("a", "a", "a"), 0, (-1.0, 0.5, 0.5)),
    ],
)
def test_who_loses(players: tuple[str, ...], seat: int, returns: tuple[float, ...]) -> None:
    assert share_out(players, seat) == returns


def test_games_of_three_seats(tmp_path: Path) -> None:
    """With two winners a record has no result, but the game counts."""
    bot = f"cmd:{write_bot(tmp_path, BAD)}"
    game = skerry.make("x", size=3)
    three = Match(game, ("random", "level:1", bot), 6)
    record = play_game(three, 0, 0)
    assert record.result == "*"
    played = find_played(three.seatings[0], record)
    assert played is not None
    assert played.returns == (0.5, 0.5, -1.0)
    two = Match(game, ("random", bot), 6)
    seating = two.seatings.index(("random", bot, bot))
    assert play_game(two, 0, seating).result == "1-0-0"


def test_a_match_of_all_kinds_goes_on_where_it_was(tmp_path: Path) -> None:
    """Players are found again by name."""
    good, bad = write_bot(tmp_path), write_bot(tmp_path, BAD, "bad.sh")
    players = ("level:1", "last", f"cmd:{good}", f"cmd:{bad}")
    tournament = Tournament(SMALL, players, 2, agents={"last": Last()})
    matches = folders(tournament, tmp_path / "games")
    results = play_matches(matches, HERE)
    table = tabulate(players, results)
    places = {place.player: place for place in table.places}
    assert places[f"cmd:{bad}"].won == 0
    assert places[f"cmd:{bad}"].forfeits == ("it ended with exit code 3 (boom)",) * 6
    assert not any(places[name].forfeits for name in players[:3])
    write_bot(tmp_path, "nobody) ;;")  # would never move: nothing is played again
    assert play_matches(matches, HERE) == results


def test_an_agent_that_fails_in_the_middle(tmp_path: Path) -> None:
    game = skerry.make("skew", side=3, pegs=4)
    broken = Broken(ValueError("no idea"), after=1)
    match = Match(game, ("random", "broken"), 4, agents={"broken": broken})
    (blocks,) = play_matches({tmp_path: pickle.loads(pickle.dumps(match))}, HERE)  # noqa: S301
    random, lost = standings(match, blocks)
    assert lost.points == -1
    assert lost.forfeits == ("it raised ValueError: no idea",) * 4
    assert random.forfeits == ()
    (record,) = load(tmp_path / "game-1-1.skr")
    assert len(record.moves()) == 4 + 3  # the opening, and one move of the one that fails


def test_an_agent_that_ends_its_process() -> None:
    """What is done once a process has died over a game: the agent loses it, having a process of
    its own, and whoever can have none plays on as before."""
    game = skerry.make("skew", side=3, pegs=4)
    agents = {"deadly": Deadly(after=1), "last": Last()}
    agents["last"].secret = lambda: None  # type: ignore[attr-defined]  # cannot be pickled
    match = Match(game, ("last", "deadly"), 2, agents=agents)
    with apart(True):
        record = play_game(match, 0, 0)
    said = "Second forfeits: it ended with exit code 7 (farewell)"
    assert record.headers["Termination"] == said
    assert len(record.moves()) == 4 + 3  # the opening, and one move of the one that fails


@pytest.mark.soak
def test_a_match_outlives_an_agent_that_ends_its_process(tmp_path: Path) -> None:
    told: list[str] = []
    match = Match(SMALL, ("random", "deadly"), 2, agents={"deadly": Deadly()})
    (blocks,) = play_matches({tmp_path: match}, Cores(1), warn=told.append)
    random, deadly = standings(match, blocks)
    assert (random.points, deadly.points) == (1, -1)
    assert deadly.forfeits == ("it ended with exit code 7 (farewell)",) * 2
    assert told == ["a process died (exit code 7); its task is tried again"] * 2


@pytest.mark.soak
def test_commands_outlive_an_agent_that_ends_its_process() -> None:
    deadly = "support.bots:Deadly"
    result = run("solve", "x", "-o", "size=2", "--grade", deadly, "--positions", "2")
    assert "no move in 2 of 2 positions: it ended with exit code 7" in result.stdout
    result = run("play", "x", "-o", "size=2", "--seat2", deadly, typed=["a1", "quit"])
    assert "Yellow forfeits: it ended with exit code 7" in result.stdout


def test_who_only_looks_on_may_lose_as_well() -> None:
    class Nervous(Last):
        def follow(self, state: skerry.State, move: skerry.Move) -> None:
            raise RuntimeError("too exciting")

    match = Match(SMALL, ("random", "nervous"), 2, opening=0, agents={"nervous": Nervous()})
    record = play_game(match, 0, 0)
    assert record.headers["Termination"] == "Second forfeits: it raised RuntimeError: too exciting"
    assert len(record.moves()) == 1


def test_who_fails_to_appraise_an_opening_loses() -> None:
    class Undecided(Last):
        def appraise(self, state: skerry.State) -> list[float]:
            raise RuntimeError("cannot say")

    match = Match(SMALL, ("random", "undecided"), 2, swap=True, agents={"undecided": Undecided()})
    for seating, seat in enumerate(["Second", "First"]):
        assert play_game(match, 0, seating).headers["Forfeit"] == seat


def test_agents_have_to_play() -> None:
    with pytest.raises(skerry.OptionsError, match="'last' is an agent that does not play"):
        Match(SMALL, ("random", "level:1"), 2, agents={"last": Last()})
    with pytest.raises(skerry.OptionsError, match="has no choose"):
        Match(SMALL, ("random", "it"), 2, agents={"it": object()})  # type: ignore[dict-item]


def test_agents_are_made_to_play_and_for_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They may take long to load; a folder is looked through without them."""
    (tmp_path / "heavy.py").write_text(
        "class Heavy:\n    made = 0\n    def __init__(self):\n        Heavy.made += 1\n"
        "    def choose(self, state):\n        return state.legal_moves()[0]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    match = Match(SMALL, ("random", "heavy:Heavy"), 4)
    for _ in range(2):
        play_matches({tmp_path / "games": match}, HERE)
    from heavy import Heavy  # type: ignore[import-not-found]  # noqa: PLC0415

    assert Heavy.made == 1 + 4  # to see that there is one, and once for each game


def test_the_same_match_has_the_same_games(tmp_path: Path) -> None:
    deed = "go) seed=${rest##*seed=}; set -- $moves; shift $((seed % $#)); echo $1;;"
    match = Match(SMALL, ("random", f"cmd:{write_bot(tmp_path, deed)}"), 8, seed=4)
    games = [[play_game(match, block, 0) for block in range(4)] for _ in range(2)]
    assert games[0] == games[1]
    assert len({game.moves() for game in games[0]}) > 1


def test_grades(tmp_path: Path) -> None:
    game = skerry.make("x", size=2)
    deed = "go) case $rest in seat=1*) echo zz;; *) set -- $moves; echo $1;; esac;;"
    with invite([f"cmd:{write_bot(tmp_path, deed)}"]) as (player,):
        found = grade(player, game, 6)
    assert found.positions > len(found.forfeits) > 0
    assert found.optimal <= found.positions - len(found.forfeits)
    assert found.forfeits[0].startswith("illegal move 'zz'")


def test_reports(tmp_path: Path) -> None:
    """Every stage goes on when a player fails, and the report says that it did."""
    bot = f"cmd:{write_bot(tmp_path, BAD)}"
    experiment = Experiment(SMALL, ("random", bot), 1)
    first = str(SMALL.initial().legal_moves()[0])
    subjects = {"skill": f"{bot} - random", "opening": f"{bot} after {first}"}
    units = [
        Unit(stage, subjects.get(stage, bot), number)
        for stage in STAGES
        if stage != "solve"
        for number in range(2)
    ]
    answers = {unit: work(experiment, unit) for unit in units}
    assert len({unit.name for unit in units}) == len(units)
    assert all(unit.name.isprintable() and "/" not in unit.name for unit in units)
    report = assemble(experiment, answers, "some games")
    (told,) = report.forfeits
    assert told.player == bot
    assert told.reason == "it ended with exit code 3 (boom)"
    assert any(sentence.startswith(f"{bot} forfeited") for sentence in report.summary)
    assert report.skill[0].won.value == 0
    assert isinstance(told, ForfeitCount)
    with pytest.raises(skerry.OptionsError, match="cannot be told apart"):
        Experiment(SMALL, ("random", "cmd:cat a - b"))


@pytest.mark.usefixtures("in_this_process")
def test_the_command_line(tmp_path: Path) -> None:
    good, bad = write_bot(tmp_path), write_bot(tmp_path, BAD, "bad.sh")
    small = ["-o", "side=2", "-o", "pegs=2"]
    games = ["--games", "2", "--jobs", "1", "--out"]
    players = [f"cmd:{good}", f"cmd:timeout=60,{bad}"]
    result = run("match", "skew", *players, *small, *games, str(tmp_path / "match"))
    assert result.exit_code == 0, result.stderr
    said = f"{players[1]} forfeited 2 games: it ended with exit code 3 (boom)"
    assert result.stdout.splitlines()[-1] == said
    again = run("match", "skew", *players, *small, *games, str(tmp_path / "match"), "--json")
    assert json.loads(again.stdout)[1]["forfeits"] == ["it ended with exit code 3 (boom)"] * 2
    result = run(
        "tournament", "skew", "random", *players, *small, *games, str(tmp_path / "tournament")
    )
    assert result.stdout.splitlines()[-1] == said.replace("2 games", "4 games")
    result = run("solve", "x", "-o", "size=2", "--grade", players[1], "--positions", "3")
    assert result.stdout.splitlines()[-1].startswith("no move in 3 of 3 positions: it ended with")
    result = run("match", "skew", "random", "cmd:./gone", *small, *games, str(tmp_path / "gone"))
    assert result.exit_code == 2
    assert complaints(result.stderr) == [
        "skerry: there is no program './gone' that can be run: see that the path is right and the "
        "file executable"
    ]


@pytest.mark.soak
@pytest.mark.usefixtures("in_this_process")
def test_a_report_from_the_command_line(tmp_path: Path) -> None:
    strengths = f"random;cmd:timeout=60,{write_bot(tmp_path)}"
    out = str(tmp_path / "report")
    small = ["-o", "side=2", "-o", "pegs=2", "--budget", "60games", "--jobs", "1"]
    result = run("report", "skew", *small, "--strengths", strengths, "--out", out, "--json")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert [told["player"] for told in found["strengths"]] == strengths.split(";")
    assert found["forfeits"] == []


@pytest.mark.usefixtures("in_this_process")
def test_the_terminal(tmp_path: Path) -> None:
    """A program that plays, and one that fails: the game ends, and can be taken back."""
    file = tmp_path / "game.skr"
    deed = "go) case $moves in *c2-*) set -- $moves; echo $1;; *) echo b1-zz;; esac;;"
    bot = f"cmd:{write_bot(tmp_path, deed)}"
    play = ["play", "skew", "-o", "side=2", "-o", "pegs=2", "--seat2", bot, "--save", str(file)]
    state = skerry.make("skew", side=2, pegs=2).initial()
    first = next(str(m) for m in state.legal_moves() if not str(m).startswith("c2"))
    middle = next(str(m) for m in state.legal_moves() if str(m).startswith("c2"))
    result = run(*play, typed=[first, "undo", middle, "quit"])
    assert result.exit_code == 0, result.output
    assert "Second played " in result.stdout
    assert "Second forfeits: illegal move 'b1-zz'" in result.stdout
    (record,) = load(file)
    assert record.result == "1-0"
    assert record.headers["Termination"].startswith("Second forfeits: illegal move 'b1-zz'")
    resumed = run("play", "--load", str(file), typed=["quit"])
    assert "Second forfeits: illegal move 'b1-zz'" in resumed.stdout
