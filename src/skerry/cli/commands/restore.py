"""``skerry restore``: what a backup has, in the place of what is in a database."""

from pathlib import Path
from typing import Annotated

import typer

from skerry.cli.common.database import DatabaseAddress, work_on


def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="What skerry backup has written.")],
    database: DatabaseAddress = "",
    force: Annotated[
        bool, typer.Option("--force", help="Replace all that is in the database.")
    ] = False,
) -> None:
    """Restore a backup into an empty database, or with --force into any.

    Everything is restored or nothing is. A backup by an older skerry is brought up to date, and the
    clocks of its games go on where they stood. A server may run meanwhile.

    \b
    Examples:
      skerry restore club.skerry --database new.db
      skerry restore club.skerry --database postgresql://skerry@localhost/skerry --force
    """
    from skerry.core.extras import needs

    with needs("web", "skerry restore"):
        from skerry.server.keeping.backup.load import check_backup
        from skerry.server.keeping.backup.load import restore as put_back
        from skerry.server.play.clocks import read_time

    check_backup(Path(file))  # before a database is made
    rows = work_on(
        database, lambda opened: put_back(opened, Path(file), force, read_time()), new=True
    )
    typer.echo(f"{file}: {sum(rows.values()):,} rows of {len(rows)} tables are restored")
