"""A club in which something goes on, for pictures and measurements: games, a ladder, a lobby."""

import json
import time
from itertools import combinations
from secrets import token_urlsafe
from typing import Any
from urllib.request import Request, urlopen

import skerry
from skerry.records import Record, to_json

PLIES = {"skew": 22, "skirt": 25, "x": 40, "skaane": 14}
DEAL = 4
PLAYERS = ("Ann", "Ben", "Cleo")
CARELESS = 9  # every so many moves of a studied game is the first that comes
# Bots, how they choose, and how often they meet each other and the levels.
BOTS = {"Robbie": "random", "Marvin": "mcts:simulations=40", "Deep Skew": "mcts:simulations=400"}
LEVELS = ("level:1", "level:2", "level:3")
MEETINGS = 2
SESSION = "skerry-session"
PASSWORD = "correct horse battery staple"


def post(
    address: str, body: dict[str, Any], secrets: str = "", token: str = "", session: str = ""
) -> dict[str, Any]:
    """What the server answers to somebody with secrets of seats, a token or a session."""
    headers = {"Content-Type": "application/json", "X-Seat": secrets}
    headers["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64) Chrome"
    headers |= {"Authorization": f"Bearer {token}", "Cookie": f"{SESSION}={session}"}
    request = Request(address, json.dumps(body).encode(), headers)  # noqa: S310  loopback
    with urlopen(request) as answer:  # noqa: S310  loopback
        found: dict[str, Any] = json.load(answer)
        cookies = answer.headers.get("Set-Cookie", "")
    if f"{SESSION}=" in cookies:
        found["session"] = cookies.split(f"{SESSION}=")[1].split(";")[0]
    return found


def make_game(base: str, name: str, plies: int) -> str:
    """The page of a game in which an engine has made some moves, for the seat to move."""
    state = skerry.make(name).initial(DEAL)
    seats = ["person"] * state.game.num_seats
    made = post(f"{base}/api/games", {"game": name, "seats": seats, "seed": DEAL})
    secrets: list[str] = made["secrets"]
    engine = skerry.player("mcts:simulations=300")
    for version in range(plies):
        move = engine.choose(state, version)
        state = state.play(move)
        body = {"version": version, "move": str(move)}
        post(f"{base}/api/games/{made['id']}/moves", body, ",".join(secrets))
    return f"/g/{made['id']}#s={secrets[state.to_move or 0]}"


def make_ladder(base: str) -> None:
    """Rated games of bots against levels and each other."""
    tokens = {name: post(f"{base}/api/bots", {"name": name})["token"] for name in BOTS}
    pairs = [(name, level) for name in BOTS for level in LEVELS]
    for name, opponent in [*pairs, *combinations(BOTS, 2)] * MEETINGS:
        body = {"game": "skew", "opponents": ["open" if opponent in BOTS else opponent]}
        made = post(f"{base}/api/bots/games", body, token=tokens[name])
        if opponent in BOTS:
            place = f"{base}/api/bots/games/{made['id']}/join"
            post(place, {"seat": 1}, token=tokens[opponent])
        play_out(f"{base}/api/games/{made['id']}", tokens)


def watch(base: str, name: str) -> None:
    """Look at two engines, or three, until their game is over."""
    seats = ["level:2"] + ["level:1"] * (skerry.make(name).num_seats - 1)
    made = post(f"{base}/api/games", {"game": name, "seats": seats})
    play_out(f"{base}/api/games/{made['id']}", {})


def play_out(game: str, tokens: dict[str, str]) -> None:
    """Move for the bots, if there are any, until the game is over."""
    rules = skerry.make("skew")
    while True:
        with urlopen(game) as answer:  # noqa: S310  loopback
            seen = json.load(answer)
        if seen["to_move"] is None:
            return
        seat = seen["seats"][seen["to_move"]]
        if seat["name"] not in tokens:
            time.sleep(0.02)  # an engine thinks
            continue
        player = skerry.player(BOTS[seat["name"]])
        move = player.choose(rules.position(seen["position"]), seen["version"])
        body = {"version": seen["version"], "move": str(move)}
        post(f"{game}/moves", body, token=tokens[seat["name"]])


def make_study(base: str, name: str) -> str:
    """The page of a study of a finished game with some careless moves in it."""
    state = skerry.make(name).initial(DEAL)
    engine = skerry.player("mcts:simulations=300")
    moves: list[skerry.Move] = []
    while not state.is_over:
        careless = len(moves) % CARELESS == CARELESS - 1
        moves.append(state.legal_moves()[0] if careless else engine.choose(state, len(moves)))
        state = state.play(moves[-1])
    players = dict(zip(state.game.seats, PLAYERS, strict=False))
    record = Record.from_moves(state.game, moves=moves, headers=players, seed=DEAL)
    made = post(f"{base}/api/studies", {"record": to_json(record)})
    return f"{made['url']}#p={len(moves) // 3}"


def sign_up(base: str, name: str) -> str:
    """The session of a new account."""
    made = post(f"{base}/api/accounts", {"name": name, "password": PASSWORD})
    return str(made["session"])


def make_lobby(base: str) -> None:
    """Some who wait for others; clocks of days, so that they do without an open page."""
    waiting = [("Ben", "skirt", {}, 1), ("Cleo", "x", {}, 3), ("Dora", "skew", {"side": 4}, 7)]
    for name, game, options, days in waiting:
        body = {"name": name, "secret": token_urlsafe(24), "game": game, "options": options}
        post(f"{base}/api/lobby", body | {"clock": {"kind": "days", "days": days}})


def make_tournament(base: str, session: str) -> str:
    """The page of a tournament of levels that is over, beside one that waits for players."""
    fast = {"kind": "total", "seconds": 600, "increment": 0}
    body = {"game": "skew", "system": "round-robin", "clock": fast, "options": {"side": 3}}
    made = post(f"{base}/api/tournaments", body | {"levels": [1, 2, 3, 4]}, session=session)
    place = f"{base}/api/tournaments/{made['id']}"
    post(f"{place}/start", {}, session=session)
    later = {"game": "skaane", "system": "swiss", "clock": fast, "options": {}}
    post(f"{base}/api/tournaments", later, session=session)
    while True:
        with urlopen(place) as answer:  # noqa: S310  loopback
            if json.load(answer)["state"] == "over":
                return f"/tournaments/{made['id']}"
        time.sleep(0.2)
