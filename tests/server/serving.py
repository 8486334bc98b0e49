"""Servers on loopback for tests, and games on them.

``Server`` is a process of its own, as users have it; ``LocalServer`` is the same app in a thread of
the test, for tests that need other settings but no process: it starts in a fraction of the time.
"""

import json
import logging
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.cookiejar import DefaultCookiePolicy
from io import StringIO
from pathlib import Path
from threading import Thread
from typing import Any, Self

import httpx
import pytest
import uvicorn
from argon2 import PasswordHasher
from starlette.routing import BaseRoute
from websockets.sync.client import connect

import skerry
from server.storing import begin_file
from skerry.core.errors import SolveLimit
from skerry.server.app import create_app
from skerry.server.people import hashing
from skerry.server.run import configure
from skerry.server.settings import Settings, flag_of
from skerry.server.web import logs
from support.sizes import TINY

COMMAND = [sys.executable, "-m", "skerry.cli", "serve"]
LIMITS = (
    "challenges", "creates", "moves", "chats", "previews", "reads", "downloads", "games",
    "connections", "sockets", "thinking", "analysing", "studies", "subscriptions", "at_once",
    "told", "accounts", "guesses", "tournaments",
)  # fmt: skip
UNLIMITED = [part for name in LIMITS for part in (flag_of(name), "0")]
QUICK = ["--pace", "0", "--warm", "0"]
PATIENCE = 120  # seconds
TRUST = httpx.create_ssl_context()  # no client needs it, and all would read it again
PASSWORD = "correct horse battery staple"
SEATS = {"skew": 2, "skirt": 2, "x": 3, "skaane": 2}


class Host:
    """A server that listens somewhere, whatever it runs in."""

    url: str
    client: httpx.Client

    def start(self) -> None:
        raise NotImplementedError

    def open_clients(self) -> None:
        """A client for everybody, who is nobody in particular: it keeps no cookies."""
        self.clients: list[httpx.Client] = []
        self.client = self.new_client()
        self.client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))

    def new_client(self) -> httpx.Client:
        """A browser of somebody, closed with the server."""
        client = httpx.Client(base_url=self.url, timeout=180, verify=TRUST)
        self.clients.append(client)
        return client

    def close_clients(self) -> None:
        for client in self.clients:
            client.close()

    def stop(self) -> object:
        raise NotImplementedError

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def make(self, game: str = "skew", **choices: Any) -> "Game":
        """A new game on a tiny board, with a deal that leaves something to play."""
        deal = {"seed": 1} if game == "skaane" and "position" not in choices else {}
        body = {"game": game, "options": TINY[game], **deal, **choices}
        response = self.client.post("/api/games", json=body)
        assert response.status_code == 201, response.text
        content = response.json()
        return Game(self, content["id"], content["secrets"])

    def make_bot(self, name: str) -> "Bot":
        response = self.client.post("/api/bots", json={"name": name})
        assert response.status_code == 201, response.text
        return Bot(self, **response.json())

    def make_for_persons(self, game: str = "skew", **choices: Any) -> "Game":
        return self.make(game, seats=["person"] * SEATS[game], **choices)

    def sign_up(self, name: str, password: str = PASSWORD, language: str = "") -> "Somebody":
        """A new account, and a client of its own that is signed in to it."""
        client = self.new_client()
        if language:
            client.headers["accept-language"] = language
        response = client.post("/api/accounts", json={"name": name, "password": password})
        assert response.status_code == 201, response.text
        return Somebody(self, client, **response.json())

    def sign_in(self, name: str, password: str = PASSWORD) -> "Somebody":
        """Another browser of somebody."""
        client = self.new_client()
        response = client.post("/api/sessions", json={"name": name, "password": password})
        assert response.status_code == 201, response.text
        return Somebody(self, client, **response.json())


