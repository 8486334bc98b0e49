"""The pages of the games, and pages that are asked for their headers alone."""

import pytest

from server.serving import Server
from skerry.games import GAMES, kind


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_page_that_leads_everywhere(server: Server, name: str) -> None:
    answer = server.client.get(f"/games/{name}")
    assert answer.status_code == 200
    page, game = answer.text, kind(name)
    assert f"<h1>{game.title}</h1>" in page
    assert game.summary in page
    assert game.credit in page
    for path in (
        f"/rules/{name}", f"/puzzles/{name}", f"/study?game={name}", f"/archive?game={name}",
        f"/ladder/{name}",
    ):  # fmt: skip
        assert f'href="{path}"' in page
        assert server.client.get(path).status_code == 200


def test_a_game_that_is_none_has_no_page(server: Server) -> None:
    answer = server.client.get("/games/chess", headers={"accept": "text/html"})
    assert answer.status_code == 404


def test_the_menu_leads_to_the_pages_of_the_games(server: Server) -> None:
    page = server.client.get("/archive").text
    assert all(f'href="/games/{name}">{kind(name).title}</a>' in page for name in GAMES)


@pytest.mark.parametrize("path", ["/", "/games/skew", "/archive", "/puzzles/x/1"])
def test_a_page_can_be_asked_for_its_headers_alone(server: Server, path: str) -> None:
    """The fault: HEAD / was answered 405."""
    answer = server.client.head(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.content == b""


def test_the_api_has_no_use_for_that(server: Server) -> None:
    assert server.client.head("/api/games").status_code == 405
    assert server.client.head("/nowhere").status_code == 404
