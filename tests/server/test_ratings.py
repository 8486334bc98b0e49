"""Ratings: real games, in the transactions that end them, for persons, bots and levels."""

import asyncio
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from secrets import token_hex
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest
from sqlalchemy import insert

import skerry
from server import postgres
from server.rating import check_books
from server.serving import PASSWORD, SEATS, TINY, Bot, Game, Host, LocalServer, Server, Somebody
from server.storing import open_database
from skerry.lab.stats.glicko import START, WIDEST, Glicko, rate_game
from skerry.server.db import schema
from skerry.server.db.engine import Database
from skerry.server.people.accounts import Accounts
from skerry.server.people.hashing import Hasher
from skerry.server.play.announcer import Announcer
from skerry.server.play.deeds import abort, resign
from skerry.server.play.store import Store
from skerry.server.play.table import BOT, Seat, Table
from skerry.server.ratings.anchors import LEVEL_ONE, begin
from skerry.server.ratings.answers import EntrantShown, HistoryShown, LadderShown
from skerry.server.ratings.book import RatingBook
from skerry.server.ratings.graph import draw_graph
from skerry.server.ratings.ladder import Ladder, RatingPoint
from skerry.server.ratings.standing import PERIOD, PROVISIONAL, RatedEntrant, settle
from skerry.server.web.entrants import Entrant
from skerry.server.web.errors import Stale
from skerry.server.workers.warm import Rulebook

LEVELS = [f"level:{level}" for level in range(1, 11)]
SKEW = skerry.make("skew")
NOW = 1_000_000_000_000
KILLS = 6


def resign_by(bot: Bot, game: Game) -> None:
    seen = bot.look(game)
    body = {"version": seen["version"], "action": "resign"}
    assert bot.post(f"{game.path}/actions", **body).status_code == 200


def play_out(bot: Bot, game: Game, chooser: random.Random) -> dict[str, Any]:
    """Play as told, by chance, to the end of the game."""
    for event in bot.events():
        if event["id"] != game.id:
            continue
        if event["type"] == "end":
            return event
        if event["type"] == "turn":
            body = {"version": event["version"], "move": chooser.choice(event["legal"])}
            assert bot.post(f"{game.path}/moves", **body).status_code == 200
    raise AssertionError


def find(host: Host, game: str, entrant: str) -> dict[str, Any]:
    """Somebody on the ladder of a game."""
    shown = host.client.get(f"/api/ladder/{game}").json()
    LadderShown.model_validate(shown)
    return next(dict(one) for one in shown["players"] if one["entrant"] == entrant)


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Host]:
    """A server on which nobody else is rated."""
    with LocalServer(tmp_path) as running:
        yield running


def test_a_ladder_of_real_games(own: Host) -> None:
    path = "/api/ladder/skew"
    empty = own.client.get(path).json()
    assert [player["name"] for player in empty["players"]] == LEVELS[::-1]
    one, other, lonely = (own.make_bot(name) for name in ("One", "Other", "Lonely"))
    chooser = random.Random(1)
    level = begin("skew", Entrant("level", "1"))[0]
    expected = Glicko()
    for number in range(2):
        game = one.begin("skew", options={}, opponents=["level:1"])
        assert [seat["rating"] for seat in one.look(game)["seats"]] == [
            round(expected.rating),
            LEVEL_ONE,
        ]
        end = play_out(one, game, chooser)
        before, share = expected, (1 + end["outcome"]["returns"][0]) / 2
        expected = rate_game([before, level], [share, 1 - share], [0.0, 0.0])[0]
        seat = one.look(game)["seats"][0]
        assert (seat["rating"], seat["rating_after"]) == (
            round(before.rating),
            round(expected.rating),
        )
        assert own.client.get(path).json()["games"] == number + 1  # not what was kept before
    mine = find(own, "skew", "bot:one")
    assert mine["rating"] == pytest.approx(expected.rating, abs=0.06)
    assert mine["deviation"] == pytest.approx(expected.deviation, abs=0.06)
    assert (mine["name"], mine["games"], mine["provisional"], mine["rank"]) == (
        "One", 2, True, None
    )  # fmt: skip
    game = one.begin("skew", options={}, opponents=["open"])
    assert other.join(game).status_code == 200
    resign_by(one, game)
    # Not rated: another board, a person, nobody who came, or if that is what a bot wants.
    unrated = {"options": {}, "opponents": ["level:1"], "rated": False}
    for choices in ({}, {"options": {}, "opponents": ["person"]}, {"opponents": ["open"]}, unrated):
        resign_by(lonely, lonely.begin("skew", **choices))
    shown = own.client.get(path).json()
    assert shown["games"] == 3
    names = {player["name"]: player for player in shown["players"]}
    assert set(names) == {"One", "Other", *LEVELS}
    assert (names["Other"]["games"], names["Other"]["points"]) == (1, 1)
    # Anchors are where they were measured, whatever was played.
    assert (names["level:1"]["rating"], names["level:1"]["elo"]) == (LEVEL_ONE, 0)
    assert (names["level:1"]["games"], names["level:1"]["points"]) == (
        2,
        pytest.approx(2 - mine["points"]),
    )
    ratings = [player["rating"] for player in shown["players"]]
    assert ratings == sorted(ratings, reverse=True)
    page = own.client.get("/ladder/skew").text
    assert ">One</a>" in page
    assert "3 rated games" in own.client.get("/ladder").text
    bots = own.client.get(path, params={"who": "bot"}).json()["players"]
    assert {player["name"] for player in bots} == {"One", "Other"}
    assert {p["name"] for p in own.client.get(path, params={"who": "level"}).json()["players"]} == {
        *LEVELS
    }


