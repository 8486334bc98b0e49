"""The database: migrations with a copy put aside, and settings that lead to it."""

import asyncio
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, select, text

import skerry
from server.storing import make_store, open_database
from skerry.server.db import engine, retry, schema
from skerry.server.db.file import DatabaseFile
from skerry.server.db.migrate import migrate
from skerry.server.play import rows
from skerry.server.play import store as store_module
from skerry.server.play.announcer import Announcer
from skerry.server.play.clocks import Clock
from skerry.server.play.deeds import move
from skerry.server.play.flags import Deadlines
from skerry.server.play.store import BARE
from skerry.server.play.table import PERSON, Remark, Seat, Table
from skerry.server.settings import Settings
from skerry.server.web.errors import NotFound, Stale
from skerry.server.web.lru import Recent
from skerry.server.web.metrics import Metrics

SKEW = skerry.make("skew", side=2)
SEATS = (Seat(PERSON, "Ann", claimed=True), Seat(PERSON, "Bob", claimed=True))


def test_migrations_make_the_schema(tmp_path: Path) -> None:
    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, schema.metadata))

    async def look() -> list[object]:
        async with open_database(str(tmp_path / "a b#c?.db")) as database:
            await migrate(database.engine)  # nothing is left to do
            async with database.connect() as connection:
                return await connection.run_sync(differences)

    assert asyncio.run(look()) == []
    assert [path.name for path in tmp_path.glob("*.db*")] == ["a b#c?.db"]


def test_what_is_there_is_copied_before_a_migration(tmp_path: Path) -> None:
    """An old database is one whose revision is not the newest; here it has none of our tables."""
    file = tmp_path / "old.db"
    with sqlite3.connect(file) as old:
        old.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        old.execute("INSERT INTO alembic_version VALUES ('0000')")
        old.execute("CREATE TABLE keepsake (words TEXT)")
        old.execute("INSERT INTO keepsake VALUES ('still here')")
    old.close()

    async def bring_up() -> None:
        async with open_database(str(file)):
            pass

    # We have no such revision, so it is from a newer skerry; the copy is there all the same.
    with pytest.raises(skerry.OptionsError, match="newer"):
        asyncio.run(bring_up())
    copy = sqlite3.connect(tmp_path / "old.db.before-0000")
    assert copy.execute("SELECT words FROM keepsake").fetchone() == ("still here",)
    copy.close()


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"not a database, by far" * 100)
    for file in (tmp_path, picture, picture / "below.db"):
        with pytest.raises(skerry.OptionsError, match="cannot be used"):
            DatabaseFile(str(file)).make()
    DatabaseFile(str(tmp_path / "new" / "skerry.db")).make()


class Notes:
    """A spectator who writes down what it is told."""

    def __init__(self) -> None:
        self.changes: list[str] = []

    def changed(self, id: str) -> None:
        self.changes.append(id)

    def everything_changed(self) -> None:
        self.changes.append("everything")


def test_two_stores_on_one_file_agree(tmp_path: Path) -> None:
    """What one keeps in memory never overwrites what another did."""

    async def play() -> None:
        async with open_database(str(tmp_path / "skerry.db")) as database:
            notes = Notes()
            announcers = [Announcer(across=False) for _ in range(2)]
            for announcer in announcers:
                announcer.tell(notes)
            first, second = (make_store(database, announcer) for announcer in announcers)
            table = Table("id", SKEW.initial(), SEATS, 0, 0, 0)
            await first.create(table)
            theirs = await second.find("id")
            one = await first.replace(table, move(table, frozenset({0}), "a1-e", 1))
            assert (await first.find("id")) is one
            with pytest.raises(Stale):
                await second.replace(theirs, move(theirs, frozenset({0}), "a2-e", 1))
            assert (await second.find("id")).line.states == one.line.states
            # A remark made meanwhile is not in the way of a move.
            await second.say("id", Remark(0, "Bob", "hm", 2))
            two = await first.replace(one, move(one, frozenset({1}), "a2-e", 2))
            assert [line.text for line in two.chat] == ["hm"]
            assert two.version == 2
            assert two.revision == 3
            assert notes.changes == ["id"] * 4

    asyncio.run(play())


