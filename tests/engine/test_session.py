"""The engine as other programs meet it: a process with pipes."""

import os
import signal
import struct
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import skerry
from skerry.protocol.queries import LONGEST_LINE
from skerry.search.engine import best_net
from support.running import PLAIN_TERMINAL, complaints
from support.session import PATIENCE, Session

if sys.platform == "linux":
    import fcntl
    import termios

SMALL = {"game": "x", "options": {"size": 3}}
ENDLESS = {**SMALL, "options": {"size": 7}, "simulations": 10**12}


@pytest.fixture(scope="module")
def engine() -> Iterator[Session]:
    """One for all tests that leave it as they found it: with nothing more to say."""
    with Session("--workers", "2") as engine:
        yield engine
        assert engine.end() == ([], "", 0)


def test_an_answer_is_what_the_library_finds(engine: Session) -> None:
    state = skerry.make("skirt", side=3).initial().play("a1").play("a2-b3")
    net = best_net(state.game)
    found = skerry.analyse(state, simulations=300, seed=5, threads=2, net=net)
    query = {"game": "Skirt", "options": {"side": 3}, "moves": ["a1", "a2-b3"]}
    engine.send({"id": "q", **query, "simulations": 300, "seed": 5, "threads": 2, "top": 3})
    answer = engine.hear()
    assert (answer["id"], answer["turn"], answer["final"], answer["stopped"]) == (
        "q",
        2,
        True,
        False,
    )
    assert answer["position"] == state.position
    assert answer["seat"] == "White"
    assert answer["values"] == [round(value, 4) for value in found.values]
    assert answer["best"] == str(found.best)
    assert answer["pv"] == [str(move) for move in found.pv]
    assert [move["visits"] for move in answer["moves"]] == [move.visits for move in found.moves[:3]]


def test_turns_of_a_line_to_its_end(engine: Session) -> None:
    moves = ["b1-e", "a1-w"]
    game = {"game": "skew", "options": {"side": 2, "pegs": 1}}
    engine.send({"id": "q", **game, "moves": moves, "turns": [2, 0, 1], "simulations": 50})
    by_turn = {answer["turn"]: answer for answer in (engine.hear() for _ in range(3))}
    assert sorted(by_turn) == [0, 1, 2]
    state = skerry.make("skew", side=2, pegs=1).initial()
    assert by_turn[0]["position"] == state.position
    assert state.play("b1-e").outcome is None
    end = by_turn[2]
    assert (end["best"], end["moves"], end["proven"], end["seat"]) == (None, [], True, None)
    assert end["values"] == [1.0, -1.0]
    assert "First wins" in end["reason"]


def test_starts(engine: Session) -> None:
    deal = skerry.make("skaane").initial(7)
    for name, start in (("seed", {"seed": 7}), ("text", deal.position)):
        engine.send({"id": name, "game": "skaane", "start": start, "simulations": 2})
    assert [engine.hear()["position"] for _ in range(2)] == [deal.position] * 2


def test_short_queries_overtake_long_ones_and_a_stop_gets_its_final_answer(engine: Session) -> None:
    engine.send({"id": "long", **ENDLESS, "report_every": 0.02, "top": 1})
    heard = engine.hear_until(id="long", final=False)
    for number in range(5):
        engine.send({"id": f"short {number}", **SMALL, "simulations": 20})
    heard += engine.hear_until(id="short 4")
    stop = {"id": "end", "action": "stop", "of": "long"}
    engine.send(stop)
    heard += engine.hear_until(id="long", final=True)
    final = heard[-1]
    assert final["stopped"]
    assert final["best"] == final["moves"][0]["move"]
    counts = [answer["simulations"] for answer in heard if answer["id"] == "long"]
    assert counts == sorted(counts)
    assert len(counts) >= 2
    if not any(answer["id"] == "end" for answer in heard):
        heard.append(engine.hear())
    assert [answer for answer in heard if answer["id"] == "end"] == [{**stop, "stopped": 1}]


