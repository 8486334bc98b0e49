"""Whether the server is well, for whoever looks after it."""

import asyncio
import shutil
import time
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from sqlalchemy import delete, insert
from sqlalchemy.exc import DBAPIError, IntegrityError

from skerry.server.db.engine import Database
from skerry.server.db.notify import Channel
from skerry.server.db.schema import keys
from skerry.server.web.parts import Part

router = APIRouter(tags=["operation"])

WELL = "ok"
TRACE = "health"  # the name of the row that is written to see whether writing works
LEAST_SPACE = 64  # megabytes that are free on the disk of an SQLite file
LASTS = 1.0  # seconds for which an answer is given again, so that asking costs nothing


class Health:
    """Looks whether all that a server needs is there: a database that writes, messages from other
    workers that are heard, and room on the disk.
    """

    def __init__(self, database: Database, channel: Channel | None) -> None:
        self._database = database
        self._channel = channel
        self._looking = asyncio.Lock()
        self._found: dict[str, str] = {}
        self._at = -LASTS

    async def look(self) -> dict[str, str]:
        """What is wrong with each of them, or that it is well."""
        async with self._looking:
            if time.monotonic() - self._at >= LASTS:
                self._found = {
                    "writing": await self._try_writing(),
                    "hearing": (self._channel and self._channel.failure) or WELL,
                    "disk": self._measure_disk(),
                }
                self._at = time.monotonic()
        return self._found

    async def _try_writing(self) -> str:
        try:
            async with self._database.transact() as connection:
                await connection.execute(delete(keys).where(keys.c.name == TRACE))
                await connection.execute(insert(keys).values(name=TRACE, value=""))
        except IntegrityError:  # another worker writes it at the same time
            return WELL
        except (DBAPIError, OSError) as error:
            return str(getattr(error, "orig", error))
        return WELL

    def _measure_disk(self) -> str:
        if self._database.file is None:  # that of PostgreSQL is not ours to see; it may be far away
            return WELL
        try:
            free = shutil.disk_usage(Path(self._database.file.path).parent).free // 2**20
        except OSError as error:
            return str(error)
        return WELL if free >= LEAST_SPACE else f"only {free} MB are left for the database"


@router.get("/healthz")
async def show_health(health: Part[Health]) -> JSONResponse:
    """Whether the server can do its work, and what fails if it cannot."""
    found = await health.look()
    failing = {name: why for name, why in found.items() if why != WELL}
    if not failing:
        return JSONResponse({"status": WELL, **found})
    error = "; ".join(f"{name} fails: {why}" for name, why in failing.items())
    return JSONResponse({"status": "failing", "error": error, **found}, 503)
