"""Terminal games: whole games, mistakes and hints, saving, being killed and coming back."""

import contextlib
import os
import select
import signal
import sys
import time
from pathlib import Path

import pytest

import skerry
from skerry.records import load, save
from support.running import COMMAND, PLAIN_TERMINAL, run, start
from support.working import is_waiting

SKEW = ["play", "skew", "-o", "side=3", "-o", "pegs=4"]


def random_game(name: str) -> tuple[skerry.State, list[str]]:
    """A finished game and its moves."""
    state, moves = skerry.make(name).initial(seed=5), []
    while not state.is_over:
        legal = state.legal_moves()
        moves.append(str(legal[(11 * len(moves) + 3) % len(legal)]))
        state = state.play(moves[-1])
    return state, moves


@pytest.mark.parametrize("name", skerry.GAMES)
def test_a_whole_game(name: str, tmp_path: Path) -> None:
    end, moves = random_game(name)
    assert end.outcome is not None
    file = tmp_path / "game.skr"
    result = run("play", name, "--seed", "5", typed=[*moves, f"save {file}", "quit"])
    assert result.exit_code == 0
    assert f"The game is over: {end.outcome.reason}." in result.stdout
    assert result.stdout.splitlines()[-1] == f"Bye. The game is in {file}."
    assert "No: " not in result.stdout
    (record,) = load(file)
    assert record.states()[-1] == end


@pytest.mark.parametrize("choice", ["4", "skaane", "SKA"])
def test_choosing_a_game(choice: str) -> None:
    result = run("play", "--seed", "5", typed=["sk", choice, "quit"])
    assert f"Type a number from 1 to {len(skerry.GAMES)}" in result.stdout
    assert "Light to move." in result.stdout


def test_choosing_no_game() -> None:
    result = run("play")
    assert (result.exit_code, result.stderr) == (0, "")


def test_no_line_is_too_long() -> None:
    result = run(*SKEW, typed=["b" * 1_000_000, "b2-ne", "quit"])
    assert len(result.stdout) < 50_000
    assert "First played b2-ne. Second to move." in result.stdout


def test_mistakes_get_reasons_and_hints() -> None:
    typed = ["help", "b2-n", "a1-e", "gibberish", "undo", "undo x", "moves b2", "save", "load"]
    result = run(*SKEW, typed=[*typed, "b2-ne", "board", "quit"])
    said = result.stdout
    assert "For example b2-e." in said
    assert "Did you mean b2-ne, b2-nw?" in said
    assert "No: a1 is not next to the black peg or an opponent's peg" in said
    assert "No: 'gibberish' is no Skew move" in said
    assert "No: nothing has been played yet" in said
    assert "No: undo takes a number" in said
    assert "b2-e  b2-ne  b2-nw  b2-w  b2-sw  b2-se\n6 legal moves" in said
    assert said.count("First played b2-ne. Second to move.") == 2
    assert result.exit_code == 0


def test_a_turn_of_two_actions_in_one_entry() -> None:
    result = run("play", "skirt", "-o", "side=4", typed=["a1", "a2-b", "a2-b3", "undo", "quit"])
    assert "Did you mean a2-b2, a2-b3?" in result.stdout
    assert "Black played a2-b3. White to move." in result.stdout
    assert "Black played a2. Black to move again." in result.stdout


def test_undo_and_resign_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "game.skr"
    played = ["b2-e", "a1-w", "undo 2", "c2-e", "resign", "c4-w"]
    result = run(*SKEW, "--save", str(file), typed=played)
    assert "First resigned" not in result.stdout
    assert "The game is over: Second resigned (1-0)." in result.stdout
    assert "No: the game is over: Second resigned (1-0); undo takes that back" in result.stdout
    assert f"Bye. The game is in {file}." in result.stdout
    (record,) = load(file)
    assert ([str(move) for move in record.moves()], record.result) == (["c2-e"], "1-0")
    again = run("play", "--save", str(file), typed=["undo", "c4-w", "quit"])
    assert "The game is over: Second resigned (1-0)." in again.stdout
    assert "Second played c4-w. First to move." in again.stdout
    assert load(file)[0].result == "*"


