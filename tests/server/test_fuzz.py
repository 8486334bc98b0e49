"""The whole API under input made by its own description: never a failure of the server."""

from secrets import token_hex
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

from server.serving import Server

EXAMPLES = [1, pytest.param(40, marks=pytest.mark.soak)]
many = pytest.mark.parametrize("examples", EXAMPLES)
ENDLESS = "/api/bots/events"  # for a bot that is known


def list_operations(server: Server) -> list[Any]:
    description = server.client.get("/api/openapi.json").json()
    schema = schemathesis.openapi.from_dict(description)
    schema.config.update(base_url=server.url)
    return [found.ok() for found in schema.get_all_operations()]


def attack(
    server: Server,
    examples: int,
    operation: Any,
    known: str | None,
    headers: dict[str, str],
    person: str | None = None,
) -> None:
    """Ask for all kinds of things, of an id that there is and as somebody who is known."""

    @settings(
        max_examples=examples, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    @given(case=operation.as_strategy())
    def ask(case: Any) -> None:
        if known is not None and "{id}" in operation.path:
            case.path_parameters["id"] = known
        if person is not None and operation.path.startswith("/api/people/{name}"):
            case.path_parameters["name"] = person
        request = case.as_transport_kwargs()
        request.pop("cookies", None)
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


@many
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
            attack(server, examples, operation, game.id, member.cookie, other.name)
    assert server.client.get("/healthz").status_code == 200


@pytest.mark.parametrize("method", ["DELETE", "PUT", "PATCH"])
def test_other_methods_are_refused(server: Server, method: str) -> None:
    assert server.client.request(method, "/api/archive").status_code == 405
