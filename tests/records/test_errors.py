"""Every way to get a record wrong has a message that says where and what to do."""

import json
import os
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import skerry
from skerry import RecordError
from skerry.records import DEEPEST, Line, Ply, Record, from_json, load, read, read_all, save
from skerry.records import write_json as json_of
from skerry.records import write_text as text_of

DATA = Path(__file__).parent / "data"
SKEW = skerry.make("skew", side=3, pegs=4)
TOP = '[Game "skew"]\n[Options "side=3 pegs=4"]\n\n'
FINISHED = "1. c2-w 2. c1-ne 3. b2-e 4. d3-sw 5. d2-ne 6. d1-e 7. b3-w 8. a1-se"


def message_of(action: Callable[[], object]) -> str:
    with pytest.raises(RecordError) as caught:
        action()
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 600
    return message


def error_in(text: str) -> str:
    return message_of(lambda: read_all(text, "games.skr"))


def test_the_illegal_sample() -> None:
    path = DATA / "illegal.skr"
    assert message_of(lambda: load(path)) == (
        f"{path}:9: move 6 'a3-e': a3 is not next to the black peg or an opponent's peg"
    )


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        # Moves.
        ("1. c2-w 2. c2-e *", ":4: move 2 'c2-e': c2 already holds a peg"),
        ("1. c2-w\n2. zz *", ":5: move 2 'zz': 'zz' is no Skew move"),
        ("1. c2-w 2. c1-ne (\n2. c2-e) *", ":5: move 2 'c2-e': c2 already holds a peg"),
        (FINISHED + " 9. a2-e 1-0", ":4: move 9 'a2-e': 'a2-e' cannot be played: the game is over"),
        ("1. c2-w 3. c1-ne *", ":4: number 3. stands where turn 2 is due"),
        ("1. c2-w $1 *", ":4: move 2 '$1'"),
        # Marks and clocks.
        ("1. c2-w!!! *", ":4: move 1 'c2-w!!!': '!!!' is no mark: use one of !!, !, !?, ?!, ?, ??"),
        ("1. ! *", ":4: move 1 '!': '!' is no Skew move"),
        ("1. c2-w! ! *", ":4: move 2 '!': "),
        ("<1:00> 1. c2-w *", ":4: marks and clocks stand after the move they belong to"),
        ("1. c2-w <1:00> <1:00> *", ":4: a second clock '<1:00>': keep one"),
        ("1. c2-w <> *", ":4: '<>' is no clock: write <4:58.7> for the time left, <+0:12>"),
        ("1. c2-w <1:00+> *", ":4: '<1:00+>' is no clock"),
        ("1. c2-w <1:00 +1> *", ":4: '<1:00 +1>' is no clock"),
        ("1. c2-w <-1:00> *", ":4: '<-1:00>' is no clock"),
        ("1. c2-w <1:00.0001> *", ":4: '<1:00.0001>' is no clock"),
        ("1. c2-w <999999999:00:00> *", ":4: a time is from 0 to 999999999999 milliseconds, not"),
        # Results.
        (FINISHED + " *", ":4: result '*' leaves the game open, but it is over ("),
        (FINISHED + " 0-1", ":4: result '0-1' contradicts the game, but it is over ("),
        (FINISHED + " 0-1", ": write 1-0"),
        ("1. c2-w 1-0-0", ":4: '1-0-0' is no result of skew: use one of 1-0, 0-1, 1/2-1/2, *"),
        ("1. c2-w 2-0", ":4: '2-0' is no result of skew"),
        ("1. c2-w 1-0 {so}", ":4: no Game header"),
        # Cut off.
        ("1. c2-w\n", ":4: the record ends without a result, so it may be cut off"),
        ("1. c2-w\n\n" + TOP + "*", ":6: the next record begins without a result"),
        ("1. c2-w {never\nends *", ":4: a comment starts here and never ends: close it with }"),
        ("1. c2-w {one {two} *", ":4: a comment starts here and never ends"),
        ("1. c2-w\n2. c1-ne (2. d3-w", ":5: a variation starts here and never ends"),
        ("1. c2-w\n2. c1-ne (2. d3-w *", ":5: a variation starts here and never ends"),
        ("1. c2-w\n2. c1-ne (2. d3-w\n" + TOP, ":5: a variation starts here and never ends"),
        # Variations.
        ("(1. c2-w) *", ":4: a variation stands after the move it replaces"),
        ("1. c2-w () *", ":4: a variation needs at least one move"),
        ("1. c2-w ({only words}) *", ":4: a variation needs at least one move"),
        ("1. c2-w ) *", ":4: ')' closes nothing"),
        ("1. c2-w" + "(1. c2-e" * (DEEPEST + 1), ":4: variations nest deeper than 64"),
        # Letters.
        (r"{\q} *", r":4: in the comment that starts here, '\\q' means nothing: write \\ for"),
        (r"{\ud800} *", ":4: in the comment that starts here"),
        ("1. c2-w ] *", ":4: ']' does not belong here"),
        ("1. c2-w\xa0 *", r":4: '\xa0' does not belong here"),
        ("\n\0*", ":5: a NUL byte is no text: the record is damaged"),
        ("\n{\x1b[2J}*", r":5: the code '\x1b' is no text"),
        ("{\ud800}*", r":4: the code '\ud800' is no text"),
    ],
)
def test_errors_in_moves(moves: str, expected: str) -> None:
    message = error_in(TOP + moves)
    assert message.startswith("games.skr")
    assert expected in message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "games.skr: no record in it: a record begins with a line such as [Game"),
        (" \n\n", "games.skr: no record in it"),
        ("hello world", "games.skr:1: no Game header: a record begins with a line such as [Game"),
        ('[Event "x"]\n*', "games.skr:1: no Game header"),
        ('[Game "go"]*', "games.skr:1: there is no game 'go'; the games are skew, "),
        ('[Game ""]*', "games.skr:1: there is no game ''"),
        ('\n[Game "skew]\n*', "games.skr:2: a header is broken or cut off: write it on one line"),
        ('[Game "skew', "games.skr:1: a header is broken or cut off"),
        ("[Game skew]", "games.skr:1: a header is broken or cut off"),
        ('[Game "skew"]\n[Game "skew"]\n*', "games.skr:2: a second 'Game' header: keep one"),
        ('[Game "skew"]\n[Event "\\x"]\n*', "games.skr:2: header 'Event': "),
        ('[Game "skew"]\n[seed "1"]\n*', "header 'seed' is taken: a record has one Seed, spelled"),
        ('[Game "skew"]\n[' + "k" * 99 + ' "1"]\n*', "is no name for a header: use up to 64"),
        ('[Game "skew"]\n[Options "side=99"]\n*', ":2: skew: side must be a whole number from 2"),
        ('[Game "skew"]\n[Options "side=-1"]\n*', ":2: skew: side must be a whole number from 2"),
        (
            '[Game "skew"]\n[Options "side"]\n*',
            ":2: option 'side' is not NAME=VALUE, such as side=4",
        ),
        ('[Game "skew"]\n[Options "side=' + "9" * 5000 + '"]*', ":2: skew: side must be"),
        ('[Game "skew"]\n[Options "side=3 side=3"]\n*', ":2: option 'side' is given twice"),
        ('[Game "skew"]\n[Options "size=3"]\n*', ":2: skew has no option 'size'; there is"),
        ('[Game "skew"]\n[Options "self=3"]\n*', ":2: skew has no option 'self'"),
        ('[Game "skew"]\n[Options "name=3"]\n*', ":2: skew has no option 'name'"),
        ('[Game "skew"]\n[Seed "x"]\n*', ":2: a seed is a whole number from 0, not 'x'"),
        ('[Game "skew"]\n[Seed "-1"]\n*', ":2: a seed is a whole number from 0, not '-1'"),
        (
            '[Game "skew"]\n[Seed "9999999999999999999"]*',
            ":2: seed must be a whole number from 0 to",
        ),
        ('[Game "skew"]\n[Position "zz"]\n*', ":2: a position of Skew has 2 fields"),
        ('[Game "skew"]\n[Position "' + "D" * 9999 + '/5 0"]\n*', ":2: 9 rows are needed"),
        ('[Game "skew"]\n[Position "5/6/7/8/4*4/8/7/6/' + "D" * 9999 + ' 0"]*', ":2: row 9 from"),
        (
            '[Game "skew"]\n[Seed "1"]\n[Position "zz"]\n*',
            ":3: a record starts from a seed or from",
        ),
        ('[Game "skaane"]\n*', ":1: skaane starts with a deal: give its seed or the position"),
        ('[Game "skew"]\n[Result "1-0"]\n0-1', ":2: the Result header says '1-0' but the record"),
    ],
)
def test_errors_in_headers(text: str, expected: str) -> None:
    assert expected in error_in(text)


