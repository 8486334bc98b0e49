"""The start page: one click plays, and what is chosen is seen, checked and remembered."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Route, expect

from browser.visiting import Visitor
from skerry.search.strengths import summarise_levels

Visit = Callable[..., Visitor]


def card(visitor: Visitor, game: str) -> Locator:
    return visitor.page.locator(f"article.card:has(#{game})")


def unfold(visitor: Visitor, game: str) -> Locator:
    found = card(visitor, game)
    found.locator("summary").click()
    return found


def test_playing_and_learning_weigh_the_same(visit: Visit) -> None:
    """The fault: Learn was the smallest link of a card."""
    visitor = visit()
    visitor.open()
    play = card(visitor, "skew").get_by_role("button", name="Play Skew").bounding_box()
    learn = card(visitor, "skew").get_by_role("link", name="Learn in ten minutes").bounding_box()
    assert play is not None
    assert learn is not None
    assert abs(play["width"] - learn["width"]) < 2
    assert (play["height"], play["y"]) == (learn["height"], learn["y"])


def test_the_last_choice_is_remembered_game_by_game(visit: Visit) -> None:
    """The fault: the level that was chosen was forgotten."""
    visitor = visit()
    visitor.begin("skirt", "here", level="3", clock='{"kind":"days","days":3}')
    visitor.open()
    chosen = unfold(visitor, "skirt")
    expect(chosen.locator("[name=level]")).to_have_value("3")
    expect(chosen.locator("[name=clock]")).to_have_value('{"kind":"days","days":3}')
    expect(chosen.locator("[data-option=side]")).to_have_value("2")
    expect(chosen.locator("button.last")).to_have_text("With a friend here")
    expect(chosen.locator(".chosen")).to_have_text("Board: 7 hexes")
    other = card(visitor, "x")
    expect(other.locator("[name=level]")).to_have_value("2")
    expect(other.locator("[data-option=size]")).to_have_value("10")


@pytest.mark.soak
def test_a_memory_that_makes_no_sense_is_no_harm(visit: Visit) -> None:
    visitor = visit()
    choice = '{"how": 3, "level": "99", "option:side": "77", "clock": "never"}'
    visitor.context.add_init_script(f"localStorage.setItem('skerry:choice:skew', '{choice}')")
    visitor.open()
    chosen = unfold(visitor, "skew")
    expect(chosen.locator("[name=level]")).to_have_value("2")
    expect(chosen.locator("[name=clock]")).to_have_value("")
    expect(chosen.locator("[data-option=side]")).to_have_value("5")


def test_the_board_changes_with_its_options(visit: Visit) -> None:
    visitor = visit()
    visitor.open()
    chosen = unfold(visitor, "skew")
    expect(chosen.locator(".chosen")).to_have_text("Board: 61 holes")
    chosen.locator("[data-option=side]").fill("3")
    chosen.locator("[data-option=pegs]").fill("7")
    expect(chosen.locator(".chosen")).to_have_text("Board: 19 holes")
    expect(chosen.locator(".board .cell")).to_have_count(19)
    chosen.locator("[data-option=side]").fill("5")
    chosen.locator("[data-option=pegs]").fill("24")
    expect(chosen.locator(".chosen")).to_have_text("Board: 61 holes")
    expect(chosen.locator(".board")).not_to_have_attribute("data-chosen", "")


def test_an_option_says_what_it_counts_and_how_far_it_goes(visit: Visit) -> None:
    """The fault: options were bare words such as side and pegs."""
    visitor = visit()
    visitor.open()
    field = unfold(visitor, "skew").get_by_label("Side", exact=True)
    expect(field).to_have_accessible_description("holes on each side of the hexagon, 2 to 9")


def test_a_wrong_option_is_shown_where_it_is(visit: Visit) -> None:
    """The fault: an invalid option inside closed options made Play a dead button."""
    visitor = visit()
    visitor.open()
    chosen = unfold(visitor, "skew")
    chosen.locator("[data-option=side]").fill("40")
    chosen.locator("summary").click()
    expect(chosen.locator("[data-option=side]")).to_be_hidden()
    chosen.get_by_role("button", name="Play Skew").click()
    field = chosen.locator("[data-option=side]")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(chosen.locator("#skew-side-wrong")).to_have_text("Choose a whole number from 2 to 9.")
    field.fill("2")
    expect(chosen.locator("#skew-side-wrong")).to_have_text("")


@pytest.mark.soak
def test_options_that_do_not_go_together_are_explained(visit: Visit) -> None:
    visitor = visit()
    visitor.pardon(422)
    visitor.open()
    chosen = unfold(visitor, "skaane")
    chosen.locator("[data-option=width]").fill("10")
    expect(chosen.locator(".chosen")).to_contain_text("must be 2 * width = 20")
    chosen.locator("summary").click()
    chosen.get_by_role("button", name="Play Skaane").click()
    expect(chosen.locator(".ways + .message")).to_contain_text("must be 2 * width = 20")
    expect(chosen.locator("[data-option=width]")).to_be_visible()


def test_who_begins_is_asked_in_plain_words(visit: Visit) -> None:
    visitor = visit()
    visitor.open()
    two = unfold(visitor, "skirt").get_by_label("Who begins").locator("option")
    assert two.all_text_contents() == ["You (White)", "They (you are Black)", "By chance"]
    chosen = unfold(visitor, "x")
    three = chosen.get_by_label("You play").locator("option")
    assert three.all_text_contents() == ["Red, who begins", "Yellow", "Green", "By chance"]
    expect(chosen.locator("[name=swap]")).to_have_count(0)


@pytest.mark.soak
def test_seats_by_chance_are_dealt_by_the_server(visit: Visit) -> None:
    visitor = visit()
    with visitor.page.expect_request("**/api/games") as asked:
        visitor.begin("skew", "link", seat="random")
    assert asked.value.post_data_json["random"] is True
    expect(visitor.page.locator(".seat .note", has_text="you")).to_have_count(1)
    expect(visitor.page.locator("#links input")).to_have_count(1)
    visitor.open()
    expect(unfold(visitor, "skew").locator("[name=seat]")).to_have_value("random")


@pytest.mark.soak
def test_whoever_waits_for_a_board_is_told_why(visit: Visit) -> None:
    visitor = visit()
    visitor.open()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    visitor.page.route("**/api/games", hold)
    card(visitor, "skew").get_by_role("button", name="Play Skew").click()
    message = card(visitor, "skew").locator(".ways + .message")
    expect(message).to_contain_text("Setting up the board")
    held[0].continue_()
    visitor.page.wait_for_url("**/g/*")


def test_levels_have_names_strength_and_thinking_time(visit: Visit) -> None:
    """The fault: levels were numbers, and nothing said what they mean."""
    visitor = visit()
    visitor.open()
    chosen = unfold(visitor, "skirt")
    levels = chosen.locator("[name=level] option").all_text_contents()
    measured = [level.strength for level in summarise_levels("skirt")]
    assert levels[1] == f"2 Beginner: {measured[1]}"
    assert levels[9] == f"10 Champion: {measured[9]}"
    assert "above +" in levels[9]
    field = chosen.get_by_label("Engine")
    expect(field).to_have_accessible_description("Moves at once; Elo above level 1, as measured")
    field.select_option("10")
    expect(field).to_have_accessible_description(re.compile("^Thinks for 2 s a move"))


def test_games_that_have_begun_are_watched(visit: Visit) -> None:
    """The fault: abandoned games without a move were listed as being played."""
    visitor = visit()
    visitor.page.clock.install()
    game, idle = visitor.server.make_for_persons("skew"), visitor.server.make_for_persons("skew")
    for each in (game, idle):
        for seat in (0, 1):
            assert each.post("claim", seat, name=f"Guest {seat}").status_code == 200
    game.play()
    visitor.open()
    entry = visitor.page.locator(f"#playing a[href='/g/{game.id}']")
    expect(entry).to_contain_text("move 1")
    expect(entry.locator("img:visible")).to_have_count(1)
    expect(entry.locator("img:visible")).to_have_attribute("src", re.compile("light&at=1$"))
    expect(visitor.page.locator(f"#playing a[href='/g/{idle.id}']")).to_have_count(0)
    game.play()
    idle.play()
    with visitor.page.expect_response("**/api/games?state=playing*"):
        visitor.page.clock.run_for(6000)
    expect(entry).to_contain_text("move 2")
    expect(visitor.page.locator(f"#playing a[href='/g/{idle.id}']")).to_contain_text("move 1")


def test_an_even_start_is_offered_on_boards_that_have_a_book(visit: Visit) -> None:
    visitor = visit()
    visitor.open()
    chosen = unfold(visitor, "skirt")
    even = chosen.locator("label:has([name=even])")
    expect(even).to_be_visible()
    chosen.locator("[data-option=side]").fill("4")
    expect(even).to_be_hidden()
    chosen.locator("[data-option=side]").fill("3")
    expect(even).to_be_visible()
    even.click()
    chosen.get_by_role("button", name="With a friend here").click()
    expect(visitor.page.locator("#even")).to_contain_text("over 1,536 games")
