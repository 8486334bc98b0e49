"""Kernels before anybody waits for them: what is compiled for whom, and how much of it is done."""

from contextlib import suppress
from pathlib import Path

import numba
import pytest

import skerry
from skerry.nets.forward import evaluate
from skerry.search import warmup
from skerry.search.warmup import in_per_cent, is_ready, warm_up, warm_up_nets


def compile_little() -> None:
    numba.njit(lambda number: number)(1)


def test_nets_are_loaded_for_all_games_at_once() -> None:
    """A second game, or a search, needs nothing more of them."""
    warm_up_nets(skerry.make("skew", side=3))
    loaded = evaluate.signatures  # type: ignore[attr-defined]
    warm_up(skerry.make("skew", side=3))
    warm_up_nets(skerry.make("x", size=4))
    assert evaluate.signatures == loaded  # type: ignore[attr-defined]


def test_an_engine_is_ready_once_it_was_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On this board, and for everybody who uses this cache."""
    monkeypatch.setattr(warmup, "CACHE", tmp_path)
    game = skerry.make("skew", side=3)
    assert not is_ready(game)
    warm_up(game)
    assert is_ready(skerry.make("skew", side=3))
    assert not is_ready(skerry.make("skew", side=4))
    monkeypatch.setattr(warmup, "CACHE", tmp_path / "gone")
    warm_up(game)
    assert not is_ready(game)


def test_progress_goes_from_0_to_100() -> None:
    told: list[int] = []
    with in_per_cent(4, told.append):
        assert told == []  # as long as there is nothing to compile
        for _ in range(6):
            compile_little()
    assert told == [0, 25, 50, 75, 99, 99, 100]


def test_progress_says_nothing_where_all_is_compiled() -> None:
    told: list[int] = []
    with in_per_cent(4, told.append):
        pass
    assert told == []


def test_progress_of_what_fails_does_not_end_at_100() -> None:
    told: list[int] = []
    with suppress(ZeroDivisionError), in_per_cent(4, told.append):
        compile_little()
        told.append(1 // 0)
    assert told == [0]
