"""All commands but play: what they print, and what they say to bad input."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

import skerry
from skerry.cli import app
from skerry.cli.common.setup import INTERRUPTED
from skerry.records import Record, save
from support.running import COMMAND, PLAIN_TERMINAL, complaints, interrupt, run, start, watch
from support.working import seconds_worked

COMMANDS = [found.name for found in (*app.registered_commands, *app.registered_groups)]


def test_games_lists_them_all() -> None:
    listed = json.loads(run("games", "--json").stdout)
    assert [game["name"] for game in listed] == list(skerry.GAMES)
    text = run("games").stdout
    for game in listed:
        assert game["credit"] in text
        assert skerry.make(game["name"]).all_options == {
            option["name"]: option["default"] for option in game["options"]
        }
        for option in game["options"]:
            assert option["low"] <= option["default"] <= option["high"]
            assert f"{option['low']} to {option['high']}" in text


@pytest.mark.parametrize("name", skerry.GAMES)
def test_show(name: str, tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    state = skerry.make(name).initial(seed=7)
    result = run("show", name.upper(), "--seed", "7", "--svg", str(picture), "--ascii")
    assert result.exit_code == 0
    assert result.stdout.isascii()
    assert f"{len(state.legal_moves())} legal moves" in result.stdout
    assert f"position: {state.position}" in result.stdout
    ElementTree.parse(picture)  # noqa: S314  our own output
    shown = json.loads(run("show", name, "--seed", "7", "--json").stdout)
    assert shown["position"] == state.position
    assert shown["legal_moves"] == [str(move) for move in state.legal_moves()]
    assert shown["outcome"] is None


def test_show_plays_moves_and_tells_the_outcome() -> None:
    game = ["show", "skew", "-o", "side=2", "-o", "pegs=1"]
    state = skerry.make("skew", side=2, pegs=1).initial().play("b1-e").play("a1-w")
    assert state.outcome is not None
    shown = json.loads(run(*game, "-m", "b1-e a1-w", "--json").stdout)
    assert shown["outcome"]["reason"] == state.outcome.reason
    assert shown["outcome"]["score"] == [1, 0]
    assert (shown["to_move"], shown["seat"]) == (None, None)
    assert state.outcome.reason in run(*game, "--position", state.position).stdout
    dark = run(*game, "--svg", "-", "--theme", "dark").stdout
    assert dark.startswith("<svg")
    assert run(*game, "--svg", "-", "--theme", "dark+wood+flat").stdout != dark


def test_pictures_in_pixels(tmp_path: Path) -> None:
    shown, thought = tmp_path / "board.png", tmp_path / "engine.png"
    result = run(
        *("show", "skirt", "--moves", "a3 a4-c4", "--overlay", "focus:a5"),
        *("--png", str(shown), "--width", "200", "--theme", "print"),
    )
    assert result.exit_code == 0
    assert "a5 reaches" in result.stdout
    with Image.open(shown) as picture:
        assert picture.width == 200
    result = run("analyse", "x", "-o", "size=4", "--simulations", "50", "--png", str(thought))
    assert result.exit_code == 0
    with Image.open(thought) as picture:
        assert picture.width == 800


def test_a_picture_goes_to_standard_output_and_over_nothing(tmp_path: Path) -> None:
    board = ["show", "x", "-o", "size=2", "--width", "40"]
    picture = run(*board, "--png", "-").stdout_bytes
    with Image.open(BytesIO(picture)) as shown:
        assert shown.width == 40
    kept = tmp_path / "board.png"
    kept.write_text("mine")
    refused = run(*board, "--png", str(kept))
    assert refused.exit_code == 2
    assert "overwrite it with --force" in refused.stderr
    assert kept.read_text() == "mine"
    assert run(*board, "--png", str(kept), "--force").exit_code == 0
    assert kept.read_bytes() == picture


def test_what_was_found_before_an_interrupt_is_told() -> None:
    code, printed, _ = interrupt("perft", "x", "9", once="so far")
    assert (code, printed[:12]) == (INTERRUPTED, "perft(9) >= ")
    code, printed, _ = interrupt("analyse", "x", "--seconds", "600", once="simulations, ")
    assert code == INTERRUPTED
    assert "Red to move, best is " in printed


def test_shells_complete_commands_and_games() -> None:
    def complete(line: str) -> list[str]:
        words = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
        done = subprocess.run(
            COMMAND,
            env={**os.environ, **words, "_SKERRY_COMPLETE": "complete_bash"},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.split()

    assert complete("skerry pu") == ["puzzles"]
    assert complete("skerry show sk") == ["skew", "skirt", "skaane"]


def test_a_film(tmp_path: Path) -> None:
    record, film = tmp_path / "game.skr", tmp_path / "game.gif"
    game = skerry.make("x", size=2)
    state, moves = game.initial(), []
    while not state.is_over:
        moves.append(state.legal_moves()[0])
        state = state.play(moves[-1])
    save(record, Record.from_moves(game, game.initial(), moves))
    result = run("replay", str(record), "--film", str(film), "--width", "100", "--pace", "0.1")
    assert result.exit_code == 0
    with Image.open(film) as shown:
        assert shown.n_frames == len(moves) + 1


def test_perft() -> None:
    game = skerry.make("skew", side=3, pegs=3)
    options = ["-o", "side=3", "-o", "pegs=3"]
    counted = json.loads(run("perft", "skew", "3", *options, "--divide", "--json").stdout)
    assert counted["nodes"] == sum(counted["divide"].values()) == game.perft(3)
    assert list(counted["divide"]) == [str(move) for move in game.initial().legal_moves()]
    assert f"perft(2) = {game.perft(2)} " in run("perft", "skew", "2", *options).stdout


def test_replay(tmp_path: Path) -> None:
    game = skerry.make("skirt", side=3)
    records = [
        Record.from_moves(game, moves=["a1", "a2-b3"], headers={"White": "Ann"}),
        Record.from_moves(game, moves=["a1"], result="0-1"),
    ]
    file = tmp_path / "games.skr"
    save(file, records)
    result = run("replay", str(file))
    assert result.stdout.splitlines() == [
        "1. skirt side=3: Ann - ?, 3 plies, *",
        "2. skirt side=3: 1 ply, 0-1",
    ]
    assert run("replay", str(file), "--quiet").stdout == ""
    assert [game["plies"] for game in json.loads(run("replay", str(file), "--json").stdout)] == [
        3,
        1,
    ]

    file.write_text(file.read_text().replace("a2-b3", "a2-a3"))
    result = run("replay", str(file), "--quiet")
    assert result.exit_code == 2
    (line,) = complaints(result.stderr)
    assert line.startswith(f"skerry: {file}:5: move 2 'a2-a3': ")


def test_replay_reads_the_standard_input() -> None:
    typed = ['[Game "x"]', '[Options "size=3"]', "", "1. a1 *"]
    assert run("replay", "-", typed=typed).stdout == "1. x size=3: 1 ply, *\n"
    broken = run("replay", "-", typed=[*typed[:-1], "1. z9 *"])
    assert "standard input:4: move 1 'z9'" in broken.stderr


def test_records_cannot_act_on_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "game.skr"
    name = "\x1b[31mred\x07\x9b2J\u202e\U000e0041"
    game = skerry.make("x", size=3)
    shown = r"\u001b[31mred\u0007\u009b2J\u202e\udb40\udc41"
    headers = {"Red": name, "Termination": name}
    save(file, Record.from_moves(game, headers=headers, result="1-0-0"))
    replayed = run("replay", str(file)).stdout
    assert replayed == f"1. x size=3: {shown} - ? - ?, 0 plies, 1-0-0\n"
    played = run("play", "--load", str(file)).stdout
    assert f"The game is over: {shown} (1-0-0)." in played
    described = run("replay", str(file), "--json").stdout
    assert json.loads(described)[0]["players"][0] == name
    for text in (replayed, played, described):
        assert all(letter.isprintable() or letter == "\n" for letter in text)


def test_analyse() -> None:
    arguments = ["analyse", "x", "-o", "size=2", "-m", "a1", "--simulations", "300", "--top", "2"]
    result = run(*arguments)
    assert result.exit_code == 0
    found = json.loads(run(*arguments, "--json").stdout)
    assert len(found["values"]) == 3
    assert len(found["moves"]) == 2
    assert (found["seat"], found["best"]) == ("Yellow", found["moves"][0]["move"])
    assert found["pv"] == found["moves"][0]["pv"]
    assert f"Yellow to move, best is {found['best']}" in result.stdout
    assert f"line: {' '.join(found['pv'])}" in result.stdout


def test_bench() -> None:
    measured = json.loads(run("bench", "x", "--seconds", "0.05", "--json").stdout)
    assert [row["game"] for name in ("playouts", "perft") for row in measured[name]] == ["x", "x"]
    shown = run("bench", "x", "--seconds", "0.05").stdout
    assert shown.count("x size=10 ") == 2


def test_bench_without_its_peer_measures_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    for extra in ([], ["--json"]):
        result = run("bench", "x", "--peers", "--seconds", "600", *extra)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "OpenSpiel is not installed" in result.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux how long a process has worked")
def test_long_work_stops_at_once() -> None:
    process = start("bench", "x", "--seconds", "600")
    assert process.stdout is not None
    assert process.stdout.readline().startswith("random playouts")
    begun = seconds_worked(process.pid)
    while seconds_worked(process.pid) < begun + 0.5:  # then a kernel runs, or is being compiled
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=300)  # half of what the measurement would have taken
    assert process.returncode == -signal.SIGINT


BAD_INPUT = {
    "unknown command": (["dance"], "No such command"),
    "unknown flag": (["show", "skew", "--bogus"], "--bogus"),
    "no game": (["show"], "GAME"),
    "unknown game": (["show", "nim"], "the games are skew"),
    "option out of range": (["show", "skew", "-o", "side=99"], "from 2 to 9"),
    "option of another game": (["show", "skew", "-o", "size=5"], "no option 'size'"),
    "option named self": (["show", "skew", "-o", "self=5"], "no option 'self'"),
    "option that is no number": (["show", "skew", "-o", "side=five"], "not 'five'"),
    "option without a value": (["show", "skew", "-o", "side"], "is not NAME=VALUE, such as side=4"),
    "option twice": (["show", "skew", "-o", "side=4", "-o", "side=5"], "twice"),
    "bad position": (["show", "skew", "-p", "nonsense"], "2 fields"),
    "position and seed": (["show", "skaane", "-p", "x w 0", "--seed", "1"], "not both"),
    "bad seed": (["show", "skaane", "--seed", "-1"], "seed"),
    "unreadable move": (["show", "skew", "-m", "d4-ne up"], "move 2 'up'"),
    "illegal move": (["show", "skew", "-m", "a1-e"], "move 1 'a1-e': a1 is not next to"),
    "no such folder": (["show", "x", "--svg", "/no/such/board.svg"], "/no/such/board.svg"),
    "unknown theme": (["show", "x", "--svg", "-", "--theme", "pink"], "light, dark, print"),
    "unknown style": (["show", "x", "--svg", "-", "--theme", "dark+oak"], "wood, contrast"),
    "unknown theme of an analysis": (
        ["analyse", "x", "--seconds", "9999", "--theme", "pink"],
        "light, dark, print",
    ),
    "no folder for a picture": (
        ["analyse", "x", "--seconds", "9999", "--png", "/no/such/board.png"],
        "no folder /no/such",
    ),
    "film in no folder": (["replay", "README.md", "--film", "/no/such/film.gif"], "no folder"),
    "picture that is a folder": (["show", "x", "--png", "/"], "/ is a folder"),
    "unknown overlay": (["show", "x", "--overlay", "wonder"], "standing, targets, guide"),
    "no such cell": (["show", "x", "--overlay", "focus:z9"], "focus:a1"),
    "two pictures on one output": (["show", "x", "--png", "-", "--svg", "-"], "only one picture"),
    "port that cannot be": (["serve", "--port", "99999"], "from 0 to 65535"),
    "tiny picture": (["show", "x", "--png", "x.png", "--width", "3"], "16"),
    "unknown film": (["replay", "README.md", "--film", "game.mp4"], ".gif, .webp, .png"),
    "game without a film": (["replay", "README.md", "--game-number", "1"], "--film"),
    "picture of a record": (["analyse", "--record", "x.skr", "--png", "x.png"], "one position"),
    "depth that is no number": (["perft", "x", "deep"], "DEPTH"),
    "negative depth": (["perft", "x", "--", "-1"], "DEPTH must be a whole number from 0 to"),
    "depth that looks like an option": (["perft", "x", "-1"], "-1 is negative"),
    "seed that is no number": (
        ["show", "x", "--seed", "abc"],
        "--seed must be a whole number of at",
    ),
    "unknown theme without a picture": (["show", "x", "--theme", "pink"], "light, dark"),
    "no game to play, no folder to save in": (
        ["play", "--save", "/no/such/x"],
        "no folder /no/such",
    ),
    "save to a folder": (["play", "x", "--save", "/"], "/ is a folder; name a file"),
    "seat that is not there": (["play", "skew", "--seat3", "random"], "leave out --seat3"),
    "unknown player": (["play", "skew", "--seat1", "deepblue"], "--seat1: there is no player"),
    "analysis of a finished game": (
        ["analyse", "skew", "-o", "side=2", "-o", "pegs=1", "-m", "b1-e a1-w"],
        "nothing to analyse",
    ),
    "simulations that are no number": (["analyse", "x", "--simulations", "0"], "from 1 to"),
    "nothing to divide": (["perft", "x", "0", "--divide"], "a DEPTH of at least 1"),
    "no such file": (["replay", "/no/such/file"], "/no/such/file: cannot be read"),
    "a folder": (["replay", "/"], "cannot be read"),
    "no game in a saved file": (["play", "--load", "/no/such/file"], "cannot be read"),
    "save to a device": (["play", "x", "--save", "/dev/null"], "not an ordinary file"),
    "save to no folder": (["play", "x", "--save", "/no/such/file"], "cannot be written"),
}


@pytest.mark.parametrize(("arguments", "said"), BAD_INPUT.values(), ids=BAD_INPUT)
def test_bad_input_gets_one_line_and_exit_code_2(arguments: list[str], said: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = complaints(result.stderr)
    assert line.startswith("skerry: ")
    assert said in line


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)])
def test_help_has_examples(command: list[str]) -> None:
    result = run(*command, "--help")
    assert result.exit_code == 0
    assert f"skerry {' '.join(command)}".strip() in result.stdout.partition("Examples:")[2]


def test_no_command_is_help_and_version_is_short() -> None:
    assert run().stdout == run("--help").stdout
    assert run("--version").stdout == f"skerry {skerry.__version__}\n"


def test_the_command_line_itself_needs_no_compiler() -> None:
    """With a bare package around it, so that only what the command line imports is seen."""
    code = f"""
