"""Boards on which anybody tries things: the answer to moves that are kept nowhere."""

from typing import Any

import httpx
import pytest

import skerry
from server.serving import TINY, Server
from skerry.core.errors import SkerryError
from skerry.server.positions.trials import Trials
from support.repeating import some_of


def ask(server: Server, game: str, what: str = "", **content: Any) -> httpx.Response:
    body = {"game": game, "options": TINY[game], **content}
    return server.client.post(f"/api/positions{what}", json=body)


@pytest.mark.parametrize("name", some_of(sorted(TINY), ["skew", "x"]))
def test_a_whole_game_is_tried_move_by_move(server: Server, name: str) -> None:
    state = skerry.make(name, **TINY[name]).initial(1)
    start, moves = state.position, []
    seen = ask(server, name, seed=1).json()
    assert seen["start"] == start
    assert [seat["title"] for seat in seen["seats"]] == list(state.game.seats)
    while not state.is_over:
        assert [entry["move"] for entry in seen["legal"]] == [str(m) for m in state.legal_moves()]
        ahead = ask(server, name, "/preview", seed=1, moves=moves, path=seen["legal"][-1]["path"])
        assert ahead.json()["complete"]
        moves.append(seen["legal"][-1]["move"])
        state = state.play(moves[-1])
        # It makes no difference whether the deal is told by its seed or as a position.
        by_text = ask(server, name, start=start, moves=moves).json()
        seen = ask(server, name, seed=1, moves=moves).json()
        assert seen == by_text
        assert seen["position"] == state.position
    assert seen["outcome"]["reason"] == seen["words"] == state.outcome.reason
    assert ask(server, name, "/preview", seed=1, moves=moves, path=["a1"]).status_code == 422


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"moves": ["a1-ne", "a1-ne"]}, "already holds a peg"),
        ({"moves": ["a1-ne", "a1-ne", "b1-e"]}, "move 2: "),
        ({"moves": ["z9-ne"]}, "z9"),
        ({"start": "nonsense"}, "nonsense"),
        ({"options": {"side": 99}}, "side"),
        ({"theme": "pink"}, "there is no theme"),
        ({"overlay": "halo"}, "halo"),
        ({"moves": ["a1-ne"] * 2001}, "2000"),
        ({"move": "a1-ne"}, "move"),
    ],
)
def test_what_is_wrong_is_said(server: Server, content: dict[str, Any], says: str) -> None:
    answer = ask(server, "skew", **content)
    assert answer.status_code == 422
    assert says in answer.json()["error"]


def test_a_turn_may_be_written_as_one_move(server: Server) -> None:
    moves: list[str] = []
    while True:
        seen = ask(server, "skirt", options={"side": 3}, moves=moves).json()
        first = seen["legal"][0]["move"]
        then = ask(server, "skirt", options={"side": 3}, moves=[*moves, first]).json()
        if then["to_move"] == seen["to_move"]:
            break
        moves.append(first)
    turn = [first, then["legal"][0]["move"]]
    apart = ask(server, "skirt", options={"side": 3}, moves=moves + turn).json()
    together = ask(server, "skirt", options={"side": 3}, moves=[*moves, "-".join(turn)]).json()
    assert together == apart


def test_known_lines_are_bounded_and_never_wrong() -> None:
    game = skerry.make("skew", side=2)
    trials, start = Trials(kept=100), game.initial()
    wanted = [str(move) for move in start.legal_moves()]
    for first in wanted:
        after = start.play(first)
        for second in after.legal_moves():
            assert trials.find(start, [first, str(second)]).state == after.play(second)
    assert trials._known.weight <= 100
    assert len(trials._known) == 100 // 3  # each has two plies, and weighs three
    with pytest.raises(SkerryError):
        trials.find(start, [wanted[0], wanted[0]])
    assert trials.find(start, [wanted[0]]).state == start.play(wanted[0])


@pytest.mark.parametrize(
    "query",
    [
        {"moves": "a" * 101},
        {"moves": "a," * 2001},
        {"options": ",".join(f"o{n}=1" for n in range(33))},
    ],
)
def test_pictures_of_too_much_are_refused(server: Server, query: dict[str, str]) -> None:
    answer = server.client.get("/api/positions/board.svg", params={"game": "skew", **query})
    assert answer.status_code == 422
    assert set(answer.json()) == {"error"}
