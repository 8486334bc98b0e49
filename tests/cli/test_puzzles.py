"""``skerry puzzles``: mining with a seed, and proving again."""

import json
import re
import resource
from dataclasses import replace
from pathlib import Path

import pytest

from skerry.study import mining, puzzles
from skerry.study.puzzles import load, read
from support.running import complaints, interrupt, run

SKAANE = [
    part
    for option in ("width=4", "height=6", "gods=2", "kings=3", "serfs=2", "suns=1")
    for part in ("--option", option)
]


def test_mining_writes_what_can_be_read_and_never_writes_over(tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    arguments = ["puzzles", "mine", "skaane", *SKAANE, "--seed", "3", "--count", "3"]
    assert run(*arguments, "--out", str(file)).exit_code == 0
    found = read(file.read_text("utf-8"))
    assert [puzzle.difficulty for puzzle in found] == [1, 2, 3]
    assert json.loads(file.read_text("utf-8"))["seed"] == 3
    again = run(*arguments)
    assert again.stdout == file.read_text("utf-8")
    refused = run(*arguments, "--out", str(file))
    assert refused.exit_code == 2
    assert "already exists" in refused.stderr


@pytest.fixture
def quick_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games without a puzzle are enough to give up."""
    monkeypatch.setattr(mining, "FRUITLESS", 2)


@pytest.mark.usefixtures("quick_end")
def test_mining_that_falls_short_keeps_what_it_found(tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    arguments = ["puzzles", "mine", "skaane", *SKAANE, "--seed", "8", "--count", "90"]
    short = run(*arguments, "--out", str(file))
    assert short.exit_code == 2
    found = read(file.read_text("utf-8"))
    (said,) = complaints(short.stderr)
    assert f"games gave {len(found)} puzzles of 90, the last 2 none; ask for fewer" in said
    assert said.endswith(f"; those found are kept in {file}")
    assert len(found) > 1


@pytest.mark.usefixtures("quick_end")
def test_a_full_disk_leaves_what_was_found_before(tmp_path: Path) -> None:
    """Files of this process may have so many bytes: enough for a puzzle or two, not for all."""
    file = tmp_path / "found.json"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (450, before[1]))
    try:
        arguments = ["puzzles", "mine", "skaane", *SKAANE, "--seed", "3", "--count", "30"]
        full = run(*arguments, "--out", str(file))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert full.exit_code == 2
    assert complaints(full.stderr)[-1].startswith("skerry: ")
    assert read(file.read_text("utf-8"))
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


@pytest.mark.soak
@pytest.mark.usefixtures("quick_end")
def test_mining_without_a_file_prints_what_it_found() -> None:
    short = run("puzzles", "mine", "skaane", *SKAANE, "--seed", "8", "--count", "90")
    assert short.exit_code == 2
    assert len(read(short.stdout)) > 1
    assert complaints(short.stderr)[0].endswith("; those found are printed")


@pytest.mark.soak
def test_the_examples_of_the_page_find_what_they_ask_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[2] / "docs" / "play" / "cli.md").read_text("utf-8")
    examples = re.findall(r"^skerry (puzzles mine .*)$", page, re.MULTILINE)
    assert len(examples) == 2
    for example in examples:
        done = run(*example.split())
        assert done.exit_code == 0, done.stderr
        assert f"skerry {example}" in " ".join(run("puzzles", "mine", "--help").stdout.split())
    assert len(read((tmp_path / "skirt.json").read_text("utf-8"))) == 3


@pytest.mark.soak
def test_mining_that_is_stopped_keeps_what_it_found(tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    arguments = ["puzzles", "mine", "skaane", *SKAANE, "--seed", "3", "--count", "30"]
    code, printed, shown = interrupt(*arguments, "--out", str(file), once="2 of 30")
    assert (code, printed) == (130, "")
    assert f"skerry: stopped; those found are kept in {file}" in shown
    assert len(read(file.read_text("utf-8"))) >= 2


def test_a_flaw_is_named_and_changes_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, *_ = load("x")
    flawed = replace(second, line=first.line)
    monkeypatch.setattr(puzzles, "load", lambda name: (first, flawed))
    result = run("puzzles", "check", "X")
    assert result.exit_code == 1
    assert result.stdout == "x: 1 of 2 puzzles proven\n"
    (line,) = complaints(result.stderr)
    assert line.startswith("x 2: the ways to win are ")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["check", "chess"], "there are no puzzles for 'chess'; use skew, skirt, x, skaane"),
        (["mine", "chess"], "chess"),
        (["mine", "x", "--count", "2"], "--count must be a whole number from 3 to 10000, not '2'"),
        (["mine", "x", "--seed", "-1"], "--seed must be a whole number of at least 0"),
        (["mine", "x", "--option", "size=99"], "size"),
        (["mine", "x", "--out", "/nowhere/x.json"], "there is no folder /nowhere"),
        (["dance"], "dance"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(arguments: list[str], complaint: str) -> None:
    result = run("puzzles", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = complaints(result.stderr)
    assert line.startswith("skerry: ")
    assert complaint in line


def test_without_more_it_explains_itself() -> None:
    assert run("puzzles").stdout == run("puzzles", "--help").stdout