import sys, types
package = types.ModuleType("skerry")
package.__path__ = {skerry.__path__!r}
package.__version__ = "0"
sys.modules["skerry"] = package
from skerry.cli import app
for arguments in (["--version"], ["--help"], ["play", "--help"], ["dance"]):
    try:
        app(arguments)
    except SystemExit:
        pass
heavy = {{"numba", "numpy", "skerry.games", "rich"}} & set(sys.modules)
sys.exit(str(heavy) if heavy else 0)
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, env=PLAIN_TERMINAL, check=False)
    assert done.returncode == 0, done.stderr


def test_a_closed_pipe_is_silent() -> None:
    process = start("games")
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    assert process.communicate()[1] == ""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell that closes streams")
@pytest.mark.parametrize(
    ("command", "closed", "said"),
    [
        ("show x", ">&-", "standard output is closed"),
        pytest.param("play x", "<&-", "standard input is closed", marks=pytest.mark.soak),
        ("replay -", "<&-", "standard input is closed"),
        ("games", ">/dev/full", "No space left"),
    ],
)
def test_closed_streams_get_one_line(command: str, closed: str, said: str) -> None:
    line = f'"{sys.executable}" -m skerry.cli {command} {closed}'
    done = subprocess.run(  # noqa: S602  our own line
        line, shell=True, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, check=False
    )
    (complaint,) = complaints(done.stderr)
    assert complaint.startswith(f"skerry: {said}")
    assert done.returncode == 2


