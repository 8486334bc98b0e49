"""The engine client: against our own engine, and against others that behave badly."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import skerry
from skerry.agents.engine import AsyncEngine, SimpleEngine
from skerry.search.players import invite
from support.bots import ENGINE, is_running, write_program

SMALL = skerry.make("x", size=3)
AGES = 10**12  # simulations


@pytest.fixture(scope="module")
def engine() -> Iterator[SimpleEngine]:
    with SimpleEngine.open(ENGINE, patience=600) as opened:
        yield opened


def test_asking(engine: SimpleEngine) -> None:
    assert engine.about["version"] == skerry.__version__
    state = SMALL.initial().play("b2")
    found = engine.ask(state, simulations=200, seed=1, top=2)
    assert found.best in state.legal_moves()
    assert (found.best, found.final, found.stopped) == (found.candidates[0].move, True, False)
    assert len(found.candidates) == 2
    assert len(found.values) == 3
    assert found.pv[0] == str(found.best)
    again = engine.ask(state, simulations=200, seed=1, top=2)
    assert (again.best, again.candidates) == (found.best, found.candidates)
    over = skerry.make("x", size=2).initial()
    for move in ("a1", "b2", "a2", "b1"):
        over = over.play(move)
    ended = engine.ask(over)
    assert ended.best is None
    assert ended.values == (1.0, -0.5, -0.5)
    assert [game["name"] for game in engine.act("list_games")["games"]] == list(skerry.GAMES)


def test_streaming_and_stopping(engine: SimpleEngine) -> None:
    heard = []
    with engine.stream(SMALL.initial(), simulations=AGES, report_every=0.01) as stream:
        for opinion in stream:
            heard.append(opinion)
            if len(heard) == 3:
                stream.stop()
    assert [opinion.final for opinion in heard[:3]] == [False] * 3
    assert heard[-1].final
    assert heard[-1].stopped
    assert heard[0].simulations < heard[-1].simulations
    with engine.stream(SMALL.initial(), simulations=AGES, report_every=0.01) as stream:
        next(iter(stream))  # who looks no further stops the search, or the next would wait for ever
    assert engine.ask(SMALL.initial(), simulations=10).final
    with engine.stream(SMALL.initial(), simulations=AGES, report_every=0.01) as stream:
        assert not next(iter(stream)).final
        engine.stop()
        assert stream.final().stopped


def test_what_is_refused_is_told(engine: SimpleEngine) -> None:
    with pytest.raises(skerry.EngineError, match=r"it refused: .*threads"):
        engine.ask(SMALL.initial(), threads=10**6)
    with pytest.raises(skerry.EngineError, match="it refused frobnicate"):
        engine.act("frobnicate")
    with pytest.raises(skerry.EngineError, match=r"no answer within 0.1 s"):
        engine.ask(SMALL.initial(), simulations=AGES, timeout=0.1)
    assert engine.ask(SMALL.initial(), simulations=10).final  # it was stopped


# An engine of somebody else, which answers every query in its own way.
FOREIGN = """
import json, sys
for line in sys.stdin:
    if not line.startswith("{{"):
        print(json.dumps({{"id": None, "error": "not JSON"}}), flush=True)
        continue
    query = json.loads(line)
    about = {{"id": query["id"]}}
    if query.get("action"):
        print(json.dumps({{**about, "action": query["action"], "name": "Foreign"}}), flush=True)
        if query["action"] == "quit":
            break
    else:
        {deed}
"""


def write_engine(folder: Path, deed: str) -> str:
    path = write_program(folder, FOREIGN.format(deed=deed), "engine.py")
    return f"{sys.executable} {path}"


def test_an_engine_of_somebody_else(tmp_path: Path) -> None:
    """Queries are answered out of order, each to whoever asked."""
    deed = (
        "held = globals().setdefault('held', []); held.append(query)\n"
        "        if len(held) == 2:\n"
        "            for one in reversed(held):\n"
        "                best = {'best': 'a1' if one['start'].endswith('r') else 'c3'}\n"
        "                print(json.dumps({'id': one['id'], 'final': True, **best}), flush=True)\n"
    )

    async def talk() -> None:
        async with await AsyncEngine.open(write_engine(tmp_path, deed)) as engine:
            assert engine.about["name"] == "Foreign"
            first, second = SMALL.initial(), SMALL.initial().play("b2")
            found = await asyncio.gather(engine.ask(first), engine.ask(second))
            assert [str(opinion.best) for opinion in found] == ["a1", "c3"]
            pid = engine._program._process.pid
            assert is_running(pid)
        assert not is_running(pid)
        with pytest.raises(skerry.EngineError, match="open another one"):
            await engine.ask(first)

    asyncio.run(talk())


def test_an_engine_as_a_player(tmp_path: Path) -> None:
    """It is known by its first answer, and told how much to think."""
    deed = (
        "values = [query['simulations'], 0, query['seed']]\n"
        "        print(json.dumps({**about, 'best': 'b2', 'values': values}), flush=True)"
    )
    with invite([f"cmd:simulations=60,{write_engine(tmp_path, deed)}"]) as (player,):
        assert str(player.choose(SMALL.initial(), 3)) == "b2"
        assert player.appraise(SMALL.initial(), 4) == (60, 0, 4)


@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        ("print('hello', flush=True)", "said 'hello', which is no JSON object"),
        ("print('[' * 100_000, flush=True)", "which is no JSON object"),
        ("print('[1]', flush=True)", "which is no JSON object"),
        ("sys.exit(4)", "ended with exit code 4"),
        ("print(json.dumps({**about, 'best': 'z9'}), flush=True)", "named a move that is none"),
        ("print(json.dumps({**about, 'values': 5}), flush=True)", "its answer cannot be read"),
        ("print(line, end='', flush=True)", "it answered without a move or a value"),
        ("print(json.dumps({**about, 'error': 'no'}), flush=True)", "it refused: no"),
    ],
)
def test_engines_that_fail(tmp_path: Path, deed: str, reason: str) -> None:
    with SimpleEngine.open(write_engine(tmp_path, deed)) as engine:
        with pytest.raises(skerry.EngineError, match=reason):
            engine.ask(SMALL.initial())
        pid = engine._engine._program._process.pid
    assert not is_running(pid)


def test_an_engine_that_answers_to_nothing_any_more(tmp_path: Path) -> None:
    engine = write_engine(tmp_path, "import time; time.sleep(600)")
    with SimpleEngine.open(engine) as opened:
        with pytest.raises(skerry.EngineError, match=r"no answer within 0.1 s"):
            opened.ask(SMALL.initial(), timeout=0.1)
        pid = opened._engine._program._process.pid
    assert not is_running(pid)
    silent = write_program(tmp_path, "#!/bin/sh\necho '{}'\nsleep 60\n")
    with pytest.raises(skerry.Forfeit, match=r"no answer within 0.1 s"):
        skerry.player(f"cmd:timeout=0.1,{silent}").choose(SMALL.initial())


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (["true"], "ended with exit code 0"),
        (["sleep", "60"], r"sleep said nothing within 0.3 s"),
        (["./there-is-none"], "cannot be started: No such file"),
    ],
)
def test_what_is_no_engine(command: list[str], reason: str) -> None:
    patience = 0.3 if "0.3 s" in reason else 60
    with pytest.raises(skerry.EngineError, match=reason):
        SimpleEngine.open(command, patience=patience)
