"""Atlases of openings: folded as the rules fold positions, kept strictly, and read by people."""

import hashlib
import json
import re
import zlib
from collections import Counter, defaultdict
from pathlib import Path

import pytest

import skerry
from skerry.core.errors import OptionsError
from skerry.core.playthrough import Playthrough
from skerry.lab.corpus import Corpus, write_corpus
from skerry.lab.openings.atlas import DIGEST, FORMAT, Atlas, decode, draw_atlas, encode
from skerry.lab.openings.building import build_atlas
from skerry.lab.openings.crossroads import (
    DROPPED,
    FOUND,
    Atlases,
    describe,
    figure_out,
    find_drift,
    mark_ways,
)
from skerry.lab.openings.drifts import list_drifts
from skerry.lab.openings.gathering import Gathering
from skerry.lab.openings.names import find_keys, list_names, name_line
from skerry.lab.openings.shipped import Era, find_file
from skerry.lab.stats.figures import share
from support.corpora import atlas_of, random_corpus
from support.running import run

SKIRT = skerry.make("skirt", side=3)
SKAANE = skerry.make("skaane", width=4, height=5, gods=2, kings=2, serfs=3, suns=1)
X = skerry.make("x", size=4)
GAMES = 60


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return random_corpus(SKIRT, GAMES)


@pytest.fixture(scope="module")
def atlas(corpus: Corpus) -> Atlas:
    gathering = Gathering(SKIRT)
    gathering.add(corpus, "games")
    return draw_atlas(SKIRT, gathering.total(), {"games": gathering.games}, least=2)


def images(state: skerry.State) -> dict[str, list[int]]:
    """The images of a position as texts, with the symmetries that make them."""
    found = defaultdict(list)
    for number in range(len(state.game.symmetries)):
        found[state.game.transform(state, number).position].append(number)
    return found


def test_positions_are_folded_as_the_slow_way_folds_them(corpus: Corpus, atlas: Atlas) -> None:
    came, done, won = Counter[str](), Counter[tuple[str, int]](), defaultdict(Counter[int])
    shown: dict[str, skerry.State] = {}
    for k in range(GAMES):
        states = list(corpus.replay(k))
        for state, action in zip(states[:-1], corpus.actions[k].tolist(), strict=False):
            seen = images(state)
            least = min(seen)
            acts = [state.game.transform_action(action, number) for number in seen[least]]
            came[least] += 1
            done[least, min(acts)] += 1
            won[least][int(corpus.outcomes[k])] += 1
            shown[least] = state
    assert sum(games > 1 for games in came.values()) == len(atlas) > 20
    for least, state in shown.items():
        known = atlas.find(state)
        if came[least] == 1:
            assert known is None
            continue
        assert known is not None
        assert known.results.games == came[least]
        assert known.results.wins == tuple(won[least][seat] for seat in range(2))
        for action in state.legal_actions().tolist():
            acts = [state.game.transform_action(action, n) for n in images(state)[least]]
            count = known.actions.get(action)
            assert (count.games if count else 0) == done[least, min(acts)]


def test_deals_are_told_apart_by_whose_pawns_stand_where() -> None:
    corpus = random_corpus(SKAANE, GAMES)
    done = Counter[tuple[str, str]]()
    for k in range(GAMES):
        start = next(corpus.replay(k))
        if not start.is_over:
            done[name_pawn(start, int(corpus.actions[k, 0]))] += 1
    gathering = Gathering(SKAANE)
    gathering.add(corpus, "games")
    atlas = draw_atlas(SKAANE, gathering.total(), {}, least=2)
    deal = SKAANE.position("gsks/skug/4/KGSU/SSGK w 0")
    known = atlas.find(deal)
    assert known is not None
    assert known.results.games == done.total() > 2
    assert len(known.actions) > 2
    for action in deal.legal_actions().tolist():
        count = known.actions.get(action)
        assert (count.games if count else 0) == done[name_pawn(deal, action)]


def name_pawn(deal: skerry.State, action: int) -> tuple[str, str]:
    """Where a pawn stands that moves, or in the mirror, and its rune."""
    square = str(deal.move(action))[:2]
    mirrored = "dcba"["abcd".index(square[0])] + square[1]
    return min(square, mirrored), deal.cells[SKAANE.board.index[square]]


