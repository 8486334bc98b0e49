"""Books of beginnings: found by their board, drawn from, and begun with in matches."""

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import skerry
from skerry.core.errors import OptionsError, SkerryError
from skerry.games import GAMES
from skerry.lab.beginnings import EVEN, is_even, read_beginnings, tell_evidence, write_beginnings
from skerry.lab.contest.match import Match, describe, play_game
from skerry.lab.openings.books import Books, name_book
from skerry.records import read_all, write_text
from support.books import SKAANE, SKIRT, judge, skaane_book, skirt_book, write_books
from support.running import run
from support.scripts import load_script

tool = load_script("beginnings")
BOOK = skirt_book()
THEMES = ("light", "dark")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("surveys")
    write_books(found)
    return found


def test_a_book_is_found_by_its_board(folder: Path) -> None:
    books = Books(str(folder))
    found = books.find(SKIRT)
    assert found is not None
    assert found.even_starts[0].moves == BOOK.even_starts[0].moves
    assert books.find(skerry.make("skirt", side=4)) is None
    assert books.list_boards("skirt")[0] == SKIRT.options
    drawn = {books.draw(SKIRT, Random(seed)).moves for seed in range(20)}
    assert drawn == {start.moves for start in BOOK.even_starts}
    with pytest.raises(OptionsError, match="no even starts of Skirt are known on this board"):
        books.draw(skerry.make("skirt", side=4), Random(0))


def test_a_start_is_recognised_in_whatever_way_it_came_about(folder: Path) -> None:
    books = Books(str(folder))
    start = BOOK.even_starts[1]
    state = SKIRT.initial().play(start.moves[0]).play(start.moves[1])
    for begun in (state, SKIRT.position(start.position)):
        found = books.look_up(begun)
        assert found is not None
        assert found.moves == start.moves
    assert books.look_up(SKIRT.initial()) is None
    dealt = books.look_up(SKAANE.initial(7))
    assert dealt is not None
    assert dealt.deal == 7


def test_a_damaged_book_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / name_book(SKIRT)
    assert path.name == "skirt-3-beginnings.json"
    for content in (b"{}", b"\xff\xfe", b'{"format": "skerry-beginnings-1", "game": "skirt"}'):
        path.write_bytes(content)
        with pytest.raises(OptionsError, match=r"beginnings\.json") as refused:
            Books(str(tmp_path)).find(SKIRT)
        assert "\n" not in str(refused.value)
    write_beginnings(path, BOOK)
    assert Books(str(tmp_path)).find(SKIRT) is not None


def test_books_that_come_with_skerry_hold_what_they_say() -> None:
    for name in GAMES:
        for options in Books().list_boards(name):
            game = skerry.make(name, **options)
            book = Books().find(game)
            assert book is not None
            for start in book.even_starts:
                state = game.initial(start.deal or 0)
                for move in start.moves:
                    state = state.play(move)
                assert state.position == start.position
                assert game.position(start.position).position == start.position
                assert is_even(start.evidence.won), EVEN


@pytest.mark.parametrize(("game", "book"), [(SKIRT, skirt_book()), (SKAANE, skaane_book())])
def test_a_match_takes_every_start_once_with_all_seatings(game: skerry.Game, book: object) -> None:
    starts = getattr(book, "even_starts")  # noqa: B009
    match = Match(game, ("random", "mcts:simulations=1"), 8, seed=3, starts=starts)
    begun = []
    for block in range(4):
        first, second = (play_game(match, block, seating) for seating in range(2))
        start = match.start_of(block)
        assert start is not None
        told = tell_evidence(game.seats, start.evidence)
        for record in (first, second):
            assert record.headers["Even"] == told
            assert tuple(map(str, record.moves()[: len(start.moves)])) == start.moves
            assert record.seed == start.deal
            assert read_all(write_text(record))[0].headers["Even"] == told
        assert first.start == second.start
        begun.append(start.position)
    assert len(set(begun[:2])) == len(set(begun[2:])) == 2
    assert describe(match, 0, 0)["Event"] == "match 3, even starts"
    with pytest.raises(OptionsError, match="even starts or the swap rule"):
        Match(game, ("random", "level:1"), 8, swap=True, starts=starts)


