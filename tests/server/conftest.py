"""One server for all tests that do not need one of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.serving import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("server")
    with Server(str(folder / "skerry.db"), folder / "log") as running:
        yield running
