"""One server for all tests that do not need one of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from server import postgres
from server.serving import Server
from support.corpora import write_atlases


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("server")
    flags = write_atlases(folder)
    with Server(str(folder / "skerry.db"), folder / "log", flags) as running:
        yield running


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """A PostgreSQL server for all tests that want a database of their own there."""
    programs = postgres.find_programs()
    if programs is None:
        pytest.skip("no PostgreSQL here: apt-get install postgresql")
    with postgres.running(programs) as address:
        yield address


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """An empty database of either kind."""
    if request.param == "sqlite":
        return str(tmp_path_factory.mktemp("database") / "skerry.db")
    address: str = request.getfixturevalue("cluster")
    return postgres.create_database(address)