def test_nothing_else_in_a_save_file_is_lost(tmp_path: Path) -> None:
    file, other = tmp_path / "games.skr", tmp_path / "other.skr"
    commented = """\
[Game "x"]
[Options "size=3"]

1. a1 {first} *
"""
    file.write_text(f"{commented}\n{commented}")
    other.write_text(commented)
    typed = ["b2", f"save {other}", f"load {other}", "c3", "quit"]
    result = run("play", "--save", str(file), typed=typed)
    assert f"No: {other} already exists" in result.stdout
    assert other.read_text() == commented
    kept = file.read_text()
    assert kept.count("{first}") == 3
    assert [len(record.line.plies) for record in load(file)] == [1, 2, 2]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["x"], "holds a game of skew, not of x"),
        (["skew", "-o", "side=4"], "side 3, not 4"),
        (["--seed", "1"], "holds a game without a seed, not with seed 1"),
    ],
)
def test_another_game_does_not_overwrite_a_save_file(
    asked: list[str], said: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.skr"
    run(*SKEW, "--save", str(file), typed=["b2-e"])
    before = file.read_bytes()
    result = run("play", *asked, "--save", str(file))
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert file.read_bytes() == before


def test_a_damaged_save_file_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "game.skr"
    file.write_text('[Game "skew"]\n\n1. b2-')
    result = run(*SKEW, "--save", str(file))
    assert result.exit_code == 2
    assert f"{file}:3:" in result.stderr
    assert file.read_text().endswith("b2-")


def test_load_leaves_the_loaded_file_alone(tmp_path: Path) -> None:
    loaded, saved = tmp_path / "loaded.skr", tmp_path / "saved.json"
    save(loaded, skerry.records.Record.from_moves(skerry.make("x", size=3), moves=["a1"]))
    run("play", "--load", str(loaded), "--save", str(saved), typed=["b2"])
    assert len(load(loaded)[0].line.plies) == 1
    assert len(load(saved)[0].line.plies) == 2
    result = run("play", "--load", str(loaded), "--save", str(saved))
    assert result.exit_code == 2
    assert "holds a game already" in result.stderr


def test_a_killed_game_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "game.skr"
    process = start("play", "skaane", "--seed", "5", "--save", str(file))
    assert process.stdin is not None
    assert process.stdout is not None
    state = skerry.make("skaane").initial(5)
    for _ in range(3):
        move = state.legal_moves()[0]
        state = state.play(move)
        process.stdin.write(f"{move}\n")
    process.stdin.flush()
    for line in process.stdout:
        if line.startswith("Light played") and f"played {move}." in line:
            break
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    move = state.legal_moves()[0]
    result = run("play", "--save", str(file), typed=[str(move)])
    assert f"Dark played {move}. Light to move." in result.stdout
    assert load(file)[0].states()[-1] == state.play(move)


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux whether a process waits")
def test_tab_completes_and_ctrl_c_leaves() -> None:
    import pty  # noqa: PLC0415  # not on every system
    import termios  # noqa: PLC0415

    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(COMMAND[0], [*COMMAND, *SKEW], {**PLAIN_TERMINAL, "TERM": "xterm"})  # noqa: S606
    seen = b""

    def wait_for(text: bytes) -> None:
        nonlocal seen
        while text not in seen:
            assert select.select([terminal], [], [], 30)[0], f"{text!r} is not in {seen!r}"
            seen += os.read(terminal, 4096)
        seen = seen.partition(text)[2]

    def type_in(keys: bytes) -> None:
        # The line editor prints its prompt, and only then listens.
        while termios.tcgetattr(terminal)[3] & termios.ICANON or not is_waiting(pid):
            time.sleep(0.01)
        os.write(terminal, keys)

    wait_for(b"First> ")
    type_in(b"c4-n\t\t")
    wait_for(b"c4-ne  c4-nw")
    type_in(b"w\n")
    wait_for(b"First played c4-nw.")
    wait_for(b"Second> ")
    type_in(b"resi\t\n")
    wait_for(b"Second resigned")
    wait_for(b"over> ")
    type_in(b"\x03")
    with contextlib.suppress(OSError):  # the terminal closes when the process ends
        wait_for(b"Bye.\r\n")
        os.read(terminal, 4096)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def test_unknown_words_are_told_of_help() -> None:
    result = run(*SKEW, typed=["quti", "xyzzy", "hint", "help", "exit"])
    assert "Did you mean quit?" in result.stdout
    assert result.stdout.count("Type help for a list of commands.") == 2
    assert "Type moves to list all 36." in result.stdout
    assert "give up: the other seat wins" in result.stdout
    assert "(q and exit are the same)" in result.stdout
    assert result.stdout.endswith("Bye.\n")
    three = run("play", "x", typed=["help", "q"]).stdout
    assert "give up: the game ends without a winner" in three
