"""``skerry admin``: running a club, on the database of a server that may be running."""

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skerry.cli.common.database import DatabaseAddress, work_on
from skerry.cli.common.parameters import number_option, text_option
from skerry.cli.common.terminal import escape_controls

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from skerry.server.db.engine import Database
    from skerry.server.keeping.invitations import Invitations
    from skerry.server.moderation.office import Office

Name = Annotated[str, typer.Argument(metavar="NAME", help="Whose account; or @ and its id.")]
Reason = Annotated[str, text_option("--reason", "TEXT", "Why, for the audit log.")]
Limit = Annotated[int, number_option("--limit", "How many to list.", 1, 10_000)]

admin = typer.Typer(
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@admin.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    """Run a club: people, roles, announcements, the audit log.

    All of it works on the database, while the server runs or not, and is noted in the audit log.

    \b
    Examples:
      skerry admin role Ann admin
      skerry admin mute Ben --days 7
      skerry admin announce "The club meets on Sunday at noon." --hours 48
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@admin.command()
def people(
    search: Annotated[str, typer.Argument(metavar="[TEXT]", help="A part of the name.")] = "",
    limit: Limit = 100,
    database: DatabaseAddress = "",
) -> None:
    """List people by name."""
    found = _run(database, lambda office: office.list(search, limit))
    for person in found:
        typer.echo("  ".join(_describe(person)))
    if not found:
        typer.echo("nobody")


@admin.command()
def show(name: Name, database: DatabaseAddress = "") -> None:
    """Show an account."""
    found = _run(database, lambda office: office.show(name))
    for what, value in found.items():
        shown = _date(value) if what in ("created", "seen", "closed", "muted") else value
        if value is not None:
            typer.echo(f"{what}: {escape_controls(str(shown))}")


@admin.command()
def role(
    name: Name,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="member, moderator or admin.")],
    database: DatabaseAddress = "",
) -> None:
    """Make somebody a moderator, an admin, or a member again."""
    _run(database, lambda office: office.set_role(_actor(), name, role))
    typer.echo(f"{name}: {role}")


@admin.command()
def mute(
    name: Name,
    days: Annotated[int, number_option("--days", "For how long; 0 lets them again.", 0, 3650)] = 7,
    reason: Reason = "",
    database: DatabaseAddress = "",
) -> None:
    """Keep somebody from chatting for a while."""
    _run(database, lambda office: office.mute(_actor(), name, days, reason))
    typer.echo(f"{name}: muted for {days} days" if days else f"{name}: may chat again")


@admin.command()
def close(name: Name, reason: Reason = "", database: DatabaseAddress = "") -> None:
    """Close an account: nobody can sign in to it. Its games stay."""
    _run(database, lambda office: office.close(_actor(), name, reason))
    typer.echo(f"{name}: closed")


@admin.command()
def reopen(name: Name, reason: Reason = "", database: DatabaseAddress = "") -> None:
    """Open an account again that was closed."""
    _run(database, lambda office: office.reopen(_actor(), name, reason))
    typer.echo(f"{name}: open again")


@admin.command()
def rename(
    name: Name,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The new name.")],
    database: DatabaseAddress = "",
) -> None:
    """Give somebody another name, in all their games as well."""
    called = _run(database, lambda office: office.rename(_actor(), name, new))
    typer.echo(f"{name}: now {called}")


@admin.command()
def reset(name: Name, database: DatabaseAddress = "") -> None:
    """Print a link that opens an account once, with a new password to be chosen."""
    typer.echo(_run(database, lambda office: office.reset(_actor(), name)))


@admin.command()
def merge(
    name: Name,
    into: Annotated[str, typer.Argument(metavar="INTO", help="The account that stays.")],
    database: DatabaseAddress = "",
) -> None:
    """Make two accounts one: the games of NAME are those of INTO, and NAME is closed."""
    _run(database, lambda office: office.merge(_actor(), name, into))
    typer.echo(f"{name}: merged into {into}")


@admin.command()
def invite(
    uses: Annotated[int, number_option("--uses", "For how many accounts.", 1, 1000)] = 1,
    days: Annotated[int, number_option("--days", "For how long; 0 is for ever.", 0, 3650)] = 14,
    database: DatabaseAddress = "",
) -> None:
    """Print an invitation to make an account, for servers that are invite-only."""

    async def work(opened: "Database") -> str:
        return await _open_invitations(opened).invite(_actor(), uses, days or None)

    code = work_on(database, work, current=True)
    typer.echo(f"/sign-up#{code}")


@admin.command("invite-only")
def invite_only(
    state: Annotated[str, typer.Argument(metavar="on|off", help="Whether codes are needed.")],
    database: DatabaseAddress = "",
) -> None:
    """Let new accounts be made with an invitation only, or by everybody."""
    from skerry.core.errors import OptionsError, shorten

    if state not in ("on", "off"):
        raise OptionsError(f"say on or off, not {shorten(state)}")
    work_on(
        database,
        lambda opened: _open_invitations(opened).demand(_actor(), state == "on"),
        current=True,
    )
    typer.echo(f"invite-only: {state}")


@admin.command()
def announce(
    text: Annotated[str, typer.Argument(metavar="[TEXT]", help="What all pages show.")] = "",
    hours: Annotated[
        int, number_option("--hours", "For how long; 0 is until it is withdrawn.", 0, 8760)
    ] = 0,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Show nothing any more.")] = False,
    database: DatabaseAddress = "",
) -> None:
    """Announce something on all pages, or withdraw it."""
    from skerry.core.errors import OptionsError

    if bool(text) == withdraw:
        raise OptionsError("say what to announce, or --withdraw what is announced")

    async def work(opened: "Database") -> None:
        from skerry.server.keeping.announcements import Announcements
        from skerry.server.play.clocks import read_time

        announcements = Announcements(opened, read_time)
        if withdraw:
            await announcements.withdraw(_actor(), outside=True)
        else:
            await announcements.announce(_actor(), text, hours or None, outside=True)

    work_on(database, work, current=True)
    typer.echo("nothing is announced" if withdraw else "announced on all pages")


@admin.command()
def audit(
    about: Annotated[str | None, text_option("--about", "NAME", "Only about this account.")] = None,
    limit: Limit = 50,
    database: DatabaseAddress = "",
) -> None:
    """Read the audit log, the newest notes first."""

    async def work(opened: "Database") -> list[dict[str, Any]]:
        from skerry.server.keeping.audit import Audit
        from skerry.server.play.clocks import read_time

        whom = None if about is None else f"person:{(await _open(opened).show(about))['id']}"
        return await Audit(opened, read_time).list(limit, about=whom)

    for note in work_on(database, work, current=True):
        details = "  ".join(f"{key}={value}" for key, value in note["details"].items())
        line = f"{_date(note['at'])}  {note['actor']}  {note['deed']}  {note['about']}  {details}"
        typer.echo(escape_controls(line))


def _run(address: str, deed: "Callable[[Office], Awaitable[Any]]") -> Any:
    return work_on(address, lambda database: deed(_open(database)), current=True)


def _open(database: "Database") -> "Office":
    from skerry.server.moderation.office import Office
    from skerry.server.people.accounts import Accounts
    from skerry.server.people.hashing import Hasher
    from skerry.server.play.clocks import read_time

    return Office(database, Accounts(database, Hasher(), read_time), read_time)


def _open_invitations(database: "Database") -> "Invitations":
    from skerry.server.keeping.invitations import Invitations
    from skerry.server.play.clocks import read_time

    return Invitations(database, read_time)


def _actor() -> str:
    """Whoever is at this terminal, as the audit log names them."""
    import getpass

    try:
        return f"console:{getpass.getuser()}"
    except (KeyError, OSError):  # a user without a name
        return "console"


def _describe(person: dict[str, Any]) -> list[str]:
    marks = [person["role"], f"seen {_date(person['seen'])}"]
    if person["closed"] is not None:
        marks.append("closed")
    if person["muted"] is not None and person["muted"] > 1000 * time.time():
        marks.append(f"muted until {_date(person['muted'])}")
    return [escape_controls(person["name"]), *marks]


def _date(at: int | None) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime((at or 0) / 1000))
