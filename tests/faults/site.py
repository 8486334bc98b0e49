"""A server with all that it needs, kept running as an init system would."""

import asyncio
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from threading import Lock

import httpx

from faults.shim import NO_COMPILER, Shim, find_compiler
from server.mailing import Postbox
from server.postgres import Cluster, create_database, find_programs
from server.relay import Relay
from server.serving import Server, is_alive

SQLITE, POSTGRES = "sqlite", "postgresql"
SUPERVISOR, WORKER, POOL = "supervisor", "worker", "pool process"
POSTMASTER, BACKEND, HELPER = "postmaster", "backend", "PostgreSQL helper"
WORKERS = 2
MEMORY = 2**30  # bytes
LOOK = 0.05  # seconds between looks whether everything is there
FLAGS = [
    "--log-level", "warning", "--stand-in", "1", "--mail-from", "club@games.example",
    "--public-address", "http://games.example",
]  # fmt: skip


class Site:
    """``skerry serve`` on SQLite, or with two workers on PostgreSQL behind a relay."""

    server: Server

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind = kind
        self.folder = folder
        self.shim: Shim | None = None
        self.relay: Relay | None = None
        self.cluster: Cluster | None = None
        self.postbox = Postbox()  # takes the mails of the server
        self.missing: list[str] = []  # why some faults cannot be injected here
        self._starting = Lock()

    @property
    def url(self) -> str:
        return self.server.url

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """The site, for as long as this lasts; whatever is killed meanwhile is started again."""
        async with AsyncExitStack() as stack:
            tools = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="skerry-shim-")))
            tools.chmod(0o755)
            await asyncio.to_thread(self._prepare, stack, tools)
            await asyncio.to_thread(self.server.start)
            stack.callback(self.server.stop)
            # Whoever comes back looks for it where it was.
            self.server.flags += ["--port", str(httpx.URL(self.server.url).port)]
            keeper = asyncio.create_task(self._keep())
            stack.push_async_callback(_cancel, keeper)
            yield

    def _prepare(self, stack: AsyncExitStack, tools: Path) -> None:
        data = self.folder / "data"
        data.mkdir()
        port = stack.enter_context(self.postbox.listening())
        flags = [*FLAGS, "--mail-server", f"smtp://127.0.0.1:{port}"]
        database = str(data / "skerry.db")
        environment: dict[str, str] = {}
        if self.kind == POSTGRES:
            programs = find_programs()
            assert programs is not None
            self.cluster = Cluster(programs, find_memory())
            stack.callback(self.cluster.remove)
            data = self.cluster.folder
        if find_compiler() is None:
            self.missing.append(NO_COMPILER)
        else:
            self.shim = Shim(tools, data)
            environment = self.shim.environment
        if self.cluster is not None:
            self.cluster.environment |= environment
            self.cluster.start()
            stack.callback(self._stop_cluster)
            self.relay = Relay(create_database(self.cluster.address, empty=True))
            database = stack.enter_context(self.relay.running())
            flags += ["--workers", str(WORKERS)]
        self.server = Server(database, self.folder / "log", flags, environment=environment)

    def _stop_cluster(self) -> None:
        assert self.cluster is not None
        with suppress(subprocess.CalledProcessError):  # it may have been killed
            self.cluster.stop()

    async def _keep(self) -> None:
        while True:
            await asyncio.to_thread(self._start_what_is_missing)
            await asyncio.sleep(LOOK)

    def _start_what_is_missing(self) -> None:
        with self._starting:
            if self.cluster is not None and not self._has_postmaster():
                with suppress(subprocess.CalledProcessError):  # what it left behind is still ending
                    self.cluster.start()
            if self.server.process.poll() is not None:
                self.server.stop()
                with suppress(AssertionError):  # its port, or its database, is not there yet
                    self.server.start()

    def restart(self) -> int:
        """End the server gently; it is back after a while. Returns its exit code."""
        with self._starting:
            return self.server.stop()

    def _has_postmaster(self) -> bool:
        assert self.cluster is not None
        with suppress(OSError, IndexError, ValueError):
            return is_alive(self.cluster.pid)
        return False

    def find(self, kind: str) -> list[int]:
        """The processes of a kind."""
        if kind in (POSTMASTER, BACKEND, HELPER):
            return self._find_postgres(kind)
        first = self.server.process.pid
        if kind == SUPERVISOR:
            return [first] if self.server.process.poll() is None else []
        spawned = [pid for pid, command in list_children(first) if "spawn_main" in command]
        if self.kind == SQLITE:
            return spawned if kind == POOL else []
        if kind == WORKER:
            return spawned
        found = [child for worker in spawned for child in list_children(worker)]
        return [pid for pid, command in found if "spawn_main" in command]

    def _find_postgres(self, kind: str) -> list[int]:
        if self.cluster is None or not self._has_postmaster():
            return []
        with suppress(OSError, IndexError, ValueError):
            first = self.cluster.pid
            if kind == POSTMASTER:
                return [first]
            found = list_children(first)
            return [pid for pid, said in found if ("127.0.0.1" in said) == (kind == BACKEND)]
        return []

    @property
    def kinds(self) -> list[str]:
        """The kinds of processes there are."""
        if self.kind == SQLITE:
            return [SUPERVISOR, POOL]
        return [SUPERVISOR, WORKER, POOL, POSTMASTER, BACKEND, HELPER]

    def heal(self) -> None:
        """End all that can be ended; who was killed comes back by itself."""
        if self.shim is not None:
            self.shim.set_clock(0)
            self.shim.heal()
        if self.relay is not None:
            self.relay.thaw()

    def read_log(self) -> str:
        return self.server.log.read_text(errors="replace")


def find_memory() -> Path | None:
    """A folder in memory, if there is room: PostgreSQL syncs all its files whenever it comes back.

    Who is killed loses nothing that the system has, on a disk or not.
    """
    folder = Path("/dev/shm")  # noqa: S108  # what is made there has a name that nobody can guess
    has_room = folder.is_dir() and shutil.disk_usage(folder).free > MEMORY
    return folder if has_room else None


def send(pid: int, what: signal.Signals) -> bool:
    """Send a signal; whether there was still somebody to get it."""
    with suppress(ProcessLookupError):
        os.kill(pid, what)
        return True
    return False


def list_children(pid: int) -> list[tuple[int, str]]:
    """The children of a process, with their commands."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[1]) == pid and fields[0] != "Z":
                command = stat.with_name("cmdline").read_text().replace("\0", " ")
                found.append((int(stat.parent.name), command))
    return found


async def _cancel(task: "asyncio.Task[None]") -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
