"""A game in progress on the server: who sits there, what was played, how much time is left.

Tables are immutable, and nothing here reads a clock or a database. What may happen to a table is in
``deeds``.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from skerry.core.game import Game
from skerry.core.playthrough import Playthrough
from skerry.core.state import Outcome, State
from skerry.core.texts import N_
from skerry.records import UNFINISHED, Line, Record, find_result, list_results
from skerry.records import Ply as RecordedPly
from skerry.server.play.clocks import ARRIVAL, DAYS, GRACE, Clock
from skerry.server.web.entrants import Entrant
from skerry.server.web.secrets import Credentials, opens
from skerry.server.web.text import fold

PERSON = "person"
BOT = "bot"  # a program, known by a token instead of a link
DRAW, TAKEBACK = "draw", "takeback"  # what seats may ask for
OPEN = "open"  # a seat that waits for a bot
VISITORS = (PERSON, BOT, OPEN)  # all whose moves come from outside
RANDOM, LEVEL = "random", "level:"  # engines
Held = frozenset[int]
MAY_SWAP, SWAPPED = "may", "done"  # how it stands with the swap rule
# Plies. Stones run out long before; pawns may walk about for as long as options let them.
LONGEST_GAME = 1000
VOID = "void"  # the result of a game that counts for nothing


@dataclass(frozen=True)
class Seat:
    """Who sits here: somebody known by a secret (kept as a hash), or an engine by its name.

    What holds for persons holds for bots as well, but for links and names, which bots have not.
    ``seen`` is when they last sat down, which they do whenever they open the page. ``left`` is who
    sat here until the ply ``left_at``, if an engine plays on in their place. ``account`` is whose
    seat it is, or was until then. In a rated game ``rating`` is what they had when it began, and
    once it is over before it ended; it is ``provisional`` if it was known but roughly.
    """

    kind: str
    name: str
    secret: str | None = None
    claimed: bool = False
    lost: int = 0  # the time that moves cost which were taken back
    left: str | None = None
    left_at: int | None = None
    seen: int = 0
    account: str | None = None
    rating: int | None = None
    rating_after: int | None = None
    provisional: bool = False
    away: int | None = None  # until when whoever sits here is on vacation

    @property
    def is_person(self) -> bool:
        return self.kind in VISITORS

    @property
    def is_taken(self) -> bool:
        return self.claimed or self.kind not in (PERSON, OPEN)

    @property
    def owner(self) -> str | None:
        """The account of whoever sits here."""
        return self.account if self.kind == PERSON else None

    @property
    def entrant(self) -> Entrant | None:
        """Who sits here, for ratings and lists; nobody if it is a guest."""
        if self.kind == BOT:
            return Entrant(BOT, fold(self.name))
        if self.kind.startswith(LEVEL):
            return Entrant.read(self.kind)
        return None if self.owner is None else Entrant(PERSON, self.owner)


@dataclass(frozen=True)
class Ply:
    """An action, when it was made, and how much of its seat's time it took."""

    action: int
    at: int
    spent: int = 0


@dataclass(frozen=True)
class Takeback:
    """A seat asks for its turn back and waits for the consent of these seats."""

    seat: int
    waiting: Held


@dataclass(frozen=True)
class Declined:
    """What a seat asked for and another seat did not want, since the last move."""

    what: str
    seat: int
    by: int


@dataclass(frozen=True)
class Remark:
    """A line of the chat; ``gallery`` is that of those who watch."""

    n: int
    name: str
    text: str
    at: int
    gallery: bool = False
    account: str | None = None


