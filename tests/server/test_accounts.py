"""Accounts: never needed, and nobody's but whose they are."""

import asyncio
from pathlib import Path
from secrets import token_hex
from typing import Any

import httpx
import pytest
from argon2 import extract_parameters
from argon2.exceptions import VerifyMismatchError
from websockets.sync.client import connect

from server.serving import PASSWORD, USUAL_HASHER, USUAL_NOBODYS, LocalServer, Server
from server.storing import open_database
from skerry.server.bots.registry import BotRegistry
from skerry.server.people.accounts import SESSION_LIFE, Accounts
from skerry.server.people.guessing import Guesses
from skerry.server.people.hashing import Hasher
from skerry.server.web.entrants import Entrant
from skerry.server.web.errors import Refusal, Taken, TooMany, Unauthorised
from skerry.server.web.secrets import Signed

RIVALS = 8


def new_name(name: str = "Ann") -> str:
    """One that no other test has."""
    return f"{name} {token_hex(4)}"


def who(client: httpx.Client) -> Any:
    return client.get("/api/me").json()["person"]


def sign_in(client: httpx.Client, name: str, password: str = PASSWORD) -> httpx.Response:
    return client.post("/api/sessions", json={"name": name, "password": password})


def test_a_guess_costs_as_much_as_owasp_recommends() -> None:
    assert USUAL_HASHER.hash(PASSWORD).startswith("$argon2id$v=19$m=47104,t=1,p=1$")
    # A name that nobody has is looked for as long, in a hash that is whole.
    assert extract_parameters(USUAL_NOBODYS) == extract_parameters(USUAL_HASHER.hash(PASSWORD))
    with pytest.raises(VerifyMismatchError):
        USUAL_HASHER.verify(USUAL_NOBODYS, PASSWORD)


class TestSigning:
    def test_up_out_and_in(self, server: Server) -> None:
        assert who(server.client) is None
        name = new_name()
        ann = server.sign_up(name)
        assert who(ann.client) == {"id": ann.id, "name": name, "role": "member"}
        kept = ann.client.cookies["skerry-session"]
        assert ann.client.delete("/api/sessions/current").status_code == 204
        assert who(ann.client) is None
        again = {"Cookie": f"skerry-session={kept}"}
        assert server.client.get("/api/me", headers=again).json()["person"] is None
        back = server.sign_in(f"  {name.upper()} ")
        assert (back.id, back.name) == (ann.id, name)
        wrong = sign_in(ann.client, name, "another password")
        assert wrong.status_code == 401
        assert wrong.json() == sign_in(ann.client, new_name("Nobody")).json()

    def test_the_cookie_is_for_the_server_alone(self, server: Server) -> None:
        body = {"name": new_name(), "password": PASSWORD}
        with httpx.Client(base_url=server.url) as client:
            said = client.post("/api/accounts", json=body).headers["set-cookie"]
        assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(said.split("; "))
        assert "Secure" not in said  # or nobody could sign in on a server without TLS

    @pytest.mark.parametrize(
        ("name", "password", "said"),
        [
            ("A", PASSWORD, "2 to 30"),
            ("A" * 31, PASSWORD, "2 to 30"),
            ("a/b", PASSWORD, "letters, digits"),
            ("Level 3", PASSWORD, "engines"),
            ("Leve1 10", PASSWORD, "engines"),
            ("Guest", PASSWORD, "nobody can be called"),
            ("De\u200dleted Player", PASSWORD, "letters, digits"),
            ("Deleted P1ayer", PASSWORD, "nobody can be called"),
            ("An\u3164na", PASSWORD, "cannot be seen"),
            ("Annabel", "short", "8 to 200"),
            ("Annabel", "annabel1", "hardly more than the name"),
            ("Annabel", "aaaaaaaaaa", "easily guessed"),
        ],
    )
    def test_what_is_refused(self, server: Server, name: str, password: str, said: str) -> None:
        answer = server.client.post("/api/accounts", json={"name": name, "password": password})
        assert answer.status_code == 422
        assert said in answer.json()["error"]

    def test_names_that_look_the_same_are_refused(self, server: Server) -> None:
        mark = token_hex(4)
        server.sign_up(f"Bill {mark}")
        server.make_bot(f"Robo {mark}")
        for name in (f"BiII {mark}", f"bill{mark}", f"R0bo {mark}"):
            answer = server.client.post("/api/accounts", json={"name": name, "password": PASSWORD})
            assert answer.status_code == 409, name
            assert "looks the same" in answer.json()["error"]
        bot = server.client.post("/api/bots", json={"name": f"B1ll {mark}"})
        assert (bot.status_code, "looks the same" in bot.json()["error"]) == (409, True)

    @pytest.mark.parametrize("way", ["session", "password"])
    def test_no_secret_opens_the_seats_of_whoever_was_signed_out(
        self, server: Server, way: str
    ) -> None:
        lost = server.sign_up(new_name())
        game = lost.make("skew", seats=["person", "person"])
        stranger = game.secrets[1]
        assert lost.post(game, "claim", game.secrets[0], name="").status_code == 200
        assert game.look(0)["yours"] == [0]
        here = server.sign_in(lost.name)
        if way == "session":
            sessions = here.client.get("/api/sessions").json()
            (theirs,) = [session["id"] for session in sessions if not session["current"]]
            assert here.client.delete(f"/api/sessions/{theirs}").status_code == 204
        else:
            body = {"password": PASSWORD, "new": f"{PASSWORD}, another"}
            assert here.client.put("/api/account/password", json=body).status_code == 204
        assert game.look(0)["yours"] == []
        assert lost.post(game, "chat", game.secrets[0], text="hello").status_code == 401
        assert here.look(game)["yours"] == [0]
        assert here.play(game).status_code == 200
        assert game.secrets[1] == stranger
        assert game.look(1)["yours"] == [1]  # that of a guest is none of theirs

    def test_sessions_are_listed_and_revoked(self, server: Server) -> None:
        ann = server.sign_up(new_name())
        other = server.sign_in(ann.name)
        stranger = server.sign_up(new_name("Eve"))
        found = ann.client.get("/api/sessions").json()
        assert [session["current"] for session in found].count(True) == 1
        (theirs,) = [session["id"] for session in found if not session["current"]]
        assert stranger.client.delete(f"/api/sessions/{theirs}").status_code == 404
        assert who(other.client) is not None
        assert ann.client.delete(f"/api/sessions/{theirs}").status_code == 204
        assert who(other.client) is None
        assert who(ann.client) is not None
        assert server.client.get("/api/sessions").status_code == 401


