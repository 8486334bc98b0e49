"""Backups: all that was acknowledged is in them, and comes back into either kind of database."""

import asyncio
import io
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from sqlalchemy import JSON, Boolean, Column, Float, Integer, LargeBinary, Table, inspect, select

import skerry
from server import postgres
from server.serving import Game, LocalServer
from server.storing import make_store, open_database
from skerry.server.db import schema
from skerry.server.db.downtime import ALIVE, RETURN_TIME
from skerry.server.db.engine import Database
from skerry.server.db.migrate import list_revisions
from skerry.server.db.tables import metadata
from skerry.server.keeping.backup.cells import select_cell
from skerry.server.keeping.backup.dump import BOOKKEEPING, back_up
from skerry.server.keeping.backup.file import BackupError, BackupReader, BackupWriter
from skerry.server.keeping.backup.load import check_backup, restore
from skerry.server.keeping.backup.place import whole_file
from support.repeating import some_of
from support.running import COMMAND, run

NOW = 1_763_406_000_000
MOVED = {"since", "deadline", "revision"}  # by the time that has passed since


def make_rows(table: Table, count: int = 3) -> list[dict[str, Any]]:
    """Rows of which no two are alike in any column, with all that a column may hold."""
    return [{column.name: make_cell(column, n) for column in table.columns} for n in range(count)]


def make_cell(column: "Column[Any]", n: int) -> Any:
    if column.foreign_keys:
        (other,) = column.foreign_keys
        return make_cell(other.column, n)
    if column.nullable and n == 1:
        return None
    if isinstance(column.type, JSON):
        return [{"ä": [1, 2.5, None, "\u2028"]}, [], "text"][n]
    if isinstance(column.type, LargeBinary):
        return bytes([n, 0, 255])
    if isinstance(column.type, Boolean):
        return n == 0
    if isinstance(column.type, Float):
        return n + 0.1
    if isinstance(column.type, Integer):
        return n + 1
    return f"{n}'\"ß\n"[: getattr(column.type, "length", None)]


async def fill(address: str) -> None:
    async with open_database(address) as database, database.transact() as connection:
        for table in metadata.sorted_tables:
            await connection.execute(table.insert(), make_rows(table))
            if table is schema.keys:
                await connection.execute(table.insert(), {"name": ALIVE, "value": str(NOW)})


async def read_all(address: str) -> dict[str, list[tuple[Any, ...]]]:
    """All that is kept, JSON as text; without what the passing of time changes."""
    async with open_database(address) as database, database.connect() as connection:
        found = {}
        for table in metadata.sorted_tables:
            columns = [column for column in table.columns if column.name not in MOVED]
            query = select(*map(select_cell, columns)).order_by(*table.primary_key.columns)
            found[table.name] = [tuple(row) for row in await connection.execute(query)]
        found["keys"] = [row for row in found["keys"] if row[0] not in (ALIVE, "outside")]
        return found


async def write(address: str, path: Path, now: int = NOW) -> dict[str, int]:
    database = Database(address)
    try:
        return await back_up(database, path, now)
    finally:
        await database.close()


async def put_back(address: str, path: Path, force: bool = False, now: int = NOW) -> dict[str, int]:
    database = Database(address)
    try:
        return await restore(database, path, force, now)
    finally:
        await database.close()


async def list_tables(address: str) -> set[str]:
    async with open_database(address) as database, database.connect() as connection:
        found = await connection.run_sync(lambda sync: inspect(sync).get_table_names())
        return set(found) - {BOOKKEEPING}


