"""The contract over HTTP, against a real server."""

import re
from typing import Any

import pytest

import skerry
from server.serving import SEATS, TINY, Server, logged
from skerry import records

FIELDS = {
    "id", "game", "title", "options", "version", "revision", "position", "ply", "to_move", "seats",
    "moves", "legal", "directions", "svg", "outcome", "words", "clock", "offers", "rematch", "chat",
    "yours", "thinking", "engine", "readiness", "can", "result", "absent", "stand_in", "turned",
    "even", "prompts", "swap", "holdings", "rated", "event", "watching", "gallery",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(TINY))
def test_a_whole_game_at_one_screen(server: Server, name: str) -> None:
    game = server.make_for_persons(name, names=["Ann", "Bob"])
    assert None not in game.secrets
    seen = game.look()
    assert set(seen) == FIELDS
    assert seen["yours"] == list(range(SEATS[name]))
    assert seen["words"].endswith("to move")
    state = skerry.make(name, **TINY[name]).position(seen["position"])
    while seen["to_move"] is not None:
        assert [entry["move"] for entry in seen["legal"]] == [str(m) for m in state.legal_moves()]
        last = len(seen["legal"]) // 2
        move = seen["legal"][last]
        assert move["path"] == list(state.path(state.legal_moves()[last]))
        seen = game.play(move["move"])
        state = state.play(move["move"])
        assert seen["position"] == state.position
        assert seen["svg"].startswith("<svg ")
        assert seen["moves"][-1]["text"] == move["move"]
        assert seen["ply"] == len(seen["moves"]) == seen["version"]
    assert state.outcome is not None
    assert seen["outcome"]["reason"] == seen["words"] == state.outcome.reason
    assert seen["outcome"]["returns"] == list(state.outcome.returns)
    assert seen["legal"] == []
    record = records.read(server.client.get(f"{game.path}/record").text)
    assert record.states()[-1] == state
    assert record.players[:2] == ("Ann", "Bob")


def test_a_game_begins_with_one_field(server: Server) -> None:
    response = server.client.post("/api/games", json={"game": "skew"})
    assert response.status_code == 201
    made = response.json()
    assert made["url"] == f"/g/{made['id']}"
    assert [secret is None for secret in made["secrets"]] == [False, True]
    seen = server.client.get(f"/api/games/{made['id']}").json()
    assert [seat["kind"] for seat in seen["seats"]] == ["person", "level:2"]
    assert seen["yours"] == []


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({}, "game"),
        ({"game": "chess"}, "there is no game"),
        ({"game": 7}, "game"),
        ({"game": "skew", "colour": "red"}, "colour"),
        ({"game": "skew", "options": {"side": 99}}, "side"),
        ({"game": "skew", "options": {"side": "2"}}, "side"),
        ({"game": "skew", "options": {"size": 2}}, "no option"),
        ({"game": "skew", "seats": ["person"]}, "2 seats"),
        ({"game": "skew", "seats": ["person", "level:11"]}, "level:1 to level:10"),
        ({"game": "skew", "seats": ["person", "mcts:seconds=9999"]}, "cannot sit here"),
        ({"game": "skew", "clock": {"kind": "sun"}}, "clock"),
        ({"game": "skew", "position": "nonsense"}, "position"),
        ({"game": "skew", "seed": -1}, "seed"),
        ({"game": "skew", "seed": 2**63}, "seed"),
    ],
)
def test_what_cannot_be_played_is_explained(
    server: Server, body: dict[str, Any], says: str
) -> None:
    response = server.client.post("/api/games", json=body)
    assert response.status_code == 422
    assert says in response.json()["error"]


