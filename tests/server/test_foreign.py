"""A game of another distribution in the web app: the fifth game of CONTRIBUTING.md."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import skerry
from server.serving import Game, LocalServer
from skerry import games, records
from skerry.core.errors import TOLD
from skerry.server.workers.warm import rehearse
from support.distributions import install
from support.fifth import PACKAGE, PROJECT, write_package

POINTS = f"""[skerry.games]
noughts = {PACKAGE}:Noughts
broken = {PACKAGE}:CLAUSES
"""


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalServer]:
    """A server that finds the game, and beside it one that is none."""
    place = write_package(tmp_path)
    install(place, PROJECT, POINTS, {})
    monkeypatch.syspath_prepend(place)
    monkeypatch.setenv(TOLD, "")
    monkeypatch.setattr(games, "FOREIGN", games._ForeignGames())
    with pytest.warns(skerry.SkerryWarning, match=r"'broken' of skerry-noughts 1.0 .*is left out"):
        assert list(skerry.GAMES)[4:] == ["noughts"]
    rehearse(skerry.make("noughts"))  # compiles now what no request should wait for
    with LocalServer(tmp_path) as server:
        yield server


class Uninstalled:
    """No games of others any more."""

    def load(self) -> dict[str, type[skerry.Game]]:
        return {}


def test_a_foreign_game_has_pages_lessons_and_tables(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And when its distribution is gone, its games are kept, unseen, and all else goes on."""
    for path in ("/", "/games/noughts", "/rules/noughts", "/puzzles/noughts", "/ladder/noughts"):
        answer = server.client.get(path)
        assert answer.status_code == 200, answer.text
        assert "Noughts" in answer.text
    rules = server.client.get("/rules/noughts").text
    assert all(f'id="noughts.{number}"' in rules for number in range(1, 5))
    assert rules.count('<section class="step"') == 3

    attempts = [("line", {"moves": ["c3"]}), ("taken", {"path": ["a1"]})]
    said = [
        server.client.post(f"/api/lessons/noughts/{step}", json=attempt).json()
        for step, attempt in attempts
    ]
    assert [answer["done"] for answer in said] == [True, True]
    assert said[1]["feedback"].startswith("Not allowed: a1 already holds a crosses stone.")
    assert server.client.get("/api/puzzles/noughts/1").json()["solution"] == ["b2"]

    body = {"game": "noughts", "options": {"side": 3, "line": 3}, "seats": ["person", "person"]}
    made = server.client.post("/api/games", json=body).json()
    game = Game(server, made["id"], made["secrets"])
    while game.look()["to_move"] is not None:
        game.play()
    assert game.look()["words"] == "Noughts wins"
    record = records.read(server.client.get(f"{game.path}/record").text)
    assert record.game == skerry.make("noughts", side=3, line=3)
    for path in ("/archive", f"/g/{game.id}", "/api/games"):
        assert "Noughts" in server.client.get(path).text
    begun = server.client.post("/api/games", json=body).json()  # one that goes on
    Game(server, begun["id"], begun["secrets"]).play()

    monkeypatch.setattr(games, "FOREIGN", Uninstalled())
    for path in ("/", "/archive", "/api/games", "/api/archive", "/ladder"):
        answer = server.client.get(path)
        assert answer.status_code == 200, (path, answer.text)
        assert "Noughts" not in answer.text
    gone = server.client.post("/api/games", json=body)
    assert (gone.status_code, "no game 'noughts'" in gone.text) == (422, True)
