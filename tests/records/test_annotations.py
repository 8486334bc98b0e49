"""Marks and clocks: how they are written, and that records without them are as they ever were."""

import json

import numpy as np
import pytest

import skerry
from skerry.records import MARKS, Line, Ply, Record, read, write_json, write_text
from skerry.records.annotations import read_clock, write_clock

SKIRT = '[Game "skirt"]\n[Options "side=3"]\n\n'


@pytest.mark.parametrize(
    ("left", "spent", "text"),
    [
        (None, None, ""),
        (0, None, "<0:00>"),
        (None, 0, "<+0:00>"),
        (298_700, 12_000, "<4:58.7+0:12>"),
        (59_999, 1, "<0:59.999+0:00.001>"),
        (60_000, 10, "<1:00+0:00.01>"),
        (3_599_999, 3_600_000, "<59:59.999+1:00:00>"),
        (3 * 86_400_000, None, "<72:00:00>"),
    ],
)
def test_clocks(left: int | None, spent: int | None, text: str) -> None:
    assert write_clock(left, spent) == text
    if text:
        assert read_clock(text) == (left, spent)


def test_clocks_are_read_generously() -> None:
    assert read_clock("<90>") == (90_000, None)
    assert read_clock("<+90.5>") == (None, 90_500)
    assert read_clock("<1:90+00:00:07.250>") == (150_000, 7_250)


@pytest.mark.parametrize(
    "moves",
    [
        "1. b1! <4:58.7+0:01.3> {strong} (1. c1?? <4:00>) 2. c1-c2!? <4:59> *",
        # What is said of the first of two placements splits their turn.
        "1. b1 2. c1? 2... c2 3. e2-d2!! *",
        "1. b1 2. c1 <4:00> 2... c2 <3:59> *",
        "1. b1 2. c1-c2 <+0:00> (2. d1-c2?! <+0:05>) *",
    ],
)
def test_marks_and_clocks_in_text(moves: str) -> None:
    text = f"{SKIRT}{moves}\n"
    record = read(text)
    assert write_text(record) == text
    assert read(write_json(record)) == record


def test_every_mark_can_be_read() -> None:
    for mark in MARKS:
        (ply,) = read(f"{SKIRT}1. b1{mark} *").line.plies
        assert ply.mark == mark


def test_marks_and_clocks_in_json() -> None:
    record = read(f"{SKIRT}1. b1! <1:00+0:02> 2. c1 <+0:03> *")
    assert json.loads(write_json(record))["moves"] == [
        {"move": "b1", "mark": "!", "left": 60_000, "spent": 2_000},
        {"move": "c1", "spent": 3_000},
    ]


def test_a_record_without_them_is_written_as_before() -> None:
    record = read(f"{SKIRT}1. b1 2. c1-c2 *")
    assert json.loads(write_json(record))["moves"] == ["b1", "c1", "c2"]
    assert json.loads(write_json(record))["version"] == 1
    # What looks like a mark or a clock within a comment is a comment.
    said = f"{SKIRT}1. b1 {{! <1:00>}} *\n"
    assert read(said).line.plies[0] == Ply(int(record.line.plies[0].action), ("! <1:00>",))
    assert write_text(read(said)) == said


def test_plies_refuse_what_cannot_be_written() -> None:
    for mark in ("good", "!!!", "$1", None):
        with pytest.raises(skerry.RecordError, match="is no mark: use one of"):
            Ply(0, mark=mark)  # type: ignore[arg-type]
    for time in (-1, 10**12):
        with pytest.raises(skerry.RecordError, match="the time left is from 0 to"):
            Ply(0, left=time)
    for wrong in (1.5, "1:00", True):
        with pytest.raises(skerry.RecordError, match="the time spent is a whole number of"):
            Ply(0, spent=wrong)  # type: ignore[arg-type]
    assert type(Ply(0, left=np.int64(5)).left) is int  # type: ignore[arg-type]


def test_a_review_keeps_them() -> None:
    game = skerry.make("x", size=3)
    plies = (Ply(int(game.initial().parse("a1")), mark="?", left=1_000, spent=7),)
    reviewed = skerry.review(Record(game.initial(), Line(plies)), simulations=50).annotated()
    (ply,) = reviewed.line.plies
    assert ply.comments
    assert (ply.mark, ply.left, ply.spent) == ("?", 1_000, 7)
