"""One visitor cannot take it all."""

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

import skerry
from server.serving import LocalServer
from skerry.core.playthrough import Playthrough
from skerry.server.positions.routes import NEW_BOARD
from skerry.server.settings import Settings
from skerry.server.web import pages
from skerry.server.web.access import visitor_of
from skerry.server.web.errors import Busy, TooMany
from skerry.server.web.limits import (
    DAY,
    MOST_WAITING,
    PLIES_A_TOKEN,
    REMEMBERED,
    Gate,
    Limits,
    TokenBucket,
)
from skerry.server.web.pages import WRITTEN
from skerry.server.workers.lanes import BOARDS
from skerry.server.workers.pool import Pool


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_empties_and_fills() -> None:
    time = Time()
    bucket = TokenBucket("moves", 6, time)
    for _ in range(6):
        bucket.spend("ann")
    with pytest.raises(TooMany, match="try again in 10 s"):
        bucket.spend("ann")
    bucket.spend("bob")
    time.now = 9.9
    with pytest.raises(TooMany):
        bucket.spend("ann")
    time.now = 10.1
    bucket.spend("ann")
    with pytest.raises(TooMany):
        bucket.spend("ann")


def test_work_has_its_price() -> None:
    time = Time()
    bucket = TokenBucket("moves", 60, time)
    bucket.spend("ann", 50)
    with pytest.raises(TooMany, match="try again in 10 s") as refused:
        bucket.spend("ann", 20)
    assert refused.value.wait == 10
    bucket.spend("ann", 10)  # what was refused cost nothing
    time.now = 60
    bucket.spend("ann", 1000)  # no price is beyond reach
    assert bucket.ask("ann") == 1
    quick = TokenBucket("live games", 60, time, burst=5)
    assert [quick.ask("ann") for _ in range(6)] == [0, 0, 0, 0, 0, 1]


def test_requests_of_a_visitor_wait_for_their_turn() -> None:
    async def test() -> None:
        gate = Gate(2)
        leave = [await gate.enter("ann") for _ in range(2)]
        waiting = [asyncio.create_task(gate.enter("ann")) for _ in range(3)]
        (await gate.enter("bob"))()  # nobody else waits for them
        await asyncio.sleep(0)
        assert not any(task.done() for task in waiting)
        leave[0]()
        leave[0]()  # once is enough
        await asyncio.sleep(0)
        assert [task.done() for task in waiting] == [True, False, False]
        waiting[1].cancel()
        with suppress(asyncio.CancelledError):
            await waiting[1]
        leave[1]()
        (await waiting[2])()
        (await waiting[0])()
        assert not gate._parties
        assert gate._total == 0

    asyncio.run(test())


