"""Tournaments on a server: played to their end, by people, bots and levels, whatever happens."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from server import postgres
from server.contesting import FAST, ask, entrant_of, hold, play_all
from server.serving import PASSWORD, TINY, Bot, Host, LocalServer, Server, Somebody


@pytest.fixture(scope="module")
def people(server: Server) -> list[Somebody]:
    return [server.sign_up(f"{name} in the cup") for name in ("Ann", "Ben", "Cleo", "Dora")]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    """A server on which nobody has many tournaments."""
    with LocalServer(tmp_path_factory.mktemp("small"), tournaments=2) as found:
        yield found


@pytest.fixture(scope="module")
def cog(server: Server) -> Bot:
    return server.make_bot("Cog in the cup")


def check_played(seen: dict[str, Any]) -> None:
    """What holds of every tournament that is over."""
    games = [bout["url"] for bout in seen["bouts"] if len(bout["players"]) > 1 and bout["url"]]
    assert len(games) == len(set(games))
    assert all(b["winners"] is not None for b in seen["bouts"] if len(b["players"]) > 1)
    rounds = Counter((b["round"], p["entrant"]) for b in seen["bouts"] for p in b["players"])
    assert seen["system"] == "knockout" or set(rounds.values()) == {1}


def test_a_round_robin_of_people_a_bot_and_a_level(
    server: Server, people: list[Somebody], cog: Bot
) -> None:
    ann, ben, *_ = people
    tourney = hold(server, ann, "round-robin", levels=[1], title="  The <b>first</b> cup ")
    for player in (ann, ben, cog):
        tourney.do(player, "join")
    assert tourney.look(ann)["can"] == ["leave", "start", "call-off"]
    assert tourney.look(ben)["can"] == ["leave"]
    assert tourney.look()["can"] == []
    begun = tourney.do(ann, "start")
    assert (begun["state"], begun["round"], begun["rounds"]) == ("playing", 1, 3)
    assert tourney.look(ben)["your_game"] is not None
    seen = tourney.play_out([ann, ben, cog])
    check_played(seen)
    pairs = {frozenset(p["entrant"] for p in bout["players"]) for bout in seen["bouts"]}
    assert len(pairs) == 6
    assert sum(standing["points"] for standing in seen["standings"]) == 6
    game = server.client.get(f"/api/games/{seen['bouts'][0]['url'].removeprefix('/g/')}").json()
    assert [s["name"] for s in game["seats"]] == [p["name"] for p in seen["bouts"][0]["players"]]
    page = ann.client.get(f"/tournaments/{tourney.id}").text
    assert "The &lt;b&gt;first&lt;/b&gt; cup" in page
    assert 'class="cross"' in page
    for bout in seen["bouts"]:
        assert bout["url"] in page
    assert "The &lt;b&gt;first&lt;/b&gt; cup" in server.client.get("/tournaments").text
    assert ask(ann, f"{tourney.path}/start").status_code == 422


def test_tables_of_three(server: Server, people: list[Somebody]) -> None:
    tourney = hold(server, people[0], "swiss", "x", rounds=2, levels=[1])
    for player in people:
        tourney.do(player, "join")
    tourney.do(people[0], "start")
    seen = tourney.play_out(people)
    check_played(seen)
    assert Counter(len(bout["players"]) for bout in seen["bouts"]) == {3: 2, 1: 4}
    points = sum(standing["points"] for standing in seen["standings"])
    assert points == pytest.approx(2 + 4 / 3, abs=0.05)


def test_a_knockout_begins_when_enough_have_joined(server: Server, people: list[Somebody]) -> None:
    tourney = hold(server, people[0], "knockout", quorum=3)
    for player in people[:3]:
        seen = tourney.do(player, "join")
    assert seen["state"] == "playing"
    over = tourney.play_out(people[:3])
    check_played(over)
    assert over["standings"][0]["place"] == 1
    page = server.client.get(f"/tournaments/{tourney.id}").text
    assert "Semi-finals" in page
    assert "has won" in page


def test_an_arena_pairs_whoever_is_free(server: Server, people: list[Somebody]) -> None:
    tourney = hold(server, people[0], "arena", minutes=60, levels=[1, 2])
    tourney.do(people[0], "join")
    tourney.do(people[0], "start")
    seen = tourney.until(lambda t: any(bout["url"] for bout in t["bouts"]))
    tourney.do(people[1], "join")  # whoever comes later is paired as well
    tourney.until(lambda t: sum(bout["winners"] is None for bout in t["bouts"]) == 2)
    first = {p["entrant"] for p in seen["bouts"][0]["players"]}
    play_all(tourney, tourney.look(), people[:2])
    later = tourney.until(lambda t: len(t["bouts"]) >= 4)
    again = {p["entrant"] for p in later["bouts"][-1]["players"]}
    assert first != again
    assert tourney.do(people[0], "call-off")["state"] == "off"


def test_everybody_is_told_over_a_live_connection(server: Server, people: list[Somebody]) -> None:
    tourney = hold(server, people[0])
    address = server.url.replace("http", "ws", 1) + f"{tourney.path}/live"
    with connect(address, additional_headers=people[1].cookie) as live:
        live.send('{"type": "hello"}')
        first = json.loads(live.recv())["tournament"]
        assert (first["standings"], first["you"]) == ([], entrant_of(people[1]))
        tourney.do(people[2], "join")
        second = json.loads(live.recv())["tournament"]
        assert [one["name"] for one in second["standings"]] == [people[2].name]
        live.send('{"type": "move"}')
        assert json.loads(live.recv())["type"] == "error"
    tourney.do(people[0], "call-off")


def test_what_is_wrong_is_refused(server: Server, people: list[Somebody]) -> None:
    ann, ben, *_ = people
    usual = {"game": "skew", "system": "swiss", "clock": FAST}
    for body, status, words in (
        ({**usual, "system": "ladder"}, 422, "system"),
        ({**usual, "clock": {"kind": "sun"}}, 422, "is not a clock"),
        ({**usual, "game": "x", "system": "arena", "minutes": 5}, 422, "for games of two"),
        ({**usual, "minutes": 5}, 422, "number of minutes"),
        ({**usual, "rounds": 31}, 422, "at most 30 rounds"),
        ({**usual, "rated": True, "options": TINY["skew"]}, 422, "usual board"),
        ({**usual, "starts": 1}, 422, "next 60 days"),
    ):
        answer = ask(ann, "/api/tournaments", **body)
        assert answer.status_code == status, answer.text
        assert words in answer.text
    nobody = server.client.post("/api/tournaments", json=usual)
    assert nobody.status_code == 401
    tourney = hold(server, ann)
    assert ask(ben, f"{tourney.path}/start").status_code == 403
    assert ask(ben, f"{tourney.path}/call-off").status_code == 403
    assert ask(ben, f"{tourney.path}/enter", entrant="level:1").status_code == 403
    assert ask(ben, f"{tourney.path}/leave").status_code == 422
    assert ask(ann, f"{tourney.path}/start").status_code == 422  # nobody has joined
    assert ask(ann, f"{tourney.path}/enter", entrant="person:x").status_code == 422
    assert ask(ann, f"{tourney.path}/enter", entrant="level:99").status_code == 422
    tourney.do(ann, "enter", entrant="level:2")
    assert tourney.do(ann, "remove", entrant="level:2")["standings"] == []
    assert server.client.post(f"{tourney.path}/join").status_code == 401
    assert server.client.get("/api/tournaments/none").status_code == 404
    assert server.client.get("/tournaments/none").status_code == 404
    assert server.client.get("/api/tournaments?before=x").status_code == 422
    listed = server.client.get("/api/tournaments?state=gathering").json()
    assert tourney.id in {row["id"] for row in listed}
    last = listed[0]
    older = server.client.get(f"/api/tournaments?before={last['created']},{last['id']}").json()
    assert last["id"] not in {row["id"] for row in older}
    tourney.do(ann, "call-off")


def test_nobody_makes_tournaments_without_end(small: LocalServer) -> None:
    bot = small.make_bot("Busy")
    for _ in range(2):
        last = hold(small, bot)
    body = {"game": "skew", "system": "swiss", "clock": FAST}
    answer = bot.post("/api/tournaments", **body)
    assert answer.status_code == 429
    assert "not over yet" in answer.text
    last.do(bot, "call-off")
    hold(small, bot)


def test_a_deleted_account_does_not_stop_a_tournament(small: LocalServer) -> None:
    """Their seat cannot be made any more, so they are not paired."""
    bots = [small.make_bot(name) for name in ("Axle", "Bolt")]
    gone = small.sign_up("Gone")
    tourney = hold(small, bots[0])
    for player in (*bots, gone):
        tourney.do(player, "join")

    deleted = gone.client.request("DELETE", "/api/account", json={"password": PASSWORD})
    assert deleted.status_code == 204
    tourney.do(bots[0], "start")
    seen = tourney.play_out(bots)
    left = {one["name"]: one["left"] for one in seen["standings"]}
    assert left == {"Axle": False, "Bolt": False, "Deleted player": True}


# Killed, and by several workers


def play_through_kills(server: Server, kills: int, seed: int) -> None:
    """A tournament of bots and levels, on a server that is killed again and again."""
    lots = Random(seed)
    bots = [server.make_bot(f"Bot {name}{seed}") for name in "ABC"]
    tourney = hold(server, bots[0], "swiss", rounds=3, levels=[1, 2])
    for bot in bots:
        tourney.do(bot, "join")
    tourney.do(bots[0], "start")
    for _ in range(kills):
        seen = tourney.look()
        going = [bout for bout in seen["bouts"] if bout["winners"] is None]
        for bout in lots.sample(going, lots.randint(0, len(going))):
            if not bout["url"]:
                continue
            game = bout["url"].removeprefix("/g/")
            for bot in bots:  # whoever sits there resigns, and dies before anything comes of it
                state = bot.get(f"/api/games/{game}").json()
                if state["yours"]:
                    body = {"version": state["version"], "action": "resign"}
                    bot.post(f"/api/games/{game}/actions", **body)
                    break
        server.kill()
        server.start()
    over = tourney.play_out(bots)
    check_played(over)
    assert over["round"] == 3
    paired = {
        n: {p["entrant"] for b in over["bouts"] if b["round"] == n for p in b["players"]}
        for n in (1, 2, 3)
    }
    assert len(paired[1]) == len(paired[2]) == 5
    # Whoever has twice resigned without a move is not paired a third time.
    assert paired[3] >= {one["entrant"] for one in over["standings"] if not one["left"]}


@pytest.mark.soak
def test_a_killed_server_pairs_no_round_twice(tmp_path: Path) -> None:
    with Server(str(tmp_path / "skerry.db"), tmp_path / "log") as server:
        play_through_kills(server, 6, seed=12)


@pytest.fixture
def shared(cluster: str, tmp_path: Path) -> Iterator[Server]:
    flags = ["--workers", "2"]
    with Server(postgres.create_database(cluster), tmp_path / "log", flags) as server:
        yield server


@pytest.mark.soak
def test_two_workers_hold_one_tournament(shared: Server) -> None:
    people: list[Any] = [shared.make_bot(name) for name in ("Cam", "Dot", "Eve", "Fay")]
    tourney = hold(shared, people[0], "round-robin", levels=[1])
    for player in people:
        tourney.do(player, "join")
    tourney.do(people[0], "start")
    check_played(tourney.play_out(people))


@pytest.mark.soak
def test_two_killed_workers_pair_no_round_twice(shared: Server) -> None:
    play_through_kills(shared, 3, seed=3)


def test_of_many_who_begin_at_once_one_pairs(small: LocalServer) -> None:
    check_one_pairing(small)


@pytest.mark.soak
def test_of_many_who_begin_at_once_one_worker_pairs(shared: Server) -> None:
    check_one_pairing(shared)


def check_one_pairing(server: Host) -> None:
    bots = [server.make_bot(f"Bee {n}") for n in range(6)]
    tourney = hold(server, bots[0], "swiss", rounds=2)
    for bot in bots:
        tourney.do(bot, "join")

    async def start_at_once() -> list[int]:

        async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
            asked = [client.post(f"{tourney.path}/start", headers=bots[0].header) for _ in range(8)]
            return [answer.status_code for answer in await asyncio.gather(*asked)]

    codes = Counter(asyncio.run(start_at_once()))
    assert codes[200] >= 1
    assert set(codes) <= {200, 422}
    seen = tourney.until(lambda t: all(bout["url"] for bout in t["bouts"]))
    assert len(seen["bouts"]) == 3
    check_played(tourney.play_out(bots))
