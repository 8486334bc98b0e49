"""Tournaments on servers for tests: made, joined, and played to their end."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
from websockets.sync.client import connect

from server.serving import PATIENCE, TINY, Bot, Host, Somebody

FAST = {"kind": "total", "seconds": 600, "increment": 0}
Player = Somebody | Bot


def ask(player: Player, path: str, **body: Any) -> httpx.Response:
    """A request of somebody, with what says who they are."""
    if isinstance(player, Bot):
        return player.post(path, **body)
    return player.client.post(path, json=body)


def entrant_of(player: Player) -> str:
    return f"bot:{player.name.casefold()}" if isinstance(player, Bot) else f"person:{player.id}"


@dataclass
class Tourney:
    """A tournament on a server, seen by whoever looks at it."""

    server: Host
    id: str

    @property
    def path(self) -> str:
        return f"/api/tournaments/{self.id}"

    def look(self, player: Player | None = None) -> dict[str, Any]:
        client = player.client if isinstance(player, Somebody) else self.server.client
        headers = player.header if isinstance(player, Bot) else {}
        response = client.get(self.path, headers=headers)
        assert response.status_code == 200, response.text
        return dict(response.json())

    def do(self, player: Player, deed: str, **body: Any) -> dict[str, Any]:
        response = ask(player, f"{self.path}/{deed}", **body)
        assert response.status_code == 200, response.text
        return dict(response.json())

    def until(self, wanted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """The tournament once something holds, as a live connection tells."""
        address = self.server.url.replace("http", "ws", 1) + f"{self.path}/live"
        with connect(address, max_size=None, open_timeout=PATIENCE) as live:
            live.send('{"type": "hello"}')
            while True:
                seen = dict(json.loads(live.recv(PATIENCE))["tournament"])
                if wanted(seen):
                    return seen

    def play_out(self, players: Sequence[Player]) -> dict[str, Any]:
        """Let everybody play until it is over; levels do that by themselves."""
        while True:
            seen = self.until(lambda t: t["state"] == "over" or has_turn(self, t, players))
            if seen["state"] == "over":
                return seen
            play_all(self, seen, players)


def has_turn(tourney: Tourney, seen: dict[str, Any], players: Iterable[Player]) -> bool:
    """Whether somebody of these has a game that goes on."""
    mine = {entrant_of(player) for player in players}
    return any(
        bout["url"] and bout["winners"] is None and mine & {p["entrant"] for p in bout["players"]}
        for bout in seen["bouts"]
    )


def play_all(tourney: Tourney, seen: dict[str, Any], players: Sequence[Player]) -> None:
    """Play all games that go on to their end."""
    known = {entrant_of(player): player for player in players}
    for bout in seen["bouts"]:
        if bout["url"] and bout["winners"] is None:
            seats = [known.get(one["entrant"]) for one in bout["players"]]
            play_game(tourney.server, bout["url"].removeprefix("/g/"), seats)


def play_game(host: Host, id: str, seats: Sequence[Player | None]) -> None:
    """Play the first legal moves to the end of a game, those of levels by waiting for them."""
    path = f"/api/games/{id}"
    address = host.url.replace("http", "ws", 1) + f"{path}/live"
    with connect(address, max_size=None, open_timeout=PATIENCE) as live:
        live.send(json.dumps({"type": "hello", "secrets": []}))
        while True:
            game = json.loads(live.recv(PATIENCE))["game"]
            if game["outcome"] is not None:
                return
            mover = seats[game["to_move"]]
            if mover is not None:
                move = game["legal"][0]["move"]
                answer = ask(mover, f"{path}/moves", version=game["version"], move=move)
                assert answer.status_code in (200, 409), answer.text


def hold(
    host: Host, maker: Player, system: str = "swiss", game: str = "skew", **choices: Any
) -> Tourney:
    """A tournament on a tiny board."""
    body = {"game": game, "options": TINY[game], "system": system, "clock": FAST, **choices}
    response = ask(maker, "/api/tournaments", **body)
    assert response.status_code == 201, response.text
    return Tourney(host, response.json()["id"])
