"""One server for all tests that do not need one of their own."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from server import postgres
from server.serving import Server
from skerry.server.db.engine import read_address


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("server")
    with Server(str(folder / "skerry.db"), folder / "log") as running:
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
    name = f"test_{token_hex(4)}"

    async def create() -> None:
        engine = create_async_engine(read_address(address), isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            await connection.execute(text(f"CREATE DATABASE {name}"))
        await engine.dispose()

    asyncio.run(create())
    return address.rpartition("/")[0] + f"/{name}"