def test_how_a_rating_came_about(own: Host) -> None:
    one, other = own.make_bot("One"), own.make_bot("Other")
    for _ in range(3):
        game = one.begin("skew", options={}, opponents=["open"])
        assert other.join(game).status_code == 200
        resign_by(one, game)
    about = own.client.get("/api/ratings/bot:one").json()
    EntrantShown.model_validate(about)
    assert [rating["game"] for rating in about["ratings"]] == ["skew"]
    history = own.client.get("/api/ratings/bot:one/skew").json()
    HistoryShown.model_validate(history)
    assert [point["number"] for point in history["points"]] == [1, 2, 3]
    before, after = (history["points"][n] for n in (0, 2))
    assert START > before["rating"] > after["rating"]
    assert WIDEST > before["deviation"] > after["deviation"]
    graph = own.client.get("/api/ratings/bot:one/skew/graph.svg", params={"theme": "dark"})
    assert graph.headers["content-type"] == "image/svg+xml"
    assert "Rating of One in Skew" in graph.text
    assert "3 rated games" in own.client.get("/ratings/bot:one").text
    assert "has not played" in own.client.get("/ratings/bot:nobody").text


@pytest.mark.parametrize("name", sorted(SEATS))
def test_every_game_has_a_ladder(server: Server, name: str) -> None:
    bot = server.make_bot(f"Climber of {name}")
    before = server.client.get(f"/api/ladder/{name}").json()["games"]
    game = bot.begin(name, options={}, opponents=["level:1"] * (SEATS[name] - 1))
    resign_by(bot, game)
    shown = server.client.get(f"/api/ladder/{name}").json()
    assert shown["games"] == before + 1
    mine = find(server, name, f"bot:{bot.name.lower()}")
    assert mine["points"] == 0
    assert mine["rating"] < START
    assert bot.name in server.client.get(f"/ladder/{name}").text


def test_what_is_not_there_is_said_to_be(server: Server) -> None:
    for path, code in (
        ("/api/ladder/chess", 404),
        ("/ladder/chess", 404),
        ("/api/ladder/skew?who=cat", 422),
        ("/api/ladder/skew?after=-1", 422),
        ("/api/ratings/cat:1", 422),
        ("/api/ratings/level:x", 422),
        ("/api/ratings/level:1/chess", 404),
        ("/api/ratings/level:1/skew/graph.svg?theme=pink", 422),
    ):
        answer = server.client.get(path, headers={"accept": "text/html"})
        assert answer.status_code == code, path


# Persons


def meet(server: Host, *people: Somebody, game: str = "skew", **choices: Any) -> Game:
    """A rated game to which these people come; the first of them makes it."""
    seats = ["person"] * len(people)
    made = people[0].make(game, options={}, seats=seats, rated=True, **choices)
    own = people[0].look(made)["yours"][0]
    links = [secret for seat, secret in enumerate(made.secrets) if seat != own]
    shown = [made.secrets[own], *links]
    for somebody, secret in zip(people, shown, strict=True):
        answer = somebody.post(made, "claim", secret, name="whoever")
        assert answer.status_code == 200, answer.text
    return made