def test_too_many_requests_at_once_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        gate = Gate(1)
        inside = await gate.enter("ann")
        waiting = [asyncio.create_task(gate.enter("ann")) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(TooMany, match="one by one") as refused:
            await gate.enter("ann")
        assert refused.value.wait
        monkeypatch.setattr("skerry.server.web.limits.MOST_IN_ALL", MOST_WAITING + 1)
        with pytest.raises(Busy):
            await gate.enter("bob")
        inside()
        for task in waiting:
            (await task)()
        (await gate.enter("bob"))()

    asyncio.run(test())


def test_refusals_say_when_to_come_again(tmp_path: Path) -> None:
    with LocalServer(tmp_path, reads=2, previews=20) as server:
        answers = [server.client.get("/api/games") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert int(answers[-1].headers["retry-after"]) > 0
        page = server.client.get("/study", headers={"accept": "text/html"})
        assert page.status_code == 429
        assert int(page.headers["retry-after"]) > 0


def test_long_lines_and_new_boards_cost_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Limits.__init__, "__defaults__", (lambda: 0.0,))  # no time passes
    game = skerry.make("skaane")
    state, moves = game.initial(1), list[str]()
    while len(moves) < 2 * PLIES_A_TOKEN:
        moves.append(str(state.legal_moves()[-1]))
        state = state.play(moves[-1])
        assert not state.is_over
    with LocalServer(tmp_path, previews=NEW_BOARD + 8) as server:

        def look(count: int) -> int:
            body = {"game": "skaane", "seed": 1, "moves": moves[:count]}
            return server.client.post("/api/positions", json=body).status_code

        assert look(0) == 200  # one, and the board
        assert [look(2 * PLIES_A_TOKEN) for _ in range(3)] == [200, 200, 429]  # three each


def test_no_line_is_played_where_requests_are_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The app runs in this process, and what is replayed or drawn for visitors does not."""
    with LocalServer(tmp_path) as server:
        options = {"side": 3, "pegs": 11}  # which no game of another server in this process has
        game = server.make_for_persons("skew", options=options)
        for _ in range(4):
            game.play()
        made = server.client.post("/api/studies", json={"from": game.id}).json()
        moves = [move["text"] for move in game.look()["moves"]]
        board, usual, played = skerry.make("skew", **options), Playthrough.after, list[Any]()

        def note(here: Playthrough, action: Any) -> Playthrough:
            if here.state.game == board:
                played.append(action)
            return usual(here, action)

        monkeypatch.setattr(Playthrough, "after", note)
        monkeypatch.setattr("skerry.server.play.boards.draw", lambda *_, **__: pytest.fail("drawn"))
        trial = {"game": "skew", "options": options, "moves": moves}
        secret = {"X-Seat": made["secret"]}
        change = {"version": 0, "line": {"moves": moves}}
        answers = [
            server.client.post("/api/positions", json=trial),
            server.client.post("/api/positions/preview", json=trial | {"path": []}),
            server.client.get(f"{game.path}/board.svg", params={"ply": 3}),
            server.client.get(f"{game.path}/preview"),
            server.client.get("/study/new", params={"from": game.id}),
            server.client.get("/study/new/card.png", params={"from": game.id}),
            server.client.get(f"/study/{made['id']}"),
            server.client.put(f"/api/studies/{made['id']}", json=change, headers=secret),
            server.client.get(f"/api/studies/{made['id']}/record"),
            server.client.get(f"/api/studies/{made['id']}/record.json"),
        ]
        assert [answer.status_code for answer in answers] == [200] * len(answers)
        assert not played


def test_a_board_is_drawn_once_for_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    run = Pool.run

    def count(self: Pool, lane: str, *order: Any, **more: Any) -> Any:
        begun.append(lane)
        return run(self, lane, *order, **more)

    monkeypatch.setattr(Pool, "run", count)
    with LocalServer(tmp_path) as server:
        game, other = server.make_for_persons(), server.make_for_persons()
        pictures = [server.client.get(f"{one.path}/board.svg").text for one in (game, game, other)]
        assert len(set(pictures)) == 1
        game.play()
        assert server.client.get(f"{game.path}/board.svg").text not in pictures
        assert server.client.get(f"{game.path}/board.svg?ply=0").text in pictures
    assert begun.count(BOARDS) == 2


def test_pages_that_never_change_are_written_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    render = pages.render

    def count(template: str, **context: Any) -> str:
        written.append(template)
        return render(template, **context)

    monkeypatch.setattr(pages, "render", count)
    found = ["/rules/skaane", "/api", "/puzzles", "/puzzles/x", "/puzzles/x/7", "/games/skirt"]
    with LocalServer(tmp_path, reads=6 * WRITTEN + 12) as server:
        first = [server.client.get(path).text for path in found]
        assert len(written) == len(found)
        assert [server.client.get(path).text for path in found] == first
        assert len(written) == len(found)
        # They name the address that they were asked by, and another one costs more.
        elsewhere = server.client.get("/rules/skaane", headers={"host": "elsewhere.example"})
        assert "elsewhere.example" in elsewhere.text
        assert written[len(found) :] == ["rules.html"]
        assert server.client.get("/rules/skew").status_code == 429
    assert "elsewhere.example" not in first[0]


def test_no_limit() -> None:
    bucket = TokenBucket("moves", 0, Time())
    for _ in range(1000):
        bucket.spend("ann")


def test_visitors_are_forgotten_in_time() -> None:
    bucket = TokenBucket("moves", 1, Time())
    for number in range(REMEMBERED + 10):
        bucket.spend(str(number))
    assert len(bucket._levels) == REMEMBERED


def test_games_of_a_day() -> None:
    time = Time()
    games = Limits(Settings(games=2), time).quotas["games"]

    def make() -> None:
        with games.reserve("ann"):
            pass

    make()
    with pytest.raises(ValueError, match="no such option"), games.reserve("ann"):
        raise ValueError("no such option")  # what failed is not counted
    make()
    with pytest.raises(TooMany, match="today"):
        make()
    time.now = DAY + 1
    make()


def test_who_is_one_visitor() -> None:
    assert visitor_of("192.0.2.7") == visitor_of("::ffff:192.0.2.7") == "192.0.2.7"
    assert visitor_of("2001:db8::1") == visitor_of("2001:db8::2")
    assert visitor_of("2001:db8::1") != visitor_of("2001:db8:0:1::1")
    assert visitor_of(None) == visitor_of("") == "unknown"


def test_what_is_made_in_a_day(tmp_path: Path) -> None:
    """Rematches and bots count as games; what was refused does not count."""
    with LocalServer(tmp_path, games=3, studies=1) as server:
        small = {"size": 2}
        game = server.make_for_persons()
        wrong = server.client.post("/api/games", json={"game": "x", "options": {"size": 99}})
        assert wrong.status_code == 422
        server.make_bot("Daily")
        game.act("resign", 0)
        assert game.act("rematch", 0).status_code == 200
        for path, body in (("games", {"game": "x", "options": small}), ("bots", {"name": "B"})):
            refused = server.client.post(f"/api/{path}", json=body)
            assert refused.status_code == 429
            assert "enough games for today" in refused.json()["error"]
        codes = [
            server.client.post("/api/studies", json={"game": name, "options": small}).status_code
            for name in ("nothing", "x", "x")
        ]
        assert codes == [422, 201, 429]


def test_a_server_keeps_its_limits(tmp_path: Path) -> None:
    strict = {"creates": 4, "games": 3, "moves": 2, "chats": 1, "previews": 2, "sockets": 1}
    with LocalServer(tmp_path, **strict) as server:
        game = server.make_for_persons()
        game.play()
        game.play()
        assert game.post("moves", version=2, move="a1").status_code == 429
        assert game.post("chat", text="one").status_code == 200
        assert game.post("chat", text="two").status_code == 429
        boards = [server.client.get(f"{game.path}/board.svg").status_code for _ in range(3)]
        assert boards == [200, 200, 429]
        wrong, right = ({"game": "x", "options": {"size": size}} for size in (99, 2))
        answers = [
            server.client.post("/api/games", json=body) for body in (wrong, right, right, right)
        ]
        assert [answer.status_code for answer in answers] == [422, 201, 201, 429]
        assert "new games" in answers[-1].json()["error"]

        async def try_sockets() -> None:
            address = server.url.replace("http", "ws", 1) + game.path + "/live"
            async with connect(address) as first:
                await first.send(json.dumps({"type": "hello"}))
                await first.recv()
                with pytest.raises(InvalidStatus):
                    async with connect(address):
                        pass

        asyncio.run(try_sockets())
