"""Reports that admins ask for: measured beside everything else, stopped, gone on with, deleted."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from server.serving import LocalServer, Somebody
from skerry.lab.report.result.findings import read_report
from skerry.server.db.engine import Database
from skerry.server.reports import commissions as commissioned
from skerry.server.reports import measuring
from skerry.server.reports.commissions import Commission, Commissions
from skerry.server.reports.measuring import Laboratory
from skerry.server.settings import Settings
from skerry.server.web.errors import NotFound, Refusal
from support.running import run

BOARD = "side=2 pegs=2"
LONG = "100000games"  # of random players and levels: nobody waits for the end


@pytest.fixture(autouse=True)
def quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "PAUSE", 0.05)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path) as running:
        yield running


def sign_up_admin(server: LocalServer) -> Somebody:
    somebody = server.sign_up("Ann")
    done = run("admin", "role", "Ann", "admin", "--database", server.database)
    assert done.exit_code == 0, done.output
    return somebody


def ask(somebody: Somebody, **fields: str) -> str:
    """Ask for a report; its name."""
    form = {"game": "skew", "options": BOARD, "budget": LONG, **fields}
    answer = somebody.client.post("/reports/own", data=form)
    assert answer.status_code == 303, answer.text
    return str(look(somebody)[0]["name"])


def look(somebody: Somebody) -> list[dict[str, Any]]:
    return list(somebody.client.get("/reports/own.json").json())


def wait_for(somebody: Somebody, wanted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """The newest report once something holds."""
    for _ in range(6000):
        if found := [one for one in look(somebody)[:1] if wanted(one)]:
            return found[0]
        time.sleep(0.02)
    raise AssertionError(look(somebody))


def decide(somebody: Somebody, name: str, deed: str) -> int:
    return int(somebody.client.post(f"/reports/own/{name}/{deed}").status_code)


def test_a_report_is_asked_for_measured_and_shown(server: LocalServer) -> None:
    visitor = server.client.get("/reports/own")
    assert "Nobody has asked for one yet" in visitor.text
    assert 'action="/reports/own' not in visitor.text
    assert 'href="/reports/own"' in server.client.get("/reports").text
    admin = sign_up_admin(server)
    name = ask(admin, budget="60 games", seed="3")
    assert wait_for(admin, lambda one: one["state"] == "done")["name"] == name
    page = admin.client.get("/reports/own").text
    assert f'<a href="/reports/{name}">Skew, side=2 pegs=2</a>' in page
    shown = server.client.get(f"/reports/{name}")
    assert shown.status_code == 200
    assert "Skew" in shown.text
    told = server.client.get(f"/reports/{name}.json").json()
    assert (told["seed"], told["options"]["pegs"]) == (3, 2)
    assert told["games"] >= 60
    assert server.client.get(f"/reports/{name}/colours.css").status_code == 200
    assert server.client.get(f"/reports/{name}/cover.svg?theme=dark").text.startswith("<svg")
    assert server.client.get(f"/reports/{name}/game-1.json?theme=dark").status_code == 200
    noted = admin.client.get("/api/audit").json()[0]
    assert (noted["deed"], noted["details"]["name"]) == ("report-ask", name)
    assert decide(admin, name, "delete") == 303
    assert server.client.get(f"/reports/{name}").status_code == 404
    assert look(admin) == []


def test_only_admins_ask(server: LocalServer) -> None:
    form = {"game": "skew", "options": BOARD, "budget": LONG}
    assert server.client.post("/reports/own", data=form).status_code == 401
    member = server.sign_up("Bob")
    assert member.client.post("/reports/own", data=form).status_code == 403
    assert decide(member, "own-00000000", "delete") == 403
    assert look(member) == []


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"game": "chess"}, "chess"),
        ({"options": "side=99"}, "side"),
        ({"options": "side"}, "side=5,pegs=24"),
        ({"budget": "soon"}, "not a budget"),
        ({"budget": "25h"}, "at most 24h or 100000 games"),
        ({"seed": "-1"}, "whole number"),
    ],
)
def test_what_cannot_be_measured_is_told(
    server: LocalServer, fields: dict[str, str], why: str
) -> None:
    admin = sign_up_admin(server)
    form = {"game": "skew", "options": BOARD, "budget": LONG, **fields}
    answer = admin.client.post("/reports/own", data=form)
    assert answer.status_code == 422
    assert why in answer.text
    assert decide(admin, "own-00000000", "stop") == 404
    assert look(admin) == []


def test_it_goes_on_after_a_stop_and_after_a_restart(tmp_path: Path) -> None:
    def count(name: str) -> int:
        return len(list((tmp_path / "reports" / name / "units").glob("*.json")))

    with LocalServer(tmp_path) as server:
        admin = sign_up_admin(server)
        name = ask(admin)
        later = ask(admin, game="x", options="size=3")
        names = {one["name"]: one["state"] for one in look(admin)}
        assert names[later] == "open"
        assert decide(admin, later, "delete") == 303
        wait_for(admin, lambda one: one["part"] > 0 and one["state"] == "running")
        assert server.client.get(f"/reports/{name}").status_code == 404
        assert decide(admin, name, "stop") == 303
        wait_for(admin, lambda one: one["state"] == "stopped")
        assert decide(admin, name, "resume") == 303
        wait_for(admin, lambda one: one["state"] == "running")
        measured = count(name)
    assert measured
    with LocalServer(tmp_path) as again:
        admin = again.sign_in("Ann")
        wait_for(admin, lambda one: one["state"] == "running" and count(name) > measured)


@pytest.fixture
def commissions(tmp_path: Path) -> Commissions:
    return Commissions(Settings(reports=str(tmp_path)), Database(str(tmp_path / "a.db")))


def commission(commissions: Commissions, at: int = 1, budget: str = LONG) -> Commission:
    return commissions.add("skew", {"side": 2, "pegs": 2}, budget, 0, "Ann", at)


def test_a_process_that_fails_says_why(
    commissions: Commissions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its folder is that of another report: what it had is not mixed with that."""
    one = commission(commissions)
    claim = {"layout": 1, "game": "x", "options": {"size": 3}, "seed": 5, "levels": []}
    (commissions.path(one.name) / "study.json").write_text(json.dumps(claim))

    async def watch() -> None:
        watching = asyncio.create_task(Laboratory(commissions).watch())
        while commissions.find(one.name).state != commissioned.FAILED:
            await asyncio.sleep(0.02)
        watching.cancel()

    asyncio.run(asyncio.wait_for(watch(), 120))
    assert "name another folder" in commissions.find(one.name).why
    assert commissions.find_next() is None
    commissions.resume(one.name)
    assert commissions.find_next() == commissions.find(one.name)


