"""Shared set-up: compiled kernels, long files first, how examples are drawn, signals, clusters."""

import gc
import signal
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

from support.forking import fork_processes, start_forking
from support.naming import name_kernels
from support.order import FAULTS, LONGEST_FIRST, SHARED, TESTS
from support.parallel import run_in_processes

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

    from support.nodes import Nodes

# Compilation makes first examples slow; that is no reason to fail, and no test asserts a time.
# Every run tries a tenth of the examples of each property, make soak tries all of them.
settings.register_profile(
    "soak",
    max_examples=100,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("test", settings.get_profile("soak"), max_examples=10)

# Shells let background jobs ignore Ctrl-C, and what ignores it passes that on to the commands it
# starts. Tests that interrupt a command would then wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)

# All that is imported and collected stays to the end: to look for garbage among it again and again
# would take every process some seconds.
gc.disable()


BEGINNING = time.monotonic()


def pytest_addoption(parser: pytest.Parser) -> None:
    faults = parser.getgroup("random faults against servers (tests/faults)")
    faults.addoption(
        "--hours",
        type=float,
        help="with -m soak: let faults go on for so many hours, such as 0.5, and run nothing else",
    )
    faults.addoption("--seed", type=int, help="choose the faults as in the run that named it")

    parser.addoption("--processes", type=int, default=0, help="run the tests in so many processes")
    parser.addoption(
        "--minutes",
        type=float,
        default=13.0,
        help="with -m soak: begin no other test after so many minutes (13); 0 for no limit",
    )


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Repetition ends when its time is up, however slow a machine is; what is left out is told."""
    minutes = item.config.getoption("--minutes")
    is_late = time.monotonic() > BEGINNING + 60 * minutes
    if minutes and is_late and is_soak(item.config) and item.config.getoption("--hours") is None:
        pytest.skip(f"{minutes:g} minutes are over; make soak ARGS=--minutes=0 runs everything")


def pytest_terminal_summary(terminalreporter: "TerminalReporter") -> None:
    """What tests have to tell even if they pass, such as how many faults a server outlived."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, said in report.user_properties if report.when == "call" else ():
            if name == "told":
                terminalreporter.write_line(str(said))


def pytest_configure(config: pytest.Config) -> None:
    name_kernels()
    settings.load_profile("soak" if is_soak(config) else "test")


def is_soak(config: pytest.Config) -> bool:
    return str(config.option.markexpr) == "soak"


def is_repeated(item: pytest.Item) -> bool:
    """Whether every run has the same test, with other parameters or fewer examples."""
    if getattr(getattr(item, "function", None), "is_hypothesis_test", False):
        return True
    chosen = getattr(item, "callspec", None)
    return chosen is not None and any(mark.name == "soak" for mark in chosen.marks)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Properties are tried again, on more examples; some say on how many."""
    test = getattr(item, "function", None)
    if not getattr(test, "is_hypothesis_test", False):
        return
    if is_soak(item.config):
        item.add_marker("soak")
    elif vars(test).pop("_hypothesis_internal_settings_applied", False):
        chosen = vars(test)["_hypothesis_internal_use_settings"]
        few = settings(chosen, max_examples=-(-chosen.max_examples // 10))
        vars(test)["_hypothesis_internal_use_settings"] = few


def is_whole(config: pytest.Config) -> bool:
    """Whether all tests are run, on several cores."""
    is_all = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.keyword
    return is_all and bool(config.option.processes)


def pytest_sessionstart(session: pytest.Session) -> None:
    """In a whole run, nobody compiles or loads what somebody else is compiling or has loaded."""
    if is_whole(session.config):
        from support.compiling import compile_all  # noqa: PLC0415  # loads all of skerry

        compile_all(session.config.option.processes)
        start_forking()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--hours") is not None:
        others = [item for item in items if item.path != TESTS / FAULTS]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item.path == TESTS / FAULTS]
    rank = {TESTS / name: number for number, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: rank.get(item.path, len(rank)))
    if is_soak(config):  # whose time may be up before all are run
        items.sort(key=is_repeated)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """On two cores, what shares a server or a browser goes to one process."""
    processes = session.config.option.processes
    if is_whole(session.config):
        import support.loaded  # noqa: F401, PLC0415  # once, for all that are forked

        gc.freeze()

    def find_part(item: pytest.Item) -> str:
        file = item.nodeid.partition("::")[0]
        when = "later " if is_soak(session.config) and is_repeated(item) else ""
        for folder, parts in SHARED.items():
            if processes <= 4 and file.startswith(folder):
                return f"{when}{folder}{crc32(file.encode()) % parts}"
        return f"{when}{file}"

    return run_in_processes(session, processes, find_part)


@pytest.fixture(scope="session", autouse=True)
def forked() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        fork_processes(patch)
        yield


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have commands do by themselves what they would start processes for."""
    from skerry.lab.work.executor import Cores  # noqa: PLC0415  # loads what few tests need
    from support.working import InThisProcess  # noqa: PLC0415

    monkeypatch.setattr(Cores, "hire", lambda _, *arguments: InThisProcess().hire(*arguments))


@pytest.fixture(scope="module")
def nodes() -> "Iterator[Nodes]":
    """A Ray cluster with one node, which a test may add others to."""
    from support.nodes import start_nodes  # noqa: PLC0415  # Ray is slow to import

    with start_nodes() as nodes:
        yield nodes


@pytest.fixture
def second(nodes: "Nodes") -> Iterator[object]:
    """A second node, which a test may kill."""
    from support.nodes import add_node  # noqa: PLC0415

    with add_node(nodes) as node:
        yield node