@dataclass
class Server(Host):
    """A server process; its log is a file, so that no pipe fills up.

    It has no limits unless it is ``limited`` as users have it.
    """

    database: str
    log: Path
    flags: list[str] = field(default_factory=list)
    limited: bool = False
    environment: dict[str, str] = field(default_factory=dict)  # beyond ours

    def start(self) -> None:
        lifted = [] if self.limited else [*QUICK, *UNLIMITED]
        arguments = ["--port", "0", "--database", self.database, *lifted, *self.flags]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*COMMAND, *arguments],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, **self.environment},
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line.startswith("skerry is at http://"):
            self._wait()
            raise AssertionError(self.log.read_text())
        self.url = line.split()[-1].rstrip("/")
        self.open_clients()

    def stop(self) -> int:
        """End it gently; returns the exit code."""
        self.close_clients()
        if self.process.poll() is None:
            self.process.terminate()
        return self._wait()

    def kill(self) -> None:
        """End it as a power failure would."""
        self.close_clients()
        self.process.kill()
        self._wait()

    def _wait(self) -> int:
        code = self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


ROUTES: list[BaseRoute] = []


def keep_routes(routes: Sequence[BaseRoute]) -> list[BaseRoute]:
    """The routes of the first app, which are those of every app: FastAPI takes a fifth of a second
    to look through them when the first request comes."""
    ROUTES[:] = ROUTES or routes
    return ROUTES


class LocalServer(Host):
    """The app in a thread, with some settings chosen."""

    def __init__(self, folder: Path, **chosen: Any) -> None:
        lifted = dict.fromkeys(LIMITS, 0) | {"pace": 0, "port": 0, "warm": 0}
        chosen = {"database": str(folder / "skerry.db")} | chosen
        self.database = chosen["database"]
        self._settings = Settings(**lifted | chosen)

    def start(self) -> None:
        begin_file(self.database)
        self.app = create_app(self._settings)
        self.app.router.routes[:] = keep_routes(tuple(self.app.router.routes))
        self._server = uvicorn.Server(configure(self.app, self._settings))
        place = socket.socket()
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place.bind(("127.0.0.1", self._settings.port))
        place.listen()  # whoever connects from now on is served as soon as the app runs
        self.url = f"http://127.0.0.1:{place.getsockname()[1]}"
        self.open_clients()
        self._thread = Thread(target=self._server.run, args=([place],))
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether it runs, or is about to; not if it gave up at the start."""
        return self._thread.is_alive()

    def stop(self) -> None:
        self.close_clients()
        self._server.should_exit = True
        self._thread.join()


USUAL_HASHER, USUAL_NOBODYS = hashing.HASHER, hashing.NOBODYS


@contextmanager
def hash_quickly() -> Iterator[None]:
    """Have servers in threads hash passwords in no time; those of users take a twentieth of a
    second for each, on purpose."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashing, "HASHER", PasswordHasher(1, 8, 1))
        patch.setattr(hashing, "NOBODYS", hashing.HASHER.hash(b"nobody"))
        yield


@contextmanager
def logged() -> Iterator[StringIO]:
    """What servers in threads log meanwhile, line by line as users have it."""
    lines = StringIO()
    handler = logging.StreamHandler(lines)
    handler.setFormatter(logs.JsonLines())
    level = logs.logger.level
    logs.logger.setLevel(logging.DEBUG)
    logging.getLogger().addHandler(handler)
    try:
        yield lines
    finally:
        logging.getLogger().removeHandler(handler)
        logs.logger.setLevel(level)


@dataclass
class Game:
    """A game on a server, seen by whoever has all its secrets."""

    server: Host
    id: str
    secrets: list[str | None]

    @property
    def path(self) -> str:
        return f"/api/games/{self.id}"

    def header(self, *seats: int) -> dict[str, str]:
        """The header of somebody who holds these seats, or all of them."""
        chosen = [self.secrets[seat] for seat in seats] if seats else self.secrets
        return {"X-Seat": ",".join(filter(None, chosen))}

    def look(self, *seats: int) -> dict[str, Any]:
        response = self.server.client.get(self.path, headers=self.header(*seats))
        assert response.status_code == 200, response.text
        return dict(response.json())

    def until(self, wanted: Callable[[dict[str, Any]], Any], *seats: int) -> dict[str, Any]:
        """The game once something holds, as a live connection tells."""
        address = self.server.url.replace("http", "ws", 1) + f"{self.path}/live"
        with connect(address, max_size=None) as live:
            secrets = [self.secrets[seat] for seat in seats]
            live.send(json.dumps({"type": "hello", "secrets": secrets}))
            while True:
                seen = dict(json.loads(live.recv(PATIENCE))["game"])
                if wanted(seen):
                    return seen

    def post(self, what: str, *seats: int, **body: Any) -> httpx.Response:
        answer = self.server.client.post(
            f"{self.path}/{what}", headers=self.header(*seats), json=body
        )
        if what == "claim" and answer.status_code == 200:
            for seat, secret in answer.json()["secrets"].items():
                self.secrets[int(seat)] = secret
        return answer

    def play(self, move: str | None = None) -> dict[str, Any]:
        """Make a move for the seat to move, the first legal one if none is given."""
        seen = self.look()
        chosen = move or seen["legal"][0]["move"]
        response = self.post("moves", seen["to_move"], version=seen["version"], move=chosen)
        assert response.status_code == 200, response.text
        return dict(response.json())

    def act(self, action: str, *seats: int) -> httpx.Response:
        return self.post("actions", *seats, version=self.look()["version"], action=action)


