"""Players that are Python objects: given, named by module, or installed."""

import signal
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

import skerry
from skerry.agents.host import serve
from skerry.agents.python import AgentPlayer
from skerry.search.players import LevelPlayer
from support.bots import Asleep, Broken, ByAction, ByText, Last, Seeded

SMALL = skerry.make("x", size=3)
START = SMALL.initial()


@pytest.mark.parametrize("agent", [Last(), ByText(), ByAction()])
def test_anything_that_chooses_is_a_player(agent: Last) -> None:
    player = skerry.player(agent)
    assert player.choose(START) == START.legal_moves()[-1]
    assert player.name == type(agent).__name__
    assert len(player.appraise(START, 1)) == 3
    player.follow(START, START.legal_moves()[0])


def test_players_of_ours_stay_what_they_are() -> None:
    level = skerry.player("level:1")
    assert skerry.player(level) is level


def test_an_agent_is_given_the_seed_if_it_takes_one() -> None:
    player = skerry.player(Seeded())
    assert [int(player.choose(START, seed)) for seed in (None, 3, 4)] == [0, 3, 4]


def test_an_agent_is_shown_moves_and_asked_what_it_thinks() -> None:
    class Curious(Last):
        def __init__(self) -> None:
            self.seen: list[str] = []

        def follow(self, state: skerry.State, move: skerry.Move) -> None:
            self.seen.append(str(move))

        def appraise(self, state: skerry.State) -> list[float]:
            return [1, 0, -1]

    agent = Curious()
    player = skerry.player(agent)
    player.follow(START, START.parse("b2"), START.play("b2"))
    assert agent.seen == ["b2"]
    assert player.appraise(START) == (1.0, 0.0, -1.0)
    with pytest.raises(skerry.Forfeit, match="appraised 3 seats of 2"):
        player.appraise(skerry.make("skew", side=2).initial())


class Answers:
    def __init__(self, answer: object) -> None:
        self.answer = answer

    def choose(self, state: skerry.State) -> object:
        return self.answer


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        (Answers("z9"), "illegal move 'z9'"),
        (Answers(None), "illegal move None"),
        (Answers(True), "illegal move True"),
        (Answers(1.5), "illegal move 1.5"),
        (Answers(np.array([4])), r"illegal move array\(\[4\]\): an action is a whole number"),
        (Answers(10**5000), "illegal move a value of type int that is too long to show"),
        (Answers(99), "illegal move 99: action 99 is not from 0 to 8"),
        (Answers(START.parse("a1")), "illegal move 'a1': a1 already holds"),
        (Broken(KeyError("lost\nit")), "it raised KeyError: 'lost"),
        (Broken(SystemExit(3)), "it raised SystemExit: 3"),
        (Broken(RecursionError()), "it raised RecursionError$"),
    ],
)
def test_what_goes_wrong_is_a_forfeit(agent: object, reason: str) -> None:
    with pytest.raises(skerry.Forfeit, match=reason):
        skerry.player(agent).choose(START.play("a1"))  # type: ignore[arg-type]


def test_who_interrupts_is_not_the_agent() -> None:
    with pytest.raises(KeyboardInterrupt):
        skerry.player(Broken(KeyboardInterrupt())).choose(START)


def test_an_agent_that_never_answers_is_interrupted() -> None:
    slow = skerry.AgentPlayer(Asleep(), "asleep", timeout=0.2)
    with pytest.raises(skerry.Forfeit, match=r"no answer within 0.2 s"):
        slow.choose(START)


def test_an_agent_may_say_how_long_it_thinks() -> None:
    class Patient(Last):
        timeout: object = 2.5

    assert AgentPlayer("", "").timeout is None
    assert player_of(Last()).timeout == 60
    assert player_of(Patient()).timeout == 2.5
    Patient.timeout = None
    assert player_of(Patient()).timeout is None
    Patient.timeout = "long"
    with pytest.raises(skerry.OptionsError, match="timeout of Patient must be a number above 0"):
        skerry.player(Patient())


def player_of(agent: Last) -> AgentPlayer:
    player = skerry.player(agent)
    assert isinstance(player, AgentPlayer)
    return player


def test_an_alarm_of_somebody_else_is_left_alone() -> None:
    signal.setitimer(signal.ITIMER_REAL, 600)
    try:
        assert skerry.player(Last()).choose(START)
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def test_elsewhere_an_agent_loses_when_it_comes_back_too_late() -> None:
    class Slow(Last):
        def choose(self, state: skerry.State) -> skerry.Move:
            time.sleep(0.001)
            return super().choose(state)

    found: list[str] = []

    def ask() -> None:
        with pytest.raises(skerry.Forfeit) as failure:
            skerry.AgentPlayer(Slow(), "slow", timeout=1e-9).choose(START)
        found.append(str(failure.value))

    thread = Thread(target=ask)
    thread.start()
    thread.join()
    assert found == ["no answer within 1e-09 s"]