def sign_up(server: Host, *names: str) -> list[Somebody]:
    return [server.sign_up(f"{name} {token_hex(4)}") for name in names]


def end_by(somebody: Somebody, game: Game, action: str = "resign") -> dict[str, Any]:
    answer = None
    while answer is None or answer.status_code == 409:  # the engine of whoever left may move now
        version = somebody.look(game)["version"]
        answer = somebody.post(game, "actions", version=version, action=action)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def move_all(game: Game, *people: Somebody) -> None:
    """Let everybody make a move."""
    for _ in people:
        turn = people[0].look(game)["to_move"]
        mover = next(one for one in people if turn in one.look(game)["yours"])
        assert mover.play(game).status_code == 200


def test_people_are_rated(server: Server) -> None:
    ann, bob = sign_up(server, "Ann", "Bob")
    game = meet(server, ann, bob)
    seen = ann.look(game)
    assert seen["rated"]
    assert [(seat["rating"], seat["provisional"]) for seat in seen["seats"]] == [(1500, True)] * 2
    move_all(game, ann, bob)
    takeback = {"version": ann.look(game)["version"], "action": "ask-takeback"}
    for one in (ann, bob):
        assert one.post(game, "actions", **takeback).status_code in (403, 422)
    seats = end_by(ann, game)["seats"]
    mine = ann.look(game)["yours"][0]
    changes = [(seat["rating"], seat["rating_after"]) for seat in seats]
    assert changes[mine] == (1500, 1338)
    assert changes[1 - mine] == (1500, 1662)
    assert find(server, "skew", f"person:{bob.id}")["name"] == bob.name
    assert bob.name in server.client.get("/ladder/skew", params={"who": "person"}).text
    archived = server.client.get("/api/archive", params={"player": ann.name}).json()["games"][0]
    assert archived["rated"]
    assert archived["seats"][mine]["rating_after"] == 1338
    # The next one begins with what the first has left.
    rematch = [end_by(one, game, "rematch") for one in (ann, bob)][-1]["rematch"]
    again = ann.client.get(f"/api{rematch.replace('/g/', '/games/')}").json()
    assert sorted(seat["rating"] for seat in again["seats"]) == [1338, 1662]
    assert all(seat["rating_after"] is None for seat in again["seats"])


def test_three_at_a_table_are_rated(server: Server) -> None:
    people = sign_up(server, "Ann", "Bob", "Cem")
    game = meet(server, *people, game="x")
    sitting = {seat: one for one in people for seat in one.look(game)["yours"]}
    turn = people[0].look(game)["to_move"]
    while turn is not None:
        answer = sitting[turn].play(game)
        assert answer.status_code == 200
        turn = answer.json()["to_move"]
    seen = people[0].look(game)
    shares = [1 / 3] * 3
    if (winner := seen["outcome"]["winner"]) is not None:
        shares = [float(seat == winner) for seat in range(3)]
    expected = rate_game([Glicko()] * 3, shares, [0.0] * 3)
    assert [seat["rating_after"] for seat in seen["seats"]] == [
        round(one.rating) for one in expected
    ]


def test_what_is_not_rated(server: Server) -> None:
    people = ann, bob, *_ = sign_up(server, "Ann", "Bob", "Cem")
    for wish, reason in (
        ({"options": TINY["skew"]}, "usual board"),
        ({"options": {}, "position": SKEW.initial().position}, "usual board"),
        ({"options": {}, "seats": ["person", "random"]}, "people and bots"),
        ({"options": {}, "seats": ["level:1", "level:2"]}, "people and bots"),
    ):
        answer = ann.client.post("/api/games", json={"game": "skew", "rated": True, **wish})
        assert answer.status_code == 422
        assert reason in answer.json()["error"]
    guest = server.client.post("/api/games", json={"game": "skew", "rated": True})
    assert guest.status_code == 422
    assert "sign in" in guest.json()["error"]
    # Called off before everybody has moved.
    called_off = meet(server, ann, bob)
    assert not end_by(ann, called_off, "abort")["rated"]
    # Somebody left before all had moved, and an engine plays on.
    left = meet(server, *people, game="x")
    assert not end_by(bob, left)["rated"]
    # A guest has come by the link, or somebody plays with themselves.
    for other in (server.new_client(), ann.client):
        game = ann.make("skew", options={}, seats=["person", "person"], rated=True)
        assert (
            ann.post(game, "claim", game.secrets[0] or game.secrets[1], name="").status_code == 200
        )
        link = next(filter(None, reversed(game.secrets)))
        answer = other.post(f"{game.path}/claim", headers={"X-Seat": link}, json={"name": "Eve"})
        assert answer.status_code == 200
        assert not answer.json()["rated"]
    for somebody in people:
        assert server.client.get(f"/api/ratings/person:{somebody.id}").json()["ratings"] == []


