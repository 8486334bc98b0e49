"""The whole API under input made by its own description: never a failure of the server."""

from collections.abc import Iterator, Mapping
from functools import cache
from secrets import token_hex
from typing import Any
from urllib.parse import quote, urlencode
from zlib import crc32

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings, strategies

from server.contesting import hold
from server.lobbying import SLOW
from server.serving import PASSWORD, TINY, Host, LocalServer, Server, Somebody
from support.repeating import some_of
from support.running import run_aside

EXAMPLES = [1, pytest.param(40, marks=pytest.mark.soak)]
many = pytest.mark.parametrize("examples", EXAMPLES)
some = pytest.mark.parametrize("examples", [1, pytest.param(8, marks=pytest.mark.soak)])
ENDLESS = "/api/bots/events"  # for a bot that is known


@cache
def list_operations(server: Host) -> list[Any]:
    """All that can be asked for, with a strategy for each: to make one takes as long as to ask."""
    description = server.client.get("/api/openapi.json").json()
    schema = schemathesis.openapi.from_dict(description)
    schema.config.update(base_url=server.url)
    return [found.ok() for found in schema.get_all_operations()]


@cache
def find_strategy(operation: Any) -> Any:
    return operation.as_strategy()


def attack(
    server: Host,
    examples: int,
    operation: Any,
    known: str | Mapping[str, str] | None,
    headers: dict[str, str],
    person: Somebody | None = None,
) -> None:
    """Ask for all kinds of things, of an id that there is and as somebody who is known.

    ``known`` is that id, or one for each beginning of a path; ``person`` is whom it is about.
    """
    ids = {"": known} if isinstance(known, str) else known or {}
    id = next((one for path, one in ids.items() if operation.path.startswith(path)), None)

    # A seed of its own: the usual one comes from the source, which would be read for each.
    @seed(crc32(f"{operation.method} {operation.path}".encode()))
    @settings(
        max_examples=examples, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    @given(case=find_strategy(operation))
    def ask(case: Any) -> None:
        if id is not None and "{id}" in operation.path:
            case.path_parameters["id"] = id
        if person is not None and operation.path.startswith("/api/people/{name}"):
            case.path_parameters["name"] = person.name
        if person is not None and "{entrant}" in operation.path:
            case.path_parameters["entrant"] = f"person:{person.id}"
        request = case.as_transport_kwargs()
        request.pop("cookies", None)
        if isinstance(request.get("data"), bytes):
            request["content"] = request.pop("data")
        request["headers"].update(headers)
        try:
            response = server.client.request(**request)
        except (httpx.InvalidURL, httpx.LocalProtocolError, ValueError):
            return  # nothing that could be sent
        assert response.status_code < 500, response.text
        if response.status_code >= 400:
            assert response.json()["error"]

    ask()


@many
def test_no_input_of_strangers_breaks_the_server(server: Server, examples: int) -> None:
    operations = list_operations(server)
    assert len(operations) >= 24
    for operation in operations:
        attack(server, examples, operation, None, {})
    assert server.client.get("/healthz").status_code == 200


@many
def test_no_input_of_a_player_breaks_the_server(server: Server, examples: int) -> None:
    game = server.make_for_persons()
    game.play()
    for operation in list_operations(server):
        if "{id}" in operation.path:
            attack(server, examples, operation, game.id, game.header())
    assert server.client.get("/healthz").status_code == 200


@many
def test_no_input_of_whoever_studies_breaks_the_server(server: Server, examples: int) -> None:
    game = server.make_for_persons()
    game.play()
    study = server.client.post("/api/studies", json={"from": game.id}).json()
    for operation in list_operations(server):
        if operation.path.startswith("/api/studies/{id}"):
            attack(server, examples, operation, study["id"], {"X-Seat": study["secret"]})
    assert server.client.get("/healthz").status_code == 200


@pytest.mark.soak
@pytest.mark.parametrize("examples", [40])
def test_no_input_of_a_bot_breaks_the_server(server: Server, examples: int) -> None:
    for operation in list_operations(server):
        if operation.path != ENDLESS:
            bot = server.make_bot(f"{examples} {operation.method} {operation.path}"[:40])
            game = bot.begin("skew", opponents=["level:1"])
            attack(server, examples, operation, game.id, bot.header)
    assert server.client.get("/healthz").status_code == 200


@many
def test_no_input_of_a_member_breaks_the_server(server: Server, examples: int) -> None:
    """Whoever is signed in, about a game of theirs and somebody whom they know."""
    member, other = (server.sign_up(f"Fuzzy {n} {token_hex(4)}") for n in range(2))
    game = member.make(seats=["person", "person"], seat=0)
    for operation in list_operations(server):
        if operation.path != ENDLESS:
            attack(server, examples, operation, game.id, member.cookie, other)
    assert server.client.get("/healthz").status_code == 200


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    """A server that would send mail, if anybody took it."""
    mail = {"mail_server": "smtp://127.0.0.1:9", "mail_from": "club@games.example"}
    folder = tmp_path_factory.mktemp("fuzz")
    with LocalServer(folder, **mail, public_address="http://games.example") as running:
        yield running


class Victim:
    """Somebody who has everything that a club has, and wants to keep it."""

    def __init__(self, club: LocalServer) -> None:
        self.server = club
        self.who = club.sign_up(f"Victim {token_hex(4)}")
        self.game = self.who.make(seats=["person", "level:1"], seat=0, public=True)
        self.study = club.client.post("/api/studies", json={"from": self.game.id}).json()
        wish = {"game": "skew", "options": TINY["skew"], "clock": SLOW, "to": self.who.name}
        fan = club.sign_up(f"Fan {token_hex(4)}")
        self.challenge = fan.client.post("/api/lobby", json=wish).json()["challenge"]["id"]
        self.event = hold(club, self.who, "round-robin", levels=[1])
        self.event.do(self.who, "join")
        fan.client.post(f"/api/people/{self.who.name}/report", json={"words": "Was rude."})

    @property
    def ids(self) -> dict[str, str]:
        return {
            "/api/games": self.game.id,
            "/api/studies": self.study["id"],
            "/api/lobby": self.challenge,
            "/api/tournaments": self.event.id,
        }

    def look(self) -> list[Any]:
        """All that nobody else may change or see."""
        client = self.who.client
        account = client.get("/api/account").json()
        sessions = {one["id"] for one in client.get("/api/sessions").json()}
        seen, event = self.who.look(self.game), self.event.look(self.who)
        entered = {one["entrant"] for one in event["standings"]}  # others may come and go
        study = client.get(f"/api/studies/{self.study['id']}").json()
        there = client.get(f"/api/lobby/{self.challenge}").json()
        return [
            {name: account[name] for name in ("id", "name", "role")}, sessions,
            client.get("/api/account/mail").json(), seen["version"], seen["yours"],
            (study["version"], study["line"]), (there["state"], len(there["joined"])),
            (event["state"], event["made_by"], {"level:1", event["you"]} <= entered),
        ]  # fmt: skip

    def opens(self) -> bool:
        return self.server.sign_in(self.who.name, PASSWORD).id == self.who.id


@some
@pytest.mark.parametrize("role", some_of(["stranger", "member", "bot"], ["member"]))
def test_nothing_of_others_is_opened_or_changed(
    club: LocalServer, examples: int, role: str
) -> None:
    """Whoever asks for all kinds of things about somebody else's account, games and studies."""
    victim = Victim(club)
    headers: dict[str, str] = {}
    if role == "member":
        headers = club.sign_up(f"Fuzzy {token_hex(4)}").cookie
    elif role == "bot":
        headers = club.make_bot(f"Fuzzy {token_hex(4)}").header
    before = victim.look()
    for operation in list_operations(club):
        leaves = (operation.method.upper(), operation.path) == ("DELETE", "/api/bots/me")
        if operation.path != ENDLESS and not leaves:
            attack(club, examples, operation, victim.ids, headers, victim.who)
    assert victim.look() == before
    assert victim.opens()
    seen = club.client.get(victim.game.path, headers=headers).json()
    assert (seen["yours"], seen["chat"]) == ([], [])


@pytest.mark.soak
@pytest.mark.parametrize("examples", [8])
@pytest.mark.parametrize("role", ["moderator", "admin"])
def test_no_input_of_those_who_run_the_club_breaks_it(
    club: LocalServer, examples: int, role: str
) -> None:
    """About members, about each other, and about what was reported."""
    boss, rival = (club.sign_up(f"{name} {token_hex(4)}") for name in ("Boss", "Rival"))
    for one, rank in ((boss, role), (rival, "admin")):
        command = ("admin", "role", "--database", club.database, one.name, rank)
        assert run_aside(*command).exit_code == 0
    victim = Victim(club)
    report = boss.client.get("/api/complaints").json()[-1]["id"]
    for about in (victim.who, rival):
        for operation in list_operations(club):
            if operation.path != ENDLESS and not operation.path.startswith("/api/account"):
                ids = {**victim.ids, "/api/complaints": report}
                attack(club, examples, operation, ids, boss.cookie, about)
    if role == "moderator":
        assert rival.client.get("/api/me").json()["person"]["role"] == "admin"
    assert boss.look(victim.game)["yours"] == []
    assert club.client.get("/healthz").status_code == 200


@many
def test_no_form_breaks_the_server(club: LocalServer, examples: int) -> None:
    """The pages of moderators, which take forms and not JSON."""
    boss, other = (club.sign_up(f"{name} {token_hex(4)}") for name in ("Boss", "Other"))
    command = ("admin", "role", "--database", club.database, boss.name, "moderator")
    assert run_aside(*command).exit_code == 0
    kinds = ["application/x-www-form-urlencoded", "application/json", "multipart/form-data", ""]

    @settings(max_examples=10 * examples, suppress_health_check=list(HealthCheck), deadline=None)
    @given(
        deed=strategies.sampled_from(["mute", "unmute", "close", "reopen", "burn"]),
        body=strategies.binary(max_size=300)
        | strategies.dictionaries(
            strategies.sampled_from(["reason", "days", "sure"]), strategies.text(max_size=30)
        ).map(lambda fields: urlencode(fields, errors="replace").encode()),
        kind=strategies.sampled_from(kinds),
    )
    def ask(deed: str, body: bytes, kind: str) -> None:
        path = f"/moderation/people/{quote(other.name)}/{deed}"
        for place in (path, "/moderation/reports/nothing"):
            headers = {"content-type": kind} if kind else {}
            answer = boss.client.post(place, content=body, headers=headers)
            assert answer.status_code in (303, 404, 422), answer.text

    ask()


@pytest.mark.parametrize("method", ["DELETE", "PUT", "PATCH"])
def test_other_methods_are_refused(server: Server, method: str) -> None:
    assert server.client.request(method, "/api/archive").status_code == 405