def test_bad_bodies(server: Server) -> None:
    deep = b"[" * 16_000
    bodies = [b"{", b"\xff", b"NaN", b"null", b"1" * 9000, b'{"a":' * 3000, deep]
    for content, kind in [(body, "application/json") for body in bodies] + [(b"", "x/y")]:
        response = server.client.post("/api/games", content=content, headers={"content-type": kind})
        assert response.status_code in (400, 422)
        assert response.json()["error"]
    large = server.client.post("/api/games", json={"game": "skew", "position": "x" * 20_000})
    assert large.status_code == 413
    streamed = server.client.post(
        "/api/games",
        content=(b" " * 1000 for _ in range(30)),
        headers={"content-type": "application/json"},
    )
    assert streamed.status_code == 413
    assert "16384" in large.json()["error"]


class TestMoves:
    def test_who_may_move(self, server: Server) -> None:
        game = server.make_for_persons()
        move = game.look()["legal"][0]["move"]
        nobody = server.client.post(f"{game.path}/moves", json={"version": 0, "move": move})
        stranger = server.client.post(
            f"{game.path}/moves", json={"version": 0, "move": move}, headers={"X-Seat": "guess"}
        )
        assert nobody.status_code == stranger.status_code == 401
        assert game.post("moves", 1, version=0, move=move).status_code == 403
        assert game.post("moves", 0, version=0, move=move).status_code == 200

    def test_an_old_version_gets_the_game_as_it_is(self, server: Server) -> None:
        game = server.make_for_persons()
        seen = game.play()
        late = game.post("moves", 0, version=0, move="a1-e")
        assert late.status_code == 409
        assert late.json()["game"]["version"] == 1
        assert late.json()["game"]["position"] == seen["position"]
        assert late.json()["game"]["yours"] == [0]

    def test_the_rules_say_why(self, server: Server) -> None:
        game = server.make_for_persons()
        response = game.post("moves", 0, version=0, move="b2-e")
        assert response.status_code == 422
        assert "b2" in response.json()["error"]

    def test_a_whole_turn_at_once(self, server: Server) -> None:
        game = server.make_for_persons("skirt")
        game.play()
        seen = game.look()
        assert seen["to_move"] == 1
        first = seen["legal"][0]["move"]
        preview = server.client.get(f"{game.path}/preview", params={"path": first}).json()
        assert preview["complete"]
        turn = "-".join(preview["next"][0])
        after = game.play(turn)
        assert after["ply"] == 3
        assert after["version"] == 2

    def test_there_is_no_such_game(self, server: Server) -> None:
        for id in ("nothing", "x" * 32):
            assert server.client.get(f"/api/games/{id}").status_code == 404
        assert server.client.get("/api/games/..%2f..").status_code in (404, 422)


class TestActions:
    def test_unknown_action(self, server: Server) -> None:
        response = server.make_for_persons().act("cheat", 0)
        assert response.status_code == 422
        assert "resign" in response.json()["error"]

    def test_draw_by_consent(self, server: Server) -> None:
        game = server.make_for_persons()
        assert game.act("offer-draw", 0).json()["offers"]["draw"] == 0
        assert game.act("accept-draw", 0).status_code == 403
        over = game.act("accept-draw", 1).json()
        assert over["outcome"]["winner"] is None
        assert over["to_move"] is None
        assert "1/2-1/2" in server.client.get(f"{game.path}/record").text

    def test_takeback_by_consent(self, server: Server) -> None:
        game = server.make_for_persons()
        game.play()
        assert game.act("ask-takeback", 0).json()["offers"]["takeback"] == 0
        assert game.act("accept-takeback", 1).json()["ply"] == 0

    def test_rematch_keeps_secrets_and_turns_seats(self, server: Server) -> None:
        game = server.make_for_persons("x", names=["Ann", "Bob", "Cy"])
        assert game.act("rematch", 0).status_code == 422
        game.act("abort", 1)
        first = game.act("rematch", 0).json()["rematch"]
        second = game.post("actions", 1, version=0, action="rematch").json()["rematch"]
        assert first == second
        id = first.removeprefix("/g/")
        seen = server.client.get(f"/api/games/{id}", headers=game.header(0)).json()
        assert seen["yours"] == [1]
        assert [seat["name"] for seat in seen["seats"]] == ["Cy", "Ann", "Bob"]
        assert game.look()["outcome"]["reason"] == "Yellow called the game off"

    def test_a_rematch_takes_everybody(self, server: Server) -> None:
        """Nobody is seated who has not said so, and those at one screen say it together."""
        game = server.make_for_persons("x")
        for _ in range(3):
            game.play()
        game.act("resign", 0)  # an engine plays on, and whoever left is not asked
        while game.look()["to_move"] is not None:
            seen = game.until(lambda g: g["to_move"] != 0)
            if seen["to_move"] is not None:
                game.play()
        asked = game.act("rematch", 1).json()
        assert (asked["rematch"], asked["offers"]["rematch"]) == (None, [1])
        assert "rematch" not in asked["can"]
        assert game.act("rematch", 1).status_code == 422
        assert "rematch" in game.look(2)["can"]
        made = game.act("rematch", 2).json()["rematch"]
        seen = server.client.get(f"/api{made.replace('/g/', '/games/')}").json()
        assert [seat["kind"] for seat in seen["seats"]] == ["person", "level:3", "person"]
        pair = server.make_for_persons()
        for _ in range(2):
            pair.play()
        pair.act("resign", 0)
        assert pair.act("rematch", 0, 1).json()["rematch"]

    def test_a_deal_is_made_anew_for_a_rematch(self, server: Server) -> None:
        game = server.make_for_persons("skaane", seed=5)
        assert "[Seed" in server.client.get(f"{game.path}/record").text
        game.act("resign", 1)
        assert game.act("rematch", 0).json()["rematch"]


