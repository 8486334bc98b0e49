"""Games that begin: new ones, and rematches; and those that never do."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import SystemRandom
from secrets import randbelow
from typing import Any

from skerry.core.game import Game
from skerry.core.state import State
from skerry.core.texts import N_
from skerry.lab.contest.swap import check_swap
from skerry.lab.openings.books import Books
from skerry.server.db.durations import DAY, HOUR, SECOND
from skerry.server.play.clocks import Clock
from skerry.server.play.deeds import (
    check_names,
    link_rematch,
    list_unwilling,
    rematch,
    want_rematch,
)
from skerry.server.play.engines import Engines, check_engine
from skerry.server.play.hub import Hub
from skerry.server.play.opponents import Opponents
from skerry.server.play.store import Along, Store
from skerry.server.play.table import (
    BOT,
    LEVEL,
    MAY_SWAP,
    PERSON,
    VISITORS,
    Held,
    Seat,
    Table,
    name_engine,
)
from skerry.server.settings import Settings
from skerry.server.web.errors import Refusal, Stale
from skerry.server.web.kinds import usual_options
from skerry.server.web.logs import log
from skerry.server.web.metrics import Metrics
from skerry.server.web.secrets import Signed, conceal, new_id, new_secret
from skerry.server.web.text import read_name
from skerry.server.workers.warm import Rulebook

DEALS = 1_000_000  # seeds short enough to be read out
DEFAULT_ENGINE = "level:2"
NOBODY = N_("Guest")


@dataclass(frozen=True)
class Wish:
    """What somebody wants to play; all but the game can be left out.

    ``seats`` are kinds, such as person or level:3. ``seat`` is that of whoever makes the game, the
    first person's if it is not said. With ``random`` all of them are dealt anew. ``swap`` asks for
    the swap rule, and ``even`` for an even start by lot. ``guest`` is the seat of a bot that makes
    it, and ``maker`` is who else does if they are signed in. ``people`` are who sits down with the
    beginning, by seats: those seats are their accounts', and have no links. ``sitting`` is who sits
    where if all of that is settled: then nobody made the game alone, and there are no links at all.
    ``rated`` asks for a game that counts; None is for what is usual, which is so if only bots and
    levels play. ``event`` is the tournament of which the game is a part.
    """

    game: str
    options: dict[str, int] = field(default_factory=dict)
    seats: Sequence[str] | None = None
    names: Sequence[str] = ()
    clock: dict[str, Any] | None = None
    seed: int | None = None
    position: str | None = None
    public: bool = True
    seat: int | None = None
    random: bool = False
    swap: bool = False
    even: bool = False
    guest: Seat | None = None
    rated: bool | None = None
    maker: Signed | None = None
    people: Sequence[Signed | None] = ()
    sitting: Sequence[Seat] | None = None
    event: str | None = None


@dataclass
class Creation:
    """Makes games."""

    store: Store
    rulebook: Rulebook
    hub: Hub
    engines: Engines
    opponents: Opponents
    metrics: Metrics
    settings: Settings
    books: Books
    now: Callable[[], int]

    async def create(
        self, wish: Wish, visitor: str, along: Along | None = None
    ) -> tuple[Table, list[str | None]]:
        """A new game, and the secret of every seat that is a person's; a bot has one by itself.

        What ``along`` changes is on disk if the game is.
        """
        game = await self.rulebook.game(wish.game, wish.options)
        if wish.random:
            wish = self._deal_seats(game, wish)
        sitting = wish.sitting
        kinds = self._read_seats(game, wish) if sitting is None else [s.kind for s in sitting]
        if any(kind not in VISITORS for kind in kinds) and wish.event is None:
            self.opponents.check(visitor)
        if wish.swap:
            check_swap(game)
        start, seed = self._find_start(game, wish)
        is_new = sitting is None
        secrets = [new_secret() if is_new and kind == PERSON else None for kind in kinds]
        names = _read_names(kinds, wish.names)
        now = self.now()
        own = _first_visitor(kinds) if wish.seat is None and is_new else wish.seat
        if own is not None and (own not in range(len(kinds)) or kinds[own] not in (PERSON, BOT)):
            raise Refusal(f"seat {own} is not a person's, so it cannot be yours")
        seats = tuple(sitting or ()) or tuple(
            wish.guest
            if wish.guest is not None and kind == BOT
            else Seat(kind, name, secret and conceal(secret))
            for kind, name, secret in zip(kinds, names, secrets, strict=True)
        )
        seats = _give_accounts(seats, wish, own, now)
        table = Table(
            id=new_id(),
            start=start,
            seed=seed,
            seats=seats,
            began=now if all(seat.is_taken for seat in seats) else None,
            clock=None if wish.clock is None else Clock.read(wish.clock),
            admin=None if any(wish.people) else own,
            public=wish.public,
            swap=MAY_SWAP if wish.swap else None,
            stand_in=f"{LEVEL}{min(self.settings.stand_in, self.settings.top_level)}",
            rated=decide_rated(game, wish, kinds),
            event=wish.event,
            created=now,
            since=now,
            updated=now,
        )
        for number, seat in enumerate(seats):
            if seat.account is None:
                check_names(table, frozenset({number}), seat.name)
        self.hub.look(table.id)
        table = await self.store.create(table, visitor, along)
        self.metrics.games_created.labels(game=game.name).inc()
        if table.has_engines:
            self.engines.warm_up(game)
        handed = [None if seat.claimed else told for seat, told in zip(seats, secrets, strict=True)]
        return table, handed

    async def rematch(self, table: Table, held: Held, visitor: str) -> Table:
        """The game with its rematch, once everybody wants it; who comes later is led there too."""
        while table.rematch is None:
            with suppress(Stale):  # somebody wants one at the same time
                return await self._rematch(want_rematch(table, held, self.now()), table, visitor)
            table = await self.store.find(table.id)
        return table

    async def _rematch(self, wanted: Table, table: Table, visitor: str) -> Table:
        if list_unwilling(wanted):
            return await self.store.replace(table, wanted, visitor=visitor)
        seed, start = table.seed, table.start
        if seed is not None and self.books.look_up(start) is None:  # even ones are played again
            seed = randbelow(DEALS)
            start = table.game.initial(seed)
        now = self.now()
        successor = rematch(wanted, new_id(), start, seed, now)
        self.hub.look(successor.id)
        linked = link_rematch(wanted, successor.id)
        return await self.store.replace(table, linked, successor, visitor)

    async def tidy_up(self) -> None:
        """Delete, hour by hour, the games in which nobody has moved for days."""
        while self.settings.unbegun:
            age = self.settings.unbegun * DAY
            count = await self.store.drop_unbegun(self.now() - age)
            if count:
                log("games that never began are gone", count=count)
            await asyncio.sleep(HOUR / SECOND)

    def _deal_seats(self, game: Game, wish: Wish) -> Wish:
        """The wish with everybody in a seat by chance."""
        kinds = self._read_seats(game, wish)
        names = [*wish.names, *[""] * len(kinds)]
        people = [*wish.people, *[None] * len(kinds)]
        order = SystemRandom().sample(range(len(kinds)), len(kinds))
        own = wish.seat if wish.seat is not None else _first_visitor(kinds)
        return replace(
            wish,
            seats=[kinds[n] for n in order],
            names=[names[n] for n in order],
            people=[people[n] for n in order],
            seat=order.index(own) if own in order else own,
        )

    def _read_seats(self, game: Game, wish: Wish) -> list[str]:
        if wish.seats is None:
            return [BOT if wish.guest else PERSON] + [DEFAULT_ENGINE] * (game.num_seats - 1)
        if len(wish.seats) != game.num_seats:
            raise Refusal(
                f"{game.title} has {game.num_seats} seats, and {len(wish.seats)} are given"
            )
        names = [kind.strip().lower() for kind in wish.seats]
        if wish.guest is not None and names.count(BOT) != 1:
            raise Refusal(
                "you have one seat: give bot for it, and an opponent for each of the others"
            )
        visitors = VISITORS if wish.guest is not None else (PERSON,)
        return [
            name
            if name in visitors
            else check_engine(name, self.settings.top_level, self.settings.named_engines)
            for name in names
        ]

    def _find_start(self, game: Game, wish: Wish) -> tuple[State, int | None]:
        """Where a game begins, and by which deal."""
        if wish.even:
            return self._draw_even(game, wish)
        if wish.position is None:
            if not game.has_chance:
                return game.initial(), None
            seed = randbelow(DEALS) if wish.seed is None else wish.seed
            return game.initial(seed), seed
        start = game.position(wish.position)
        if start.is_over:
            raise Refusal("the game is over in this position; begin with an earlier one")
        return start, None

    def _draw_even(self, game: Game, wish: Wish) -> tuple[State, int | None]:
        check_even(game, self.books, swap=wish.swap)
        if wish.position is not None or wish.seed is not None:
            raise Refusal("an even start is drawn by lot: leave out the position and the deal")
        even = self.books.draw(game, SystemRandom())
        if even.deal is not None:
            return game.initial(even.deal), even.deal
        return game.position(even.position), None


def _give_accounts(
    seats: tuple[Seat, ...], wish: Wish, own: int | None, now: int
) -> tuple[Seat, ...]:
    """The seats with those of people who are known; whoever makes the game sits down later."""
    given = list(seats)
    for number, person in enumerate(wish.people[: len(given)]):
        if person is not None:
            taken = replace(given[number], claimed=True, seen=now)
            given[number] = replace(taken, account=person.id, name=person.name)
    if wish.maker is not None and own is not None and given[own].owner is None:
        given[own] = replace(given[own], account=wish.maker.id, name=wish.maker.name)
    return tuple(given)


def _first_visitor(kinds: Sequence[str]) -> int | None:
    return min((n for n, kind in enumerate(kinds) if kind in (PERSON, BOT)), default=None)


def check_even(game: Game, books: Books, *, swap: bool) -> None:
    """See that a game can begin with an even start."""
    if swap:
        raise Refusal("choose an even start or the swap rule: each of them makes a game fair")
    if game.options not in books.list_boards(game.name):
        raise Refusal(f"no even starts of {game.title} are known on this board; begin as usual")


def decide_rated(game: Game, wish: Wish, kinds: Sequence[str]) -> bool:
    """Whether a game counts: on the usual board, by people who are known, bots and levels.

    Whoever comes by a link may still turn out to be a guest; then it does not.
    """
    if wish.rated is False:
        return False
    is_usual = game.options == usual_options(game.name)
    is_fair = wish.position is None and wish.seed is None
    engines = [kind for kind in kinds if kind not in VISITORS]
    is_pure = all(kind.startswith(LEVEL) for kind in engines)
    if wish.rated is None:
        return wish.guest is not None and is_usual and is_fair and is_pure and PERSON not in kinds
    if not (is_usual and is_fair):
        raise Refusal("rated games begin on the usual board, with a deal by lot")
    if not is_pure or len(engines) == len(kinds):
        raise Refusal("rated games are played by people and bots, against each other or levels")
    known = [wish.guest, wish.maker, *wish.people, *(s.entrant for s in wish.sitting or ())]
    if not any(known):
        raise Refusal("rated games are for people with an account; sign in first")
    return True


def _read_names(kinds: Sequence[str], names: Sequence[str]) -> list[str]:
    """How everybody is called; whoever gave no name is a guest."""
    chosen = [*names, *[""] * len(kinds)][: len(kinds)]
    return [
        read_name(name) or (NOBODY if kind == PERSON else name_engine(kind))
        for kind, name in zip(kinds, chosen, strict=True)
    ]
