"""Engines at the table."""

from multiprocessing import Pipe
from pathlib import Path

import pytest

from skerry.cli.session import beside
from skerry.records import load
from support.running import run

X = ["play", "x", "-o", "size=3", "--seed", "1"]


def test_engines_answer_and_undo_goes_back_to_the_persons_turn(tmp_path: Path) -> None:
    file = tmp_path / "game.skr"
    engines = ["--seat2", "random", "--seat3", "mcts:simulations=20", "--save", str(file)]
    result = run(*X, *engines, typed=["b2", "undo", "b2", "quit"])
    assert result.exit_code == 0
    assert result.stdout.count("Red played b2. Yellow to move.") == 2
    assert result.stdout.count("Green played ") == 2
    assert result.stdout.count("\nRed> ") == 4
    (record,) = load(file)
    assert len(record.line.plies) == 3
    assert record.players == (None, "random", "mcts:simulations=20")


def test_engines_alone_play_to_the_end(tmp_path: Path) -> None:
    file = tmp_path / "game.skr"
    seats = ["--seat1", "random", "--seat2", "level:1", "--seat3", "random"]
    result = run(*X, *seats, "--save", str(file))
    assert result.exit_code == 0
    assert "> " not in result.stdout
    (record,) = load(file)
    assert record.states()[-1].is_over
    for seat, move in zip(("Red", "Yellow"), record.moves(), strict=False):
        assert f"{seat} played {move}." in result.stdout


def test_an_engine_plays_both_actions_of_a_turn() -> None:
    arguments = ["play", "skirt", "-o", "side=3", "--seat2", "random", "--seed", "3"]
    result = run(*arguments, typed=["a1", "undo", "quit"])
    assert "Black to move again." in result.stdout
    assert result.stdout.count("White> ") == 3


class Beside:
    """A process that has compiled an engine in two steps; what happened to it is noted."""

    def __init__(self, *_: object) -> None:
        self.pipe = self
        NOTED.append("begun")

    def recv(self) -> int:
        NOTED.append("awaited")
        if NOTED.count("awaited") > 2:
            raise EOFError
        return 50

    def stop(self) -> None:
        NOTED.append("ended")


NOTED: list[str] = []


@pytest.mark.parametrize(
    ("is_new", "typed", "noted"),
    [
        (True, ["moves", "quit"], ["begun", "ended"]),
        (True, ["b2-ne", "quit"], ["begun", *["awaited"] * 3, "ended"]),
        (False, ["b2-ne", "quit"], []),
    ],
)
def test_a_first_move_does_not_wait_for_the_engine(
    is_new: bool, typed: list[str], noted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is compiled beside the game, on machines that have none yet; its own move waits for it."""
    NOTED.clear()
    monkeypatch.setattr(beside, "PipedProcess", Beside)
    monkeypatch.setattr(beside, "has_nets", lambda: not is_new)
    result = run("play", "skew", "-o", "side=3", "-o", "pegs=4", "--seat2", "level:1", typed=typed)
    assert "First to move" in result.stdout
    assert ("Second played" in result.stdout) == ("b2-ne" in typed)
    assert noted == NOTED


def test_an_engine_beside_a_game_tells_how_much_is_compiled() -> None:
    """Nothing, where all is compiled."""
    near, far = Pipe()
    beside.compile_engine(far, "skew", {"side": 3, "pegs": 4})
    far.close()
    with pytest.raises(EOFError):
        near.recv()
