"""docs/library/agents.md is true: its files are written, its commands run, its session is held."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import skerry
from skerry.agents.command import SETTING, START, TIMEOUT
from skerry.agents.dialogue import Question, write_question
from skerry.agents.program import LONGEST_LINE, PATIENCE
from support.repeating import some_of
from support.running import complaints, run

PAGE = (Path(__file__).parents[2] / "docs" / "library" / "agents.md").read_text("utf-8")
FILES = re.findall(r"^\*\*`([\w.]+)`\*\*\n\n```\w+\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
CONSOLES = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
SAMPLES = re.findall(r"[^*]\n\n```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the files of the page are."""
    for name, text in FILES:
        path = tmp_path / name
        path.write_text(text.replace("#!/usr/bin/env python3", f"#!{sys.executable}"))
        path.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(
    ("command", "printed"),
    some_of(CONSOLES, [(line, said) for line, said in CONSOLES if not line.startswith("python")]),
    ids=[line for line, _ in CONSOLES],
)
def test_commands(folder: Path, command: str, printed: str) -> None:
    program, *arguments = shlex.split(command)
    if program == "python":
        done = subprocess.run(
            [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=True
        )
        shown = done.stdout
    else:
        result = run(*arguments)
        shown = "\n".join([result.stdout, *complaints(result.stderr)])
    pattern = ".*".join(map(re.escape, printed.strip().split("...")))
    assert re.fullmatch(pattern, shown.strip(), re.DOTALL), shown


def test_samples(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(folder)
    assert len(SAMPLES) == 1
    for code in SAMPLES:
        exec(compile(code, "agents.md", "exec"), {})  # noqa: S102  # our own page
    assert capsys.readouterr().out == re.search(r"print\(forfeit\)  # (.*)", PAGE)[1] + "\n"  # type: ignore[index]


def test_the_session(folder: Path) -> None:
    """The program of the page answers so, and this is what it is told."""
    (session,) = re.findall(r"^```session\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    sent = [line[2:] for line in session.splitlines() if line.startswith("> ")]
    back = [line[2:] for line in session.splitlines() if line.startswith("< ")]
    done = subprocess.run(
        ["./first.sh"],
        cwd=folder,
        input="".join(f"{line}\n" for line in sent),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == back
    start = skerry.make("x", size=3).initial()
    later = start.play("a1").play("c3").play("b2")
    first = write_question(Question(start, start, (), True, 10, 5))
    second = write_question(Question(later, start, ("a1", "c3", "b2"), False, 10, 6))
    assert sent == ["skerry 1", *first, *second, "quit"]


def test_figures() -> None:
    assert f"{LONGEST_LINE:,} bytes" in PAGE
    assert f"seconds for a move, {TIMEOUT:g} if" in PAGE
    assert f"until `ready`, {START:g} if" in PAGE
    assert "ended\nafter two seconds" in PAGE
    assert PATIENCE == 2
    rows = re.findall(r"^\| (`\w+=[SN]`.*?) \|", PAGE, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)=", row)}
    assert all(SETTING.match(f"{name}=1,") for name in named)
    assert named == set(SETTING.pattern[1 : SETTING.pattern.index(")")].split("|"))