class TestSeats:
    def test_claiming(self, server: Server) -> None:
        game = server.make_for_persons()
        seat = game.post("claim", 1, name="  Bea\u202e\x00 \n Smith " + "x" * 90).json()["seats"][1]
        assert seat["claimed"]
        assert seat["name"].startswith("Bea Smith x")
        assert len(seat["name"]) == 40
        assert not game.look()["seats"][0]["claimed"]

    def test_a_revoked_secret_opens_nothing(self, server: Server) -> None:
        game = server.make_for_persons()
        assert game.post("revoke", 1, seat=0).status_code == 403
        fresh = game.post("revoke", 0, seat=1).json()["secret"]
        assert game.look(1)["yours"] == []
        game.secrets[1] = fresh
        assert game.look(1)["yours"] == [1]
        assert game.post("revoke", 0, seat=7).status_code == 422

    def test_a_first_deal_without_a_move_keeps_nobody_from_playing(self, server: Server) -> None:
        few = {"width": 3, "height": 4, "gods": 2, "kings": 2, "serfs": 2, "suns": 0}
        assert skerry.make("skaane", **few).initial().is_over
        game = server.make("skaane", options=few, seats=["person", "level:1"])
        assert game.look()["legal"]

    def test_whoever_made_a_game_keeps_its_links(self, server: Server) -> None:
        game = server.make_for_persons(seat=1)
        assert game.post("revoke", 0, seat=1).status_code == 403
        assert game.post("revoke", 1, seat=0).status_code == 200
        wrong = {"game": "skew", "seats": ["person", "level:1"], "seat": 1}
        answer = server.client.post("/api/games", json=wrong)
        assert answer.status_code == 422
        assert answer.json() == {"error": "seat 1 is not a person's, so it cannot be yours"}

    def test_secrets_are_nowhere_to_be_read(self, server: Server) -> None:
        with logged() as log:
            game = server.make_for_persons(names=["Ann", "Bob"])
            game.play()
            game.post("chat", 0, text="hello")
            pages = [
                game.look(),
                server.client.get(f"/g/{game.id}").text,
                server.client.get("/api/games").text,
                server.client.get(f"{game.path}/record").text,
                server.client.get("/metrics").text,
            ]
        pages.append(log.getvalue())
        assert game.id in log.getvalue()
        stored = server.database
        with open(stored, "rb") as file:
            pages.append(file.read().decode("latin-1"))
        for secret in game.secrets:
            assert secret is not None
            assert not any(secret in str(page) for page in pages)

    def test_the_link_of_a_seat_as_a_code(self, server: Server) -> None:
        game = server.make_for_persons()
        code = game.post("qr", 0, 1, seat=1)
        assert code.headers["content-type"].startswith("image/svg+xml")
        assert code.text.startswith("<svg")
        assert game.post("qr", 0, seat=1).status_code == 403


