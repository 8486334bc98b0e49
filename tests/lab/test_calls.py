"""The bench of calls runs, and its page has a place for what it measures."""

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
    pytest.importorskip("pyspiel")
    for name in ("bench/calls.py", "tools/performance.py", "docs/lab/performance.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    page = tmp_path / "docs" / "lab" / "performance.md"
    before = page.read_text("utf-8")
    script = str(tmp_path / "bench" / "calls.py")
    small = ["skirt", "--rounds", "2", "--positions", "20", "--write"]
    done = subprocess.run(
        [sys.executable, script, *small], capture_output=True, text=True, check=True
    )
    written = re.findall(r"^\|.*\n", done.stdout, re.M)
    assert [row.split("|")[1].strip() for row in written[2:4]] == [
        "Skirt, side 6",
        "`havannah(board_size=6)`",
    ]
    head = "<!-- table: calls -->\n"
    after = page.read_text("utf-8").partition(head)
    assert after[2].startswith("".join(written))
    assert after[0] == before.partition(head)[0]