def test_whoever_leaves_a_game_of_three_has_lost_it(server: Server) -> None:
    people = ann, bob, cem = sign_up(server, "Ann", "Bob", "Cem")
    game = meet(server, *people, game="x")
    move_all(game, *people)
    seat = bob.look(game)["yours"][0]
    left = end_by(bob, game)
    assert not left["rated"]
    lost = rate_game([Glicko()] * 3, [0.0, 1.0, 0.0], [0.0] * 3)[0]
    assert [left["seats"][seat][when] for when in ("rating", "rating_after")] == [
        1500,
        round(lost.rating),
    ]
    mine = find(server, "x", f"person:{bob.id}")
    assert (round(mine["rating"]), mine["games"], mine["points"]) == (round(lost.rating), 1, 0)
    history = server.client.get(f"/api/ratings/person:{bob.id}/x").json()
    assert [point["id"] for point in history["points"]] == [game.id]
    # The others play on for nothing: neither does the end count, nor that another leaves.
    end_by(cem, game)
    end_by(ann, game)
    for one in (ann, cem):
        assert server.client.get(f"/api/ratings/person:{one.id}").json()["ratings"] == []


def test_a_rated_game_is_not_analysed_while_it_goes_on(server: Server) -> None:
    ann, bob = sign_up(server, "Ann", "Bob")
    game = meet(server, ann, bob)
    move_all(game, ann, bob)
    asked = {"accept": "text/html"}
    assert server.client.get(f"/study/new?from={game.id}", headers=asked).status_code == 403
    refused = server.client.post("/api/studies", json={"from": game.id})
    assert refused.status_code == 403
    assert "when it is over" in refused.json()["error"]
    end_by(ann, game)
    assert server.client.get(f"/study/new?from={game.id}").status_code == 200


def test_whoever_leaves_takes_ratings_along(server: Server) -> None:
    ann, bob = sign_up(server, "Ann", "Bob")
    game = meet(server, ann, bob)
    move_all(game, ann, bob)
    end_by(bob, game)
    profile = server.client.get(f"/people/{ann.name}").text
    assert f"/api/ratings/person%3A{ann.id}/skew/graph.svg" in profile
    known = ann.client.get("/api/account/download").json()
    assert [round(one["rating"]) for one in known["ratings"]] == [1662]
    assert [one["played"] for one in known["changes"]] == [game.id]
    gone = ann.client.request("DELETE", "/api/account", json={"password": PASSWORD})
    assert gone.status_code == 204
    assert server.client.get(f"/api/ratings/person:{ann.id}").json()["ratings"] == []
    assert find(server, "skew", f"person:{bob.id}")["games"] == 1  # what others have stays


# Arithmetic


def rated(name: str, game: str = "skew", **known: Any) -> RatedEntrant:
    found = RatedEntrant.new(game, Entrant.read(name), NOW)
    return replace(found, known=replace(found.known, **known)) if known else found


def test_levels_hold_the_scale() -> None:
    person, level = rated("person:a"), rated("level:3")
    assert level.anchored
    assert level.known.rating == LEVEL_ONE + 516
    after = settle([person, level], [1.0, 0.0], NOW)
    assert after[0].known.rating > START
    assert after[1].known == level.known
    assert after[1].at(NOW + 1000 * PERIOD) == level.known
    assert (after[1].games, after[1].points) == (1, 0.0)
    # Only a bound is known of level 10: it moves, and begins where it must be at least.
    top = rated("level:10")
    assert not top.anchored
    assert top.known == Glicko(rated("level:9").known.rating, WIDEST)
    assert settle([person, top], [1.0, 0.0], NOW)[1].known.rating < top.known.rating
    assert begin("a game of others", Entrant.read("level:1")) == (Glicko(), False)


