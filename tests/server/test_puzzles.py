"""Puzzles over the web: shown, answered step by step, refuted, limited."""

import html
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

import skerry
from server.serving import Host, LocalServer, Server
from skerry.core.scene import Overlay
from skerry.server.settings import Settings
from skerry.server.web.errors import TooMany
from skerry.server.web.limits import Limits
from skerry.study.motifs import explain_motifs, list_motifs
from skerry.study.puzzles import Puzzle, load
from skerry.study.turns import list_turns


def last_of(name: str, turns: int) -> tuple[int, Puzzle]:
    """The last puzzle of so many turns, with its number."""
    return [(n, puzzle) for n, puzzle in enumerate(load(name), 1) if puzzle.turns == turns][-1]


def ask(server: Host, name: str, number: int, moves: list[str], **more: Any) -> httpx.Response:
    body = {"moves": moves, **more}
    return server.client.post(f"/api/puzzles/{name}/{number}/answer", json=body)


@pytest.mark.parametrize("name", skerry.GAMES)
def test_a_puzzle_is_shown(server: Server, name: str) -> None:
    number, puzzle = last_of(name, 2)
    seen = server.client.get(f"/api/puzzles/{name}/{number}?theme=dark").json()
    assert (seen["goal"], seen["start"]) == (puzzle.goal, puzzle.position)
    assert (seen["number"], seen["count"]) == (number, len(load(name)))
    assert seen["solution"] == list(puzzle.line)
    assert seen["seats"][seen["seat"]]["title"] == puzzle.game.seats[puzzle.seat]
    legal = [entry["move"] for entry in seen["board"]["legal"]]
    assert legal == [str(move) for move in puzzle.state.legal_moves()]
    assert seen["board"]["svg"].startswith("<svg")


@pytest.mark.parametrize("name", skerry.GAMES)
def test_a_puzzle_is_solved_turn_by_turn(server: Server, name: str) -> None:
    number, puzzle = last_of(name, 2)
    state, moves = puzzle.state, []
    own = [turn for turn, seat in seats_of(puzzle) if seat == puzzle.seat]
    for turn in own:
        moves += [str(move) for move in state.parse_turn(turn)]
        state = state.play(turn)
        seen = ask(server, name, number, moves).json()
        assert seen["right"]
        for step in seen["line"]:
            assert step["seat"] == state.to_move
            state = state.play(step["turn"])
            assert step["board"]["position"] == state.position
            moves.append(step["turn"])
        assert seen["solved"] == (turn == own[-1])
    assert seen["words"].startswith("Solved. ")
    assert state.outcome is not None
    assert state.outcome.winner == puzzle.seat


def seats_of(puzzle: Puzzle) -> list[tuple[str, int | None]]:
    """The turns of the solution with their seats."""
    state, turns = puzzle.state, []
    for turn in puzzle.line:
        turns.append((turn, state.to_move))
        state = state.play(turn)
    return turns


@pytest.mark.parametrize("name", skerry.GAMES)
def test_a_wrong_turn_is_refuted(server: Server, name: str) -> None:
    number, puzzle = last_of(name, 2)
    turn, state = next(found for found in list_turns(puzzle.state) if found[0] != puzzle.line[0])
    seen = ask(server, name, number, [turn], theme="dark").json()
    assert not seen["right"]
    assert not seen["solved"]
    assert seen["words"].startswith("No. ")
    assert seen["line"]
    for step in seen["line"]:
        assert step["seat"] == state.to_move
        state = state.play(step["turn"])
        assert step["board"]["position"] == state.position
        assert step["board"]["svg"].startswith("<svg")


def test_what_is_wrong_is_said(server: Server) -> None:
    number, puzzle = last_of("skirt", 1)
    pair = next(turn for turn, _ in list_turns(puzzle.state) if "-" in turn)
    for moves, says in (
        ([], "moves"),
        (["z9"], "z9"),
        ([pair.split("-")[0]], "an answer ends with a whole turn of"),
        (["a1"] * 65, "moves"),
    ):
        answer = ask(server, "skirt", number, moves)
        assert answer.status_code == 422
        assert says in answer.json()["error"]
    assert ask(server, "skirt", number, ["a1"], theme="pink").status_code == 422
    assert ask(server, "skirt", number, ["a1"], more="x").status_code == 422
    for path in ("chess/1", "skew/9999"):
        assert server.client.get(f"/api/puzzles/{path}").status_code == 404
    assert server.client.get("/api/puzzles/skew/0").status_code == 422


