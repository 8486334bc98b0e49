"""Clocks that nobody loses by: of machines that are set, and of servers that were not there."""

import asyncio
import os
import subprocess
import sys
import time

import pytest
from sqlalchemy import select

import skerry
from server.storing import make_store, open_database
from skerry.server.db.downtime import ALIVE, RETURN_TIME, Uptime
from skerry.server.db.durations import DAY, MINUTE, SECOND
from skerry.server.db.schema import keys
from skerry.server.play import clocks
from skerry.server.play.clocks import A_DAY, Clock, read_time
from skerry.server.play.deeds import move
from skerry.server.play.store import Store
from skerry.server.play.table import PERSON, Seat, Table

SKEW = skerry.make("skew", side=2)


@pytest.mark.parametrize("jump", [-A_DAY, A_DAY])
def test_a_clock_that_is_set_changes_nothing(monkeypatch: pytest.MonkeyPatch, jump: int) -> None:
    """What has passed is what counts."""
    real, before = time.time_ns(), read_time()
    monkeypatch.setattr(time, "time_ns", lambda: real + jump * 10**9)
    monkeypatch.setattr(time, "time", lambda: real / 10**9 + jump)
    assert before <= read_time() < before + DAY // 2
    assert abs(before - real // 10**6) < DAY // 2  # it was the right one at the start


def test_workers_have_one_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is started after the clock was set has the time of its server."""
    monkeypatch.setenv(clocks.OFFSET, "")
    clocks.share_time()
    ahead = int(os.environ[clocks.OFFSET]) + A_DAY * 10**9
    monkeypatch.setenv(clocks.OFFSET, str(ahead))
    code = "from skerry.server.play.clocks import read_time; print(read_time())"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert round((int(done.stdout) - read_time()) / DAY) == 1


async def begin(store: Store, id: str, now: int, clock: Clock | None) -> None:
    """A game in which both have moved, so that the time of the first runs."""
    seats = (Seat(PERSON, "Ann", claimed=True), Seat(PERSON, "Bob", claimed=True))
    table = Table(id, SKEW.initial(), seats, 0, now, now, clock=clock, began=now)
    await store.create(table)
    for _ in range(2):
        text = str(table.state.legal_moves()[0])
        table = await store.replace(table, move(table, frozenset({0, 1}), text, now))


class TestDowntime:
    """The server was last there at ten minutes."""

    @pytest.mark.parametrize(
        "now",
        [
            10 * MINUTE,  # at once
            70 * MINUTE,  # an hour later
            4 * MINUTE,  # the clock of the machine was set back
        ],
    )
    def test_nobody_pays_for_it(self, database: str, now: int) -> None:
        id = f"at {now}"

        async def restart() -> None:
            async with open_database(database) as opened:
                store = make_store(opened)
                await begin(store, id, 10 * MINUTE - 20 * SECOND, Clock("move", 60))
                await begin(store, f"{id} still", 0, None)
                await Uptime(opened, lambda: 10 * MINUTE).note()
                is_short = opened.is_shared and now == 10 * MINUTE
                await Uptime(opened, lambda: now).make_up()
                store.forget()
                table, still = await store.find(id), await store.find(f"{id} still")
                assert still.since == 0
                if is_short:  # another server may have been there all the time
                    assert table.time_left(0, now) == 40 * SECOND
                    return
                assert table.time_left(0, now) == 60 * SECOND  # 20 s were spent, 30 s are given
                assert table.deadline == now + 40 * SECOND + RETURN_TIME
                assert await store.list_due(now) == []
                async with opened.connect() as connection:
                    kept = await connection.scalar(select(keys.c.value).where(keys.c.name == ALIVE))
                assert kept == str(now)

        asyncio.run(restart())

    def test_the_first_start_moves_nothing(self, tmp_path_factory: pytest.TempPathFactory) -> None:
        file = str(tmp_path_factory.mktemp("first") / "skerry.db")

        async def start() -> None:
            async with open_database(file) as opened:
                store = make_store(opened)
                await begin(store, "game", 0, Clock("move", 60))
                await Uptime(opened, lambda: 99 * MINUTE).make_up()
                store.forget()
                assert (await store.find("game")).since == 0

        asyncio.run(start())
