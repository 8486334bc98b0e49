"""Lessons over the wire: every step is judged as the rules judge it, and its picture is there."""

import re
from typing import Any

import httpx
import pytest

from server.serving import Server
from skerry.games import REGISTRY, kind
from skerry.server.learn import pages, showcase
from skerry.server.learn.outlines import count_steps
from skerry.server.web.pages import show_page
from skerry.study.courses import COURSES
from skerry.study.lessons import CourseStep
from support.solving import find_moves, forbidden_path, start_of

STEPS = [
    pytest.param(course.game, step, id=f"{course.game}-{step.id}")
    for course in COURSES.values()
    for step in course.steps
]


def ask(server: Server, name: str, id: str, **content: Any) -> httpx.Response:
    return server.client.post(f"/api/lessons/{name}/{id}", json=content)


@pytest.mark.parametrize(("name", "step"), STEPS)
def test_every_step_is_done_over_the_wire(server: Server, name: str, step: CourseStep) -> None:
    start = start_of(name, step)
    seen = ask(server, name, step.id).json()
    assert seen["position"] == seen["start"] == start.position
    assert (seen["done"], seen["wrong"], seen["feedback"]) == (False, False, "")
    path = forbidden_path(step)
    moves = [] if path else find_moves(start, step)
    tried = ask(server, name, step.id, moves=moves, path=path).json()
    assert tried["feedback"].startswith("Not allowed: " if path else step.right)
    assert (tried["position"] == start.position) == bool(path)
    assert tried["done"]
    assert step.right in tried["feedback"]


def test_a_wrong_turn_is_shown_with_a_hint(server: Server) -> None:
    tried = ask(server, "skew", "chain", moves=["d1-se"], theme="dark").json()
    assert (tried["done"], tried["wrong"]) == (False, True)
    assert tried["feedback"].startswith("Your lean turned c2 away")
    assert [move["text"] for move in tried["moves"]] == ["d1-se"]


def test_the_others_reply(server: Server) -> None:
    tried = ask(server, "x", "ahead", moves=["b4"]).json()
    assert [move["text"] for move in tried["moves"]] == ["b4", "b2", "c3"]
    assert tried["to_move"] == 0
    assert not tried["done"]


@pytest.mark.parametrize(
    ("name", "id", "content", "status"),
    [
        ("skew", "nothing", {}, 404),
        ("chess", "board", {}, 404),
        ("skew", "board", {"moves": ["e1-e"]}, 422),
        ("skew", "board", {"moves": ["b2-e", "b3-e"]}, 422),
        ("skew", "board", {"moves": ["nonsense"]}, 422),
        ("skew", "board", {"path": ["b2"]}, 422),
        ("skew", "board", {"theme": "pink"}, 422),
        ("skew", "board", {"moves": ["b2-e"] * 21}, 422),
        ("skew", "board", {"moves": [1]}, 422),
        ("skew", "board", {"else": 1}, 422),
    ],
)
def test_what_is_wrong_is_said(
    server: Server, name: str, id: str, content: dict[str, Any], status: int
) -> None:
    answer = ask(server, name, id, **content)
    assert answer.status_code == status
    assert answer.json()["error"]


def test_every_step_has_a_picture_by_day_and_by_night(server: Server) -> None:
    for course in COURSES.values():
        for step in course.steps:
            address = f"/api/lessons/{course.game}/{step.id}/board.svg"
            light, dark = (
                server.client.get(f"{address}?theme={theme}") for theme in ("light", "dark")
            )
            assert light.headers["content-type"].startswith("image/svg+xml")
            assert light.text.startswith("<svg")
            assert light.text != dark.text
    assert server.client.get("/api/lessons/skew/none/board.svg").status_code == 404


@pytest.mark.parametrize("name", COURSES)
def test_the_page_has_every_clause_and_every_step(server: Server, name: str) -> None:
    page = server.client.get(f"/rules/{name}").text
    anchors = re.findall(rf'id="({name}\.\d+)"', page)
    assert sorted(anchors) == sorted(kind(name).clauses)
    assert len(re.findall(r'<section class="step" id="step-', page)) == len(COURSES[name].steps)
    assert kind(name).credit.split(",")[0] in page
    assert '"level:1"' in page


@pytest.mark.parametrize("name", COURSES)
def test_a_game_without_a_course_has_its_clauses(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(COURSES, name)
    page = bytes(show_page("rules.html", pages.list_rules(name)).body).decode()
    assert re.findall(rf'<dt id="({name}\.\d+)"', page) == list(kind(name).clauses)
    assert "lessons.js" not in page
    assert count_steps(name) == 0


def test_a_game_that_is_not_shown_has_an_empty_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REGISTRY, "fifth", REGISTRY["x"])
    monkeypatch.setattr(showcase, "GAMES", tuple(REGISTRY))
    assert showcase.count_frames("fifth") == 1
    assert showcase.path_to("fifth", 0) == []
    drawn = showcase.draw_frame("fifth", 0, "light")
    assert 'class="cell' in drawn
    assert 'class="piece' not in drawn
