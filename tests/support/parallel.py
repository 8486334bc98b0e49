"""Runs tests in several processes, forked from the one that has collected them.

Were they started anew, as by pytest-xdist, each would import and collect everything for itself,
which takes it six seconds, and fifteen in a new clone. What shares something goes to one process
as a whole; whoever is done takes the next.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection, wait
from types import ModuleType
from typing import Any

import pytest

from support.forking import share_forking

WIDTH = 4  # bytes of a number in the queue
PATIENCE = 10  # seconds for servers and browsers to be ended


class Crew:
    """Processes that run the tests of a session, and what they tell of them."""

    def __init__(self, session: pytest.Session, together: Callable[[pytest.Item], str]) -> None:
        self.session, self.config = session, session.config
        self.parts: dict[str, list[pytest.Item]] = {}
        for item in session.items:
            self.parts.setdefault(together(item), []).append(item)
        self.part_of = {item.nodeid: part for part, all_ in self.parts.items() for item in all_}
        self.hands: dict[Connection, Any] = {}
        self.current: dict[Connection, tuple[pytest.Item, pytest.Item | None]] = {}
        self.folders: Any = self.config._tmp_path_factory
        self.folders.getbasetemp()  # one for all
        # A pipe as a queue: it is full before anybody reads, and every read gets one number.
        self.queue, full = os.pipe()
        os.set_blocking(full, False)  # so that too many would be an error
        os.write(full, b"".join(n.to_bytes(WIDTH, "big") for n in range(len(self.parts))))
        os.close(full)

    def run(self, processes: int) -> None:
        try:
            for _ in range(min(processes, len(self.parts))):
                self.hire([])
            while self.hands:
                for told in wait(list(self.hands)):
                    assert isinstance(told, Connection)
                    self.listen(told)
        finally:
            for process in self.hands.values():
                process.join(PATIENCE)
                process.kill()
            os.close(self.queue)

    def hire(self, rest: Sequence[pytest.Item]) -> None:
        """Fork a process that begins with the rest of what another could not finish."""
        told, tells = Pipe(duplex=False)
        hand = Hand(self, tells, rest)
        self.hands[told] = get_context("fork").Process(target=hand.work)
        self.hands[told].start()
        tells.close()

    def listen(self, told: Connection) -> None:
        said: Any = EOFError
        with suppress(EOFError):
            said = told.recv()
        if said is EOFError:
            self.replace(told)
        elif said is None:
            self.hands.pop(told).join()
        elif isinstance(said, tuple):
            self.current[told] = tuple(n if n is None else self.session.items[n] for n in said)
        else:
            self.report(
                self.config.hook.pytest_report_from_serializable(config=self.config, data=said)
            )

    def report(self, report: pytest.TestReport) -> None:
        self.config.hook.pytest_runtest_logreport(report=report)
        if self.session.shouldfail or self.session.shouldstop:
            for process in self.hands.values():
                os.kill(process.pid, signal.SIGINT)
            if self.session.shouldfail:
                raise self.session.Failed(self.session.shouldfail)
            raise self.session.Interrupted(self.session.shouldstop)

    def replace(self, told: Connection) -> None:
        """A process has died: its test failed, and another process takes those that are left."""
        process = self.hands.pop(told)
        process.join()
        why = f"the process that ran it ended with {process.exitcode}"
        if told not in self.current:
            raise self.session.Failed(why)
        item, following = self.current[told]
        if following:
            part = self.parts[self.part_of[following.nodeid]]
            self.hire(part[part.index(following) :])
        self.report(
            pytest.TestReport(
                item.nodeid, item.location, {}, outcome="failed", longrepr=why, when="call"
            )
        )


class Hand:
    """One of the processes."""

    def __init__(self, crew: Crew, tells: Connection, rest: Sequence[pytest.Item]) -> None:
        self.crew, self.tells, self.rest = crew, tells, rest

    def work(self) -> None:
        session = self.crew.session
        self.settle(session.config.pluginmanager)
        numbers = {item: number for number, item in enumerate(session.items)}
        items = self.list_items()
        item = next(items, None)
        try:
            while item is not None:
                following = next(items, None)  # which tells what need not be torn down
                self.tells.send((numbers[item], following and numbers[following]))
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                item = following
        except KeyboardInterrupt:  # the first process tells why
            with suppress(Exception):
                session._setupstate.teardown_exact(None)
        self.tells.send(None)

    def settle(self, plugins: pytest.PytestPluginManager) -> None:
        """Have nothing in common with the other processes."""
        for name in ("terminalreporter", "terminalprogress"):
            with suppress(ValueError):
                plugins.unregister(name=name)
        plugins.register(self)
        capture: Any = plugins.getplugin("capturemanager")
        capture.stop_global_capturing()
        capture.start_global_capturing()
        capture.suspend_global_capture()
        self.crew.folders._basetemp = self.crew.folders.mktemp("process")
        share_forking()
        # What is spawned imports the main module again, which is pytest.
        sys.modules["__main__"] = ModuleType("__main__")

    def list_items(self) -> Iterator[pytest.Item]:
        yield from self.rest
        parts = list(self.crew.parts.values())
        while number := os.read(self.crew.queue, WIDTH):
            yield from parts[int.from_bytes(number, "big")]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        config = self.crew.config
        self.tells.send(config.hook.pytest_report_to_serializable(config=config, report=report))


def run_in_processes(
    session: pytest.Session, processes: int, together: Callable[[pytest.Item], str]
) -> bool | None:
    """Run what was collected; what ``together`` says the same of goes to one process."""
    if (
        not processes
        or not session.items
        or session.testsfailed
        or session.config.option.collectonly
    ):
        return None  # pytest itself knows what to do
    Crew(session, together).run(processes)
    return True