def test_whoever_plays_against_itself_stays() -> None:
    sitting = [rated("person:a", "x"), rated("level:10", "x"), rated("level:10", "x")]
    after = settle(sitting, [0.0, 1.0, 0.0], NOW)
    assert after[1].known == after[2].known == sitting[1].known
    assert (after[1].games, after[1].points) == (1, 1.0)
    assert after[0].known.rating < START


def test_time_makes_ratings_provisional_again() -> None:
    known = rated("person:a", deviation=60.0)
    assert not known.is_provisional(NOW)
    assert known.at(NOW - 5) == known.known  # clocks that were set back
    year = NOW + 73 * PERIOD
    assert 100 < known.at(year).deviation < PROVISIONAL
    assert known.is_provisional(year + 20 * PERIOD)


def test_graphs_of_any_length() -> None:
    day = 24 * 3600 * 1000
    for count, step in ((0, 1), (1, 1), (2, 60_000), (40, day), (300, 30 * day)):
        points = [
            RatingPoint(NOW + n * step, "id", START + n, 350 / (n + 1), n + 1) for n in range(count)
        ]
        drawn = ElementTree.fromstring(draw_graph(points, "light", "Ann & <Bob>"))  # noqa: S314
        assert drawn[0].text == "Ann & <Bob>"
        written = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
        assert len(written) <= 20
        if count:
            assert f"{START + count - 1:.0f}" in written
        else:
            assert written == ["No rated games yet"]


# Two at once, and servers that are killed


def new_table(*names: str) -> Table:
    seats = tuple(Seat(BOT, name, name, claimed=True) for name in names)
    return Table(token_hex(8), SKEW.initial(), seats, NOW, NOW, NOW, rated=True, began=NOW, admin=0)


def new_worker(database: Database) -> Store:
    book = RatingBook(database, lambda: NOW)
    return Store(database, Rulebook(), Announcer(across=database.is_shared), book)


def test_games_that_end_at_once_count_one_after_the_other(database: str) -> None:
    """Everybody plays everybody, on two workers, and all games end together, some of them twice."""
    names = ["Ann", "Bob", "Cem", "Dan"]
    pairs = [(a, b) for a in names for b in names if a != b] * 2

    async def race() -> int:
        async with open_database(database) as first, open_database(database) as second:
            workers = [new_worker(first), new_worker(second if first.is_shared else first)]
            tables = [await workers[0].create(new_table(*pair)) for pair in pairs]

            async def end(table: Table, worker: Store) -> None:
                over = resign(table, frozenset({0}), NOW + 1)
                if table.id == tables[0].id:
                    over = abort(table, frozenset({0}), NOW + 1)
                with suppress(Stale):
                    await worker.replace(table, over)

            await asyncio.gather(*(end(table, worker) for table in tables for worker in workers))
            assert await RatingBook(first, lambda: NOW).catch_up() == 0
            return len(await check_books(first))

    assert asyncio.run(race()) == len(pairs) - 1


def test_games_from_before_are_rated_once(database: str) -> None:
    """Games that ended under another system, on two workers that start together."""
    pairs = [("Eve", "Fay"), ("Fay", "Gus"), ("Gus", "Eve")] * 4

    async def start() -> tuple[int, int, list[float]]:
        async with open_database(database) as first, open_database(database) as second:
            known = len(await check_books(first))
            plain = Store(first, Rulebook(), Announcer(across=first.is_shared))
            for number, pair in enumerate(pairs):
                table = await plain.create(new_table(*pair))
                await plain.replace(table, resign(table, frozenset({0}), NOW + number))
            books = [RatingBook(first, lambda: NOW), RatingBook(second, lambda: NOW)]
            if not first.is_shared:  # a file belongs to one server
                books = books[:1]
            counts = await asyncio.gather(*(book.catch_up() for book in books))
            assert sum(counts) == len(pairs)
            assert await books[0].catch_up() == 0
            entrants = [Entrant(BOT, name) for name in ("eve", "fay", "gus")]
            found = await books[0].get("skew", entrants)
            return known, len(await check_books(first)), [found[e].known.rating for e in entrants]

    before, after, ratings = asyncio.run(start())
    assert after - before == len(pairs)
    # The same, one after the other.
    expected = {name: rated(f"bot:{name}") for name in ("eve", "fay", "gus")}
    for number, pair in enumerate(pairs):
        sitting = [expected[name.lower()] for name in pair]
        done = settle(sitting, [0.0, 1.0], NOW + number)
        expected |= dict(zip(map(str.lower, pair), done, strict=True))
    assert ratings == pytest.approx([one.known.rating for one in expected.values()])


