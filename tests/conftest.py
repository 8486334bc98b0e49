"""Shared set-up: options of the test run, and kernels that are compiled once for all workers."""

import signal

import pytest
from hypothesis import HealthCheck, settings

# Compilation makes first examples slow; that is no reason to fail, and no test asserts a time.
settings.register_profile(
    "skerry",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("skerry")

# Shells let background jobs ignore Ctrl-C, and what ignores it passes that on to the commands it
# starts. Tests that interrupt a command would then wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--benchmark", action="store_true", help="also run the tests that take minutes"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--benchmark"):
        return
    skip = pytest.mark.skip(reason="takes minutes; run with --benchmark")
    for item in items:
        if item.get_closest_marker("benchmark"):
            item.add_marker(skip)
