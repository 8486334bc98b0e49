"""Fairness at the table, over HTTP: who waits for whom, what counts, and what can be done."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

import skerry
from server.serving import PATIENCE, Game, Host, LocalServer, Server
from server.storing import make_store, open_database
from skerry import records
from skerry.server.play.table import Seat, Table
from skerry.server.web.errors import Stale

TIMED = {"kind": "total", "seconds": 600}
BOARD = {"size": 3}  # of X, with room for all to move several times


def listed(server: Server, game: Game) -> bool:
    """Whether everybody is told that a game is being played."""
    found = server.client.get("/api/games", params={"state": "playing", "limit": 100}).json()
    return game.id in [entry["id"] for entry in found]


def archived(server: Server, game: Game) -> bool:
    found = server.client.get("/api/archive").json()["games"]
    return game.id in [entry["id"] for entry in found]


@contextmanager
def present(game: Game, *seats: int) -> Iterator[None]:
    """Be connected for as long as this lasts, each seat by itself."""
    address = game.server.url.replace("http", "ws", 1) + f"{game.path}/live"
    with ExitStack() as stack:
        for seat in seats:
            live = stack.enter_context(connect(address, max_size=None))
            live.send(json.dumps({"type": "hello", "secrets": [game.secrets[seat]]}))
            while not json.loads(live.recv(PATIENCE))["game"]["seats"][seat]["online"]:
                continue
        yield


def sit_all(game: Game) -> dict[str, Any]:
    """Everybody comes to the game."""
    for seat in range(len(game.secrets)):
        assert game.post("claim", seat, name=f"P{seat}").status_code == 200
    return game.look()


def begin(server: Host, name: str = "skew", **choices: Any) -> Game:
    """A game in which everybody has moved."""
    options = {"options": BOARD} if name == "x" else {}
    game = server.make_for_persons(name, **{"clock": TIMED, **options, **choices})
    sit_all(game)
    for _ in range(len(game.secrets)):
        game.play()
    return game


class TestBeginning:
    def test_clocks_wait_for_everybody(self, server: Server) -> None:
        game = server.make_for_persons(clock={"kind": "total", "seconds": 60})
        assert game.play()["clock"]["running"] is None
        seen = sit_all(game)
        assert seen["clock"]["running"] == 1
        assert seen["clock"]["remaining"] == [60_000, 60_000]
        assert 0 < seen["clock"]["grace"] <= 30_000

    def test_a_new_link_does_not_stop_a_clock(self, server: Server) -> None:
        game = server.make_for_persons(clock={"kind": "total", "seconds": 60})
        sit_all(game)
        game.play()
        assert game.post("revoke", 0, seat=1).status_code == 200
        assert game.look()["clock"]["running"] == 1

    def test_nobody_loses_their_seat_in_the_midst_of_a_game(self, server: Server) -> None:
        game = server.make_for_persons()
        sit_all(game)
        for _ in range(2):
            game.play()
        answer = game.post("revoke", 0, seat=1)
        assert answer.status_code == 403
        assert answer.json() == {
            "error": "Second plays here, and the link stays theirs until they leave"
        }
        assert game.look(1)["yours"] == [1]
        # They may hand it on themselves, which does not free it for others.
        game.secrets[1] = game.post("revoke", 1, seat=1).json()["secret"]
        assert game.look(1)["seats"][1]["claimed"]
        assert game.post("revoke", 0, seat=1).status_code == 403

    def test_a_seat_is_not_taken_from_whoever_sits_down_meanwhile(self, tmp_path: Path) -> None:
        async def race() -> None:
            async with open_database(str(tmp_path / "skerry.db")) as database:
                store = make_store(database)
                seats = (Seat("person", "Ann", "a"), Seat("person", "Guest", "b"))
                table = Table("game", skerry.make("skew", side=2).initial(), seats, 0, 0, 0)
                await store.create(table)
                free = table.seats[1]
                taken = replace(free, name="Bea", claimed=True)
                await store.change_seats(table, (seats[0], taken))
                with pytest.raises(Stale):
                    await store.change_seats(table, (seats[0], Seat("person", "Guest", "c")))
                assert (await store.find("game")).seats[1] == taken

        asyncio.run(race())

    def test_a_game_is_listed_once_it_is_played(self, server: Server) -> None:
        game = server.make_for_persons()
        assert not listed(server, game)
        game.play()
        assert not listed(server, game), "nobody has joined"
        game.post("claim", 1, name="Bea")
        assert listed(server, game)

    def test_a_game_that_is_called_off_leaves_no_trace(self, server: Server) -> None:
        game = server.make_for_persons()
        sit_all(game)
        game.play()
        assert "abort" in game.look(0)["can"]
        over = game.act("abort", 1).json()
        assert over["result"] == "void"
        assert over["words"] == "Second called the game off"
        assert over["can"] == ["rematch"]
        assert not listed(server, game)
        assert not archived(server, game)
        text = server.client.get(f"{game.path}/record").text
        assert '[Termination "Second called the game off"]' in text
        assert text.rstrip().endswith("*")

    def test_a_game_that_has_begun_is_resigned(self, server: Server) -> None:
        game = server.make_for_persons()
        for _ in range(2):
            game.play()
        assert "abort" not in game.look(0)["can"]
        assert game.act("abort", 0).status_code == 422
        assert game.act("resign", 0).json()["result"] == "1"
        assert archived(server, game)


def test_what_can_be_done_is_told_to_everybody_for_themselves(server: Server) -> None:
    game = server.make_for_persons()
    sit_all(game)
    assert game.look(0)["can"] == ["resign", "abort", "offer-draw"]
    game.play()
    assert "ask-takeback" in game.look(0)["can"]
    assert "ask-takeback" not in game.look(1)["can"]
    game.act("offer-draw", 0)
    assert {"accept-draw", "decline-draw"} <= set(game.look(1)["can"])
    assert "offer-draw" not in game.look(0)["can"]
    assert Game(server, game.id, []).look()["can"] == []


class TestLeaving:
    @pytest.fixture
    def hasty(self, tmp_path: Path) -> Iterator[LocalServer]:
        """A server on which nobody has to wait for the absent."""
        with LocalServer(tmp_path, away=0, stand_in=1) as server:
            yield server

    def test_a_win_is_claimed_from_somebody_who_is_gone(self, hasty: LocalServer) -> None:
        game = begin(hasty)
        with present(game, 0, 1):
            assert game.look(1)["absent"] is None
            assert game.act("claim", 1).status_code == 422
        seen = game.until(lambda g: g["absent"], 1)
        assert seen["absent"] == {"seat": 0, "wait": 0}
        assert {"claim", "claim-draw"} <= set(seen["can"])
        assert game.act("claim", 0).status_code == 422
        assert game.act("claim", 1).json()["words"] == "First left: Second wins"

    def test_the_seat_of_somebody_who_is_gone_is_given_to_another(self, hasty: LocalServer) -> None:
        game = begin(hasty)
        game.play()
        game.secrets[1] = game.post("revoke", 0, seat=1).json()["secret"]
        assert game.post("claim", 1, name="Cy").json()["seats"][1]["name"] == "Cy"
        game.play()

    def test_a_while_has_to_pass(self, server: Server) -> None:
        game = begin(server)
        seen = game.look(1)
        assert 0 < seen["absent"]["wait"] <= 120_000
        assert "claim" not in seen["can"]
        assert game.act("claim", 1).status_code == 422

    def test_without_a_clock_a_day_has_to_pass_and_days_are_counted_by_clocks(
        self, hasty: LocalServer
    ) -> None:
        slow = begin(hasty, clock=None)
        assert slow.look(1)["absent"]["wait"] > 80_000_000
        by_days = begin(hasty, clock={"kind": "days", "days": 2})
        assert by_days.look(1)["absent"] is None

    def test_a_restart_does_not_begin_the_wait_anew(self, tmp_path: Path) -> None:
        """Of two games without a clock, in one the absent opened the page a while ago."""
        with LocalServer(tmp_path) as server:
            waited, visited = (begin(server, clock=None) for _ in range(2))
            for game in (waited, visited):
                assert game.look(1)["absent"]["wait"] > 80_000_000
        long_ago = "UPDATE {} SET {} = {} - 90000000"
        with closing(sqlite3.connect(server.database)) as database:
            database.execute(long_ago.format("games", "since", "since"))
            database.execute(
                long_ago.format("seats", "seen", "seen") + " WHERE game = ?", [waited.id]
            )
            database.commit()
        with LocalServer(tmp_path) as again:
            for game, least, most in ((waited, 0, 30_000), (visited, 80_000_000, 86_400_000)):
                seen = Game(again, game.id, game.secrets).look(1)
                assert least <= seen["absent"]["wait"] <= most
                assert "claim" not in seen["can"], "pages that are open have time to come back"

    def test_the_others_of_three_play_on(self, hasty: LocalServer) -> None:
        game = begin(hasty, "x")
        assert game.look()["stand_in"] == "level:1"
        after = game.act("claim", 1).json()
        assert after["outcome"] is None
        assert after["seats"][0]["kind"] == "level:1"
        assert after["seats"][0]["name"] == "Level 1 for P0"
        assert after["seats"][0]["left"] == "P0"
        assert game.look(0)["yours"] == []
        assert game.until(lambda g: g["to_move"] == 1)["ply"] == 4  # the engine has moved
        game.play()
        assert game.act("resign", 2).json()["outcome"] is None
        while game.until(lambda g: g["to_move"] in (1, None))["to_move"] is not None:
            game.play()
        record = records.read(hasty.client.get(f"{game.path}/record").text)
        assert record.players[0] == "Level 1 for P0"
        assert record.headers["Left"] == "Red: P0 after 3 plies, Green: P2 after 5 plies"
        for asked in ("player=p0", "player=p2", "engine=level:1"):
            (found,) = hasty.client.get(f"/api/archive?{asked}").json()["games"]
            assert [seat["left"] for seat in found["seats"]] == ["P0", None, "P2"]
            assert not found["rated"]


def test_a_refusal_is_told_and_kept(server: Server) -> None:
    game = server.make_for_persons()
    game.play()
    game.act("offer-draw", 0)
    game.act("decline-draw", 1)
    game.act("ask-takeback", 0)
    seen = game.act("decline-takeback", 1).json()
    assert seen["offers"] == {
        "draw": None,
        "takeback": None,
        "rematch": [],
        "declined": [
            {"what": "draw", "seat": 0, "by": 1},
            {"what": "takeback", "seat": 0, "by": 1},
        ],
    }
    for action in ("offer-draw", "ask-takeback"):
        answer = game.act(action, 0)
        assert answer.status_code == 422
        assert "after a move" in answer.json()["error"]


def test_what_players_say_is_theirs_until_the_game_is_over(server: Server) -> None:
    game = server.make_for_persons()
    stranger = Game(server, game.id, [])
    game.post("chat", 0, text="I have a plan")
    assert [line["text"] for line in game.look(1)["chat"]] == ["I have a plan"]
    assert stranger.look()["chat"] == []
    assert "I have a plan" not in server.client.get(f"/g/{game.id}").text
    game.act("resign", 1)
    assert [line["text"] for line in stranger.look()["chat"]] == ["I have a plan"]


def test_seats_are_dealt_at_random(server: Server) -> None:
    body = {
        "game": "skew", "seats": ["person", "level:1"], "names": ["Ann"], "random": True, "seat": 0,
    }  # fmt: skip
    dealt = set()
    while len(dealt) < 2:
        made = server.client.post("/api/games", json=body).json()
        seat = made["seat"]
        dealt.add(seat)
        assert [secret is not None for secret in made["secrets"]] == [seat == 0, seat == 1]
        seats = Game(server, made["id"], made["secrets"]).look()["seats"]
        assert [seats[seat]["name"], seats[seat]["kind"]] == ["Ann", "person"]
        assert seats[1 - seat]["kind"] == "level:1"
    plain = server.client.post("/api/games", json={**body, "random": False}).json()
    assert plain["seat"] == 0


class TestSwap:
    def test_persons_change_seats(self, server: Server) -> None:
        game = server.make_for_persons(swap=True)
        sit_all(game)
        seen = game.play()
        assert seen["words"] == "Second to move, or to take over First's seat"
        assert "swap" in game.look(1)["can"]
        assert game.act("swap", 0).status_code == 403
        after = game.act("swap", 1).json()
        assert (after["swap"], after["yours"], after["to_move"]) == ("done", [0], 1)
        assert [seat["name"] for seat in after["seats"]] == ["P1", "P0"]
        assert game.look(0)["yours"] == [1]
        # Whoever made the game is still known as such, wherever they sit.
        assert "plays here" in game.post("revoke", 0, seat=0).json()["error"]
        assert "only whoever made" in game.post("revoke", 1, seat=1).json()["error"]
        assert after["moves"] == seen["moves"]

    def test_it_is_for_two(self, server: Server) -> None:
        answer = server.client.post("/api/games", json={"game": "x", "swap": True})
        assert answer.status_code == 422
        assert "needs two" in answer.json()["error"]

    def test_an_engine_decides_by_what_it_sees(self, server: Server) -> None:
        """One step from the goal the seat that has moved is the better one."""
        choices = {"position": "2/1k/G1/2 w 0", "swap": True}
        game = server.make("skaane", seats=["person", "level:2"], **choices)
        game.play("a2-a3")
        after = game.until(lambda g: g["swap"] == "done" or g["ply"] > 1, 0)
        assert [seat["kind"] for seat in after["seats"]] == ["level:2", "person"]
        assert after["yours"] == [1]

    def test_an_engine_opens_such_a_game(self, server: Server) -> None:
        game = server.make("skew", seats=["level:1", "person"], swap=True)
        assert "swap" in game.until(lambda g: g["ply"] == 1, 1)["can"]
