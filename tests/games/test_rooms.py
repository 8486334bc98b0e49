"""A game is its rules: delete any other room of it, and it still plays."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from skerry.core.game import ROOMS
from support.rooms import GAMES, copy_without

PACKAGES = sorted(path.parent.name for path in GAMES.glob("*/rules.py"))
SMALL = {"skew": {"side": 2, "pegs": 2}, "skirt": {"side": 2}, "x": {"size": 2}} | {
    "skaane": {"width": 2, "height": 4, "gods": 1, "kings": 1, "serfs": 1, "suns": 1}
}

PLAY = """
import sys
import skerry

names, options, counted = map(eval, sys.argv[1:4])
for name in names:
    game = skerry.make(name, **options[name])
    state = game.initial(3)
    while not state.is_over:
        assert game.position(state.position) == state
        assert state.text() and state.svg(overlay="standing+targets") and state.overlay("focus:a1")
        move = state.legal_moves()[0]
        assert state.path(move)
        after = state.play(str(move))
        game.view.happenings(state, int(move), after)
        state = after
    print(name, state.outcome.returns, game.list_clauses()[f"{name}.1"])
    if name in counted:
        print(game.perft(2), game.playouts(50, seed=1).games)
if len(sys.argv) > 4:  # a search takes a while to compile, so one game has to do
    print(skerry.player("level:1").choose(game.initial(3), seed=1) in game.initial(3).legal_moves())
"""


def play(package: Path, names: list[str], counted: list[str], *search: str) -> str:
    """What happens where a copy of the package is the one that is imported.

    Random games and sequences take a while to compile and are counted in some games only.
    """
    done = subprocess.run(
        [sys.executable, "-c", PLAY, *map(repr, (names, SMALL, counted)), *search],
        env={**os.environ, "PYTHONPATH": str(package.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_game_plays_without_any_room(tmp_path: Path) -> None:
    """The same rules, so the same games: slower, weaker and plainer."""
    copy = copy_without(tmp_path, {"x": ROOMS[0]})
    for room in ROOMS[1:]:
        (copy / "games" / "x" / f"{room}.py").unlink(missing_ok=True)
    assert play(copy, ["x"], ["x"]) == play(GAMES.parent, ["x"], ["x"])


@pytest.mark.soak
@pytest.mark.parametrize("room", ROOMS)
def test_every_game_plays_without_any_room(room: str, tmp_path: Path) -> None:
    """What a room does not touch takes as long to compile, and is left to the others."""
    rooms = {name: room for name in PACKAGES if (GAMES / name / f"{room}.py").exists()}
    counted = [*rooms] if room == "playouts" else []
    search = ["search"] if room == "engine" else []
    copy, asked = copy_without(tmp_path, rooms), ([*rooms], counted, *search)
    assert play(copy, *asked) == play(GAMES.parent, *asked)


def test_a_package_has_no_other_rooms() -> None:
    """What is not a room is not looked for, and a stranger would not know why it is there."""
    for name in PACKAGES:
        found = {path.stem for path in (GAMES / name).glob("*.py")}
        assert found <= {"__init__", "rules", "variants", *ROOMS}


@pytest.mark.parametrize("name", PACKAGES)
def test_rules_fit_on_a_few_pages(name: str) -> None:
    lines = (GAMES / name / "rules.py").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 250
