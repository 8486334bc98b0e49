"""Studies: kept, changed by whoever may, taken elsewhere, and never damaged."""

import io
import json
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import skerry
from server.serving import PATIENCE, TINY, Host, LocalServer, Server
from skerry import records
from skerry.core.playthrough import Playthrough
from skerry.server.study.model import LARGEST_STUDY, MOST_ENTRIES, Study, edit, study_of
from skerry.server.workers.lanes import FILMS
from skerry.server.workers.pool import PoolJob, _Staff
from support.repeating import some_of

SMALL = {"side": 3}


def create(server: Host, **body: Any) -> dict[str, Any]:
    answer = server.client.post("/api/studies", json=body)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def look(server: Host, made: dict[str, Any]) -> dict[str, Any]:
    headers = {"X-Seat": made["secret"]}
    return dict(server.client.get(f"/api/studies/{made['id']}", headers=headers).json())


def change(server: Host, made: dict[str, Any], version: int, line: Any, **more: Any) -> Any:
    return server.client.put(
        f"/api/studies/{made['id']}",
        headers={"X-Seat": made["secret"]},
        json={"version": version, "line": line, **more},
    )


def play_whole_game() -> tuple[list[str], records.Record]:
    """A game on a small board, as its moves and as a record."""
    game = skerry.make("skew", **SMALL)
    state, moves = game.initial(), list[str]()
    while not state.is_over:
        legal = state.legal_moves()
        moves.append(str(legal[len(moves) % len(legal)]))
        state = state.play(moves[-1])
    return moves, records.Record.from_moves(game, moves=moves)


def race(server: Host) -> None:
    """Many change a study at once: one wins, and the others are told what stands now."""
    made = create(server, game="skew", options=SMALL)
    legal = [str(move) for move in skerry.make("skew", **SMALL).initial().legal_moves()][:8]
    with ThreadPoolExecutor(len(legal)) as pool:
        answers = list(pool.map(lambda move: change(server, made, 0, {"moves": [move]}), legal))
    (won,) = [answer for answer in answers if answer.status_code == 200]
    kept = look(server, made)
    assert kept["line"] == won.json()["line"]
    for answer in answers:
        if answer is not won:
            assert answer.status_code == 409
            assert answer.json()["study"]["line"] == kept["line"]


def test_what_can_be_imported_can_be_saved(server: Server) -> None:
    """The largest record that is taken comes back much larger, as a page saves it."""
    game = skerry.make("skaane", quiet_limit=5000)
    line, chance = Playthrough(game.initial(1)), Random(3)
    while line.plies < MOST_ENTRIES - 2:
        quiet = [move for move in line.state.legal_moves() if "x" not in str(move)]
        chance.shuffle(quiet)
        line = next(after for move in quiet if not (after := line.after(move)).state.is_over)
    record = records.Record.from_play(line, seed=1)
    text = records.write_text(record)
    assert 20_000 < len(text) < LARGEST_STUDY
    made = create(server, record=text)
    line_kept = look(server, made)["line"]
    assert len(json.dumps(line_kept)) > 2 * LARGEST_STUDY
    answer = change(server, made, 0, line_kept, title="x" * 80)
    assert answer.status_code == 200, answer.text
    assert answer.json()["line"] == line_kept
    much = {"comments": ["much to say " * 10_000], "moves": []}
    said = change(server, made, 1, {**much, "comments": much["comments"] * 8})
    assert said.status_code in (413, 422)


