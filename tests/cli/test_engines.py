"""Engines at the table."""

from pathlib import Path

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
