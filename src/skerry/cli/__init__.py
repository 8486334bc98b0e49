"""The command line: thin subcommands over the library.

Every module here imports the library inside its commands, so that ``--help`` and ``--version``
answer at once and no command pays for what another needs.
"""

from importlib import import_module
from typing import Annotated

import typer

from skerry.cli.common.bundles import unfold
from skerry.cli.shell import Shell

# Modules with a function, or a group of commands, named as the command is, in order of the listing.
COMMANDS = (
    "skerry.cli.commands.games",
    "skerry.cli.commands.play",
    "skerry.cli.commands.serve",
    "skerry.cli.commands.admin",
    "skerry.cli.commands.backup",
    "skerry.cli.commands.restore",
    "skerry.cli.commands.show",
    "skerry.cli.commands.analyse",
    "skerry.cli.commands.engine",
    "skerry.cli.commands.solve",
    "skerry.cli.commands.puzzles",
    "skerry.cli.commands.replay",
    "skerry.cli.laboratory.match",
    "skerry.cli.laboratory.tournament",
    "skerry.cli.laboratory.report",
    "skerry.cli.laboratory.train",
    "skerry.cli.laboratory.curve",
    "skerry.cli.laboratory.depth",
    "skerry.cli.laboratory.selfplay",
    "skerry.cli.laboratory.survey",
    "skerry.cli.laboratory.corpus",
    "skerry.cli.laboratory.trio",
    "skerry.cli.laboratory.openings",
    "skerry.cli.laboratory.variants",
    "skerry.cli.laboratory.perft",
    "skerry.cli.laboratory.bench",
    "skerry.cli.commands.warm",
)

app = typer.Typer(
    cls=Shell,
    name="skerry",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(asked: bool) -> None:
    if asked:
        from skerry import __version__

        typer.echo(f"skerry {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Play and study four abstract board games: Skew, Skirt, X and Skaane.

    \b
    Examples:
      skerry games            list the games
      skerry play skew        play in this terminal
      skerry show x --moves "d4 e5"
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


for module in COMMANDS:
    command = module.rpartition(".")[2]
    found = getattr(import_module(module), command)
    if isinstance(found, typer.Typer):
        app.add_typer(found, name=command)
    else:
        app.command(command)(unfold(found))


def main() -> None:
    """The entry point of the ``skerry`` script."""
    app(prog_name="skerry")
