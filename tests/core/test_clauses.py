"""Rule clauses are data, with the values of the options filled in."""

import subprocess
import sys

import pytest

import skerry
from skerry.core.texts import fill_in


def test_numbers_come_with_their_nouns() -> None:
    text = "Each player has {pegs:peg|pegs} on a board of side {side}."
    assert fill_in(text, {"pegs": 24, "side": 5}) == "Each player has 24 pegs on a board of side 5."
    assert fill_in(text, {"pegs": 1, "side": 2}) == "Each player has 1 peg on a board of side 2."


@pytest.mark.parametrize(
    ("name", "options", "clause", "said"),
    [
        ("skew", {}, "skew.2", "Each player has 24 pegs."),
        ("skew", {"side": 2, "pegs": 1}, "skew.2", "Each player has 1 peg."),
        ("skirt", {"side": 4}, "skirt.1", "4 hexes on each side"),
        ("x", {"size": 12}, "x.1", "12 by 12 hexes"),
        ("skaane", {}, "skaane.1", "5 gods, 5 kings, 5 serfs and 1 sun"),
        ("skaane", {"quiet_limit": 7}, "skaane.7", "7 moves in a row without an attack"),
    ],
)
def test_clauses_speak_of_the_board_that_is_played_on(
    name: str, options: dict[str, int], clause: str, said: str
) -> None:
    assert said in skerry.make(name, **options).list_clauses()[clause]


@pytest.mark.parametrize("name", skerry.GAMES)
def test_all_options_are_known(name: str) -> None:
    for options in skerry.make(name).sizes:
        for text in skerry.make(name, **options).list_clauses().values():
            assert "{" not in text
            assert "  " not in text


def test_texts_are_there_without_docstrings() -> None:
    """``python -OO`` leaves docstrings out, and rules must not go with them."""
    code = "import skerry; print([skerry.make(n).list_clauses() for n in skerry.GAMES])"
    plain, optimised = (
        subprocess.run(
            [sys.executable, *flags, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        for flags in ([], ["-OO"])
    )
    assert plain == optimised
    assert "Each player has 24 pegs." in plain
