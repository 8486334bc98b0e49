"""The puzzle of today, boards of puzzles, and ladders before anybody has played."""

from pathlib import Path

from server.serving import LocalServer, Server
from skerry.study import puzzles


def test_today_has_a_puzzle(server: Server) -> None:
    answer = server.client.get("/puzzles/daily", follow_redirects=False)
    assert answer.status_code == 307
    target = answer.headers["location"]
    assert target == server.client.get("/puzzles/daily").headers["location"]
    assert server.client.get(target).status_code == 200
    start = server.client.get("/").text
    assert 'href="/puzzles/daily"' in start
    assert f"{target}/board.svg?theme=light" in start


def test_puzzles_are_listed_with_their_boards(server: Server) -> None:
    page = server.client.get("/puzzles/skew").text
    for number in range(1, len(puzzles.load("skew")) + 1):
        assert f'src="/puzzles/skew/{number}/board.svg?theme=dark"' in page
    drawn = server.client.get("/puzzles/skew/1/board.svg?theme=dark")
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert drawn.text.startswith("<svg ")
    assert server.client.get("/puzzles/skew/9999/board.svg").status_code == 404


def test_a_new_ladder_shows_what_was_measured_beforehand(tmp_path: Path) -> None:
    with LocalServer(tmp_path) as server:
        page = server.client.get("/ladder/skew").text
    assert page.count('<tr class="level">') == 10
    assert '2557 <span class="soft">± 441</span>' in page
    assert page.index("2557 <") < page.index("1200 <")
    assert page.count('title="provisional"') == 1  # level 10, of which only a bound is known


def test_a_new_server_has_something_to_say(tmp_path: Path) -> None:
    with LocalServer(tmp_path) as server:
        ladders = server.client.get("/ladder").text
        ladder = server.client.get("/ladder/x").text
        archive = server.client.get("/archive").text
        filtered = server.client.get("/archive?game=x").text
    assert "level 9, 2557 ± 441" in ladders
    # Two levels that were measured alike are in the order of levels.
    places = [ladder.index(f">level {level}<") for level in range(10, 0, -1)]
    assert places == sorted(places)
    assert "Nobody has finished a public game here yet" in archive
    assert "No game fits" in filtered
