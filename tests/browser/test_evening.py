"""An evening at a club, from the first visit to the prize: all that people do there, in one go."""

import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from secrets import token_hex
from typing import Any

import pytest
from playwright.sync_api import Error, expect
from websockets.sync.client import connect

from browser.visiting import Visitor
from server import postgres
from server.contesting import Tourney
from server.serving import PASSWORD, PATIENCE, TINY, Host, Server

PLAYED = re.compile(r"/g/[\w-]{12}$")
LEVELS = range(1, 10)  # with three people that makes four tables of three
ROUNDS = 2
LETTERS = "abcdefghij"
# Red goes from the top to the bottom on the shortest way, which cuts off all corners for good.
CROSSING = [f"{letter}{row}" for row, letter in enumerate(reversed(LETTERS), 1)]
ELSEWHERE = [f"{letter}{row}" for row in (1, 2, 3) for letter in LETTERS[: 10 - row]]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    """What the server keeps its games in. Were the server itself a fixture of parameters, pytest
    would stop that of all tests, which has the same name."""
    return str(request.param)


@pytest.fixture(scope="module")
def server(database: str, server: Host, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """The server of all tests, or two workers on a PostgreSQL of their own."""
    if database == "sqlite":
        yield server
        return
    programs = postgres.find_programs()
    if programs is None:
        pytest.skip("no PostgreSQL here: apt-get install postgresql")
    log = tmp_path_factory.mktemp("evening") / "log"
    with postgres.running(programs) as address:
        with ThreadPoolExecutor(1) as thread:  # playwright has a loop in this one
            database = thread.submit(postgres.create_database, address).result()
        with Server(database, log, ["--workers", "2"]) as running:
            yield running


@pytest.fixture
def idle() -> Iterator[list[tuple[str, Visitor]]]:
    """No browsers that know another server."""
    browsers: list[tuple[str, Visitor]] = []
    yield browsers
    for _, visitor in browsers:
        visitor.context.close()


@pytest.mark.soak
def test_three_people_spend_an_evening_at_a_club(visit: Callable[..., Visitor]) -> None:
    people = {f"{name} {token_hex(3)}": visit() for name in ("Ann", "Ben", "Cleo")}
    for name, visitor in people.items():
        sign_up(visitor, name)
    meet_in_the_lobby(people)
    play_rated(people)
    play_tournament(people)


def sign_up(visitor: Visitor, name: str) -> None:
    visitor.open("/sign-up")
    form = visitor.page.locator("#sign-up")
    form.locator("[name=name]").fill(name)
    form.locator("[name=password]").fill(PASSWORD)
    form.get_by_role("button").click()
    expect(visitor.page.locator("#codes li")).to_have_count(10)


def meet_in_the_lobby(people: dict[str, Visitor]) -> None:
    """Each wants a rated game for three, and the third begins it."""
    for visitor in people.values():
        visitor.open("/lobby")
        visitor.page.locator("#rate").check()
    for count, visitor in enumerate(people.values(), 1):
        visitor.page.get_by_role("button", name="X, 15 + 10").click()
        if count < len(people):
            expect(visitor.page.locator("#mine .challenge")).to_be_visible()
    for visitor in people.values():
        visitor.page.wait_for_url(PLAYED)
    assert len({visitor.id for visitor in people.values()}) == 1


def play_rated(people: dict[str, Visitor]) -> None:
    """Whoever is dealt Red wins by a line across the board, and all see what that is worth."""
    anybody = next(iter(people.values()))
    names = [seat["name"] for seat in anybody.look()["seats"]]
    for visitor in people.values():
        expect(visitor.page.locator("#seats .rating")).to_have_text(["1500?"] * 3)
    lines = [iter(CROSSING), *[iter(ELSEWHERE)] * 2]
    while (seen := anybody.look())["outcome"] is None:
        seat = seen["to_move"]
        people[names[seat]].play([next(lines[seat])])
    assert (seen["outcome"]["winner"], len(seen["moves"])) == (0, 28)
    for name, visitor in people.items():
        mine = visitor.page.locator("#seats .below .rating")
        expect(mine).to_have_text(re.compile(r"^1500 → \d+\?$"))
        is_higher = int(mine.inner_text().split()[-1].rstrip("?")) > 1500
        assert is_higher == (name == names[0])
        visitor.open("/ladder/x?who=person")
        expect(visitor.page.get_by_role("row", name=name)).to_be_visible()


def play_tournament(people: dict[str, Visitor]) -> None:
    """One makes it and lets levels take part, the others join, and all play all their games."""
    (_, maker), *others = people.items()
    page = maker.page
    maker.open("/tournaments")
    page.get_by_text("Make a tournament").click()
    form = page.locator("#make")
    form.locator("[name=title]").fill("Evening cup")
    form.locator("[name=game]").select_option("X")
    form.locator("[name=system]").select_option("Swiss")
    form.locator("[name=rounds]").fill(str(ROUNDS))
    form.locator("[name=levels]").fill(", ".join(map(str, LEVELS)))
    form.get_by_text("Board", exact=True).click()
    form.locator("#board-x-size").fill(str(TINY["x"]["size"]))
    page.get_by_role("button", name="Make it").click()
    page.wait_for_url("**/tournaments/*")
    tourney = Tourney(maker.server, page.url.rpartition("/")[2])
    for _, visitor in others:
        visitor.open("/tournaments")
        visitor.page.locator(f"a[href='/tournaments/{tourney.id}']").click()
        visitor.page.get_by_role("button", name="Join").click()
    expect(page.locator(".standings tbody tr")).to_have_count(len(people) + len(LEVELS))
    page.get_by_role("button", name="Begin now").click()
    for number in range(1, ROUNDS + 1):
        for path, names in find_tables(tourney, number):
            play_at_table(people, path, names)
    over = tourney.until(lambda t: t["state"] == "over")
    assert len(over["bouts"]) == ROUNDS * 4
    assert all(bout["winners"] is not None for bout in over["bouts"])
    for visitor in people.values():
        expect(visitor.page.locator(".state")).to_contain_text("has won")
        expect(visitor.page.locator(".standings tbody tr")).to_have_count(12)


def find_tables(tourney: Tourney, number: int) -> list[tuple[str, list[str]]]:
    """The tables of a round once games have begun at all of them: where, and who plays."""

    def list_bouts(seen: dict[str, Any]) -> list[dict[str, Any]]:
        return [bout for bout in seen["bouts"] if bout["round"] == number and bout["url"]]

    found = list_bouts(tourney.until(lambda seen: len(list_bouts(seen)) == 4))
    return [(bout["url"], [one["name"] for one in bout["players"]]) for bout in found]


def play_at_table(people: dict[str, Visitor], path: str, names: list[str]) -> None:
    """Play a game to its end on the pages of those people who are at it; then all of them go back
    to the tournament."""
    here = [people[name] for name in names if name in people]
    for visitor in here:
        arrive(visitor, path)
    host = next(iter(people.values())).server
    address = host.url.replace("http", "ws", 1) + f"/api/games/{path.removeprefix('/g/')}/live"
    with connect(address, max_size=None, open_timeout=PATIENCE) as live:
        live.send(json.dumps({"type": "hello", "secrets": []}))
        ply = 0
        while (game := json.loads(live.recv(PATIENCE))["game"])["outcome"] is None:
            mover = people.get(names[game["to_move"]])
            if mover is not None and game["ply"] >= ply:
                mover.play([game["legal"][0]["move"]])
                ply = game["ply"] + 1
    for visitor in here:
        with visitor.page.expect_event("framenavigated"):
            visitor.page.get_by_role("link", name="To the tournament").click()


def arrive(visitor: Visitor, path: str) -> None:
    """Come to a game, which opens by itself on the page of a tournament; whoever comes to that page
    once the game is there presses a button."""
    page = visitor.page
    button = page.get_by_role("link", name="Play your game")
    expect(page.locator("#board").or_(button).first).to_be_visible(timeout=30_000)
    if not page.url.endswith(path):
        with suppress(Error):  # the page has opened the game meanwhile
            button.click(timeout=5_000)
    page.wait_for_url(f"**{path}")