def test_errors_without_a_file_name_the_line() -> None:
    assert message_of(lambda: read(TOP + "zz")).startswith("line 4: move 1 'zz'")
    assert message_of(lambda: read("")).startswith("no record in it")
    assert message_of(lambda: read('{"format": 1')).startswith("line 1: the JSON breaks off")


def test_read_wants_one_record() -> None:
    assert "2 records where one is wanted" in message_of(lambda: read(TOP + "*" + TOP + "*"))


def test_turns_of_several_actions() -> None:
    top = '[Game "skirt"]\n[Options "side=3"]\n'
    assert ":3: move 2 'c1-c2-c3': 'c1-c2-c3' is more than one turn" in error_in(
        top + "b1 c1-c2-c3 *"
    )
    assert ":3: move 2 'c1-e3': " in error_in(top + "b1 c1-e3 *")


# JSON


def content(**changes: object) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(json_of([read(TOP + "1. c2-w 2. c1-ne 3. b2-e *")]))
    plain.update(changes)
    return {key: value for key, value in plain.items() if value is not ...}


LAST = {"move": "b2-e"}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"format": "pgn"}, 'record: no skerry record: it must be an object with "format"'),
        ({"version": ...}, "record: the field 'version' is missing"),
        ({"version": 2}, "version: must be 1, not 2: a newer skerry may have written this"),
        ({"version": True}, "version: must be a whole number, not True"),
        ({"player": "x"}, "record: unknown field 'player'; known are format, version, game"),
        ({"game": "go"}, "game: there is no game 'go'"),
        ({"game": ...}, "record: the field 'game' is missing"),
        ({"game": 7}, "game: must be text, not 7"),
        ({"options": {"side": 99}}, "options: skew: side must be a whole number from 2 to 9"),
        ({"options": {"side": [3]}}, "options: skew: side must be a whole number from 2 to 9"),
        ({"options": {"side": True}}, "options: skew: side must be a whole number from 2 to 9"),
        ({"options": {"self": 1}}, "options: skew has no option 'self'"),
        ({"options": []}, "options: must be an object, not []"),
        ({"seed": -1}, "seed: seed must be a whole number from 0"),
        ({"seed": "1"}, "seed: must be a whole number"),
        ({"position": "zz"}, "position: a position of Skew has 2 fields"),
        ({"headers": {"a b": "x"}}, "record: 'a b' is no name for a header"),
        ({"headers": {"Event": 7}}, "record: a header Event is text, not int"),
        ({"headers": {"Game": "x"}}, "record: header 'Game' is taken"),
        ({"headers": {"Event": "\ud800"}}, "record: a header Event holds U+D800"),
        ({"comments": "one"}, "comments: must be a list, not"),
        ({"comments": [7]}, "comments: a comment is text, not int"),
        ({"comments": ["\ud800"]}, "comments: a comment holds U+D800, half of a character"),
        ({"moves": ["c2-w", "c2-e"]}, "moves[1] 'c2-e': c2 already holds a peg"),
        ({"moves": [7]}, "moves[0]: must be an object, not 7"),
        ({"moves": [{}]}, "moves[0]: the field 'move' is missing"),
        ({"moves": ...}, "record: the field 'moves' is missing"),
        ({"moves": [{**LAST, "note": 1}]}, "moves[0]: unknown field 'note'"),
        ({"moves": [{**LAST, "mark": "good"}]}, "moves[0]: 'good' is no mark: use one of !!, !,"),
        ({"moves": [{**LAST, "mark": None}]}, "moves[0].mark: must be text, not None"),
        ({"moves": [{**LAST, "left": "1:00"}]}, "moves[0].left: must be a whole number"),
        ({"moves": [{**LAST, "left": -1}]}, "moves[0]: the time left is from 0 to"),
        ({"moves": [{**LAST, "spent": 1.5}]}, "moves[0].spent: must be a whole number"),
        ({"moves": [{**LAST, "spent": 10**12}]}, "moves[0]: the time spent is from 0 to"),
        ({"moves": [{**LAST, "comments": [1]}]}, "moves[0].comments: a comment is text"),
        (
            {"moves": ["c2-w", {"move": "c1-ne", "variations": [{"moves": ["d3-w", "c2-e"]}]}]},
            "moves[1].variations[0].moves[1] 'c2-e': c2 already holds a peg",
        ),
        ({"moves": [{**LAST, "variations": [7]}]}, "moves[0].variations[0]: must be an object"),
        ({"moves": [{**LAST, "variations": [{"moves": []}]}]}, "[0]: a variation needs at least"),
        ({"result": "2-0"}, "record: '2-0' is no result of skew"),
        ({"result": ...}, "record: the field 'result' is missing"),
        ({"moves": FINISHED.split()[1::2]}, "record: result '*' leaves the game open"),
    ],
)
def test_errors_in_json(changes: dict[str, Any], expected: str) -> None:
    wrong = content(**changes)
    assert message_of(lambda: from_json(wrong)).startswith(expected) or expected.startswith("[")
    assert expected in message_of(lambda: from_json(wrong))
    assert "games.json: " in message_of(lambda: read_all(json.dumps(wrong), "games.json"))
    listed = json.dumps([content(), wrong])
    assert "games.json: [1]" in message_of(lambda: read_all(listed, "games.json"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{", "games.json:1: the JSON breaks off or is broken at column 2"),
        ('[\n{"format": "skerry-record",', "games.json:2: the JSON breaks off"),
        ("[]", "games.json: no record in it"),
        ("[{}]", "games.json: [0]: no skerry record"),
        ('{"a": NaN}', "games.json: NaN is no JSON"),
        ('{"a": 1, "a": 2}', "games.json: the field 'a' is given twice in one object"),
        ('{"a": ' + "9" * 5000 + "}", "games.json: "),
        ('{"a": ' + "[" * 100_000, "games.json: the JSON nests too deep for a record"),
        ('{"a":' * 100_000, "games.json: the JSON nests too deep for a record"),
        ('{"a": "\0"}', "games.json:1: the JSON breaks off or is broken"),
    ],
)
def test_broken_json(text: str, expected: str) -> None:
    assert expected in message_of(lambda: read_all(text, "games.json"))


def test_json_variations_nest_no_deeper_than_text() -> None:
    def nested(depth: int) -> dict[str, Any]:
        moves: list[Any] = ["c2-w"]
        for _ in range(depth):
            moves = [{"move": "c2-w", "variations": [{"moves": moves}]}]
        return content(moves=moves)

    deepest = from_json(nested(DEEPEST))
    assert read(text_of([deepest])) == deepest
    assert "variations nest deeper than 64" in message_of(lambda: from_json(nested(DEEPEST + 1)))


# Records made by programs


def test_from_moves_names_the_move() -> None:
    def make(*moves: str | int) -> Callable[[], Record]:
        return lambda: Record.from_moves(SKEW, moves=moves)

    assert message_of(make("c2-w", "c2-e")) == "move 2 'c2-e': c2 already holds a peg"
    assert message_of(make("c2-w", 9999)).startswith("move 2 (action 9999): action 9999 is not")
    assert "write 1-0" in message_of(
        lambda: Record.from_moves(SKEW, moves=FINISHED.split()[1::2], result="0-1")
    )
    other = skerry.make("skew", side=2, pegs=2)
    assert "belongs to" in message_of(lambda: Record.from_moves(SKEW, other.initial()))


def test_wrong_records_are_not_written() -> None:
    start = SKEW.initial()
    good = int(start.parse("c2-w"))
    deep = Line((Ply(good),))
    for _ in range(DEEPEST + 1):
        deep = Line((Ply(good, (), (deep,)),))
    finished = read(TOP + FINISHED + " 1-0").line
    for write in (text_of, json_of):
        for record, expected in (
            (Record(start, Line((Ply(good), Ply(good)))), "move 2 (action"),
            (Record(start, Line((Ply(good, (), (Line(),)),))), "a variation of turn 1 is empty"),
            (Record(start, deep), "variations nest deeper than 64"),
            (Record(start, finished), "result '*' leaves the game open"),
        ):
            assert expected in message_of(lambda: write([record]))  # noqa: B023


def test_wrong_parts_are_refused() -> None:
    start = SKEW.initial()
    assert "is no result" in message_of(lambda: Record(start, result="won"))
    assert "is taken" in message_of(lambda: Record(start, headers={"Game": "x"}))
    assert "half of a character" in message_of(lambda: Ply(0, ("\udfff",)))
    assert "tuple of texts" in message_of(lambda: Line((), "so"))  # type: ignore[arg-type]
    deal = skerry.make("skaane")
    assert "not the one of seed 1" in message_of(lambda: Record(deal.initial(2), seed=1))


# Files


def test_missing_files_folders_and_odd_paths(tmp_path: Path) -> None:
    assert message_of(lambda: load(tmp_path / "none.skr")) == (
        f"{tmp_path}/none.skr: cannot be read: No such file or directory"
    )
    assert "cannot be read: Is a directory" in message_of(lambda: load(tmp_path))
    assert "cannot be read: embedded null byte" in message_of(lambda: load("a\0b"))
    assert r"'a\nb': cannot be read" in message_of(lambda: load("a\nb"))


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"", ": no record in it"),
        (b"\xef\xbb\xbf", ": no record in it"),
        (b'[Game "skew"]\n[Event "caf\xe9"]\n\n*', ":2: not UTF-8 text (byte 0xe9): save the file"),
        ('[Game "skew"]'.encode("utf-16"), ":1: not UTF-8 text (byte 0xff)"),
        (b'[Game "skew"]\n\n{\xf0\x9f', ":3: not UTF-8 text (byte 0xf0)"),
        (b'[Game "skew"]\n\n\0\0\0', ":3: a NUL byte is no text"),
        (b"\x1f\x8b\x08\x00", ":1: not UTF-8 text (byte 0x8b)"),
    ],
)
def test_damaged_bytes(tmp_path: Path, raw: bytes, expected: str) -> None:
    path = tmp_path / "games.skr"
    path.write_bytes(raw)
    assert f"{path}{expected}" in message_of(lambda: load(path))