class TestChat:
    def test_what_is_said_is_shown(self, server: Server) -> None:
        game = server.make_for_persons(names=["<b>Ann</b>"])
        version = game.look()["version"]
        seen = game.post("chat", 0, text=" <script>x</script>\x07 ").json()
        assert [(line["n"], line["name"], line["text"]) for line in seen["chat"]] == [
            (1, "<b>Ann</b>", "<script>x</script>")
        ]
        assert seen["version"] == version
        page = server.client.get(f"/g/{game.id}").text
        assert "<script>x" not in page
        assert "<b>Ann" not in page

    def test_nothing_and_too_much(self, server: Server) -> None:
        game = server.make_for_persons()
        assert game.post("chat", 0, text=" \u200b ").status_code == 422
        assert len(game.post("chat", 0, text="y" * 1000).json()["chat"][0]["text"]) == 300
        assert server.client.post(f"{game.path}/chat", json={"text": "hi"}).status_code == 401


class TestPictures:
    def test_boards(self, server: Server) -> None:
        game = server.make_for_persons()
        game.play()
        for query in ("", "?theme=dark", "?ply=0", "?ply=1&overlay=standing%2Btargets"):
            response = server.client.get(f"{game.path}/board.svg{query}")
            assert response.headers["content-type"].startswith("image/svg+xml")
            assert response.text.startswith("<svg ")
        for query in ("?theme=pink", "?ply=2", "?ply=-1", "?overlay=x", "?overlay=focus:zz"):
            assert server.client.get(f"{game.path}/board.svg{query}").status_code == 422

    def test_all_pictures_of_a_game_have_one_size(self, server: Server) -> None:
        game = server.make_for_persons("x")
        sizes = set()
        while (seen := game.look())["to_move"] is not None:
            sizes.add(re.search(r'viewBox="[^"]*"', seen["svg"])[0])  # type: ignore[index]
            game.play()
        assert len(sizes) == 1

    def test_boards_are_seen_from_ones_own_side(self, server: Server) -> None:
        game = server.make_for_persons("skaane")
        below, above = game.look(0), game.look(1)
        assert (below["turned"], above["turned"]) == (False, True)
        assert game.look()["turned"] is False, "both sit here"
        east = below["directions"]["e"]
        assert above["directions"]["e"] == [-step for step in east]
        flipped = server.client.get(
            game.path, params={"flipped": True}, headers=game.header(0)
        ).json()
        assert flipped["svg"] == above["svg"] != below["svg"]
        board = server.client.get(f"{game.path}/board.svg", params={"turned": True, "live": True})
        assert board.text == above["svg"]
        assert not server.make_for_persons("x").look(1)["turned"], "it has no sides"

    def test_reasons(self, server: Server) -> None:
        game = server.make_for_persons()
        game.play("a1-ne")
        reason = f"{game.path}/reason"
        for path, words in [
            ("a1", "Not allowed: a1 already holds a peg."),
            ("A1,e", "Not allowed: a1 already holds a peg."),
            ("a2", ""),
            ("zz", "Not allowed: "),
        ]:
            answer = server.client.get(reason, params={"path": path}).json()
            assert answer["reason"].startswith(words)
            assert bool(answer["reason"]) == bool(words)
        long = server.client.get(reason, params={"path": ",".join(["a1"] * 20)})
        assert long.status_code == 422

    def test_previews(self, server: Server) -> None:
        game = server.make_for_persons()
        preview = f"{game.path}/preview"
        nothing = server.client.get(preview).json()
        assert not nothing["complete"]
        assert len(nothing["next"]) == len(game.look()["legal"])
        half = server.client.get(preview, params={"path": "a1"}).json()
        assert not half["complete"]
        assert ["a1", "ne"] in half["next"]
        assert all(path[0] == "a1" for path in half["next"])
        whole = server.client.get(preview, params={"path": "a1,ne", "theme": "dark"}).json()
        assert whole["complete"]
        assert whole["next"] == []
        assert whole["words"] == "First plays a1-ne"
        assert half["svg"] != whole["svg"] != nothing["svg"]
        assert server.client.get(preview, params={"path": "zz"}).status_code == 422
        assert server.client.get(preview, params={"path": "a1,up"}).status_code == 422
        assert game.look()["ply"] == 0


