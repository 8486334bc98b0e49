"""Bots: known by tokens and nothing else, told of every turn, and no more than players."""

import asyncio
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from typing import Any

import anyio
import httpx
import pytest
import sqlalchemy

from server.serving import Bot, Game, LocalServer, Server, logged
from server.storing import make_store, open_database
from skerry.server.bots.answers import BotEvent
from skerry.server.bots.events import BotEvents
from skerry.server.bots.registry import BotRegistry

ROOT = Path(__file__).parents[2]
LONGEST_SAMPLE = 40
PATIENCE = 60


class Ear:
    """A stream of events that is read in the background, until its bot leaves."""

    def __init__(self, bot: Bot) -> None:
        self.heard: Queue[dict[str, Any]] = Queue()
        self.bot = bot
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        for event in self.bot.events():
            BotEvent.model_validate(event)
            self.heard.put(event)

    def close(self) -> None:
        self.bot.server.client.delete("/api/bots/me", headers=self.bot.header)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def next(self, kind: str, game: Game) -> dict[str, Any]:
        """The next event of that kind about a game."""
        while True:
            event = self.heard.get(timeout=PATIENCE)
            if (event["type"], event["id"]) == (kind, game.id):
                return event


@pytest.fixture
def pair(server: Server, request: pytest.FixtureRequest) -> tuple[Bot, Bot]:
    """Two bots of their own for every test."""
    one, other = (server.make_bot(f"{who} {request.node.name}"[:40]) for who in ("A", "B"))
    return one, other


@pytest.fixture
def listen() -> Iterator[Callable[[Bot], Ear]]:
    ears: list[Ear] = []

    def begin(bot: Bot) -> Ear:
        ears.append(Ear(bot))
        return ears[-1]

    yield begin
    for ear in ears:
        ear.close()


Listen = Callable[[Bot], Ear]


async def hang_up_while_reading(folder: Path) -> None:
    """Leave a stream at each of its readings, as a response does: it is cancelled until it ends."""
    async with open_database(str(folder / "skerry.db")) as database:
        registry = BotRegistry(database, lambda: 0)
        _, token = await registry.register("Hangs up")
        bot = await registry.find(token)
        assert bot is not None
        events = BotEvents(registry, make_store(database))
        begun = asyncio.Event()
        sqlalchemy.event.listen(
            database.engine.sync_engine, "before_cursor_execute", lambda *_: begun.set()
        )

        async def follow() -> None:
            async for _ in events.follow(bot):
                pass

        for number in range(2):  # whether it is still there, and which games it has
            async with anyio.create_task_group() as group:
                group.start_soon(follow)
                for _ in range(number + 1):
                    begun.clear()
                    await begun.wait()
                group.cancel_scope.cancel()
            assert events.list_listening() == set()
        assert await registry.stays(bot)