def test_every_truncation_is_noticed() -> None:
    text = (DATA / "evening.skr").read_text("utf-8")
    records = read_all(text)
    for end in range(len(text) - 2):
        try:
            cut = read_all(text[:end])
        except RecordError:
            continue
        # A file cut between two records is a shorter file.
        assert cut == records[: len(cut)]


def test_huge_files_are_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.skr"
    with open(path, "wb") as file:
        file.truncate(100_000_000)
    tracemalloc.start()
    try:
        message = message_of(lambda: load(path))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "larger than the limit of 16 MiB: split it, or read it from Python" in message
    assert most < 50_000_000, "the file was read though it is too large"
    small = tmp_path / "small.skr"
    small.write_text(TOP + "*")
    assert "larger than the limit" in message_of(lambda: load(small, largest=10))
    assert len(load(small, largest=len(TOP) + 1)) == 1


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs an endless device")
def test_endless_devices_are_refused() -> None:
    assert "larger than the limit" in message_of(lambda: load("/dev/zero", largest=1000))


@pytest.mark.parametrize(
    "text",
    [
        TOP + "1. c2-w" + "(" * 10**6,
        TOP + "1. c2-w" + "(1. c2-e" * 10**5,
        TOP + "{" * 10**6,
        TOP + "{" + "\\" * 10**6,
        TOP + "{" + "  \n" * 10**6,
        TOP + "{" + " " * 10**6 + "\n}",
        TOP + "1" * 10**6,
        TOP + "1-" * 10**6,
        TOP + "1. " * 10**5,
        TOP + "a-" * 10**6,
        "[" * 10**6,
        "[ " * 10**6,
        '[A "' + "\\" * 10**6,
        '[A "x"]' * 10**5,
        '[Game "skew"][Options "' + "side=3 " * 10**5 + '"]',
        " " * 10**6 + "x",
        "{" * 10**6,
        "[{" * 10**6,
        "{" + ",".join(f'"{i}": 1' for i in range(10**5)) + ', "0": 1}',
        "[" + "{}," * 10**5,
        '[Game "skirt"]' + "a1-" * 10**6,
    ],
    ids=lambda text: ascii(text[-12:]),
)
def test_hostile_shapes_are_refused(text: str) -> None:
    """None of them may take quadratic time: at these lengths that would be minutes."""
    limit = sys.getrecursionlimit()
    message_of(lambda: read_all(text))
    assert sys.getrecursionlimit() == limit


