"""Reports as pages of the site: made from the JSON by the pool, light, kept, and told apart."""

import asyncio
import re
from itertools import chain
from typing import Any

import pytest

import skerry
from server.serving import Server
from skerry.core.errors import SkerryError
from skerry.games import GAMES, kind
from skerry.lab.depth import shipped_depths
from skerry.lab.report.page.highlights import describe_players
from skerry.lab.report.page.texts import say_board, say_share
from skerry.lab.report.shipped import (
    find_path,
    list_shipped,
    load_shipped,
    name_boards,
    tell_strong,
)
from skerry.server.reports.drawing import (
    print_covers,
    print_game,
    print_list,
    print_pictures,
    print_report,
    rehearse,
)
from skerry.server.reports.press import Press
from skerry.server.web.errors import Busy
from skerry.server.workers.pool import Urgency
from support.repeating import some_of

NAMES = list(chain(*list_shipped().values()))
SOME = some_of(NAMES, ["skirt-6", "x-12", "skaane-10"])  # usual, heaviest map, longest games
MOST_SENT = 60_000  # bytes of a page as it is sent, which leaves room for all that it loads


@pytest.mark.parametrize("name", SOME)
def test_a_report_is_a_light_page(server: Server, name: str) -> None:
    answer = server.client.get(f"/reports/{name}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) < MOST_SENT
    report = load_shipped(name)
    assert f"<h1>{report.title} <small>" in answer.text
    for strength in report.strengths:
        assert say_share(strength.won[0].value) in answer.text
    assert describe_players(report) in answer.text
    assert tell_strong(name) in answer.text
    # Neither is allowed by the policy of our pages.
    assert not re.search(r"<style|<[^>]+ style=|<script(?![^>]* (?:src|type)=)", answer.text)


@pytest.mark.parametrize("name", SOME)
def test_everything_that_a_page_fetches_is_there(server: Server, name: str) -> None:
    page = server.client.get(f"/reports/{name}").text
    pictures = set(
        re.findall(rf'src="(/reports/{name}/[\w-]+\.svg\?theme=dark)" width="(\d+)"', page)
    )
    assert len(pictures) >= 5
    for address, width in pictures:
        picture = server.client.get(address)
        assert picture.headers["content-type"] == "image/svg+xml"
        drawn = re.search(r'width="([\d.]+)"', picture.text)
        assert drawn is not None
        assert round(float(drawn[1])) == int(width), "nothing moves when it comes"
    games = re.findall(r'data-plies="(\d+)" data-from="([^"]+)"', page)
    assert len(games) == len(load_shipped(name).samples)
    plies, address = games[-1]
    boards = server.client.get(address, params={"theme": "light"}).json()
    assert len(boards["edits"]) == int(plies) + 1
    colours = server.client.get(f"/reports/{name}/colours.css")
    assert colours.headers["content-type"].startswith("text/css")
    for variable in set(re.findall(r"var\((--c\d+)\)", page)):
        assert colours.text.count(f"{variable}:") == 2, "by day and by night"
    assert server.client.get(f"/reports/{name}.json").json()["game"] == load_shipped(name).game


def test_all_reports_are_listed_and_found_on_the_pages_of_games(server: Server) -> None:
    page = server.client.get("/reports").text
    assert all(f'href="/reports/{name}"' in page for name in NAMES)
    told = [more for name in NAMES if (more := tell_strong(name))]
    assert len(told) >= 3
    assert all(f'<p class="more">{sentence}</p>' in page for sentence in told)
    for game, names in list_shipped().items():
        assert f"<h2>{kind(game).title}</h2>" in page
        about = server.client.get(f"/games/{game}").text
        assert all(f'href="/reports/{name}"' in about for name in names)
    assert 'href="/reports"' in server.client.get("/").text
    thumb = server.client.get("/reports/x-8/thumb.svg?theme=dark")
    assert thumb.text == print_pictures(find_path("x-8"), "dark")["cover.svg"].decode()


def test_strong_levels_have_played_for_every_report() -> None:
    for name in NAMES:
        assert "level:9" in {strength.player for strength in load_shipped(name).strengths}, name


def test_boards_are_named_as_people_do() -> None:
    assert name_boards("skirt") == {"skirt-5": "Side 5", "skirt-6": "Side 6", "skirt-7": "Side 7"}
    assert name_boards("skaane")["skaane-8"] == "8x8"
    assert set(chain(*map(name_boards, GAMES))) == set(NAMES)


@pytest.mark.parametrize(
    "path",
    ["/reports", "/reports/skirt-6", "/reports/skirt-6/colours.css", "/reports/skirt-6/cover.svg"],
)
def test_what_is_known_is_not_sent_again(server: Server, path: str) -> None:
    first = server.client.get(path)
    again = server.client.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]


