"""The SQLite file of a server: nobody else's, and nothing is acknowledged that is not kept."""

import asyncio
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import event, text

from server.serving import Game, LocalServer
from skerry.server.db import engine, health
from skerry.server.db.engine import Database
from support.running import run


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalServer]:
    monkeypatch.setattr(health, "LASTS", 0.0)
    with LocalServer(tmp_path) as running:
        running.client.get("/healthz")  # it has started
        yield running


def try_to_move(game: Game) -> httpx.Response:
    seen = game.look()
    body = {"version": seen["version"], "move": seen["legal"][0]["move"]}
    return game.post("moves", seen["to_move"], **body)


def count_plies(file: str) -> int:
    """How many plies somebody else finds in the database."""
    with closing(sqlite3.connect(file)) as database:
        return int(database.execute("SELECT count(*) FROM plies").fetchone()[0])


def test_a_second_server_is_refused(server: LocalServer, tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(server.database)
    for file in (server.database, str(link)):
        done = run("serve", "--port", "0", "--database", file)
        assert done.exit_code == 2
        assert "another server uses the database" in done.stderr
        assert done.stderr.count("\n") == 1
    game = server.make_for_persons()
    game.play()
    assert count_plies(server.database) == 1  # to look is allowed


def delete(file: str) -> Callable[[], None]:
    os.rename(file, f"{file}.away")
    return lambda: os.rename(f"{file}.away", file)


def replace(file: str) -> Callable[[], None]:
    """Put a copy in its place, as a backup that is played back would be."""
    undo = delete(file)
    shutil.copy(f"{file}.away", file)
    return undo


def delete_log(file: str) -> Callable[[], None]:
    return delete(f"{file}-wal")


@pytest.mark.parametrize(
    ("lose", "why"), [(delete, "deleted"), (replace, "replaced"), (delete_log, "deleted")]
)
def test_a_file_that_is_gone_is_noticed(
    server: LocalServer, lose: Callable[[str], Callable[[], None]], why: str
) -> None:
    """SQLite would go on writing to what nobody finds again."""
    game = server.make_for_persons()
    game.play()
    put_back = lose(server.database)
    answer = try_to_move(game)
    assert (answer.status_code, "nothing can be saved" in answer.text) == (503, True)
    said = server.client.get("/healthz")
    assert (said.status_code, why in said.json()["writing"]) == (503, True)
    assert game.look()["ply"] == 1  # what was not kept is not shown
    put_back()
    assert try_to_move(game).status_code == 200
    assert server.client.get("/healthz").status_code == 200
    assert count_plies(server.database) == 2


def test_a_file_that_is_lost_while_a_move_is_written(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the last look at the file and the answer there is nothing but another look."""
    game = server.make_for_persons()
    game.play()
    looks = 0
    check = Database.check_file

    def lose_it_after_the_first(self: Database) -> None:
        nonlocal looks
        looks += 1
        check(self)
        if looks == 1:
            delete(server.database)

    monkeypatch.setattr(Database, "check_file", lose_it_after_the_first)
    assert try_to_move(game).status_code == 503


@contextmanager
def hindered(server: LocalServer, on: str, off: str) -> Iterator[None]:
    """Let SQLite refuse something on all connections, as it would by itself."""
    found = server.app.state.parts[Database].engine.sync_engine
    pragma = on

    def hinder(connection: Any, *_: object) -> None:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    event.listen(found, "checkout", hinder)
    yield
    pragma = off


@pytest.mark.parametrize(
    ("on", "off", "why"),
    [
        ("max_page_count = 1", "max_page_count = 1073741823", "full"),
        ("query_only = ON", "query_only = OFF", "readonly"),
    ],
)
def test_a_disk_that_takes_nothing(
    server: LocalServer, on: str, off: str, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    """What was acknowledged is there, and nothing else was."""
    game = server.make_for_persons()
    kept = 0
    with hindered(server, on, off):
        while (answer := game.post("chat", 0, text="x" * 300)).status_code == 200:
            kept += 1  # there may be room on the pages there are
        assert (answer.status_code, "nothing can be saved" in answer.text) == (503, True)
        away = next(record for record in caplog.records if "away" in record.message)
        assert why in away.__dict__["fields"]["reason"]
        assert len(game.look()["chat"]) == kept
    assert game.post("chat", 0, text="at last").status_code == 200
    assert len(game.look()["chat"]) == kept + 1


def test_a_flag_that_cannot_fall_is_one_line(
    server: LocalServer, caplog: pytest.LogCaptureFixture
) -> None:
    """It falls when the disk can be written to again."""
    game = server.make_for_persons(clock={"kind": "move", "seconds": 1})
    game.play()
    game.play()
    with hindered(server, "query_only = ON", "query_only = OFF"):
        while not any("away" in record.message for record in list(caplog.records)):
            time.sleep(0.02)
    while game.look()["outcome"] is None:
        time.sleep(0.02)
    assert not [record for record in caplog.records if record.exc_info]


def test_a_disk_with_little_room_is_told(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "LEAST_SPACE", 2**60)
    said = server.client.get("/healthz")
    assert said.status_code == 503
    assert said.json()["disk"].endswith("MB are left for the database")
    assert said.json()["writing"] == "ok"


def test_a_locked_file_fails_fast(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    game = server.make_for_persons()
    with closing(sqlite3.connect(server.database)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = try_to_move(game)
        assert answer.status_code == 503
        assert "another program has locked the database" in answer.json()["error"]
        assert game.look()["ply"] == 0  # looking goes on
        # Whoever waits for others that wait is told as soon.
        monkeypatch.setattr(engine, "QUEUEING", 0.0)
        assert "locked" in server.client.get("/healthz").json()["writing"]
        other.rollback()
    monkeypatch.undo()
    assert try_to_move(game).status_code == 200


def test_a_log_that_somebody_has_made_anew_is_not_ours(server: LocalServer) -> None:
    """Whoever opens the database while its log is gone begins another one."""
    game = server.make_for_persons()
    game.play()
    put_back = delete_log(server.database)
    with closing(sqlite3.connect(server.database)) as database:
        database.execute("SELECT count(*) FROM sqlite_master").fetchone()
        assert Path(f"{server.database}-wal").exists()
        answer = try_to_move(game)
        assert (answer.status_code, "nothing can be saved" in answer.text) == (503, True)
    put_back()
    assert try_to_move(game).status_code == 200
    assert count_plies(server.database) == 2


def test_the_log_ends_with_the_last_connection(tmp_path: Path) -> None:
    """As when a request was given up in the middle: the next one begins another log."""
    path = tmp_path / "a.db"

    async def write_between_ends() -> None:
        database = Database(str(path))
        with database.own():
            for name in ("first", "second"):
                async with database.transact() as connection:
                    await connection.execute(text(f"CREATE TABLE {name} (id INTEGER)"))
                await database.close()  # all connections; new ones may be opened
                assert not Path(f"{path}-wal").exists()
                Path(f"{path}-other").touch()  # takes the number of the log that is gone

    asyncio.run(write_between_ends())
    with closing(sqlite3.connect(path)) as found:
        assert found.execute("SELECT count(*) FROM sqlite_master").fetchone() == (2,)


def test_the_end_waits_for_connections_that_are_in_use(tmp_path: Path) -> None:
    """A request that is given up gives its connection back a little later."""

    async def end() -> None:
        database = Database(str(tmp_path / "a.db"))
        closed: list[object] = []
        event.listen(database.engine.sync_engine, "close", lambda *about: closed.append(about))
        is_in_use = asyncio.Event()

        async def use() -> None:
            async with database.connect() as connection:
                await connection.execute(text("SELECT 1"))
                is_in_use.set()
                await asyncio.sleep(0.05)

        using = asyncio.create_task(use())
        await is_in_use.wait()
        await database.close()
        assert len(closed) == 1
        await using

    asyncio.run(end())
