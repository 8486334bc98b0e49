"""Processes: all answers come, and a process that dies takes nothing with it."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

from skerry.lab.work.executor import WorkerLost, Workers, count_cores
from support.tasks import die_over_three, double, refuse
from support.working import check_room_for_two, drain, is_running


def test_all_answers_come() -> None:
    with Workers[int, int](double, 2, print) as workers:
        assert drain(workers, [(n,) for n in range(20)]) == {n: 2 * n for n in range(20)}


def test_no_more_at_a_time_than_there_are_jobs() -> None:
    with Workers[int, int](double, 2, print) as workers:
        check_room_for_two(workers)


def test_errors_come_home() -> None:
    with (
        Workers[int, int](refuse, 1, print) as workers,
        pytest.raises(ValueError, match="7 is not to my liking"),
    ):
        drain(workers, [(7,)])


def test_a_task_whose_process_dies_is_tried_again(tmp_path: Path) -> None:
    told: list[str] = []
    memory = tmp_path / "memory"
    with Workers[int, int](die_over_three, 2, told.append) as workers:
        tasks: list[tuple[object, ...]] = [(n, str(memory), 1) for n in range(6)]
        assert drain(workers, tasks) == {n: n for n in range(6)}
    assert sorted(memory.read_text().split()) == ["0", "1", "2", "3", "3-apart", "4", "5"]
    assert told == ["a process died (exit code -9); its task is tried again"]


def test_a_task_that_kills_twice_is_given_up(tmp_path: Path) -> None:
    with (
        Workers[int, int](die_over_three, 1, print) as workers,
        pytest.raises(WorkerLost, match=r"died twice .*\(exit code -9\)"),
    ):
        drain(workers, [(n, str(tmp_path / "memory"), 2) for n in range(6)])


def test_a_process_that_dies_while_idle_is_replaced() -> None:
    with Workers[int, int](os.getpid, 1, print) as workers:  # type: ignore[arg-type]
        workers.start(0)
        _, process = workers.wait()
        os.kill(process, signal.SIGKILL)
        workers._idle[0].process.join()
        workers.start(1)
        key, another = workers.wait()
        assert key == 1
        assert another != process


def test_processes_end_with_their_context() -> None:
    with Workers[int, int](os.getpid, 1, print) as workers:
        workers.start(0)
        _, process = workers.wait()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


HAVE_SOMEBODY_THINK = """
import sys
from support.tasks import think
from skerry.lab.work.executor import Workers
if __name__ == "__main__":
    with Workers(think, 1, print) as workers:
        workers.start(0, sys.argv[1])
        workers.wait()
"""


def test_processes_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    """Even in the middle of a search that would take an hour."""
    memory, script = tmp_path / "memory", tmp_path / "script.py"
    script.write_text(HAVE_SOMEBODY_THINK)
    paths = os.pathsep.join(filter(None, sys.path))
    parent = subprocess.Popen(
        [sys.executable, str(script), str(memory)], env={**os.environ, "PYTHONPATH": paths}
    )
    while not (memory.exists() and memory.read_text().endswith("\n")):
        assert parent.poll() is None
        sleep(0.01)
    parent.kill()
    parent.wait()
    while is_running(int(memory.read_text())):
        sleep(0.01)


def test_there_is_a_core() -> None:
    assert 1 <= count_cores() <= (os.cpu_count() or 1)