class TestOrigin:
    """A page of somebody else's cannot do anything by the cookie that a browser sends along."""

    @pytest.mark.parametrize(
        ("headers", "allowed"),
        [
            ({}, True),  # a program
            ({"Origin": "SELF"}, True),
            ({"Sec-Fetch-Site": "same-origin", "Origin": "SELF"}, True),
            ({"Origin": "https://evil.example"}, False),
            ({"Origin": "null"}, False),
            ({"Origin": "http://["}, False),
            ({"Sec-Fetch-Site": "cross-site"}, False),
            ({"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:1"}, False),
        ],
    )
    def test_changes(self, server: Server, headers: dict[str, str], allowed: bool) -> None:
        ann = server.sign_up(new_name())
        said = {name: value.replace("SELF", server.url) for name, value in headers.items()}
        body = {"game": "skew", "options": {"side": 2}}
        made = ann.client.post("/api/games", json=body, headers=said)
        assert made.status_code == (201 if allowed else 403)
        assert ann.client.get("/api/me", headers=said).status_code == 200
        # Guests have nothing that a page of others could use.
        assert server.client.post("/api/games", json=body, headers=said).status_code == 201
        login = {"name": ann.name, "password": PASSWORD}
        signed = server.client.post("/api/sessions", json=login, headers=said)
        assert signed.status_code == (201 if allowed else 403)


