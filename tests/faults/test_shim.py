"""The library that lies about disks and clocks does so where it is told to, and nowhere else."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from faults.shim import DAY, NO_COMPILER, READS, SYNCS, WRITES, Shim, find_compiler

pytestmark = pytest.mark.skipif(find_compiler() is None, reason=NO_COMPILER)

# What every line of the standard input asks for, done in one process: "write PATH" and so on.
CLIENT = """
import os, sys, time
for line in sys.stdin:
    what, _, path = line.strip().partition(" ")
    file = None if what == "time" else os.open(path, os.O_RDWR | os.O_CREAT)
    try:
        if what == "write": os.pwrite(file, b"x", 0)
        if what == "sync": os.fdatasync(file)
        if what == "read": os.pread(file, 1, 0)
        print(time.time() if what == "time" else "done", flush=True)
    except OSError as error:
        print(error.strerror, flush=True)
    if file is not None: os.close(file)
"""


def test_it_lies_as_it_is_told(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    shim = Shim(tmp_path, inside)
    with subprocess.Popen(
        [sys.executable, "-c", CLIENT],
        env=shim.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as client:
        assert client.stdin is not None
        assert client.stdout is not None

        def ask(what: str, folder: Path = inside) -> str:
            assert client.stdin is not None
            assert client.stdout is not None
            client.stdin.write(f"{what} {folder / 'file'}\n" if what != "time" else "time\n")
            client.stdin.flush()
            return client.stdout.readline().strip()

        def ask_all(folder: Path = inside) -> list[str]:
            return [ask(what, folder) for what in ("write", "sync", "read")]

        well = ["done"] * 3
        assert ask_all() == well
        shim.fill()
        assert ask_all() == ["No space left on device", "done", "done"]
        assert ask_all(outside) == well
        broken = "Input/output error"
        for calls, said in (
            (WRITES, [broken, "done", "done"]),
            (SYNCS, ["done", broken, "done"]),
            (READS, ["done", "done", broken]),
        ):
            shim.fail(calls, 1000)
            assert ask_all() == said
        shim.fail(WRITES, 500)
        assert {ask("write") for _ in range(100)} == {"done", broken}
        shim.slow_down(0.1)
        began = time.monotonic()
        assert ask("sync") == "done"
        assert time.monotonic() - began >= 0.1
        shim.heal()
        assert ask_all() == well
        shim.set_clock(3 * DAY)
        assert round((float(ask("time")) - time.time()) / DAY) == 3
        assert ask_all() == well
        client.stdin.close()
