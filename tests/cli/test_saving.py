"""What ``play`` does to files: nothing until something is played, and nothing behind your back."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import skerry
from skerry.records import Record, load, save
from support.running import run, start

X = skerry.make("x", size=3)
ENDINGS = [
    '[Game "x"]\n[Options "size=3"]\n\n1. b2   2. a1 0-0-1\n',
    '[Game "x"]\n[Options "size=3"]\n[Result "1/3-1/3-1/3"]\n[Termination "time"]\n\n'
    "1. b2 1/3-1/3-1/3\n",
    '[Game "skew"]\n[Options "side=3 pegs=4"]\n\n1. b2-e 1/2-1/2\n',
    '[Game "x"]\n[Options "size=3"]\n[Termination "Yellow resigned"]\n\n1. b2 *\n',
    '[Game "x"]\n[Options "size=3"]\n[Termination "adjourned"]\n\n1. b2 *\n',
]


@pytest.mark.parametrize("text", ENDINGS)
def test_looking_at_a_game_changes_nothing(text: str, tmp_path: Path) -> None:
    file, other = tmp_path / "game.skr", tmp_path / "other.skr"
    file.write_text(text)
    looked = run("play", "--save", str(file), typed=["board", "c9", "quit"])
    assert looked.stdout.endswith(f"Bye. The game is in {file}.\n")
    run("play", "--load", str(file), "--save", str(other), typed=["quit"])
    assert (file.read_text(), other.exists()) == (text, False)
    # A copy keeps the result and every header, and invents none.
    run("play", "--load", str(file), typed=[f"save {other}"])
    assert load(other) == load(file)


@pytest.mark.parametrize("text", ENDINGS[:4])
def test_a_result_off_the_board_stands_until_it_is_taken_back(text: str, tmp_path: Path) -> None:
    file = tmp_path / "game.skr"
    file.write_text(text)
    (before,) = load(file)
    move = str(before.states()[-1].legal_moves()[0])
    result = run("play", "--save", str(file), typed=[move, "undo", move])
    assert "The game is over: " in result.stdout
    assert "; undo takes that back" in result.stdout
    assert "Taken back: " in result.stdout
    (after,) = load(file)
    assert (after.result, dict(after.headers)) == ("*", {})
    assert len(after.line.plies) == len(before.line.plies) + 1


def test_playing_on_drops_what_no_longer_holds(tmp_path: Path) -> None:
    file = tmp_path / "game.skr"
    file.write_text(ENDINGS[4])
    run("play", "--save", str(file), typed=["a1"])
    assert dict(load(file)[0].headers) == {}


@pytest.mark.soak
def test_two_players_cannot_lose_each_others_moves(tmp_path: Path) -> None:
    file, other = tmp_path / "game.skr", tmp_path / "other.skr"
    first = start("play", "x", "-o", "size=3", "--save", str(file))
    assert first.stdin is not None
    assert first.stdout is not None
    first.stdin.write("a1\n")
    first.stdin.flush()
    for line in first.stdout:
        if "Yellow to move" in line:
            break
    run("play", "--save", str(file), typed=["b2"])
    theirs = file.read_bytes()
    said, warned = first.communicate(f"c3\nsave {other}\nc1\nquit\n")
    assert file.read_bytes() == theirs
    refusals = [line for line in warned.splitlines() if line.startswith("NOT SAVED: ")]
    assert (
        refusals
        == [f"NOT SAVED: {file}: somebody else has changed it, so it is left alone: save elsewhere"]
        * 2
    )
    assert said.endswith("Bye. The game could NOT be saved as it stands.\n")
    assert [str(move) for move in load(other)[0].moves()] == ["a1", "c3"]


@pytest.mark.soak
@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs links")
def test_a_failed_save_is_not_called_saved(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    file, other = folder / "game.skr", tmp_path / "other.skr"
    process = start("play", "x", "-o", "size=3", "--save", str(file))
    assert process.stdout is not None
    for line in process.stdout:
        if "Red to move" in line:
            break
    folder.rmdir()
    said, warned = process.communicate("a1\nquit\n")
    assert f"NOT SAVED: {file}: cannot be written" in warned
    assert said.endswith("Bye. The game could NOT be saved as it stands.\n")
    assert not other.exists()


def test_loading_the_own_file_again(tmp_path: Path) -> None:
    file = tmp_path / "game.skr"
    typed = ["a1", f"load {file}", "b2", f"load {file}", "quit"]
    run("play", "x", "-o", "size=3", "--save", str(file), typed=typed)
    assert [len(record.line.plies) for record in load(file)] == [2]


def test_only_the_current_game_goes_into_a_new_file(tmp_path: Path) -> None:
    file, other, new = (tmp_path / f"{name}.skr" for name in ("game", "other", "new"))
    save(other, Record.from_moves(X, moves=["a1", "b2"]))
    save(file, [Record.from_moves(X), Record.from_moves(X, moves=["c3"])])
    typed = [f"load {other}", f"save {new}", "quit"]
    result = run("play", "--save", str(file), typed=typed)
    assert result.stdout.endswith(f"Bye. The game is in {new}.\n")
    assert load(new) == load(other)
    assert len(load(file)) == 2
    # A game that nobody played is not left behind either.
    run("play", "x", "--save", str(tmp_path / "fresh.skr"), typed=[f"load {other}", "c3"])
    assert [len(record.line.plies) for record in load(tmp_path / "fresh.skr")] == [3]


def test_new_goes_on_in_the_same_file(tmp_path: Path) -> None:
    file = tmp_path / "game.skr"
    typed = ["a1", "resign", "new", "b2", "quit"]
    result = run("play", "x", "-o", "size=3", "--save", str(file), typed=typed)
    assert "Type undo to take back the last move, new for another game" in result.stdout
    assert [[str(move) for move in record.moves()] for record in load(file)] == [["a1"], ["b2"]]
    unsaved = run("play", "x", "-o", "size=3", typed=["a1", "new", "resign", "new", "quit"])
    assert unsaved.stdout.count("No: this game is not saved") == 1
    assert unsaved.stdout.count("Red to move.") == 2


def test_loading_loses_no_game(tmp_path: Path) -> None:
    file = tmp_path / "game.skr"
    run("play", "x", "-o", "size=3", "--save", str(file), typed=["b2", "quit"])
    typed = [
        "a1",
        f"load {file}",
        "moves",
        f"save {tmp_path / 'other.skr'}",
        f"load {file}",
        "quit",
    ]
    result = run("play", "x", "-o", "size=3", typed=typed)
    assert result.stdout.count("No: this game is not saved: type save FILE or resign first") == 1
    assert [str(move) for move in load(tmp_path / "other.skr")[0].moves()] == ["a1"]
    assert result.stdout.count("Yellow>") > 1


def test_a_loaded_game_is_saved_until_it_changes(tmp_path: Path) -> None:
    first, second = tmp_path / "first.skr", tmp_path / "second.skr"
    for file, move in ((first, "b2"), (second, "c3")):
        run("play", "x", "-o", "size=3", "--save", str(file), typed=[move, "quit"])
    typed = [f"load {second}", f"load {first}", "quit"]
    result = run("play", "--load", str(first), typed=typed)
    assert "No:" not in result.stdout
    assert result.stdout.endswith(f"Bye. The game is in {first}.\n")
    result = run("play", "--load", str(first), typed=["a1", f"load {second}", "quit"])
    assert "No: this game is not saved" in result.stdout
    assert result.stdout.endswith("Bye.\n")


def test_a_name_with_a_null_character_is_refused(tmp_path: Path) -> None:
    typed = ["a1", "save a\0b", "load a\0b", "quit"]
    file = tmp_path / "game.skr"
    result = run("play", "x", "-o", "size=3", "--save", str(file), typed=typed)
    assert result.exit_code == 0
    assert "null character" in result.stdout
    assert len(load(file)) == 1


@pytest.mark.parametrize(
    ("entry", "said"), [("save /", "No: / is a folder"), ("load /no/such", "cannot be read")]
)
def test_files_that_do_not_work(entry: str, said: str) -> None:
    assert said in run("play", "x", typed=[entry]).stdout


@pytest.mark.skipif(sys.platform == "win32", reason="kills")
def test_a_killed_save_leaves_nothing_for_good(tmp_path: Path) -> None:
    """Killed between writing and renaming; the next save takes the leftover away."""
    file = tmp_path / "game.skr"
    code = f"""
import os, signal, skerry
from skerry.records import Record, save
os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
save({str(file)!r}, Record.from_moves(skerry.make("x", size=3)))
"""
    for _ in range(2):
        subprocess.run([sys.executable, "-c", code], check=False)
        assert [path.suffix for path in tmp_path.iterdir()] == [".tmp"]
    save(file, Record.from_moves(X))
    assert list(tmp_path.iterdir()) == [file]
