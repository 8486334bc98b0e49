"""What other programs should never see: faults of our own, and outputs that break."""

import json
import threading
import time
from typing import Any

import pytest

from skerry.protocol import dispatcher
from skerry.protocol.dispatcher import Dispatcher

QUERY = {"game": "x", "options": {"size": 3}, "simulations": 3}
LONG = 60.0  # seconds to wait for what comes at once


def encode(**content: Any) -> bytes:
    return json.dumps(content).encode()


class Listener:
    """Keeps what a dispatcher writes; breaks after so many lines."""

    def __init__(self, patience: int = 1000) -> None:
        self.heard: list[dict[str, Any]] = []
        self.patience = patience

    def __call__(self, line: bytes) -> None:
        if len(self.heard) == self.patience:
            raise BrokenPipeError
        self.heard.append(json.loads(line))


@pytest.mark.parametrize("error", [RuntimeError("oh"), MemoryError(), RecursionError("deep")])
def test_a_fault_costs_one_answer(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    real = dispatcher.analyse

    def fail_once(*arguments: Any, **settings: Any) -> Any:
        monkeypatch.setattr(dispatcher, "analyse", real)
        raise error

    monkeypatch.setattr(dispatcher, "analyse", fail_once)
    listener = Listener()
    with_faults = Dispatcher(listener, workers=1, queue=10, nodes=10_000)
    with_faults.obey(encode(id="a", **QUERY, moves=["a1"], turns=[1, 0]))
    with_faults.obey(encode(id="b", **QUERY))
    with_faults.close()
    with_faults.wait()
    failed, *fine = listener.heard
    assert (failed["id"], failed["turn"], failed["final"]) == ("a", 1, True)
    assert failed["error"].startswith(f"internal error: {type(error).__name__}")
    assert [(answer["id"], answer["turn"]) for answer in fine] == [("a", 0), ("b", 0)]
    assert all(
        worker.join(LONG) is None and not worker.is_alive() for worker in with_faults.workers
    )


def test_an_error_waits_for_nobody_who_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    real, begun, release = dispatcher.analyse, threading.Event(), threading.Event()

    def think(*arguments: Any, **settings: Any) -> Any:
        begun.set()
        release.wait(LONG)
        return real(*arguments, **settings)

    monkeypatch.setattr(dispatcher, "analyse", think)
    listener = Listener()
    thinking = Dispatcher(listener, workers=1, queue=10, nodes=10_000)
    thinking.obey(encode(id="slow", **QUERY))
    assert begun.wait(LONG)
    thinking.obey(encode(id="wrong", game="nim"))
    thinking.obey(b"nonsense")
    assert [answer["id"] for answer in listener.heard] == ["wrong", None]
    release.set()
    thinking.close()
    thinking.wait()
    assert listener.heard[-1]["id"] == "slow"


def test_a_broken_output_stops_everything_and_is_raised() -> None:
    listener = Listener(patience=1)
    broken = Dispatcher(listener, workers=2, queue=10, nodes=10_000)
    endless = {**QUERY, "simulations": 10**12}
    broken.obey(encode(id="a", **endless, report_every=0.01))
    broken.obey(encode(id="b", **endless))
    with pytest.raises(BrokenPipeError):
        broken.wait()
    assert broken.abandon(BrokenPipeError(), LONG)
    assert len(listener.heard) == 1


def test_reading_that_fails_is_raised() -> None:
    def fail() -> bytes:
        raise OSError("is a directory")

    unread = Dispatcher(Listener(), workers=1, queue=1, nodes=10_000)
    unread.listen(fail)
    with pytest.raises(OSError, match="is a directory"):
        unread.wait()


def test_nobody_is_waited_for_who_hangs_in_writing() -> None:
    """As when nobody reads a pipe that is full."""
    reached, release = threading.Event(), threading.Event()

    def hang(line: bytes) -> None:
        reached.set()
        release.wait(LONG)

    hanging = Dispatcher(hang, workers=1, queue=10, nodes=10_000)
    hanging.obey(encode(id="a", **QUERY))
    assert reached.wait(LONG)
    assert not hanging.abandon(KeyboardInterrupt(), patience=0.01)
    release.set()


def wait_for_sleepers(dispatcher: Dispatcher, number: int) -> None:
    """Until so many threads wait for something to change."""
    while len(dispatcher.change._waiters) < number:  # type: ignore[attr-defined]
        time.sleep(0.001)


def test_a_query_wakes_a_worker_and_not_only_whoever_waits_for_the_end() -> None:
    answered = threading.Event()
    idle = Dispatcher(lambda line: answered.set(), workers=2, queue=10, nodes=10_000)
    wait_for_sleepers(idle, 2)
    waiter = threading.Thread(target=idle.wait, daemon=True)
    waiter.start()
    wait_for_sleepers(idle, 3)  # the waiter last;
    with idle.change:
        idle.change.notify(2)
    wait_for_sleepers(idle, 3)  # now it is the first in line
    idle.obey(encode(id="a", **QUERY))
    assert answered.wait(LONG)
    idle.close()
    waiter.join(LONG)
    assert not waiter.is_alive()
