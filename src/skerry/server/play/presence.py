"""Who is connected to which worker.

Workers tell each other which seats are connected to them, again and again, so that a worker that
has died is forgotten.
"""

import json
import time
from secrets import token_hex
from typing import Any

from skerry.server.db.notify import HEARTBEAT, Channel
from skerry.server.play.hub import MOST_NAMED, Audience, Hub
from skerry.server.play.table import Held

PRESENT = "present"  # the kind of message that tells workers who is connected
FORGOTTEN_AFTER = 3 * HEARTBEAT
MOST_TOLD = 160  # games; the rest is told when it changes
LARGEST = 7500  # bytes of a message; PostgreSQL takes 8000


class Presence:
    """What this worker tells the others of its visitors, and hears of theirs."""

    def __init__(self, channel: Channel, hub: Hub) -> None:
        self._channel = channel
        self._hub = hub
        self._name = token_hex(8)
        self._heard: dict[str, float] = {}  # worker -> when
        hub.tell = self._tell
        channel.heard[PRESENT] = self._hear
        channel.beats.append(self._beat)

    def _tell(self, id: str) -> None:
        self._post({"worker": self._name, "all": {id: self._describe(id)}})

    def _describe(self, id: str) -> list[Any]:
        """The seats of a game that are connected here, those among them that look, and who watches:
        guests, and some of the others."""
        audience = self._hub.watching_here(id)
        people = dict(list(audience.people.items())[:MOST_NAMED])
        unnamed = audience.count - len(people)
        here, looking = self._hub.here(id), self._hub.looking_here(id)
        return [sorted(here), sorted(looking), unnamed, people]

    def _post(self, content: dict[str, object]) -> None:
        self._channel.post(PRESENT, json.dumps(content))

    async def _beat(self) -> None:
        """Say that we are here, and forget those who have not for a while."""
        late = time.monotonic() - FORGOTTEN_AFTER
        for worker in [name for name, heard in self._heard.items() if heard < late]:
            del self._heard[worker]
            for id in [id for id, found in self._hub.elsewhere.items() if worker in found]:
                self._note(worker, id, frozenset(), frozenset())
            for id in [id for id, found in self._hub.watching_elsewhere.items() if worker in found]:
                self._note_audience(worker, id, Audience())
        await self._channel.send(PRESENT, json.dumps(self._everybody()))

    def _everybody(self) -> dict[str, object]:
        ids = sorted(self._hub.games_here(), key=lambda id: not self._hub.here(id))
        told: dict[str, Any] = {}
        size = 0
        for id in ids[:MOST_TOLD]:  # those who play come first
            told[id] = self._describe(id)
            size += len(json.dumps({id: told[id]}))
            if size > LARGEST:
                del told[id]
                break
        return {"worker": self._name, "all": told}

    def _hear(self, message: str) -> None:
        content = json.loads(message)
        worker = content["worker"]
        if worker == self._name:
            return
        is_new = worker not in self._heard
        self._heard[worker] = time.monotonic()
        for id, (seats, looking, guests, people) in content["all"].items():
            self._note(worker, id, frozenset(seats), frozenset(looking))
            self._note_audience(worker, id, Audience(guests, people))
        if is_new:  # it does not know who is here
            self._post(self._everybody())

    def _note(self, worker: str, id: str, held: Held, looking: Held) -> None:
        """Certain seats of a game are connected to a worker, and look, and no others."""
        online = self._hub.online(id)
        before = _replace(self._hub.elsewhere, id, worker, held)
        _replace(self._hub.looking_elsewhere, id, worker, looking)
        self._hub.note_leaving(id, online)
        if held != before:
            self._hub.changed(id)

    def _note_audience(self, worker: str, id: str, audience: Audience) -> None:
        """Somebody watches a game by another worker."""
        known = self._hub.watching_elsewhere
        before = known.get(id, {}).get(worker, Audience())
        workers = known.setdefault(id, {})
        workers[worker] = audience
        if not audience.count:
            del workers[worker]
        if not workers:
            del known[id]
        if audience != before:
            self._hub.stir(id)


def _replace(found: dict[str, dict[str, Held]], id: str, worker: str, held: Held) -> Held:
    """Write down the seats of a game at a worker; those that stood there before."""
    workers = found.setdefault(id, {})
    before = workers.pop(worker, frozenset())
    if held:
        workers[worker] = held
    if not workers:
        del found[id]
    return before