@dataclass
class Somebody:
    """Somebody with an account, in a browser that is signed in to it."""

    server: Host
    client: httpx.Client
    id: str
    name: str
    role: str

    @property
    def cookie(self) -> dict[str, str]:
        """The header that says who they are."""
        return {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        }

    def make(self, game: str = "skew", **choices: Any) -> "Game":
        """A game that they make, on a tiny board."""
        deal = {"seed": 1} if game == "skaane" and "position" not in choices else {}
        body = {"game": game, "options": TINY[game], **deal, **choices}
        response = self.client.post("/api/games", json=body)
        assert response.status_code == 201, response.text
        return Game(self.server, response.json()["id"], response.json()["secrets"])

    def look(self, game: Game) -> dict[str, Any]:
        return dict(self.client.get(game.path).json())

    def post(self, game: Game, what: str, secret: str | None = None, **body: Any) -> httpx.Response:
        """Do something in a game, with the secret of a seat or by the account alone."""
        headers = {"X-Seat": secret or ""}
        return self.client.post(f"{game.path}/{what}", headers=headers, json=body)

    def play(self, game: Game) -> httpx.Response:
        """Make the first legal move."""
        seen = self.look(game)
        move = seen["legal"][0]["move"]
        return self.post(game, "moves", version=seen["version"], move=move)


@dataclass
class Bot:
    """A bot on a server."""

    server: Host
    name: str
    token: str

    @property
    def header(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def get(self, path: str) -> httpx.Response:
        return self.server.client.get(path, headers=self.header)

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self.server.client.post(path, headers=self.header, json=body)

    def begin(self, game: str, **choices: Any) -> Game:
        """A game of the bot, by default on a tiny board."""
        body = {"game": game, "options": TINY[game], **choices}
        response = self.post("/api/bots/games", **body)
        assert response.status_code == 201, response.text
        return Game(self.server, response.json()["id"], response.json()["secrets"])

    def join(self, game: Game, seat: int = 1) -> httpx.Response:
        return self.post(f"/api/bots/games/{game.id}/join", seat=seat)

    def look(self, game: Game) -> dict[str, Any]:
        return dict(self.get(game.path).json())

    def play(self, game: Game, move: str | None = None) -> httpx.Response:
        """Make a move, the first legal one if none is given."""
        seen = self.look(game)
        chosen = move or seen["legal"][0]["move"]
        return self.post(f"{game.path}/moves", version=seen["version"], move=chosen)

    def events(self) -> Iterator[dict[str, Any]]:
        """What the bot is told, until nobody asks for more."""
        with (
            httpx.Client(base_url=self.server.url, timeout=180, verify=TRUST) as client,
            client.stream("GET", "/api/bots/events", headers=self.header) as answer,
        ):
            assert answer.status_code == 200, answer.read()
            for line in answer.iter_lines():
                if line:
                    yield dict(json.loads(line))


def compile_analyses(*whole: str) -> None:
    """Compile what analyses need: their processes yield to the tests, and would take for ever.

    Tiny boards of all games, and the usual boards of some, by default of all.
    """
    for name, tiny in TINY.items():
        for options in (tiny, {}) if name in (whole or TINY) else (tiny,):
            start = skerry.make(name, **options).initial(1)
            skerry.analyse(start, simulations=10)
            with suppress(SolveLimit):
                skerry.solve(start, nodes=1000)


def is_alive(pid: int) -> bool:
    """Whether a process runs, and is not a leftover that nobody waits for."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return " Z " not in Path(f"/proc/{pid}/stat").read_text()
