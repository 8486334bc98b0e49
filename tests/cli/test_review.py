"""``skerry analyse --record``: what it prints, what it saves, and what it leaves alone."""

import json
from pathlib import Path

import pytest

import skerry
from skerry.records import Record, load, save
from skerry.search.review import Review
from support.running import complaints, run

X = skerry.make("x", size=2)
BUDGET = ["--simulations", "500"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A game that Red wins by force, in which Red errs and Yellow errs back, and another."""
    path = tmp_path / "games.skr"
    first = Record.from_moves(X, moves=["a1", "b2", "a2", "b1"], headers={"Red": "Ann"})
    save(path, [first, Record.from_moves(X, moves=["a1"])])
    return path


def test_every_move_is_told_as_the_library_finds_it(file: Path) -> None:
    arguments = ["analyse", "--record", str(file), "--game-number", "1", *BUDGET]
    told = json.loads(run(*arguments, "--json").stdout)
    found = skerry.review(load(file)[0], simulations=500)
    assert (told["game"], told["players"]) == ("x", ["Ann", None, None])
    assert [move["loss"] for move in told["moves"]] == [round(m.loss, 4) for m in found.moves]
    assert [move["mark"] for move in told["moves"]] == [m.mark for m in found.moves]
    assert [move["turn"] for move in told["moves"]] == ["1.", "2.", "3.", "4."]
    shown = run(*arguments).stdout
    assert shown.startswith("x size=2: Ann - ? - ?, 4 plies, 1-0-0 (Red wins 2-1-1)\n")
    for move in found.moves:
        assert f"{move.turn:6}{X.seats[move.seat]:6}  {move.move}" in shown
    for mistake in found.mistakes:
        assert f"{mistake.turn} {mistake.move}{mistake.mark} costs" in shown
    assert ("no mistakes found" in shown) == (not found.mistakes)


def test_annotated_games_are_saved_but_never_over_a_file(file: Path, tmp_path: Path) -> None:
    before = file.read_bytes()
    saved = tmp_path / "annotated.json"
    arguments = ["analyse", "--record", str(file), "--game-number", "2", *BUDGET, "--save"]
    result = run(*arguments, str(saved))
    assert result.stdout.endswith(f"saved in {saved}\n")
    (record,) = load(saved)
    assert record.moves() == load(file)[1].moves()
    assert record.line.plies[0].comments[0].startswith("engine: ")
    content = saved.read_bytes()
    for taken in (saved, file):
        refused = run(*arguments, str(taken))
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert complaints(refused.stderr) == [
            f"skerry: {taken} already exists; choose another name, or overwrite it with --force"
        ]
    assert (saved.read_bytes(), file.read_bytes()) == (content, before)
    saved.write_text("mine")
    assert run(*arguments, str(saved), "--force").exit_code == 0
    assert saved.read_bytes() == content


def test_a_file_that_appears_meanwhile_is_left_alone(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = tmp_path / "annotated.skr"
    arguments = ["analyse", "--record", str(file), "--game-number", "2", *BUDGET]
    annotated = Review.annotated

    def take_the_name(found: Review) -> Record:
        saved.write_text("mine")
        return annotated(found)

    monkeypatch.setattr(Review, "annotated", take_the_name)
    result = run(*arguments, "--save", str(saved))
    assert result.exit_code == 2
    assert "somebody else has changed it" in result.stderr
    assert saved.read_text() == "mine"


def test_what_was_found_is_saved_even_if_nobody_reads_it(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("skerry.cli.common.reviewing._print", fail)
    saved = tmp_path / "annotated.skr"
    run("analyse", "--record", str(file), "--game-number", "2", *BUDGET, "--save", str(saved))
    assert len(load(saved)) == 1


def test_the_standard_input_is_a_file_too() -> None:
    typed = ['[Game "x"]', '[Options "size=2"]', "", "1. a1 *"]
    result = run("analyse", "--record", "-", *BUDGET, typed=typed)
    assert result.stdout.startswith("x size=2: 1 ply, *\n")


BAD_INPUT = {
    "which of two": (["--record", "FILE"], "FILE holds 2 games: choose one with --game-number"),
    "no such game": (["--record", "FILE", "--game-number", "3"], "there is no game 3"),
    "game and record": (["x", "--record", "FILE"], "leave out GAME and its options"),
    "moves and record": (["--record", "FILE", "-m", "a1"], "leave out GAME and its options"),
    "nothing at all": ([], "name a game, or a record file with --record"),
    "save without a record": (["x", "--save", "a.skr"], "go with --record"),
    "no such file": (["--record", "/no/such/file"], "cannot be read"),
    "save in no folder": (["--record", "FILE", "--save", "/no/such/x"], "there is no folder"),
}


@pytest.mark.parametrize(("arguments", "said"), BAD_INPUT.values(), ids=BAD_INPUT)
def test_bad_input(file: Path, arguments: list[str], said: str) -> None:
    given = [str(file) if word == "FILE" else word for word in arguments]
    result = run("analyse", *given)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = complaints(result.stderr)
    assert said.replace("FILE", str(file)) in line