def test_a_film_ends_when_nobody_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, dropped = Event(), Event()
    begin, drop = _Staff.add, _Staff.drop

    def note_begin(self: _Staff, job: PoolJob) -> None:
        begin(self, job)
        if job.lane == FILMS:
            began.set()

    def note_drop(self: _Staff, job: PoolJob) -> None:
        ended = job._ended
        drop(self, job)
        if job.lane == FILMS and not ended:
            dropped.set()

    monkeypatch.setattr(_Staff, "add", note_begin)
    monkeypatch.setattr(_Staff, "drop", note_drop)
    moves, _ = play_whole_game()
    with LocalServer(tmp_path) as server:
        made = create(server, game="skew", options=SMALL)
        assert change(server, made, 0, {"moves": moves}).status_code == 200
        for method in ("GET", "POST"):
            began.clear()
            dropped.clear()
            with socket.create_connection(server.url.removeprefix("http://").split(":")) as line:
                path = f"/api/studies/{made['id']}/film.webp?width=640"
                line.sendall(f"{method} {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
                assert began.wait(PATIENCE)
            assert dropped.wait(PATIENCE), method


class TestMaking:
    @pytest.mark.parametrize("name", some_of(sorted(TINY), ["skew", "x"]))
    def test_from_a_game(self, server: Server, name: str) -> None:
        game = server.make_for_persons(name)
        while (seen := game.look())["to_move"] is not None:
            game.play()
        study = look(server, create(server, **{"from": game.id}))
        assert [ply["move"] for ply in study["line"]["moves"]] == [m["text"] for m in seen["moves"]]
        assert [ply["seat"] for ply in study["line"]["moves"]] == [m["seat"] for m in seen["moves"]]
        assert study["yours"]
        assert study["frame"]["result"] != "*"

    def test_from_a_record_as_text_and_json(self, server: Server) -> None:
        text = '[Game "skew"]\n[Options "side=3"]\n\n1. b2-ne {a start} (1. b3-w 2. b2-e) *\n'
        first = look(server, create(server, record=text))
        wanted = records.read(text)
        second = look(server, create(server, record=records.to_json(wanted)))
        assert first["line"] == second["line"]
        ply = first["line"]["moves"][0]
        assert (ply["move"], ply["turn"], ply["comments"]) == ("b2-ne", 1, ["a start"])
        assert [step["move"] for step in ply["variations"][0]["moves"]] == ["b3-w", "b2-e"]

    def test_from_a_position_and_from_another_study(self, server: Server) -> None:
        position = "2/1k/G1/2 w 0"
        made = create(server, game="skaane", options=TINY["skaane"], position=position)
        assert look(server, made)["start"] == position
        copy = create(server, study=made["id"])
        assert copy["id"] != made["id"]
        assert look(server, copy)["start"] == position

    @pytest.mark.parametrize(
        ("body", "status", "says"),
        [
            ({}, 422, "say what to study"),
            ({"from": "nowhere"}, 404, "no such game"),
            ({"study": "nowhere"}, 404, "no such study"),
            ({"record": "hello"}, 422, "line 1"),
            ({"record": '[Game "skew"]\n\n1. a1-ne 2. a1-ne *\n'}, 422, "move 1 'a1-ne'"),
            ({"record": {"format": "skerry-record", "version": 1}}, 422, "game"),
            ({"record": '{"format": "skerry-record"'}, 422, "line 1"),
            ({"game": "skew", "position": "nonsense"}, 422, "nonsense"),
            ({"record": "x" * 70_000}, 413, "bytes"),
            ({"record": {"moves": ["a1"] * (MOST_ENTRIES + 1)}}, 422, "at most"),
        ],
    )
    def test_what_is_wrong_is_said(
        self, server: Server, body: dict[str, Any], status: int, says: str
    ) -> None:
        answer = server.client.post("/api/studies", json=body)
        assert answer.status_code == status
        assert says in answer.json()["error"]


class TestChanging:
    def test_a_line_with_variations_and_comments_is_kept(self, server: Server) -> None:
        made = create(server, game="skew", options=SMALL)
        variation = {"comments": ["or"], "moves": [{"move": "b3-w", "comments": ["slower"]}]}
        line = {
            "comments": ["A study."],
            "moves": [{"move": "b2-ne", "comments": ["good"], "variations": [variation]}, "b3-w"],
        }
        answer = change(server, made, 0, line, title="  My\nstudy ")
        assert answer.status_code == 200, answer.text
        study = look(server, made)
        assert (study["version"], study["title"]) == (1, "My study")
        assert study["line"]["comments"] == ["A study."]
        first = study["line"]["moves"][0]
        assert first["comments"] == ["good"]
        assert first["variations"][0]["comments"] == ["or"]
        assert first["variations"][0]["moves"][0]["comments"] == ["slower"]
        # What the server sends can be sent back as it is.
        assert change(server, made, 1, study["line"]).status_code == 200
        assert look(server, made)["line"] == study["line"]

    def test_strangers_read_and_do_not_write(self, server: Server) -> None:
        made = create(server, game="skew", options=SMALL)
        seen = server.client.get(f"/api/studies/{made['id']}").json()
        assert not seen["yours"]
        body = {"version": 0, "line": {"moves": ["b2-ne"]}}
        for headers in ({}, {"X-Seat": "guess"}):
            answer = server.client.put(f"/api/studies/{made['id']}", headers=headers, json=body)
            assert answer.status_code == 403
        assert look(server, made)["line"]["moves"] == []

    @pytest.mark.parametrize(
        ("line", "says"),
        [
            ({"moves": ["b2-ne", "b2-ne"]}, "moves[1] 'b2-ne'"),
            ({"moves": [{"move": "b2-ne", "variations": [{"moves": []}]}]}, "at least one move"),
            ({"moves": [{"move": "b2-ne", "colour": "red"}]}, "unknown field"),
            ({"moves": "b2-ne"}, "a list"),
            ({}, "missing"),
            ({"moves": [], "comments": ["\ud800"]}, ""),
        ],
    )
    def test_damage_is_refused_and_named(self, server: Server, line: Any, says: str) -> None:
        made = create(server, game="skew", options=SMALL)
        answer = server.client.put(
            f"/api/studies/{made['id']}",
            headers={"X-Seat": made["secret"], "Content-Type": "application/json"},
            content=json.dumps({"version": 0, "line": line}),
        )
        assert answer.status_code == 422
        assert says in answer.json()["error"]
        assert look(server, made)["version"] == 0

    def test_of_many_at_once_one_wins_and_the_others_are_told(self, server: Server) -> None:
        race(server)

    def test_the_result_follows_the_main_line(self, server: Server) -> None:
        game = server.make_for_persons("skew")
        game.act("resign", 0)
        made = create(server, **{"from": game.id})
        resigned = look(server, made)["frame"]["result"]
        assert change(server, made, 0, {"moves": []}).json()["frame"]["result"] == resigned
        state = skerry.make("skew", **TINY["skew"]).initial()
        moves = []
        while not state.is_over:
            moves.append(str(state.legal_moves()[0]))
            state = state.play(moves[-1])
        seen = change(server, made, 1, {"moves": moves}).json()
        assert seen["frame"]["result"] == records.find_result(state)
        seen = change(server, made, 2, {"moves": moves[:-1]}).json()
        assert seen["frame"]["result"] == "*"


def test_a_study_survives_a_restart(tmp_path: Path) -> None:
    with LocalServer(tmp_path) as server:
        made = create(server, game="skew", options=SMALL)
        change(server, made, 0, {"moves": ["b2-ne"]})
    with LocalServer(tmp_path) as server:
        assert look(server, made)["line"]["moves"][0]["move"] == "b2-ne"


class TestForms:
    def test_record_text_and_json(self, server: Server) -> None:
        made = create(server, game="skew", options=SMALL)
        line = {
            "moves": [{"move": "b2-ne", "comments": ["so"], "variations": [{"moves": ["b3-w"]}]}]
        }
        change(server, made, 0, line)
        text = server.client.get(f"/api/studies/{made['id']}/record")
        content = server.client.get(f"/api/studies/{made['id']}/record.json")
        assert records.read(text.text) == records.read(content.text)
        assert "attachment" in text.headers["content-disposition"]
        again = look(server, create(server, record=text.text))
        assert again["line"] == look(server, made)["line"]

    @pytest.mark.parametrize("ending", ["gif", "webp"])
    @pytest.mark.parametrize("theme", ["light", "dark"])
    def test_films(self, server: Server, ending: str, theme: str) -> None:
        made = create(server, game="x", options=TINY["x"])
        change(server, made, 0, {"moves": ["a1", "b1"]})
        address = f"/api/studies/{made['id']}/film.{ending}?width=200&theme={theme}"
        answer = server.client.get(address)
        assert answer.status_code == 200, answer.text
        film = Image.open(io.BytesIO(answer.content))
        assert film.format == ending.upper()
        assert film.width == 200
        assert film.n_frames == 3  # type: ignore[attr-defined]

    def test_how_far_a_film_has_come_is_told(self, server: Server) -> None:
        made = create(server, game="x", options=TINY["x"])
        change(server, made, 0, {"moves": ["a1", "b1"]})
        asked = f"/api/studies/{made['id']}/film.gif?width=200&theme=dark%2Bwood"

        def prepare() -> list[dict[str, Any]]:
            with server.client.stream("POST", asked) as answer:
                assert answer.headers["content-encoding"] == "identity"
                return [json.loads(line) for line in answer.iter_lines()]

        *steps, last = prepare()
        assert [step["done"] for step in steps] == sorted({step["done"] for step in steps})
        assert steps[-1]["done"] == steps[-1]["of"] == 3
        assert last["error"] is None
        film = server.client.get(last["url"])
        assert Image.open(io.BytesIO(film.content)).format == "GIF"
        assert [step["done"] for step in prepare()] == [0], "it is there already"
        assert server.client.get(asked).content == film.content
        change(server, made, 1, {"moves": ["a1"]})
        assert server.client.get(asked).content != film.content

    def test_a_film_that_cannot_be_made(self, server: Server) -> None:
        made = create(server, game="x", options={"size": 19})
        state, moves = skerry.make("x", size=19).initial(), []
        while len(moves) <= 300:
            legal = state.legal_moves()
            moves.append(str(legal[17 * len(moves) % len(legal)]))  # all over the board
            state = state.play(moves[-1])
        assert change(server, made, 0, {"moves": moves}).status_code == 200
        with server.client.stream("POST", f"/api/studies/{made['id']}/film.gif") as answer:
            (last,) = [json.loads(line) for line in answer.iter_lines()]
        assert last["url"] is None
        assert "300 plies" in last["error"]
        assert server.client.post("/api/studies/none/film.gif").status_code == 404
        assert server.client.post(f"/api/studies/{made['id']}/film.mp4").status_code == 422

    @pytest.mark.parametrize("name", sorted(TINY))
    def test_pictures(self, server: Server, name: str) -> None:
        options = ",".join(f"{key}={value}" for key, value in TINY[name].items())
        state = skerry.make(name, **TINY[name]).initial(1)
        asked = {
            "game": name,
            "options": options,
            "start": state.position,
            "moves": str(state.legal_moves()[0]),
        }
        svg = server.client.get("/api/positions/board.svg", params=asked)
        assert svg.text.startswith("<svg")
        png = server.client.get("/api/positions/board.png", params={**asked, "width": 300})
        assert Image.open(io.BytesIO(png.content)).size[0] == 300
        assert server.client.get("/api/positions/board.gif", params=asked).status_code == 422
        wrong = server.client.get("/api/positions/board.svg", params={**asked, "options": "side"})
        assert wrong.status_code == 422


class TestSetup:
    def ask(self, server: Server, **body: Any) -> dict[str, Any]:
        body = {"game": "skaane", "options": TINY["skaane"], **body}
        answer = server.client.post("/api/positions/setup", json=body)
        return dict(answer.json())

    def test_pieces_are_shown_as_they_stand_on_the_board(self, server: Server) -> None:
        seen = self.ask(server, game="skew", options={"side": 3})
        empty, *pieces = seen["palette"]
        assert empty["svg"] is None
        assert len({piece["svg"] for piece in pieces}) == len(pieces), "leans differ, too"
        turned = {re.search(r'rotate\((\S+)\)"/></svg>', piece["svg"]) for piece in pieces}
        assert {found[1] for found in turned if found} == {"-60", "60", "-120", "120", "-180"}

    def test_what_seats_have_is_said(self, server: Server) -> None:
        seen = self.ask(server, game="skew", options={"side": 3, "pegs": 5})
        assert [seat["holding"] for seat in seen["seats"]] == ["0 scoring, 5 left"] * 2
        wrong = self.ask(server, position=seen["empty"])
        assert [seat["holding"] for seat in wrong.get("seats", [])] in ([], ["", ""])

    def test_a_position_is_put_together_cell_by_cell(self, server: Server) -> None:
        seen = self.ask(server)
        assert {entry["letter"] for entry in seen["palette"]} == set(".GKSUgksu")
        position = seen["empty"]
        for cell, letter in (("a2", "G"), ("b3", "k")):
            position = self.ask(server, position=position, put=[cell, letter])["position"]
        assert position.split()[0] == "2/1k/G1/2"
        seen = self.ask(server, position=position)
        assert seen["error"] is None
        assert 'id="piece-a2"' in seen["svg"]

    @pytest.mark.parametrize(
        ("position", "says"),
        [("2/1k/GG/2 w 0", "gods"), ("2/1k/G1/2 q 0", "no seat"), ("4/4 w 0", "rows are needed")],
    )
    def test_what_is_wrong_with_it_is_said(self, server: Server, position: str, says: str) -> None:
        assert says in self.ask(server, position=position)["error"]

    def test_what_cannot_be_put(self, server: Server) -> None:
        assert "no cell" in self.ask(server, put=["z9", "G"])["error"]
        assert "cannot stand" in self.ask(server, put=["a2", "Q"])["error"]


def lines(state: skerry.State, depth: int = 0) -> st.SearchStrategy[Any]:
    """Any line from a state, with comments and variations."""

    @st.composite
    def draw_line(draw: Any) -> dict[str, Any]:
        at, moves = state, []
        for _ in range(draw(st.integers(1, 4))):
            if at.is_over:
                break
            legal = at.legal_moves()
            move = legal[draw(st.integers(0, len(legal) - 1))]
            entry: dict[str, Any] = {"move": str(move)}
            if draw(st.booleans()):
                entry["comments"] = draw(st.lists(texts, max_size=2))
            if depth < 2 and draw(st.integers(0, 3)) == 0:
                entry["variations"] = draw(st.lists(lines(at, depth + 1), max_size=2))
            moves.append(entry)
            at = at.play(move)
        return {"comments": draw(st.lists(texts, max_size=1)), "moves": moves}

    return draw_line()


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


def bare(line: dict[str, Any]) -> dict[str, Any]:
    """A line without what a study adds, in long form."""
    return {
        "comments": list(line.get("comments", [])),
        "moves": [
            {
                "move": ply["move"],
                "comments": list(ply.get("comments", [])),
                "variations": [bare(variation) for variation in ply.get("variations", [])],
            }
            for ply in line["moves"]
        ],
    }


@settings(max_examples=60, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize("name", some_of(["skew", "skirt", "x"], ["skirt"]))
def test_whatever_is_edited_is_what_is_kept(name: str, data: st.DataObject) -> None:
    start = skerry.make(name, **TINY[name]).initial()
    study: Study = study_of(records.Record(start))
    for version in range(2):
        line = data.draw(lines(start))
        study = edit(study, version, line, None, now=version)
        assert bare(study.line) == bare(line)
        assert study.version == version + 1
        # The record is sound, and reads back from both of its forms.
        record = study.record
        assert study_of(records.read(records.write_text(record))).line == study.line
        assert study_of(records.from_json(records.to_json(record))).frame == study.frame
        assert [ply["seat"] for ply in study.line["moves"]] == [
            state.to_move for state in record.states()[:-1]
        ]
