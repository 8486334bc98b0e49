"""Fairness at the table, over HTTP: who waits for whom, what counts, and what can be done."""

from typing import Any

from server.serving import Game, Server


def listed(server: Server, game: Game) -> bool:
    """Whether everybody is told that a game is being played."""
    found = server.client.get("/api/games", params={"state": "playing", "limit": 100}).json()
    return game.id in [entry["id"] for entry in found]


def archived(server: Server, game: Game) -> bool:
    found = server.client.get("/api/archive").json()["games"]
    return game.id in [entry["id"] for entry in found]


def sit_all(game: Game) -> dict[str, Any]:
    """Everybody comes to the game."""
    for seat in range(len(game.secrets)):
        assert game.post("claim", seat, name=f"P{seat}").status_code == 200
    return game.look()


class TestBeginning:
    def test_clocks_wait_for_everybody(self, server: Server) -> None:
        game = server.make_for_persons(clock={"kind": "total", "seconds": 60})
        assert game.play()["clock"]["running"] is None
        seen = sit_all(game)
        assert seen["clock"]["running"] == 1
        assert seen["clock"]["remaining"] == [60_000, 60_000]
        assert 0 < seen["clock"]["grace"] <= 30_000

    def test_a_new_link_does_not_stop_a_clock(self, server: Server) -> None:
        game = server.make_for_persons(clock={"kind": "total", "seconds": 60})
        sit_all(game)
        game.play()
        game.post("revoke", 0, seat=1)
        assert game.look()["clock"]["running"] == 1

    def test_a_game_is_listed_once_it_is_played(self, server: Server) -> None:
        game = server.make_for_persons()
        assert not listed(server, game)
        game.play()
        assert not listed(server, game), "nobody has joined"
        game.post("claim", 1, name="Bea")
        assert listed(server, game)

    def test_a_game_that_is_called_off_leaves_no_trace(self, server: Server) -> None:
        game = server.make_for_persons()
        sit_all(game)
        game.play()
        assert "abort" in game.look(0)["can"]
        over = game.act("abort", 1).json()
        assert over["result"] == "void"
        assert over["words"] == "Second called the game off"
        assert over["can"] == ["rematch"]
        assert not listed(server, game)
        assert not archived(server, game)
        text = server.client.get(f"{game.path}/record").text
        assert '[Termination "Second called the game off"]' in text
        assert text.rstrip().endswith("*")

    def test_a_game_that_has_begun_is_resigned(self, server: Server) -> None:
        game = server.make_for_persons()
        for _ in range(2):
            game.play()
        assert "abort" not in game.look(0)["can"]
        assert game.act("abort", 0).status_code == 422
        assert game.act("resign", 0).json()["result"] == "1"
        assert archived(server, game)


def test_what_can_be_done_is_told_to_everybody_for_themselves(server: Server) -> None:
    game = server.make_for_persons()
    sit_all(game)
    assert game.look(0)["can"] == ["resign", "abort", "offer-draw"]
    game.play()
    assert "ask-takeback" in game.look(0)["can"]
    assert "ask-takeback" not in game.look(1)["can"]
    game.act("offer-draw", 0)
    assert {"accept-draw", "decline-draw"} <= set(game.look(1)["can"])
    assert "offer-draw" not in game.look(0)["can"]
    assert Game(server, game.id, []).look()["can"] == []
