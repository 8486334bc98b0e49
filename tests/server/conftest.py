"""One server for all tests that do not need one of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from server import postgres
from server.serving import LocalServer, hash_quickly
from support.books import write_books
from support.corpora import write_atlases


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    folder = tmp_path_factory.mktemp("server")
    write_atlases(folder)
    write_books(folder)
    with LocalServer(folder, openings=str(folder)) as running:
        yield running


@pytest.fixture(scope="session", autouse=True)
def quick_hashes() -> Iterator[None]:
    with hash_quickly():
        yield


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
    """A new database of either kind."""
    if request.param == "sqlite":
        return str(tmp_path_factory.mktemp("database") / "skerry.db")
    address: str = request.getfixturevalue("cluster")
    return postgres.create_database(address)


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of either kind before all migrations."""
    if request.param == "sqlite":
        return str(tmp_path / "skerry.db")
    address: str = request.getfixturevalue("cluster")
    return postgres.create_database(address, empty=True)
