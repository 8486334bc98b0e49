"""What visitors get to see of tables."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from skerry.core.game import Game
from skerry.core.texts import N_
from skerry.lab.beginnings import EvenStart
from skerry.lab.openings.books import Books
from skerry.server.languages.choice import current_language, pgettext
from skerry.server.languages.documents import translate_document
from skerry.server.languages.sentences import translate
from skerry.server.play.actions import list_possible
from skerry.server.play.boards import describe, is_turned
from skerry.server.play.creation import NOBODY
from skerry.server.play.engines import Engines
from skerry.server.play.flags import Deadlines
from skerry.server.play.hub import Absence, Audience, Hub, list_absent
from skerry.server.play.opponents import Opponents
from skerry.server.play.table import BOT, LEVEL, OPEN, PERSON, Held, Table, held_by, name_engine
from skerry.server.web.entrants import DELETED
from skerry.server.web.errors import NotFound
from skerry.server.web.lru import Recent
from skerry.server.web.secrets import Credentials, Signed

NOTHING = Credentials()
WAITING = N_("Waiting for a bot to join")
# How somebody may be out of a game, for those who translate it.
DEPARTURES = (
    N_("{seat} resigned"),
    N_("{seat} left"),
    N_("{seat} forfeits: {why}"),
    N_("{seat} ran out of time"),
    N_("{seat} did not come in time"),
)
# Documents that several viewers get are put together once. In bytes, of which each ply takes some.
KEPT, DOCUMENT, PLY = 48_000_000, 60_000, 600


@dataclass
class Views:
    """Games for those who look at them."""

    deadlines: Deadlines
    hub: Hub
    engines: Engines
    opponents: Opponents
    books: Books
    now: Callable[[], int]

    async def find(self, id: str) -> Table:
        """A game as it is now."""
        return await self.deadlines.find(id)

    async def look(self, id: str, visitor: str) -> Table:
        """A game that somebody looks at, which lets engines among themselves go on for them."""
        table = await self.find(id)
        self.hub.look(id)
        if table.has_engines and not table.is_over:
            self.engines.warm_up(table.game)
        self.opponents.watch(table, visitor)
        return table

    async def list_own(self, person: Signed) -> list[dict[str, Any]]:
        """The unfinished games of an account."""
        ids = await self.deadlines.list_owned(person.id)
        return await self.list_held(dict.fromkeys(ids, Credentials(person=person)))

    async def list_held(self, asked: Mapping[str, Credentials]) -> list[dict[str, Any]]:
        """The unfinished games among these in which somebody has a seat."""
        rows = []
        for id, shown in asked.items():
            try:
                table = await self.find(id)
            except NotFound:
                continue
            held = held_by(table, shown)
            if held and not table.is_over:
                rows.append(summarise(table, held, self.now()))
        return rows

    def show(
        self,
        table: Table,
        shown: Credentials = NOTHING,
        theme: str = "light",
        flipped: bool = False,
    ) -> dict[str, Any]:
        """The document of a game for whoever shows this."""
        shown_to = document(
            table,
            held=held_by(table, shown),
            online=self.hub.online(table.id),
            absence=self.hub.absence(table),
            audience=self.hub.watching(table.id),
            theme=theme,
            flipped=flipped,
            now=self.now(),
            readiness=100 if table.is_over else self.engines.readiness(table.game),
        )
        return shown_to | {"even": _describe_even(self.books.look_up(table.start))}


def _describe_even(start: EvenStart | None) -> dict[str, Any] | None:
    """What strong play made of the start of a game, if it is known as an even one."""
    if start is None:
        return None
    won = start.evidence.won
    return {
        "games": won[0].n,
        "shares": [each.value for each in won],
        "margin": max(each.margin for each in won),
        "moves": list(start.moves),
    }


def summarise(table: Table, held: Held, now: int) -> dict[str, Any]:
    """A game that goes on, in a few words for those who hold these seats."""
    to_move = table.state.turn
    left = table.time_left(to_move, now)
    return {
        "id": table.id,
        "game": table.game.name,
        "title": table.game.title,
        "seats": list_sitting(table.game, table.seats),
        "ply": len(table.plies),
        "to_move": to_move,
        "yours": sorted(held),
        "left": None if left is None else max(0, left),
        "running": table.running is not None,
    }


def document(
    table: Table,
    held: Held,
    online: Held,
    absence: Absence | None,
    audience: Audience,
    theme: str,
    flipped: bool,
    now: int,
    readiness: int,
) -> dict[str, Any]:
    """Everything about a game that a visitor with these seats may know."""
    content = dict(_document(table, theme, is_turned(table.game, held, flipped)))
    content["seats"] = [
        {
            **shown,
            "claimed": seat.is_taken,
            "online": number in online or seat.kind not in (PERSON, OPEN),
            "who": _who(table, number),
            "holding": content["holdings"][number],
            "away": _find_vacation(table, number, now),
        }
        for number, (seat, shown) in enumerate(
            zip(table.seats, list_sitting(table.game, table.seats), strict=True)
        )
    ]
    content["clock"] = _clock(table, now)
    content["yours"] = sorted(held)
    if (
        not table.is_over
    ):  # what players say to each other is theirs meanwhile, as is what others do
        content["gallery" if held else "chat"] = []
    content["watching"] = {"count": audience.count, "names": audience.names}
    content["can"] = list_possible(table, held, now, list_absent(absence, now))
    content["absent"] = absence and {
        "seat": absence.seat,
        "wait": max(0, absence.until - now),
    }
    content["thinking"] = table.thinker is not None
    warmth = "warming" if readiness < 100 else "ready"
    content["engine"] = warmth if table.has_engines else None
    content["readiness"] = readiness if table.has_engines else None
    return content


_documents: Recent[tuple[Table, str, bool, str], dict[str, Any]] = Recent(
    KEPT, weigh=lambda content: DOCUMENT + PLY * len(content["moves"])
)


def _document(table: Table, theme: str, turned: bool) -> dict[str, Any]:
    """The part of a document that is the same for everybody."""
    place = (table, theme, turned, current_language())
    found = _documents.get(place)
    if found is None:
        found = _documents[place] = _make_document(table, theme, turned)
    return found


def _make_document(table: Table, theme: str, turned: bool) -> dict[str, Any]:
    said = {
        **describe(table.line, theme, table.ending, turned=turned, live=True),
        "prompts": [] if table.is_over else list(table.game.view.prompts(table.state)),
        **({"words": WAITING} if table.is_waiting and not table.is_over else {}),
        **({"words": _offer_swap(table)} if table.can_swap else {}),
    }
    return {
        "id": table.id,
        "version": table.version,
        "revision": table.revision,
        "ply": len(table.plies),
        **translate_document(said),
        "swap": table.swap,
        "offers": {
            "draw": table.draw,
            "takeback": table.takeback and table.takeback.seat,
            "rematch": sorted(table.wanting),
            "declined": [asdict(one) for one in table.declined],
        },
        "rated": table.rated,
        "result": table.result,
        "event": table.event and f"/tournaments/{table.event}",
        "stand_in": table.stand_in,
        "rematch": table.rematch and f"/g/{table.rematch}",
        "chat": _list_remarks(table, gallery=False),
        "gallery": _list_remarks(table, gallery=True),
    }


def _list_remarks(table: Table, gallery: bool) -> list[dict[str, Any]]:
    """What was said by those who play, or by those who watch."""
    return [
        {"n": line.n, "name": line.name, "text": line.text, "at": line.at}
        for line in table.chat
        if line.gallery is gallery
    ]


def _who(table: Table, number: int) -> str:
    """The name of whoever is in a seat, where that tells more than the title of the seat.

    Nobody is in a seat that is free, guests have no name, and at one screen all would have one.
    """
    seat = table.seats[number]
    names = [other.name for other in table.seats if other.kind == seat.kind]
    is_known = seat.is_taken and seat.name != NOBODY and names.count(seat.name) == 1
    return say_name(seat) if is_known else ""


def _find_vacation(table: Table, number: int, now: int) -> int | None:
    """Until when somebody is on vacation, in a game that waits for that."""
    until = table.seats[number].away
    is_on = until is not None and until > now and not table.is_over
    return until if is_on else None


def _offer_swap(table: Table) -> str:
    seat = table.to_move or 0
    return N_(f"{table.name_of(seat)} to move, or to take over {table.name_of(1 - seat)}'s seat")


def list_sitting(game: Game | type[Game], seats: Iterable[Any]) -> list[dict[str, Any]]:
    """Who sits where, of seats in their order."""
    return [
        {
            "seat": number,
            "title": translate(game.seats[number]),
            "kind": seat.kind,
            "name": say_name(seat),
            "left": seat.left,
            "person": _describe_owner(seat),
            "rating": seat.rating,
            "rating_after": seat.rating_after,
            "provisional": seat.provisional,
        }
        for number, seat in enumerate(seats)
    ]


def say_name(seat: Any) -> str:
    """What whoever sits there is called; engines, and those who have no name, in any language."""
    if seat.kind.startswith(LEVEL) and seat.left:
        engine = translate(name_engine(seat.kind))
        return pgettext("who plays on", "{engine} for {name}").format(engine=engine, name=seat.left)
    is_named = seat.kind in (PERSON, BOT) and seat.name not in (NOBODY, DELETED)
    return str(seat.name) if is_named else translate(seat.name)


def _describe_owner(seat: Any) -> dict[str, str] | None:
    is_owned = seat.kind == PERSON and seat.account is not None
    return {"id": seat.account, "name": seat.name} if is_owned else None


def _clock(table: Table, now: int) -> dict[str, Any] | None:
    if table.clock is None:
        return None
    left = [table.time_left(seat, now) for seat in range(len(table.seats))]
    return {
        "settings": table.clock.settings(),
        "remaining": [None if time is None else max(0, time) for time in left],
        "running": table.running,
        "grace": _grace(table, now),
        "now": now,
    }


def _grace(table: Table, now: int) -> int:
    """For how much longer the time of the seat to move does not count."""
    if table.running is None:
        return 0
    return max(0, max(table.since + table.grace(table.running), table.resting) - now)
