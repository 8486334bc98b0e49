"""The ladder: how strong bots and levels are, by the rated games that they have played."""

import asyncio
from collections import Counter
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select

from skerry.games import kind
from skerry.lab.stats.ratings import rate
from skerry.lab.stats.results import Played
from skerry.server.db import schema
from skerry.server.db.engine import Database
from skerry.server.play.rows import list_seats
from skerry.server.play.table import BOT, LEVEL

WINDOW = 3000  # games; what is older says little about what a bot is now
MOST_BOTS = 32  # of each game, those that have played most
ANCHOR = f"{LEVEL}1"  # has 0 Elo
BATCH = 500

games = schema.games


@dataclass(frozen=True)
class LadderStanding:
    """What a player has made of its games; without an Elo if no games lead to the anchor."""

    player: str
    games: int
    points: float
    elo: float | None = None
    margin: float | None = None


class Ladder:
    """The ladders of all games, each kept until another rated game has ended."""

    def __init__(self, database: Database, top_level: int) -> None:
        self._database = database
        self._levels = [f"{LEVEL}{level}" for level in range(1, top_level + 1)]
        self._kept: dict[str, tuple[object, dict[str, Any]]] = {}
        self._working = asyncio.Lock()

    async def show(self, name: str) -> dict[str, Any]:
        """The ladder of a game, the best first."""
        title = kind(name).title
        async with self._working:
            rated = (games.c.rated, games.c.game == name, games.c.finished.is_not(None))
            query = select(func.count(), func.max(games.c.finished)).where(*rated)
            async with self._database.connect() as connection:
                stamp = tuple((await connection.execute(query)).one())
            known, shown = self._kept.get(name, (None, {}))
            if known != stamp:
                played = await self._list_played(name)
                standings = await asyncio.to_thread(rank, played, self._levels)
                shown = {
                    "game": name,
                    "title": title,
                    "games": stamp[0],
                    "players": [_describe(standing) for standing in standings],
                }
                self._kept[name] = (stamp, shown)
        return shown

    async def _list_played(self, name: str) -> list[Played]:
        query = (
            select(games.c.id, games.c.returns)
            .where(games.c.rated, games.c.game == name, games.c.finished.is_not(None))
            .order_by(games.c.finished.desc())
            .limit(WINDOW)
        )
        found = []
        async with self._database.connect() as connection:
            rows = (await connection.execute(query)).all()
            for begin in range(0, len(rows), BATCH):
                batch = rows[begin : begin + BATCH]
                sitting = await list_seats(connection, [row.id for row in batch])
                for row in batch:
                    players = tuple(
                        f"{BOT}:{seat.name}" if seat.kind == BOT else seat.kind
                        for seat in sitting[row.id]
                    )
                    found.append(Played(players, tuple(row.returns)))
        return found


def rank(played: list[Played], levels: list[str]) -> list[LadderStanding]:
    """All levels, and the bots that have played most, the best first and those unrated last."""
    counts = Counter(name for game in played for name in game.players if name not in levels)
    ranked = {name for name, _ in counts.most_common(MOST_BOTS)} | set(levels)
    played = [game for game in played if ranked.issuperset(game.players)]
    compared = _reach(played)
    chosen = [(game,) for game in played if compared.issuperset(game.players)]
    elo = {}
    if chosen:
        table = rate(chosen, sorted(compared)).table(ANCHOR)
        elo = {rating.player: (rating.elo, rating.margin) for rating in table}
    standings = []
    for name in [*sorted(ranked.difference(levels)), *levels]:
        mine = [game for game in played if name in game.players]
        points = sum(game.won_by(name) for game in mine)
        standings.append(LadderStanding(name, len(mine), points, *elo.get(name, (None, None))))
    return sorted(standings, key=lambda s: (s.elo is None, -(s.elo or 0.0)))


def _reach(played: list[Played]) -> set[str]:
    """Everybody who can be compared with the anchor, through games with others too."""
    pairs = {pair for game in played for pair in game.pairs()}
    reached, growing = {ANCHOR}, True
    while growing:
        wider = reached | {name for pair in pairs if reached & set(pair) for name in pair}
        growing, reached = wider != reached, wider
    return reached


def _describe(standing: LadderStanding) -> dict[str, Any]:
    is_bot = standing.player.startswith(f"{BOT}:")
    return {
        "name": standing.player.removeprefix(f"{BOT}:") if is_bot else standing.player,
        "kind": "bot" if is_bot else "level",
        "games": standing.games,
        "points": round(standing.points, 2),
        "elo": None if standing.elo is None else round(standing.elo, 1),
        "margin": None if standing.margin is None else round(standing.margin, 1),
    }
