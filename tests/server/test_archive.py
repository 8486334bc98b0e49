"""The archive: what is looked for is found, all of it and once, and nothing that is hidden."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

import pytest

import skerry
from server.serving import SEATS, TINY, Server
from server.storing import make_store, open_database
from skerry import records
from skerry.server.archive.archive import Archive, GameFilter, settle_options
from skerry.server.archive.exports import write_games
from skerry.server.play.actions import offer_draw
from skerry.server.play.clocks import Clock
from skerry.server.play.deeds import end, move
from skerry.server.play.store import Store
from skerry.server.play.table import PERSON, Seat, Table, record
from skerry.server.settings import Settings
from skerry.server.web.errors import Refusal
from skerry.server.web.metrics import Metrics
from skerry.server.web.text import fold
from skerry.server.workers.lanes import SAVING, plan_lanes
from skerry.server.workers.pool import Pool, Urgency
from support.repeating import some_of

SEEDED = 120
DAYS = 12
FIRST_DAY = datetime(2026, 1, 30, tzinfo=UTC)
NAMES = ("Ann", "ann", "Bob", "Zoë", "ZOË", "Straße", "Guest", "100 %_", "Robert'); --")
LEVELS = ("level:1", "level:3", "level:10", "random")


def finish(name: str, options: dict[str, int], chooser: random.Random) -> Table:
    """A game that was played to its end, resigned, or agreed to be a draw."""
    seats = tuple(Seat(PERSON, "") for _ in range(SEATS[name]))
    everybody = frozenset(range(len(seats)))
    start = skerry.make(name, **options).initial(chooser.randrange(50))
    table = Table("", start, seats, 0, 0, 0)
    left = chooser.choice([1000, 1000, 0, 1, 3])
    while not table.is_over and left:
        table = move(table, everybody, str(chooser.choice(table.state.legal_moves())), 1)
        left -= 1
    if table.is_over:
        return table
    if len(seats) == 2 and chooser.random() < 0.5:
        return offer_draw(table, everybody, 1)
    return end(table, 1, table.to_move, "somebody gave up")


def furnish(table: Table, number: int, chooser: random.Random) -> Table:
    """The same game, but of certain people at a certain time, which others may share."""
    kinds = [chooser.choice([PERSON, PERSON, *LEVELS]) for _ in table.seats]
    seats = tuple(Seat(kind, chooser.choice(NAMES)) for kind in kinds)
    day = FIRST_DAY + timedelta(days=chooser.randrange(DAYS), seconds=chooser.choice([0, 86_399]))
    return replace(
        table,
        id=f"game{number}",
        seats=seats,
        clock=chooser.choice([None, Clock("total", 60, 2), Clock("move", 60)]),
        plies=tuple(replace(ply, spent=chooser.randrange(3000)) for ply in table.plies),
        finished=int(day.timestamp() * 1000),
        public=chooser.random() < 0.8,
    )


def seed_tables() -> list[Table]:
    chooser = random.Random(6)
    kinds = [(name, {}) for name in TINY] + list(TINY.items())
    boards = [(name, options) for name, options in kinds if options or name == "skew"]
    boards.append(("skew", {"side": 3}))
    played = [finish(*chooser.choice(boards), chooser) for _ in range(40)]
    return [furnish(chooser.choice(played), number, chooser) for number in range(SEEDED)]


async def put(store: Store, table: Table) -> None:
    """Keep a game as the server does: first its start, then what came of it."""
    start = replace(table, plies=(), ending=None, finished=None, version=0, revision=0)
    await store.create(start)
    await store.replace(start, table)


@pytest.fixture(scope="module")
def seeded(database: str) -> tuple[str, list[Table]]:
    tables = seed_tables()

    async def seed() -> None:
        async with open_database(database) as opened:
            store = make_store(opened)
            for table in tables:
                await put(store, table)
            going_on = skerry.make("skew", side=2).initial()  # never in the archive
            await store.create(Table("on", going_on, (Seat(PERSON, "Ann"),) * 2, 0, 0, 0))

    asyncio.run(seed())
    return database, tables


def fits(table: Table, wanted: GameFilter) -> bool:
    """The meaning of a search, in plain words."""
    assert table.finished is not None
    assert table.outcome is not None
    day = datetime.fromtimestamp(table.finished / 1000, UTC).date()
    winner = table.outcome.winner
    drawn = "none" if any(table.outcome.returns) else "draw"
    result = drawn if winner is None else str(winner)
    usual = {spec.name: spec.default for spec in table.game.option_specs if not spec.ours}
    chosen = dict(part.split("=") for part in (wanted.options or "").split())
    tests: list[bool] = [
        table.public,
        wanted.game in (None, table.game.name),
        wanted.options is None
        or table.game.options == usual | {name: int(value) for name, value in chosen.items()},
        wanted.player is None or fold(wanted.player) in {fold(seat.name) for seat in table.seats},
        wanted.engine is None or wanted.engine in {seat.kind for seat in table.seats},
        wanted.result in (None, result),
        wanted.shortest is None or len(table.plies) >= wanted.shortest,
        wanted.longest is None or len(table.plies) <= wanted.longest,
        wanted.since is None or day >= wanted.since,
        wanted.until is None or day <= wanted.until,
    ]
    return all(tests)


def random_search(chooser: random.Random) -> GameFilter:
    def maybe(choose: Callable[[], Any], chance: float = 0.3) -> Any:
        return choose() if chooser.random() < chance else None

    game = maybe(lambda: chooser.choice(list(TINY)), 0.5)
    options = None
    if game is not None:
        tiny = " ".join(f"{name}={value}" for name, value in TINY[game].items())
        options = maybe(lambda: chooser.choice([tiny, tiny, "side=3" if game == "skew" else tiny]))

    def day() -> date:
        return FIRST_DAY.date() + timedelta(days=chooser.randrange(-1, DAYS + 1))

    return GameFilter(
        game=game,
        options=options,
        player=maybe(lambda: chooser.choice(["ANN", "bob", "zoë", "STRASSE", *NAMES])),
        engine=maybe(lambda: chooser.choice(LEVELS)),
        result=maybe(lambda: chooser.choice(["0", "1", "2", "draw", "none"])),
        shortest=maybe(lambda: chooser.randrange(12)),
        longest=maybe(lambda: chooser.randrange(12)),
        since=maybe(day),
        until=maybe(day),
    )


async def list_all(archive: Archive, wanted: GameFilter, limit: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    after = None
    while True:
        page = await archive.list(wanted, after, limit)
        assert len(page.games) == limit or page.after is None
        found += page.games
        after = page.after
        if after is None:
            return found


@pytest.mark.parametrize("count", some_of([8, 600], [8]))
def test_searches_find_what_they_say(seeded: tuple[str, list[Table]], count: int) -> None:
    database, tables = seeded
    chooser = random.Random(count)
    searches = [GameFilter()] + [random_search(chooser) for _ in range(count)]

    async def search() -> int:
        total = 0
        async with open_database(database) as opened:
            archive = Archive(opened)
            for wanted in searches:
                expected = {table.id: table for table in tables if fits(table, wanted)}
                found = await list_all(archive, wanted, chooser.randrange(1, 40))
                assert len(found) == len(expected), wanted
                assert {game["id"] for game in found} == set(expected), wanted
                times = [game["finished"] for game in found]
                assert times == sorted(times, reverse=True)
                assert await archive.count(wanted) == len(expected)
                total += len(expected)
        return total

    assert asyncio.run(search()) > SEEDED  # they did not all find nothing


def test_a_row_tells_who_played_and_how_it_ended(seeded: tuple[str, list[Table]]) -> None:
    database, tables = seeded
    by_id = {table.id: table for table in tables}

    async def look() -> list[dict[str, Any]]:
        async with open_database(database) as opened:
            archive = Archive(opened)
            return await list_all(archive, GameFilter(), 100)

    for row in asyncio.run(look()):
        table = by_id[row["id"]]
        assert [seat["name"] for seat in row["seats"]] == [seat.name for seat in table.seats]
        assert [seat["title"] for seat in row["seats"]] == list(table.game.seats)
        assert row["options"] == table.game.options
        assert row["plies"] == len(table.plies)
        if table.outcome is not None and table.outcome.winner is not None:
            assert row["words"] == f"{table.name_of(table.outcome.winner)} won"


def test_pages_lose_and_repeat_nothing_while_games_are_added(
    seeded: tuple[str, list[Table]],
) -> None:
    database, tables = seeded
    chooser = random.Random(8)
    public = {table.id for table in tables if table.public}
    newest = max(table.finished or 0 for table in tables)

    async def leaf() -> list[str]:
        seen: list[str] = []
        after = None
        async with open_database(database) as opened:
            store = make_store(opened)
            archive = Archive(opened)
            while True:
                page = await archive.list(GameFilter(), after, 9)
                seen += [game["id"] for game in page.games]
                after = page.after
                if after is None:
                    return seen
                # Others end meanwhile, at the very same moment as the newest or later.
                for _ in range(2):
                    late = furnish(chooser.choice(tables), chooser.randrange(10**9), chooser)
                    at = newest + chooser.choice([0, 1])
                    await put(store, replace(late, id=f"new-{late.id}", finished=at))

    seen = asyncio.run(leaf())
    assert len(seen) == len(set(seen))
    assert public <= set(seen)


def test_a_download_is_a_file_of_all_records(seeded: tuple[str, list[Table]]) -> None:
    database, tables = seeded
    wanted = GameFilter(game="skirt", until=date(2026, 2, 5))
    expected = {table.id: table for table in tables if fits(table, wanted)}
    assert expected

    async def write() -> str:
        async with open_database(database) as opened:
            archive = Archive(opened)
            pool = Pool(plan_lanes(Settings()), Metrics())
            work = partial(pool.run, SAVING, Urgency.PERSON, write_games)
            try:
                return "".join([part async for part in archive.write(wanted, None, work)])
            finally:
                await pool.close()

    found = records.read_all(asyncio.run(write()))
    texts = sorted(records.write_text(record(table)) for table in expected.values())
    assert any(ply.spent for one in found for ply in one.line.plies)
    assert sorted(records.write_text(one) for one in found) == texts


def test_options_are_read_or_explained() -> None:
    assert settle_options("skew", "side=3")["side"] == 3
    with pytest.raises(Refusal, match="choose a game"):
        settle_options(None, "side=3")
    for text in ("side", "side=x", "side=³", "=3 4", "side=99", "size=3"):
        with pytest.raises(skerry.OptionsError):
            settle_options("skew", text)


class TestOverHttp:
    def test_a_finished_game_is_there_and_a_hidden_one_is_not(self, server: Server) -> None:
        shown = server.make_for_persons("skew", names=["Archivist", "Bob"])
        hidden = server.make_for_persons("skew", names=["Archivist", "Bob"], public=False)
        going_on = server.make_for_persons("skew", names=["Archivist", "Bob"])
        for game in (shown, hidden, going_on):
            for _ in range(2):  # everybody has moved, so it is being played
                game.play()
        listed = [game["id"] for game in server.client.get("/api/games?limit=100").json()]
        assert shown.id in listed
        assert hidden.id not in listed
        for game in (shown, hidden):
            assert game.act("resign", 0).status_code == 200
        answer = server.client.get("/api/archive", params={"player": "archivist"}).json()
        assert [game["id"] for game in answer["games"]] == [shown.id]
        assert answer["count"] == 1
        assert answer["after"] is None
        assert hidden.look()["words"].startswith("First resigned")  # it is still at its address
        assert going_on.look()["outcome"] is None
        # A rematch changes the game, but not when it ended.
        at = answer["games"][0]["finished"]
        assert shown.act("rematch", 0).status_code == 200
        again = server.client.get("/api/archive", params={"player": "archivist"}).json()
        assert [game["finished"] for game in again["games"]] == [at]

    def test_engines_end_games_too(self, server: Server) -> None:
        game = server.make("skew", seats=["level:1", "level:2"])
        game.until(lambda g: g["outcome"])
        found = server.client.get("/api/archive?engine=level:1&game=skew").json()["games"]
        assert game.id in [row["id"] for row in found]

    def test_a_file_can_be_downloaded(self, server: Server) -> None:
        for _ in range(3):
            game = server.make_for_persons("skirt", names=["Downloader"])
            game.play()
            game.act("resign", 1)
        answer = server.client.get("/api/archive/download?player=downloader")
        assert "attachment" in answer.headers["content-disposition"]
        found = records.read_all(answer.text)
        assert [one.players[0] for one in found] == ["Downloader"] * 3
        assert [len(one.states()) for one in found] == [2, 2, 2]
        nothing = server.client.get("/api/archive/download?player=nobody-at-all")
        assert nothing.status_code == 404

    def test_pages_follow_each_other(self, server: Server) -> None:
        made = set()
        for _ in range(5):
            game = server.make_for_persons("skew", names=["Leafer"])
            game.act("resign", 0)
            made.add(game.id)
        seen, after = [], ""
        while after is not None:
            answer = server.client.get(f"/api/archive?player=leafer&limit=2&after={after}").json()
            seen += [game["id"] for game in answer["games"]]
            after = answer["after"]
        assert len(seen) == 5
        assert set(seen) == made

    @pytest.mark.parametrize(
        "query",
        [
            "game=chess", "options=side=3", "game=skew&options=side", "result=3", "shortest=-1",
            "since=yesterday", "after=x", "after=1-%00", "limit=0", "colour=red", "engine=person",
        ],
    )  # fmt: skip
    def test_strange_searches_are_explained(self, server: Server, query: str) -> None:
        answer = server.client.get(f"/api/archive?{query}")
        assert answer.status_code == 422
        assert answer.json()["error"]

    def test_forms_may_be_left_empty(self, server: Server) -> None:
        empty = "game=&options=&player=&engine=&result=&shortest=&longest=&since=&until="
        assert server.client.get(f"/archive?{empty}").status_code == 200
        assert server.client.get(f"/api/archive?{empty}").status_code == 200

    def test_names_are_shown_as_they_are(self, server: Server) -> None:
        game = server.make_for_persons("skew", names=["<b>Bold</b>"])
        game.act("resign", 0)
        page = server.client.get("/archive").text
        assert "&lt;b&gt;Bold&lt;/b&gt;" in page
        assert "<b>Bold" not in page
        assert f"/study/new?from={game.id}" in page
