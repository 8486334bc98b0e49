"""The curve of a run: its nets are found, meet each other, and are rated and drawn."""

import json
from pathlib import Path

import pytest

import skerry
from skerry.lab.curve import list_stages
from skerry.nets.file import Net, write_net
from support.nets import random_net
from support.running import run

SMALL = ["x", "-o", "size=3"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    game = skerry.make("x", size=3)
    for name, minutes in (("minute-2", 2.0), ("latest", 3.5), ("minute-0.25", 0.25)):
        made = random_net(game, seed=int(4 * minutes))
        card = {"headway": {"minutes": minutes}}
        write_net(tmp_path / "run" / f"{name}.net", Net("x", made.shape, made.weights, card))
    return tmp_path / "run"


def test_stages_are_in_the_order_of_their_minutes(folder: Path) -> None:
    stages = list_stages(folder, skerry.make("x", size=3), 7)
    assert [stage.minutes for stage in stages] == [0.25, 2.0, 3.5]
    assert stages[1].player == f"net:file={folder / 'minute-2.net'},simulations=7"


def test_a_curve_is_told_and_drawn(folder: Path, tmp_path: Path) -> None:
    plot = tmp_path / "curve.svg"
    command = ["curve", *SMALL[:1], str(folder), *SMALL[1:], "--out", str(tmp_path / "games")]
    command += ["--games", "6", "--simulations", "1", "--against", "random", "--jobs", "1"]
    told = run(*command, "--plot", str(plot))
    assert told.exit_code == 0, told.stderr
    who = [line.split("  +")[0].split("  -")[0].strip() for line in told.stdout.splitlines()]
    assert who[:4] == ["0.25 min", "2 min", "3.5 min", "random"]
    assert "<svg" in plot.read_text("utf-8")
    found = json.loads(run(*command, "--json").stdout)
    assert [each["minutes"] for each in found] == [0.25, 2.0, 3.5, None]
    assert found[0]["elo"] == 0
    # Of four in a row each meets the next two: 0-1, 0-2, 1-2, 1-3 and 2-3.
    assert [each["games"] for each in found] == [12, 18, 18, 12]


def test_a_folder_without_nets_has_no_curve(tmp_path: Path) -> None:
    result = run("curve", "x", str(tmp_path), "--out", str(tmp_path / "games"))
    assert result.exit_code == 2
    assert "fewer than 2 nets" in result.stderr


@pytest.mark.soak
def test_games_of_another_net_are_not_taken_for_those_of_this_one(
    folder: Path, tmp_path: Path
) -> None:
    net = f"net:file={folder / 'latest.net'},looks=1"
    command = ["match", *SMALL, net, "random", "--games", "6", "--jobs", "1"]
    command += ["--out", str(tmp_path / "games")]
    assert run(*command).exit_code == 0
    write_net(folder / "latest.net", random_net(skerry.make("x", size=3), seed=99))
    other = run(*command)
    assert other.exit_code == 2
    assert "name another folder" in other.stderr
