"""What everybody may know of somebody: what they have played lately, and how they like to begin."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, Select, and_, func, select

from skerry.core.errors import SkerryError
from skerry.core.playthrough import Playthrough
from skerry.games import GAMES, kind
from skerry.server.db import schema
from skerry.server.db.engine import Database
from skerry.server.play.rows import list_seats
from skerry.server.play.table import PERSON, VOID
from skerry.server.play.views import list_sitting
from skerry.server.web.lru import Recent
from skerry.server.web.secrets import Signed
from skerry.server.workers.warm import Rulebook

RECENT = 12  # games
LOOKED_AT = 60  # games of a kind, the newest, from which openings are counted
FIRST = 24  # plies in which everybody has had a turn
TOLD = 3  # openings of a game
KEPT = 500  # people whose openings are known

games, seats, plies, accounts = schema.games, schema.seats, schema.plies, schema.accounts


class Profiles:
    """Looks up what somebody has played."""

    def __init__(self, database: Database, rulebook: Rulebook) -> None:
        self._database = database
        self._rulebook = rulebook
        self._openings: Recent[tuple[str, object], list[dict[str, Any]]] = Recent(KEPT)

    async def show(self, person: Signed) -> dict[str, Any]:
        """Everything but what somebody else is to them."""
        query = _finished(person).order_by(games.c.finished.desc(), games.c.id).limit(RECENT)
        known = select(accounts.c.created, accounts.c.seen).where(accounts.c.id == person.id)
        counted = (
            select(games.c.game, func.count(games.c.id.distinct()), func.max(games.c.finished))
            .select_from(games.join(seats, _sits(person)))
            .where(*_public())
            .group_by(games.c.game)
        )
        async with self._database.connect() as connection:
            account = (await connection.execute(known)).one()
            found = (await connection.execute(query)).all()
            sitting = await list_seats(connection, [row.id for row in found])
            counts = (await connection.execute(counted)).all()
        played = {name: count for name, count, _ in counts if name in GAMES}
        stamp = tuple(sorted(tuple(row) for row in counts))
        return {
            "id": person.id,
            "name": person.name,
            "role": person.role,
            "created": account.created,
            "seen": account.seen,
            "played": [
                {"game": name, "title": kind(name).title, "games": played[name]}
                for name in GAMES
                if name in played
            ],
            "recent": [_describe(row, sitting[row.id]) for row in found if row.game in GAMES],
            "openings": await self._find_openings(person, list(played), stamp),
        }

    async def _find_openings(
        self, person: Signed, names: Sequence[str], stamp: object
    ) -> list[dict[str, Any]]:
        """The first turns played most, per game and seat; counted anew when a game has ended."""
        known = self._openings.get((person.id, stamp))
        if known is None:
            known = [one for name in names for one in await self._count_openings(person, name)]
            self._openings[person.id, stamp] = known
        return known

    async def _count_openings(self, person: Signed, name: str) -> list[dict[str, Any]]:
        game = await self._rulebook.game(name, {})
        usual = schema.write_setup(game.options)
        newest = _finished(person).where(games.c.game == name, games.c.setup == usual)
        newest = newest.order_by(games.c.finished.desc()).limit(LOOKED_AT)
        async with self._database.connect() as connection:
            rows = (await connection.execute(newest)).all()
            made = await connection.execute(
                select(plies.c.game, plies.c.action)
                .where(plies.c.game.in_({row.id for row in rows}), plies.c.ply < FIRST)
                .order_by(plies.c.game, plies.c.ply)
            )
        actions: dict[str, list[int]] = {row.id: [] for row in rows}
        for id, action in made:
            actions[id].append(action)

        def replay() -> Counter[tuple[int, str]]:
            found: Counter[tuple[int, str]] = Counter()
            for row in rows:
                start = Playthrough(game.position(row.position))
                turn = _find_first_turn(start, actions[row.id], row.seat)
                if turn:
                    found[row.seat, turn] += 1
            return found

        count = await asyncio.to_thread(replay)
        best = sorted(count.items(), key=lambda one: (-one[1], one[0]))[:TOLD]
        return [
            {
                "game": name,
                "title": game.title,
                "seat": seat,
                "seat_title": game.seats[seat],
                "turn": turn,
                "games": number,
            }
            for (seat, turn), number in best
        ]


def _find_first_turn(start: Playthrough, actions: Sequence[int], seat: int) -> str:
    """The first turn of a seat; nothing if it made none, or if the rules were mended since."""
    here = start
    for action in actions:
        try:
            here = here.after(action)
        except SkerryError:
            return ""
        turn = here.last_turn
        if turn is not None and turn.seat == seat and not here.begun:
            return turn.text
    return ""


def _sits(person: Signed) -> Any:
    return and_(seats.c.game == games.c.id, seats.c.account == person.id, seats.c.kind == PERSON)


def _public() -> tuple[Any, ...]:
    finished = games.c.finished.is_not(None)
    return games.c.public, finished, games.c.result.is_distinct_from(VOID)


def _finished(person: Signed) -> Select[Any]:
    """Public games of somebody that are over, with the seat that they had."""
    return (
        select(games, seats.c.seat).select_from(games.join(seats, _sits(person))).where(*_public())
    )


def _describe(row: Row[Any], sitting: Sequence[Row[Any]]) -> dict[str, Any]:
    game = kind(row.game)
    return {
        "id": row.id,
        "url": f"/g/{row.id}",
        "game": row.game,
        "title": game.title,
        "seat": row.seat,
        "seats": list_sitting(game, sitting),
        "result": row.result,
        "won": row.result == str(row.seat),
        "plies": row.ply,
        "finished": row.finished,
        "rated": row.rated,
    }