def test_lists(server: Server) -> None:
    game = server.make_for_persons(names=["Zoe", "Yan"])
    for _ in range(2):
        game.play()
    found = server.client.get("/api/games", params={"state": "playing", "limit": 100}).json()
    mine = next(entry for entry in found if entry["id"] == game.id)
    assert [seat["name"] for seat in mine["seats"]] == ["Zoe", "Yan"]
    assert mine["ply"] == 2
    assert server.client.get("/api/games", params={"limit": 0}).status_code == 422
    kinds = server.client.get("/api/kinds").json()
    assert [kind["name"] for kind in kinds] == list(skerry.GAMES)
    assert kinds[0]["options"][0]["name"] == "side"


class TestPages:
    def test_every_answer_is_strict(self, server: Server) -> None:
        game = server.make_for_persons()
        paths = [
            "/", f"/g/{game.id}", "/rules/skew", "/rules/none", "/g/none", "/healthz", "/metrics",
            "/api/kinds", game.path, f"{game.path}/board.svg", "/nowhere", "/api/openapi.json",
        ]  # fmt: skip
        for path in paths:
            headers = server.client.get(path).headers
            policy = headers["content-security-policy"]
            assert policy.startswith("default-src 'none'; script-src 'self';")
            assert "unsafe" not in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"

    def test_pages_need_no_script(self, server: Server) -> None:
        game = server.make_for_persons()
        move = game.play()["moves"][0]["text"]
        page = server.client.get(f"/g/{game.id}").text
        assert "<svg" in page
        assert move in page
        assert "Second to move" in page
        assert 'http-equiv="refresh"' in page
        for path in ("/", "/rules/x"):
            assert server.client.get(path).status_code == 200

    def test_no_page_has_anything_inline(self, server: Server) -> None:
        game = server.make_for_persons()
        for path in ("/", f"/g/{game.id}", "/rules/x"):
            page = server.client.get(path).text
            inline = (
                r"<style|\sstyle=|\son[a-z]+=|<script(?! type=\"application/json\"|[^>]*\ssrc=)"
            )
            assert not re.search(inline, page)

    def test_static_files_are_kept_for_ever(self, server: Server) -> None:
        found = re.search(r'href="(/static/[^"]+\.css)"', server.client.get("/").text)
        assert found is not None
        response = server.client.get(found[1])
        assert "immutable" in response.headers["cache-control"]
        old = re.sub(r"/static/\w+/", "/static/old/", found[1])
        assert server.client.get(old).headers["cache-control"] == "no-cache"
        for path in ("/static/x/../app.py", "/static/x/%2e%2e/app.py", "/static/x/%00"):
            assert server.client.get(path).status_code == 404

    def test_errors_are_pages_for_people(self, server: Server) -> None:
        response = server.client.get("/g/none", headers={"accept": "text/html"})
        assert response.status_code == 404
        assert "<h1>There is no such game; check the address</h1>" in response.text
        assert "Error 404</p>" in response.text
        assert server.client.get("/g/none").json()["error"]

    def test_operation(self, server: Server) -> None:
        well = dict.fromkeys(("status", "writing", "hearing", "disk"), "ok")
        assert server.client.get("/healthz").json() == well
        metrics = server.client.get("/metrics").text
        for name in ("requests_total", "moves_total", "games_live", "websockets", "engine_queue"):
            assert re.search(rf"^skerry_{name}\b.* \d", metrics, re.M)