@pytest.mark.parametrize(
    "path",
    [
        "skirt-66", "skirt", "..%2Fskirt-6", "skirt-6.html", "skirt-66.json", "skirt-66/cover.svg",
        "skirt-6/nothing.svg", "skirt-6/game-9.json", "skirt-6/body.svg",
    ],
)  # fmt: skip
def test_what_there_is_not_is_said_to_be_missing(server: Server, path: str) -> None:
    assert server.client.get(f"/reports/{path}").status_code == 404
    odd = server.client.get("/reports/skirt-6/cover.svg?theme=tartan")
    assert (odd.status_code, "tartan" in odd.text) == (422, True)


def test_a_game_is_drawn_in_one_theme() -> None:
    light, dark = (
        print_game(find_path("skew-4"), 1, theme)["game-1.json"] for theme in ("light", "dark")
    )
    assert light != dark
    assert b"var(" not in light


def test_the_list_needs_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their kernels take seconds to load, for which whoever came first used to wait."""
    monkeypatch.setattr(skerry, "make", None)
    assert b"skaane" in print_list()["body.html"]


class SlowPool:
    """A pool whose jobs are done when a test says so."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []
        self.urgencies: list[object] = []
        self.answers: list[asyncio.Future[Any]] = []

    async def run(self, lane: str, urgency: object, *order: Any) -> Any:
        self.asked.append(order)
        self.urgencies.append(urgency)
        self.answers.append(asyncio.get_running_loop().create_future())
        return await self.answers[-1]


async def wait_a_turn() -> None:
    for _ in range(8):
        await asyncio.sleep(0)


def test_two_who_ask_at_once_wait_for_one_job() -> None:
    async def check() -> None:
        pool = SlowPool()
        press = Press(pool)  # type: ignore[arg-type]
        first, second, other = (
            asyncio.create_task(press.fetch(print_report, name)) for name in ("a", "a", "b")
        )
        await wait_a_turn()
        assert pool.asked == [(print_report, "a"), (print_report, "b")]
        first.cancel()  # who has left does not take it from the others
        pool.answers[0].set_result({"body.html": b"x"})
        pool.answers[1].set_exception(Busy("too much to do"))
        assert await second == {"body.html": b"x"}
        with pytest.raises(SkerryError, match="too much to do"):
            await other
        assert await press.fetch(print_report, "a") == {"body.html": b"x"}
        assert len(pool.asked) == 2, "it was kept"
        again = asyncio.create_task(press.fetch(print_report, "b"))
        await wait_a_turn()
        assert len(pool.asked) == 3, "what failed is tried again"
        pool.answers[2].set_result({})
        assert await again == {}

    asyncio.run(check())


def test_the_list_is_drawn_ahead_and_nobody_waits_behind_all_of_it() -> None:
    async def check() -> None:
        pool = SlowPool()
        press = Press(pool)  # type: ignore[arg-type]
        ahead = asyncio.create_task(press.get_ready(["a", "b"]))
        wanted = [(print_list,), (rehearse, "a"), (rehearse, "b"), (print_covers, "light")]
        for number, order in enumerate([*wanted, (print_covers, "dark")]):
            await wait_a_turn()
            assert pool.asked[number:] == [order], "one after the other"
            pool.answers[number].set_result({"body.html": b"x"})
        await ahead
        assert await press.fetch(print_list) == {"body.html": b"x"}
        assert len(pool.asked) == 5, "it was there already"
        assert pool.urgencies[1:3] == [Urgency.NOBODY] * 2
        busy = asyncio.create_task(press.get_ready(["c"]))
        await wait_a_turn()
        pool.answers[-1].set_exception(Busy("too much to do"))
        await busy  # the server goes on without it

    asyncio.run(check())


def test_no_more_is_kept_than_there_is_room_for() -> None:
    async def check() -> None:
        pool = SlowPool()
        press = Press(pool, room=10)  # type: ignore[arg-type]
        for number, name in enumerate("abca"):
            asked = asyncio.create_task(press.fetch(print_report, name))
            await wait_a_turn()
            pool.answers[number].set_result({"body.html": b"1234"})
            await asked
        assert len(pool.asked) == 4, "the first had to go"

    asyncio.run(check())


def test_the_list_tells_how_deep_boards_are(server: Server) -> None:
    page = server.client.get("/reports").text
    for depth in shipped_depths():
        steps = f"{depth.steps.value:.1f} ± {depth.steps.margin:.1f}"
        assert f"{say_board(depth.options)}</th><td>{steps}</td>" in page