class TestIdentity:
    def test_a_name_is_tidied_and_belongs_to_one(self, server: Server) -> None:
        made = server.make_bot("  Deep\n Thought ")
        assert made.name == "Deep Thought"
        again = server.client.post("/api/bots", json={"name": "deep THOUGHT"})
        assert again.status_code == 409
        assert "another name" in again.json()["error"]
        for name in ("", " \u202e\n"):
            assert server.client.post("/api/bots", json={"name": name}).status_code == 422

    def test_the_token_is_not_kept(self, server: Server) -> None:
        with logged() as log:
            bot = server.make_bot("Keeper")
            game = bot.begin("skew")
        kept = b"".join(path.read_bytes() for path in Path(server.database).parent.glob("*.db*"))
        assert bot.name.encode() in kept
        assert bot.token.encode() not in kept
        assert bot.token not in log.getvalue()
        assert bot.token not in bot.get(game.path).text

    def test_of_many_with_one_name_one_is_made(self, server: Server) -> None:
        async def race() -> list[int]:
            async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as client:
                posts = (client.post("/api/bots", json={"name": "Rival"}) for _ in range(12))
                return [answer.status_code for answer in await asyncio.gather(*posts)]

        assert sorted(asyncio.run(race())) == [201] + [409] * 11

    @pytest.mark.parametrize(
        "header", ["", "Bearer", "Bearer x", "Basic x", "Bearer " + "a" * 32, "Bearer a, b"]
    )
    def test_others_are_refused(self, server: Server, header: str) -> None:
        headers = {"Authorization": header}
        answers = [
            server.client.get("/api/bots/me", headers=headers),
            server.client.get("/api/bots/events", headers=headers),
            server.client.delete("/api/bots/me", headers=headers),
            server.client.post("/api/bots/games", headers=headers, json={"game": "skew"}),
        ]
        assert {answer.status_code for answer in answers} == {401}
        assert all(answer.json()["error"] for answer in answers)

    def test_a_bot_that_leaves_resigns_and_opens_nothing_any_more(
        self, server: Server, listen: Listen
    ) -> None:
        bot = server.make_bot("Leaver")
        going_on = bot.begin("skew", opponents=["person"])
        over = bot.begin("skew", opponents=["person"])
        bot.post(f"{over.path}/actions", version=0, action="resign")
        assert bot.get("/api/bots/me").json()["playing"] == [going_on.id]
        ear = listen(bot)
        ear.next("start", going_on)
        assert server.client.delete("/api/bots/me", headers=bot.header).status_code == 204
        assert going_on.look()["words"] == "First resigned: Second wins"
        assert bot.get("/api/bots/me").status_code == 401
        assert bot.post(f"{over.path}/chat", text="still here").status_code == 401
        # Neither does the token open a seat as if it were the secret of one.
        shown = {"X-Seat": bot.token}
        said = server.client.post(f"{over.path}/chat", headers=shown, json={"text": "still"})
        assert said.status_code == 401
        again = server.client.post("/api/bots", json={"name": "Leaver"})
        assert again.status_code == 409

    def test_a_bot_that_leaves_begins_nothing_more(self, server: Server) -> None:
        bot = server.make_bot("Restless")

        async def race() -> list[httpx.Response]:
            async with httpx.AsyncClient(
                base_url=server.url, timeout=60, headers=bot.header
            ) as client:
                body = {"game": "skew", "opponents": ["person"]}
                begins = [
                    client.post("/api/bots/games", json=body | {"options": {"side": 3, "pegs": n}})
                    for n in range(5, 15)
                ]
                leave = client.delete("/api/bots/me")
                return list(await asyncio.gather(*begins[:5], leave, *begins[5:]))

        for answer in asyncio.run(race()):
            if answer.status_code == 201:
                assert server.client.get(f"/api/games/{answer.json()['id']}").json()["outcome"]

    def test_bots_count_against_what_a_visitor_may_make(self, tmp_path: Path) -> None:
        with LocalServer(tmp_path, creates=2) as strict:
            codes = [
                strict.client.post("/api/bots", json={"name": f"n{n}"}).status_code
                for n in range(3)
            ]
        assert codes == [201, 201, 429]


