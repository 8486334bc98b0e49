"""What others show of our pages: cards beside links, and boards in frames."""

import re
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest
import segno
from PIL import Image
from websockets.sync.client import connect
from websockets.typing import Origin

from server.serving import LocalServer, Server
from skerry.games import GAMES
from skerry.server.app import ROUTES
from skerry.server.web.templates import fingerprint
from support.repeating import some_of

PAGES = [
    "/", "/yours", "/puzzles", "/study", "/archive", "/ladder", "/ladder/x", "/api",
    "/games/skew", "/rules/skirt", "/puzzles/skaane", "/puzzles/skaane/1",
    "/study/new?game=x&options=size%3D3", "/nowhere", "/reports", "/reports/skew-4",
]  # fmt: skip
WANTED = {"og:title", "og:description", "og:url", "og:image"}


def read_tags(server: Server | LocalServer, path: str, **headers: str) -> dict[str, str]:
    page = server.client.get(path, headers={"accept": "text/html", **headers}).text
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">', page)
    assert len(dict(found)) == len(found), "each is said once"
    return {name: unescape(said) for name, said in found}


def fetch(server: Server | LocalServer, tags: dict[str, str]) -> bytes:
    assert tags["og:image"].startswith(server.url + "/")
    answer = server.client.get(tags["og:image"])
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    return answer.content


@pytest.mark.parametrize("path", PAGES)
def test_every_page_has_a_card(server: Server, path: str) -> None:
    tags = read_tags(server, path)
    assert set(tags) >= WANTED
    assert all(tags.values())
    assert tags["twitter:card"] == "summary_large_image"
    assert tags["og:url"] == server.url + path
    assert Image.open(BytesIO(fetch(server, tags))).size == (1200, 630)


def test_pages_about_a_game_show_its_board(server: Server) -> None:
    drawn = {fetch(server, read_tags(server, f"/games/{name}")) for name in GAMES}
    assert len(drawn) == len(GAMES)


@pytest.mark.parametrize("name", some_of(GAMES, ["skew"]))
def test_the_card_of_a_game_follows_it(server: Server, name: str) -> None:
    game = server.make_for_persons(name)
    before = read_tags(server, f"/g/{game.id}")
    old = server.client.get(before["og:image"])
    game.play()
    after = read_tags(server, f"/g/{game.id}")
    assert after["og:image"] != before["og:image"], "whoever keeps pictures asks for the new one"
    new = server.client.get(after["og:image"])
    assert new.content != old.content
    assert new.headers["etag"] != old.headers["etag"]
    assert game.look()["words"] in after["og:description"]