def test_games_and_version(engine: Session) -> None:
    engine.send({"id": "g", "action": "list_games"})
    engine.send({"id": "v", "action": "version"})
    games, version = engine.hear(), engine.hear()
    assert [game["name"] for game in games["games"]] == list(skerry.GAMES)
    assert games["games"][0]["options"][0].keys() == {"name", "default", "low", "high", "meaning"}
    assert version == {"id": "v", "action": "version", "version": skerry.__version__, "protocol": 1}


def test_an_unknown_action_is_named_whatever_comes_with_it(engine: Session) -> None:
    engine.send({"id": "t", "action": "terminate", "terminateId": "q"})
    answer = engine.hear()
    assert (answer["id"], answer["field"]) == ("t", "action")
    assert "there is no action 'terminate'" in answer["error"]


def test_a_line_that_is_too_long_is_skipped_in_bounded_memory(engine: Session) -> None:
    for _ in range(40):
        engine.send_bytes(b"[" * LONGEST_LINE)
    engine.send_bytes(b"\n")
    assert "longer than" in engine.hear()["error"]
    engine.send({"id": "q", **SMALL, "simulations": 1})
    assert engine.hear()["id"] == "q"


def test_what_waits_is_stopped_at_once_and_its_id_is_free() -> None:
    with Session("--workers", "1") as engine:
        engine.send({"id": "long", **ENDLESS, "report_every": 0.02, "top": 1})
        engine.hear()
        engine.send({"id": "next", **SMALL, "moves": ["a1"], "turns": [0, 1]})
        engine.send({"id": "s", "action": "stop", "of": "next"})
        heard = [answer for answer in engine.hear_until(id="s") if answer["id"] == "next"]
        assert heard == [
            {"id": "next", "turn": turn, "final": True, "stopped": True, "simulations": 0}
            for turn in (0, 1)
        ]
        engine.send({"id": "next", **SMALL, "simulations": 5})
        engine.send({"id": "s", "action": "stop", "of": "long"})
        (final,) = [a for a in engine.hear_until(id="next") if a["id"] == "next"]
        assert final["simulations"] == 5
        engine.send({"id": "s", "action": "stop", "of": "nobody"})
        assert engine.hear()["stopped"] == 0


@pytest.mark.soak
def test_many_queries_at_once_get_one_final_answer_each() -> None:
    with Session("--workers", "3") as engine:
        for number in range(100):
            engine.send({"id": str(number), **SMALL, "simulations": 1 + number % 7, "seed": number})
        answers, complaint, code = engine.end()
    assert (code, complaints(complaint)) == (0, [])
    assert Counter(answer["id"] for answer in answers) == {str(number): 1 for number in range(100)}
    assert all(answer["simulations"] == 1 + int(answer["id"]) % 7 for answer in answers)


@pytest.mark.soak
def test_a_full_queue_is_busy_and_an_id_is_used_once_at_a_time() -> None:
    with Session("--workers", "1", "--queue", "2") as engine:
        for name in ("a", "b", "c", "b"):
            engine.send({"id": name, **ENDLESS})
        refused = [engine.hear(), engine.hear()]
        assert [answer["id"] for answer in refused] == ["c", "b"]
        assert refused[0]["error"] == "busy: 2 queries are already waiting or running"
        assert "still being answered" in refused[1]["error"]
        assert refused[1]["field"] == "id"
        engine.send({"id": "z", "action": "stop_all"})
        answers, _, code = engine.end()
    assert code == 0
    assert [answer["stopped"] for answer in answers if answer["id"] == "z"] == [2]
    assert {answer["id"] for answer in answers if answer.get("final")} == {"a", "b"}


@pytest.mark.soak
def test_errors_are_told_while_the_compiler_is_busy(tmp_path: Path) -> None:
    """With nothing compiled yet, the answer takes seconds, but an error does not wait for it."""
    fresh = {**PLAIN_TERMINAL, "SKERRY_CACHE": str(tmp_path)}
    with Session("--workers", "1", env=fresh) as engine:
        engine.send({"id": "slow", **SMALL, "simulations": 2})
        engine.send({"id": "wrong", "game": "nim"})
        engine.send_bytes(b"nonsense\n")
        assert [engine.hear()["id"] for _ in range(3)] == ["wrong", None, "slow"]
        _, complaint, _ = engine.end()
    assert complaint.startswith("compiling the rules")


