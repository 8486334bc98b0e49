"""Even starts over HTTP: drawn by lot, told on the page and in the record, played again."""

from typing import Any

import httpx

from server.lobbying import FIVE, Guest
from server.serving import Game, Server
from support.books import SKAANE, SKIRT, skaane_book, skirt_book

BOARD = {"game": "skirt", "options": {"side": 3}}
DEALT = {"game": "skaane", "options": SKAANE.options}


def begin(server: Server, **body: Any) -> httpx.Response:
    return server.client.post("/api/games", json={"seats": ["person", "person"], **body})


def make(server: Server, **body: Any) -> Game:
    answer = begin(server, **body)
    assert answer.status_code == 201, answer.text
    return Game(server, answer.json()["id"], answer.json()["secrets"])


def test_a_game_begins_with_a_start_of_the_book(server: Server) -> None:
    book = {start.position: start for start in skirt_book().even_starts}
    seen = set()
    for _ in range(60):  # drawn by lot
        game = make(server, **BOARD, even=True)
        shown = game.look()
        start = book[shown["position"]]
        seen.add(start.position)
        assert shown["moves"] == []
        assert shown["even"]["games"] == 1536
        assert shown["even"]["shares"] == [won.value for won in start.evidence.won]
        assert shown["even"]["moves"] == list(start.moves)
        if seen == set(book):
            break
    assert seen == set(book)
    page = server.client.get(f"/g/{game.id}").text
    share = f"{100 * start.evidence.won[0].value:.1f}"
    assert f"Even start: by strong play White {share} %, Black" in page
    assert "± 2.4, over 1,536 games." in page
    record = server.client.get(f"{game.path}/record").text
    assert f'[Even "White {share} %' in record
    assert f'[Position "{start.position}"]' in record
    assert make(server, **BOARD).look()["even"] is None


def test_a_deal_is_played_again_by_everybody_else(server: Server) -> None:
    deals = {start.position for start in skaane_book().even_starts}
    game = make(server, **DEALT, even=True)
    start = game.look()["position"]
    assert start in deals
    record = server.client.get(f"{game.path}/record").text
    assert '[Seed "3"]' in record or '[Seed "7"]' in record
    for seat in range(2):
        game.post("claim", seat, name="")
    game.post("moves", version=0, move=game.look()["legal"][0]["move"])
    game.post("moves", version=1, move=game.look()["legal"][0]["move"])
    game.post("actions", game.look()["to_move"], version=2, action="resign")
    for seat in range(2):
        after = game.post("actions", seat, version=game.look()["version"], action="rematch")
    again = server.client.get(f"/api{after.json()['rematch'].replace('/g/', '/games/')}").json()
    assert again["position"] == start
    assert again["even"] is not None


def test_what_cannot_be_is_refused(server: Server) -> None:
    for body, said in (
        ({"game": "skirt", "options": {"side": 2}}, "no even starts of Skirt are known"),
        ({**BOARD, "swap": True}, "choose an even start or the swap rule"),
        ({**BOARD, "position": SKIRT.initial().position}, "drawn by lot"),
        ({**DEALT, "seed": 3}, "drawn by lot"),
    ):
        answer = begin(server, even=True, **body)
        assert answer.status_code == 422, answer.text
        assert said in answer.json()["error"]


def test_a_challenge_may_ask_for_one(server: Server) -> None:
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    made = ann.challenge("skirt", options={"side": 3}, clock=FIVE, even=True)
    assert made["even"] is True
    begun = ben.join(made["id"]).json()["challenge"]
    assert ben.sit(begun["url"]).look()["even"]["games"] == 1536
    refused = ann.come("", game="skirt", options={"side": 2}, even=True)
    assert refused.status_code == 422
    assert "no even starts" in refused.json()["error"]
    page = server.client.get("/lobby").text
    assert 'data-boards=\'["side=3",' in page


def test_forms_offer_them_where_there_is_a_book(server: Server) -> None:
    assert 'data-boards=\'["side=3",' in server.client.get("/games/skirt").text
    assert "Even start" in server.client.get("/").text
