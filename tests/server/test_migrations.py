"""Databases from before: what was kept is kept, and is found by what was added since."""

import asyncio
import json
from typing import Any

from alembic.script import ScriptDirectory
from sqlalchemy import JSON, Connection, MetaData

import skerry
from server.storing import make_store, open_database
from server.test_archive import list_all
from skerry.server.archive.archive import Archive, GameFilter
from skerry.server.db.engine import Database
from skerry.server.db.migrate import SCRIPTS, list_revisions, upgrade
from skerry.server.play.table import PERSON, Table

OLD_GAMES = [
    # id, persons, playing, plies played, how it ended off the board
    ("on", 1, True, 2, None),
    ("board", 1, False, None, None),
    ("resigned", 2, False, 1, (1, (-1.0, 1.0))),
    ("agreed", 2, False, 0, (None, (0.0, 0.0))),
]


def test_migrations_are_in_the_order_of_their_files() -> None:
    """Which servers go by, rather than to load what applies them."""
    scripts = ScriptDirectory(SCRIPTS, recursive_version_locations=True).walk_revisions()
    assert [script.revision for script in scripts][::-1] == list_revisions()


def test_games_from_before_the_archive_are_in_it(empty: str) -> None:
    """Made by the first migration alone, as servers did before; nothing of them gets lost."""
    game = skerry.make("skew", side=2)
    engine = Database(empty).engine

    def fill(connection: Connection) -> None:
        upgrade(connection, "0001")
        old = MetaData()
        old.reflect(connection)
        for id, persons, playing, count, ending in OLD_GAMES:
            state, played = game.initial(), []
            while not state.is_over and (count is None or len(played) < count):
                played.append(int(state.legal_moves()[0]))
                state = state.play(played[-1])
            content = ending and {
                "winner": ending[0],
                "returns": list(ending[1]),
                "score": None,
                "reason": "",
            }
            row = {
                "id": id, "game": "skew", "options": json.dumps(game.options),
                "position": game.initial().position, "persons": persons, "version": 9,
                "revision": 9, "ply": len(played), "playing": playing,
                "ending": content and json.dumps(content), "created": 1, "since": 1,
                "updated": 77, "thinking": False,
            }  # fmt: skip
            for name in ("options", "ending"):  # reflected types may be JSON or text
                if isinstance(old.tables["games"].c[name].type, JSON) and row[name]:
                    row[name] = json.loads(str(row[name]))
            connection.execute(old.tables["games"].insert(), row)
            for seat in range(2):
                kind = PERSON if seat < persons else "level:1"
                values = {"game": id, "seat": seat, "kind": kind, "name": "Änn", "claimed": True}
                connection.execute(old.tables["seats"].insert(), values)
            for ply, action in enumerate(played):
                values = {"game": id, "ply": ply, "action": action, "at": 10 + ply, "spent": 0}
                connection.execute(old.tables["plies"].insert(), values)

    async def move_on() -> tuple[dict[str, Table], list[dict[str, Any]], list[dict[str, Any]]]:
        async with engine.begin() as connection:
            await connection.run_sync(fill)
        await engine.dispose()
        async with open_database(empty) as opened:
            store = make_store(opened)
            tables = {id: await store.find(id) for id, *_ in OLD_GAMES}
            archive = Archive(opened)
            found = await list_all(archive, GameFilter(), 10)
            return tables, found, await list_all(archive, GameFilter(player="äNN"), 10)

    tables, found, by_name = asyncio.run(move_on())
    for id, _, playing, count, _ in OLD_GAMES:
        assert [seat.name for seat in tables[id].seats] == ["Änn", "Änn"]
        assert count is None or len(tables[id].plies) == count
        assert tables[id].is_over is not playing
    # Whoever played did so with a clock that ran, and goes on so.
    assert {table.began for table in tables.values()} == {1}
    assert {seat.lost for table in tables.values() for seat in table.seats} == {0}
    # Nobody has asked those who played each other, so their games are not shown.
    assert [row["id"] for row in found] == [row["id"] for row in by_name] == ["board"]
    board = tables["board"]
    assert board.finished == 10 + len(board.plies) - 1
    assert found[0]["result"] == board.result
    assert (tables["resigned"].finished, tables["resigned"].result) == (77, "1")
    assert (tables["agreed"].finished, tables["agreed"].result) == (77, "draw")
