"""Who is connected to which worker.

Workers tell each other which seats are connected to them, again and again, so that a worker that
has died is forgotten.
"""

import json
import time
from secrets import token_hex

from skerry.server.db.notify import HEARTBEAT, Channel
from skerry.server.play.hub import Hub
from skerry.server.play.table import Held

PRESENT = "present"  # the kind of message that tells workers who is connected
FORGOTTEN_AFTER = 3 * HEARTBEAT
MOST_TOLD = 160  # games; a message has at most 8000 bytes, and the rest is told when it changes


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

    def _describe(self, id: str) -> list[list[int]]:
        """The seats of a game that are connected here, and those among them that look."""
        return [sorted(self._hub.here(id)), sorted(self._hub.looking_here(id))]

    def _post(self, content: dict[str, object]) -> None:
        self._channel.post(PRESENT, json.dumps(content))

    async def _beat(self) -> None:
        """Say that we are here, and forget those who have not for a while."""
        late = time.monotonic() - FORGOTTEN_AFTER
        for worker in [name for name, heard in self._heard.items() if heard < late]:
            del self._heard[worker]
            for id in [id for id, found in self._hub.elsewhere.items() if worker in found]:
                self._note(worker, id, frozenset(), frozenset())
        await self._channel.send(PRESENT, json.dumps(self._everybody()))

    def _everybody(self) -> dict[str, object]:
        held = [id for id in self._hub.games_here() if self._hub.here(id)]
        told = [(id, self._describe(id)) for id in held[:MOST_TOLD]]
        return {"worker": self._name, "all": dict(told)}

    def _hear(self, message: str) -> None:
        content = json.loads(message)
        worker = content["worker"]
        if worker == self._name:
            return
        is_new = worker not in self._heard
        self._heard[worker] = time.monotonic()
        for id, (seats, looking) in content["all"].items():
            self._note(worker, id, frozenset(seats), frozenset(looking))
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


def _replace(found: dict[str, dict[str, Held]], id: str, worker: str, held: Held) -> Held:
    """Write down the seats of a game at a worker; those that stood there before."""
    workers = found.setdefault(id, {})
    before = workers.pop(worker, frozenset())
    if held:
        workers[worker] = held
    if not workers:
        del found[id]
    return before
