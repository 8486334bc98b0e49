"""Courses in a browser: learnt by mouse, keyboard and touch, and remembered."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Request, Route, expect

from browser.test_axe import MOST_SHIFT, WATCH_SHIFTS
from browser.test_pages import MOST_BYTES
from browser.visiting import Visitor
from skerry.games import kind
from skerry.study.courses import COURSES
from skerry.study.lessons import CourseStep
from support.repeating import some_of
from support.solving import find_moves, forbidden_path, start_of

Visit = Callable[..., Visitor]
# Two placements, a pass, a piece that is moved, a click on oneself, a direction.
STEPS = [
    ("skirt", "jump"), ("skirt", "opening"), ("skaane", "circle"), ("skaane", "sun"),
    ("skew", "lean"),
]  # fmt: skip
SINGLE = [(*step, by) for step in STEPS for by in ("keyboard", "touch")]
TELLING = [("skirt", "jump", "keyboard"), ("skew", "lean", "touch")]
PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}


def section(visitor: Visitor, id: str) -> Locator:
    return visitor.page.locator(f"#step-{id}")


def feedback(visitor: Visitor, id: str) -> Locator:
    return section(visitor, id).locator(".feedback")


@pytest.mark.parametrize("name", some_of(sorted(COURSES), ["skirt"]))
def test_rules_are_said_in_words_and_not_in_code(visit: Visit, name: str) -> None:
    """The fault: "Each seat has pegs pegs; seat 0 starts"."""
    visitor = visit()
    visitor.open(f"/rules/{name}")
    laws = visitor.page.locator(".law dd").all_text_contents()
    assert len(laws) > 3
    options = [option.name for option in kind(name).option_specs]
    for law in laws:
        assert not re.search(r"[{}_|]|seat \d", law), law
        # A number takes the place of an option's name, and a noun follows it.
        assert not re.search(rf"\b({'|'.join(options)}) ({'|'.join(options)})\b", law), law
    assert any(re.search(r"\b\d+ [a-z]+", law) for law in laws)


def begin(visitor: Visitor, name: str, id: str) -> None:
    visitor.open(f"/rules/{name}#step-{id}")
    expect(section(visitor, id).locator("#board.mine")).to_be_visible()


def point_at(visitor: Visitor, path: list[str], by: str = "mouse") -> None:
    """Point at everything on a path, whether that makes a move or not."""
    for number, part in enumerate(path):
        visitor.page.locator("#board").scroll_into_view_if_needed()
        if part[-1].isdigit():
            visitor.point(part, by)
        elif part.isalpha() and number == 0:
            visitor.page.locator(".step.alive").get_by_role("button", name=part).click()
        elif by == "keyboard":
            visitor.page.locator(f"#choices [data-part={part}]").click()
        else:
            handle = visitor.page.locator(f"#board [data-way={part}]")
            handle.tap() if by == "touch" else handle.click()


def do(visitor: Visitor, name: str, step: CourseStep, by: str = "mouse") -> None:
    """Do what a step asks for."""
    if forbidden_path(step):
        point_at(visitor, forbidden_path(step), by)
    start = state = start_of(name, step)
    played = 0
    for move in find_moves(start, step) if not forbidden_path(step) else []:
        point_at(visitor, list(state.path(state.parse(move))), by)
        state, played = state.play(move), played + 1
        for reply in step.replies[played - 1].split() if played <= len(step.replies) else ():
            state = state.play(reply)
    expect(feedback(visitor, step.id)).to_contain_text(step.right)


@pytest.mark.soak
@pytest.mark.parametrize("name", ["x", "skew"])
def test_a_whole_course_is_learnt_by_mouse(visit: Visit, name: str) -> None:
    # Nobody waits for what scrolls and glides; single steps are done with all of it.
    visitor, course = visit(reduced_motion="reduce"), COURSES[name]
    visitor.open(f"/rules/{name}")
    for number, step in enumerate(course.steps):
        here = section(visitor, step.id)
        expect(here.locator("#board.mine")).to_be_visible()
        do(visitor, name, step)
        expect(visitor.page.locator(".progress")).to_have_text(
            f"{number + 1} of {len(course.steps)} done"
        )
        here.get_by_role("button", name="Next").click()
    expect(visitor.page.locator("#title-first-win")).to_be_focused()
    visitor.page.get_by_role("button", name="Play against level 1").click()
    visitor.page.wait_for_url("**/g/*")
    seats = visitor.look()["seats"]
    assert sorted(seat["kind"] for seat in seats) == ["level:1"] * (len(seats) - 1) + ["person"]
    assert seats[course.seat]["kind"] == "person"
    assert visitor.look()["options"].items() >= course.friendly.items()


@pytest.mark.soak
@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_a_quick_reader_need_not_wait_for_the_server(visit: Visit, by: str) -> None:
    visitor, step, held = visit(), COURSES["skirt"].step("jump"), list[Route]()
    assert step is not None
    begin(visitor, "skirt", "jump")

    def hold(route: Route) -> None:
        """Keep the server from hearing of the first hex."""
        held.append(route) if not held else route.continue_()

    visitor.page.route("**/api/lessons/skirt/jump", hold)
    point_at(visitor, ["a3", "d3"], by)  # the second hex is allowed only after the first
    assert len(held) == 1
    held[0].continue_()
    expect(feedback(visitor, "jump")).to_contain_text(step.right)


@pytest.mark.parametrize(("name", "id", "by"), some_of(SINGLE, TELLING))
def test_steps_are_done_by_keyboard_and_touch(visit: Visit, name: str, id: str, by: str) -> None:
    visitor = visit(**(PHONE if by == "touch" else {}))
    step = COURSES[name].step(id)
    assert step is not None
    begin(visitor, name, id)
    do(visitor, name, step, by)
    link = visitor.page.locator(f".steps a[data-step={id}]")
    expect(link).to_have_class("done")


def test_a_wrong_turn_is_explained_and_taken_again(visit: Visit) -> None:
    visitor = visit()
    begin(visitor, "skew", "chain")
    point_at(visitor, ["d1", "se"])
    expect(feedback(visitor, "chain")).to_contain_text("Your lean turned c2 away")
    expect(visitor.page.locator("#board.mine")).to_have_count(0)
    section(visitor, "chain").get_by_role("button", name="Again").click()
    expect(feedback(visitor, "chain")).to_be_empty()
    point_at(visitor, ["c1", "e"])
    expect(feedback(visitor, "chain")).to_contain_text("both score")


def test_whatever_is_forbidden_is_explained(visit: Visit) -> None:
    visitor = visit()
    begin(visitor, "skaane", "attack")
    visitor.drag("b2", "b4")
    expect(feedback(visitor, "attack")).to_have_text(
        "Not allowed: a pawn moves one space: from b2 that way it comes to b3."
    )
    point_at(visitor, ["a5"])
    expect(feedback(visitor, "attack")).to_have_text("Not allowed: the pawn on a5 is not yours.")
    point_at(visitor, ["b2", "c3"])
    expect(feedback(visitor, "attack")).to_contain_text("The king is gone")


@pytest.mark.parametrize("name", some_of(sorted(COURSES), ["skaane"]))
def test_pictures_that_come_late_move_nothing(visit: Visit, name: str) -> None:
    heights = (
        "[...document.querySelectorAll('.place')].map((e) => e.getBoundingClientRect().height)"
    )
    visitor, waiting = visit(viewport={"width": 360, "height": 740}), list[Route]()

    def hold(route: Route) -> None:
        waiting.append(route)

    visitor.page.route("**/board.svg*", hold)
    begin(visitor, name, COURSES[name].steps[-1].id)
    before = visitor.page.evaluate(heights)
    for route in waiting:
        route.continue_()
    visitor.page.unroute("**/board.svg*")
    visitor.page.evaluate("for (const picture of document.images) picture.loading = 'eager'")
    visitor.until("[...document.images].every((one) => one.complete || !one.offsetParent)")
    after = visitor.page.evaluate(heights)
    assert after == pytest.approx(before, abs=1)


def test_progress_is_kept_and_shown_on_the_start_page(visit: Visit) -> None:
    visitor, steps = visit(), COURSES["skirt"].steps
    visitor.open()
    link = visitor.page.locator("[data-learn=skirt]")
    expect(link).to_have_text("Learn in ten minutes")
    visitor.open("/rules/skirt")
    do(visitor, "skirt", steps[0])
    visitor.page.reload()
    expect(visitor.page.locator(".progress")).to_have_text(f"1 of {len(steps)} done")
    expect(section(visitor, steps[1].id).locator("#board.mine")).to_be_visible()
    visitor.open()
    expect(link).to_have_text(f"Learn in ten minutes (1/{len(steps)})")


def test_a_clause_leads_to_its_step(visit: Visit) -> None:
    visitor = visit()
    visitor.page.add_init_script(WATCH_SHIFTS)
    visitor.open("/rules/skew#skew.5")
    expect(section(visitor, "spread").locator("#board.mine")).to_be_visible()
    assert visitor.page.evaluate("shifted") <= MOST_SHIFT
    expect(visitor.page.locator("dt[id='skew.5']")).to_be_in_viewport()


def test_one_board_is_alive_and_the_others_are_pictures(visit: Visit) -> None:
    visitor = visit()
    begin(visitor, "x", "path")
    section(visitor, "corner").get_by_role("button", name="Try it").click()
    expect(section(visitor, "corner").locator("#board.mine")).to_be_visible()
    expect(section(visitor, "path").locator("img:visible")).to_be_visible()
    expect(visitor.page.locator("#board")).to_have_count(1)


@pytest.mark.soak
def test_a_course_can_be_read_without_scripts(visit: Visit) -> None:
    visitor = visit(java_script_enabled=False)
    visitor.open("/rules/x")
    for step in COURSES["x"].steps:
        here = section(visitor, step.id)
        here.scroll_into_view_if_needed()
        expect(here).to_contain_text(step.task)
        expect(here.locator("img:visible")).to_be_visible()
        assert here.locator("img:visible").get_attribute("alt")
    expect(visitor.page.locator("#first-game")).to_be_hidden()
    expect(visitor.page.get_by_role("button", name="Try it")).to_have_count(0)


@pytest.mark.soak
@pytest.mark.parametrize("name", COURSES)
def test_a_course_is_light_with_all_its_pictures(visit: Visit, name: str) -> None:
    visitor, requests = visit(), list[Request]()

    def note(request: Request) -> None:
        requests.append(request)

    visitor.page.on("requestfinished", note)
    visitor.open(f"/rules/{name}")
    expect(visitor.page.locator("#board.mine")).to_be_visible()
    visitor.page.evaluate(
        """() => Promise.all([...document.images].map((image) => {
          image.loading = "eager";
          return image.decode();
        }))"""
    )
    assert len(requests) > len(COURSES[name].steps)
    assert sum(request.sizes()["responseBodySize"] for request in requests) < MOST_BYTES