def test_the_end_of_the_input_waits_for_answers_unless_told_otherwise() -> None:
    with Session() as engine:
        engine.send_bytes(b'{"id": "q", "game": "x", "simulations": 200}')  # no line end
        answers, _, code = engine.end()
    assert (code, [answer["simulations"] for answer in answers]) == (0, [200])
    with Session("--stop-at-end") as engine:
        engine.send({"id": "q", **ENDLESS})
        answers, _, code = engine.end()
    assert (code, [answer["stopped"] for answer in answers]) == (0, [True])


def test_quit_ends_everything_in_good_order() -> None:
    with Session("--workers", "2") as engine:
        for name in "abc":
            engine.send({"id": name, **ENDLESS})
        engine.send({"id": "q", "action": "quit"})
        engine.send({"id": "too late", **SMALL})
        answers = []
        assert engine.process.stdout is not None
        for _ in range(4):  # though the input is still open
            answers.append(engine.hear())
        assert engine.process.wait(PATIENCE) == 0
    assert sorted(answer["id"] for answer in answers) == ["a", "b", "c", "q"]
    assert all(answer["stopped"] for answer in answers)


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_an_interrupt_ends_quietly() -> None:
    with Session() as engine:
        engine.send({"id": "q", **ENDLESS, "report_every": 0.02})
        engine.hear()
        engine.process.send_signal(signal.SIGINT)
        assert engine.process.wait(PATIENCE) == 130
        assert engine.process.stderr is not None
        assert complaints(engine.process.stderr.read().decode().strip()) == []


@pytest.mark.soak
@pytest.mark.skipif(sys.platform != "linux", reason="looks into a pipe")
def test_an_interrupt_ends_it_even_when_nobody_reads_the_answers() -> None:
    with Session() as engine:
        engine.send({"id": "q", **ENDLESS, "report_every": 0.01, "top": 1000})
        assert engine.process.stdout is not None
        engine.process.stdout.readline()
        wait_until_full(engine.process.stdout.fileno())
        engine.process.send_signal(signal.SIGINT)
        assert engine.process.wait(PATIENCE) == 130


def wait_until_full(pipe: int) -> None:
    """Until another line does not fit into a pipe, so that its writer hangs.

    Nobody knows how long the next line is: it is full when it has long stayed as it is.
    """
    room = fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ)
    held, unchanged = 0, 0
    while 2 * held < room or unchanged < 20:
        time.sleep(0.05)  # some times what two reports are apart
        before = held
        held = struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, b"\0" * 4))[0]
        unchanged = unchanged + 1 if held == before else 0


@pytest.mark.soak
def test_a_reader_that_leaves_ends_it_quietly() -> None:
    with Session() as engine:
        engine.send({"id": "q", **ENDLESS, "report_every": 0.02})
        engine.hear()
        assert engine.process.stdout is not None
        engine.process.stdout.close()
        assert engine.process.wait(PATIENCE) == 1
        assert engine.process.stderr is not None
        assert complaints(engine.process.stderr.read().decode()) == []
        engine.process.stdout = None


@pytest.mark.soak
def test_a_writer_that_is_killed_leaves_no_engine_behind() -> None:
    """All that holds the input open goes, as when the program that started the engine dies."""
    inlet, outlet = os.pipe()
    with Session("--stop-at-end", stdin=inlet) as engine:
        os.close(inlet)
        os.write(outlet, b'{"id": "q", "game": "x", "simulations": 1000000000000}\n{"id": "half')
        os.close(outlet)
        answers, _, code = engine.end()
    assert code == 0
    assert sorted(str(answer["id"]) for answer in answers) == ["None", "q"]
