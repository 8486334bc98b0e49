"""Whether the server is well, for whoever looks after it."""

from fastapi import APIRouter
from sqlalchemy import select

from skerry.server.db.engine import Database
from skerry.server.db.schema import games
from skerry.server.web.parts import Part

router = APIRouter(tags=["operation"])


@router.get("/healthz")
async def show_health(database: Part[Database]) -> dict[str, str]:
    """Whether the server can do its work, which takes a database."""
    async with database.connect() as connection:
        await connection.execute(select(games.c.id).limit(1))
    return {"status": "ok"}
