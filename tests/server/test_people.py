"""People: how accounts are opened and left, and what people are to each other."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from server.serving import PASSWORD, Game, Host, LocalServer, Server, Somebody
from server.test_accounts import new_name, sign_in, who
from skerry.server.people.pages import name_agent

OTHER = "another good password"


def ask(somebody: Somebody, method: str, path: str, **body: Any) -> httpx.Response:
    return somebody.client.request(method, path, json=body)


def sit_down(game: Game, *people: Somebody) -> Game:
    """Everybody takes a seat in the order of seats."""
    for secret, person in zip(game.secrets, people, strict=True):
        assert person.post(game, "claim", secret, name="").status_code == 200
    return game


@contextmanager
def watching(host: Host, game: Game, **headers: str) -> Iterator[ClientConnection]:
    address = host.url.replace("http", "ws", 1) + f"{game.path}/live"
    with connect(address, additional_headers=headers, max_size=None) as live:
        live.send('{"type": "hello"}')
        yield live


def hear(live: ClientConnection) -> dict[str, Any]:
    return dict(json.loads(live.recv(60))["game"])


class TestOpening:
    def test_another_password_ends_all_other_sessions(self, server: Server) -> None:
        ann = server.sign_up(new_name())
        other = server.sign_in(ann.name)
        wrong = ask(ann, "PUT", "/api/account/password", password=OTHER, new=OTHER)
        assert wrong.status_code == 403
        weak = ask(ann, "PUT", "/api/account/password", password=PASSWORD, new="short")
        assert weak.status_code == 422
        done = ask(ann, "PUT", "/api/account/password", password=PASSWORD, new=OTHER)
        assert done.status_code == 204
        assert (who(ann.client) is None, who(other.client) is None) == (False, True)
        assert sign_in(other.client, ann.name).status_code == 401
        assert sign_in(other.client, ann.name, OTHER).status_code == 201

    def test_a_recovery_code_opens_an_account_once(self, server: Server) -> None:
        ann, eve = server.sign_up(new_name()), server.sign_up(new_name("Eve"))
        assert ask(ann, "POST", "/api/account/codes", password=OTHER).status_code == 403
        old = ask(ann, "POST", "/api/account/codes", password=PASSWORD).json()["codes"]
        codes = ask(ann, "POST", "/api/account/codes", password=PASSWORD).json()["codes"]
        assert len(set(codes)) == 10
        theirs = ask(eve, "POST", "/api/account/codes", password=PASSWORD).json()["codes"]
        stranger = server.new_client()
        for name, code in ((ann.name, old[0]), (ann.name, theirs[0]), ("nobody at all", codes[0])):
            body = {"name": name, "code": code, "password": OTHER}
            assert stranger.post("/api/sessions/recovery", json=body).status_code == 401
        body = {"name": ann.name, "code": f" {codes[3].upper()} ", "password": OTHER}
        assert stranger.post("/api/sessions/recovery", json=body).status_code == 201
        assert who(stranger)["id"] == ann.id
        assert who(ann.client) is None, "whoever else was signed in is not any more"
        assert server.client.post("/api/sessions/recovery", json=body).status_code == 401
        assert stranger.get("/api/account").json()["codes"] == 9

    def test_of_two_with_one_code_one_is_let_in(self, server: Server) -> None:
        ann = server.sign_up(new_name())
        code = ask(ann, "POST", "/api/account/codes", password=PASSWORD).json()["codes"][0]

        async def race() -> list[int]:
            async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
                body = {"name": ann.name, "code": code, "password": OTHER}
                posts = (client.post("/api/sessions/recovery", json=body) for _ in range(4))
                return [answer.status_code for answer in await asyncio.gather(*posts)]

        assert sorted(asyncio.run(race())) == [201, 401, 401, 401]

    def test_passkeys_are_verified(self, server: Server) -> None:
        """A browser that makes one is in tests/browser; here is what is no passkey."""
        ann = server.sign_up(new_name())
        options = ann.client.post("/api/account/passkeys/options", json={}).json()["options"]
        assert options["user"]["name"] == ann.name
        asked = server.client.post("/api/sessions/passkey/options", json={}).json()["options"]
        assert asked["challenge"] != options["challenge"]
        for credential in ({}, {"response": {"clientDataJSON": "e30"}}, {"rawId": 3}):
            body = {"credential": credential}
            assert ann.client.post("/api/account/passkeys", json=body).status_code == 401
            assert server.client.post("/api/sessions/passkey", json=body).status_code == 401
        assert ann.client.delete(f"/api/account/passkeys/{'0' * 64}").status_code == 404
        assert server.client.post("/api/account/passkeys/options", json={}).status_code == 401


class TestLeaving:
    def test_a_guest_takes_games_along(self, server: Server) -> None:
        over, going = server.make_for_persons(), server.make_for_persons()
        for game in (over, going):
            game.post("claim", 0, name="Me")
            game.post("claim", 1, name="You")
        over.act("resign", 0)
        ann, eve = server.sign_up(new_name()), server.sign_up(new_name("Eve"))
        games = [{"id": game.id, "secrets": [game.secrets[0]]} for game in (over, going)]
        games.append({"id": "no-such-game", "secrets": ["x"]})
        assert ask(ann, "POST", "/api/account/games", games=games).json() == {"moved": 2}
        assert ask(ann, "POST", "/api/account/games", games=games).json() == {"moved": 0}
        assert ask(eve, "POST", "/api/account/games", games=games).json() == {"moved": 0}
        for game in (over, going):
            seats = server.client.get(game.path).json()["seats"]
            assert (seats[0]["person"]["id"], seats[0]["name"]) == (ann.id, ann.name)
            assert (seats[1]["person"], seats[1]["name"]) == (None, "You")
        guest = server.client.post("/api/account/games", json={"games": games})
        assert guest.status_code == 401

    def test_everything_is_downloaded(self, server: Server) -> None:
        ann, bob = server.sign_up(new_name()), server.sign_up(new_name("Bob"))
        game = sit_down(server.make_for_persons(), ann, bob)
        ann.play(game)
        ann.post(game, "chat", text="hello")
        bob.post(game, "chat", text="a secret of Bob's")
        ask(ann, "PUT", f"/api/people/{bob.name}/follow")
        found = ann.client.get("/api/account/download")
        assert found.headers["content-disposition"].endswith('"skerry-account.json"')
        known = found.json()
        assert known["account"][0]["name"] == ann.name
        assert [one["id"] for one in known["games"]] == [game.id]
        assert len(known["games"][0]["plies"]) == 1
        assert [line["text"] for line in known["chat"]] == ["hello"]
        assert "a secret of Bob's" not in found.text
        assert "argon2" not in found.text
        assert server.client.get("/api/account/download").status_code == 401

    def test_games_stay_under_a_deleted_player(self, database: str, tmp_path: Path) -> None:
        """On either database; whoever plays on against them is told at once."""
        with LocalServer(tmp_path, database=database) as server:
            ann, bob, cy = (server.sign_up(new_name(name)) for name in ("Ann", "Bob", "Cy"))
            going = sit_down(server.make_for_persons(), ann, bob)
            ann.play(going)
            bob.play(going)
            fresh = sit_down(server.make_for_persons(), ann, bob)
            left = sit_down(server.make_for_persons("x"), ann, bob, cy)
            for person in (ann, bob, cy):
                person.play(left)
            ann.post(left, "actions", version=left.look()["version"], action="resign")
            ann.post(going, "chat", text="see you")
            with watching(server, going, **bob.cookie) as live:
                hear(live)
                assert ask(ann, "DELETE", "/api/account", password=OTHER).status_code == 403
                assert ask(ann, "DELETE", "/api/account", password=PASSWORD).status_code == 204
                while (seen := hear(live))["seats"][0]["name"] != "Deleted player":
                    pass
            assert (seen["result"], seen["seats"][0]["person"], seen["chat"]) == ("1", None, [])
            assert going.look(0)["yours"] == [], "nothing opens the seat any more"
            assert fresh.look()["result"] == "void"
            seat = left.look()["seats"][0]
            assert (seat["left"], ann.name in seat["name"]) == ("Deleted player", False)
            assert who(ann.client) is None
            assert sign_in(ann.client, ann.name).status_code == 401
            assert server.client.get(f"/api/people/{ann.name}").status_code == 404
            server.sign_up(ann.name)  # whoever comes next has nothing of hers
            assert ann.name not in server.client.get(going.path).text

    def test_what_begins_meanwhile_is_left_too(self, server: Server) -> None:
        ann = server.sign_up(new_name())

        async def race() -> list[tuple[int, Any]]:
            async with httpx.AsyncClient(
                base_url=server.url, timeout=60, headers=ann.cookie
            ) as client:
                body = {"game": "skew", "options": {"side": 2}, "seats": ["person", "person"]}
                posts = [client.post("/api/games", json=body) for _ in range(6)]
                gone = client.request("DELETE", "/api/account", json={"password": PASSWORD})
                answers = await asyncio.gather(*posts[:3], gone, *posts[3:])
            return [(answer.status_code, answer.text) for answer in answers]

        answers = asyncio.run(race())
        assert answers[3][0] == 204
        for status, text in answers:
            assert status in (201, 204, 409), text
            if status == 201:
                id = json.loads(text)["id"]
                seats = server.client.get(f"/api/games/{id}").json()["seats"]
                assert all(seat["person"] is None for seat in seats)


class TestKnowing:
    def test_a_profile_has_games_and_openings(self, server: Server) -> None:
        ann, bob = server.sign_up(new_name()), server.sign_up(new_name("Bob"))
        hidden = sit_down(server.make_for_persons(public=False), ann, bob)
        hidden.act("resign", 0)
        for _ in range(2):
            game = sit_down(server.make("skew", seats=["person"] * 2, options={}), ann, bob)
            first = ann.play(game).json()["moves"][0]["text"]
            bob.play(game)
            bob.post(game, "actions", version=game.look()["version"], action="resign")
        shown = server.client.get(f"/api/people/{ann.name.upper()}").json()
        assert (shown["id"], shown["tie"]) == (ann.id, None)
        assert shown["played"] == [{"game": "skew", "title": "Skew", "games": 2}]
        assert [(one["won"], one["seat"]) for one in shown["recent"]] == [(True, 0)] * 2
        (opening,) = shown["openings"]
        assert (opening["turn"], opening["seat_title"], opening["games"]) == (first, "First", 2)
        assert server.client.get("/api/people/nobody of that name").status_code == 404
        page = server.client.get(f"/people/{ann.name}").text
        assert f"<h1>{ann.name}</h1>" in page
        assert first in page
        assert "data-tie" not in page

    def test_follow_and_block(self, server: Server) -> None:
        ann, bob = server.sign_up(new_name()), server.sign_up(new_name("Bob"))
        them = f"/api/people/{bob.name}"
        assert ask(ann, "PUT", f"{them}/follow").json() == {"followed": True, "blocked": False}
        assert ask(ann, "PUT", f"{them}/follow").status_code == 200
        assert ann.client.get("/api/me/follows").json() == [{"id": bob.id, "name": bob.name}]
        assert ask(ann, "PUT", f"{them}/block").json() == {"followed": False, "blocked": True}
        assert [one["id"] for one in ann.client.get("/api/me/blocks").json()] == [bob.id]
        assert bob.client.get("/api/me/blocks").json() == []
        refused = ask(bob, "PUT", f"/api/people/{ann.name}/follow")
        assert refused.status_code == 422
        assert ask(ann, "PUT", f"/api/people/{ann.name}/follow").status_code == 422
        assert ask(ann, "DELETE", f"{them}/block").json() == {"followed": False, "blocked": False}
        assert server.client.put(f"{them}/follow").status_code == 401

    def test_whoever_is_blocked_cannot_chat(self, server: Server) -> None:
        ann, bob = server.sign_up(new_name()), server.sign_up(new_name("Bob"))
        game = sit_down(server.make_for_persons(), ann, bob)
        assert bob.post(game, "chat", text="hello").status_code == 200
        ask(ann, "PUT", f"/api/people/{bob.name}/block")
        refused = bob.post(game, "chat", text="hello again")
        assert (refused.status_code, "blocked" in refused.json()["error"]) == (403, True)
        assert ann.post(game, "chat", text="bye").status_code == 200
        assert ann.play(game).status_code == 200
        assert bob.play(game).status_code == 200, "a game goes on"

    def test_whoever_is_blocked_cannot_challenge(self, server: Server) -> None:
        ann, bob = server.sign_up(new_name()), server.sign_up(new_name("Bob"))
        wish = {"game": "skew", "options": {"side": 2}}
        made = ask(ann, "POST", "/api/lobby", **wish)
        assert made.status_code == 201, made.text
        ask(ann, "PUT", f"/api/people/{bob.name}/block")
        direct = ask(bob, "POST", "/api/lobby", **wish, to=ann.name)
        joined = ask(bob, "POST", f"/api/lobby/{made.json()['challenge']['id']}/join")
        assert (direct.status_code, joined.status_code) == (403, 403)

    def test_reports_go_to_moderators(self, tmp_path: Path) -> None:
        with LocalServer(tmp_path) as server:
            ann, bob, mod = (server.sign_up(name) for name in ("Ann", "Bob", "Mo"))
            path = f"/api/people/{bob.name}/report"
            assert ask(ann, "POST", path, words="  ").status_code == 422
            assert ask(bob, "POST", path, words="me").status_code == 422
            assert ask(ann, "POST", path, words="rude", game="abc").status_code == 204
            assert mod.client.get("/api/complaints").status_code == 403
            assert mod.client.get("/moderation").status_code == 403
            with sqlite3.connect(server.database) as file:
                file.execute("UPDATE accounts SET role = 'moderator' WHERE name = 'Mo'")
            file.close()
            (one,) = mod.client.get("/api/complaints").json()
            assert (one["author"], one["about"], one["words"]) == ("Ann", "Bob", "rude")
            assert "rude" in mod.client.get("/moderation").text
            assert ask(bob, "POST", f"/api/complaints/{one['id']}/close").status_code == 403
            closing = f"/api/complaints/{one['id']}/close"
            assert ask(mod, "POST", closing, verdict="talked").status_code == 204
            assert ask(mod, "POST", closing, verdict="again").status_code == 404
            assert mod.client.get("/api/complaints").json() == []
            codes = [ask(ann, "POST", path, words="x").status_code for _ in range(10)]
            assert codes == [204] * 9 + [429]


class TestGallery:
    def test_those_who_watch_are_seen_and_talk_among_themselves(self, server: Server) -> None:
        ann, bob, cy = (server.sign_up(new_name(name)) for name in ("Ann", "Bob", "Cy"))
        game = sit_down(server.make_for_persons(), ann, bob)
        with watching(server, game, **cy.cookie) as live, watching(server, game) as guest:
            hear(guest)
            assert cy.post(game, "gallery", text="a strong opening").status_code == 200
            while (seen := hear(live))["watching"]["count"] < 2 or not seen["gallery"]:
                pass
            assert seen["watching"] == {"count": 2, "names": [cy.name]}
            assert [line["text"] for line in seen["gallery"]] == ["a strong opening"]
            while not (heard := hear(guest))["gallery"]:
                pass
            assert heard["gallery"] == seen["gallery"]
        for player in (ann, bob):
            assert player.look(game)["gallery"] == []
            assert player.post(game, "gallery", text="hm").status_code == 403
        assert game.look(0)["gallery"] == []
        assert (
            game.server.client.post(f"{game.path}/gallery", json={"text": "hm"}).status_code == 401
        )
        ann.play(game)
        bob.play(game)
        ann.post(game, "actions", version=game.look()["version"], action="resign")
        assert len(bob.look(game)["gallery"]) == 1, "afterwards all may know"
        assert bob.post(game, "gallery", text="I see").status_code == 200

    def test_whoever_signs_out_elsewhere_sees_no_more_than_a_guest(self, server: Server) -> None:
        ann, bob = server.sign_up(new_name()), server.sign_up(new_name("Bob"))
        game = sit_down(server.make_for_persons(), ann, bob)
        with watching(server, game, **ann.cookie) as live:
            assert hear(live)["yours"] == [0]
            elsewhere = server.sign_in(ann.name)
            ask(elsewhere, "PUT", "/api/account/password", password=PASSWORD, new=OTHER)
            assert bob.post(game, "chat", text="between us").status_code == 200
            while (seen := hear(live))["yours"]:
                assert seen["chat"] == []
            assert seen["chat"] == []


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "Firefox on Linux",
        ),
        ("python-httpx/0.28", "python-httpx"),
        ("", "A program"),
    ],
)
def test_browsers_are_named(agent: str, words: str) -> None:
    assert name_agent(agent) == words


def test_pages_are_for_whom_they_are(server: Server) -> None:
    ann = server.sign_up(new_name())
    assert server.client.get("/account").headers["location"] == "/sign-in"
    page = ann.client.get("/account")
    assert f"<h1>{ann.name}</h1>" in page.text
    assert page.headers["cache-control"] == "no-store"
    for path in ("/sign-in", "/sign-up"):
        assert server.client.get(path).status_code == 200
    assert server.client.get("/people/nobody at all").status_code == 404
