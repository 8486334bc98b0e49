"""Solved boards over HTTP: the page in every language, and its pictures."""

import html
import re

import pytest

from server.serving import Server
from skerry.lab.solved import list_solved


def test_the_page_has_every_board(server: Server) -> None:
    page = html.unescape(server.client.get("/solved").text)
    for board in list_solved():
        assert f"<code>{board.name()}</code>" in page
    assert page.count('<li class="card">') == len(list_solved())
    assert "7 of 9 first moves: a2 a3 b1 b2 b3 c1 c2" in re.sub("</?span[^>]*>", "", page)
    assert "Nobody can force a win against all others" in page
    assert '<h2 id="skew">' in page, "where links of the game lead"


@pytest.mark.parametrize(
    ("language", "words"),
    [("de", ("Gelöste Bretter", "Schwarz gewinnt", "7 von 9")), ("ja", ("解かれた盤", "引き分け"))],
)
def test_it_is_said_in_other_languages(
    server: Server, language: str, words: tuple[str, ...]
) -> None:
    page = server.client.get("/solved", headers={"accept-language": language}).text
    assert all(word in page for word in words)


def test_games_and_reports_lead_there(server: Server) -> None:
    assert 'href="/solved#skew"' in server.client.get("/games/skew").text
    assert 'href="/solved"' in server.client.get("/reports").text
    assert 'href="/solved#x"' in server.client.get("/reports/x-8").text


def test_boards_are_drawn_with_their_best_moves(server: Server) -> None:
    page = server.client.get("/solved").text
    numbers = [int(n) for n in re.findall(r'src="/solved/x/(\d+)\.svg\?theme=light"', page)]
    assert numbers == list(range(1, 1 + sum(board.game == "x" for board in list_solved())))
    light, dark = (
        server.client.get("/solved/x/2.svg", params={"theme": theme}) for theme in ("light", "dark")
    )
    assert light.headers["content-type"].startswith("image/svg+xml")
    assert light.text.count("heat") >= 7
    assert light.text != dark.text
    again = server.client.get("/solved/x/2.svg", headers={"if-none-match": light.headers["etag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("path", ["/solved/chess/1.svg", "/solved/x/99.svg"])
def test_boards_that_nobody_solved_are_not_found(server: Server, path: str) -> None:
    answer = server.client.get(path)
    assert answer.status_code == 404
    assert "there is no such board" in answer.text
