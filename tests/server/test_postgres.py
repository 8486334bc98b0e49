"""Two workers on PostgreSQL: they are one server to everybody."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest

from server import postgres, test_conditions, test_lobby, test_studies
from server.pushing import Browser, PushService
from server.serving import Game, Server, is_alive
from server.test_engines import children_of
from server.test_fairness import begin, present
from server.test_live import Watcher, watch
from server.test_metrics import read

WATCHERS = 8  # so many connections that both workers have some


@pytest.fixture(scope="module")
def service() -> Iterator[PushService]:
    with PushService().running() as found:
        yield found


@pytest.fixture(scope="module")
def shared(
    cluster: str, service: PushService, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    log = tmp_path_factory.mktemp("postgres") / "log"
    # Nobody waits for the absent.
    flags = ["--workers", "2", "--away", "0", "--push-services", service.origin]
    with Server(postgres.create_database(cluster, empty=True), log, flags) as server:
        while log.read_text().count("Application startup complete") < 2:
            time.sleep(0.01)  # or the first would answer everybody
        yield server


async def look_on(stack: AsyncExitStack, game: Game) -> list[Watcher]:
    """Both seats look at a game, by all workers, and have been seen to."""
    watchers = [
        await stack.enter_async_context(watch(game, number % 2)) for number in range(WATCHERS)
    ]
    for watcher in watchers:
        await watcher.until(lambda g: all(seat["online"] for seat in g["seats"]))
    return watchers


def test_changes_reach_the_viewers_of_all_workers(shared: Server) -> None:
    game = shared.make_for_persons("skew", names=["Ann"])

    async def talk() -> None:
        async with AsyncExitStack() as stack:
            watchers = await look_on(stack, game)
            seen = await asyncio.to_thread(game.play)
            for watcher in watchers:
                after = await watcher.until(lambda g: g["version"] == 1)
                assert after["position"] == seen["position"]
            await asyncio.to_thread(game.post, "chat", 0, text="hi")
            for watcher in watchers:
                await watcher.until(lambda g: g["chat"])
        async with watch(game, 0) as left:
            await left.until(lambda g: not g["seats"][1]["online"])

    asyncio.run(talk())


def test_presence_counts_across_workers(shared: Server) -> None:
    """Whoever is connected to another worker is there."""
    game = begin(shared)
    with present(game, *[0] * 6):
        for _ in range(6):
            game.until(lambda g: g["seats"][0]["online"], 1)
            assert game.act("claim", 1).status_code == 422
    for _ in range(6):
        game.until(lambda g: not g["seats"][0]["online"], 1)
    game.until(lambda g: "claim" in g["can"], 1)
    assert game.act("claim", 1).json()["result"] == "1"


def test_of_many_rivals_one_wins(shared: Server) -> None:
    game = shared.make_for_persons("x")
    moves = [entry["move"] for entry in game.look()["legal"]]

    async def race() -> list[int]:
        async with httpx.AsyncClient(base_url=shared.url, timeout=60) as client:
            posts = (
                client.post(
                    f"{game.path}/moves",
                    headers=game.header(),
                    json={"version": 0, "move": moves[n % len(moves)]},
                )
                for n in range(24)
            )
            return [answer.status_code for answer in await asyncio.gather(*posts)]

    assert sorted(asyncio.run(race())) == [200] + [409] * 23
    assert game.look()["ply"] == 1


def test_the_lobby_is_one_for_all_workers(shared: Server) -> None:
    for _ in range(2):  # so that makers, answerers and onlookers meet other workers
        asyncio.run(test_lobby.watch_a_challenge(shared))
    test_lobby.race_for_a_seat(shared, 12)


@pytest.mark.soak
def test_many_who_seek_are_paired_by_any_worker(shared: Server) -> None:
    for _ in range(5):
        test_lobby.race_for_partners(shared, 16)
        test_lobby.race_for_a_seat(shared, 24)


@pytest.mark.soak
def test_engines_clocks_and_actions(shared: Server) -> None:
    game = shared.make("skew", seats=["person", "level:1"])
    game.play()
    assert game.until(lambda g: g["to_move"] != 1)["ply"] >= 2
    assert game.act("ask-takeback", 0).json()["ply"] == 0
    timed = shared.make_for_persons(clock={"kind": "move", "seconds": 1})
    for _ in range(2):
        timed.play()
    assert timed.until(lambda g: g["outcome"])["outcome"]["winner"] == 1
    assert timed.act("rematch", 0).json()["rematch"] is None
    assert timed.act("rematch", 1).json()["rematch"]
    assert shared.client.get("/api/games", params={"state": "finished"}).json()


def test_studies_are_kept_and_raced_for(shared: Server) -> None:
    test_studies.race(shared)


@pytest.mark.soak
def test_plans_are_raced_for(shared: Server) -> None:
    test_conditions.race_with_a_plan(shared)
    test_conditions.race_for_an_answer(shared)


def test_bots_hear_of_what_other_workers_do(shared: Server) -> None:
    one, other = shared.make_bot("One"), shared.make_bot("Other")
    game = one.begin("skew", opponents=["open"])
    assert other.join(game).status_code == 200
    assert other.join(game).status_code == 422
    streams = {0: one.events(), 1: other.events()}
    bots = {0: one, 1: other}
    seen = game.look()
    while seen["to_move"] is not None:
        turn = next(e for e in streams[seen["to_move"]] if e["type"] == "turn")
        assert turn["position"] == seen["position"]
        body = {"version": turn["version"], "move": turn["legal"][0]}
        answer = bots[seen["to_move"]].post(f"{game.path}/moves", **body)
        assert answer.status_code == 200
        seen = answer.json()
    for number, stream in streams.items():
        assert next(e for e in stream if e["type"] == "end")["outcome"] == seen["outcome"]
        shared.client.delete("/api/bots/me", headers=bots[number].header)
        assert list(stream) == []
        assert bots[number].get("/api/bots/me").status_code == 401
    found = shared.client.get("/api/archive?player=other&limit=1").json()
    assert [row["id"] for row in found["games"]] == [game.id]
    assert shared.client.get("/api/archive/download?player=other").text.startswith("[Game")
    assert shared.client.get("/api/ladder/skew").json()["games"] == 0  # a tiny board is not rated


def test_one_worker_tells_those_who_do_not_look(shared: Server, service: PushService) -> None:
    """Whichever worker makes the move knows who looks by another."""
    seen, unseen = shared.make_for_persons("skew"), shared.make_for_persons("skew")
    browser = Browser(service.origin, "/ann")

    async def play() -> None:
        async with AsyncExitStack() as stack:
            await look_on(stack, seen)
            assert browser.subscribe(shared, (seen, 1), (unseen, 1)).json() == {"seats": 2}
            await asyncio.to_thread(seen.play)
            await asyncio.to_thread(unseen.play)
            parcel = await asyncio.to_thread(service.receive)
            assert browser.open(parcel)["path"] == f"/g/{unseen.id}"

    asyncio.run(play())
    assert service.parcels.empty()


@pytest.mark.soak
def test_a_message_is_handed_over_to_the_next_workers(shared: Server, service: PushService) -> None:
    """One of them tells it, and does not wait until the lease of the worker before is over."""
    game, browser = shared.make_for_persons("skew"), Browser(service.origin, "/bob")
    browser.subscribe(shared, (game, 1))
    service.answers.append(503)
    game.play()
    said = browser.open(service.receive())
    shared.stop()
    shared.start()
    assert browser.open(service.receive()) == said
    game.play()
    game.play()
    service.receive()
    assert service.parcels.empty()


@pytest.mark.soak
def test_a_killed_supervisor_leaves_nobody_at_the_port(cluster: str, tmp_path: Path) -> None:
    """Its workers end with it, so that the next server finds the port free."""
    server = Server(postgres.create_database(cluster), tmp_path / "log", ["--workers", "2"])
    server.start()
    game = server.make_for_persons()
    before = game.play()
    workers = children_of(server.process.pid)
    server.kill()
    for worker in workers:
        while is_alive(worker):
            time.sleep(0.01)
    assert len(workers) >= 2
    server.flags += ["--port", str(httpx.URL(server.url).port)]
    with server:
        assert game.look()["position"] == before["position"]


@pytest.mark.soak
def test_a_restart_loses_nothing(shared: Server) -> None:
    game = shared.make_for_persons()
    before = game.play()
    shared.stop()
    shared.start()
    assert game.look()["position"] == before["position"]
    game.play()


def test_metrics_are_those_of_all_workers(shared: Server) -> None:
    """Whichever worker is asked knows what all have counted, and which of them still live."""

    def ask() -> dict[str, float]:
        with httpx.Client(base_url=shared.url) as fresh:  # may lead to another worker
            found = read(fresh.get("/metrics").text)
        return {name: value for (name, labels), value in found.items() if not labels} | {
            "moves": found["skerry_moves_total", (("by", "person"),)]
        }

    before = ask()
    game = shared.make_for_persons()
    game.play()
    game.play()

    async def watch_twice() -> None:
        async with watch(game, 0) as one, watch(game, 1) as other:
            for watcher in (one, other):
                await watcher.until(lambda g: all(seat["online"] for seat in g["seats"]))
            counts = [await asyncio.to_thread(ask) for _ in range(6)]
            assert {count["moves"] for count in counts} == {before["moves"] + 2}
            assert {count["skerry_websockets"] for count in counts} == {2}
            assert {count["skerry_games_live"] for count in counts} == {
                counts[0]["skerry_games_live"]
            }

    asyncio.run(watch_twice())
