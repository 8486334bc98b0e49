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
    """A process that goes on compiling an engine until somebody waits for it."""

    def __init__(self, *_: object) -> None:
        self.pipe = self
        NOTED.append("begun")

    def poll(self, patience: float) -> bool:
        return NOTED.count("awaited") > 1

    def recv(self) -> int:
        NOTED.append("awaited")
        if NOTED.count("awaited") > 1:
            raise EOFError
        return 50

    def stop(self) -> None:
        NOTED.append("ended")


NOTED: list[str] = []


@pytest.mark.parametrize(
    ("is_new", "more", "typed", "noted"),
    [
        (True, [], ["moves", "quit"], ["begun", "ended"]),
        (True, [], ["b2-ne", "quit"], ["begun", "ended"]),
        (True, ["--seed", "1"], ["b2-ne", "quit"], ["begun", "awaited", "awaited", "ended"]),
        (False, [], ["b2-ne", "quit"], []),
    ],
)
def test_nobody_waits_for_an_engine_that_is_compiled(
    is_new: bool,
    more: list[str],
    typed: list[str],
    noted: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Somebody stands in for it, unless the game is to be the same another time."""
    NOTED.clear()
    monkeypatch.setattr(beside, "PipedProcess", Beside)
    monkeypatch.setattr(beside, "is_ready", lambda game: not is_new)
    board = ["-o", "side=3", "-o", "pegs=4"]
    result = run("play", "skew", *board, "--seat2", "level:1", *more, typed=typed)
    assert "First to move" in result.stdout
    assert ("Second played" in result.stdout) == ("b2-ne" in typed)
    stands_in = is_new and not more and "b2-ne" in typed
    assert ("compiling the engine of level:1 beside" in result.stderr) == stands_in
    assert noted == NOTED


def test_an_engine_without_a_stand_in_is_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    NOTED.clear()
    monkeypatch.setattr(beside, "PipedProcess", Beside)
    monkeypatch.setattr(beside, "is_ready", lambda game: False)
    result = run(*X, "--seat2", "random", "--seat3", "mcts:simulations=20", typed=["b2", "quit"])
    assert result.stdout.count("Green played ") == 1
    assert NOTED == ["begun", "awaited", "awaited", "ended"]


def test_an_engine_beside_a_game_tells_how_much_is_compiled() -> None:
    """Nothing, where all is compiled."""
    near, far = Pipe()
    beside.compile_engine(far, "skew", {"side": 3, "pegs": 4})
    far.close()
    with pytest.raises(EOFError):
        near.recv()
