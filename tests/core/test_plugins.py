"""Entry points of other distributions: what works is found, what is broken is told on one line."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from skerry.core.errors import TOLD, SkerryWarning
from skerry.core.plugins import load_plugins
from support.distributions import install

GROUP = "skerry.tests"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where distributions are installed; nothing has been said so far."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv(TOLD, "")
    return tmp_path


def whole(name: str, found: object) -> int:
    if not isinstance(found, int):
        raise ValueError(f"{found!r} is no number")
    return found


def load(taken: tuple[str, ...] = ()) -> tuple[dict[str, int], list[str]]:
    """What was found, and what was said."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = load_plugins(GROUP, whole, taken)
    assert all(issubclass(each.category, SkerryWarning) for each in said)
    return found, [str(each.message) for each in said]


def test_what_is_broken_is_left_out_and_the_others_go_on(place: Path) -> None:
    points = """[skerry.tests]
absent = plugin_nowhere
alien = plugin_good:TEXT
early = plugin_exits:A
good = plugin_good:ONE
missing = plugin_good:NOTHING
needy = plugin_needy:A
ours = plugin_exits:A
"""
    modules = {
        "plugin_good.py": "ONE = 1\nTEXT = 'text'\n",
        "plugin_needy.py": "import a_package_that_is_not_there\n",
        "plugin_exits.py": "raise SystemExit('bye\\nnow')\n",
    }
    install(place, "some-things", points, modules)
    found, said = load(taken=("ours",))
    assert found == {"good": 1}
    where = "of some-things 1.0 in skerry.tests is left out:"
    assert said == [
        f"'absent' {where} ModuleNotFoundError: No module named 'plugin_nowhere'",
        f"'alien' {where} 'text' is no number",
        f"'early' {where} SystemExit: bye now",
        f"'missing' {where} AttributeError: module 'plugin_good' has no attribute 'NOTHING'",
        f"'needy' {where} ModuleNotFoundError: No module named 'a_package_that_is_not_there'",
        f"'ours' {where} skerry has one of that name; choose another",
    ]


def test_of_two_with_one_name_the_first_stays(place: Path) -> None:
    for number, name in enumerate(("b-second", "a-first")):
        install(
            place, name, f"[{GROUP}]\nsame = {name[0]}_m:A\n", {f"{name[0]}_m.py": f"A={number}\n"}
        )
    assert load() == (
        {"same": 1},
        ["'same' of b-second 1.0 in skerry.tests is left out: a-first 1.0 has one of that name"],
    )


def test_a_warning_is_one_line_and_said_once() -> None:
    """Processes that are started later know that it was said."""
    say = "from skerry.core.errors import warn; warn('it is gone')"
    code = f"import subprocess, sys; {say}; {say}; subprocess.run([sys.executable, '-c', {say!r}])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, TOLD: ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == "skerry:1: SkerryWarning: it is gone\n"
