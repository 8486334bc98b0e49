"""``skerry backup``: the database of a server in one file, while the server runs."""

from pathlib import Path
from typing import Annotated

import typer

from skerry.cli.common.database import DatabaseAddress, work_on


def backup(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file to write.")],
    database: DatabaseAddress = "",
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that exists.")] = False,
) -> None:
    """Back up the database of a server to one file, while the server runs.

    The file has everything that was acknowledged before the backup began, and is there once it is
    whole. It can be restored to SQLite and to PostgreSQL. Keep it to yourself: whoever has it has
    all that the server knows.

    \b
    Examples:
      skerry backup club.skerry
      skerry backup club.skerry --database postgresql://skerry@localhost/skerry
    """
    from skerry.cli.common.savefile import check_new_place
    from skerry.core.extras import needs

    with needs("web", "skerry backup"):
        from skerry.server.keeping.backup.dump import back_up
        from skerry.server.play.clocks import read_time

    check_new_place(file, force)
    rows = work_on(database, lambda opened: back_up(opened, Path(file), read_time()))
    size = Path(file).stat().st_size
    typer.echo(f"{file}: {sum(rows.values()):,} rows of {len(rows)} tables in {size:,} bytes")