def test_a_card_that_is_known_is_not_sent_again(server: Server) -> None:
    first = server.client.get("/games/skew/card.png")
    again = server.client.get(
        "/games/skew/card.png", headers={"if-none-match": first.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]


def test_studies_show_their_last_board(server: Server) -> None:
    made = server.client.post("/api/studies", json={"game": "x", "options": {"size": 3}}).json()
    path = f"/study/{made['id']}"
    old = fetch(server, read_tags(server, path))
    body = {"version": 0, "line": {"moves": [{"move": "b2"}]}}
    kept = server.client.put(
        f"/api/studies/{made['id']}", json=body, headers={"x-seat": made["secret"]}
    )
    assert kept.status_code == 200, kept.text
    tags = read_tags(server, path)
    assert fetch(server, tags) != old
    assert made["secret"] not in " ".join(tags.values())


def test_what_was_asked_is_not_passed_on(server: Server) -> None:
    """Somebody may have put a secret where it does not belong."""
    game = server.make_for_persons()
    secret = game.secrets[0]
    tags = read_tags(server, f"/g/{game.id}?s={secret}&x={secret}")
    assert tags["og:url"] == f"{server.url}/g/{game.id}"
    assert secret not in " ".join(tags.values())


def test_addresses_are_those_that_were_asked(server: Server) -> None:
    tags = read_tags(server, "/games/x", host="games.example", **{"x-forwarded-proto": "https"})
    assert tags["og:url"] == "https://games.example/games/x"
    assert tags["og:image"] == "https://games.example/games/x/card.png"
    odd = read_tags(server, "/games/x", host='"><b>')
    assert "<b>" not in server.client.get("/games/x", headers={"host": '"><b>'}).text
    assert set(odd) >= WANTED


def test_an_operator_says_where_the_site_is(tmp_path: Path) -> None:
    site, near = "https://games.example", {"host": "10.0.0.7:8000"}
    with LocalServer(tmp_path, public_address=f"{site}/") as server:
        tags = read_tags(server, "/games/x", **near)
        assert tags["og:url"] == f"{site}/games/x"
        assert tags["og:image"] == f"{site}/games/x/card.png"
        assert f'<html lang="en" data-site="{site}">' in server.client.get("/").text
        game = server.make_for_persons()
        framed = server.client.get(f"/g/{game.id}?embed", headers=near).text
        assert f'<link rel="canonical" href="{site}/g/{game.id}">' in framed
        code = game.post("qr", 1, seat=1).text
        assert code == draw_code(f"{site}/g/{game.id}#s={game.secrets[1]}")
        with connect(f"{server.url.replace('http', 'ws')}{game.path}/live", origin=Origin(site)):
            pass  # pages there are ours, by whatever name a proxy asks


def test_codes_lead_to_where_they_were_asked_for(server: Server) -> None:
    game = server.make_for_persons()
    link = f"{server.url}/g/{game.id}#s={game.secrets[1]}"
    assert game.post("qr", 1, seat=1).text == draw_code(link)
    assert "data-site" not in server.client.get("/").text


def test_an_address_may_be_too_long_for_a_code(server: Server) -> None:
    game = server.make_for_persons()
    headers = game.header(1) | {"host": "a" * 4000}
    answer = server.client.post(f"{game.path}/qr", headers=headers, json={"seat": 1})
    assert answer.status_code == 422
    assert "copy the link" in answer.json()["error"]


def draw_code(link: str) -> str:
    out = BytesIO()
    segno.make(link, micro=False).save(
        out, kind="svg", scale=4, border=4, xmldecl=False, dark="#000", light="#fff"
    )
    return out.getvalue().decode()


def test_names_are_harmless(server: Server) -> None:
    game = server.make_for_persons(names=['"><script>', "Ann"])
    tags = read_tags(server, f"/g/{game.id}")
    assert set(tags) >= WANTED
    assert fetch(server, tags)


@pytest.mark.parametrize(
    "path",
    ["/games/chess/card.png", "/g/none/card.png", "/study/none/card.png", "/puzzles/x/0/card.png"],
)
def test_cards_of_nothing(server: Server, path: str) -> None:
    assert server.client.get(f"{path}/card.png").status_code in (404, 422)


def test_cards_are_limited(tmp_path: Path) -> None:
    with LocalServer(tmp_path, previews=10) as server:
        answers = [server.client.get("/card.png").status_code for _ in range(3)]
    assert answers == [200, 200, 429]


# Which pages others may show within theirs


FRAMED = {"/g/{id}", "/puzzles/{name}/{number}", "/study/{id}"}
VALUES = {
    "name": "skew", "number": "1", "game": "skew", "ending": "svg", "step": "board",
    "report": "skew-4", "picture": "cover", "entrant": "level:3", "code": "none", "era": "latest",
}  # fmt: skip


def list_reads() -> list[str]:
    """All addresses that can be asked for, as templates; those of bots' streams never end."""
    paths = {
        str(getattr(route, "path", ""))
        for module in ROUTES
        for route in module.router.routes
        if "GET" in (getattr(route, "methods", None) or ())
    }
    return sorted(paths | {"/api/openapi.json", "/nowhere"} - {"/api/bots/events"})


def read_ancestors(server: Server, path: str) -> str:
    found = server.client.get(path, headers={"accept": "text/html"})
    assert "x-frame-options" not in found.headers
    policies = found.headers.get_list("content-security-policy")
    assert len(policies) == 1, "a second one would only forbid more"
    parts = dict(part.split(" ", 1) for part in policies[0].split("; "))
    assert parts["script-src"] == "'self'"
    return parts["frame-ancestors"]


def test_only_boards_may_be_framed(server: Server) -> None:
    game = server.make_for_persons()
    study = server.client.post("/api/studies", json={"game": "x", "options": {"size": 2}}).json()
    for template in list_reads():
        id = study["id"] if "stud" in template else game.id
        known = VALUES | {"id": id, "print": fingerprint(), "name:path": "icon.svg"}
        path = re.sub(r"\{([^}]+)\}", lambda found, known=known: known[found[1]], template)
        assert read_ancestors(server, path) == "'none'", path
        framed = "*" if template in FRAMED else "'none'"
        assert read_ancestors(server, f"{path}?embed") == framed, path


def test_what_is_not_there_cannot_be_framed(server: Server) -> None:
    for path in ("/g/none?embed", "/study/none?embed", "/puzzles/x/0?embed"):
        assert read_ancestors(server, path) == "'none'"


def test_a_framed_board_can_be_read_without_scripts(server: Server) -> None:
    game = server.make_for_persons("skirt", names=["Ann", "Bob"])
    page = server.client.get(f"/g/{game.id}?embed").text
    assert 'id="light-cell-' in page
    assert game.look()["words"] in page
    assert f'href="/g/{game.id}" target="_blank"' in page
    assert "<form" not in page
    assert "Resign" not in page


def test_a_theme_may_be_chosen_for_a_frame(server: Server) -> None:
    game = server.make_for_persons()
    assert 'data-fixed="dark"' in server.client.get(f"/g/{game.id}?embed&theme=dark").text
    assert "data-fixed" not in server.client.get(f"/g/{game.id}?embed").text
    assert server.client.get(f"/g/{game.id}?embed&theme=pink").status_code == 422
