"""Limits at the door: what is sent before a request is one, by raw sockets on loopback."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from server.serving import LocalServer
from skerry.server import run
from skerry.server.door import protocol, register
from skerry.server.door.register import KEPT_BACK, ROOM, make_room
from support.repeating import some_of

HALF = b"GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: "
WHOLE = b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
PATIENCE = 30.0


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path) as running:
        running.client.get("/healthz")
        yield running


def call(server: LocalServer, source: str = "127.0.0.1") -> socket.socket:
    """A connection from some address of ours."""
    url = httpx.URL(server.url)
    place = (url.host, url.port or 80)
    return socket.create_connection(place, PATIENCE, source_address=(source, 0))


def read_all(line: socket.socket) -> bytes:
    """What comes until the server hangs up."""
    found = b""
    try:
        while part := line.recv(65_536):
            found += part
    except ConnectionResetError:  # we had more to say
        pass
    return found


def status_of(answer: bytes) -> int:
    return int(answer.split()[1]) if answer else 0


def ask(server: LocalServer, source: str = "127.0.0.1") -> int:
    with call(server, source) as line:
        line.sendall(WHOLE)
        return status_of(read_all(line))


def test_a_head_without_end(server: LocalServer) -> None:
    """64 MB of it are not waited for, nor kept."""
    with call(server) as line:
        line.sendall(b"GET / HTTP/1.1\r\nx-long: ")
        with pytest.raises(ConnectionError):
            line.sendall(b"x" * 64 * 2**20)
    assert ask(server) == 200


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("/healthz", "", 200),
        ("/healthz?" + "x" * 15_000, "", 200),
        ("/healthz?" + "x" * 17_000, "", 414),
        ("/healthz", "x: " + "y" * 31_000 + "\r\n", 200),
        ("/healthz", "x: " + "y" * 33_000 + "\r\n", 431),
        ("/healthz", 9000 * "x: y\r\n", 431),
        (
            "/healthz",
            "x: " + "y" * 33_000 + "\r\nconnection: upgrade\r\nupgrade: websocket\r\n",
            431,
        ),
    ],
)
def test_how_large_a_head_may_be(
    server: LocalServer, address: str, headers: str, status: int
) -> None:
    with call(server) as line:
        head = f"GET {address} HTTP/1.1\r\nhost: x\r\n{headers}"
        closing = "" if "upgrade" in headers else "connection: close\r\n"
        line.sendall(f"{head}{closing}content-length: 2\r\n\r\n{{}}".encode())
        answer = read_all(line)
    assert status_of(answer) == status
    if status != 200:
        assert b'"error": "' in answer


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (b"", 0),
        (b"GET /heal", 408),
        (HALF, 408),
        (b"POST /api/games HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\n{", 408),
        (b"POST /api/games HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{", 408),
    ],
)
def test_whoever_is_slow_is_sent_away(
    server: LocalServer, said: bytes, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place, name in ((register, "HEAD_TIME"), (protocol, "HEAD_TIME"), (protocol, "BODY_TIME")):
        monkeypatch.setattr(place, name, 0.0)
    monkeypatch.setattr(register, "SWEEP", 0.05)
    with call(server) as line:
        line.sendall(said)
        assert status_of(read_all(line)) == status


def test_whoever_takes_nothing_is_sent_away(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(register, "READING_TIME", 0.0)
    monkeypatch.setattr(register, "SWEEP", 0.05)
    with call(server) as line, pytest.raises(ConnectionError):
        # They ask for page after page, and read none of them.
        line.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n" * 1_000_000)


@pytest.mark.parametrize("count", some_of([200, 1100], [200]))
def test_half_sent_requests_keep_nobody_out(tmp_path: Path, count: int) -> None:
    """Many of them, from one address: they have their share, and all are served."""
    make_room()
    with LocalServer(tmp_path, connections=128) as server, ExitStack() as stack:
        lines = [stack.enter_context(call(server, "127.0.0.2")) for _ in range(count)]
        for line in lines[-128:]:
            line.sendall(HALF)
        assert read_all(lines[0]) == b""  # it has made room
        for source in ("127.0.0.1", "127.0.0.2", "127.0.0.3"):
            assert ask(server, source) == 200


def test_a_crowd_keeps_nobody_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half-sent requests from many addresses: whoever waits longest makes room."""
    monkeypatch.setattr(run, "make_room", lambda: 50)
    with LocalServer(tmp_path, connections=4) as server, ExitStack() as stack:
        first = stack.enter_context(call(server, "127.0.0.2"))
        first.sendall(HALF)
        for number in range(3, 203):
            line = stack.enter_context(call(server, f"127.0.0.{number}"))
            line.sendall(HALF)
        assert ask(server) == 200
        assert status_of(read_all(first)) == 408


def test_who_is_being_answered_is_not_sent_away(tmp_path: Path) -> None:
    """All places of an address are taken by what it waits for: it gets no further one."""
    with LocalServer(tmp_path, connections=2) as server, ExitStack() as stack:
        bot = server.make_bot("Listener")
        server.client.close()
        stream = f"GET /api/bots/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {bot.token}"
        lines = []
        for _ in range(2):
            line = stack.enter_context(call(server, "127.0.0.2"))
            line.sendall(f"{stream}\r\n\r\n".encode())
            assert status_of(line.recv(12)) == 200
            lines.append(line)
        with call(server, "127.0.0.2") as third:
            answer = read_all(third)
        assert status_of(answer) == 503
        assert "close some pages" in json.loads(answer.rpartition(b"\r\n\r\n")[2])["error"]
        assert ask(server, "127.0.0.3") == 200
        assert lines[0].recv(1)  # still there
        lines.pop().close()


def test_proxies_bring_many(tmp_path: Path) -> None:
    """Their visitors are not counted as one."""
    proxies = "proxy.example, ::1, 127.0.0.0/24"
    with LocalServer(tmp_path, connections=1, proxies=proxies) as server, ExitStack() as stack:
        lines = [stack.enter_context(call(server)) for _ in range(3)]
        for line in lines:
            line.sendall(HALF)
        assert ask(server) == 200
        for line in lines:
            line.sendall(b"\r\nconnection: close\r\n\r\n")
            assert status_of(read_all(line)) == 200


def test_there_is_room_for_what_the_system_allows() -> None:
    assert KEPT_BACK <= make_room() <= ROOM
