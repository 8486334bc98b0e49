"""Records that are written move by move."""

import pytest

import skerry
from skerry.records import Record, Scoresheet, read, write_text

SKEW = skerry.make("skew", side=3, pegs=4)
SKIRT = skerry.make("skirt", side=3)
MOVES = ["c2-w", "c1-ne", "b2-e", "d3-sw", "d2-ne", "d1-e", "b3-w", "a1-se"]


def moves_of(sheet: Scoresheet) -> str:
    return write_text(sheet.record()).partition("\n\n")[2].strip()


def test_move_by_move_is_as_all_at_once() -> None:
    sheet = Scoresheet(SKEW, headers={"First": "Ann"})
    for number, move in enumerate(MOVES):
        assert sheet.record() == Record.from_moves(SKEW, None, MOVES[:number], {"First": "Ann"})
        sheet.play(sheet.state.parse(move) if number % 2 else move)
    assert sheet.state.is_over
    assert sheet.record().result == "1-0"
    assert sheet.record().states()[-1] is sheet.state


def test_all_that_can_be_said() -> None:
    sheet = Scoresheet(SKIRT)
    sheet.comment("An evening.")
    sheet.play("b1", "solid", mark="!", left=59_000, spent=1_000)
    sheet.play("c1-c2")
    other = sheet.vary()
    other.comment("or")
    other.play("d1-c2", mark="?!")
    deeper = other.vary()
    deeper.play("d1")
    other.annotate(left=58_000)
    other.annotate(mark="?")
    sheet.comment("why not", "at all")
    sheet.headers["White"] = "Ann"
    text = write_text(sheet.record(result="1-0"))
    assert text == (
        '[Game "skirt"]\n[Options "side=3"]\n[White "Ann"]\n\n'
        "{An evening.} 1. b1! <0:59+0:01> {solid} 2. c1-c2 {why not} {at all} ({or}\n"
        "2. d1-c2? <0:58> (2. d1)) 1-0\n"
    )
    assert read(text) == sheet.record(result="1-0")


def test_a_variation_goes_instead_of_what_was_played_at_once() -> None:
    sheet = Scoresheet(SKIRT)
    for move in ("b1", "c1", "c2"):
        sheet.play(move)
    sheet.vary().play("c3")
    assert moves_of(sheet) == "1. b1 2. c1 2... c2 (2... c3) *"


def test_moves_are_taken_back_with_what_was_said() -> None:
    sheet = Scoresheet(SKIRT)
    sheet.play("b1")
    sheet.play("c1-c2", "two at once", mark="?")
    sheet.vary().play("d1-c2")
    sheet.take_back()
    assert moves_of(sheet) == "1. b1 2. c1 (2. d1-c2) *"
    sheet.take_back()
    sheet.vary().play("c1")
    assert moves_of(sheet) == "1. b1 (1. c1) *"
    sheet.take_back()
    with pytest.raises(skerry.RecordError, match="there is no move to take back"):
        sheet.take_back()


def test_what_cannot_be_played_changes_nothing() -> None:
    sheet = Scoresheet(SKIRT)
    sheet.play("b1")
    before = sheet.record()
    with pytest.raises(skerry.IllegalMove, match="your second piece goes on an inner hex"):
        sheet.play("c1-e3")
    with pytest.raises(skerry.InvalidMove):
        sheet.play("zz")
    with pytest.raises(skerry.RecordError, match="is no mark"):
        sheet.play("c1-c2", mark="good")
    with pytest.raises(skerry.RecordError, match="a comment is text"):
        sheet.comment(5)  # type: ignore[arg-type]
    assert sheet.record() == before


def test_a_record_goes_on() -> None:
    text = (
        '[Game "skaane"]\n[Options "width=8 height=8 gods=5 kings=5 serfs=5 suns=1 '
        'quiet_limit=100"]\n[Seed "5"]\n[Event "tea"]\n\n*\n'
    )
    sheet = Scoresheet.of(read(text))
    move = str(sheet.state.legal_moves()[0])
    sheet.play(move)
    assert write_text(sheet.record()) == text.replace("*", f"1. {move} *")
    again = Scoresheet.of(sheet.record())
    again.vary().play(sheet.here.start.legal_moves()[1])
    assert len(again.record().line.plies[0].variations) == 1
    assert len(sheet.record().line.plies[0].variations) == 0
    again.take_back()
    assert write_text(again.record()) == text


def test_what_is_not_ready_is_refused() -> None:
    sheet = Scoresheet(SKEW)
    with pytest.raises(skerry.RecordError, match="a variation stands after the move it replaces"):
        sheet.vary()
    with pytest.raises(skerry.RecordError, match="stand after the move they belong to"):
        sheet.annotate(mark="!")
    sheet.play("c2-w")
    other = sheet.vary()
    with pytest.raises(skerry.RecordError, match="a variation needs at least one move"):
        sheet.record()
    other.play("c4-e")
    with pytest.raises(skerry.RecordError, match="'2-0' is no result of skew"):
        sheet.record(result="2-0")
    for _ in range(63):
        other = other.vary()
        other.play("c4-e")
    with pytest.raises(skerry.RecordError, match="variations nest deeper than 64"):
        other.vary()
    assert read(write_text(sheet.record())) == sheet.record()
