"""``skerry admin`` beside a running server: done at once, noted, and never a traceback."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from server import postgres
from server.contesting import hold
from server.serving import PASSWORD, Game, LocalServer, Somebody
from support.repeating import some_of
from support.running import run


@pytest.fixture(scope="module", params=some_of(["sqlite", "postgresql"], ["sqlite"]))
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LocalServer]:
    folder = tmp_path_factory.mktemp("moderation")
    address = str(folder / "skerry.db")
    if request.param == "postgresql":
        address = postgres.create_database(request.getfixturevalue("cluster"))
    with LocalServer(folder, database=address) as running:
        running.client.get("/healthz")
        yield running


def admin(server: LocalServer, *arguments: str) -> str:
    """What a command prints that succeeds."""
    result = run("admin", *arguments, "--database", server.database)
    assert result.exit_code == 0, result.output
    return result.stdout


def complain(server: LocalServer, *arguments: str) -> str:
    """What a command says that is refused."""
    result = run("admin", *arguments, "--database", server.database)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1), result.output
    return result.stderr


def until(look: Callable[[], Any]) -> Any:
    """What is seen once the server has noticed what was done."""
    for _ in range(1000):
        if found := look():
            return found
        time.sleep(0.02)
    raise AssertionError("the server has not noticed")


def take_seats(server: LocalServer, *people: Somebody, **choices: Any) -> Game:
    """A game between people, each on their seat."""
    game = server.make_for_persons(**choices)
    for seat, person in enumerate(people):
        answer = person.client.post(
            f"{game.path}/claim", headers=game.header(seat), json={"name": "any"}
        )
        assert answer.status_code == 200, answer.text
        game.secrets[seat] = answer.json()["secrets"].get(str(seat), game.secrets[seat])
    return game


def list_names(game: Game) -> list[str]:
    return [seat["name"] for seat in game.look()["seats"]]


def test_roles_mutes_and_closed_accounts(server: LocalServer) -> None:
    ann, ben = server.sign_up("Ann Role"), server.sign_up("Ben Role")
    assert ann.client.get("/api/audit").status_code == 403
    assert admin(server, "role", "ann role", "admin") == "ann role: admin\n"
    assert ann.client.get("/api/audit").status_code == 200
    game = take_seats(server, ann, ben)
    say = f"{game.path}/chat"
    assert ben.client.post(say, json={"text": "hello"}).status_code == 200
    admin(server, "mute", "Ben Role", "--days", "2")
    assert ben.client.post(say, json={"text": "hello"}).status_code == 403
    listed = admin(server, "people", "role")
    assert [line.split("  ")[:2] for line in listed.splitlines()] == [
        ["Ann Role", "admin"],
        ["Ben Role", "member"],
    ]
    assert "muted until" in listed
    admin(server, "mute", "Ben Role", "--days", "0")
    assert ben.client.post(say, json={"text": "hello"}).status_code == 200
    admin(server, "close", "Ben Role")
    assert ben.client.get("/api/me").json() == {"person": None}
    again = server.client.post("/api/sessions", json={"name": "Ben Role", "password": PASSWORD})
    assert again.status_code == 403
    assert "closed: 20" in admin(server, "show", "Ben Role")
    assert "is closed already" in complain(server, "close", "Ben Role")
    admin(server, "reopen", "Ben Role")
    assert server.sign_in("Ben Role").id == ben.id
    log = admin(server, "audit", "--about", "Ben Role").splitlines()
    assert [line.split("  ")[2] for line in log] == ["reopen", "close", "unmute", "mute"]
    assert all("console:" in line and f"person:{ben.id}" in line for line in log)
    notes = ann.client.get("/api/audit", params={"about": f"person:{ben.id}"}).json()
    assert notes[-1]["details"] == {"name": "Ben Role", "days": 2}


def test_moderators_mute_and_close_over_http(server: LocalServer) -> None:
    mona, _, chief, troll = (
        server.sign_up(f"{name} Http") for name in ("Mona", "Rival", "Chief", "Troll")
    )
    for name, role in (("Mona", "moderator"), ("Rival", "moderator"), ("Chief", "admin")):
        admin(server, "role", f"{name} Http", role)

    def decide(who: Somebody | None, deed: str, name: str, **body: Any) -> int:
        client = server.client if who is None else who.client
        return client.post(f"/api/people/{name}/{deed}", json=body or None).status_code

    for deed, body in (("mute", {"days": 3}), ("close", {}), ("reopen", {})):
        assert decide(None, deed, "Mona Http", **body) == 401
        assert decide(troll, deed, "Mona Http", **body) == 403
        assert decide(mona, deed, "Rival Http", **body) == 403
        assert decide(mona, deed, "Chief Http", **body) == 403
        assert decide(mona, deed, "Mona Http", **body) == 422
        assert decide(mona, deed, "Nobody Http", **body) == 404
    foreign = {"origin": "https://evil.example"}
    assert mona.client.post("/api/people/Troll Http/close", headers=foreign).status_code == 403
    game = take_seats(server, chief, troll)
    say = f"{game.path}/chat"
    assert decide(mona, "mute", "troll http", days=3) == 204
    assert troll.client.post(say, json={"text": "hello"}).status_code == 403
    assert decide(mona, "mute", "Troll Http", days=-1) == 422
    assert decide(mona, "mute", "Troll Http", days=0) == 204
    assert troll.client.post(say, json={"text": "hello"}).status_code == 200
    assert decide(mona, "close", "Troll Http") == 204
    assert troll.client.get("/api/me").json() == {"person": None}
    until(lambda: game.look(1)["yours"] == [])
    assert decide(mona, "close", "Troll Http") == 422
    assert decide(mona, "reopen", "Troll Http") == 204
    assert server.sign_in("Troll Http").id == troll.id
    assert decide(chief, "close", "Rival Http") == 204
    notes = chief.client.get("/api/audit", params={"about": f"person:{troll.id}"}).json()
    assert [note["deed"] for note in notes] == ["reopen", "close", "unmute", "mute"]
    assert {note["actor"] for note in notes} == {f"person:{mona.id}"}


def test_moderators_decide_on_pages_without_scripts(server: LocalServer) -> None:
    mona, troll, ann = (server.sign_up(f"{name} Page") for name in ("Mona", "Troll", "Ann"))
    admin(server, "role", "Mona Page", "moderator")
    place, deeds = "/people/Troll%20Page", "/moderation/people/Troll%20Page"

    def send(who: Somebody | None, path: str, **fields: str) -> tuple[int, str]:
        client = server.client if who is None else who.client
        answer = client.post(path, data=fields, follow_redirects=False)
        return answer.status_code, answer.headers.get("location", answer.text)

    for path in (f"{deeds}/close", f"{deeds}/mute", "/moderation/reports/any"):
        fields = {"reason": "rude", "days": "2", "sure": "yes"}
        assert send(None, path, **fields)[0] == 401
        assert send(ann, path, **fields)[0] == 403
        foreign = {"origin": "https://evil.example"}
        assert mona.client.post(path, headers=foreign, data=fields).status_code == 403
    for who in (server.client, ann.client, troll.client):
        assert "/moderation" not in who.get(place).text
    assert "/moderation" not in mona.client.get("/people/Mona%20Page").text
    assert "Neither muted nor closed" in mona.client.get(place).text
    # Muted, for a reason.
    assert send(mona, f"{deeds}/mute", days="2")[0] == 422
    for days in ("", "0", "-1", "2.5", "99999", "x" * 5000):
        assert send(mona, f"{deeds}/mute", days=days, reason="rude")[0] == 422
    done = send(mona, f"{deeds}/mute", days="2", reason=" rude\nto all ")
    assert done == (303, f"{place}#moderation")
    seen = mona.client.get(place).text
    assert "Muted until" in seen
    assert "rude to all" in seen
    assert send(mona, f"{deeds}/unmute", reason="said sorry")[0] == 303
    assert "Muted until" not in mona.client.get(place).text
    # Closed, if that is meant; only those who look after others see what is left.
    assert send(mona, f"{deeds}/close", reason="again")[0] == 422
    assert send(mona, f"{deeds}/close", reason="again", sure="yes")[0] == 303
    assert troll.client.get("/api/me").json() == {"person": None}
    assert ann.client.get(place).status_code == 404
    seen = mona.client.get(place, headers={"accept-language": "de"}).text
    assert "Dieses Konto ist geschlossen" in seen
    assert "von Mona Page" in seen
    assert send(mona, f"{deeds}/close", reason="again", sure="yes")[0] == 422
    assert send(mona, f"{deeds}/reopen", reason="asked nicely")[0] == 303
    assert server.sign_in("Troll Page").id == troll.id
    log = admin(server, "audit", "--about", "Troll Page")
    reasons = [line.partition("reason=")[2] for line in log.splitlines()]
    assert reasons == ["asked nicely", "again", "said sorry", "rude to all"]


def test_reports_are_settled_on_a_page(server: LocalServer) -> None:
    mona, troll, ann = (server.sign_up(f"{name} Desk") for name in ("Mona", "Troll", "Ann"))
    admin(server, "role", "Mona Desk", "moderator")
    for about in ("Troll Desk", "Mona Desk"):
        body = {"words": f"about {about} <b>"}
        assert ann.client.post(f"/api/people/{about}/report", json=body).status_code == 204
    page = mona.client.get("/moderation").text
    assert "about Troll Desk &lt;b&gt;" in page
    assert "about Mona Desk" not in page, "nobody is told who reported them"
    (report,) = mona.client.get("/api/complaints").json()
    form = f"/moderation/reports/{report['id']}"
    assert f'action="{form}"' in page
    with ThreadPoolExecutor(6) as threads:  # of many at once, one settles it
        verdict = {"verdict": "talked to"}
        asked = [threads.submit(server.new_client().post, form, data=verdict,
                                headers=mona.cookie) for _ in range(6)]  # fmt: skip
        answers = [one.result() for one in asked]
    assert sorted(answer.status_code for answer in answers) == [303] + [404] * 5
    assert {answer.headers.get("location") for answer in answers} == {"/moderation", None}
    page = mona.client.get("/moderation").text
    assert "Nothing waits for you" in page
    assert "talked to" in page
    assert mona.client.post(form, data={"verdict": "again"}).status_code == 404
    admin(server, "role", "Ann Desk", "admin")
    (own,) = ann.client.get("/api/complaints").json()
    assert mona.client.post(f"/moderation/reports/{own['id']}").status_code == 404
    log = admin(server, "audit", "--about", "Troll Desk")
    assert log.count("settle") == 1
    assert "verdict=talked to" in log
    assert f"person:{mona.id}" in log
    assert troll.client.get("/api/audit").status_code == 403


def test_a_new_name_is_in_all_games_at_once(server: LocalServer) -> None:
    cleo, dan = server.sign_up("Cleo"), server.sign_up("Dan Old")
    game = take_seats(server, cleo, dan)
    assert list_names(game) == ["Cleo", "Dan Old"]
    assert admin(server, "rename", "Dan Old", "Dan New") == "Dan Old: now Dan New\n"
    until(lambda: list_names(game) == ["Cleo", "Dan New"])
    assert dan.client.get("/api/me").json()["person"]["name"] == "Dan New"
    assert server.sign_in("dan new").id == dan.id
    assert admin(server, "rename", "Dan New", "DAN NEW")  # it looks the same, and is the same
    assert "looks the same" in complain(server, "rename", "Dan New", "C1eo")
    assert "engines" in complain(server, "rename", "Dan New", "Level 3")
    assert "nobody here is called Dan Old" in complain(server, "rename", "Dan Old", "Dana")
    game.play()  # nobody has lost a seat


def test_two_accounts_become_one(server: LocalServer) -> None:
    eve, twin, fay = (server.sign_up(name) for name in ("Eve", "Evelyn", "Fay"))
    mine, theirs, ours = (
        take_seats(server, eve, fay),
        take_seats(server, twin, fay),
        take_seats(server, eve, twin),
    )
    assert f"play each other in {ours.id}" in complain(server, "merge", "Evelyn", "Eve")
    ours.act("abort", 0)
    for name in ("skew", "skirt"):  # what Eve is rated in stays hers
        for one in (eve, twin) if name == "skew" else (twin,):
            rated = one.make(name, options={}, seats=["person", "level:1"], rated=True)
            assert one.post(rated, "claim", next(filter(None, rated.secrets)), name="").is_success
            resigned = False
            while not resigned:  # the engine may move at any time
                version = one.look(rated)["version"]
                answer = one.post(rated, "actions", version=version, action="resign")
                assert answer.status_code in (200, 409)
                resigned = answer.is_success
    before = server.client.get(f"/api/ratings/person:{eve.id}").json()["ratings"]
    admin(server, "merge", "Evelyn", "Eve")
    after = server.client.get(f"/api/ratings/person:{eve.id}").json()["ratings"]
    assert [one["game"] for one in after] == ["skew", "skirt"]
    assert after[0]["rating"] == before[0]["rating"]
    led = server.client.get(f"/api/ratings/person:{twin.id}").json()
    assert (led["entrant"], led["name"]) == (f"person:{eve.id}", "Eve")
    assert led["ratings"] == after
    assert twin.client.get("/api/me").json() == {"person": None}
    until(lambda: list_names(theirs) == ["Eve", "Fay"])
    assert list_names(mine) == ["Eve", "Fay"]
    held = {game["id"] for game in eve.client.get("/api/games/mine").json()}
    assert {mine.id, theirs.id} <= held
    seen = theirs.look()
    move = {"version": seen["version"], "move": seen["legal"][0]["move"]}
    assert eve.client.post(f"{theirs.path}/moves", json=move).status_code == 200
    taken = server.client.post("/api/accounts", json={"name": "Evelyn", "password": PASSWORD})
    assert taken.status_code == 409
    assert "one account already" in complain(server, "merge", "Eve", "eve")


def test_whoever_names_a_merged_account_is_led_to_the_person(server: LocalServer) -> None:
    ida, old, oldest, kay = (
        server.sign_up(name) for name in ("Ida M", "Ida Old", "Ida Oldest", "Kay M")
    )
    shown = {}
    for name, people in {
        "apart": (oldest, kay),  # its entry goes along
        "playing": (old, kay),
        "common": (ida, old),  # both stay in the table
    }.items():
        event = hold(server, people[0], "round-robin")
        shown[name] = event
        for one in people:
            event.do(one, "join")
    assert "both take part" in complain(server, "merge", "Ida Old", "Ida M")
    shown["common"].do(ida, "call-off")
    shown["playing"].do(old, "start")
    until(lambda: shown["playing"].look(kay)["your_game"])
    admin(server, "merge", "Ida Oldest", "Ida Old")
    admin(server, "merge", "Ida Old", "Ida M")
    for name in ("Ida Old", "ida oldest"):
        page = server.client.get(f"/people/{name}", follow_redirects=False)
        assert (page.status_code, page.headers["location"]) == (303, "/people/Ida%20M")
        assert server.client.get(f"/api/people/{name}").json()["id"] == ida.id
        wish = {"game": "skew", "to": name}
        asked = kay.client.post("/api/lobby", json=wish).json()["challenge"]
        mine = ida.client.get("/api/lobby").json()["mine"]
        assert asked["id"] in [one["id"] for one in mine]
    for twin in (old, oldest):
        led = server.client.get(f"/api/ratings/person:{twin.id}")
        assert led.json()["entrant"] == f"person:{ida.id}"
        assert "Ida M" in server.client.get(f"/ratings/person:{twin.id}").text
    for name in ("apart", "playing"):
        seen = shown[name].look(ida)
        players = {one["entrant"]: one["name"] for one in seen["standings"]}
        assert players == {f"person:{ida.id}": "Ida M", f"person:{kay.id}": "Kay M"}
        assert (seen["you"], seen["made_by"]) == (f"person:{ida.id}", "Ida M")
    url = shown["playing"].look(ida)["your_game"]
    assert url == shown["playing"].look(kay)["your_game"]
    game = Game(server, url.removeprefix("/g/"), [])
    assert len(until(lambda: ida.look(game)["yours"])) == 1
    table = {one["entrant"] for one in shown["common"].look(ida)["standings"]}
    assert table == {f"person:{ida.id}", f"person:{old.id}"}
    admin(server, "rename", "Ida M", "Ida New")
    assert "Ida New" in [one["name"] for one in shown["apart"].look(kay)["standings"]]
    assert server.client.get("/api/people/Ida Old").json()["name"] == "Ida New"
    # What is deleted is deleted with all that has become it.
    body = {"password": PASSWORD}
    assert ida.client.request("DELETE", "/api/account", json=body).status_code == 204
    assert server.client.get("/api/people/Ida Old").status_code == 404
    names = {one["name"] for one in shown["common"].look(kay)["standings"]}
    assert names == {"Deleted player"}


def test_a_link_opens_an_account_once(server: LocalServer) -> None:
    lea = server.sign_up("Lea Lost")
    link = admin(server, "reset", "lea lost").strip()
    place, _, shown = link.partition("#")
    name, _, code = unquote(shown).partition(":")
    assert (place, name) == ("/sign-in", "Lea Lost")
    body = {"name": name, "code": code, "password": "an entirely new one"}
    with server.new_client() as client:
        assert client.post("/api/sessions/recovery", json=body).status_code == 201
        assert client.get("/api/me").json()["person"]["id"] == lea.id
    assert lea.client.get("/api/me").json()["person"] is None
    assert server.client.post("/api/sessions/recovery", json=body).status_code == 401
    assert code not in admin(server, "audit", "--about", "Lea Lost")


def test_an_invitation_opens_the_door_as_often_as_it_says(server: LocalServer) -> None:
    def try_to_come(name: str, code: str | None = None) -> int:
        body = {"name": name, "password": PASSWORD, "invitation": code}
        with server.new_client() as client:
            return client.post("/api/accounts", json=body).status_code

    assert "Invitation" not in server.client.get("/sign-up").text
    admin(server, "invite-only", "on")
    assert 'name="invitation"' in server.client.get("/sign-up").text
    try:
        assert try_to_come("Gus") == 403
        assert try_to_come("Gus", "guess") == 403
        place, _, code = admin(server, "invite", "--uses", "2").strip().partition("#")
        assert place == "/sign-up"
        assert server.client.get("/api/kinds").status_code == 200  # guests play as ever
        with ThreadPoolExecutor(4) as threads:
            came = [threads.submit(try_to_come, name, code) for name in ("Gus", "Hal", "Ida", "Jo")]
            assert sorted(one.result() for one in came) == [201, 201, 403, 403]
        assert try_to_come("Kim", code) == 403
    finally:
        admin(server, "invite-only", "off")
    assert try_to_come("Kim") == 201
    assert "say on or off" in complain(server, "invite-only", "perhaps")
    log = admin(server, "audit", "--limit", "3").splitlines()
    assert [line.split("  ")[2] for line in log] == ["invite-only", "invite", "invite-only"]
    assert code not in "".join(log)


def test_announcements_reach_the_server_that_runs(server: LocalServer) -> None:
    admin(server, "announce", "Doors open at noon.", "--hours", "1")
    until(lambda: "Doors open at noon." in server.client.get("/").text)
    assert "[TEXT]" not in complain(server, "announce")
    admin(server, "announce", "--withdraw")
    until(lambda: "Doors open at noon." not in server.client.get("/").text)
    assert "nothing is announced" in complain(server, "announce", "--withdraw")


def test_bad_input_is_told_on_one_line(server: LocalServer, tmp_path: Path) -> None:
    assert "a role is member, moderator or admin" in complain(server, "role", "Eve", "king")
    assert "nobody here is called" in complain(server, "mute", "Zoe")
    result = run("admin", "people", "--database", str(tmp_path / "none.db"))
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    (tmp_path / "empty.db").touch()
    result = run("admin", "people", "--database", str(tmp_path / "empty.db"))
    assert result.exit_code == 2
    assert "start skerry serve with it once" in result.stderr
    assert admin(server, "people", "nobody at all") == "nobody\n"
