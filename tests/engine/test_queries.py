"""Whatever a line holds, it gets an answer that helps, and the engine lives on."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skerry.protocol.linereader import iterate_lines
from skerry.protocol.queries import HINTS, QUERY_FIELDS, QueryError, parse_line, read_query
from support.session import Session

GOOD: dict[str, Any] = {"id": "q", "game": "x", "options": {"size": 3}, "simulations": 2}
NODES = 10_000

WRONG: dict[str, tuple[Any, str | None, str]] = {
    "no object": ([1], None, "must be a JSON object"),
    "no id": ({"game": "x"}, "id", "no usable id"),
    "id that is no text": ({**GOOD, "id": 7}, "id", "no usable id"),
    "id that is long": ({**GOOD, "id": "x" * 201}, "id", "no usable id"),
    "unknown field": ({**GOOD, "visits": 7}, None, "no field 'visits'"),
    "no game": ({"id": "q"}, "game", "missing"),
    "unknown game": ({**GOOD, "game": "nim"}, "game", "the games are"),
    "game that is no text": ({**GOOD, "game": ["x"]}, "game", "no game ['x']"),
    "unknown option": ({**GOOD, "options": {"side": 3}}, "options", "no option 'side'"),
    "option out of range": ({**GOOD, "options": {"size": 99}}, "options", "from 2 to 19"),
    "option as text": ({**GOOD, "options": {"size": "3"}}, "options", "not '3'"),
    "options as a list": ({**GOOD, "options": []}, "options", "options must be an object"),
    "start that is a number": ({**GOOD, "start": 7}, "start", "7 is not a start"),
    "start with a bad seed": ({**GOOD, "start": {"seed": -1}}, "start", "seed"),
    "start with more": ({**GOOD, "start": {"seed": 1, "x": 2}}, "start", "is not a start"),
    "moves as text": ({**GOOD, "moves": "a1"}, "moves", "moves must be a list"),
    "move that is no text": ({**GOOD, "moves": ["a1", 7]}, "moves", "move 2 must be text"),
    "no turns": ({**GOOD, "turns": []}, "turns", "turns must be a list"),
    "turn beyond the moves": ({**GOOD, "moves": ["a1"], "turns": [2]}, "turns", "from 0 to 1"),
    "turn twice": ({**GOOD, "turns": [0, 0]}, "turns", "twice"),
    "half a simulation": ({**GOOD, "simulations": 2.5}, "simulations", "not 2.5"),
    "true simulations": ({**GOOD, "simulations": True}, "simulations", "not True"),
    "no time": ({**GOOD, "seconds": 0}, "seconds", "above 0"),
    "too many threads": ({**GOOD, "threads": 10**9}, "threads", "from 1 to 256"),
    "too many nodes": ({**GOOD, "nodes": 10**9}, "nodes", f"to {NODES}"),
    "too few nodes": ({**GOOD, "nodes": 9}, "nodes", "from 10"),
    "more threads than nodes": (
        {**GOOD, "threads": 256, "options": {"size": 10}},
        "threads",
        "takes 25856 nodes",
    ),
    "negative seed": ({**GOOD, "seed": -1}, "seed", "seed must be"),
    "nothing at the top": ({**GOOD, "top": 0}, "top", "from 1"),
    "reports all the time": ({**GOOD, "report_every": 1e-9}, "report_every", "at least 0.01"),
    "null": ({**GOOD, "simulations": None}, "simulations", "not None"),
}


@pytest.mark.parametrize(("content", "field", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named_with_its_field(content: Any, field: str | None, said: str) -> None:
    with pytest.raises(QueryError) as caught:
        read_query(parse_line(json.dumps(content).encode()), NODES)
    assert said in str(caught.value)
    assert caught.value.field == field
    assert caught.value.hint


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "not JSON"),
        (b'{"id": "q"} {}', "not JSON"),
        (b'{"id": "q", "id": "r"}', "twice"),
        (b'{"id": "q", "seconds": NaN}', "NaN is no JSON"),
        (b'{"id": "q", "seed": ' + b"9" * 5000 + b"}", "digits"),
        (b"\xff", "not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (None, "longer than"),
    ],
)
def test_lines_that_are_no_json(line: bytes | None, said: str) -> None:
    with pytest.raises(QueryError, match=said):
        parse_line(line)


def test_numbers_beyond_all_bounds_are_refused() -> None:
    content = parse_line(b'{"id": "q", "game": "x", "seconds": 1e999}')
    with pytest.raises(QueryError, match="seconds must be a number above 0, not inf"):
        read_query(content, NODES)


def test_a_board_too_large_for_the_engine_is_refused_for_what_it_is() -> None:
    content = parse_line(b'{"id": "q", "game": "x", "threads": 3}')
    with pytest.raises(QueryError, match=r"takes 303 nodes with 3 threads, .* has 200") as refusal:
        read_query(content, 200)
    assert refusal.value.field == "threads"
    assert read_query(content, 303).budget["nodes"] == 303


def test_hints_are_about_fields_there_are() -> None:
    assert set(HINTS) <= {*QUERY_FIELDS, "action", "of"}


@given(
    st.lists(st.binary(max_size=20), max_size=12),
    st.integers(1, 12),
    st.integers(1, 12),
)
def test_lines_do_not_depend_on_how_bytes_arrive(
    pieces: list[bytes], chunk: int, longest: int
) -> None:
    stream = b"\n".join(pieces)
    chunks = iter([stream[i : i + chunk] for i in range(0, len(stream), chunk)])
    expected = stream.split(b"\n")
    if expected[-1] == b"":
        expected.pop()  # what ends with a line end has no line after it
    found = list(iterate_lines(lambda: next(chunks, b""), longest))
    assert found == [line if len(line) <= longest else None for line in expected]


@pytest.fixture(scope="module")
def engine() -> Iterator[Session]:
    with Session("--workers", "2") as session:
        yield session


SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
ALMOST = st.builds(
    lambda changes, gone: {k: v for k, v in {**GOOD, **changes}.items() if k not in gone},
    st.dictionaries(st.sampled_from([*QUERY_FIELDS[1:], "action", "of", "what"]), VALUES),
    st.sets(st.sampled_from(["game", "options"]), max_size=1),
)
LINES = (
    st.binary(max_size=60).map(lambda line: line.replace(b"\n", b""))
    | VALUES.map(lambda value: json.dumps(value).encode())
    | ALMOST.map(lambda content: json.dumps({**content, "top": 1, "simulations": 2}).encode())
    | ALMOST.map(lambda content: json.dumps(content).encode()[:-1])
)


@given(st.lists(LINES, max_size=5))
@settings(max_examples=150)
def test_any_lines_get_answers_and_the_engine_lives_on(engine: Session, lines: list[bytes]) -> None:
    for line in lines:
        engine.send_bytes(line + b"\n")
    engine.send({"id": "the end", "action": "version"})
    heard = engine.hear_until(id="the end")
    for answer in heard:
        assert "internal" not in answer.get("error", "")
        if "error" in answer:
            assert answer["hint"]
    # What was a query is answered or refused, sooner or later, and never twice at a time.
    engine.send({"id": "check", **{k: v for k, v in GOOD.items() if k != "id"}})
    assert engine.hear_until(id="check")[-1]["simulations"] == 2
