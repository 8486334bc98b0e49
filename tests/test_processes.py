"""Tests in several processes are told of as if they ran in one, whatever becomes of these."""

import os
import re
import subprocess
import sys
from pathlib import Path

from support.order import TESTS

CONFTEST = """
from support.parallel import run_in_processes

def pytest_runtestloop(session):
    return run_in_processes(session, 2, lambda item: item.path.name)
"""
PART = """
import os
import pytest

@pytest.fixture(scope="module")
def place(tmp_path_factory):
    yield tmp_path_factory.mktemp("place")
    raise ValueError("torn down")

def test_passes(place):
    pass

def test_fails():
    print("a word")
    assert 1 == 2

def test_dies():
    os._exit(3)

def test_comes_after(place):
    pass

def test_is_skipped():
    pytest.skip("for a reason")
"""


def run_parts(folder: Path, *arguments: str) -> str:
    (folder / "conftest.py").write_text(CONFTEST)
    for name in ("one", "two", "three"):
        (folder / f"test_{name}.py").write_text(PART)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rs", *arguments, "-c", os.devnull],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(TESTS), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stderr == ""
    return done.stdout


def test_whatever_happens_is_told_and_the_rest_is_run(tmp_path: Path) -> None:
    told = run_parts(tmp_path, f"--rootdir={tmp_path}")
    assert re.search(r"6 failed, 6 passed, 3 skipped, 3 errors in ", told), told
    assert told.count("the process that ran it ended with 3\n") >= 3
    assert told.count("a word\n") == 3
    assert "ValueError: torn down" in told
    assert "for a reason" in told


def test_the_first_failure_ends_all_processes_if_wanted(tmp_path: Path) -> None:
    told = run_parts(tmp_path, f"--rootdir={tmp_path}", "-x")
    assert "stopping after 1 failures" in told
    assert "1 failed" in told