def test_of_several_workers_one_measures(
    commissions: Commissions, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_work, most = 0, 0

    async def measure(self: Laboratory, one: Commission) -> None:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        await asyncio.sleep(0.2)
        at_work -= 1
        commissions.stop(one.name)

    monkeypatch.setattr(Laboratory, "_measure", measure)
    for at in (1, 2):
        commission(commissions, at)

    async def watch() -> None:
        watching = [asyncio.create_task(Laboratory(commissions).watch()) for _ in range(3)]
        while commissions.find_next() is not None:
            await asyncio.sleep(0.02)
        for one in watching:
            one.cancel()

    asyncio.run(asyncio.wait_for(watch(), 60))
    assert most == 1


def test_what_is_damaged_is_left_out(
    commissions: Commissions, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = commission(commissions, 1), commission(commissions, 2)
    assert [each.name for each in commissions.list()] == [other.name, one.name]
    assert commissions.find_next() == one
    (commissions.path(one.name) / commissioned.ASKED).write_text("{")
    (commissions.path(other.name) / commissioned.SPENT).write_text("[]")
    assert [each.name for each in commissions.list()] == [other.name]
    assert commissions.read_spent(other.name).part == 0
    with pytest.raises(NotFound, match="no such report"):
        commissions.find_report(one.name)
    with pytest.raises(NotFound, match="not done yet"):
        commissions.find_report(other.name)
    monkeypatch.setattr(commissioned, "MOST", 1)
    with pytest.raises(Refusal, match="delete one first"):
        commission(commissions)


@pytest.mark.soak
def test_a_finished_report_reads_as_any_other(commissions: Commissions) -> None:
    one = commission(commissions, budget="30 games")

    async def watch() -> None:
        watching = asyncio.create_task(Laboratory(commissions).watch())
        while commissions.show_state(one) != commissioned.DONE:
            await asyncio.sleep(0.02)
        watching.cancel()

    asyncio.run(asyncio.wait_for(watch(), 120))
    found = read_report(commissions.find_report(one.name))
    assert (found.game, found.options["side"]) == ("skew", 2)
    assert commissions.is_wanted(one.name)
    commissions.delete(one.name)
    assert not commissions.path(one.name).exists()
