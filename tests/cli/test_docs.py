"""The examples of docs/play/cli.md print what the page says; ``...`` stands for anything."""

import re
import shlex
from pathlib import Path

import pytest

import skerry
from skerry.cli import app
from skerry.records import Record, save
from support.running import complaints, run

PAGE = (Path(__file__).parents[2] / "docs" / "play" / "cli.md").read_text("utf-8")
CONSOLES = re.findall(r"^```console\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
EXAMPLES = [
    example.partition("\n")[::2] for block in CONSOLES for example in block.split("$ skerry ")[1:]
]
TYPED = re.compile(r"^\w+> (.*)$", re.MULTILINE)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files that the examples speak of."""
    monkeypatch.chdir(tmp_path)
    game = skerry.make("skirt", side=4)
    players = {"White": "Ann", "Black": "Ben"}
    first = Record.from_moves(game, moves=["a1", "a2-b3"], headers=players)
    save("games.skr", [first, Record.from_moves(game, moves=["a1"], result="0-1")])
    save("broken.skr", Record.from_moves(game, moves=["a1", "a2-b3"]))
    broken = Path("broken.skr")
    broken.write_text("\n" + broken.read_text("utf-8").replace("a2-b3", "a2-a3"))


@pytest.mark.usefixtures("files", "in_this_process")
@pytest.mark.parametrize(("command", "printed"), EXAMPLES, ids=[line for line, _ in EXAMPLES])
def test_example(command: str, printed: str) -> None:
    result = run(*shlex.split(command), typed=TYPED.findall(printed))
    pattern = ".*".join(map(re.escape, printed.strip("\n").split("...")))
    shown = "\n".join([result.stdout.rstrip("\n"), *complaints(result.stderr)]).strip("\n")
    # A board's first line is indented, so only line breaks are trimmed.
    assert re.fullmatch(pattern, shown, re.DOTALL), shown


def test_every_command_has_its_place() -> None:
    listed = re.findall(r"^\| \[?`skerry (\w+)`", PAGE, re.MULTILINE)
    commands = (*app.registered_commands, *app.registered_groups)
    assert sorted(listed) == sorted(str(command.name) for command in commands)