@dataclass(frozen=True, eq=False)
class Table:
    """Everything there is to know about a game.

    ``version`` counts what changes the game itself, ``revision`` also what is said beside it.
    ``ending`` is an end that the board does not show: a resignation, an agreement, a flag.
    A ``void`` game ended before it had begun in earnest, and has no result. A ``public`` game is
    listed for everybody; a ``rated`` one counts on the ladder. ``stand_in`` is the engine that
    plays on for whoever leaves a game of three. With ``swap`` the second person may take over the
    first seat after its first turn: that is about who sits where, and no rule of the game. An
    ``event`` is the tournament that it is a part of: there it counts from the moment it is made, so
    it cannot be called off, and whoever does not come in time has lost.
    """

    id: str
    start: State
    seats: tuple[Seat, ...]
    created: int
    since: int  # when the clock of the seat to move was started
    updated: int
    seed: int | None = None
    clock: Clock | None = None
    admin: int | None = None  # the seat that may replace secrets
    public: bool = True
    rated: bool = False
    event: str | None = None
    stand_in: str = "level:3"
    swap: str | None = None
    began: int | None = None  # when the last seat was taken; no time runs before
    finished: int | None = None  # when it ended
    version: int = 0
    revision: int = 0
    plies: tuple[Ply, ...] = ()
    ending: Outcome | None = None
    void: bool = False
    draw: int | None = None
    takeback: Takeback | None = None
    declined: tuple[Declined, ...] = ()
    wanting: Held = frozenset()  # the seats that want a rematch
    rematch: str | None = None
    chat: tuple[Remark, ...] = ()

    @cached_property
    def line(self) -> Playthrough:
        """What has been played."""
        return Playthrough(self.start).follow(ply.action for ply in self.plies)

    @cached_property
    def movers(self) -> tuple[int, ...]:
        """The seat that made each ply."""
        return self.line.movers

    @property
    def game(self) -> Game:
        return self.start.game

    @property
    def state(self) -> State:
        return self.line.state

    @property
    def outcome(self) -> Outcome | None:
        return self.ending or self.state.outcome

    @property
    def result(self) -> str | None:
        """How it ended, in a word: the number of the seat that won, draw, none, or void."""
        outcome = self.outcome
        if outcome is None:
            return None
        if self.void:
            return VOID
        if outcome.winner is not None:
            return str(outcome.winner)
        return "none" if any(outcome.returns) else "draw"

    @property
    def is_over(self) -> bool:
        return self.ending is not None or self.state.is_over

    @property
    def to_move(self) -> int | None:
        return None if self.is_over else self.state.to_move

    @property
    def persons(self) -> Held:
        return frozenset(n for n, seat in enumerate(self.seats) if seat.is_person)

    @property
    def links(self) -> Held:
        """The seats that are known by a link."""
        return frozenset(n for n, seat in enumerate(self.seats) if seat.kind == PERSON)

    @property
    def is_waiting(self) -> bool:
        """Whether somebody has yet to join."""
        return any(seat.kind == OPEN for seat in self.seats)

    @property
    def is_full(self) -> bool:
        """Whether everybody is there, or has been."""
        return all(seat.is_taken for seat in self.seats)

    @property
    def is_open(self) -> bool:
        """Whether a seat has yet to make its first move: until then nobody can lose."""
        return len(self.line.moved) < len(self.seats)

    @property
    def can_swap(self) -> bool:
        """Whether the first turn has just been made, and the other may take over its seat."""
        moved = self.line.moved
        return self.swap == MAY_SWAP and len(moved) == 1 and self.to_move not in {None, *moved}

    @property
    def has_engines(self) -> bool:
        return len(self.persons) < len(self.seats)

    @property
    def thinker(self) -> str | None:
        """The engine that is to move."""
        seat = None if self.to_move is None else self.seats[self.to_move]
        return None if seat is None or seat.is_person or self.is_waiting else seat.kind

    @property
    def running(self) -> int | None:
        """The seat whose time runs: none before everybody is there and somebody has moved.

        In a tournament nobody is waited for. Engines have all the time.
        """
        if self.clock is None or self.began is None or not (self.plies or self.event):
            return None
        return self.to_move if self.to_move in self.persons else None

    def grace(self, seat: int) -> int:
        """For how long its time does not count yet: everybody may look around at first."""
        return 0 if seat in self.line.moved else GRACE

    @property
    def resting(self) -> int:
        """Until when the clock of the seat to move stands still, which is on vacation."""
        by_days = self.clock is not None and self.clock.kind == DAYS
        return (self.seats[self.to_move].away or 0) if by_days and self.to_move is not None else 0

    def elapsed(self, now: int) -> int:
        """What the turn that goes on has cost so far; during a vacation, as it will be then."""
        if self.running is None:
            return 0
        return max(0, max(now, self.resting) - self.since - self.grace(self.running))

    @property
    def deadline(self) -> int | None:
        """When the flag of the seat to move falls."""
        if self.running is None:
            return None
        start = max(self.since + self.grace(self.running), self.resting)
        left = self.time_left(self.running, start)
        if left is None or self.clock is None:
            return None
        is_due_to_come = self.event is not None and self.running not in self.line.moved
        if is_due_to_come and self.clock.kind != DAYS:
            return min(start + left, self.since + ARRIVAL)
        return start + left

    def time_left(self, seat: int, now: int) -> int | None:
        """What is left to a seat; below 0 when its flag has fallen."""
        if self.clock is None or seat not in self.persons:
            return None
        turns: list[int] = []
        before = None
        for mover, ply in zip(self.movers, self.plies, strict=True):
            if mover == seat:
                if before == seat:
                    turns[-1] += ply.spent
                else:
                    turns.append(ply.spent)
            before = mover
        due = self.state.to_move  # also where the game ended off the board, in the midst of a turn
        current = turns.pop() if before == seat == due else 0
        if seat == self.running:
            current += self.elapsed(now)
        elif self.finished is not None and seat == due and self.began is not None and self.plies:
            current += max(0, self.finished - self.since - self.grace(seat))
        return self.clock.left(turns, current, self.seats[seat].lost)

    def name_of(self, seat: int) -> str:
        """What a seat is called in sentences."""
        return self.game.seats[seat]


