"""GPU kernels, on Numba's simulator where there is no GPU."""

from pathlib import Path
from typing import Any

import pytest

import skerry
from skerry.rl import BatchEnv
from skerry.rl.device import load_gpu, locate_planes
from support.repeating import some_of
from support.running import run_simulated

SCRIPT = Path(__file__).parents[1] / "support" / "on_gpu.py"
BENCH = Path(__file__).parents[2] / "bench"


# Five observations are written byte by byte and eight of them in words; in nine steps launches are
# repeated from their records; 136 games are two blocks.
RUNS = [(0, 3, 5, [*skerry.GAMES]), (0, 9, 8, ["skirt"]), (0, 1, 136, ["x"])]
MORE_RUNS = [(1, 12, 8, [*skerry.GAMES]), (-1, 3, 8, [*skerry.GAMES])]
QUICK = [(0, 2, 3, ["x"])]


@pytest.mark.parametrize(
    ("size", "steps", "batch", "names"), some_of(QUICK + RUNS + MORE_RUNS, QUICK)
)
def test_simulated_gpu_does_what_the_cpu_does(
    size: int, steps: int, batch: int, names: list[str]
) -> None:
    done = run_simulated(SCRIPT, str(size), str(steps), str(batch), *names)
    assert done.stdout.splitlines() == [f"{name} agrees" for name in names], done.stderr


@pytest.mark.soak
def test_the_bench_of_gpus_compares_devices() -> None:
    done = run_simulated(BENCH / "gpu.py", "x", "--identity", "3", "--steps", "2", "--no-speed")
    assert "3 games x 2 steps" in done.stdout, done.stderr
    assert "all equal" in done.stdout
    assert (done.returncode, done.stdout.split("\n")[-2]) == (0, "nothing failed")


@pytest.mark.soak
def test_the_bench_of_observations_compares_devices() -> None:
    done = run_simulated(BENCH / "observations.py", "x", "--batch", "3", "--calls", "1")
    assert "3 games x 4 steps: all equal" in done.stdout, done.stderr
    assert "steps with observations" in done.stdout
    assert (done.returncode, done.stdout.split("\n")[-2]) == (0, "nothing failed")


def test_the_bench_of_batches_runs() -> None:
    arguments = ("x", "--batch", "8", "--steps", "2", "--rounds", "1", "--no-peers")
    done = run_simulated(BENCH / "rl.py", *arguments)
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith("x ")]
    assert [row[1] for row in rows] == ["no", "yes"], done.stderr


@pytest.mark.parametrize(
    ("where", "said"),
    [(None, "from an earlier call"), ({"data": (64, False), "strides": (2,)}, "in one piece")],
)
def test_observations_that_cannot_be_written_are_refused(where: Any, said: str) -> None:
    with pytest.raises(skerry.OptionsError, match=said):
        locate_planes(where)


def test_without_a_gpu_the_reason_is_told() -> None:
    try:
        load_gpu()
    except skerry.OptionsError as error:
        with pytest.raises(skerry.OptionsError, match="device 'cuda' needs"):
            BatchEnv(skerry.make("x", size=3), 2, device="cuda")
        assert "numba-cuda" in str(error) or "NVIDIA" in str(error)
    else:
        pytest.skip("there is a GPU")
