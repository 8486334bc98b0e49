"""The database of a server, for commands that work on it while the server runs."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from skerry.server.settings import Settings, flag_of, variable_of

if TYPE_CHECKING:
    from skerry.server.db.engine import Database

Answer = TypeVar("Answer")
SETTING = next(setting for setting in fields(Settings) if setting.name == "database")

DatabaseAddress = Annotated[
    str,
    typer.Option(
        flag_of(SETTING.name),
        metavar=SETTING.metadata["metavar"],
        envvar=variable_of(SETTING.name),
        help=SETTING.metadata["help"],
    ),
]


def work_on(
    address: str,
    work: "Callable[[Database], Awaitable[Answer]]",
    *,
    new: bool = False,
    current: bool = False,
) -> Answer:
    """Do something with a database; one that is not there yet is made if it may be ``new``.

    A ``current`` one has been brought up to date by the server of this very skerry.
    """
    import os

    from skerry.core.errors import OptionsError
    from skerry.core.extras import needs

    with needs("web", "the database of a server"):
        from sqlalchemy.exc import DBAPIError

        from skerry.server.db.engine import Database
        from skerry.server.db.migrate import check_current

    database = Database(address)
    if database.file is None and not database.is_shared:
        raise OptionsError("--database names no file: a database in memory is gone at the end")
    if database.file is not None:
        if not new and not os.path.exists(database.file.path):
            raise OptionsError(
                f"there is no database {database.file.path}: choose one with --database"
            )
        database.file.make()

    async def run() -> Answer:
        try:
            if current:
                await check_current(database)
            return await work(database)
        except (DBAPIError, ConnectionError) as error:
            reason = getattr(error, "orig", error)
            raise OptionsError(f"the database cannot be used: {reason}") from None
        finally:
            await database.close()

    return asyncio.run(run())