def test_files_are_the_same_for_the_same_games(corpus: Corpus, tmp_path: Path) -> None:
    half = GAMES // 2
    for name, part in (("a", slice(None, half)), ("b", slice(half, None))):
        arrays = (corpus.seeds, corpus.actions, corpus.outcomes, corpus.seating)
        write_corpus(tmp_path / f"{name}.npz", Corpus(SKIRT, *(a[part] for a in arrays), {}))
    files = [tmp_path / "a.npz", tmp_path / "b.npz"]
    heard: list[int] = []
    built, size = build_atlas(
        SKIRT, files, tmp_path / "1.atlas", "by chance", heard.append, least=2
    )
    build_atlas(SKIRT, files, tmp_path / "2.atlas", "by chance", least=2)
    content = (tmp_path / "1.atlas").read_bytes()
    assert content == (tmp_path / "2.atlas").read_bytes()
    assert len(content) == size
    assert heard == [half, GAMES]
    assert built.card["games"] == GAMES
    assert built.card["note"] == "by chance"
    assert [source["file"] for source in built.card["sources"]] == ["a.npz", "b.npz"]
    small, size = build_atlas(SKIRT, files, tmp_path / "3.atlas", least=2, room=900)
    assert size <= 900
    assert 0 < len(small) < len(built)
    assert small.card["least"] > 2
    with pytest.raises(OptionsError, match="has the same games"):
        build_atlas(SKIRT, files[:1] * 2, tmp_path / "4.atlas")


def test_games_that_break_the_rules_are_refused(corpus: Corpus) -> None:
    lies = (
        (corpus.actions, (4, 2), corpus.actions[4, 0], "game 5"),  # where a piece stands already
        (corpus.outcomes, 6, 1 - corpus.outcomes[6], "game 7"),
    )
    for array, place, lie, told in lies:
        truth = array[place]
        array[place] = lie
        with pytest.raises(OptionsError, match=f"games: {told} is not as the rules"):
            Gathering(SKIRT).add(corpus, "games")
        array[place] = truth
    with pytest.raises(OptionsError, match="has games of"):
        Gathering(X).add(corpus, "games")


def seal(plain: bytes) -> bytes:
    content = zlib.compress(plain)
    return FORMAT + hashlib.sha256(content).digest() + content


def test_files_are_read_strictly(atlas: Atlas) -> None:
    content = encode(atlas)
    assert encode(decode(content, "it")) == content
    plain = zlib.decompress(content[len(FORMAT) + DIGEST :])
    head, _, body = plain.partition(b"\n")
    damaged = bytearray(content)
    damaged[-5] ^= 1
    bad = {
        "it is not an atlas": b"GIF89a",
        "it is damaged": bytes(damaged),
        "it is no atlas that": seal(head + b"\n" + body[:-1]),
        "it is no atlas that this": seal(b"[]\n" + body),
        "it is no atlas that this version": seal(head + b"\n" + body[::-1]),
        "it: there is no game": seal(head.replace(b'"skirt"', b'"chess"') + b"\n" + body),
    }
    for words, found in bad.items():
        with pytest.raises(OptionsError, match=words) as told:
            decode(found, "it")
        assert "\n" not in str(told.value)


def test_shares_of_three_seats_and_habits_that_changed() -> None:
    start = X.initial()
    now = atlas_of({start: {"a1": (60, 20, 20, 0), "b2": (200, 500, 200, 0), "c1": (1, 0, 0, 0)}})
    then = atlas_of({start: {"a1": (600, 200, 200, 0), "d1": (50, 50, 50, 0), "b3": (4, 4, 3, 0)}})
    found = Atlases(now, then).look(Playthrough(start))
    assert start.parse("b3") not in found.ways[-1].moves, "which only an early net did, on a whim"
    assert found.games == 1001
    assert [str(way.moves[0]) for way in found.ways] == ["b2", "a1", "a3", "a4"]
    assert found.ways[3].moves == (start.parse("a4"), start.parse("d1"))
    assert [way.games for way in found.ways] == [900, 100, 1, 0]
    assert [way.is_rare for way in found.ways] == [False, False, True, True]
    assert [way.drift for way in found.ways] == [FOUND, DROPPED, None, DROPPED]
    assert found.ways[0].shares[1] == share([1.0] * 500 + [0.0] * 400)
    told = describe(found)
    assert json.loads(json.dumps(told))["ways"][1]["before"] == pytest.approx(1000 / 1161, abs=1e-4)
    marks = mark_ways(found).marks
    assert {mark.text for mark in marks if mark.weight == 1} == {"22"}
    assert find_drift(0.2, 0.15) is None
    drifts = list_drifts(X, Atlases(now, then))
    assert [drift.moves for drift in drifts] == [("b2",), ("a1",), ("a4",)]
    assert drifts[1].before > drifts[1].now
    assert list_drifts(X, Atlases(now, None)) == []
    lonely = Atlases(now, None).look(Playthrough(start).follow(["a1"]))
    assert (lonely.games, lonely.ways, lonely.early_games) == (0, (), None)


