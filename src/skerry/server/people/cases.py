"""Somebody as moderators see them: whether they are muted or closed, and what was decided."""

from collections.abc import Callable
from typing import Any

from skerry.core.texts import N_
from skerry.server.keeping.audit import Audit
from skerry.server.languages.choice import gettext
from skerry.server.languages.figures import write_date
from skerry.server.people.accounts import Accounts, outranks
from skerry.server.web.entrants import PERSON, Entrant
from skerry.server.web.secrets import Signed

SHOWN = 20  # notes, the newest
DEEDS = {
    "close": N_("Account closed"),
    "merge": N_("Merged into another account"),
    "mute": N_("Muted"),
    "rename": N_("Renamed"),
    "reopen": N_("Account opened again"),
    "reset": N_("Given a link to sign in"),
    "role": N_("Given another role"),
    "settle": N_("Report settled"),
    "unmute": N_("May chat again"),
}


class Cases:
    """Looks up what was decided about people."""

    def __init__(self, audit: Audit, accounts: Accounts, now: Callable[[], int]) -> None:
        self._audit = audit
        self._accounts = accounts
        self._now = now

    async def show(self, moderator: Signed | None, person: Signed) -> dict[str, Any] | None:
        """What a moderator may know and decide about somebody; None for all others."""
        if moderator is None or moderator.id == person.id:
            return None
        if not outranks(moderator.role, person.role):
            return None
        notes = await self._audit.list(SHOWN, about=str(Entrant(PERSON, person.id)))
        people = {note["actor"]: Entrant.read(note["actor"]) for note in notes if _is_person(note)}
        names = await self._accounts.name_entrants(people.values())
        return {
            "closed": person.is_closed,
            "muted": write_date(person.muted) if person.muted > self._now() else None,
            "notes": [
                {
                    "date": write_date(note["at"]),
                    "deed": DEEDS.get(note["deed"], note["deed"]),
                    "actor": names[people[note["actor"]]]
                    if note["actor"] in people
                    else gettext("the command line"),
                    "reason": note["details"].get("reason") or note["details"].get("verdict"),
                }
                for note in notes
            ],
        }


def _is_person(note: dict[str, Any]) -> bool:
    return str(note["actor"]).startswith(f"{PERSON}:")
