"""Whose seat is whose: what a link gives, and who only looks like somebody."""

import asyncio
from secrets import token_urlsafe
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection, MetaData

from server.serving import Game, Server
from server.storing import open_database
from skerry.server.bots.registry import BotRegistry
from skerry.server.db.engine import Database
from skerry.server.db.migrate import upgrade
from skerry.server.web.errors import Taken
from skerry.server.web.text import skeleton


def claim(game: Game, *secrets: str | None, **body: Any) -> httpx.Response:
    header = {"X-Seat": ",".join(filter(None, secrets))}
    return game.server.client.post(f"{game.path}/claim", headers=header, json=body)


def held_with(game: Game, secret: str | None) -> list[int]:
    seen = game.server.client.get(game.path, headers={"X-Seat": secret or ""}).json()
    return list(seen["yours"])


class TestExchange:
    """Whoever comes by a link has the seat alone."""

    def test_a_guest_gets_another_secret(self, server: Server) -> None:
        game = server.make_for_persons("x")
        own, link, other = game.secrets
        seen = claim(game, link, name="Bea").json()
        fresh = seen["secrets"]["1"]
        assert seen["yours"] == [1]
        assert held_with(game, link) == []
        assert held_with(game, fresh) == [1]
        assert claim(game, link, name="Eve").status_code == 401
        # Once they sit there, nothing is exchanged any more.
        assert claim(game, fresh, name="Bea B").json()["secrets"] == {}
        assert held_with(game, fresh) == [1]
        # Whoever made the game keeps what is theirs, and the links that are still to be sent.
        assert claim(game, own, name="Ann").json()["secrets"] == {}
        assert (held_with(game, own), held_with(game, other)) == ([0], [2])

    def test_so_does_the_next_guest(self, server: Server) -> None:
        """The game has begun, and the first guest was sent away before they had moved."""
        game = server.make_for_persons()
        for secret in game.secrets:
            assert claim(game, secret, name="").status_code == 200
        link = game.post("revoke", 0, seat=1).json()["secret"]
        fresh = claim(game, link, name="Cy").json()["secrets"]["1"]
        assert (held_with(game, link), held_with(game, fresh)) == ([], [1])

    def test_people_at_one_screen_keep_theirs(self, server: Server) -> None:
        game = server.make_for_persons("x")
        assert claim(game, *game.secrets, name="We").json()["secrets"] == {}
        assert [held_with(game, secret) for secret in game.secrets] == [[0], [1], [2]]

    def test_a_guest_may_choose_it(self, server: Server) -> None:
        """An answer that is lost on the way loses nothing: they know what opens the seat."""
        game = server.make_for_persons()
        chosen = token_urlsafe(24)
        assert claim(game, game.secrets[1], name="Bea", secret="x").status_code == 422  # noqa: S106
        assert claim(game, game.secrets[1], name="Bea", secret=chosen).status_code == 200
        again = claim(game, game.secrets[1], chosen, name="Bea", secret=token_urlsafe(24))
        assert (again.status_code, again.json()["secrets"]) == (200, {})
        assert held_with(game, chosen) == [1]

    def test_of_two_with_one_link_one_has_the_seat(self, server: Server) -> None:
        game = server.make_for_persons()

        async def race() -> list[httpx.Response]:
            async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
                header = {"X-Seat": game.secrets[1] or ""}
                posts = (
                    client.post(f"{game.path}/claim", headers=header, json={"name": f"G{n}"})
                    for n in range(8)
                )
                return list(await asyncio.gather(*posts))

        answers = asyncio.run(race())
        assert sorted(answer.status_code for answer in answers) == [200] + [401] * 7
        (won,) = [answer.json() for answer in answers if answer.status_code == 200]
        assert held_with(game, won["secrets"]["1"]) == [1]
        assert game.look()["seats"][1]["name"] == won["seats"][1]["name"]

    def test_several_seats_are_claimed_at_once_or_not_at_all(self, server: Server) -> None:
        """Each gets a secret of its own."""
        game = server.make_for_persons("x")
        fresh = claim(game, game.secrets[1], game.secrets[2], name="Both").json()["secrets"]
        assert [held_with(game, fresh[seat]) for seat in ("1", "2")] == [[1], [2]]


