"""The lobby: who wants to play finds somebody, and of two who answer at once one gets the seat."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import TypeAdapter

from server.lobbying import FIVE, SLOW, Guest, Member, look_on
from server.serving import PASSWORD, TINY, LocalServer, Server
from server.test_accounts import new_name
from server.test_bots import Ear
from skerry.server.bots.answers import BotChallenged
from skerry.server.lobby.answers import ChallengeMade, LobbyShown
from skerry.server.web.secrets import new_secret

RIVALS = 12
KILLS = 6


def listed(lobby: dict[str, Any], id: str) -> dict[str, Any] | None:
    return next((one for one in lobby["open"] if one["id"] == id), None)


class TestChallenge:
    def test_an_answer_begins_the_game_and_both_hold_their_seats(self, server: Server) -> None:
        ann, ben, eve = Guest(server, "Ann"), Guest(server, "Ben"), Guest(server)
        made = ann.challenge(clock=FIVE, seat=1, swap=True)
        seen = listed(ben.look(), made["id"])
        assert seen is not None
        assert (seen["joined"][0]["name"], seen["yours"]) == ("Ann", False)
        assert ann.look()["mine"][0]["id"] == made["id"]
        begun = ben.join(made["id"]).json()["challenge"]
        assert begun["state"] == "begun"
        assert ann.look()["mine"][0]["url"] == begun["url"]
        assert (ann.seats(begun["url"]), ben.seats(begun["url"])) == ([1], [0])
        game = ben.sit(begun["url"]).look()
        assert [seat["name"] for seat in game["seats"]] == ["Ben", "Ann"]
        assert (game["clock"]["settings"], game["swap"]) == (FIVE, "may")
        assert game["options"]["side"] == TINY["skew"]["side"]
        # Whoever comes too late is told so, and sees that it is gone.
        late = eve.join(made["id"])
        assert late.status_code == 409
        assert "somebody was faster" in late.json()["error"]
        assert eve.seats(begun["url"]) == []
        assert listed(eve.look(), made["id"]) is None
        # An answer that got lost can be asked for again.
        assert ben.join(made["id"]).json()["challenge"]["url"] == begun["url"]

    @pytest.mark.parametrize("is_late", [False, True])
    def test_whoever_signs_out_leaves_no_seat_behind(self, server: Server, is_late: bool) -> None:
        ann, next_one, ben = server.sign_up(new_name()), Guest(server), Guest(server, "Ben")
        wish = {"game": "skew", "options": TINY["skew"], "clock": SLOW}
        made = ann.client.post("/api/lobby", json={**wish, "secret": next_one.secret})
        id = made.json()["challenge"]["id"]
        assert next_one.look()["mine"][0]["yours"], "the browser has kept the secret"
        if is_late:  # the game has begun, which the browser has yet to hear
            url = ben.join(id).json()["challenge"]["url"]
        assert ann.client.delete("/api/sessions/current").status_code == 204
        assert next_one.look()["mine"] == []
        assert next_one.leave(id).status_code in (403, 404)
        if not is_late:
            url = ben.join(id).json()["challenge"]["url"]
        assert next_one.look()["mine"] == []
        assert next_one.seats(url) == []
        seen = ben.sit(url).look()
        assert ann.name in [seat["name"] for seat in seen["seats"]]
        again = server.sign_in(ann.name)
        (held,) = again.client.get("/api/games/mine").json()
        assert url == f"/g/{held['id']}"
        assert len(again.look(ben.sit(url))["yours"]) == 1

    def test_another_password_closes_what_waits(self, server: Server) -> None:
        ann, thief = server.sign_up(new_name()), Guest(server)
        body = {"game": "skew", "clock": SLOW, "secret": thief.secret}
        id = ann.client.post("/api/lobby", json=body).json()["challenge"]["id"]
        new = {"password": PASSWORD, "new": "an entirely new one"}
        assert ann.client.put("/api/account/password", json=new).status_code == 204
        url = Guest(server, "Ben").join(id).json()["challenge"]["url"]
        assert thief.seats(url) == []
        assert ann.client.get("/api/lobby").json()["mine"][0]["url"] == url

    def test_what_the_api_says_is_as_described(self, server: Server) -> None:
        ann = Guest(server)
        answer = ann.come("", game="skew", clock=FIVE)
        ChallengeMade.model_validate(answer.json())
        ann.seek("skirt", SLOW)
        TypeAdapter(LobbyShown).validate_python(ann.look())
        shown = server.client.get(f"/api/lobby/{answer.json()['challenge']['id']}")
        assert shown.json()["yours"] is False
        for one in ann.look()["mine"]:
            assert ann.leave(one["id"]).status_code == 204

    def test_it_can_be_taken_back_by_whoever_made_it(self, server: Server) -> None:
        ann, ben = Guest(server), Guest(server)
        made = ann.challenge()
        assert ben.leave(made["id"]).status_code == 403
        assert ann.leave(made["id"]).status_code == 204
        gone = ben.join(made["id"])
        assert gone.status_code == 404
        assert "this challenge is over" in gone.json()["error"]
        assert ann.leave(made["id"]).status_code == 404

    def test_nobody_answers_their_own(self, server: Server) -> None:
        ann = Guest(server)
        made = ann.challenge()
        assert ann.join(made["id"]).status_code == 422
        # Not by another secret either, as long as the browser shows that it is the same one.
        other = ann.post(f"/{made['id']}/join", name="Else")
        assert other.status_code == 422
        assert ann.leave(made["id"]).status_code == 204

    @pytest.mark.parametrize(
        ("chosen", "status", "said"),
        [
            ({"game": "chess"}, 422, "skew"),
            ({"options": {"side": 99}}, 422, "side"),
            ({"clock": {"kind": "never"}}, 422, "is not a clock"),
            ({"seat": 5}, 422, "no seat 5"),
            ({"low": 9, "high": 3}, 422, "no rating is from 9 to 3"),
            ({"rated": True, "options": {}, "clock": FIVE}, 401, "need an account"),
            ({"to": "nobody at all"}, 404, "nobody is called that"),
            ({"game": "x", "options": {}, "swap": True}, 422, "swap"),
        ],
    )
    def test_what_cannot_be_is_refused(
        self, server: Server, chosen: dict[str, Any], status: int, said: str
    ) -> None:
        body = {"game": "skew", "options": TINY["skew"], **chosen}
        answer = Guest(server).come("", **body)
        assert answer.status_code == status, answer.text
        assert said in answer.json()["error"]

    def test_who_may_answer(self, server: Server) -> None:
        bot, ann = server.make_bot("Lobbyist"), Guest(server, "Ann")
        path = "/api/lobby"
        made = bot.post(path, game="skew", options=TINY["skew"], audience="members").json()
        members, refused = made["challenge"], Guest(server).join(made["challenge"]["id"])
        assert refused.status_code == 401
        assert "sign in" in refused.json()["error"]
        people = ann.challenge(bots=False)
        assert bot.post(f"{path}/{people['id']}/join").status_code == 403
        strong = ann.challenge(low=1800)
        assert "rating" in Guest(server).join(strong["id"]).json()["error"]
        assert bot.post("/api/lobby/quick", game="skew").status_code == 422
        rated = bot.post(path, game="skew", clock=FIVE, rated=True).json()["challenge"]
        assert ann.join(rated["id"]).status_code == 401
        for id in (members["id"], rated["id"]):
            assert server.client.delete(f"{path}/{id}", headers=bot.header).status_code == 204
        for one in (people, strong):
            ann.leave(one["id"])

    def test_names_that_look_alike_do_not_meet(self, server: Server) -> None:
        made = Guest(server, "Anna").challenge()
        assert Guest(server, "\u0410nna").join(made["id"]).status_code == 409  # a Cyrillic letter
        assert Guest(server, "Anna").join(made["id"]).status_code == 200


class TestThree:
    def test_a_game_for_three_waits_for_three(self, server: Server) -> None:
        ann, ben, eve = (Guest(server, name) for name in ("Ann", "Ben", "Eve"))
        made = ann.challenge("x")
        waiting = ben.join(made["id"]).json()["challenge"]
        assert (waiting["state"], waiting["url"]) == ("open", None)
        seen = listed(eve.look(), made["id"])
        assert seen is not None
        assert [one["name"] for one in seen["joined"]] == ["Ann", "Ben"]
        begun = eve.join(made["id"]).json()["challenge"]
        held = [seat for who in (ann, ben, eve) for seat in who.seats(begun["url"])]
        assert sorted(held) == [0, 1, 2]

    def test_engines_fill_it_if_all_agree(self, server: Server) -> None:
        ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
        made = ann.challenge("x", seat=2)
        path = f"/{made['id']}/fill"
        assert ann.post(path, level=1).status_code == 422  # nobody else is there
        ben.join(made["id"])
        assert ann.post(path, level=1).json()["state"] == "open"
        assert ben.post(path, level=2).json()["state"] == "open"
        assert Guest(server).post(path, level=1).status_code == 403
        assert ben.post(path, level=99).status_code == 422
        begun = ben.post(path, level=1).json()
        game = ann.sit(begun["url"]).look()
        assert sorted(seat["kind"] for seat in game["seats"]) == ["level:1", "person", "person"]
        assert ann.seats(begun["url"]) == [2]

    def test_who_leaves_leaves_the_others_waiting(self, server: Server) -> None:
        ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
        made = ann.challenge("x", seat=0)
        ben.join(made["id"])
        assert ann.leave(made["id"]).status_code == 204
        (left,) = ben.look()["mine"]
        assert ([one["name"] for one in left["joined"]], left["seat"]) == (["Ben"], None)
        assert ben.leave(made["id"]).status_code == 204
        assert ben.look()["mine"] == []


class TestQuick:
    def test_two_who_want_the_same_are_paired_at_once(self, server: Server) -> None:
        ann, ben, eve = (Guest(server, name) for name in ("Ann", "Ben", "Eve"))
        alone = ann.seek("skew")
        assert (alone["state"], ann.seek("skew")["id"]) == ("open", alone["id"])
        assert eve.seek("skew", SLOW)["state"] == "open"  # another clock
        waiting = {(one["game"], one["clock"]): one["waiting"] for one in eve.look()["quick"]}
        assert waiting["skew", "increment=3,kind=total,seconds=300"] == 1
        assert listed(eve.look(), alone["id"]) is None
        begun = ben.seek("skew")
        assert begun["state"] == "begun"
        assert sorted(ann.seats(begun["url"]) + ben.seats(begun["url"])) == [0, 1]
        assert ann.look()["mine"][0]["url"] == begun["url"]
        eve.leave(eve.look()["mine"][0]["id"])

    def test_an_open_challenge_that_fits_is_answered(self, server: Server) -> None:
        ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
        answer = ann.come("", game="skirt", clock=FIVE, seat=1)
        begun = ben.seek("skirt")
        assert (begun["id"], begun["state"]) == (answer.json()["challenge"]["id"], "begun")
        assert (ann.seats(begun["url"]), ben.seats(begun["url"])) == ([1], [0])

    def test_three_are_gathered(self, server: Server) -> None:
        three = [Guest(server, name) for name in ("Ann", "Ben", "Eve")]
        states = [guest.seek("x")["state"] for guest in three]
        assert states == ["open", "open", "begun"]
        (url,) = {guest.look()["mine"][0]["url"] for guest in three}
        assert sorted(seat for guest in three for seat in guest.seats(url)) == [0, 1, 2]


class TestRaces:
    def test_of_many_who_answer_one_gets_the_seat(self, server: Server) -> None:
        race_for_a_seat(server, RIVALS)

    def test_many_who_seek_are_all_paired(self, server: Server) -> None:
        race_for_partners(server, RIVALS)


def race_for_a_seat(server: Server, rivals: int) -> None:
    """All answer one challenge for two at once."""
    ann = Guest(server, "Ann")
    made = ann.challenge()
    others = [Guest(server, "Rival") for _ in range(rivals)]
    answers = asyncio.run(
        at_once(server, [(f"/api/lobby/{made['id']}/join", {"secret": o.secret}) for o in others])
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * (rivals - 1)
    (begun,) = (answer.json()["challenge"] for answer in answers if answer.status_code == 200)
    assert ann.look()["mine"][0]["url"] == begun["url"]
    assert sum(len(other.seats(begun["url"])) for other in others) == 1


def race_for_partners(server: Server, count: int) -> None:
    """All want to be paired at once; everybody is, and nobody twice."""
    guests = [Guest(server, "Seeker") for _ in range(count)]
    body = {"game": "skaane", "clock": FIVE}
    answers = asyncio.run(
        at_once(server, [("/api/lobby/quick", {**body, "secret": g.secret}) for g in guests])
    )
    assert {answer.status_code for answer in answers} == {201}
    urls = [guest_until_begun(guest) for guest in guests]
    assert sorted(urls.count(url) for url in urls) == [2] * count
    for guest, url in zip(guests, urls, strict=True):
        assert len(guest.seats(url)) == 1


def guest_until_begun(guest: Guest) -> str:
    """The game that somebody is led to; whoever is paired later is told so by the lobby."""

    async def wait() -> str:
        async with look_on(guest.server, guest.secret) as looking:
            told = await looking.until(lambda told: told["mine"] and told["mine"][0]["url"])
            return str(told["mine"][0]["url"])

    return asyncio.run(wait())


async def at_once(server: Server, posts: list[tuple[str, dict[str, Any]]]) -> list[httpx.Response]:
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
        return await asyncio.gather(*(client.post(path, json=body) for path, body in posts))


class TestLive:
    def test_everybody_sees_it_change(self, server: Server) -> None:
        asyncio.run(watch_a_challenge(server))

    def test_who_is_hidden_or_brief_is_told_little(self, server: Server) -> None:
        ann = Guest(server)

        async def talk() -> None:
            async with look_on(server, ann.secret, brief=True) as page:
                first = await page.hear()
                assert first["lobby"].keys() == {"people"}
                made = await asyncio.to_thread(ann.challenge)
                told = await page.until(lambda told: told["mine"])
                assert told["mine"][0]["id"] == made["id"]
                await asyncio.to_thread(ann.leave, made["id"])
                await page.until(lambda told: not told["mine"])

        asyncio.run(talk())

    @pytest.mark.parametrize("hello", [{"type": "dance"}, {"secrets": "all"}, {"brief": "yes"}])
    def test_a_wrong_greeting_is_refused(self, server: Server, hello: dict[str, Any]) -> None:
        async def talk() -> None:
            async with look_on(server, **hello) as page:
                await page.socket.wait_closed()
                assert page.socket.close_code == 1008

        asyncio.run(talk())


async def watch_a_challenge(server: Server) -> None:
    """A challenge is made, joined and answered while others look on."""
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    async with (
        look_on(server, ann.secret) as own,
        look_on(server) as one,
        look_on(server) as other,
    ):
        made = await asyncio.to_thread(ann.challenge)
        id = made["id"]
        for page in (one, other):
            await page.until(lambda told: listed(told["lobby"], id))
        told = await own.until(lambda told: told["mine"])
        assert told["mine"][0]["joined"][0]["yours"]
        answer = await asyncio.to_thread(ben.join, id)
        url = answer.json()["challenge"]["url"]
        told = await own.until(lambda told: told["mine"] and told["mine"][0]["state"] == "begun")
        assert told["mine"][0]["url"] == url
        for page in (one, other):
            await page.until(lambda told: not listed(told["lobby"], id))


class TestBots:
    def test_bots_challenge_and_answer(self, server: Server) -> None:
        one, other, ann = server.make_bot("Maker"), server.make_bot("Answerer"), Guest(server)
        made = one.post("/api/lobby", game="skew", options=TINY["skew"]).json()
        assert made["secret"] is None
        begun = other.post(f"/api/lobby/{made['challenge']['id']}/join").json()["challenge"]
        assert begun["url"].removeprefix("/g/") in one.get("/api/bots/me").json()["playing"]
        person = ann.challenge()
        joined = one.post(f"/api/lobby/{person['id']}/join").json()["challenge"]
        assert len(ann.seats(joined["url"])) == 1
        for bot in (one, other):
            server.client.delete("/api/bots/me", headers=bot.header)

    def test_a_bot_that_has_left_plays_with_nobody(self, server: Server) -> None:
        bot, ann, ben = server.make_bot("Lobby leaver"), Guest(server, "Ann"), Guest(server, "Ben")
        alone = bot.post("/api/lobby", game="skew", clock=SLOW).json()["challenge"]
        three = ann.challenge("x", clock=SLOW)
        assert bot.post(f"/api/lobby/{three['id']}/join").status_code == 200
        assert server.client.delete("/api/bots/me", headers=bot.header).status_code == 204
        assert ben.join(alone["id"]).status_code == 404
        assert listed(ben.look(), alone["id"]) is None
        assert ben.join(three["id"]).status_code == 404  # nobody is asked to play at once
        (left,) = ann.look()["mine"]
        assert [one["name"] for one in left["joined"]] == ["Ann"]
        assert ben.join(three["id"]).json()["challenge"]["state"] == "open"
        for guest in (ann, ben):
            assert guest.leave(three["id"]).status_code == 204

    def test_a_bot_is_challenged_and_says_yes_or_no(self, server: Server) -> None:
        bot, ann, eve = server.make_bot("Challenged"), Guest(server, "Ann"), Guest(server, "Eve")
        ear = LobbyEar(bot)
        made = ann.challenge(to="challenged")
        assert (made["to"], listed(eve.look(), made["id"])) == ("Challenged", None)
        heard = ear.heard.get(timeout=60)
        assert (heard["type"], heard["id"], heard["by"]) == ("challenge", made["id"], "Ann")
        assert eve.join(made["id"]).status_code == 403
        assert eve.post(f"/{made['id']}/decline").status_code == 403
        assert bot.post(f"/api/lobby/{made['id']}/decline").json()["state"] == "declined"
        assert ann.look()["mine"][0]["state"] == "declined"
        assert bot.post(f"/api/lobby/{made['id']}/join").status_code == 404
        again = ann.challenge(to="Challenged")
        assert ear.heard.get(timeout=60)["id"] == again["id"]
        assert bot.post(f"/api/lobby/{again['id']}/join").json()["challenge"]["state"] == "begun"
        assert ear.heard.get(timeout=60)["type"] == "start"
        ear.close()


class TestPeople:
    def test_somebody_is_challenged_by_name(self, server: Server) -> None:
        ann, ben, eve = (Member(server.sign_up(f"{who} Lobby")) for who in ("Ann", "Ben", "Eve"))
        made = ann.post("", game="skew", options=TINY["skew"], to="ben LOBBY").json()["challenge"]
        (sent,) = ben.look()["mine"]
        assert (sent["id"], sent["for_you"], sent["to"]) == (made["id"], True, "Ben Lobby")
        assert eve.look()["mine"] == []
        assert eve.client.get(f"/api/lobby/{made['id']}").status_code == 403
        assert Guest(server).join(made["id"]).status_code == 403
        begun = ben.post(f"/{made['id']}/join").json()["challenge"]
        seats = ben.client.get(f"/api/games/{begun['url'][3:]}").json()
        assert {seat["person"]["name"] for seat in seats["seats"]} == {"Ann Lobby", "Ben Lobby"}
        assert len(seats["yours"]) == 1  # by the account, without any secret
        again = ann.post("", game="skew", to="Eve Lobby").json()["challenge"]
        assert eve.post(f"/{again['id']}/decline").json()["state"] == "declined"
        assert ann.look()["mine"][0]["state"] == "declined"
        assert ann.post("", game="skew", to="Ann Lobby").status_code == 422

    def test_who_is_blocked_meets_nobody(self, server: Server) -> None:
        ann, eve = (Member(server.sign_up(f"{who} Tied")) for who in ("Ann", "Eve"))
        assert ann.client.put("/api/people/Eve Tied/block").status_code == 200
        made = ann.post("", game="skew").json()["challenge"]
        theirs = eve.post("", game="skirt").json()["challenge"]
        refused = eve.post(f"/{made['id']}/join")
        assert (refused.status_code, "block" in refused.text) == (403, False)  # nobody is told
        assert ann.post(f"/{theirs['id']}/join").status_code == 403
        assert eve.post("", game="skew", to="Ann Tied").status_code == 403
        for who in (ann, eve):
            paired = who.post("/quick", game="x", clock=FIVE).json()["challenge"]
            assert [len(paired["joined"]), paired["state"]] == [1, "open"]
        for who in (ann, eve):
            for one in who.look()["mine"]:
                assert who.client.delete(f"/api/lobby/{one['id']}").status_code == 204

    def test_rated_games_are_for_members(self, server: Server) -> None:
        one, other = (Member(server.sign_up(f"Rated {who}")) for who in ("One", "Other"))
        assert one.post("", game="skew", rated=True).status_code == 422  # without a clock
        tiny = {"options": TINY["skew"], "clock": FIVE, "rated": True}
        assert one.post("", game="skew", **tiny).status_code == 422
        made = one.post("", game="skew", clock=FIVE, rated=True).json()["challenge"]
        assert Guest(server).join(made["id"]).status_code == 401
        begun = other.post(f"/{made['id']}/join").json()["challenge"]
        game = other.client.get(f"/api/games/{begun['url'][3:]}").json()
        assert game["rated"]
        rating = begun["joined"][0]["rating"]
        assert [seat["rating"] for seat in game["seats"]] == [rating, rating]  # all begin alike
        # Whose rating is too low or too high is told so.
        strong = one.post("", game="skew", low=rating + 1).json()["challenge"]
        assert str(rating) in other.post(f"/{strong['id']}/join").json()["error"]
        assert one.client.delete(f"/api/lobby/{strong['id']}").status_code == 204
        near = one.post("", game="skew", low=rating - 50, high=rating + 50).json()["challenge"]
        assert other.post(f"/{near['id']}/join").status_code == 200
        # What members alone may answer, and nobody who looks like another.
        members = one.post("", game="skew", audience="members").json()["challenge"]
        assert Guest(server, "Else").join(members["id"]).status_code == 401
        everybody = one.post("", game="skew").json()["challenge"]
        assert Guest(server, "Rated One").join(everybody["id"]).status_code == 409
        for id in (members["id"], everybody["id"]):
            assert one.client.delete(f"/api/lobby/{id}").status_code == 204

    def test_whoever_waits_is_told_on_all_their_devices(self, server: Server) -> None:
        ann = Member(server.sign_up("Ann Devices"))

        async def talk() -> None:
            async with look_on(server, headers=ann.cookie) as phone:
                made = await asyncio.to_thread(ann.post, "", game="skew", to="Ann Devices")
                assert made.status_code == 422
                made = await asyncio.to_thread(ann.post, "", game="skew")
                told = await phone.until(lambda told: told["mine"])
                assert told["mine"][0]["yours"]
                id = made.json()["challenge"]["id"]
                assert ann.client.delete(f"/api/lobby/{id}").status_code == 204

        asyncio.run(talk())


class LobbyEar(Ear):
    """A stream on which challenges may come, too."""

    def _listen(self) -> None:
        for event in self.bot.events():
            if event["type"] == "challenge":
                BotChallenged.model_validate(event)
            self.heard.put(event)


def test_a_visitor_waits_in_so_many_and_no_more(tmp_path: Path) -> None:
    with LocalServer(tmp_path, challenges=2) as server:
        ann, ben = Guest(server), Guest(server)
        first = ann.challenge()
        ben.challenge()
        over = ben.come("", game="skew", options=TINY["skew"])
        assert over.status_code == 429
        assert "take one of them back" in over.json()["error"]
        assert ann.leave(first["id"]).status_code == 204
        ben.challenge()


async def keep_meeting(url: str, promised: dict[str, list[str]]) -> None:
    """Challenge and answer again and again, noting what was confirmed, until the server is gone."""
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        try:
            while True:
                secrets = [new_secret(), new_secret()]
                body = {"game": "skew", "options": TINY["skew"], "secret": secrets[0]}
                made = (await client.post("/api/lobby", json=body)).json()["challenge"]
                path = f"/api/lobby/{made['id']}/join"
                answer = await client.post(path, json={"secret": secrets[1]})
                assert answer.status_code == 200, answer.text
                promised[answer.json()["challenge"]["url"]] = secrets
        except httpx.TransportError:
            return


@pytest.mark.soak
def test_a_server_that_is_killed_again_and_again_keeps_every_seat(tmp_path: Path) -> None:
    server = Server(str(tmp_path / "skerry.db"), tmp_path / "log")
    promised: dict[str, list[str]] = {}

    async def meet_until_killed(games: int) -> None:
        meeting = [asyncio.create_task(keep_meeting(server.url, promised)) for _ in range(4)]
        before = len(promised)
        while len(promised) < before + games:
            assert not any(task.done() for task in meeting)
            await asyncio.sleep(0.005)
        server.process.kill()
        await asyncio.gather(*meeting)

    for kill in range(KILLS):
        server.start()
        asyncio.run(meet_until_killed(5 + 3 * kill))
        server.kill()
    with server:
        for url, secrets in promised.items():
            held = [Guest(server, secret=secret).seats(url) for secret in secrets]
            assert sorted(seat for seats in held for seat in seats) == [0, 1]
        # What was answered and not confirmed led to a game or is open still: never half of it.
        waiting = server.client.get("/api/lobby").json()["open"]
        assert all(len(one["joined"]) == 1 for one in waiting)


@pytest.mark.soak
def test_nothing_of_it_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    with Server(str(tmp_path / "skerry.db"), tmp_path / "log") as server:
        ann, ben, eve = (Guest(server, name) for name in ("Ann", "Ben", "Eve"))
        begun = ben.join(ann.challenge()["id"]).json()["challenge"]
        waiting = eve.challenge("x")
        ann.join(waiting["id"])
        server.kill()
        server.start()
        assert ann.look()["mine"][-1]["url"] == begun["url"]
        assert sorted(ann.seats(begun["url"]) + ben.seats(begun["url"])) == [0, 1]
        (kept,) = eve.look()["mine"]
        assert [one["name"] for one in kept["joined"]] == ["Eve", "Ann"]
        assert ben.join(kept["id"]).json()["challenge"]["state"] == "begun"
