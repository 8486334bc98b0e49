"""The browsers that are kept, in either kind of database: so many, and each told once."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import delete, func, select

import skerry
from server.storing import make_store, open_database
from skerry.server.db import schema
from skerry.server.db.engine import Database
from skerry.server.play.table import PERSON, Seat, Table
from skerry.server.push import subscriptions
from skerry.server.push.subscriptions import (
    KEPT,
    LEASE,
    MOST_BROWSERS,
    Claim,
    Subscription,
    Subscriptions,
)
from skerry.server.web.secrets import conceal, new_id

WORDS = ("one", "two", "six")


class Ticks:
    """A time of its own for every question."""

    now = 0

    def __call__(self) -> int:
        self.now += 1
        return self.now


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[tuple[Database, str]]:
    """A database without subscriptions, with a game whose seats have the secrets above."""
    async with open_database(address) as database:
        async with database.transact() as connection:
            await connection.execute(delete(schema.browsers))
        seats = tuple(Seat(PERSON, word, conceal(word), claimed=True) for word in WORDS)
        table = Table(new_id(), skerry.make("x", size=2).initial(), seats, 0, 0, 0)
        await make_store(database).create(table)
        yield database, table.id


def browser(number: int) -> Subscription:
    return Subscription(f"https://push.example/{number}", "point", "secret", "https://here")


async def count(database: Database, rows: Any) -> int:
    async with database.connect() as connection:
        return await connection.scalar(select(func.count()).select_from(rows)) or 0


def run(address: str, test: Callable[[Database, str], Any]) -> None:
    async def enter() -> None:
        async with opened(address) as (database, game):
            await test(database, game)

    asyncio.run(enter())


def test_the_newest_browsers_of_a_seat_are_kept(database: str) -> None:
    async def fill(database: Database, game: str) -> None:
        found = Subscriptions(database, Ticks())
        for number in range(MOST_BROWSERS + 2):
            assert await found.keep(browser(number), {(game, "one")}) == 1
        assert await count(database, schema.told) == MOST_BROWSERS
        told = await found.claim(conceal("one"), "mark", [], 60)
        assert {each.subscription for each in told} == {
            browser(number) for number in range(2, MOST_BROWSERS + 2)
        }

    run(database, fill)


def test_the_newest_seats_of_a_browser_are_kept(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscriptions, "MOST_SEATS", 2)

    async def fill(database: Database, game: str) -> None:
        found = Subscriptions(database, Ticks())
        for word in (*WORDS, "one"):
            assert await found.keep(browser(1), {(game, word)}) == 1
        assert await found.keep(browser(1), {(game, "no"), ("other", "one")}) == 0
        assert await found.claim(conceal("two"), "mark", [], 60) == []
        for word in ("six", "one"):
            claimed = await found.claim(conceal(word), "mark", [], 60)
            assert claimed == [Claim(browser(1), conceal(word), "mark")]

    run(database, fill)


def test_a_message_is_claimed_by_one(database: str) -> None:
    """As by several workers that look at the same moment."""

    async def race(database: Database, game: str) -> None:
        found = Subscriptions(database, Ticks())
        await found.keep(browser(1), {(game, "one")})
        await found.keep(browser(2), {(game, "one"), (game, "two")})
        for mark in ("first", "second"):
            claims = [found.claim(conceal("one"), mark, [conceal("two")], 60) for _ in range(8)]
            claimed = [each.subscription for part in await asyncio.gather(*claims) for each in part]
            assert claimed == [browser(1)]  # the other has the seat that moved

    run(database, race)


def test_what_a_process_left_behind_is_taken_over_once(database: str) -> None:
    async def leave(database: Database, game: str) -> None:
        ticks = Ticks()
        found = Subscriptions(database, ticks)
        await found.keep(browser(1), {(game, "one"), (game, "two"), (game, "six")})
        (one,) = await found.claim(conceal("one"), "first", [], 3600)
        (two,) = await found.claim(conceal("two"), "second", [], 60)
        (six,) = await found.claim(conceal("six"), "third", [], 3600)
        await found.settle(six)
        assert await found.take_over(at_start=False) == []  # somebody is busy with them
        await found.hand_over(one)
        taken = await asyncio.gather(*(found.take_over(at_start=False) for _ in range(4)))
        assert [claim for part in taken for claim in part] == [one]
        ticks.now += LEASE + 1
        assert await found.take_over(at_start=False) == [one]  # who had them is gone; two is late
        ticks.now += LEASE + 1
        (newer,) = await found.claim(conceal("one"), "fourth", [], 3600)
        await found.settle(one)  # by somebody who does not know yet
        ticks.now += LEASE + 1
        assert await found.take_over(at_start=False) == [newer]
        await found.settle(newer)
        ticks.now += LEASE + 1
        assert await found.take_over(at_start=True) == []
        assert await found.claim(conceal("two"), two.mark, [], 60) == []  # nor is it told anew

    run(database, leave)


def test_a_file_belongs_to_one_server(database: str) -> None:
    async def kill(database: Database, game: str) -> None:
        found = Subscriptions(database, Ticks())
        await found.keep(browser(1), {(game, "one")})
        claimed = await found.claim(conceal("one"), "mark", [], 3600)
        assert await Subscriptions(database, Ticks()).take_over(at_start=True) == (
            [] if database.is_shared else claimed
        )

    run(database, kill)


def test_many_tabs_of_a_browser_subscribe_at_once(database: str) -> None:
    async def race(database: Database, game: str) -> None:
        found = Subscriptions(database, Ticks())
        held = {(game, word) for word in WORDS}
        assert await asyncio.gather(*(found.keep(browser(1), held) for _ in range(8))) == [3] * 8
        assert await found.count() == 1
        assert await count(database, schema.told) == 3

    run(database, race)


def test_browsers_that_never_come_back_are_forgotten(database: str) -> None:
    async def wait(database: Database, game: str) -> None:
        ticks = Ticks()
        found = Subscriptions(database, ticks)
        for number in (1, 2):
            await found.keep(browser(number), {(game, "one")})
        ticks.now += KEPT
        await found.keep(browser(2), set())
        await found.prune()
        assert [await found.is_known(browser(number)) for number in (1, 2)] == [False, True]
        assert await count(database, schema.told) == 1

    run(database, wait)


def test_all_workers_have_one_key(database: str) -> None:
    async def start(database: Database, _: str) -> None:
        workers = [Subscriptions(database, Ticks()) for _ in range(4)]
        assert len({worker.signer.public for worker in workers}) == 4
        await asyncio.gather(*(worker.open() for worker in workers))
        assert len({worker.signer.public for worker in workers}) == 1

    run(database, start)
