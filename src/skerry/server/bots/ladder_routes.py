"""The ladder for programs, and as pages."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from skerry.games import GAMES
from skerry.search.strengths import summarise_levels
from skerry.server.bots.answers import LadderShown
from skerry.server.bots.ladder import Ladder
from skerry.server.play.table import LEVEL
from skerry.server.web.errors import NotFound
from skerry.server.web.limits import spend
from skerry.server.web.pages import show_page
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS

router = APIRouter(tags=["ladder"], dependencies=[spend("reads")])

LEADING = 3
WIDTH = 200  # of the picture of an interval
EDGE = 6


@router.get("/api/ladder/{name}", response_model=LadderShown, responses=REFUSALS)
async def list_ladder(ladder: Part[Ladder], name: str) -> dict[str, Any]:
    """Ratings of levels and bots from rated games, with 95 % intervals; level 1 has 0 Elo."""
    return await ladder.show(_check(name))


@router.get("/ladder", include_in_schema=False)
async def show_ladders(ladder: Part[Ladder]) -> HTMLResponse:
    """All ladders, with those who lead."""
    ladders = [await ladder.show(name) for name in GAMES]
    leading = {
        shown["game"]: [p for p in shown["players"] if p["elo"] is not None][:LEADING]
        for shown in ladders
    }
    foremost = {name: _list_foremost(name) for name in GAMES}
    context = {"ladders": ladders, "leading": leading, "foremost": foremost}
    return show_page("ladders.html", context)


@router.get("/ladder/{name}", include_in_schema=False)
async def show_ladder(ladder: Part[Ladder], name: str) -> HTMLResponse:
    """The ladder of a game."""
    shown = await ladder.show(_check(name))
    levels = {f"{LEVEL}{each.level}": each for each in summarise_levels(name)}
    measured = {level: each.strength for level, each in levels.items()}
    rated = [player for player in shown["players"] if player["elo"] is not None]
    low = min((player["elo"] - player["margin"] for player in rated), default=0)
    high = max((player["elo"] + player["margin"] for player in rated), default=0)

    def place(elo: float) -> float:
        """Where an Elo is in the picture of intervals."""
        return round(EDGE + (WIDTH - 2 * EDGE) * (elo - low) / max(high - low, 1), 1)

    def estimate(player: dict[str, Any]) -> tuple[int, int]:
        """What an unrated player is thought to have; nothing is known of bots."""
        level = levels.get(player["name"])
        if level is None or level.strength is None:
            return -1, 0
        return level.strength.elo, level.level  # the higher level where nothing tells them apart

    unrated = [player for player in shown["players"] if player["elo"] is None]
    players = rated + sorted(unrated, key=estimate, reverse=True)
    names = {level: each.name for level, each in levels.items()}
    context = {"players": players, "measured": measured, "place": place, "width": WIDTH}
    return show_page("ladder.html", {"ladder": shown, "names": names, **context})


def _list_foremost(name: str) -> list[tuple[str, str]]:
    """The strongest levels and what they have, as matches have shown."""
    levels = [each for each in summarise_levels(name) if each.strength is not None]
    return [(f"level {each.level}", str(each.strength)) for each in reversed(levels[-LEADING:])]


def _check(name: str) -> str:
    if name not in GAMES:
        raise NotFound(f"there is no such ladder; the games are {', '.join(GAMES)}")
    return name
