"""Ladders and ratings for programs, and as pages."""

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query
from fastapi.responses import HTMLResponse

from skerry.games import GAMES, kind
from skerry.search.strengths import summarise_levels
from skerry.server.ratings.answers import EntrantShown, HistoryShown, LadderShown
from skerry.server.ratings.graph import draw_graph
from skerry.server.ratings.ladder import MOST, Ladder
from skerry.server.web.entrants import LEVEL, Entrant, EntrantNames
from skerry.server.web.errors import NotFound
from skerry.server.web.limits import spend
from skerry.server.web.pages import show_page
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS
from skerry.server.web.responses import Picture

router = APIRouter(tags=["ladder"], dependencies=[spend("reads")])

LEADING = 3
WIDTH = 200  # of the picture of an interval
EDGE = 6
PAGE = 50  # players on a page
FURTHEST = 100_000

Written = Annotated[
    str,
    Path(pattern=r"^(person|bot|level):.{1,128}$", description="person:ID, bot:NAME or level:N"),
]


async def _find_entrant(names: Part[EntrantNames], entrant: Written) -> Entrant:
    return await names.resolve(Entrant.read(entrant))


Named = Annotated[Entrant, Depends(_find_entrant)]
Who = Annotated[
    Literal["person", "bot", "level"] | None, Query(description="only those of one kind")
]
Begin = Annotated[int, Query(ge=0, le=FURTHEST, description="where the page before said to go on")]


@router.get("/api/ladder/{name}", response_model=LadderShown, responses=REFUSALS)
async def list_ladder(
    ladder: Part[Ladder],
    name: str,
    who: Who = None,
    after: Begin = 0,
    limit: Annotated[int, Query(ge=1, le=MOST)] = MOST,
) -> dict[str, Any]:
    """Ratings of persons, bots and levels, with 95 % intervals; level 1 has 1000.

    Levels stay where they were measured, so all ladders are on one scale. Everybody else is rated
    by Glicko-2 when a rated game ends.
    """
    return await ladder.show(check_game(name), who, after, limit)


@router.get("/api/ratings/{entrant}", response_model=EntrantShown, responses=REFUSALS)
async def list_ratings(
    ladder: Part[Ladder], names: Part[EntrantNames], found: Named
) -> dict[str, Any]:
    """Somebody's ratings in all games."""
    return {
        "entrant": str(found),
        "name": (await names.name_entrants([found]))[found],
        "url": f"/ratings/{found}",
        "ratings": await ladder.list_ratings(found),
    }


@router.get("/api/ratings/{entrant}/{name}", response_model=HistoryShown, responses=REFUSALS)
async def list_history(
    ladder: Part[Ladder], names: Part[EntrantNames], found: Named, name: str
) -> dict[str, Any]:
    """How somebody's rating in a game came about."""
    points = await ladder.list_history(check_game(name), found)
    return {
        "entrant": str(found),
        "name": (await names.name_entrants([found]))[found],
        "game": name,
        "title": kind(name).title,
        "points": [asdict(point) for point in points],
    }


@router.get("/api/ratings/{entrant}/{name}/graph.svg", response_class=Picture, responses=REFUSALS)
async def draw_history(
    ladder: Part[Ladder],
    names: Part[EntrantNames],
    found: Named,
    name: str,
    theme: Annotated[Literal["light", "dark"], Query()] = "light",
) -> Picture:
    """The same as a picture: the rating over time, within its 95 % interval."""
    points = await ladder.list_history(check_game(name), found)
    called = (await names.name_entrants([found]))[found]
    drawn = draw_graph(points, theme, f"Rating of {called} in {kind(name).title}")
    return Picture(drawn, headers={"cache-control": "no-cache"})


@router.get("/ladder", include_in_schema=False)
async def show_ladders(ladder: Part[Ladder]) -> HTMLResponse:
    """All ladders, with those who lead."""
    ladders = [await ladder.show(name, limit=LEADING) for name in GAMES]
    leading = {shown["game"]: shown["players"][:LEADING] for shown in ladders}
    return show_page("ladders.html", {"ladders": ladders, "leading": leading})


@router.get("/ladder/{name}", include_in_schema=False)
async def show_ladder(
    ladder: Part[Ladder], name: str, who: Who = None, after: Begin = 0
) -> HTMLResponse:
    """The ladder of a game."""
    shown = await ladder.show(check_game(name), who, after, PAGE)
    players = shown["players"]
    low = min((player["rating"] - player["margin"] for player in players), default=0)
    high = max((player["rating"] + player["margin"] for player in players), default=0)

    def place(rating: float) -> float:
        """Where a rating is in the picture of intervals."""
        return round(EDGE + (WIDTH - 2 * EDGE) * (rating - low) / max(high - low, 1), 1)

    words = {f"{LEVEL}:{each.level}": each.name for each in summarise_levels(name)}
    context = {"ladder": shown, "who": who, "begin": after, "words": words}
    return show_page("ladder.html", {**context, "place": place, "width": WIDTH})


@router.get("/ratings/{entrant}", include_in_schema=False)
async def show_ratings(
    ladder: Part[Ladder], names: Part[EntrantNames], found: Named
) -> HTMLResponse:
    """Somebody's ratings in all games, over time."""
    called = (await names.name_entrants([found]))[found]
    ratings = await ladder.list_ratings(found)
    context = {"name": called, "entrant": found, "link": found.link(called), "ratings": ratings}
    return show_page("ratings.html", context)


def check_game(name: str) -> str:
    if name not in GAMES:
        raise NotFound(f"there is no such ladder; the games are {', '.join(GAMES)}")
    return name