@pytest.mark.soak
def test_compiling_is_announced_once(tmp_path: Path) -> None:
    fresh = {**PLAIN_TERMINAL, "SKERRY_CACHE": str(tmp_path)}
    arguments = ["show", "skew", "--option", "side=2"]
    said = [start(*arguments, env=fresh).communicate()[1] for _ in range(2)]
    notice = "compiling the rules of Skew for this board size; later runs start at once ...\n"
    assert said == [notice, ""]


@pytest.mark.soak
def test_an_analysis_shows_how_much_of_the_engine_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKERRY_CACHE", str(tmp_path))
    arguments = ["analyse", "x", "-o", "size=2", "--simulations", "10", "--net", "none"]
    told = [re.findall(r"the engine gets ready: (\d+) %", watch(*arguments)[1]) for _ in range(2)]
    per_cent = [int(each) for each in told[0]]
    assert (per_cent[0], per_cent[-1]) == (0, 100)
    assert per_cent == sorted(per_cent)
    assert told[1] == []


def test_terminals_without_the_characters_get_ascii() -> None:
    process = start("show", "skew", env={**PLAIN_TERMINAL, "PYTHONIOENCODING": "ascii"})
    shown, said = process.communicate()
    assert (process.returncode, complaints(said)) == (0, [])
    assert shown == run("show", "skew", "--ascii").stdout