def test_evidence_is_told_with_its_interval() -> None:
    told = tell_evidence(SKIRT.seats, BOOK.even_starts[0].evidence)
    assert told == "White 51.2 %, Black 48.8 %, ± 2.4, in 1,536 games"


@pytest.mark.usefixtures("in_this_process")
def test_contests_and_terminal_games_begin_with_even_starts(folder: Path, tmp_path: Path) -> None:
    small = ["skirt", "random", "level:1", "-o", "side=3", "--jobs", "1", "--games", "4"]
    even = ["--even", "--data", str(folder)]
    played = run("match", *small, *even, "--out", str(tmp_path / "match"))
    assert played.exit_code == 0, played.output
    records = [path.read_text("utf-8") for path in (tmp_path / "match").glob("*.skr")]
    assert len(records) == 4
    assert all('[Even "White ' in record for record in records)
    played = run("tournament", *small, *even, "--out", str(tmp_path / "tournament"))
    assert played.exit_code == 0, played.output
    assert "4 games" in played.stdout
    for wrong, said in {
        ("--swap",): "give --even or --swap, not both",
        ("--opening", "3"): "give --even or --opening, not both",
        ("--data", ""): "no even starts of Skirt are known on this board",
    }.items():
        refused = run("match", *small, *even, *wrong, "--out", str(tmp_path / "other"))
        assert refused.exit_code != 0
        assert said in refused.output
    shown = run("play", "skirt", "-o", "side=3", *even, typed=["moves", "quit"])
    assert "even start, by strong play: White " in shown.output


def test_surveys_become_books_and_a_page(folder: Path, tmp_path: Path) -> None:
    surveys = tool.find_surveys(folder)
    assert [path.parent.name for path in surveys] == ["skaane", "skew", "skirt"]
    kept = [tool.take(path, tmp_path).name for path in surveys]
    assert "skirt-3-beginnings.json" in kept
    books = list(tool.read_books(tmp_path))
    assert [book.game for book in books] == ["skew", "skirt", "skaane"]
    page = tool.write("before\n<!-- books -->\nold\n<!-- end of books -->\nafter\n", books)
    assert "old" not in page
    assert "### Skirt, side=3" in page
    assert "2 even starts, each of 1,536 games" in page
    assert "| keep | 120 (" in page
    assert tool.write(page, books) == page
    drawn = tool.draw_all(books, tmp_path)
    assert {path.name for path in drawn} == {
        f"first-{board}-{theme}.svg" for board in ("skew-3", "skirt-3") for theme in THEMES
    }
    for name in re.findall(r'(?:src|srcset)="images/([^"]+)"', page):
        assert tmp_path / name in drawn


def test_a_survey_that_says_what_is_not_so_is_refused(tmp_path: Path) -> None:
    start = BOOK.even_starts[0]
    for wrong, said in (
        (replace(start, position=SKIRT.initial().position), "does not lead to"),
        (replace(start, moves=("a1", "a1")), "a1"),
        (replace(start, evidence=judge(0.6, 0.4)), "is not even"),
    ):
        path = tmp_path / "beginnings.json"
        write_beginnings(path, replace(BOOK, even_starts=(wrong,)))
        with pytest.raises((ValueError, SkerryError), match=said):
            tool.take(path, tmp_path)
    assert not list(tmp_path.glob("*-beginnings.json"))


def test_surveys_of_a_board_add_up(tmp_path: Path) -> None:
    first, second = BOOK.even_starts[:2]
    path = tmp_path / "beginnings.json"
    for seed, starts in ((1, (first,)), (2, (first, second)), (2, (first, second))):
        write_beginnings(path, replace(BOOK, even_starts=starts, card={"seed": seed}))
        kept = tool.take(path, tmp_path)
    book = read_beginnings(kept.read_text("utf-8"), "it")
    assert [start.moves for start in book.even_starts] == [first.moves, second.moves]
    assert book.card == {"surveys": [{"seed": 1}, {"seed": 2}]}
    assert book.first_moves


def test_the_page_tells_of_the_books_that_come_with_skerry() -> None:
    books = list(tool.read_books(tool.BOOKS))
    page = tool.PAGE.read_text(encoding="utf-8")
    assert tool.write(page, books) == page, "run: python tools/beginnings.py"
    for path, content in tool.draw_all(books, tool.PAGE.parent / "images").items():
        assert path.read_text(encoding="utf-8") == content, "run: python tools/beginnings.py"
