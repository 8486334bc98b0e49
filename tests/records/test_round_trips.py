"""What is written can be read, and comes back the same."""

import json
import pickle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from skerry.records import (
    Record,
    from_json,
    iterate,
    load,
    read,
    read_all,
    save,
    to_json,
    write_json,
    write_text,
)
from skerry.records.textwriter import LONE_SPACE, WIDTH
from support.random_records import records

DATA = Path(__file__).parent / "data"
SKEW = skerry.make("skew", side=3, pegs=4)
SKIRT = skerry.make("skirt", side=3)
FAST = settings(max_examples=30, deadline=None)

every_game = pytest.mark.parametrize("name", skerry.GAMES)


@every_game
@FAST
@given(data=st.data())
def test_text_and_json_keep_everything(name: str, data: st.DataObject) -> None:
    record = data.draw(records(name))
    text = write_text([record])
    assert read(text) == record
    assert list(read(text).headers) == list(record.headers)
    assert read(write_json([record])) == record
    assert write_text([read(write_json([read(text)]))]) == text
    _, _, moves = text.partition("\n\n")
    for line in moves.split("\n"):
        # Only what must not be broken may be wider: long words, and words with runs of spaces.
        assert len(line) <= WIDTH or not LONE_SPACE.search(line)


@every_game
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_several_records_in_one_file(name: str, data: st.DataObject) -> None:
    several = data.draw(st.lists(records(name), min_size=2, max_size=3))
    assert read_all(write_text(several)) == several
    assert read_all(write_json(several)) == several


def test_samples_are_canonical() -> None:
    text = (DATA / "evening.skr").read_text(encoding="utf-8")
    assert write_text(read_all(text)) == text
    assert load(DATA / "evening.json") == load(DATA / "evening.skr")
    assert write_json(load(DATA / "evening.skr")) == (DATA / "evening.json").read_text("utf-8")


def test_hand_written_text_is_understood() -> None:
    (record,) = load(DATA / "free.skr")
    assert write_text([record]) == (
        '[Game "skew"]\n'
        '[Options "side=3 pegs=4"]\n'
        '[Date "2024-05-17"]\n'
        "\n"
        "{written by hand: no numbers, tight numbers, line comments} 1. c2-w 2. c1-ne\n"
        "3. b2-e 4. d3-sw {a comment over two lines} 5. d2-ne 6. d1-e {after the\n"
        "variation} (6. d1-w {not so}) 1/2-1/2\n"
    )


def test_from_moves_takes_text_moves_and_actions() -> None:
    state = SKEW.initial()
    first = state.parse("c2-w")
    second = state.play(first).parse("c1-ne")
    third = int(state.play(first).play(second).legal_actions()[0])
    record = Record.from_moves(SKEW, None, ["c2-w", second, third], {"First": "Ann"})
    assert [str(move) for move in record.moves()][:2] == ["c2-w", "c1-ne"]
    assert record.players == ("Ann", None)
    assert record.result == "*"
    assert len(record.states()) == 4
    assert record.states()[0] == state


def test_from_moves_finds_the_result() -> None:
    moves = ["c2-w", "c1-ne", "b2-e", "d3-sw", "d2-ne", "d1-e", "b3-w", "a1-se"]
    record = Record.from_moves(SKEW, moves=moves)
    assert record.result == "1-0"
    assert record.states()[-1].is_over


def test_from_moves_from_a_position() -> None:
    start = SKEW.initial().play("c2-w")
    record = Record.from_moves(SKEW, start, ["c1-ne"])
    text = write_text([record])
    assert f'[Position "{start.position}"]' in text
    assert "1. c1-ne *" in text
    assert read(text) == record


def test_from_moves_of_a_deal_keeps_the_seed() -> None:
    game = skerry.make("skaane")
    assert Record.from_moves(game).seed == 0
    record = Record.from_moves(game, seed=5)
    assert record.start == game.initial(5)
    assert '[Seed "5"]' in write_text([record])
    unknown = Record.from_moves(game, game.initial(5))
    assert "Seed" not in write_text([unknown])
    assert read(write_text([unknown])).start == record.start


