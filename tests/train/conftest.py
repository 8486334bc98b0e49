"""What tests of training share: a thread of torch, and a clock."""

from itertools import count

import pytest
import torch

from skerry.train import run

torch.set_num_threads(1)  # tests share the cores: threads that wait for each other are slower

TICK = 0.02  # seconds from one look at the clock to the next; a round of a run takes two


@pytest.fixture
def steady_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a minute of training be 1,500 rounds, on however busy a machine."""
    ticks = count()
    monkeypatch.setattr(run, "perf_counter", lambda: next(ticks) * TICK)
