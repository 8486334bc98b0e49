"""``skerry train`` and what plays in bulk."""

import re
import sys
from pathlib import Path

import pytest

import skerry
from skerry.lab.beginnings import read_beginnings
from skerry.lab.corpus import read_corpus
from skerry.nets.file import read_net
from support.repeating import some_of
from support.running import complaints, run

TINY = ["train", "x", "-o", "size=2", "--batch", "8", "--simulations", "2", "--device", "cpu"]


def test_it_trains_and_goes_on(tmp_path: Path) -> None:
    arguments = [*TINY, "--minutes", "0.01", "--out", str(tmp_path / "run")]
    first = run(*arguments)
    assert first.exit_code == 0, first.output
    assert "simulations/s" in first.stdout.splitlines()[-1]
    assert (tmp_path / "run" / "checkpoint.pt").exists()
    second = run(*arguments, "--sizes", "--guests", "0.5")
    assert re.match(r"going on after \d\.\d minutes, \d+ games", second.stdout)
    recipe = read_net(tmp_path / "run" / "latest.net", skerry.make("x", size=2)).card["recipe"]
    assert recipe["guests"] == 0.5
    begun = ["--start", str(tmp_path / "run" / "latest.net")]
    assert "has a run already" in refuse(*arguments, *begun)
    third = run(*arguments[:-1], str(tmp_path / "further"), *begun)
    assert re.match(r"going on after \d\.\d minutes, \d+ games", third.stdout)


def test_what_is_wrong_is_said_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unusual = ["train", "skew", "-o", "pegs=5", "--device", "cpu", "--sizes"]
    assert "must be cpu or cuda" in refuse(*TINY[:4], "--device", "tpu")
    assert "--players needs --ray" in refuse(*TINY, "--players", "2")
    assert "is not HOST:PORT" in refuse(*TINY, "--ray", "nowhere")
    assert "no Ray cluster answers" in refuse(*TINY, "--ray", "127.0.0.1:99999")
    assert "a net of another shape" in refuse(*TINY, "--start", "best")
    assert "cannot be read" in refuse(*TINY, "--start", str(tmp_path / "no.net"))
    assert "one of the usual boards" in refuse(*unusual, "--out", str(tmp_path))
    monkeypatch.setitem(sys.modules, "ray", None)
    assert "pip install 'skerry[cluster]'" in refuse(*TINY, "--ray", "127.0.0.1:6379")
    monkeypatch.setitem(sys.modules, "torch", None)
    assert "pip install 'skerry[train]'" in refuse(*TINY)


def refuse(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 2
    (line,) = complaints(result.stderr)
    return line


def test_a_net_plays_in_bulk(tmp_path: Path) -> None:
    path = tmp_path / "games.npz"
    few = ["selfplay", "x", "-o", "size=3", "--games", "12", "--simulations", "2"]
    done = run(*few, "--device", "cpu", "--batch", "8", "--out", str(path))
    assert done.exit_code == 0, done.output
    assert "12 games of" in done.stdout
    assert len(read_corpus(path)) == 12
    assert "must end in .npz" in refuse(*few, "--out", str(tmp_path / "games.txt"))
    assert "cannot be read" in refuse(*few, "--net", "no.net", "--out", str(path))
    allied = run(*few, "--against", "green", "--warned", "--device", "cpu", "--out", str(path))
    assert allied.exit_code == 0, allied.output
    assert read_corpus(path).card["players"][0]["pact"] == ["Red", "Yellow"]
    told = run("trio", str(path), "--games", "4")
    assert "Red + Yellow (known)" in told.stdout.splitlines()[0]
    assert "no seat blue" in refuse(*few, "--against", "blue", "--out", str(path))
    assert "--warned needs --against" in refuse(*few, "--warned", "--out", str(path))


@pytest.mark.parametrize(
    "lost", some_of([["early.npz"], ["early.npz", "beginnings.json"]], [["early.npz"]])
)
def test_a_survey_keeps_what_is_there(tmp_path: Path, lost: list[str]) -> None:
    asked = ["survey", "skirt", "-o", "side=2", "--games", "8", "--evidence", "24", "--starts", "3"]
    asked += ["--plies", "1", "--simulations", "8", "--device", "cpu", "--batch", "64"]
    first = run(*asked, "--early", "minute-0.6", "--out", str(tmp_path))
    assert first.exit_code == 0, first.output
    assert "first moves" in first.stdout.splitlines()[-1]
    early = read_corpus(tmp_path / "early.npz")
    assert len(early) == len(read_corpus(tmp_path / "best.npz")) == 8
    path = tmp_path / "beginnings.json"
    found = read_beginnings(path.read_text(), "it")
    assert [each.simulations for each in found.first_moves[0].evidence] == [8, 2, 8, 32]
    assert all(each.evidence[-1].won[0].n >= 24 for each in found.first_moves)
    for name in lost:
        (tmp_path / name).unlink()
    again = run(*asked, "--early", "minute-0.6", "--out", str(tmp_path))
    assert "early.npz" in again.stdout
    assert "best.npz" not in again.stdout
    assert read_beginnings(path.read_text(), "it") == found
    assert "cannot be read" in refuse(*asked, "--net", "no.net", "--out", str(tmp_path / "other"))


def test_a_survey_of_three_seats_may_ask_for_first_moves_alone(tmp_path: Path) -> None:
    asked = ["survey", "x", "-o", "size=2", "--games", "0", "--starts", "0", "--evidence", "24"]
    done = run(*asked, "--simulations", "8", "--device", "cpu", "--out", str(tmp_path))
    assert done.exit_code == 0, done.output
    assert [path.name for path in tmp_path.iterdir()] == ["beginnings.json"]
    found = read_beginnings((tmp_path / "beginnings.json").read_text(), "it")
    assert sorted(len(each.images) for each in found.first_moves) == [2, 2]
    assert all(len(each.evidence[-1].won) == 3 for each in found.first_moves)
    assert not found.even_starts
