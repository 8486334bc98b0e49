"""Reports from the command line: files, killed processes, clear refusals."""

import json
import os
import signal
from pathlib import Path
from time import sleep

import pytest

from support.running import complaints, run, start, watch

# Killed, interrupted and watched by make soak: every run does so to tournaments, which are kept and
# shown in the same way.
REPORT = ["report", "skirt", "-o", "side=2", "--strengths", "random,level:1,level:2"]
REPORT += ["--jobs", "1"]


def units_in(folder: Path) -> dict[str, int]:
    """Every kept unit, and when its file was written."""
    return {file.name: file.stat().st_mtime_ns for file in (folder / "units").glob("*.json")}


@pytest.mark.usefixtures("in_this_process")
def test_a_report(tmp_path: Path) -> None:
    result = run(*REPORT, "--budget", "150games", "--out", str(tmp_path))
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].startswith("Black is favoured: 100.0 % (")
    assert lines[-1] == f"written to {tmp_path / 'report.html'}"
    content = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert content["summary"] == lines[:-2]
    assert content["games"] >= 150
    assert "<html" in (tmp_path / "report.html").read_text("utf-8")
    again = run(*REPORT, "--budget", "150games", "--out", str(tmp_path), "--json")
    assert json.loads(again.stdout) == content


@pytest.mark.soak
@pytest.mark.usefixtures("in_this_process")
def test_a_killed_report_loses_nothing_and_is_the_same(tmp_path: Path) -> None:
    arguments = [*REPORT, "--budget", "80games", "--seed", "3", "--jobs"]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert run(*arguments, "1", "--out", str(whole)).exit_code == 0
    process = start(*arguments, "2", "--out", str(killed))
    while len(units_in(killed)) < 5:
        assert process.poll() is None, process.communicate()
        sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = units_in(killed)
    assert run(*arguments, "2", "--out", str(killed)).exit_code == 0
    assert before.items() <= units_in(killed).items()
    for name in ("report.json", "report.html"):
        assert (killed / name).read_bytes() == (whole / name).read_bytes()


@pytest.mark.soak
def test_an_interrupted_report_says_how_to_go_on(tmp_path: Path) -> None:
    process = start(*REPORT, "--budget", "1h", "--out", str(tmp_path), start_new_session=True)
    while not units_in(tmp_path):
        assert process.poll() is None, process.communicate()
        sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    _, complaint = process.communicate()
    assert process.returncode == 130
    assert complaints(complaint) == [
        "skerry: stopped; finished work is kept, and the same command resumes"
    ]


@pytest.mark.usefixtures("in_this_process")
def test_a_comparison(tmp_path: Path) -> None:
    budget = ["--budget", "160games", "--compare", "side=3"]
    result = run(*REPORT, *budget, "--out", str(tmp_path))
    assert result.exit_code == 0, result.stderr
    assert "side=3 lasts " in result.stdout
    assert result.stdout.splitlines()[-1] == f"written to {tmp_path / 'comparison.html'}"
    content = json.loads((tmp_path / "comparison.json").read_text("utf-8"))
    assert (content["first"], content["second"]) == ({"side": 2}, {"side": 3})
    for name in ("side=2", "side=3"):
        assert (tmp_path / name / "report.html").exists()
        half = json.loads((tmp_path / name / "report.json").read_text("utf-8"))
        assert 80 <= half["games"] < 130
    assert "<html" in (tmp_path / "comparison.html").read_text("utf-8")


@pytest.mark.soak
@pytest.mark.usefixtures("in_this_process")
def test_progress_is_shown_on_a_terminal_only(tmp_path: Path) -> None:
    arguments = [*REPORT, "--budget", "30games", "--out", str(tmp_path)]
    _, shown = watch(*arguments)
    assert "games of 30 games" in shown
    assert complaints(run(*arguments).stderr) == []


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["report", "chess"], "chess"),
        (["report", "skirt", "-o", "side=99"], "side must be a whole number from 2 to 12"),
        (["report", "skirt", "--budget", "soon"], "'soon' is not a budget: write a time such as"),
        (["report", "skirt", "--budget", "0games"], "is not a budget"),
        (["report", "skirt", "--strengths", "level:11"], "there is no player 'level:11'"),
        (["report", "skirt", "--strengths", "level:2,level:1"], "from the weakest to the"),
        (["report", "skirt", "--strengths", "random,random"], "name random and levels once"),
        (["report", "skirt", "--compare", "side=6"], "changes nothing"),
        (["report", "skirt", "--compare", "side"], "is not NAME=VALUE"),
        (["report", "skirt", "--compare", "size=7"], "size"),
        (["report", "skirt", "--jobs", "0"], "--jobs must be a whole number from 1"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_played(
    tmp_path: Path, arguments: list[str], complaint: str
) -> None:
    result = run(*arguments, "--out", str(tmp_path / "report"))
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert not (tmp_path / "report").exists()


@pytest.mark.usefixtures("in_this_process")
def test_folders_that_cannot_be_used(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file")
    result = run(*REPORT, "--budget", "1games", "--out", str(taken))
    assert result.exit_code == 2
    assert "cannot be used" in result.stderr
    assert taken.read_text() == "a file"
    folder = str(tmp_path / "report")
    assert run(*REPORT, "--budget", "1games", "--out", folder).exit_code == 0
    other = run(*REPORT, "--budget", "1games", "--seed", "1", "--out", folder)
    assert other.exit_code == 2
    assert "name another folder" in other.stderr
