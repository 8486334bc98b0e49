"""``skerry serve``: the web app."""

from typing import Annotated

import typer

from skerry.cli.common.setup import whole_number
from skerry.core.errors import OptionsError


def _number(flag: str, help: str, low: int = 0) -> typer.models.OptionInfo:
    """A flag that takes a whole number, or the environment variable of the same name."""
    option: typer.models.OptionInfo = typer.Option(
        f"--{flag}",
        metavar="N",
        envvar=f"SKERRY_{flag.replace('-', '_').upper()}",
        parser=whole_number(f"--{flag}", low, 2**31),
        help=help,
    )
    return option


def serve(
    host: Annotated[
        str,
        typer.Option(metavar="ADDRESS", envvar="SKERRY_HOST", help="Where to listen."),
    ] = "127.0.0.1",
    port: Annotated[int, _number("port", "The port; 0 takes any that is free.")] = 8000,
    database: Annotated[
        str,
        typer.Option(
            metavar="FILE|URL",
            envvar="SKERRY_DATABASE",
            help="A file for SQLite, or postgresql://...; the user's data folder if not given.",
        ),
    ] = "",
    workers: Annotated[int, _number("workers", "Processes; above 1 needs PostgreSQL.", 1)] = 1,
    engines: Annotated[int, _number("engines", "Processes in which engines think.", 1)] = 1,
    engine_queue: Annotated[
        int, _number("engine-queue", "Games that may wait for an engine at a time.", 1)
    ] = 64,
    analyses: Annotated[
        int, _number("analyses", "Processes in which positions are analysed.", 1)
    ] = 1,
    analysis_queue: Annotated[
        int, _number("analysis-queue", "Positions that may be analysed at a time.", 1)
    ] = 16,
    top_level: Annotated[int, _number("top-level", "The strongest engine, 1 to 8.", 1)] = 8,
    pace: Annotated[
        int, _number("pace", "Milliseconds that an engine takes for a move, at least.")
    ] = 400,
    origins: Annotated[
        str,
        typer.Option(
            metavar="URLS",
            envvar="SKERRY_ORIGINS",
            help="Other addresses that pages may come from, parted by commas.",
        ),
    ] = "",
    proxies: Annotated[
        str,
        typer.Option(
            metavar="ADDRESSES",
            envvar="SKERRY_PROXIES",
            help="Proxies that are believed about where visitors come from.",
        ),
    ] = "127.0.0.1",
    creates: Annotated[int, _number("creates", "New games a minute; 0: no limit.")] = 60,
    moves: Annotated[int, _number("moves", "Moves a minute.")] = 600,
    chats: Annotated[int, _number("chats", "Remarks a minute.")] = 30,
    previews: Annotated[int, _number("previews", "Pictures a minute.")] = 1200,
    reads: Annotated[int, _number("reads", "Other requests a minute.")] = 3000,
    downloads: Annotated[int, _number("downloads", "Files with many games a minute.")] = 10,
    games: Annotated[int, _number("games", "New games a day.")] = 500,
    sockets: Annotated[int, _number("sockets", "Live connections.")] = 64,
    thinking: Annotated[int, _number("thinking", "Games in which engines think.")] = 8,
    analysing: Annotated[int, _number("analysing", "Positions analysed at a time.")] = 1,
    studies: Annotated[int, _number("studies", "New studies a day.")] = 200,
    log_level: Annotated[
        str,
        typer.Option(
            metavar="LEVEL", envvar="SKERRY_LOG_LEVEL", help="debug, info, warning or error."
        ),
    ] = "info",
) -> None:
    """Serve the web app: play in a browser, with friends or engines.

    Every setting is also an environment variable, such as SKERRY_PORT. Limits are per visitor,
    and 0 lifts them.

    \b
    Examples:
      skerry serve
      skerry serve --host 0.0.0.0 --port 80 --database /var/lib/skerry/skerry.db
      skerry serve --workers 2 --database postgresql://skerry@localhost/skerry
    """
    chosen = dict(locals())
    from skerry.server.run import serve as run
    from skerry.server.settings import Settings

    if log_level not in ("debug", "info", "warning", "error"):
        raise OptionsError("--log-level is debug, info, warning or error")
    run(Settings(**chosen), lambda address: typer.echo(f"skerry is at {address}"))