@pytest.mark.parametrize(
    ("moves", "plies"),
    [
        # A turn in one word: what follows is said of its end and varies all of it.
        ("1. b1 2. c1-c2 {fine} (2. c1-c3) 3. e2-d2 *", "b1 c1 c2 e2 d2"),
        # A comment or a variation inside a turn splits it.
        ("1. b1 2. c1 {outer} 2... c2 {inner} *", "b1 c1 c2"),
        ("1. b1 2. c1 2... c2 (2... c3) 3. e2-d2 *", "b1 c1 c2 e2 d2"),
        ("1. b1 2. c1 (2. d1-c2) 2... c2 (2... c3) (2... c4 3. e2-d2) 3. e2 *", "b1 c1 c2 e2"),
        ("1. b1 2. c1 *", "b1 c1"),
    ],
)
def test_turns_of_two_placements(moves: str, plies: str) -> None:
    text = f'[Game "skirt"]\n[Options "side=3"]\n\n{moves}\n'
    record = read(text)
    assert [str(move) for move in record.moves()] == plies.split()
    assert write_text([record]) == text
    assert read(write_json([record])) == record


def test_a_variation_of_a_whole_turn_belongs_to_its_first_ply() -> None:
    record = read('[Game "skirt"]\n[Options "side=3"]\n\n1. b1 2. c1-c2 (2. d1-c2) *\n')
    assert len(record.line.plies[1].variations) == 1
    assert record.line.plies[2].variations == ()


def test_turn_as_separate_words_is_joined() -> None:
    record = read('[Game "skirt"][Options "side=3"] 1. b1 2. c1 c2 *')
    assert "2. c1-c2 *" in write_text([record])
    assert record == Record.from_moves(SKIRT, moves=["b1", "c1-c2"])


def test_three_seats() -> None:
    game = skerry.make("x", size=3)
    for result in ("1-0-0", "0-1-0", "0-0-1", "1/3-1/3-1/3", "*"):
        record = Record.from_moves(game, moves=["b2", "a1"], result=result)
        assert read(write_text([record])).result == result


def test_defaults_and_capitals_are_understood() -> None:
    assert read('[Game "Skew"]\n\n*').game == skerry.make("skew")
    assert '[Options "side=5 pegs=24"]' in write_text([read('[Game "skew"]*')])


def test_a_matching_result_header_is_kept() -> None:
    record = read('[Game "skew"]\n[Result "1-0"]\n1-0')
    assert record.headers == {"Result": "1-0"}


def test_iterate_hands_out_what_comes_before_the_damage() -> None:
    found = iterate('[Game "skew"]\n\n*\n\n[Game "skew"]\n\nzz *\n')
    assert next(found).result == "*"
    with pytest.raises(skerry.RecordError, match="line 7: move 1 'zz'"):
        next(found)
    cut_off = iterate('[Game "skew"]\n\n*\n\n[Game "sk')
    assert next(cut_off).result == "*"
    with pytest.raises(skerry.RecordError, match="line 5: a header is broken or cut off"):
        next(cut_off)


def test_json_object_is_plain_data() -> None:
    (record,) = load(DATA / "free.skr")
    content = to_json(record)
    assert content["format"] == "skerry-record"
    assert content["version"] == 1
    assert content["moves"][0] == "c2-w"
    assert from_json(json.loads(json.dumps(content))) == record


def test_records_can_be_pickled() -> None:
    several = load(DATA / "evening.skr")
    assert pickle.loads(pickle.dumps(several)) == several  # noqa: S301  # made here


def test_records_do_not_share_the_headers_they_were_given() -> None:
    headers = {"Event": "one"}
    record = Record(SKEW.initial(), headers=headers)
    headers["Event"] = "two"
    assert record.headers["Event"] == "one"


def test_a_long_game_is_not_deep() -> None:
    game = skerry.make("skaane", quiet_limit=100_000)
    state, moves = game.initial(1), []
    back_and_forth = find_idle_moves(state)
    for i in range(3000):
        moves.append(back_and_forth[i % len(back_and_forth)])
    record = Record.from_moves(game, seed=1, moves=moves)
    assert read(write_text([record])) == record


def find_idle_moves(state: skerry.State) -> list[str]:
    """Moves of both seats after which the board is as before: a step ahead and back again."""
    first = next(str(m) for m in state.legal_moves() if str(m).endswith("3"))
    second = next(str(m) for m in state.play(first).legal_moves() if str(m).endswith("6"))
    return [first, second, *("-".join(reversed(m.split("-"))) for m in (first, second))]


@pytest.mark.parametrize("suffix", [".skr", ".json", ".JSON", ""])
def test_save_and_load(tmp_path: Path, suffix: str) -> None:
    several = load(DATA / "evening.skr")
    path = tmp_path / f"games{suffix}"
    save(path, several)
    assert load(path) == several
    assert path.read_text("utf-8").startswith("[\n {" if "json" in suffix.lower() else "[Game")
    save(path, several[0], form="json")
    assert path.read_text("utf-8").startswith("{")
    assert load(str(path)) == several[:1]
    assert [child.name for child in tmp_path.iterdir()] == [path.name]
