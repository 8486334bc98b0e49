"""The bench of perceptrons that learn from nets runs, and can tell how it went."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench" / "distilled.py"


@pytest.mark.soak
def test_the_bench_runs() -> None:
    few = ["--positions", "1000", "--minutes", "0.02", "--games", "2", "--seconds", "0.02"]
    done = subprocess.run(
        [sys.executable, str(BENCH), "skirt", *few], capture_output=True, text=True, check=True
    )
    said = done.stdout.splitlines()
    assert said[0] == "1,000 positions"
    assert said[-1].startswith("the perceptron has ")
    assert "of the points of 2 games" in said[-1]
