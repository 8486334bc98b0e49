"""``skerry serve``: the web app. Its flags are the settings that the server declares."""

from dataclasses import Field, fields
from inspect import Parameter, Signature
from typing import Annotated, Any

import typer

from skerry.cli.common.parameters import whole_number
from skerry.server.settings import Settings, flag_of, variable_of


def _flag(setting: "Field[Any]") -> Parameter:
    """A setting as a parameter of the command."""
    flag, about = flag_of(setting.name), setting.metadata
    parser = whole_number(flag, about["low"], about["high"]) if setting.type is int else None
    option = typer.Option(
        flag,
        metavar=about["metavar"],
        envvar=variable_of(setting.name),
        parser=parser,
        help=about["help"],
    )
    return Parameter(
        setting.name,
        Parameter.KEYWORD_ONLY,
        default=setting.default,
        annotation=Annotated[setting.type, option],
    )


def serve(**chosen: Any) -> None:
    """Serve the web app: play in a browser, with friends or engines.

    Every setting is also an environment variable, such as SKERRY_PORT. Limits are per visitor,
    and 0 lifts them.

    \b
    Examples:
      skerry serve
      skerry serve --host 0.0.0.0 --port 80 --database /var/lib/skerry/skerry.db
      skerry serve --workers 2 --database postgresql://skerry@localhost/skerry
    """
    from skerry.core.extras import needs

    with needs("web", "skerry serve"):
        from skerry.server.run import serve as run

    run(Settings(**chosen), lambda address: typer.echo(f"skerry is at {address}"))


serve.__signature__ = Signature([_flag(setting) for setting in fields(Settings)])  # type: ignore[attr-defined]
