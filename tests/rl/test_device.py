"""GPU kernels, on Numba's simulator where there is no GPU."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import skerry
from skerry.rl import BatchEnv
from skerry.rl.device import load_gpu

SCRIPT = Path(__file__).parent / "simulated.py"


@pytest.mark.parametrize("name", skerry.GAMES)
def test_simulated_gpu_does_what_the_cpu_does(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(SCRIPT), name],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == f"{name} agrees", done.stderr


def test_without_a_gpu_the_reason_is_told() -> None:
    try:
        load_gpu()
    except skerry.OptionsError as error:
        with pytest.raises(skerry.OptionsError, match="device 'cuda' needs"):
            BatchEnv(skerry.make("x", size=3), 2, device="cuda")
        assert "numba-cuda" in str(error) or "NVIDIA" in str(error)
    else:
        pytest.skip("there is a GPU")