class TestSeats:
    def test_an_account_has_its_seats_in_any_browser(self, server: Server) -> None:
        ann = server.sign_up(new_name())
        game = ann.make(seats=["person", "person"], seat=0)
        seen = ann.post(game, "claim", game.secrets[0], name="Somebody else").json()
        assert seen["seats"][0]["name"] == ann.name
        assert seen["seats"][0]["person"] == {"id": ann.id, "name": ann.name}
        assert seen["seats"][1]["person"] is None
        game.post("claim", 1, name="Bob")
        there = server.sign_in(ann.name)
        assert there.look(game)["yours"] == [0]
        assert [held["id"] for held in there.client.get("/api/games/mine").json()] == [game.id]
        assert there.play(game).status_code == 200
        assert game.post("chat", 1, text="hello").status_code == 200
        assert len(there.look(game)["chat"]) == 1
        with connect(
            server.url.replace("http", "ws", 1) + f"{game.path}/live",
            additional_headers=there.cookie,
        ) as live:
            live.send('{"type": "hello"}')
            assert '"yours":[0]' in live.recv(60)

    def test_nobody_else_does(self, server: Server) -> None:
        ann, eve = server.sign_up(new_name()), server.sign_up(new_name("Eve"))
        game = ann.make(seats=["person", "person"], seat=0)
        ann.post(game, "claim", game.secrets[0], name="")
        assert eve.look(game)["yours"] == []
        for what, body in (
            ("claim", {"name": "x"}),
            ("moves", {"version": 1, "move": "a1-e"}),
            ("actions", {"version": 1, "action": "resign"}),
            ("chat", {"text": "x"}),
            ("revoke", {"seat": 0}),
        ):
            assert eve.post(game, what, **body).status_code == 401
        assert eve.client.get(f"{game.path}/conditions").status_code == 401
        assert eve.client.get("/api/games/mine").json() == []
        assert server.client.get("/api/games/mine").json() == []

    def test_a_seat_stays_with_its_account(self, server: Server) -> None:
        """Whoever has the secret may play, but neither takes the seat over nor names it."""
        ann, eve = server.sign_up(new_name()), server.sign_up(new_name("Eve"))
        game = ann.make(seats=["person", "person"], seat=0)
        ann.post(game, "claim", game.secrets[0], name="")
        assert game.post("claim", 0, name="Mallory").status_code == 200
        assert eve.post(game, "claim", game.secrets[0], name="x").status_code == 200
        assert game.look()["seats"][0]["person"] == {"id": ann.id, "name": ann.name}
        assert eve.look(game)["yours"] == []

    def test_a_guest_who_signs_in_takes_the_seat_along(self, server: Server) -> None:
        game = server.make_for_persons()
        game.post("claim", 0, name="Guest of honour")
        ann = server.sign_up(new_name())
        assert ann.post(game, "claim", game.secrets[0], name="").json()["yours"] == [0]
        assert ann.look(game)["yours"] == [0]

    def test_moving_is_sitting_down(self, server: Server) -> None:
        ann = server.sign_up(new_name())
        game = server.make_for_persons()
        seen = game.look()
        moved = ann.post(
            game, "moves", game.secrets[0], version=0, move=seen["legal"][0]["move"]
        ).json()
        assert moved["seats"][0]["person"]["id"] == ann.id

    def test_a_rematch_keeps_seats_and_whoever_is_sent_away_loses_theirs(
        self, server: Server
    ) -> None:
        ann = server.sign_up(new_name())
        game = server.make_for_persons()
        ann.post(game, "claim", game.secrets[1], name="")
        assert ann.look(game)["yours"] == [1]
        game.post("claim", 0, name="Maker")
        fresh = game.post("revoke", 0, seat=1).json()["secret"]
        assert ann.look(game)["yours"] == []
        assert game.look()["seats"][1]["person"] is None
        ann.post(game, "claim", fresh, name="")
        game.act("resign", 0)
        game.act("rematch", 0)
        after = ann.post(game, "actions", version=ann.look(game)["version"], action="rematch")
        successor = after.json()["rematch"].rpartition("/")[2]
        assert ann.client.get(f"/api/games/{successor}").json()["yours"] == [0]

    def test_whoever_leaves_three_holds_nothing(self, server: Server) -> None:
        ann = server.sign_up(new_name())
        game = server.make_for_persons("x")
        ann.post(game, "claim", game.secrets[0], name="")
        for _ in range(3):
            game.play()
        assert (
            ann.post(game, "actions", version=game.look()["version"], action="resign").status_code
            == 200
        )
        seen = ann.look(game)
        assert (seen["yours"], seen["seats"][0]["person"]) == ([], None)
        assert seen["seats"][0]["left"] == ann.name


