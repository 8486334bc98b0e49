"""Launches that are recorded: as lists in these tests, as graphs on a GPU."""

from collections.abc import Callable
from typing import Any

import pytest

from skerry.rl.gpu.graphs import DEFAULT_STREAM, MOST_KEPT, GraphError, Launch, Launches, check

RECORDING = "the stream that is recorded"


class Diary:
    """Notes what is done, plainly or from a record."""

    def __init__(self) -> None:
        self.done: list[Any] = []

    def launch(self, what: str) -> Launch:
        return lambda stream: self.done.append((what, stream))

    def record(self, launch: Launch) -> Callable[[], None]:
        before = len(self.done)
        launch(RECORDING)
        recorded = [what for what, _ in self.done[before:]]
        del self.done[before:]
        return lambda: self.done.extend((what, "from a record") for what in recorded)


def test_what_comes_again_is_done_from_a_record() -> None:
    diary = Diary()
    launches = Launches(diary.record)
    for what in ("step", "show", "step", "step", "show"):
        launches.start(what, diary.launch(what))
    assert diary.done == [
        ("step", DEFAULT_STREAM),
        ("show", DEFAULT_STREAM),
        ("step", "from a record"),
        ("step", "from a record"),
        ("show", "from a record"),
    ]
    assert not launches.failure


def test_what_cannot_be_recorded_is_done_plainly() -> None:
    diary = Diary()

    def refuse(launch: Launch) -> Callable[[], None]:
        raise GraphError("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED")

    launches = Launches(refuse)
    launches.start("step", diary.launch("step"))
    with pytest.warns(RuntimeWarning, match="CAPTURE_UNSUPPORTED"):
        launches.start("step", diary.launch("step"))
    launches.start("step", diary.launch("step"))
    assert diary.done == [("step", DEFAULT_STREAM)] * 3
    assert launches.failure == "GraphError: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"


def test_a_record_that_does_not_start_is_done_plainly_and_once() -> None:
    diary = Diary()

    def record(launch: Launch) -> Callable[[], None]:
        return lambda: check((2, None))

    launches = Launches(record)
    launches.start("step", diary.launch("step"))
    with pytest.warns(RuntimeWarning, match="GraphError: 2"):
        launches.start("step", diary.launch("step"))
    assert diary.done == [("step", DEFAULT_STREAM)] * 2


def test_whoever_goes_round_too_many_arrays_records_none_of_them() -> None:
    diary = Diary()
    launches = Launches(diary.record)
    for n in [*range(MOST_KEPT + 1)] * 2:
        launches.start(n, diary.launch(f"step {n}"))
    assert len(launches.kept) == MOST_KEPT
    assert all(stream == DEFAULT_STREAM for _, stream in diary.done)
    launches.start(MOST_KEPT, diary.launch("the last"))
    assert diary.done[-1] == ("the last", "from a record")


def test_an_answer_of_the_driver_is_what_it_says() -> None:
    assert check((0,)) is None
    assert check((0, "graph")) == "graph"