def test_nobody_is_told_before_it_is_on_disk(tmp_path: Path) -> None:
    """Whoever is told of a change finds it in the file; nobody is told of one that failed."""
    file = tmp_path / "skerry.db"
    seen: list[tuple[str, int]] = []

    def look(event: str) -> None:
        with sqlite3.connect(file) as other:
            (plies,) = other.execute("SELECT ply FROM games").fetchone()
        other.close()
        seen.append((event, plies))

    class Looker(Notes):
        def changed(self, id: str) -> None:
            look("spectator")

    async def play() -> None:
        announcer = Announcer(across=False)
        announcer.tell(Looker())
        announcer.follow(lambda table, visitor: look(f"follower {visitor}"))
        async with open_database(str(file)) as database:
            store = make_store(database, announcer)
            table = Table("id", SKEW.initial(), SEATS, 0, 0, 0)
            await store.create(table, "ann")
            after = move(table, frozenset({0}), "a1-e", 1)
            await store.replace(table, after, visitor="bob")
            assert seen == [
                ("spectator", 0),
                ("follower ann", 0),
                ("spectator", 1),
                ("follower bob", 1),
            ]
            with pytest.raises(Stale):
                await store.replace(table, after, visitor="eve")
            assert len(seen) == 4

    asyncio.run(play())


def test_with_several_workers_the_database_tells_everybody() -> None:
    announcer, notes = Announcer(across=True), Notes()
    announcer.tell(notes)
    announcer.committed("id", 1)
    assert notes.changes == []  # it will be heard of
    announcer.hear("id 1")
    announcer.missed()
    assert notes.changes == ["id", "everything"]


def test_an_old_holder_of_a_seat_does_not_bring_its_secret_back(tmp_path: Path) -> None:
    async def sit() -> None:
        old, fresh = Seat(PERSON, "Ann", "old"), "new"
        table = Table("id", SKEW.initial(), (old, Seat(PERSON, "Bob", "theirs")), 0, 0, 0)
        async with open_database(str(tmp_path / "skerry.db")) as database:
            store = make_store(database)
            await store.create(table)
            other = table.seats[1]
            await store.change_seats(table, (replace(old, secret=fresh), other))
            eve = replace(old, name="Eve", claimed=True)
            with pytest.raises(Stale):
                await store.change_seats(table, (eve, replace(other, name="Eve")))
            # Of several seats, all are changed or none.
            with pytest.raises(Stale):
                await store.change_seats(table, (eve, other))
            assert (await store.find("id")).seats == (replace(old, secret=fresh), other)

    asyncio.run(sit())


def test_old_lines_of_the_chat_are_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "CHAT_LINES", 3)

    async def talk() -> list[tuple[int, str]]:
        async with open_database(str(tmp_path / "skerry.db")) as database:
            store = make_store(database)
            await store.create(Table("id", SKEW.initial(), SEATS, 0, 0, 0))
            for number in range(1, 6):
                await store.say("id", Remark(0, "Ann", str(number), number))
            return [(line.n, line.text) for line in (await store.find("id")).chat]

    assert asyncio.run(talk()) == [(3, "3"), (4, "4"), (5, "5")]


def test_work_goes_on_after_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "PAUSE", 0)
    tries: list[int] = []

    async def work() -> None:
        tries.append(len(tries))
        if len(tries) < 3:
            raise OSError("the database is away")

    asyncio.run(retry.persist(work))
    assert tries == [0, 1, 2]


def test_one_damaged_game_does_not_stop_the_clocks_of_others(tmp_path: Path) -> None:
    async def watch() -> None:
        async with open_database(str(tmp_path / "skerry.db")) as database:
            store = make_store(database)
            for id in ("damaged", "sound"):
                table = Table(id, SKEW.initial(), SEATS, 0, 0, 0, clock=Clock("move", 1), began=0)
                await store.create(table)
                await store.replace(table, move(table, frozenset({0}), "a1-e", 0))
            damage = text("UPDATE plies SET action = 9999 WHERE game = 'damaged'")
            async with database.transact() as connection:
                await connection.execute(damage)
            store.forget()
            watching = asyncio.create_task(Deadlines(store, Metrics(), lambda: 100_000).watch())
            while not (await store.find("sound")).is_over:
                assert not watching.done()
                await asyncio.sleep(0.01)
            watching.cancel()  # and is gone before the database is
            await asyncio.gather(watching, return_exceptions=True)

    asyncio.run(watch())