def test_what_fails_half_way_rates_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail() -> None:
        async with open_database(str(tmp_path / "skerry.db")) as database:
            store = new_worker(database)
            table = await store.create(new_table("Ann", "Bob"))
            over = resign(table, frozenset({0}), NOW)
            with monkeypatch.context() as patched:
                patched.setattr(database, "check_file", lambda: 1 / 0)
                with pytest.raises(ZeroDivisionError):
                    await store.replace(table, over)
            assert not await check_books(database)
            assert not (await new_worker(database).find(table.id)).is_over
            await store.replace(table, over)
            assert await check_books(database) == {table.id}

    asyncio.run(fail())


def test_a_ladder_is_read_in_pages(tmp_path: Path) -> None:
    async def read() -> None:
        async with open_database(str(tmp_path / "skerry.db")) as database:
            rows = [
                {
                    "game": "skew", "entrant": f"bot:{number:02}", "rating": 900.0 + 30 * number,
                    "deviation": 200.0 if number % 3 else 60.0, "volatility": 0.06, "games": 9,
                    "points": 4.5, "updated": NOW,
                }
                for number in range(60)
            ]  # fmt: skip
            rows[0] |= {"updated": NOW - 200 * PERIOD}  # so long ago that little is known
            async with database.transact() as connection:
                await connection.execute(insert(schema.ratings), rows)
            hasher = Hasher()
            accounts = Accounts(database, hasher, lambda: NOW)
            ladder = Ladder(database, RatingBook(database, lambda: NOW), accounts, 10, lambda: NOW)
            whole = (await ladder.show("skew"))["players"]
            assert len(whole) == 60 + len(LEVELS)
            found, begin = [], 0
            while begin is not None:
                page = await ladder.show("skew", begin=begin, limit=7)
                found += page["players"]
                begin = page["after"]
            assert found == whole
            ranks = [player["rank"] for player in whole if player["rank"] is not None]
            assert ranks == list(range(1, len(ranks) + 1))
            assert len(ranks) == 19
            await hasher.close()

    asyncio.run(read())


async def keep_resigning(url: str, bots: list[Bot], seed: int, ended: set[str]) -> None:
    """Let bots begin games with each other and resign them, until the server is gone."""
    chooser = random.Random(seed)
    async with httpx.AsyncClient(base_url=url, timeout=120) as client:
        while True:
            one, other = chooser.sample(bots, 2)
            body = {"game": "skew", "opponents": ["open"]}
            made = (await client.post("/api/bots/games", json=body, headers=one.header)).json()
            path = f"/api/bots/games/{made['id']}/join"
            await client.post(path, json={"seat": 1}, headers=other.header)
            body = {"version": 1, "action": "resign"}
            path = f"/api/games/{made['id']}/actions"
            answer = await client.post(path, json=body, headers=one.header)
            if answer.status_code == 200:
                ended.add(made["id"])


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_kills_lose_no_rating(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """What was said to be over is rated once, whenever the server was killed."""
    address, flags = str(tmp_path / "skerry.db"), []
    if kind == "postgresql":
        address = postgres.create_database(request.getfixturevalue("cluster"))
        flags = ["--workers", "2"]
    server = Server(address, tmp_path / "log", flags)
    server.start()
    bots = [server.make_bot(f"Bot {number}") for number in range(6)]
    chooser, ended = random.Random(3), set[str]()

    async def play_on() -> None:
        players = [
            asyncio.create_task(keep_resigning(server.url, bots, chooser.randrange(1000), ended))
            for _ in range(4)
        ]
        wanted = len(ended) + chooser.randint(3, 12)
        while len(ended) < wanted and not any(player.done() for player in players):
            await asyncio.sleep(0.01)
        await asyncio.to_thread(server.kill)
        for fault in await asyncio.gather(*players, return_exceptions=True):
            assert isinstance(fault, httpx.TransportError)

    async def check() -> set[str]:
        async with open_database(address) as database:
            return await check_books(database)

    for _ in range(KILLS):
        asyncio.run(play_on())
        server.start()
        assert ended <= asyncio.run(check())
    server.stop()
    assert len(ended) > 3 * KILLS