# Saving


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.skr"
    record = Record.from_moves(SKEW, moves=["c2-w"])
    save(path, record)
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for step in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, step, fail)
            message = message_of(lambda: save(path, [record, record]))
        assert message == f"{path}: cannot be written: No space left on device"
        assert path.read_bytes() == before
        assert list(tmp_path.iterdir()) == [path]


def test_an_interrupted_save_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.skr"
    record = Record.from_moves(SKEW, moves=["c2-w"])
    save(path, record)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        save(path, [record, record])
    assert len(load(path)) == 1
    assert list(tmp_path.iterdir()) == [path]


def test_saving_keeps_permissions_and_links(tmp_path: Path) -> None:
    record = Record.from_moves(SKEW)
    path, link = tmp_path / "games.skr", tmp_path / "link.skr"
    save(path, record)
    path.chmod(0o640)
    link.symlink_to(path)
    save(link, [record, record])
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert len(load(path)) == 2


def test_what_cannot_be_saved(tmp_path: Path) -> None:
    record = Record.from_moves(SKEW)
    assert "no record to save" in message_of(lambda: save(tmp_path / "a", []))
    assert "use text or json" in message_of(lambda: save(tmp_path / "a", record, form="xml"))
    assert "cannot be written: No such file" in message_of(lambda: save(tmp_path / "b/c", record))
    assert "it is not a regular file" in message_of(lambda: save(tmp_path, record))
    assert "it is not a regular file" in message_of(lambda: save("/dev/null", record))
    assert "embedded null" in message_of(lambda: save("a\0b", record))
    assert list(tmp_path.iterdir()) == []