def hold_clock(table: Table, now: int) -> Table:
    """The table at which a turn begins now, or when whoever is to move is back from a vacation."""
    since = max(now, table.resting)
    if since == table.since:
        return table
    held = replace(table, since=since)
    held.__dict__["line"] = table.line  # what was played stays
    return held


# What engines are called, for those who translate it.
ENGINES = (N_("Level {n}"), N_("level {n}"), N_("Random"), N_("random"))


def name_engine(kind: str) -> str:
    """What an engine is called at a table: one of ``ENGINES``, or by its own name."""
    return kind.replace(":", " ").capitalize()


def held_by(table: Table, shown: Credentials) -> Held:
    """The seats whose secrets were shown, and those of the account that was signed in to."""
    account = None if shown.person is None else shown.person.id
    return frozenset(
        n
        for n, seat in enumerate(table.seats)
        if opens(shown.secrets, seat.secret) or (account is not None and seat.owner == account)
    )


def read_outcome(content: dict[str, Any]) -> Outcome:
    """An outcome as the database has it."""
    score = content["score"]
    return Outcome(
        tuple(content["returns"]),
        content["winner"],
        None if score is None else tuple(score),
        content["reason"],
    )


def record(table: Table) -> Record:
    """The game as a record, with who sat where and how it ended off the board."""
    headers = {name: seat.name for name, seat in zip(table.game.seats, table.seats, strict=True)}
    left = [
        f"{title}: {seat.left} after {seat.left_at} plies"
        for title, seat in zip(table.game.seats, table.seats, strict=True)
        if seat.left is not None
    ]
    if left:
        headers["Left"] = ", ".join(left)
    result = find_result(table.state)
    if table.ending is not None:
        headers["Termination"] = table.ending.reason
        results = list_results(table.game)
        if table.ending.winner is not None:
            result = results[table.ending.winner]
        else:
            result = results[len(table.seats)] if table.result == "draw" else UNFINISHED
    if table.clock is not None:
        headers["TimeControl"] = table.clock.text
    found = Record(table.start, Line(tuple(_record_plies(table))), result, headers, table.seed)
    found.remember(table.line)
    return found


def _record_plies(table: Table) -> Iterator[RecordedPly]:
    """The plies, with the times of whoever had a clock.

    When a turn was taken back that took time is not known, so nobody can say what was left then.
    """
    turns: list[list[int]] = [[] for _ in table.seats]
    for n, (ply, before, after) in enumerate(
        zip(table.plies, table.line.points, table.line.since(0), strict=False)
    ):
        number = before.state.turn
        seat, took = table.seats[number], turns[number]
        is_timed = seat.is_person or (seat.left_at is not None and n < seat.left_at)
        if table.clock is None or not is_timed:
            yield RecordedPly(ply.action)
            continue
        if before.begun:
            took[-1] += ply.spent
        else:
            took.append(ply.spent)
        left = table.clock.left_after(took, after.begun)
        yield RecordedPly(
            ply.action, left=None if seat.lost else max(0, left), spent=max(0, ply.spent)
        )
