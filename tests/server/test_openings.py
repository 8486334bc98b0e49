"""The explorer of openings over HTTP: looked up, read without scripts, and downloaded."""

import html

from server.serving import Server
from skerry.lab.openings.atlas import decode
from skerry.server.openings.answers import FirstMovesShown

SKIRT = {"options": "side=3"}
SKEW = {"options": "side=3,pegs=4"}


def test_positions_are_looked_up(server: Server) -> None:
    found = server.client.get("/api/openings/skirt", params=SKIRT).json()
    assert found["openings"]["games"] == 1050
    first, second = found["openings"]["ways"]
    assert (first["move"], first["games"], first["few"]) == ("a1", 1000, False)
    assert len(first["images"]) == 5
    assert first["shares"][0]["low"] < 0.3 < first["shares"][0]["high"]
    assert (first["drift"], second["drift"], second["before"]) == ("found", "dropped", 1.0)
    assert second["few"]
    assert [source["games"] for source in found["sources"]] == [2050, 1000]
    # In the mirror it is the same.
    after = server.client.get("/api/openings/skirt", params={**SKIRT, "moves": "e3"}).json()
    assert [way["games"] for way in after["openings"]["ways"]] == [900, 100]
    assert after["legal"]
    nowhere = server.client.get("/api/openings/skirt", params={**SKIRT, "moves": "a2"}).json()
    assert nowhere["openings"]["ways"] == []
    assert nowhere["openings"]["games"] == 0
    three = server.client.get("/api/openings/x", params={"options": "size=4"}).json()
    assert [len(way["shares"]) for way in three["openings"]["ways"]] == [3, 3]
    assert three["openings"]["early_games"] is None


def test_what_cannot_be_looked_up_is_refused(server: Server) -> None:
    unknown = server.client.get("/api/openings/skirt", params={"options": "side=4"}).json()
    assert unknown["openings"] is None
    assert unknown["commands"][0].startswith("skerry selfplay skirt -o side=4")
    for address, status in {
        "/api/openings/chess": 404,
        "/openings/chess": 404,
        "/api/openings/chess/card": 404,
        "/api/openings/skirt?options=side=3&moves=a1,a1": 422,
        "/openings/skirt?options=side=99": 422,
        "/api/openings/skirt/worst.atlas": 422,
    }.items():
        assert server.client.get(address).status_code == status, address


def test_the_page_is_read_without_scripts(server: Server) -> None:
    page = server.client.get("/openings/skirt", params={**SKIRT, "moves": "a1"}).text
    assert 'href="/openings/skirt?options=side=3&amp;moves=a1,a2"' in page
    assert 'href="/openings/skirt?options=side=3"' in page, "a way back"
    assert "<svg" in page
    assert "by a net that had learnt for 7.5 minutes" in page
    drifts = server.client.get("/openings/skirt", params=SKIRT).text
    assert '<li><a href="/openings/skirt?options=side=3">a2</a> <span>100.0 % → 4.8 %' in drifts
    german = server.client.get("/openings/x?options=size=4", headers={"accept-language": "de"}).text
    assert "Eröffnungen" in german
    assert "41,7" in german
    empty = html.unescape(server.client.get("/openings/skirt?options=side=4").text)
    assert "skerry openings build skirt skirt.npz -o side=4 --out atlases/skirt.atlas" in empty
    assert 'href="/openings/skirt"' in server.client.get("/games/skirt").text


def test_atlases_are_downloaded_with_their_cards(server: Server) -> None:
    answer = server.client.get("/api/openings/skirt/early.atlas", params=SKIRT)
    assert 'filename="skirt-early.atlas"' in answer.headers["content-disposition"]
    atlas = decode(answer.content, "what came")
    cards = server.client.get("/api/openings/skirt/card", params=SKIRT).json()
    assert cards["early"] == atlas.card
    assert cards["best"]["games"] == 2050
    assert server.client.get("/api/openings/x/early.atlas?options=size=4").status_code == 404


def test_first_moves_are_told_with_their_bands(server: Server) -> None:
    found = server.client.get("/api/openings/skew/first", params=SKEW).json()
    FirstMovesShown.model_validate(found)
    assert {move["band"] for move in found["moves"]} == {"keep", "close", "swap"}
    page = server.client.get("/openings/skew/first", params=SKEW)
    assert page.status_code == 200
    assert page.text.count('<th scope="row">') == len(found["moves"])
    assert "<dt>k</dt>" in page.text
    assert (
        "/openings/skew/first?options=side%3D3%2Cpegs%3D4"
        in server.client.get("/openings/skew", params=SKEW).text
    )
    unknown = server.client.get("/openings/skew/first", params={"options": "side=4"})
    assert unknown.status_code == 404
    assert "nothing is known of first moves" in unknown.text
    nothing = server.client.get("/api/openings/skew/first", params={"options": "side=4"}).json()
    assert (nothing["moves"], nothing["card"]) == ([], None)
