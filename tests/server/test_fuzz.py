"""The whole API under input made by its own description: never a failure of the server."""

from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

from server.serving import Server

EXAMPLES = 15


@pytest.mark.parametrize("known", [False, True], ids=["any id", "a game and a study of ours"])
def test_no_input_breaks_the_server(server: Server, known: bool) -> None:
    description = server.client.get("/api/openapi.json").json()
    schema = schemathesis.openapi.from_dict(description)
    schema.config.update(base_url=server.url)
    game = server.make_for_persons()
    game.play()
    study = server.client.post("/api/studies", json={"from": game.id}).json()
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= 22
    for operation in operations:
        if known and "{id}" not in operation.path:
            continue

        @settings(
            max_examples=EXAMPLES,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def attack(case: Any) -> None:
            if known:
                ours = (study["id"], study["secret"])
                if "/studies/" not in case.path:
                    ours = (game.id, game.header()["X-Seat"])
                case.path_parameters["id"], case.headers["X-Seat"] = ours
            request = case.as_transport_kwargs()
            request.pop("cookies", None)
            try:
                response = server.client.request(**request)
            except (httpx.InvalidURL, ValueError):  # nothing that could be sent
                return
            assert response.status_code < 500, response.text
            if response.status_code >= 400:
                assert response.json()["error"]

        attack()
    assert server.client.get("/healthz").status_code == 200
