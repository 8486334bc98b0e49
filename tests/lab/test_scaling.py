"""The bench of clusters runs, and its page has a place for all that it measures."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.soak
def test_the_bench_fills_its_page(tmp_path: Path) -> None:
    """In a copy, so that the figures of a real measurement stay where they are."""
    for folder in ("bench", "tools", "docs/lab"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("bench/scaling.py", "tools/performance.py", "docs/lab/scaling.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    page = tmp_path / "docs" / "lab" / "scaling.md"
    before = page.read_text("utf-8")
    small = ["skirt", "--rounds", "1", "--seconds", "0.1", "--tasks", "20", "--workers", "2"]
    script = str(tmp_path / "bench" / "scaling.py")
    done = subprocess.run(
        [sys.executable, script, *small, "--write"], capture_output=True, text=True, check=True
    )
    after = page.read_text("utf-8")
    assert re.sub(r"^\|.*\n", "", after, flags=re.M) == re.sub(r"^\|.*\n", "", before, flags=re.M)
    written = re.findall(r"^\|.*\n", after, re.M)
    assert written == re.findall(r"^\|.*\n", done.stdout, re.M)
    assert len(written) == 4 + 3 + 4  # a head of two lines, and a row for each thing measured
