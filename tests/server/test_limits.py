"""One visitor cannot take it all."""

import asyncio
import json
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from server.serving import LocalServer
from skerry.server.settings import Settings
from skerry.server.web.access import visitor_of
from skerry.server.web.errors import TooMany
from skerry.server.web.limits import DAY, REMEMBERED, Limits, TokenBucket


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_empties_and_fills() -> None:
    time = Time()
    bucket = TokenBucket("moves", 6, time)
    for _ in range(6):
        bucket.spend("ann")
    with pytest.raises(TooMany, match="try again in 10 s"):
        bucket.spend("ann")
    bucket.spend("bob")
    time.now = 9.9
    with pytest.raises(TooMany):
        bucket.spend("ann")
    time.now = 10.1
    bucket.spend("ann")
    with pytest.raises(TooMany):
        bucket.spend("ann")


def test_no_limit() -> None:
    bucket = TokenBucket("moves", 0, Time())
    for _ in range(1000):
        bucket.spend("ann")


def test_visitors_are_forgotten_in_time() -> None:
    bucket = TokenBucket("moves", 1, Time())
    for number in range(REMEMBERED + 10):
        bucket.spend(str(number))
    assert len(bucket._levels) == REMEMBERED


def test_games_of_a_day() -> None:
    time = Time()
    games = Limits(Settings(games=2), time).quotas["games"]

    def make() -> None:
        with games.reserve("ann"):
            pass

    make()
    with pytest.raises(ValueError, match="no such option"), games.reserve("ann"):
        raise ValueError("no such option")  # what failed is not counted
    make()
    with pytest.raises(TooMany, match="today"):
        make()
    time.now = DAY + 1
    make()


def test_who_is_one_visitor() -> None:
    assert visitor_of("192.0.2.7") == visitor_of("::ffff:192.0.2.7") == "192.0.2.7"
    assert visitor_of("2001:db8::1") == visitor_of("2001:db8::2")
    assert visitor_of("2001:db8::1") != visitor_of("2001:db8:0:1::1")
    assert visitor_of(None) == visitor_of("") == "unknown"


def test_what_is_made_in_a_day(tmp_path: Path) -> None:
    """Rematches and bots count as games; what was refused does not count."""
    with LocalServer(tmp_path, games=3, studies=1) as server:
        small = {"size": 2}
        game = server.make_for_persons()
        wrong = server.client.post("/api/games", json={"game": "x", "options": {"size": 99}})
        assert wrong.status_code == 422
        server.make_bot("Daily")
        game.act("resign", 0)
        assert game.act("rematch", 0).status_code == 200
        for path, body in (("games", {"game": "x", "options": small}), ("bots", {"name": "B"})):
            refused = server.client.post(f"/api/{path}", json=body)
            assert refused.status_code == 429
            assert "enough games for today" in refused.json()["error"]
        codes = [
            server.client.post("/api/studies", json={"game": name, "options": small}).status_code
            for name in ("nothing", "x", "x")
        ]
        assert codes == [422, 201, 429]


def test_a_server_keeps_its_limits(tmp_path: Path) -> None:
    strict = {"creates": 4, "games": 3, "moves": 2, "chats": 1, "previews": 2, "sockets": 1}
    with LocalServer(tmp_path, **strict) as server:
        game = server.make_for_persons()
        game.play()
        game.play()
        assert game.post("moves", version=2, move="a1").status_code == 429
        assert game.post("chat", text="one").status_code == 200
        assert game.post("chat", text="two").status_code == 429
        boards = [server.client.get(f"{game.path}/board.svg").status_code for _ in range(3)]
        assert boards == [200, 200, 429]
        wrong, right = ({"game": "x", "options": {"size": size}} for size in (99, 2))
        answers = [
            server.client.post("/api/games", json=body) for body in (wrong, right, right, right)
        ]
        assert [answer.status_code for answer in answers] == [422, 201, 201, 429]
        assert "new games" in answers[-1].json()["error"]

        async def try_sockets() -> None:
            address = server.url.replace("http", "ws", 1) + game.path + "/live"
            async with connect(address) as first:
                await first.send(json.dumps({"type": "hello"}))
                await first.recv()
                with pytest.raises(InvalidStatus):
                    async with connect(address):
                        pass

        asyncio.run(try_sockets())