MODULE = """
import skerry

class First:
    def choose(self, state):
        return state.legal_moves()[0]

class Nth:
    def __init__(self, n="1"):
        self.n = int(n)
    def choose(self, state):
        return state.legal_moves()[self.n]

class Home:
    first = First()

def make():
    return First()

nobody = 5
level = skerry.player("level:1")
"""
ENTRY_POINTS = "[skerry.players]\nnth = somebots:Nth\ngone = somebots:Gone\n"
METADATA = "Metadata-Version: 2.1\nName: somebots\nVersion: 1.0\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that is installed, as pip would leave it."""
    (tmp_path / "somebots.py").write_text(MODULE)
    about = tmp_path / "somebots-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(METADATA)
    (about / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "somebots", raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("spec", "place"),
    [
        ("somebots:First", 0),
        ("somebots:Home.first", 0),
        ("somebots:make", 0),
        ("nth", 1),
        ("nth:4", 4),
    ],
)
@pytest.mark.usefixtures("package")
def test_agents_by_name(spec: str, place: int) -> None:
    player = skerry.player(spec)
    assert player.name == spec
    assert player.choose(START) == START.legal_moves()[place]


@pytest.mark.usefixtures("package")
def test_a_module_may_name_a_player_of_ours() -> None:
    assert isinstance(skerry.player("somebots:level"), LevelPlayer)


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("somebots:nobody", "has no choose"),
        ("somebots:Missing", "there is no player 'somebots:Missing': module"),
        ("nomodule:Missing", "No module named 'nomodule'"),
        ("nth:x", "cannot be made"),
        ("gone", "there is no player 'gone'"),
        ("frog", "installed: gone, nth"),
    ],
)
@pytest.mark.usefixtures("package")
def test_agents_that_are_not_there(spec: str, reason: str) -> None:
    with pytest.raises(skerry.OptionsError, match=reason):
        skerry.player(spec)


def test_modules_are_found_where_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "besides.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    path = list(sys.path)
    assert skerry.player("besides:First").choose(START)
    assert sys.path == path


def test_what_has_no_choose_is_no_player() -> None:
    with pytest.raises(skerry.OptionsError, match="'object' is no player"):
        skerry.player(object())  # type: ignore[arg-type]


@pytest.mark.soak
def test_any_agent_can_be_a_program(package: Path) -> None:
    """In a process of its own it may even end that, and only loses its game."""
    (package / "deadly.py").write_text(
        "import os\nclass Deadly:\n"
        "    def choose(self, state, seed):\n"
        "        if seed == 5:\n            os._exit(7)\n"
        "        return state.legal_moves()[seed]\n"
    )
    host = f"cmd:env PYTHONPATH={package}:{Path(skerry.__file__).parents[1]} {sys.executable}"
    player = skerry.player(f"{host} -m skerry.agents.host deadly:Deadly")
    state = START.play("b2")
    assert player.choose(state, 2) == state.legal_moves()[2]
    with pytest.raises(skerry.Forfeit, match="ended with exit code 7"):
        player.choose(state, 5)


def test_what_a_host_answers() -> None:
    """The other side of the protocol, with all that an agent may do wrong."""

    class Critic(Seeded):
        def follow(self, state: skerry.State, move: skerry.Move) -> None:
            print("what a move")  # which is no answer
            if str(move) == "c3":
                raise KeyError("I dislike corners")

    said = StringIO()
    opening = ["game x size=3", "start 3/3/3 r"]
    lines = ["skerry 1", "go", *opening, "moves", "go seat=0 seed=4"]
    lines += ["moves b2 a1", "go seat=2 seed=0", "moves b2 a1 c3", "go seat=0"]
    lines += [*opening, "moves a1 a1", "go", "game chess", "go", "quit", "skerry 1"]
    serve(Critic(), StringIO("".join(f"{line}\n" for line in lines)), said)
    answers = said.getvalue().splitlines()
    assert answers[:4] == [
        "ready Critic",
        "error tell the game first, such as: game skew side=5",
        "b2",
        "a2",
    ]
    assert answers[4] == "error it raised KeyError: 'I dislike corners'"
    assert answers[5].startswith("error a1 already holds")
    assert answers[6].startswith("error there is no game 'chess'")
    assert len(answers) == 7


@pytest.mark.soak
def test_a_host_says_whom_it_cannot_host() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "skerry.agents.host", "nomodule:Missing"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert (
        done.stderr.strip() == "there is no player 'nomodule:Missing': No module named 'nomodule'"
    )
