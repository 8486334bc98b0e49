"""The description of the API: complete, true, and readable by people."""

import re
from html import unescape
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute
from pydantic import TypeAdapter

import skerry.server
from server.serving import SEATS, Server
from skerry.server.archive.answers import ArchivePage
from skerry.server.bots.answers import BotShown, OpenGame
from skerry.server.play.answers import GameConflict, GameListed, GameShown
from skerry.server.positions.answers import EditedShown
from skerry.server.ratings.answers import LadderShown
from skerry.server.study.answers import StudyConflict, StudyMade, StudyShown
from skerry.server.web.kinds import KindShown

PACKAGE = f"{skerry.server.__name__}."


@pytest.fixture(scope="module")
def description(server: Server) -> dict[str, Any]:
    return dict(server.client.get("/api/openapi.json").json())


def operations(description: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, method, operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]


def test_every_route_is_described(description: dict[str, Any]) -> None:
    found = walk_packages(skerry.server.__path__, PACKAGE)
    modules = [import_module(module.name) for module in found if "migrations" not in module.name]
    there = {
        (route.path, method.lower())
        for module in modules
        for route in getattr(module, "router", APIRouter()).routes
        if isinstance(route, APIRoute) and route.path.startswith("/api/")
        for method in route.methods
    }
    assert there <= {(path, method) for path, method, _ in operations(description)}
    assert len(there) >= 23


def test_every_operation_says_what_it_does_and_answers(description: dict[str, Any]) -> None:
    for path, method, operation in operations(description):
        where = f"{method} {path}"
        assert operation["tags"], where
        assert len(operation["summary"]) > 10, where
        assert not operation["summary"].endswith("."), where
        good = [code for code in operation["responses"] if code.startswith("2")]
        assert len(good) == 1, where
        content = operation["responses"][good[0]].get("content")
        if good == ["204"]:
            assert content is None, where
            continue
        for kind, shape in content.items():
            if "json" in kind and path.startswith("/api"):
                schema = shape["schema"]
                fields = schema.get("items", schema)
                assert "$ref" in fields or "properties" in fields, where
        if path.startswith("/api") and path != "/api/kinds":
            assert {"404", "422", "429"} <= set(operation["responses"]), where


def test_who_is_known_by_what(description: dict[str, Any]) -> None:
    schemes = description["components"]["securitySchemes"]
    assert schemes["Seats"]["name"] == "X-Seat"
    assert (schemes["Bot"]["type"], schemes["Bot"]["scheme"]) == ("http", "bearer")
    paths = description["paths"]
    moving = paths["/api/games/{id}/moves"]["post"]["security"]
    assert {name for need in moving for name in need} == {"Seats", "Bot", "Account"}
    assert (schemes["Account"]["in"], schemes["Account"]["name"]) == ("cookie", "skerry-session")
    assert paths["/api/sessions"]["get"]["security"] == [{"Account": []}]
    assert paths["/api/bots/events"]["get"]["security"] == [{"Bot": []}]
    assert "security" not in paths["/api/archive"]["get"]


@pytest.mark.parametrize("name", sorted(SEATS))
def test_games_are_as_described(server: Server, name: str) -> None:
    game = server.make_for_persons(name, clock={"kind": "move", "seconds": 600})
    GameShown.model_validate(game.look())
    moved = game.play()
    game.post("chat", 0, text="hello")
    GameShown.model_validate(game.look())
    late = game.post("moves", 0, version=0, move=moved["moves"][0]["text"])
    assert late.status_code == 409
    GameConflict.model_validate(late.json())
    game.act("resign", 0)
    GameShown.model_validate(game.look())
    against = server.make(name, seats=["person"] + ["level:1"] * (SEATS[name] - 1))
    GameShown.model_validate(against.look())


def test_lists_are_as_described(server: Server) -> None:
    bot = server.make_bot("Describer")
    bot.begin("x", opponents=["open", "level:1"])
    for path, shape in (
        ("/api/kinds", list[KindShown]),
        ("/api/games", list[GameListed]),
        ("/api/archive", ArchivePage),
        ("/api/bots/open", list[OpenGame]),
        ("/api/bots/me", BotShown),
        ("/api/ladder/x", LadderShown),
    ):
        content = bot.get(path).json()
        assert content
        TypeAdapter(shape).validate_python(content)


def test_studies_are_as_described(server: Server) -> None:
    made = server.client.post("/api/studies", json={"game": "skew", "options": {"side": 3}}).json()
    StudyMade.model_validate(made)
    address, headers = f"/api/studies/{made['id']}", {"X-Seat": made["secret"]}
    StudyShown.model_validate(server.client.get(address).json())
    change = {"version": 0, "line": {"moves": ["b2-ne"]}}
    kept = server.client.put(address, headers=headers, json=change)
    StudyShown.model_validate(kept.json())
    late = server.client.put(address, headers=headers, json=change)
    assert late.status_code == 409
    StudyConflict.model_validate(late.json())
    setup = server.client.post("/api/positions/setup", json={"game": "x"})
    EditedShown.model_validate(setup.json())


def test_people_find_all_of_it_on_a_page(server: Server, description: dict[str, Any]) -> None:
    page = server.client.get("/api")
    assert page.headers["content-type"].startswith("text/html")
    text = unescape(page.text)
    for path, method, operation in operations(description):
        assert f"<strong>{method.upper()}</strong> {path}</code>" in text
        assert operation["summary"].split("`")[0] in text
    scripts = page.text.count("<script")  # those of the header, none from elsewhere
    assert scripts == len(re.findall('<script[^>]* src="/static/', page.text))
    assert 'href="/api"' in server.client.get("/").text


def test_pictures_are_described_in_all_their_forms(
    server: Server, description: dict[str, Any]
) -> None:
    told = description["paths"]["/api/positions/board.{ending}"]["get"]["responses"]["200"]
    for ending in ("svg", "png"):
        found = server.client.get(f"/api/positions/board.{ending}", params={"game": "skew"})
        assert found.status_code == 200
        assert found.headers["content-type"] in told["content"]
    assert len(told["content"]) == 2