@pytest.fixture(params=some_of(["sqlite", "postgresql"], ["sqlite"]))
def either(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database, in every run an SQLite file."""
    if request.param == "sqlite":
        return str(tmp_path / "either.db")
    return postgres.create_database(request.getfixturevalue("cluster"), empty=True)


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A backup with something in every table."""
    path, address = tmp_path / "whole.skerry", str(tmp_path / "whole.db")
    asyncio.run(fill(address))
    asyncio.run(write(address, path))
    return path


def test_every_table_goes_from_each_kind_of_database_to_each(database: str, tmp_path: Path) -> None:
    first, second = tmp_path / "first.skerry", tmp_path / "second.skerry"
    other = str(tmp_path / "other.db")
    asyncio.run(fill(database))
    rows = asyncio.run(write(database, first))
    # A migration may make tables that nobody has declared, and the other way round.
    assert set(rows) == set(metadata.tables) == asyncio.run(list_tables(database))
    assert all(rows.values())
    assert asyncio.run(put_back(other, first)) == rows
    assert asyncio.run(read_all(other)) == asyncio.run(read_all(database))
    with pytest.raises(BackupError, match="--force"):
        asyncio.run(put_back(database, first))
    asyncio.run(write(other, second))
    asyncio.run(put_back(database, second, force=True))
    assert asyncio.run(read_all(database)) == asyncio.run(read_all(other))
    assert first.stat().st_mode & 0o777 == 0o600


def test_a_process_that_backs_up_knows_every_table(tmp_path: Path) -> None:
    """It runs nothing else, so it has imported nothing else either."""
    script = "from skerry.server.keeping.backup import dump; print(*dump.metadata.tables)"
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    assert set(done.stdout.split()) == asyncio.run(list_tables(str(tmp_path / "one.db")))


@pytest.mark.soak
def test_commands_of_their_own_keep_every_table(tmp_path: Path) -> None:
    one, other = str(tmp_path / "one.db"), str(tmp_path / "other.db")
    asyncio.run(fill(one))
    for command, address in (("backup", one), ("restore", other)):
        words = [*COMMAND, command, str(tmp_path / "kept.skerry"), "--database", address]
        subprocess.run(words, check=True, capture_output=True)
    assert asyncio.run(read_all(other)) == asyncio.run(read_all(one))


def test_numbers_go_on_where_they_stopped(either: str, tmp_path: Path) -> None:
    """A database that counts by itself does not begin anew after a restoration."""
    path = tmp_path / "whole.skerry"
    source = str(tmp_path / "source.db")
    asyncio.run(fill(source))
    asyncio.run(write(source, path))
    asyncio.run(put_back(either, path))

    async def add() -> None:
        async with open_database(either) as opened, opened.transact() as connection:
            for table in metadata.sorted_tables:
                if table.autoincrement_column is not None and not table.foreign_keys:
                    counted = table.autoincrement_column.name
                    row = {k: v for k, v in make_rows(table, 1)[0].items() if k != counted}
                    await connection.execute(table.insert(), row)

    asyncio.run(add())


def test_damage_anywhere_is_noticed(whole: Path, tmp_path: Path) -> None:
    content = whole.read_bytes()
    seed = random.Random(1)
    damaged = [content[:length] for length in range(0, len(content), 7)]
    damaged += [content + b"\0", content + content, b""]
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 1 << seed.randrange(8)
        damaged.append(bytes(changed))
    meant = list(BackupReader(io.BytesIO(content), "x").batches())
    passed = 0
    for one in damaged:
        try:
            found = list(BackupReader(io.BytesIO(one), "x").batches())
        except BackupError as error:
            assert "\n" not in str(error)
        else:  # bits that fill the last byte, for example, mean nothing
            assert found == meant
            passed += 1
    assert passed < 10
    half = tmp_path / "half.skerry"
    half.write_bytes(content[: len(content) // 2])
    target = tmp_path / "target.db"
    assert "half.skerry is damaged" in complain("restore", half, target)
    assert not target.exists()


def complain(command: str, file: Path, database: Path, *more: str) -> str:
    """What a command says that is refused, on one line."""
    result = run(command, str(file), "--database", str(database), *more)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1), result.output
    return result.stderr


@pytest.mark.usefixtures("in_this_process")
def test_what_cannot_be_restored_is_told_on_one_line(whole: Path, tmp_path: Path) -> None:
    target = tmp_path / "target.db"
    foreign, newer, later, gone = (
        tmp_path / name for name in ("foreign", "newer", "later", "gone")
    )
    foreign.write_text("PK\3\4")
    newer.write_bytes(whole.read_bytes().replace(b"backup 1\n", b"backup 2\n", 1))
    with later.open("wb") as file:
        BackupWriter(file, "9999_later", NOW).finish()
    assert "foreign is not a backup" in complain("restore", foreign, target)
    assert "newer was made by a newer skerry" in complain("restore", newer, target)
    assert "later was made by a newer skerry" in complain("restore", later, target)
    assert "gone: No such file" in complain("restore", gone, target)
    assert not target.exists()
    assert "is not empty" in complain("restore", whole, tmp_path / "whole.db")
    assert "there is no database" in complain("backup", tmp_path / "new", target)
    assert "already exists" in complain("backup", whole, tmp_path / "whole.db")
    Database(str(target)).file.make()  # type: ignore[union-attr]
    assert "is empty" in complain("backup", tmp_path / "new", target)
    assert not (tmp_path / "new").exists()


def test_a_backup_of_the_first_version_is_brought_up_to_date(either: str, tmp_path: Path) -> None:
    game = skerry.make("skew", side=2)
    path = tmp_path / "old.skerry"
    games = {
        "id": "old", "game": "skew", "options": '{"side": 2, "pegs": 5}', "seed": None,
        "position": game.initial().position, "clock": None, "admin": 0, "persons": 2, "version": 1,
        "revision": 1, "ply": 1, "playing": True, "ending": None, "draw": None, "takeback": None,
        "rematch": None, "created": 1, "since": 1, "updated": 2, "deadline": None,
        "thinking": False,
    }  # fmt: skip
    seats = [
        {"game": "old", "seat": n, "kind": "person", "name": "Änn", "secret": None, "claimed": True}
        for n in range(2)
    ]
    action = int(game.initial().legal_moves()[0])
    plies = {"game": "old", "ply": 0, "action": action, "at": 2, "spent": 1}
    with path.open("wb") as file:
        writer = BackupWriter(file, list_revisions()[0], NOW)
        empty = {"chat": ["game", "n", "name", "text", "at"]}
        for table, rows in {"games": [games], "seats": seats, "plies": [plies]}.items():
            writer.begin(table, list(rows[0]))
            writer.add(row.values() for row in rows)
        for table, columns in empty.items():
            writer.begin(table, columns)
        writer.finish()
    asyncio.run(put_back(either, path))

    async def find() -> Any:
        async with open_database(either) as opened:
            return await make_store(opened).find("old")

    table = asyncio.run(find())
    assert [ply.action for ply in table.plies] == [action]
    assert [seat.name for seat in table.seats] == ["Änn", "Änn"]


def test_time_since_a_backup_is_nobodys(tmp_path: Path) -> None:
    path, address, other = tmp_path / "a.skerry", str(tmp_path / "a.db"), str(tmp_path / "b.db")
    asyncio.run(fill(address))
    asyncio.run(write(address, path))
    asyncio.run(put_back(other, path, now=NOW + 1_000_000))

    async def read(where: str) -> Any:
        async with open_database(where) as database, database.connect() as connection:
            games = schema.games.c
            query = select(games.deadline, games.since).order_by(games.id).limit(1)
            return (await connection.execute(query)).one()

    before, after = asyncio.run(read(address)), asyncio.run(read(other))
    assert after.deadline - before.deadline == after.since - before.since == 1_000_000 + RETURN_TIME


KILLED = """
import sys, time
from pathlib import Path
from skerry.server.keeping.backup.place import whole_file
with whole_file(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    print("writing", flush=True)
    time.sleep(600)
"""


def test_a_file_is_there_when_it_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "whole"
    command = [sys.executable, "-c", KILLED, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        process.kill()
    assert not any(tmp_path.iterdir())
    for _ in ("with files that have no name", "and without"):
        for content in (b"first", b"second"):  # in the place of the first
            with whole_file(path) as file:
                file.write(content)
                assert not path.exists() or path.read_bytes() != content
            assert path.read_bytes() == content
        with pytest.raises(ZeroDivisionError), whole_file(path) as file:
            file.write(b"%d" % (1 // 0))
        assert path.read_bytes() == b"second"
        assert [one.name for one in tmp_path.iterdir()] == ["whole"]
        path.unlink()
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)


def play_on(server: LocalServer, done: Event, told: list[tuple[str, int]]) -> None:
    """Play games one after the other, and note what was acknowledged."""
    while not done.is_set():
        game = server.make_for_persons()
        told.append((game.id, 0))
        for ply in range(1, 4):
            game.play()
            told.append((game.id, ply))


def read_file(path: Path) -> dict[str, list[dict[str, Any]]]:
    with path.open("rb") as file:
        found: dict[str, list[dict[str, Any]]] = {}
        for batch in BackupReader(file, path.name).batches():
            rows = [dict(zip(batch.columns, row, strict=True)) for row in batch.rows]
            found.setdefault(batch.table, []).extend(rows)
        return found


def back_up_under_load(server: LocalServer, path: Path, count: int) -> None:
    """Back up so many times while moves are made; nothing acknowledged before is missing."""
    done = Event()
    told: list[list[tuple[str, int]]] = [[] for _ in range(4)]
    with ThreadPoolExecutor(len(told)) as threads:
        playing = [threads.submit(play_on, server, done, mine) for mine in told]
        try:
            for _ in range(count):
                before = sum(map(len, told))
                while sum(map(len, told)) < before + 12:
                    assert not any(one.done() for one in playing)
                    time.sleep(0.01)
                acknowledged = [one for mine in told for one in list(mine)]
                asyncio.run(write(server.database, path))
                found = read_file(path)
                games = {row["id"]: row for row in found["games"]}
                plies = {(row["game"], row["ply"] + 1) for row in found["plies"]}
                for id, ply in acknowledged:
                    assert id in games
                    assert ply == 0 or (id, ply) in plies
                for id, game in games.items():  # all of one moment
                    assert (id, game["ply"] + 1) not in plies
                    assert not game["ply"] or (id, game["ply"]) in plies
        finally:
            done.set()
        for one in playing:
            one.result()


def test_a_server_under_load_is_backed_up_and_restored_while_it_runs(
    either: str, tmp_path: Path
) -> None:
    path = tmp_path / "load.skerry"
    with LocalServer(tmp_path, database=either) as server:
        server.client.get("/healthz")
        game = server.make_for_persons(clock={"kind": "days", "days": 1})
        game.play()
        back_up_under_load(server, path, 2)
        before = game.look()["ply"]
        game.play()
        new = server.make_for_persons()
        asyncio.run(put_back(either, path, force=True, now=int(1000 * time.time())))
        # The server forgets what it remembers.
        assert wait_for(game, before)["ply"] == before
        assert server.client.get(new.path).status_code == 404
        assert game.play()["ply"] == before + 1
        assert server.client.get("/healthz").status_code == 200


def wait_for(game: Game, ply: int) -> dict[str, Any]:
    """A game once the server has noticed that it was changed from outside."""
    seen = game.look()
    for _ in range(1000):
        if seen["ply"] == ply:
            break
        time.sleep(0.02)
        seen = game.look()
    return seen


@pytest.mark.soak
def test_backups_that_are_killed_leave_no_half_file(either: str, tmp_path: Path) -> None:
    """At any moment, under load; each that is there is whole."""
    folder = tmp_path / "backups"
    folder.mkdir()
    seed = random.Random(5)
    done = Event()
    told: list[tuple[str, int]] = []
    with LocalServer(tmp_path, database=either) as server, ThreadPoolExecutor(1) as threads:
        playing = threads.submit(play_on, server, done, told)
        try:
            for n in range(24):
                path = folder / f"{n}.skerry"
                command = [*COMMAND, "backup", str(path), "--database", either]
                with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
                    try:
                        process.wait(seed.uniform(0.2, 2.5))
                    except subprocess.TimeoutExpired:
                        process.send_signal(seed.choice([signal.SIGKILL, signal.SIGTERM]))
                        process.wait()
        finally:
            done.set()
        playing.result()
    for path in folder.iterdir():
        check_backup(path)


@pytest.mark.soak
def test_memory_does_not_grow_with_the_database(tmp_path: Path) -> None:
    """A database of twenty times the rows takes hardly more memory to back up and to restore."""
    peaks = [measure(tmp_path / str(games), games) for games in (10, 200)]
    for small, large in zip(*peaks, strict=True):
        assert large < 1.3 * small, peaks


def measure(folder: Path, games: int) -> tuple[int, int]:
    """Kilobytes at the worst moment of a backup, and of its restoration."""
    folder.mkdir()
    address = str(folder / "a.db")

    async def make() -> None:
        async with open_database(address) as database, database.transact() as connection:
            (row, *_) = make_rows(schema.games)
            for n in range(games):
                await connection.execute(schema.games.insert(), {**row, "id": str(n)})
                plies = (
                    {"game": str(n), "ply": k, "action": k, "at": k, "spent": k} for k in range(500)
                )
                await connection.execute(schema.plies.insert(), list(plies))

    asyncio.run(make())
    commands = (
        ["backup", str(folder / "a.skerry"), "--database", address],
        ["restore", str(folder / "a.skerry"), "--database", str(folder / "b.db")],
    )
    found = []
    for command in commands:
        script = (
            "import resource, sys; from skerry.cli import app\n"
            "try: app(sys.argv[1:])\n"
            "except SystemExit: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        done = subprocess.run(
            [sys.executable, "-c", script, *command], capture_output=True, text=True, check=True
        )
        found.append(int(done.stdout.split()[-1]))
    return found[0], found[1]