class TestLooks:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("Anna", "\u0410nna"),  # Cyrillic
            ("Anna", "anna"),
            ("Anna", "An\u200dna"),
            ("Anna", "\uff21nna"),  # full width
            ("Bill", "BiII"),
            ("Bill", "Bi11"),
            ("Otto", "0tt0"),
            ("Mia", "\u039c\u03b9\u03b1"),  # Greek
            ("corner", "comer"),
            ("Zo\u00eb", "Zoe\u0308"),
            ("A B", "A\u00a0B"),
        ],
    )
    def test_what_looks_the_same(self, one: str, other: str) -> None:
        assert skeleton(one) == skeleton(other)

    @pytest.mark.parametrize(
        ("one", "other"), [("Anna", "Anne"), ("Zoe", "Zo\u00eb"), ("Bob", "Bobby"), ("A1", "A2")]
    )
    def test_what_does_not(self, one: str, other: str) -> None:
        assert skeleton(one) != skeleton(other)

    def test_nobody_at_a_table_looks_like_another(self, server: Server) -> None:
        game = server.make_for_persons("x", names=["Anna"])
        answer = claim(game, game.secrets[1], name="\u0410nna")
        assert answer.status_code == 409
        assert "looks like" in answer.json()["error"]
        assert held_with(game, game.secrets[1]) == [1]  # and may choose another name
        assert claim(game, game.secrets[1], name="Anna").status_code == 200  # seats tell them apart
        body = {"game": "skew", "seats": ["person", "person"], "names": ["Bob", "B0b"]}
        assert server.client.post("/api/games", json=body).status_code == 409

    @pytest.mark.parametrize("blank", ["\u3164", "An\u115fn", "\u2800", "A\u034fnn"])
    def test_letters_that_cannot_be_seen_are_refused(self, server: Server, blank: str) -> None:
        game = server.make_for_persons()
        for answer in (
            claim(game, game.secrets[1], name=blank),
            server.client.post("/api/games", json={"game": "skew", "names": [blank]}),
            server.client.post("/api/bots", json={"name": blank}),
        ):
            assert answer.status_code == 422
            assert "cannot be seen" in answer.json()["error"]

    def test_no_bot_looks_like_another_or_like_an_engine(self, server: Server) -> None:
        server.make_bot("Deep Peg")
        for name in ("deep peg", "D\u0435ep Peg", "DeepPeg"):
            assert server.client.post("/api/bots", json={"name": name}).status_code == 409
        for name in ("Level 3", "LeveI 3", "Random"):
            assert server.client.post("/api/bots", json={"name": name}).status_code == 422

    def test_bots_from_before_stay(self, empty: str) -> None:
        """Of those that look alike the first keeps others from it; all are still there."""
        names = ["Bob", "B0b", "Eve"]

        def fill(connection: Connection) -> None:
            upgrade(connection, "0009_due")
            old = MetaData()
            old.reflect(connection)
            for name in names:
                row = {"folded": name.lower(), "name": name, "salt": "", "created": 1}
                connection.execute(old.tables["bots"].insert(), row)

        async def move_on() -> None:
            engine = Database(empty).engine
            async with engine.begin() as connection:
                await connection.run_sync(fill)
            await engine.dispose()
            async with open_database(empty) as opened:
                registry = BotRegistry(opened, lambda: 2)
                for name in (*names, "bOb", "3ve", "\u0415ve"):
                    if name == "3ve":
                        assert (await registry.register(name))[0] == name
                        continue
                    with pytest.raises(Taken):
                        await registry.register(name)

        asyncio.run(move_on())
