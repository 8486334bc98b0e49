"""Games of other distributions: what they need, what is told of those that lack it, and that no
kernel of theirs is ever stale."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.distributions import install
from support.fifth import PACKAGE, STEPS
from support.running import complaints

RULES = STEPS[f"skerry-noughts/{PACKAGE}/__init__.py"]
LIST = "import skerry; print(*skerry.GAMES)"
PLAY = """
import skerry
from skerry.core.kernels import on_compile

for game in (skerry.make("noughts", side=3, line=3), skerry.make("x", size=3)):
    compiled = []
    with on_compile(lambda: compiled.append(True)):
        over = game.initial().play("b2").is_over
    print(game.name, "is over" if over else "goes on", "compiled" if compiled else "")
"""
# Half a game: a class, and nothing that plays.
HALF = """
from skerry.core.game import Game, Setup

class Half(Game):
    name, title, seats, seat_letters = "half", "Half", ("A", "B"), "ab"
    credit = "-"
    option_specs, sizes, clauses = (), (), {}

    @classmethod
    def set_up(cls, options):
        raise NotImplementedError
"""
# Rules of ours under another name.
THIEF = RULES.replace('NAME = "noughts"', 'NAME = "skew"').replace("name = NAME", 'name = "thief"')


def run(place: Path, *arguments: str, **more: str) -> tuple[list[str], list[str]]:
    """What Python prints where these distributions are installed, and what it complains of."""
    paths = [str(place), *filter(None, sys.path)]
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **more},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), done.stderr.splitlines()


def test_broken_games_are_told_of_and_the_others_go_on(tmp_path: Path) -> None:
    """On one line each, which names the distribution; ours are all there, and play."""
    points = """[skerry.games]
alias = games_whole:Noughts
BAD-NAME = games_whole:Noughts
half = games_half:Half
number = games_half:__name__
skew = games_whole:Noughts
thief = games_thief:Noughts
noughts = games_whole:Noughts
"""
    modules = {"games_whole.py": RULES, "games_half.py": HALF, "games_thief.py": THIEF}
    install(tmp_path, "some-games", points, modules)
    play = "import skerry; print(skerry.make('skew', side=2, pegs=2).initial().position)"
    (listed, position), said = run(tmp_path, "-c", f"{LIST}\n{play}")
    assert listed == "skew skirt x skaane noughts"
    assert position == "2/1*1/2 0"
    head = "skerry:1: SkerryWarning: {!r} of some-games 1.0 in skerry.games is left out: "
    assert [line.removeprefix(head.format(line.split("'")[1])) for line in said] == [
        "a name is of lower case letters, digits and _, 32 at most",
        "the class says that its name is 'noughts'",
        "it lacks Half.summary, rules.play, rules.restore",
        "'games_half' is no subclass of skerry.Game with all that it needs",
        "skerry has one of that name; choose another",
        "it lacks rules.play, rules.restore",
    ]


@pytest.mark.soak
def test_a_command_says_it_on_a_line_of_its_own(tmp_path: Path) -> None:
    install(tmp_path, "some-games", "[skerry.games]\ngone = games_gone:Gone\n", {})
    _, said = run(tmp_path, "-m", "skerry.cli", "games")
    assert said == [
        "skerry: 'gone' of some-games 1.0 in skerry.games is left out: "
        "ModuleNotFoundError: No module named 'games_gone'"
    ]
    # Whoever asks for a game of ours need not know.
    _, said = run(tmp_path, "-m", "skerry.cli", "show", "x", "-o", "size=3")
    assert complaints("\n".join(said)) == []


@pytest.mark.soak
def test_a_game_that_changes_is_compiled_again(tmp_path: Path) -> None:
    """Kernels of the package and kernels of skerry for its game; those of ours are left alone."""
    helper = (
        "from skerry.core.kernels import kernel\n\n@kernel\ndef enough(n, line):\n    return {}\n"
    )
    rules = RULES.replace(
        "if reach(t, stones, cell, ahead) + 1 + reach(t, stones, cell, ahead + 1) >= t.line:",
        "if enough(reach(t, stones, cell, ahead) + 1 + reach(t, stones, cell, ahead + 1), t.line):",
    ).replace("NAME = ", "from games_helping import enough\nNAME = ", 1)
    assert rules != RULES
    modules = {"games_whole.py": rules, "games_helping.py": helper.format("n >= line")}
    install(tmp_path, "some-games", "[skerry.games]\nnoughts = games_whole:Noughts\n", modules)
    assert run(tmp_path, "-c", PLAY)[0][0].startswith("noughts goes on")
    (tmp_path / "games_helping.py").write_text(helper.format("n >= line - 2"), encoding="utf-8")
    first, second = run(tmp_path, "-c", PLAY)[0]
    assert first.startswith("noughts is over")
    assert second == "x goes on "
