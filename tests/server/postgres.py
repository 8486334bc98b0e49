"""A PostgreSQL server of our own on loopback, thrown away afterwards."""

import asyncio
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from secrets import token_hex

from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from server.storing import open_database
from skerry.server.db.engine import read_address

USER = "postgres"


def find_programs() -> Path | None:
    """The folder of initdb and postgres, which Debian does not put on the path."""
    places = [Path(found).parent for found in [shutil.which("initdb")] if found]
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((place for place in places if (place / "initdb").exists()), None)


def _as_user() -> list[str]:
    """PostgreSQL refuses to run as root."""
    return ["runuser", "-u", USER, "--"] if os.getuid() == 0 else []


def _free_port() -> int:
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return int(place.getsockname()[1])


class Cluster:
    """A PostgreSQL server in a folder of its own, which can be started again after it was killed.

    ``environment`` is what its processes have beyond ours. Its folder is made in ``place``.
    """

    def __init__(self, programs: Path, place: Path | None = None) -> None:
        self._programs = programs
        self.environment: dict[str, str] = {}
        self.folder = Path(tempfile.mkdtemp(prefix="skerry-postgres-", dir=place))
        self._data, self._port = self.folder / "data", _free_port()
        self.address = f"postgresql://{USER}@127.0.0.1:{self._port}/postgres"
        if os.getuid() == 0:
            shutil.chown(self.folder, USER)
        self._run("initdb", "-U", USER, "-A", "trust", "-N")

    @property
    def pid(self) -> int:
        """The process that starts all others."""
        return int((self._data / "postmaster.pid").read_text().split()[0])

    def start(self, *more: str) -> None:
        options = " ".join(
            [f"-c listen_addresses=127.0.0.1 -p {self._port} -k {self.folder}", *more]
        )
        self._run("pg_ctl", "-w", "-o", options, "-l", str(self.folder / "log"), "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-w", "-m", "immediate", "stop")

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        command = [*_as_user(), str(self._programs / program), "-D", str(self._data), *arguments]
        subprocess.run(
            command,
            check=True,
            cwd=self.folder,
            env={**os.environ, **self.environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


@contextmanager
def running(programs: Path) -> Iterator[str]:
    """The address of a database."""
    cluster = Cluster(programs)
    try:
        cluster.start("-c fsync=off")  # the machine will last as long as the test
        try:
            yield cluster.address
        finally:
            cluster.stop()
    finally:
        cluster.remove()


def create_database(address: str, *, empty: bool = False) -> str:
    """The address of a new database on the same server, as migrations leave it or ``empty``."""
    name = f"test_{token_hex(4)}"
    model = "" if empty else f" TEMPLATE {make_model(address)}"

    async def create() -> None:
        engine = create_async_engine(read_address(address), isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            await connection.execute(text(f"CREATE DATABASE {name}{model}"))
        await engine.dispose()

    asyncio.run(create())
    return f"{address.rpartition('/')[0]}/{name}"


@cache
def make_model(address: str) -> str:
    """The name of a database that is there to be copied, which is quicker than to migrate."""

    async def migrate() -> None:
        async with open_database(made):
            pass

    made = create_database(address, empty=True)
    asyncio.run(migrate())
    return made.rpartition("/")[2]