class TestPlaying:
    def test_a_bot_moves_for_itself_alone(self, server: Server, pair: tuple[Bot, Bot]) -> None:
        one, other = pair
        game = one.begin("skew", opponents=["open"])
        assert one.look(game)["words"] == "Waiting for a bot to join"
        assert one.play(game).status_code == 422
        assert other.join(game).status_code == 200
        assert one.look(game)["yours"] == [0]
        assert other.look(game)["yours"] == [1]
        assert server.client.get(game.path).json()["yours"] == []
        assert other.play(game).status_code == 403
        assert one.play(game).status_code == 200
        assert one.play(game).status_code == 403
        # The token is no secret of a seat, whatever header it comes in.
        shown = server.client.get(game.path, headers={"X-Seat": one.token}).json()
        assert shown["yours"] == []
        stranger = server.make_for_persons("skew")
        assert one.play(stranger).status_code == 401
        assert one.post(f"{stranger.path}/actions", version=0, action="resign").status_code == 401

    def test_a_bot_replaces_links_of_the_games_it_made(
        self, server: Server, pair: tuple[Bot, Bot]
    ) -> None:
        game = pair[0].begin("skew", opponents=["person"], seat=1)
        assert pair[0].post(f"{game.path}/revoke", seat=0).status_code == 200
        assert game.look()["yours"] == []

    def test_a_bot_is_told_no_secrets(self, server: Server, pair: tuple[Bot, Bot]) -> None:
        one, other = pair
        game = one.begin("skew", opponents=["person"])
        assert [secret is None for secret in game.secrets] == [True, False]
        assert other.join(game).status_code == 422
        for path in (game.path, "/api/bots/open", "/api/bots/me", f"/g/{game.id}"):
            for bot in pair:
                assert str(game.secrets[1]) not in bot.get(path).text
        code = one.post(f"{game.path}/qr", seat=0)
        assert code.status_code == 403
        assert one.post(f"{game.path}/claim", name="Somebody").status_code == 422
        # Whoever made a game may replace the link of a person, but not what a bot is known by.
        assert one.post(f"{game.path}/revoke", seat=0).status_code == 422
        renewed = one.post(f"{game.path}/revoke", seat=1).json()["secret"]
        game.secrets[1] = renewed
        assert game.look(1)["yours"] == [1]

    def test_of_two_that_join_one_is_too_late(self, server: Server) -> None:
        host = server.make_bot("Host of a race")
        rivals = [server.make_bot(f"Racer {number}") for number in range(8)]
        game = host.begin("x", opponents=["open", "level:1"])
        assert game.id in [found["id"] for found in host.get("/api/bots/open").json()]

        async def race() -> list[int]:
            path = f"/api/bots/games/{game.id}/join"
            async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as client:
                posts = (client.post(path, headers=b.header, json={"seat": 1}) for b in rivals)
                return [answer.status_code for answer in await asyncio.gather(*posts)]

        codes = asyncio.run(race())
        assert codes.count(200) == 1
        assert set(codes) <= {200, 409, 422}  # at the same moment, or just after
        sitting = [bot.name for bot in rivals if bot.look(game)["yours"]]
        assert sitting == [game.look()["seats"][1]["name"]]
        assert game.id not in [found["id"] for found in host.get("/api/bots/open").json()]

    def test_what_cannot_be_joined(self, server: Server, pair: tuple[Bot, Bot]) -> None:
        one, other = pair
        game = one.begin("x", opponents=["open", "open"])
        assert one.join(game).status_code == 422
        for seat in (0, 3, -1):
            assert other.join(game, seat).status_code == 422
        assert other.post("/api/bots/games/nothing/join", seat=1).status_code == 404
        assert other.join(server.make_for_persons("x")).status_code == 422

    def test_an_offer_need_not_be_listed(self, server: Server, pair: tuple[Bot, Bot]) -> None:
        one, other = pair
        game = one.begin("skew", opponents=["open"], public=False)
        assert game.id not in [found["id"] for found in other.get("/api/bots/open").json()]
        assert other.join(game).status_code == 200

    def test_an_offer_can_be_called_off(self, server: Server, pair: tuple[Bot, Bot]) -> None:
        one, other = pair
        game = one.begin("skew", options={}, opponents=["open"])
        answer = one.post(f"{game.path}/actions", version=0, action="resign").json()
        assert answer["words"] == "Nobody joined"
        assert other.join(game).status_code == 422
        found = server.client.get("/api/archive", params={"player": one.name}).json()
        assert found["games"] == []

    def test_of_two_moves_for_a_version_one_counts(
        self, server: Server, pair: tuple[Bot, Bot]
    ) -> None:
        game = pair[0].begin("skew", opponents=["person"])
        moves = [entry["move"] for entry in game.look(1)["legal"]]

        async def race() -> list[httpx.Response]:
            async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as client:
                posts = (
                    client.post(
                        f"{game.path}/moves",
                        headers=pair[0].header,
                        json={"version": 0, "move": moves[n % len(moves)]},
                    )
                    for n in range(12)
                )
                return list(await asyncio.gather(*posts))

        answers = asyncio.run(race())
        assert sorted(answer.status_code for answer in answers) == [200] + [409] * 11
        late = next(answer for answer in answers if answer.status_code == 409)
        assert late.json()["game"]["ply"] == 1

    @pytest.mark.parametrize(
        ("body", "says"),
        [
            ({"game": "chess"}, "there is no game"),
            ({"game": "skew", "opponents": []}, "2 seats"),
            ({"game": "skew", "opponents": ["level:1"], "seat": 2}, "no seat 2"),
            ({"game": "skew", "seat": 1}, "opponents"),
            ({"game": "skew", "opponents": ["bot"]}, "one seat"),
            ({"game": "skew", "opponents": ["mcts:seconds=9"]}, "cannot sit"),
            ({"game": "skew", "clock": {"kind": "sun"}}, "clock"),
            ({"game": "skew", "clock": None}, "clock"),
        ],
    )
    def test_what_cannot_be_begun(
        self, server: Server, pair: tuple[Bot, Bot], body: dict[str, Any], says: str
    ) -> None:
        answer = pair[0].post("/api/bots/games", **body)
        assert answer.status_code == 422
        assert says in answer.json()["error"]

    def test_nobody_else_gets_a_seat_for_bots(self, server: Server) -> None:
        for kind in ("bot", "open"):
            body = {"game": "skew", "seats": ["person", kind]}
            assert server.client.post("/api/games", json=body).status_code == 422

    def test_which_games_are_rated(self, server: Server, pair: tuple[Bot, Bot]) -> None:
        bot = pair[0]
        rated = {
            (options, opponent): bot.post(
                "/api/bots/games",
                game="skew",
                options={"side": 2} if options else {},
                opponents=[opponent],
            ).json()["rated"]
            for options in (False, True)
            for opponent in ("level:1", "open", "random", "person")
        }
        assert [key for key, value in rated.items() if value] == [
            (False, "level:1"),
            (False, "open"),
        ]

    def test_moves_of_rated_games_stand(self, server: Server, pair: tuple[Bot, Bot]) -> None:
        game = pair[0].begin("skew", options={}, opponents=["level:1"])
        assert pair[0].play(game).status_code == 200
        seen = game.until(lambda g: g["to_move"] == 0)
        asked = pair[0].post(f"{game.path}/actions", version=seen["version"], action="ask-takeback")
        assert asked.status_code == 422
        assert "rated" in asked.json()["error"]


