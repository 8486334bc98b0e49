"""Who is told that a game has changed: everybody whom it concerns, once it is on disk.

    Store            writes a change
      -> stage       within the transaction: with several workers, NOTIFY is part of it
    Store            commits
      -> committed   with one worker, this is where the next step comes from
      -> publish     in every worker, when the database delivers NOTIFY
           -> spectators: the hub (live pages), the streams of bots
      -> pass_on     in the worker that made the change
           -> followers: the clocks, the engines that are due to move

Nothing else tells anybody of a change, so nobody can be told of one that is not on disk.
"""

from collections.abc import Callable
from typing import Protocol

from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.db.notify import notify
from skerry.server.play.table import Table

CHANGED = "changed"  # the kind of message that tells workers of a change
Follower = Callable[[Table, str | None], None]


class Spectator(Protocol):
    """Whoever shows games to others."""

    def changed(self, id: str) -> None:
        """A game has changed."""

    def everything_changed(self) -> None:
        """Any game may have changed."""


class Memory(Protocol):
    """Whoever remembers games and must not show an old one."""

    def learn(self, id: str, revision: int) -> None:
        """There is such a revision of a game."""

    def forget(self, id: str | None = None) -> None:
        """Trust nothing, of a game or at all, since changes may have been missed."""


class Announcer:
    """Passes on the changes of games; ``across`` workers by the database, else directly."""

    def __init__(self, across: bool) -> None:
        self._across = across
        self._memories: list[Memory] = []
        self._spectators: list[Spectator] = []
        self._followers: list[Follower] = []

    def remember(self, memory: Memory) -> None:
        """Tell a memory of every change, before anybody else."""
        self._memories.append(memory)

    def tell(self, spectator: Spectator) -> None:
        """Tell a spectator of every change, whichever worker has made it."""
        self._spectators.append(spectator)

    def follow(self, follower: Follower) -> None:
        """Let a follower act on the changes that this worker makes, and on these only: of several
        workers, one is to act. It gets the table, and the visitor who brought the change about.
        """
        self._followers.append(follower)

    async def stage(self, connection: AsyncConnection, id: str, revision: int) -> None:
        """Make the announcement part of the transaction that changes a game."""
        if self._across:
            await notify(connection, CHANGED, f"{id} {revision}")

    def committed(self, id: str, revision: int) -> None:
        """A change of ours is on disk."""
        if self._across:  # it will be heard of, but until then we must not show what was before
            self._learn(id, revision)
        else:
            self.publish(id, revision)

    def doubt(self, id: str) -> None:
        """Whether a change of ours is on disk is not known: everybody looks again."""
        for memory in self._memories:
            memory.forget(id)
        for spectator in self._spectators:
            spectator.changed(id)

    def pass_on(self, table: Table, visitor: str | None) -> None:
        """See to what a change of ours brings about."""
        for follower in self._followers:
            follower(table, visitor)

    def publish(self, id: str, revision: int) -> None:
        """A change is on disk, whoever has made it."""
        self._learn(id, revision)
        for spectator in self._spectators:
            spectator.changed(id)

    def hear(self, content: str) -> None:
        """What a worker has staged is on disk."""
        id, _, revision = content.partition(" ")
        self.publish(id, int(revision))

    def missed(self) -> None:
        """Changes may have been made that we have not heard of."""
        for memory in self._memories:
            memory.forget()
        self.refresh()

    def refresh(self) -> None:
        """Something has changed that all games show."""
        for spectator in self._spectators:
            spectator.everything_changed()

    def _learn(self, id: str, revision: int) -> None:
        for memory in self._memories:
            memory.learn(id, revision)
