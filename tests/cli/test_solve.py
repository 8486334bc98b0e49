"""``skerry solve``."""

import json

import pytest

import skerry
from support.running import complaints, interrupt, run

SKAANE = [f"-o{name}=1" for name in ("gods", "kings", "serfs", "suns")]
SKAANE += ["-owidth=2", "-oheight=5", "-oquiet_limit=3"]


def test_it_says_in_words_what_the_library_says() -> None:
    shown = run("solve", "skirt", "-o", "side=2", "--moves", "a1").stdout.splitlines()
    solution = skerry.solve(skerry.make("skirt", side=2).initial().play("a1"))
    assert shown[0] == "Black wins with best play"
    listed = shown[1].partition(": ")[2].split()
    assert listed == [str(move) for move in solution.optimal_moves]
    assert shown[2].startswith(f"{solution.nodes:,} nodes in ")


def test_a_draw_is_a_draw() -> None:
    assert run("solve", "skaane", *SKAANE).stdout.startswith("best play is a draw\n")


def test_three_seats_are_told_what_they_can_force() -> None:
    shown = run("solve", "x", "-o", "size=2").stdout.splitlines()
    assert shown[:3] == [
        "Red wins with best play",
        "returns: Red +1, Yellow -0.5, Green -0.5",
        "Red can force a win against all others together",
    ]


def test_a_finished_game_is_told_as_such() -> None:
    result = run("solve", "x", "-o", "size=2", "--moves", "a1 b2 a2 b1")
    assert result.stdout == "the game is over: Red has won\n"


def test_json_has_all_of_it() -> None:
    content = json.loads(run("solve", "x", "-o", "size=2", "--json").stdout)
    assert content["returns"] == [1.0, -0.5, -0.5]
    assert content["forceable"] == [True, False, False]
    assert content["optimal_moves"] == ["a1", "a2", "b1", "b2"]
    assert content["to_move"] == 0
    assert content["nodes"] > 0


def test_grades_as_json() -> None:
    arguments = ["solve", "x", "-o", "size=3", "--grade", "random", "--positions", "15", "--json"]
    content = json.loads(run(*arguments).stdout)
    assert content["player"] == "random"
    assert content["positions"] == 15
    assert content["optimal"] >= content["critical_optimal"]
    assert content == json.loads(run(*arguments).stdout)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--nodes", "100"], "not solved within 100 nodes: 100 nodes in"),
        (["--seconds", "0.02"], "not solved within 0.02 s"),
        (["--nodes", "0"], "--nodes must be a whole number from 1"),
        (["--entries", "3"], "--entries must be a whole number from 16"),
        (["--positions", "3"], "--positions and --plies go with --grade PLAYER"),
        (["--grade", "level:99"], "there is no player 'level:99'"),
        (["--grade", "random", "--moves", "c4-e"], "--grade finds its own positions"),
        (
            ["-o", "pegs=60", "--grade", "random", "--positions", "1", "--seconds", "0.02"],
            "none of 1 positions was solved within 0.02 s",
        ),
    ],
)
def test_bad_input_and_limits_end_with_one_line(arguments: list[str], complaint: str) -> None:
    result = run("solve", "skew", *arguments)
    assert result.exit_code == 2
    (line,) = complaints(result.stderr)
    assert complaint in line


@pytest.mark.soak
def test_ctrl_c_stops_it() -> None:
    """Solving this would take longer than anybody lives."""
    code, printed, shown = interrupt("solve", "skew", once=" nodes, ")
    assert (code, printed) == (130, "")
    assert "Traceback" not in shown
