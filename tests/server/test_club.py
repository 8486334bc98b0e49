"""Running a club: announcements and the audit log, over HTTP and beside a running server."""

import asyncio
from collections.abc import Iterator

import pytest
from sqlalchemy import update

from server.serving import LocalServer, Somebody
from server.storing import open_database
from skerry.server.db.schema import accounts


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with LocalServer(tmp_path_factory.mktemp("club"), accounts=0) as running:
        yield running


def sign_up(server: LocalServer, name: str, role: str = "member") -> Somebody:
    """Somebody with an account, and what they may do."""
    made = server.sign_up(name)
    change_role(server, name, role)
    return made


def change_role(server: LocalServer, name: str, role: str) -> None:
    async def change() -> None:
        async with open_database(server.database) as database, database.transact() as connection:
            place = update(accounts).where(accounts.c.name == name)
            await connection.execute(place.values(role=role))

    asyncio.run(change())


def test_what_an_admin_announces_is_on_all_pages_until_it_is_dismissed(
    server: LocalServer,
) -> None:
    words = "The club meets on <b>Sunday</b> at noon."
    admin, member = sign_up(server, "Anna", "admin").client, sign_up(server, "Benno").client
    pages = ("/", "/games/skew", "/archive", "/puzzles", "/nowhere")
    for page in pages:  # they are kept as they are without
        assert "announcement" not in member.get(page, headers={"accept": "text/html"}).text
    assert member.get("/api/announcement").json() == {"announcement": None}
    made = admin.put("/api/announcement", json={"text": words, "hours": 2})
    assert made.status_code == 200, made.text
    shown = made.json()
    assert shown["until"] - shown["at"] == 2 * 3_600_000
    assert member.get("/api/announcement").json() == {"announcement": shown}
    for page in pages:
        text = member.get(page, headers={"accept": "text/html"}).text
        assert "The club meets on &lt;b&gt;Sunday&lt;/b&gt; at noon." in text
    # Without a script, the browser comes back to the page where it was.
    address = f"/announcements/{shown['id']}/dismiss?back=/archive"
    answer = member.post(address)
    assert (answer.status_code, answer.headers["location"]) == (303, "/archive")
    for page in pages:
        text = member.get(page, headers={"accept": "text/html"}).text
        assert "The club meets" not in text
    assert "The club meets" in admin.get("/archive").text
    for foreign in ("//evil.example", "https://evil.example", "/\\evil.example"):
        answer = member.post(f"/announcements/{shown['id']}/dismiss", params={"back": foreign})
        assert answer.headers["location"] == "/"
    # What is announced next is seen again by those who have dismissed the last.
    admin.put("/api/announcement", json={"text": "Noon is at one."})
    assert "Noon is at one." in member.get("/").text
    assert admin.delete("/api/announcement").status_code == 204
    assert admin.delete("/api/announcement").status_code == 404
    assert "Noon is at one." not in member.get("/").text
    notes = admin.get("/api/audit", params={"limit": 3}).json()
    assert [note["deed"] for note in notes] == ["withdraw", "announce", "announce"]
    me = admin.get("/api/me").json()["person"]["id"]
    assert {(note["actor"], note["about"]) for note in notes} == {(f"person:{me}", "server")}
    assert notes[-1]["details"] == {"text": words, "hours": 2}
    older = admin.get("/api/audit", params={"before": notes[1]["n"], "limit": 1}).json()
    assert older == notes[2:]


def test_only_admins_announce_and_read_the_log(server: LocalServer) -> None:
    moderator = sign_up(server, "Clara", "moderator").client
    for client, status in ((moderator, 403), (server.client, 401)):
        for method, path, body in (
            ("PUT", "/api/announcement", {"text": "Hello"}),
            ("DELETE", "/api/announcement", None),
            ("GET", "/api/audit", None),
        ):
            answer = client.request(method, path, json=body)
            assert answer.status_code == status, (method, path)
    admin = sign_up(server, "Dora", "admin").client
    for text in ("", " \n ", "x" * 501):
        answer = admin.put("/api/announcement", json={"text": text})
        assert answer.status_code == 422
        assert "1 to 500 characters" in answer.json()["error"]
    foreign = {"origin": "https://evil.example"}
    answer = admin.put("/api/announcement", json={"text": "Hello"}, headers=foreign)
    assert answer.status_code == 403