@pytest.mark.parametrize("name", skerry.GAMES)
def test_pages_tell_it_all(server: Server, name: str) -> None:
    overview = server.client.get("/puzzles")
    assert f'href="/puzzles/{name}"' in overview.text
    shelf = server.client.get(f"/puzzles/{name}")
    assert shelf.text.count("data-number=") == len(load(name))
    number, puzzle = last_of(name, 2)
    page = server.client.get(f"/puzzles/{name}/{number}")
    text = html.unescape(page.text)
    assert puzzle.goal in text
    assert all(f"<strong>{turn}</strong>" in text for turn in puzzle.line)
    last = server.client.get(f"/puzzles/{name}/{len(load(name))}")
    assert 'id="next" class="button" href="/puzzles"' in last.text


def test_a_theme_leads_from_puzzle_to_puzzle(server: Server) -> None:
    numbers = [n for n, found in enumerate(list_motifs("skirt"), 1) if "jump" in found]
    assert numbers != list(range(numbers[0], numbers[0] + len(numbers))), "others lie between"
    after = [f"/puzzles/skirt/{number}?about=jump" for number in numbers[1:]] + ["/puzzles/skirt"]
    for number, following in zip(numbers, after, strict=True):
        page = server.client.get(f"/puzzles/skirt/{number}?about=jump").text
        assert f'id="next" class="button" href="{following}"' in page


def test_there_is_no_page_without_a_puzzle(server: Server) -> None:
    accept = {"accept": "text/html"}
    for path in ("/puzzles/chess", "/puzzles/chess/1", "/puzzles/x/9999"):
        answer = server.client.get(path, headers=accept)
        assert answer.status_code == 404
        assert "Error 404</p>" in answer.text


def test_answers_are_limited(tmp_path: Path) -> None:
    with LocalServer(tmp_path, moves=2) as server:
        codes = [ask(server, "skaane", 9999, ["a1-a2"]).status_code for _ in range(3)]
    assert codes == [404, 404, 429]


def test_so_many_answers_are_judged_at_once() -> None:
    judged = Limits(Settings(thinking=2)).shares["judged"]
    with judged.hold("ann"), judged.hold("ann"):
        with pytest.raises(TooMany, match="wait for one of them"), judged.hold("ann"):
            pass
        with judged.hold("bob"):
            pass
    with judged.hold("ann"):
        pass


class TestThemes:
    def test_lists_are_filtered_by_what_puzzles_are_about(self, server: Server) -> None:
        for name in skerry.GAMES:
            for theme in explain_motifs(name):
                page = server.client.get(f"/puzzles/{name}", params={"about": theme}).text
                shown = {int(number) for number in re.findall(r'data-number="(\d+)"', page)}
                wanted = {n for n, found in enumerate(list_motifs(name), 1) if theme in found}
                assert shown == wanted

    def test_all_are_shown_unless_asked(self, server: Server) -> None:
        page = server.client.get("/puzzles/skirt").text
        assert len(re.findall(r'data-number="\d+"', page)) == len(load("skirt"))
        for theme in explain_motifs("skirt"):
            assert f"about={quote(theme)}" in page

    def test_a_theme_that_there_is_not(self, server: Server) -> None:
        for path in ("/puzzles/skirt", "/puzzles/skirt/1"):
            answer = server.client.get(path, params={"about": "checkmate"})
            assert answer.status_code == 404
            assert "jump" in answer.json()["error"]

    def test_a_puzzle_says_its_themes(self, server: Server) -> None:
        seen = server.client.get("/api/puzzles/skirt/1").json()
        assert seen["themes"] == list(list_motifs("skirt")[0])


@pytest.mark.parametrize("name", skerry.GAMES)
def test_what_counts_is_said_and_drawn_as_in_games(server: Server, name: str) -> None:
    number, puzzle = last_of(name, 2)
    seen = server.client.get(f"/api/puzzles/{name}/{number}").json()["board"]
    assert seen["holdings"] == list(puzzle.game.view.holdings(puzzle.state))
    trial = {"game": name, "options": puzzle.game.options, "start": puzzle.position}
    drawn = {
        live: server.client.post("/api/positions", json={**trial, "live": live}).json()["svg"]
        for live in (True, False)
    }
    assert seen["svg"] == drawn[True]
    counts = puzzle.state.overlay("standing") != Overlay()
    assert (drawn[True] != drawn[False]) == counts
    page = server.client.get(f"/puzzles/{name}/{number}").text
    for words in (*seen["holdings"], puzzle.game.view.goal):
        assert html.escape(words) in page