class TestEvents:
    def test_two_bots_play_a_game_by_what_they_are_told(
        self, server: Server, pair: tuple[Bot, Bot], listen: Listen
    ) -> None:
        one, other = pair
        ears = {0: listen(one), 1: listen(other)}
        game = one.begin("skew", opponents=["open"])
        other.join(game)
        assert ears[0].next("start", game)["seat"] == 0
        started = ears[1].next("start", game)
        assert started["seat"] == 1
        assert [seat["kind"] for seat in started["seats"]] == ["bot", "bot"]
        seen = game.look()
        while seen["to_move"] is not None:
            turn = ears[seen["to_move"]].next("turn", game)
            assert turn["legal"] == [entry["move"] for entry in seen["legal"]]
            assert turn["position"] == seen["position"]
            body = {"version": turn["version"], "move": turn["legal"][-1]}
            answer = pair[seen["to_move"]].post(f"{game.path}/moves", **body)
            assert answer.status_code == 200
            seen = answer.json()
        for ear in ears.values():
            end = ear.next("end", game)
            assert end["outcome"] == seen["outcome"]
        # Whatever comes after the end is no second end; a rematch is a new game.
        answer = one.post(f"{game.path}/actions", version=seen["version"], action="rematch")
        assert answer.json()["rematch"] is None
        asked = ears[1].next("rematch", game)  # the other is asked
        answer = other.post(f"{game.path}/actions", version=asked["version"], action="rematch")
        again = Game(server, answer.json()["rematch"].removeprefix("/g/"), [])
        assert ears[0].next("start", again)["seat"] == 1
        assert [event for event in ears[0].heard.queue if event["id"] == game.id] == []

    def test_whoever_connects_again_hears_what_waits(self, pair: tuple[Bot, Bot]) -> None:
        waiting = pair[0].begin("skew", opponents=["person"])
        idle = pair[0].begin("skew", opponents=["person"], seat=1)
        over = pair[0].begin("skew", opponents=["person"])
        pair[0].post(f"{over.path}/actions", version=0, action="resign")
        for _ in range(2):  # it tells so however often one comes
            heard = []
            for event in pair[0].events():
                heard.append((event["type"], event["id"]))
                if len(heard) == 3:
                    break
            assert sorted(heard) == sorted(
                [("start", waiting.id), ("turn", waiting.id), ("start", idle.id)]
            )

    def test_an_offer_brings_the_new_version(self, pair: tuple[Bot, Bot], listen: Listen) -> None:
        game = pair[0].begin("skew", opponents=["person"])
        ear = listen(pair[0])
        first = ear.next("turn", game)
        assert game.post("actions", 1, version=0, action="offer-draw").status_code == 200
        late = pair[0].post(f"{game.path}/moves", version=first["version"], move=first["legal"][0])
        assert late.status_code == 409
        second = ear.next("turn", game)
        assert second["version"] > first["version"]
        assert (
            pair[0]
            .post(f"{game.path}/moves", version=second["version"], move=second["legal"][0])
            .is_success
        )

    def test_streams_are_connections(self, tmp_path: Path) -> None:
        with LocalServer(tmp_path, sockets=1) as strict:
            bot = strict.make_bot("Many ears")
            bot.begin("skew", opponents=["person"])
            first = bot.events()
            assert next(first)["type"] == "start"
            second = bot.get("/api/bots/events")
            assert second.status_code == 429
            assert "too many live connections" in second.json()["error"]
            strict.client.delete("/api/bots/me", headers=bot.header)
            assert [event["type"] for event in first][:1] == ["turn"]  # and it ends

    def test_nothing_goes_wrong_if_it_hangs_up_while_we_read(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        asyncio.run(hang_up_while_reading(tmp_path))
        assert [record.getMessage() for record in caplog.records if record.exc_info] == []

    def test_a_flag_falls_for_a_bot(self, pair: tuple[Bot, Bot], listen: Listen) -> None:
        clock = {"kind": "move", "seconds": 1}
        game = pair[0].begin("skew", opponents=["open"], clock=clock)
        pair[1].join(game)
        ear = listen(pair[1])
        for bot in pair:
            assert bot.play(game).status_code == 200
        assert ear.next("end", game)["words"].startswith("First ran out of time")


class TestSample:
    def test_it_is_short_and_what_the_page_shows(self) -> None:
        sample = (ROOT / "docs" / "play" / "bot.py").read_text("utf-8")
        assert len(sample.splitlines()) <= LONGEST_SAMPLE
        page = (ROOT / "docs" / "play" / "bots.md").read_text("utf-8")
        assert re.findall(r"```python\n(.*?)```", page, re.DOTALL) == [sample]

    def test_it_plays_a_game_to_its_end_and_another(self, server: Server, tmp_path: Path) -> None:
        def run() -> str:
            command = [sys.executable, str(ROOT / "docs" / "play" / "bot.py"), server.url, "Robbie"]
            done = subprocess.run(
                command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True
            )
            return done.stdout

        said, kept = run(), tmp_path / "Robbie.token"
        assert kept.stat().st_mode & 0o077 == 0, "others could read it"
        bot = Bot(server, "Robbie", kept.read_text())
        assert bot.get("/api/bots/me").json()["playing"] == []
        found = server.client.get("/api/archive?player=robbie").json()["games"]
        assert len(found) == 1
        assert found[0]["rated"]
        assert said.startswith(f"after {found[0]['plies']} moves: ")
        assert [seat["kind"] for seat in found[0]["seats"]] == ["bot", "level:1"]
        assert "moves: " in run()
        assert server.client.get("/api/archive?player=robbie").json()["count"] == 2
