"""Answers planned by letter: what is played for whom, what stays secret, and what is dropped."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

import skerry
from server.serving import Game, Host, LocalServer, Server
from skerry.server.play.clocks import Clock
from skerry.server.play.conditions.lines import MOST_LINES, Conditions, follow, read_conditions
from skerry.server.play.deeds import move, play
from skerry.server.play.table import PERSON, Seat, Table
from skerry.server.web.errors import Refusal

BY_DAYS = {"kind": "days", "days": 3}


def texts(lines: list[list[dict[str, Any]]]) -> list[list[str]]:
    return [[ply["text"] for ply in line] for line in lines]


def plan(game: Game, seat: int, *lines: str) -> None:
    """Plan lines of moves between spaces for a seat."""
    version = game.look()["version"]
    body = {"version": version, "lines": [line.split() for line in lines]}
    path = f"{game.path}/conditions"
    answer = game.server.client.put(path, headers=game.header(seat), json=body)
    assert answer.status_code == 200, answer.text


def planned(game: Game, seat: int) -> list[list[str]]:
    answer = game.server.client.get(f"{game.path}/conditions", headers=game.header(seat))
    assert answer.status_code == 200, answer.text
    return texts(answer.json()["lines"])


def played(game: Game) -> list[str]:
    return [ply["text"] for ply in game.look()["moves"]]


def make_table(name: str, clock: Clock | None = None, **options: int) -> Table:
    game = skerry.make(name, **options)
    seats = tuple(Seat(PERSON, title, f"{title} knows", True) for title in game.seats)
    return Table("game", game.initial(1), seats, 0, 0, 0, clock=clock, began=0)


class TestLines:
    """Without a server: a table, what seats plan, and the table that comes of it."""

    def test_a_whole_line_is_followed(self) -> None:
        table = make_table("x", size=3)
        a = read_conditions(table, 1, [["a1", "b1"]])
        after = follow(play(table, [_action(table, "a1")], 5), {1: a}, 5)
        assert after.line.texts == ("a1", "b1")
        assert after.version == table.version + 1, "an answer is a part of the change"
        assert [ply.spent for ply in after.plies] == [0, 0]

    def test_all_others_are_waited_for(self) -> None:
        """Of three seats the first plans: both others move before it does."""
        table = move(make_table("x", size=3), frozenset({0}), "a1", 0)
        planned = {0: read_conditions(table, 0, [["b1", "c1", "a2"], ["b1", "b2", "c2"]])}
        second = follow(play(table, [_action(table, "b1")], 1), planned, 1)
        assert second.line.texts == ("a1", "b1")
        third = follow(play(second, [_action(second, "b2")], 2), planned, 2)
        assert third.line.texts == ("a1", "b1", "b2", "c2")

    def test_plans_answer_each_other(self) -> None:
        table = make_table("x", size=3)
        planned = {
            1: read_conditions(table, 1, [["a1", "b1", "c1", "a2", "b2"]]),
            2: read_conditions(table, 2, [["a1", "b1", "c1"]]),
        }
        after = follow(play(table, [_action(table, "a1")], 5), planned, 5)
        assert after.line.texts == ("a1", "b1", "c1")
        assert after.to_move == 0
        again = follow(play(after, [_action(after, "a2")], 6), planned, 6)
        assert again.line.texts == ("a1", "b1", "c1", "a2", "b2")

    def test_a_turn_of_two_actions_is_answered_by_one_of_two(self) -> None:
        table = move(make_table("skirt", side=3), frozenset({0}), "a1", 0)
        outer = "a3"
        begun = table.line.follow([outer])
        assert begun.state.to_move == 1, "an inner hex is due"
        inner = str(begun.state.legal_moves()[0])
        state = begun.follow([inner]).state
        reply = [str(state.legal_moves()[0])]
        if state.play(reply[0]).to_move == 0:
            reply.append(str(state.play(reply[0]).legal_moves()[0]))
        planned = {0: read_conditions(table, 0, [[outer, inner, *reply]])}
        half = follow(play(table, [_action(table, outer)], 1), planned, 1)
        assert half.line.texts == ("a1", outer)
        whole = follow(play(half, [_action(half, inner)], 2), planned, 2)
        assert whole.line.texts == ("a1", outer, inner, *reply)
        assert len(reply) == 2

    def test_a_plan_may_win(self) -> None:
        game = skerry.make("skaane", width=2, height=4, gods=1, kings=1, serfs=1, suns=1)
        start = game.position("2/G1/1k/2 b 0")
        seats = (Seat(PERSON, "Ann", "a", True), Seat(PERSON, "Bea", "b", True))
        table = Table("game", start, seats, 0, 0, 0)
        planned = {0: read_conditions(table, 0, [["b2-a2", "a3-a4"]])}
        after = follow(play(table, [_action(table, "b2-a2")], 1), planned, 1)
        assert after.is_over
        assert after.finished == 1

    def test_an_offer_is_not_passed_over(self) -> None:
        table = make_table("skew", side=2)
        first, second = (str(m) for m in table.state.legal_moves()[:2])
        reply = str(table.state.play(first).legal_moves()[0])
        planned = {1: read_conditions(table, 1, [[first, reply]])}
        offered = replace(play(table, [_action(table, first)], 1), draw=0)
        assert follow(offered, planned, 1) is offered
        other = play(table, [_action(table, second)], 1)
        assert follow(other, planned, 1) is other

    def test_nothing_illegal_is_played(self) -> None:
        """Rules may have been mended between a plan and the move that it waits for."""
        table = play(make_table("x", size=3), [0], 0)
        broken = {1: Conditions(1, 0, ((0, 0),)), 2: Conditions(2, 0, ((0, 99),))}
        assert follow(table, broken, 1) is table

    def test_a_seat_gives_one_answer(self) -> None:
        table = make_table("x", size=3)
        with pytest.raises(Refusal, match="line 2: c1 is a second answer beside b1"):
            read_conditions(table, 1, [["a1", "b1"], ["a1", "c1"]])
        found = read_conditions(
            table, 1, [["a1", "b1"], ["a1", "b1", "c1", "a2", "b2"], ["a1", "b1"]]
        )
        assert len(found.lines) == 1, "a line that another one goes on from is a part of it"

    @pytest.mark.parametrize(
        ("seat", "lines", "words"),
        [
            (0, [["a1"]], "it is your turn"),
            (1, [["a1"]], "a line ends with an answer of Yellow"),
            (1, [[]], "a line ends with an answer of Yellow"),
            (1, [["a1", "a1"]], "line 1: "),
            (1, [["a1", "b1"], ["zz", "b1"]], "line 2: "),
            (1, [["a1", "b1"]] * (MOST_LINES + 1), "at most 50 lines"),
        ],
    )
    def test_what_cannot_be_planned_is_said(
        self, seat: int, lines: list[list[str]], words: str
    ) -> None:
        with pytest.raises(Refusal, match=words):
            read_conditions(make_table("x", size=3), seat, lines)

    def test_plans_are_for_slow_games(self) -> None:
        with pytest.raises(Refusal, match="by days for a move, or without a clock"):
            read_conditions(make_table("x", Clock("total", 60), size=3), 1, [["a1", "b1"]])
        read_conditions(make_table("x", Clock("days", 3), size=3), 1, [["a1", "b1"]])


def _action(table: Table, text: str) -> int:
    (found,) = table.state.parse_turn(text)
    return int(found)


@pytest.fixture
def game(server: Server) -> Game:
    return server.make_for_persons("x", options={"size": 3}, clock=BY_DAYS)


class TestApi:
    def test_an_answer_is_played_at_once(self, game: Game) -> None:
        plan(game, 1, "a1 b1 c1 a2 b2", "a2 b2")
        assert planned(game, 1) == [["a1", "b1", "c1", "a2", "b2"], ["a2", "b2"]]
        answer = game.play("a1")
        assert [ply["text"] for ply in answer["moves"]] == ["a1", "b1"]
        assert (answer["to_move"], answer["version"]) == (2, 1)
        assert planned(game, 1) == [["c1", "a2", "b2"]]
        game.play("c1")
        game.play("a2")
        assert played(game) == ["a1", "b1", "c1", "a2", "b2"]
        assert planned(game, 1) == []

    def test_engines_are_answered_too(self, server: Server) -> None:
        options = {"size": 3}
        game = server.make("x", options=options, seats=["person", "level:1", "person"])
        state = skerry.make("x", **options).initial().play("a1")
        lines = [f"a1 {move} {state.play(move).legal_moves()[0]}" for move in state.legal_moves()]
        plan(game, 2, *lines)
        game.play("a1")
        assert game.until(lambda seen: seen["ply"] == 3)["to_move"] == 0

    def test_leaving_all_lines_drops_them(self, game: Game) -> None:
        plan(game, 1, "a1 b1 c1 a2 b2")
        plan(game, 2, "a1 b1 c3")
        game.play("a1")
        assert played(game) == ["a1", "b1", "c3"]
        assert planned(game, 1) == planned(game, 2) == []

    def test_taking_back_drops_them(self, server: Server) -> None:
        game = server.make_for_persons("x", options={"size": 3})
        game.play("a1")
        plan(game, 0, "b1 c1 a2", "b2 c1 a2")
        game.play("b1")
        assert planned(game, 0) == [["c1", "a2"]]
        game.act("ask-takeback", 1)
        for seat in (0, 2):
            game.act("accept-takeback", seat)
        assert played(game) == ["a1"]
        assert planned(game, 0) == []

    def test_somebody_who_leaves_leaves_no_plans(self, game: Game) -> None:
        game.play("c3")
        plan(game, 2, "b1 b2")
        plan(game, 0, "b1 b2 c1")
        game.act("resign", 2)  # an engine takes the seat
        answer = game.server.client.get(f"{game.path}/conditions", headers=game.header(2))
        assert answer.status_code == 401
        assert planned(game, 0) == [["b1", "b2", "c1"]]

    def test_the_end_drops_them(self, server: Server) -> None:
        game = server.make_for_persons()
        legal = [move["move"] for move in game.look()["legal"]]
        plan(game, 1, f"{legal[0]} {legal[-1]}")
        game.act("resign", 0)
        assert planned(game, 1) == []

    def test_a_new_link_and_swapped_seats_drop_them(self, server: Server) -> None:
        game = server.make_for_persons(swap=True)
        legal = [move["move"] for move in game.look()["legal"]]
        plan(game, 1, f"{legal[0]} {legal[-1]}")
        game.secrets[1] = game.post("revoke", 0, seat=1).json()["secret"]
        assert planned(game, 1) == []
        game.play(legal[0])
        plan(game, 0, f"{legal[-1]} {legal[8]}")
        game.act("swap", 1)
        assert planned(game, 0) == planned(game, 1) == []

    def test_nobody_else_learns_of_them(self, game: Game) -> None:
        before = {seat: game.look(seat) for seat in (0, 2)}
        plan(game, 1, "a1 b1")
        for seat, seen in before.items():
            after = game.look(seat)
            assert {**after, "clock": None} == {**seen, "clock": None}
            assert planned(game, seat) == []
        stranger = game.server.client.get(f"{game.path}/conditions")
        assert stranger.status_code == 401
        other = game.server.client.get(f"{game.path}/conditions?seat=1", headers=game.header(0))
        assert other.status_code == 403

    def test_they_are_replaced_and_deleted(self, game: Game) -> None:
        plan(game, 1, "a1 b1")
        plan(game, 1, "a2 b2")
        assert planned(game, 1) == [["a2", "b2"]]
        gone = game.server.client.delete(f"{game.path}/conditions", headers=game.header(1))
        assert gone.json() == {"seat": 1, "ply": 0, "lines": []}
        game.play("a2")
        assert played(game) == ["a2"]

    def test_a_plan_for_another_position_is_refused_with_the_game(self, game: Game) -> None:
        version = game.look()["version"]
        game.play("c3")
        body = {"version": version, "lines": [["a1", "b1"]]}
        path = f"{game.path}/conditions"
        answer = game.server.client.put(path, headers=game.header(1), json=body)
        assert answer.status_code == 409
        assert answer.json()["game"]["ply"] == 1

    def test_whoever_holds_several_seats_says_which(self, game: Game) -> None:
        game.play("c3")
        body = {"version": game.look()["version"], "lines": [["a1", "b1", "c1"]]}
        header = game.header(0, 2)
        path = f"{game.path}/conditions"
        answer = game.server.client.put(f"{path}?seat=0", headers=header, json=body)
        assert answer.json()["seat"] == 0
        wrong = game.server.client.put(f"{path}?seat=2", headers=header, json=body)
        assert wrong.status_code == 422


def race_with_a_plan(host: Host) -> None:
    """Either the plan comes first and is played, or it is told that it came too late."""

    async def race(game: Game) -> tuple[int, int]:
        async with httpx.AsyncClient(base_url=host.url, timeout=60) as client:
            body: dict[str, Any] = {"version": 0, "lines": [["a1", "b1"]]}
            made = {"version": 0, "move": "a1"}
            path = game.path
            answers = await asyncio.gather(
                client.put(f"{path}/conditions", headers=game.header(1), json=body),
                client.post(f"{path}/moves", headers=game.header(0), json=made),
            )
        return answers[0].status_code, answers[1].status_code

    for _ in range(12):
        game = host.make_for_persons("x", options={"size": 3})
        kept, moved = asyncio.run(race(game))
        assert moved == 200
        assert (kept, played(game)) in ((200, ["a1", "b1"]), (409, ["a1"]))
        assert planned(game, 1) == []


def race_for_an_answer(host: Host) -> None:
    """The same seat in two windows: one move is made, and its answer with it."""

    async def race(game: Game) -> list[int]:
        async with httpx.AsyncClient(base_url=host.url, timeout=60) as client:
            posts = (
                client.post(
                    f"{game.path}/moves",
                    headers=game.header(0),
                    json={"version": 0, "move": move},
                )
                for move in ("a1", "a2", "a1", "a2")
            )
            return [answer.status_code for answer in await asyncio.gather(*posts)]

    game = host.make_for_persons("x", options={"size": 3})
    plan(game, 1, "a1 b1", "a2 b2")
    plan(game, 2, "a1 b1 c1", "a2 b2 c2")
    assert sorted(asyncio.run(race(game))) == [200, 409, 409, 409]
    assert played(game) in (["a1", "b1", "c1"], ["a2", "b2", "c2"])


def test_a_move_and_a_plan_at_once_lose_nothing(server: Server) -> None:
    race_with_a_plan(server)


def test_of_two_who_move_one_is_answered_once(server: Server) -> None:
    race_for_an_answer(server)


def test_plans_outlast_the_server(tmp_path: Path) -> None:
    with LocalServer(tmp_path) as server:
        game = server.make_for_persons("x", options={"size": 3})
        plan(game, 1, "a1 b1")
    with LocalServer(tmp_path) as server:
        again = Game(server, game.id, game.secrets)
        again.play("a1")
        assert played(again) == ["a1", "b1"]