class TestSettings:
    def test_they_travel_by_the_environment(self) -> None:
        chosen = Settings(port=1, database="x.db", moves=7, origins="https://a, https://b")
        assert Settings.read(chosen.environment()) == chosen
        assert chosen.allowed_origins == {"https://a", "https://b"}
        with pytest.raises(skerry.OptionsError, match="SKERRY_PORT"):
            Settings.read({"SKERRY_PORT": "many"})

    @pytest.mark.parametrize(
        "address",
        [
            "games.example",
            "ftp://games.example",
            "https://",
            "https://games.example/path",
            "https://games.example?x",
            "https://games.example#x",
            "https://user@games.example",
            "https://games.example:port",
            "https://[games.example",
            "https://a.example, https://b.example",
            'https://"><b>',
        ],
    )
    def test_a_public_address_names_a_site_and_nothing_else(self, address: str) -> None:
        with pytest.raises(skerry.OptionsError, match="--public-address is an address") as caught:
            Settings(public_address=address).check()
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize("address", ["", "https://games.example", "http://[::1]:8000/"])
    def test_a_public_address_is_an_origin_of_ours(self, address: str) -> None:
        chosen = Settings(public_address=address)
        chosen.check()
        assert chosen.allowed_origins == {part for part in [address.rstrip("/")] if part}

    def test_where_the_database_is(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        assert engine.read_address("").database == str(tmp_path / "skerry" / "skerry.db")
        for address in (
            "postgres://u:p@h/d",
            "postgresql://u:p@h/d",
            "postgresql+asyncpg://u:p@h/d",
        ):
            assert engine.read_address(address).drivername == "postgresql+asyncpg"
        with pytest.raises(skerry.OptionsError, match="cannot be read") as caught:
            engine.open_database(Settings(database="mysql://u:hidden@h/d", workers=2))
        assert "hidden" not in str(caught.value)

    def test_several_workers_need_postgresql(self) -> None:
        with pytest.raises(skerry.OptionsError, match="PostgreSQL"):
            engine.open_database(Settings(workers=2))
        engine.open_database(Settings(workers=2, database="postgresql://h/d"))


def test_games_that_never_begin_are_deleted(database: str) -> None:
    """Those in which nobody has moved for a month; who has moved may take a year."""

    async def test() -> None:
        async with open_database(database) as opened:
            store = make_store(opened)
            old = Table("old", SKEW.initial(), SEATS, 0, 0, 10, began=0)
            recent, moved = replace(old, id="recent", updated=30), replace(old, id="moved")
            for table in (old, recent, moved):
                await store.create(table)
            text = str(moved.state.legal_moves()[0])
            await store.replace(moved, move(moved, frozenset({0, 1}), text, 10))
            await store.say("old", Remark(0, "Ann", "is anybody there?", 10))
            assert await store.drop_unbegun(20) == 1
            assert await store.drop_unbegun(20) == 0
            with pytest.raises(NotFound):
                await store.find("old")
            assert (await store.find("recent")).plies == ()
            assert len((await store.find("moved")).plies) == 1
            async with opened.connect() as connection:
                for rows in (schema.seats, schema.chat):
                    left = (
                        (await connection.execute(select(rows.c.game).distinct())).scalars().all()
                    )
                    assert "old" not in left

    asyncio.run(test())


def test_tables_in_memory_are_bounded_by_what_was_played(tmp_path: Path) -> None:
    async def test() -> None:
        async with open_database(str(tmp_path / "a.db")) as opened:
            store = make_store(opened)
            store._kept = Recent(2 * BARE + 3, weigh=store_module._weigh)
            table = Table("long", SKEW.initial(), SEATS, 0, 0, 0, began=0)
            await store.create(table)
            for _ in range(3):
                text = str(table.state.legal_moves()[0])
                table = await store.replace(table, move(table, frozenset({0, 1}), text, 0))
            await store.create(Table("one", SKEW.initial(), SEATS, 0, 0, 0, began=0))
            assert [id for id, _ in store._kept.items()] == ["long", "one"]
            await store.create(Table("two", SKEW.initial(), SEATS, 0, 0, 0, began=0))
            assert [id for id, _ in store._kept.items()] == ["one", "two"]
            assert (await store.find("long")).line.plies == 3

    asyncio.run(test())
