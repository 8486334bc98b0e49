"""Whatever a file holds, reading it gives records or a RecordError and nothing else."""

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import skerry
from skerry import RecordError
from skerry.records import from_json, load, read_all, write_json, write_text
from skerry.records.jsonform import LINE_FIELDS, MOVE_FIELDS, RECORD_FIELDS
from support.random_records import SMALL, records, small_game

DATA = Path(__file__).parent / "data"
SAMPLES = [(DATA / name).read_text("utf-8") for name in ("evening.skr", "evening.json", "free.skr")]

WORDS = '[Game |"skew"]|[Options "|side=3|"]|1. |c2-w |c1-ne |pass |1... |*|1-0|0-1 |{}|[]'
PIECES = st.sampled_from([*WORDS.split("|"), *'(){};-" \\\n\x85'])
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["skew", "skirt", "skerry-record", "c2-w", "c1-ne", "*", "1-0", 1])
)
FIELDS = st.sampled_from([*RECORD_FIELDS, *MOVE_FIELDS, *LINE_FIELDS, "side", "self"])
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=4),
    max_leaves=12,
)


def try_reading(text: str) -> None:
    """Read, and where that works see that what was read can be written and read again."""
    message, found = "fuzz", []
    try:
        found = read_all(text, "fuzz")
    except RecordError as error:
        message = str(error)
    assert re.fullmatch("fuzz.*", message)  # one line that names the file
    if found:
        assert read_all(write_text(found)) == found
        assert read_all(write_json(found)) == found


@settings(max_examples=80, deadline=None)
@given(st.text() | st.lists(PIECES, max_size=40).map("".join))
def test_any_text(text: str) -> None:
    try_reading(text)
    try_reading('[Game "skew"]\n[Options "side=3 pegs=4"]\n' + text)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(raw=st.binary(max_size=300), sample=st.sampled_from(SAMPLES), data=st.data())
def test_any_bytes(tmp_path: Path, raw: bytes, sample: str, data: st.DataObject) -> None:
    whole = sample.encode()
    at = data.draw(st.integers(0, len(whole)))
    path = tmp_path / "fuzz.skr"
    for content in (raw, whole[:at] + raw[:20] + whole[at:]):
        path.write_bytes(content)
        with suppress(RecordError):
            load(path)


@settings(max_examples=80, deadline=None)
@given(sample=st.sampled_from(SAMPLES), data=st.data())
def test_damaged_samples(sample: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 2))):
        first = data.draw(st.integers(0, len(sample)))
        last = data.draw(st.integers(first, min(len(sample), first + 40)))
        patch = data.draw(st.just("") | PIECES | st.just(sample[first:last] * 2))
        sample = sample[:first] + patch + sample[last:]
    try_reading(sample)


@settings(max_examples=80, deadline=None)
@given(changes=st.dictionaries(FIELDS, VALUES, max_size=3))
def test_any_json(changes: dict[str, Any]) -> None:
    sound = json.loads(SAMPLES[1])[0]
    for content in (changes, {**sound, **changes}):
        with suppress(RecordError):
            from_json(content)
        try_reading(json.dumps([content]))


@pytest.mark.parametrize("name", skerry.GAMES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_any_position(name: str, data: st.DataObject) -> None:
    """The position is the one part of a record that each game reads by itself."""
    text = small_game(name).initial(1).position
    first = data.draw(st.integers(0, len(text)))
    last = data.draw(st.integers(first, len(text)))
    patch = data.draw(
        st.text(st.sampled_from(small_game(name).letters + "019/ -²") | st.characters())
    )
    position = json.dumps(text[:first] + patch + text[last:])
    options = json.dumps(SMALL.get(name, {}))
    with suppress(RecordError):
        read_all(
            '{"format": "skerry-record", "version": 1, "moves": [], "result": "*", '
            f'"game": "{name}", "options": {options}, "position": {position}}}'
        )


@pytest.mark.parametrize("name", skerry.GAMES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_damaged_records(name: str, data: st.DataObject) -> None:
    text = write_text([data.draw(records(name))])
    at = data.draw(st.integers(0, len(text)))
    try_reading(text[:at] + data.draw(PIECES) + text[at + data.draw(st.integers(0, 2)) :])
