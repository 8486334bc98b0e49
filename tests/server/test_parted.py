"""PostgreSQL behind a network that is parted: connections stay open, and nothing comes back."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from server import postgres
from server.pushing import Browser, PushService
from server.relay import Relay
from server.serving import Game, LocalServer
from server.test_live import watch
from skerry.server.db import engine, health, notify
from skerry.server.db.engine import Database, read_address
from skerry.server.db.notify import Channel
from skerry.server.play import opponents
from skerry.server.push import messenger


@pytest.fixture(scope="module")
def relay(cluster: str) -> Iterator[tuple[Relay, str]]:
    relay = Relay(postgres.create_database(cluster))
    with relay.running() as address:
        yield relay, address


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    grow_impatient(monkeypatch)


def grow_impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What would be noticed after seconds is noticed at once."""
    monkeypatch.setattr(engine, "PATIENCE", 0.5)
    monkeypatch.setattr(notify, "ANSWER_TIME", 0.5)
    monkeypatch.setattr(notify, "HEARTBEAT", 0.05)
    monkeypatch.setattr(health, "LASTS", 0.0)


def move_until_answered(game: Game) -> list[int]:
    """Make a move as a page does that tries again; the statuses that came back."""
    seen = []
    while not seen or seen[-1] == 503:
        answer = game.server.client.get(game.path)
        if answer.status_code == 200:
            now = answer.json()
            move = {"version": now["version"], "move": now["legal"][0]["move"]}
            answer = game.post("moves", now["to_move"], **move)
        seen.append(answer.status_code)
    return seen


def ask_until(server: LocalServer, status: int) -> httpx.Response:
    while True:
        answer = server.client.get("/healthz")
        if answer.status_code == status:
            return answer


@pytest.mark.usefixtures("impatient")
def test_a_move_after_a_freeze_is_answered_and_heard(
    relay: tuple[Relay, str], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The connections are dead, new ones are not: nothing is answered that nobody hears of."""
    network, address = relay
    with LocalServer(tmp_path, database=address) as server:
        game = server.make_for_persons()

        async def talk() -> None:
            async with watch(game, 0) as watcher:
                game_before = await asyncio.to_thread(game.play)
                await watcher.until(lambda g: g["version"] == game_before["version"])
                network.freeze()
                seen = await asyncio.to_thread(move_until_answered, game)
                assert seen[-1] == 200
                after = await watcher.until(lambda g: g["ply"] == 2)
                assert after["version"] == game_before["version"] + 1

        asyncio.run(talk())
    failed = ("uvicorn.error", "a request failed")
    assert not [
        one for one in caplog.records if one.exc_info and {one.name, one.message} & {*failed}
    ]


def test_engines_and_messages_wait_for_the_database(
    relay: tuple[Relay, str],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What falls due while it is away is done when it is back, and noted in lines, not traces."""
    monkeypatch.setattr(opponents, "SWEEP", 0.2)
    monkeypatch.setattr(messenger, "DELAY", 1.0)
    network, address = relay
    with (
        PushService().running() as service,
        LocalServer(tmp_path, database=address, pace=1000, push_services=service.origin) as server,
    ):
        played, told = server.make("skew", seats=["person", "level:1"]), server.make_for_persons()
        played.until(lambda g: g["engine"] == "ready")
        browser = Browser(service.origin, "/ann")
        browser.subscribe(server, (told, 1))
        grow_impatient(monkeypatch)
        played.play()
        told.play()
        network.freeze(later=True)
        caplog.clear()
        while sum("away" in record.message for record in list(caplog.records)) < 16:
            time.sleep(0.02)
        network.thaw()
        assert browser.open(service.receive())["path"] == f"/g/{told.id}"
        ask_until(server, 200)
        assert played.until(lambda g: g["to_move"] != 1)["ply"] >= 2
    assert not [record for record in caplog.records if record.exc_info]


def test_a_worker_that_starts_without_a_database_waits_for_it(
    relay: tuple[Relay, str],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine, "PATIENCE", 2.0)
    network, address = relay
    network.freeze(later=True)
    with LocalServer(tmp_path, database=address) as server:
        while not any("away" in record.message for record in list(caplog.records)):
            assert server.is_alive
            time.sleep(0.02)
        network.thaw()
        ask_until(server, 200)
        server.make_for_persons().play()


@pytest.mark.usefixtures("impatient")
def test_health_says_what_fails(relay: tuple[Relay, str], tmp_path: Path) -> None:
    network, address = relay
    with LocalServer(tmp_path, database=address) as server:
        ask_until(server, 200)
        network.freeze(later=True)
        said = ask_until(server, 503).json()
        while said["hearing"] == "ok":  # the next beat has not come yet
            said = ask_until(server, 503).json()
        assert said["status"] == "failing"
        assert said["disk"] == "ok"
        assert "writing fails: the database did not answer" in said["error"]
        assert "hearing fails: nothing was heard" in said["error"]
        network.thaw()
        assert ask_until(server, 200).json()["hearing"] == "ok"
        server.make_for_persons().play()


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("opened", [Database.connect, Database.transact])
@pytest.mark.parametrize("is_cancelled", [False, True], ids=["late", "cancelled"])
def test_to_give_a_connection_back_takes_no_longer(
    relay: tuple[Relay, str],
    opened: Callable[[Database], AbstractAsyncContextManager[AsyncConnection]],
    is_cancelled: bool,
) -> None:
    """A driver waits for the answer to a rollback for ever, and cannot be cancelled meanwhile."""
    network, address = relay

    async def ask(database: Database, then: Callable[[], None]) -> None:
        async with opened(database) as connection:
            await connection.execute(text("select 1"))
            then()

    async def lose() -> None:
        database, is_frozen = Database(address), asyncio.Event()

        def freeze() -> None:
            network.freeze()
            is_frozen.set()

        asking = asyncio.create_task(ask(database, freeze))
        await is_frozen.wait()
        if is_cancelled:
            asking.cancel()
        with pytest.raises(asyncio.CancelledError if is_cancelled else ConnectionError):
            await asking
        await ask(database, lambda: None)  # by a connection of its own
        await database.close()

    asyncio.run(asyncio.wait_for(lose(), 60))


@pytest.mark.usefixtures("impatient")
def test_a_worker_notices_that_it_hears_nothing(relay: tuple[Relay, str]) -> None:
    """After it, it catches up; what the dead connection had locked is free again."""
    network, address = relay

    async def listen() -> None:
        missed = []
        channel = Channel(read_address(address))
        channel.missed.append(lambda: missed.append("missed"))
        await channel.open()
        await channel.beat()
        assert (channel.failure, missed) == (None, [])
        async with channel.alone("some game") as alone:
            assert alone
            network.freeze()
            await channel.beat()
            assert channel.failure == "nothing was heard within 0.5 s"
            await channel.beat()
            assert (channel.failure, missed) == (None, ["missed"])
            async with channel.alone("some game") as again:
                assert again
        await channel.close()

    asyncio.run(listen())
