"""What stands at the door of the server: requests a second, and what attackers come to.

    python bench/door.py                    # uvicorn as it is, and with our protocol
    pip install hypercorn granian           # to a throw-away environment, for its peers as well

Every server is given the same app and 1,024 files. An honest visitor asks while 64 MB of one
header are sent, and while 1,100 requests are half-sent from one address.
"""

import argparse
import asyncio
import importlib.util
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from threading import Thread
from typing import Any

import uvicorn
import uvloop

from skerry.server.app import create_app
from skerry.server.run import configure
from skerry.server.settings import Settings

FILES = 1024
HALF = b"GET /api/kinds HTTP/1.1\r\nhost: x\r\nx-slow: "
WHOLE = b"GET /api/kinds HTTP/1.1\r\nhost: x\r\n\r\n"
SERVERS = ("uvicorn", "guarded", "hypercorn", "granian")
PATIENCE = 10.0  # seconds
ROUNDS, SECONDS, CONNECTIONS = 4, 3.0, 16


def serve(name: str, port: int) -> None:
    """Run one of the servers, until killed."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))
    database = os.path.join(tempfile.mkdtemp(), "door.db")
    settings = Settings(database=database, warm=0, port=port, reads=0)
    app: Any = create_app(settings)
    if name == "uvicorn":
        uvicorn.Server(uvicorn.Config(app, port=port, log_config=None, access_log=False)).run()
    elif name == "guarded":
        uvicorn.Server(configure(app, settings)).run()
    elif name == "hypercorn":
        from hypercorn.asyncio import serve as run  # noqa: PLC0415 - it may be missing
        from hypercorn.config import Config  # noqa: PLC0415

        config = Config()
        config.bind = [f"127.0.0.1:{port}"]
        uvloop.run(run(app, config))
    else:
        from granian.server.embed import Server  # noqa: PLC0415 - it may be missing

        uvloop.run(Server(app, address="127.0.0.1", port=port, interface="asgi").serve())


def call(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), PATIENCE)


def ask(port: int) -> str:
    """How an honest visitor fares."""
    began = time.perf_counter()
    try:
        with call(port) as line:
            line.sendall(WHOLE)
            said = line.recv(12)[-3:].decode() or "no answer"
    except OSError as error:
        said = type(error).__name__
    return f"{said} in {1000 * (time.perf_counter() - began):.0f} ms"


def send_head(port: int) -> None:
    try:
        with call(port) as line:
            line.sendall(HALF + b"x" * 64 * 2**20)
    except OSError:
        pass


async def count_answers(port: int) -> int:
    """Requests that are answered on some connections for a while."""
    until = time.perf_counter() + SECONDS

    async def ask_on() -> int:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        count = 0
        while time.perf_counter() < until:
            writer.write(WHOLE)
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = head.split(b"content-length:")[1].split(b"\r\n")[0]
            await reader.readexactly(int(length))
            count += 1
        writer.close()
        return count

    return sum(await asyncio.gather(*(ask_on() for _ in range(CONNECTIONS))))


def attack(port: int) -> tuple[str, str]:
    attacker = Thread(target=send_head, args=(port,))
    attacker.start()
    time.sleep(0.3)
    large = ask(port)
    attacker.join()
    with ExitStack() as stack:
        try:
            for _ in range(1100):
                stack.enter_context(call(port)).sendall(HALF)
        except OSError:
            pass  # it takes no more
        return large, ask(port)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    chosen = parser.parse_args().serve
    if chosen:
        serve(chosen[0], int(chosen[1]))
        return
    found = [name for name in SERVERS if name in SERVERS[:2] or importlib.util.find_spec(name)]
    ports = {name: 9300 + number for number, name in enumerate(found)}
    running = {
        name: subprocess.Popen(  # noqa: S603 - ourselves
            [sys.executable, __file__, "--serve", name, str(port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for name, port in ports.items()
    }
    try:
        for port in ports.values():
            while not ask(port).startswith("200"):
                time.sleep(0.1)
        rates: dict[str, list[int]] = {name: [] for name in found}
        for _ in range(ROUNDS):  # in turn, since machines are noisy
            for name, port in ports.items():
                rates[name].append(asyncio.run(count_answers(port)))
        print("server      answers/s   during a 64 MB header   during 1,100 half-sent requests")
        for name, port in ports.items():
            large, half = attack(port)
            print(f"{name:<10} {max(rates[name]) / SECONDS:>9,.0f}   {large:<21}   {half}")
    finally:
        for process in running.values():
            process.kill()
            process.wait()


if __name__ == "__main__":
    main()
