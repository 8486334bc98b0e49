"""A PostgreSQL server of our own on loopback, thrown away afterwards."""

import asyncio
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

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


@contextmanager
def running(programs: Path) -> Iterator[str]:
    """The address of a database."""
    folder = Path(tempfile.mkdtemp(prefix="skerry-postgres-"))
    data, port = folder / "data", _free_port()
    if os.getuid() == 0:
        shutil.chown(folder, USER)

    def run(program: str, *arguments: str) -> None:
        command = [*_as_user(), str(programs / program), "-D", str(data), *arguments]
        subprocess.run(
            command, check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    try:
        run("initdb", "-U", USER, "-A", "trust", "-N")
        options = f"-c listen_addresses=127.0.0.1 -p {port} -k {folder}"
        run("pg_ctl", "-w", "-o", options, "-l", str(folder / "log"), "start")
        try:
            yield f"postgresql://{USER}@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def create_database(address: str) -> str:
    """The address of a new and empty database on the same server."""
    name = f"test_{token_hex(4)}"

    async def create() -> None:
        engine = create_async_engine(read_address(address), isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            await connection.execute(text(f"CREATE DATABASE {name}"))
        await engine.dispose()

    asyncio.run(create())
    return address.rpartition("/")[0] + f"/{name}"