def test_draws_count_for_everybody() -> None:
    start = SKAANE.playable_start()
    move = str(start.legal_moves()[0])
    known = atlas_of({start: {move: (10, 20, 30)}}).find(start)
    assert known is not None
    assert figure_out(known.results)[0] == share([1.0] * 10 + [0.0] * 20 + [0.5] * 30)


def test_names_belong_to_positions() -> None:
    names = find_keys(X, {"b1 c3 a1 d2": "Long Shore"})
    assert names == find_keys(X, {"d2 c3 a1 b1": "Long Shore"}), "by another way"
    assert names == find_keys(X, {"c4 b2 d4 a3": "Long Shore"}) != {}, "seen from the other side"
    for game in skerry.GAMES:
        names = list_names(game)
        assert len(set(names.values())) == len(names) >= 4, "each for one position"
    line = Playthrough(skerry.make("x").initial()).follow(["h8", "c3", "d4"])
    assert name_line(line) == "Twin Beacons", "the last that has a name"


def test_atlases_that_come_with_skerry_can_be_read() -> None:
    for game in skerry.GAMES:
        for era in Era:
            path = find_file(skerry.make(game), era)
            if path is not None:
                found = decode(path.read_bytes(), path.name)
                assert found.game == skerry.make(game)
                assert path.stat().st_size <= 300_000
                assert found.find(found.game.playable_start()) is not None
                assert found.card["games"] >= (100_000 if era is Era.BEST else 50_000)


def test_the_page_shows_what_commands_print() -> None:
    page = (Path(__file__).parents[2] / "docs" / "lab" / "openings.md").read_text("utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    examples = [part for block in blocks for part in block.split("$ skerry ")[1:]]
    assert len(examples) > 2
    for example in examples:
        command, _, printed = example.partition("\n")
        shown = run(*command.split()).stdout
        assert shown.startswith(printed.removesuffix("...\n")), shown


def test_commands_build_and_look_up(corpus: Corpus, tmp_path: Path) -> None:
    write_corpus(tmp_path / "skirt.npz", corpus)
    games = ["openings", "build", "skirt", str(tmp_path / "skirt.npz"), "-o", "side=3"]
    built = run(*games, "--out", str(tmp_path / "skirt.atlas"), "--least", "3")
    assert built.exit_code == 0, built.stderr
    assert f"{GAMES} games" in built.stdout
    again = run(*games, "--out", str(tmp_path / "skirt.atlas"))
    assert again.exit_code == 2, "it would be lost"
    here = ["openings", "skirt", "-o", "side=3", "--data", str(tmp_path)]
    told = json.loads(run(*here, "--json").stdout)
    assert told["games"] == GAMES
    assert sum(way["games"] for way in told["ways"]) == GAMES
    way = told["ways"][0]
    text = run(*here).stdout
    assert f"{way['move']} (+{len(way['images'])})" in text
    assert "few games" in text
    after = json.loads(run(*here, way["images"][0], "--json").stdout)
    assert after["games"] == way["games"], "in the mirror"
    card = json.loads(run(*here, "--card").stdout)["best"]
    assert card["sources"][0]["card"]["players"][0]["net"] == "0123456789ab"
    nowhere = run("openings", "skirt", "-o", "side=4", "--data", str(tmp_path))
    assert nowhere.exit_code == 2
    assert "skerry selfplay skirt -o side=4" in nowhere.stderr
    assert run(*here, "zz").exit_code == 2
