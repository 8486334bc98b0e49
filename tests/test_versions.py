"""Other versions of Python, where this machine has one, and the oldest Numba that is allowed: the
package is built, installed in an environment of its own, and plays the same games there."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import abroad

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ("3.14", "3.13", "3.12")  # the newest that can be had is tried; 3.11 runs all tests
SOURCES = ("src", "pyproject.toml", "README.md", "LICENSE")
TELL = "import sys, venv; print(*sys.version_info[:2], sep='.')"
OURS = ".".join(map(str, sys.version_info[:2]))
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


def say(*command: str | Path, cwd: Path | None = None, **more: str) -> tuple[bool, str]:
    """Whether a command succeeds, and what it says."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, **more},
        encoding="utf-8",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.returncode == 0, done.stdout


def find_pythons() -> Iterator[tuple[str, Path]]:
    """Other versions on the path or in pyenv, the newest first."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in VERSIONS:
        places = [shutil.which(f"python{version}"), *pyenv.glob(f"{version}.*/bin/python")]
        for place in filter(None, places):
            known, said = say(place, "-c", TELL)
            if known and said.strip() == version != OURS:
                yield version, Path(place)
                break


def build(folder: Path) -> Path:
    """The wheel of a copy of the sources: building leaves files beside them."""
    copy = folder / "copy"
    copy.mkdir()
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(
                ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")
            )
        else:
            shutil.copy(ROOT / name, copy)
    built, said = say(*PIP, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, copy)
    assert built, said
    (wheel,) = folder.glob("skerry-*.whl")
    return wheel


def install(python: Path, wheel: Path, place: Path, *versions: str | Path) -> str | None:
    """Make an environment with the package; what is missing, if it cannot be made."""
    made, said = say(python, "-m", "venv", "--without-pip", place)
    if made:
        options = ("--no-compile", "--only-binary", ":all:", *versions)
        command = (*PIP, "--python", place, "install", *options, f"{wheel}[web]")
        made, said = say(*command, PYTHONPATH="")
    return None if made else said.strip().splitlines()[-1]


def check_games(place: Path, folder: Path, *flags: str) -> None:
    """An environment plays the games that this one plays."""
    shutil.copy(abroad.__file__, folder)
    played, said = say(
        place / "bin" / "python",
        *(*flags, "abroad.py"),
        cwd=folder,
        SKERRY_CACHE=str(folder / "cache"),
        PYTHONPATH="",
    )
    assert played, said
    games = next(line for line in said.splitlines() if line.startswith("{"))
    assert json.loads(games) == abroad.play_all()


@pytest.mark.soak
def test_the_newest_python_plays_the_same_games(tmp_path: Path) -> None:
    pythons = list(find_pythons())
    if not pythons:
        pytest.skip(f"there is no Python {' or '.join(VERSIONS)} on the path or in pyenv")
    wheel, missing = build(tmp_path), []
    for version, python in pythons:
        place = tmp_path / version
        lacks = install(python, wheel, place, "-c", ROOT / "requirements.lock")
        if lacks is None:
            break
        missing.append(f"Python {version} cannot have all wheels: {lacks}")
    else:
        pytest.skip("; ".join(missing))
    check_games(place, tmp_path, "-W", "error")


@pytest.mark.soak
def test_the_oldest_numba_plays_the_same_games(tmp_path: Path) -> None:
    """Kernels and their cache lean on what Numba keeps to itself, so the least version is tried."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (numba,) = (wanted for wanted in project["dependencies"] if wanted.startswith("numba"))
    oldest = numba.replace(">=", "==")
    lacks = install(Path(sys.executable), build(tmp_path), tmp_path / "oldest", oldest)
    if lacks is not None:
        pytest.skip(f"{oldest} cannot be had: {lacks}")
    check_games(tmp_path / "oldest", tmp_path)