class TestGuessing:
    def test_visitors_are_slowed_down(self, tmp_path: Path) -> None:
        with LocalServer(tmp_path, guesses=3) as server:
            ann = server.sign_up("Ann")
            codes = [sign_in(server.client, "Ann", f"guess {n}").status_code for n in range(4)]
            assert codes == [401, 401, 401, 429]
            late = sign_in(server.client, "Ann")
            assert late.status_code == 429
            assert int(late.headers["retry-after"]) >= 1
            assert who(ann.client) is not None, "whoever is signed in stays so"

    def test_so_is_everybody_who_guesses_at_one_account(self) -> None:
        time = 0.0
        guesses = Guesses(10, lambda: time)
        guesses.welcome("Ann", "home")
        for n in range(10):
            guesses.check("ann", f"visitor {n}")
        with pytest.raises(TooMany, match="under this name"):
            guesses.check("Ann", "visitor 11")
        guesses.check("Ann", "home")  # where she has been before
        guesses.check("Bob", "visitor 11")
        time = 61.0
        guesses.check("Ann", "visitor 12")


class TestRaces:
    def test_of_many_with_one_name_one_has_it(self, database: str) -> None:
        """Persons and bots alike, and on either database."""

        async def race() -> list[str]:
            hasher = Hasher()
            async with open_database(database) as opened:
                accounts = Accounts(opened, hasher, lambda: 1)
                registry = BotRegistry(opened, lambda: 1)
                mark = token_hex(4)

                async def attempt(n: int) -> str:
                    try:
                        if n % 2:
                            await registry.register(f"Ann {mark}")
                        else:
                            await accounts.register(f"{'Ann' if n % 4 else 'ANN'} {mark}", PASSWORD)
                    except Taken:
                        return "taken"
                    return "made"

                said = await asyncio.gather(*(attempt(n) for n in range(RIVALS)))
            await hasher.close()
            return said

        said = asyncio.run(race())
        assert sorted(said) == ["made"] + ["taken"] * (RIVALS - 1)

    def test_signing_out_during_a_move_plays_it_or_not(self, server: Server) -> None:
        """Whatever comes first: afterwards nothing is played, and nothing is half done."""
        ann = server.sign_up(new_name())
        game = ann.make(seats=["person", "person"], seat=0)
        ann.post(game, "claim", game.secrets[0], name="")
        game.post("claim", 1, name="Bob")
        seen = ann.look(game)

        async def race() -> tuple[int, int]:
            async with httpx.AsyncClient(
                base_url=server.url, timeout=60, headers=ann.cookie
            ) as client:
                body = {"version": seen["version"], "move": seen["legal"][0]["move"]}
                moved, left = await asyncio.gather(
                    client.post(f"{game.path}/moves", json=body),
                    client.delete("/api/sessions/current"),
                )
            return moved.status_code, left.status_code

        moved, left = asyncio.run(race())
        assert left == 204
        assert moved in (200, 401)
        assert game.look()["ply"] == (1 if moved == 200 else 0)
        late = ann.post(game, "moves", version=game.look()["version"], move="a1-e")
        assert late.status_code == 401


def test_sessions_end_and_names_are_known(database: str) -> None:
    """On either database."""
    now = 1_000_000

    async def live() -> None:
        nonlocal now
        hasher = Hasher()
        async with open_database(database) as opened:
            accounts = Accounts(opened, hasher, lambda: now)
            ann, token = await accounts.register(new_name("Zoe"), PASSWORD)
            known = await accounts.identify(token)
            assert isinstance(known, Signed)
            assert known.id == ann.id
            now += SESSION_LIFE - 1
            assert await accounts.identify(token) is not None  # and it is noted
            now += SESSION_LIFE - 1
            assert await accounts.identify(token) is not None
            now += SESSION_LIFE
            assert await accounts.identify(token) is None
            with pytest.raises(Unauthorised):
                await accounts.sign_in(ann.name, "something else")
            entrants = [Entrant.read(text) for text in (f"person:{ann.id}", "person:x", "level:3")]
            named = await accounts.name_entrants(entrants)
            assert [named[each] for each in entrants] == [ann.name, "Deleted player", "Level 3"]
        await hasher.close()

    asyncio.run(live())


def test_entrants_are_written_as_they_are_read() -> None:
    for text in ("person:abc", "bot:a:b", "level:10"):
        assert str(Entrant.read(text)) == text
    for text in ("", "person", "person:", "guest:1", "level:x"):
        with pytest.raises(Refusal):
            Entrant.read(text)
    assert Entrant.read("person:1").link("Ann B") == "/people/Ann%20B"
    assert Entrant.read("bot:ann").link("Ann") == "/archive?player=Ann"
