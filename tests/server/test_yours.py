"""The games that somebody sits in, asked about in one request."""

from pathlib import Path
from typing import Any

import httpx

from server.serving import Game, Host, LocalServer, Server


def ask(server: Host, *games: dict[str, Any]) -> httpx.Response:
    return server.client.post("/api/games/mine", json={"games": list(games)})


def held(game: Game, *seats: int) -> dict[str, Any]:
    return {"id": game.id, "secrets": [game.secrets[seat] for seat in seats]}


def test_unfinished_games_are_told_in_a_few_words(server: Server) -> None:
    clock = {"kind": "days", "days": 3}
    first = server.make_for_persons("skew", clock=clock, names=["Ann", "Bob"])
    second = server.make_for_persons("x")
    for seat, name in enumerate(("Ann", "Bob")):
        assert first.post("claim", seat, name=name).status_code == 200
    first.play()
    first.play()
    rows = ask(server, held(first, 0), held(second, 1, 2)).json()
    assert [row["id"] for row in rows] == [first.id, second.id]
    row = rows[0]
    assert (row["title"], row["ply"], row["to_move"], row["yours"]) == ("Skew", 2, 0, [0])
    assert [seat["name"] for seat in row["seats"]] == ["Ann", "Bob"]
    assert row["running"]
    assert 0 < row["left"] <= 3 * 86_400_000
    assert (rows[1]["yours"], rows[1]["left"], rows[1]["running"]) == ([1, 2], None, False)


def test_what_is_over_or_gone_or_not_yours_is_left_out(server: Server) -> None:
    over, other = server.make_for_persons("skew"), server.make_for_persons("skew")
    over.play()
    over.play()
    assert over.act("resign", 0).status_code == 200
    gone = {"id": "no-such-game", "secrets": ["nothing"]}
    stranger = {"id": other.id, "secrets": ["wrong"]}
    assert ask(server, held(over, 0), gone, stranger, {"id": other.id, "secrets": []}).json() == []


def test_nobody_asks_about_too_much(server: Server) -> None:
    game = {"id": "a", "secrets": ["b"]}
    assert ask(server, *[game] * 51).status_code == 422
    assert ask(server, {"id": "a", "secrets": ["b"] * 17}).status_code == 422
    assert ask(server, {"id": "../a", "secrets": ["b"]}).status_code == 422
    assert ask(server, *[game] * 50).json() == []


def test_asking_is_limited(tmp_path: Path) -> None:
    with LocalServer(tmp_path, reads=2) as server:
        assert [ask(server).status_code for _ in range(3)] == [200, 200, 429]


def test_games_are_there_after_a_restart(tmp_path: Path) -> None:
    with LocalServer(tmp_path) as server:
        game = server.make_for_persons("skirt")
    with LocalServer(tmp_path) as server:
        rows = ask(server, held(game, 0)).json()
        assert [(row["id"], row["yours"]) for row in rows] == [(game.id, [0])]
