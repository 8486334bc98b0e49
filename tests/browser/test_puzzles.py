"""Puzzles in a real browser: solved, answered wrong and refuted, by mouse, touch and keyboard."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.visiting import Visitor, list_unnamed
from skerry import State
from skerry.study.motifs import list_motifs
from skerry.study.puzzles import Puzzle, load
from skerry.study.turns import list_turns
from support.repeating import some_of

Visit = Callable[..., Visitor]
GAMES = ("skew", "skirt", "x", "skaane")
SCREENS: dict[str, dict[str, Any]] = {
    "mouse": {"viewport": {"width": 1280, "height": 800}},
    "touch": {"viewport": {"width": 320, "height": 640}, "has_touch": True},
    "keyboard": {},
}
PATIENCE = 60_000  # milliseconds: an engine process may have to compile first
PAUSE = 700  # milliseconds between the moves of a line


def open_puzzle(visitor: Visitor, name: str, turns: int) -> Puzzle:
    """Open the first puzzle of so many turns."""
    number, puzzle = next((n, p) for n, p in enumerate(load(name), 1) if p.turns == turns)
    visitor.open(f"/puzzles/{name}/{number}")
    return puzzle


def answer(visitor: Visitor, state: State, turn: str, by: str) -> None:
    """Make a turn by pointing at everything on its path."""
    for move in state.parse_turn(turn):
        expect(visitor.page.locator("#board.mine")).to_have_count(1, timeout=PATIENCE)
        for part in state.path(move):
            if part[-1].isdigit():
                visitor.point(part, by)
            else:
                handle = visitor.page.locator(f"#board [data-way={part}]")
                handle.tap() if by == "touch" else handle.click()
        if by == "touch" and visitor.has_tiny_cells():
            expect(visitor.words()).to_contain_text("again")
            visitor.point(part, by)
        state = state.play(move)


@pytest.mark.parametrize(
    ("name", "by"),
    some_of([(name, by) for name in GAMES for by in ("mouse", "touch")], [("skew", "touch")]),
)
def test_a_puzzle_is_solved(visit: Visit, name: str, by: str) -> None:
    visitor = visit(**SCREENS[by])
    puzzle = open_puzzle(visitor, name, 2)
    state = puzzle.state
    for turn in puzzle.line:
        if state.to_move == puzzle.seat:
            answer(visitor, state, turn, by)
        state = state.play(turn)
    expect(visitor.words()).to_contain_text("Solved. ", timeout=PATIENCE)
    expect(visitor.page.locator("#done")).to_be_visible()
    visitor.page.locator("#next").click()
    visitor.open(f"/puzzles/{name}")
    expect(visitor.page.locator(".boards .solved")).to_have_count(1)
    visitor.open("/puzzles")
    said = visitor.page.locator(f".solved-count[data-game={name}]")
    expect(said).to_have_text(f"1 of {len(load(name))} solved")


@pytest.mark.parametrize(
    ("name", "by"),
    some_of([("skaane", "mouse"), ("skirt", "touch"), ("x", "keyboard")], [("skirt", "touch")]),
)
def test_a_wrong_answer_is_refuted(visit: Visit, name: str, by: str) -> None:
    visitor = visit(**SCREENS[by])
    visitor.page.clock.install()
    puzzle = open_puzzle(visitor, name, 2)
    wrong = next(turn for turn, _ in list_turns(puzzle.state) if turn != puzzle.line[0])
    answer(visitor, puzzle.state, wrong, by)
    expect(visitor.words()).to_contain_text("No. ", timeout=PATIENCE)
    steps = visitor.page.locator("#line button")
    expect(steps.first).to_have_text(f"{puzzle.game.seats[puzzle.seat]} {wrong}")
    last = steps.last
    while last.get_attribute("aria-current") is None:
        visitor.page.clock.run_for(PAUSE)
    after = visitor.page.locator("#board").inner_html()
    steps.first.click()
    expect(steps.first).to_have_attribute("aria-current", "step")
    assert visitor.page.locator("#board").inner_html() != after
    expect(visitor.page.locator("#board.mine")).to_have_count(0)
    visitor.page.locator("#again").click()
    expect(visitor.page.locator("#line")).to_be_hidden()
    answer(visitor, puzzle.state, puzzle.line[0], by)
    expect(visitor.words()).to_contain_text("Right. ", timeout=PATIENCE)


@pytest.mark.soak
def test_what_counts_follows_the_board(visit: Visit) -> None:
    visitor = visit()
    puzzle = open_puzzle(visitor, "skew", 2)
    held = visitor.page.locator("#holdings .holding")
    view = puzzle.game.view
    expect(held).to_have_text(list(view.holdings(puzzle.state)))
    answer(visitor, puzzle.state, puzzle.line[0], "mouse")
    after = puzzle.state.play(puzzle.line[0]).play(puzzle.line[1])
    assert view.holdings(after) != view.holdings(puzzle.state)
    expect(held).to_have_text(list(view.holdings(after)), timeout=PATIENCE)


@pytest.mark.soak
def test_puzzles_are_chosen_by_theme(visit: Visit) -> None:
    visitor = visit()
    visitor.open("/puzzles/skirt")
    themes = visitor.page.get_by_role("navigation", name="Themes")
    themes.get_by_role("link", name="Jump").click()
    count = sum("jump" in found for found in list_motifs("skirt"))
    expect(visitor.page.locator("[data-number]")).to_have_count(count)
    expect(themes.get_by_role("link", name="Jump")).to_have_attribute("aria-current", "page")
    number = visitor.page.locator("[data-number]").first.get_attribute("data-number")
    visitor.open(f"/puzzles/skirt/{number}")
    about = visitor.page.get_by_role("link", name="Jump")
    expect(about).to_be_hidden()  # it would give a part of the solution away
    visitor.page.get_by_text("What it is about").click()
    expect(about).to_be_visible()


@pytest.mark.soak
def test_the_next_puzzle_is_of_the_theme_that_was_chosen(visit: Visit) -> None:
    visitor = visit()
    numbers = [n for n, found in enumerate(list_motifs("skirt"), 1) if "jump" in found]
    assert numbers != list(range(numbers[0], numbers[0] + len(numbers))), "others lie between"
    visitor.open("/puzzles/skirt?about=jump")
    page = visitor.page
    page.locator("[data-number]").first.click()
    for number in numbers:
        expect(page).to_have_url(f"{visitor.server.url}/puzzles/skirt/{number}?about=jump")
        page.locator("#next").click()
    # That was the last of them.
    expect(page).to_have_url(f"{visitor.server.url}/puzzles/skirt")
    visitor.open(f"/puzzles/skirt/{numbers[1]}?about=jump")
    page.get_by_role("link", name="Previous").click()
    expect(page).to_have_url(f"{visitor.server.url}/puzzles/skirt/{numbers[0]}?about=jump")
    page.get_by_text("Theme:").get_by_role("link", name="Jump").click()
    expect(page.locator("[data-number]")).to_have_count(len(numbers))
    visitor.open(f"/puzzles/skirt/{numbers[1]}")
    expect(page.locator("#next")).to_have_attribute("href", f"/puzzles/skirt/{numbers[1] + 1}")


def test_a_puzzle_can_be_read_without_scripts(visit: Visit) -> None:
    visitor = visit(java_script_enabled=False)
    puzzle = open_puzzle(visitor, "skew", 2)
    expect(visitor.page.locator("h1")).to_have_text(puzzle.goal)
    expect(visitor.page.locator("main svg:visible").last).to_be_visible()
    expect(visitor.page.get_by_text(puzzle.line[0])).to_be_hidden()
    visitor.page.get_by_text("Solution", exact=True).click()
    expect(visitor.page.get_by_text(puzzle.line[0])).to_be_visible()


@pytest.mark.parametrize(
    "path", some_of(["/puzzles", "/puzzles/skirt", "/puzzles/x/40"], ["/puzzles/x/40"])
)
def test_pages_fit_on_a_phone_and_are_named(visit: Visit, path: str) -> None:
    visitor = visit(**SCREENS["touch"])
    visitor.open(path)
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 320
    expect(visitor.page.locator("h1")).to_have_count(1)
    assert list_unnamed(visitor.page, "main button, main a") == []
