"""Studies in a real browser: gone through, added to, shared, and thought about by the engine."""

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Dialog, Page, Request, Route, WebSocketRoute, expect

import skerry
from browser.visiting import Visitor
from server.serving import TINY, Server, compile_analyses
from server.test_studies import create, play_whole_game
from skerry import records
from support.repeating import some_of

Visit = Callable[..., Visitor]
SCREENS: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1280, "height": 860}},
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
}
ON_EVERY_SCREEN = pytest.mark.parametrize("screen", some_of(SCREENS, ["desk"]), indirect=True)
ENGINE = 300_000  # milliseconds for a process that yields to all else on a busy machine
SMALL = {"side": 3}


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    compile_analyses("skew")


@pytest.fixture
def screen(request: pytest.FixtureRequest) -> dict[str, Any]:
    return SCREENS[request.param]


def finish(server: Server, name: str) -> str:
    """A finished game, its moves all over the board."""
    game = server.make_for_persons(name)
    while (seen := game.look())["to_move"] is not None:
        game.play(seen["legal"][seen["ply"] % len(seen["legal"])]["move"])
    return game.id


def small_record(count: int = 6) -> records.Record:
    game = skerry.make("skew", **SMALL)
    state, moves = game.initial(), []
    for number in range(count):
        moves.append(state.legal_moves()[number])
        state = state.play(moves[-1])
    return records.Record.from_moves(game, moves=moves)


def plies(page: Page) -> Any:
    return page.locator("#tree button.ply")


def current(page: Page) -> Any:
    return page.locator("#tree button.ply[aria-current]")


def expect_kept(page: Page) -> None:
    expect(page.locator("#kept")).to_have_text("Kept.")


def write_study(visit: Visit) -> Visitor:
    """Somebody on a page of a study of their own."""
    visitor = visit()
    made = create(visitor.server, record=records.to_json(small_record()))
    visitor.open(f"/study/{made['id']}#s={made['secret']}")
    expect(plies(visitor.page)).to_have_count(6)
    return visitor


def point(visitor: Visitor, path: list[str]) -> None:
    """Make a move by pointing."""
    expect(visitor.page.locator("#board.mine")).to_have_count(1)
    for part in path:
        if part[-1].isdigit():
            visitor.page.mouse.click(*visitor.centre(part))
        else:
            visitor.page.locator(f"#board [data-way={part}]").click()


def find_paths(server: Server, study: dict[str, Any], moves: list[str]) -> list[list[str]]:
    body = {key: study[key] for key in ("game", "options", "start")} | {"moves": moves}
    legal = server.client.post("/api/positions", json=body).json()["legal"]
    return [entry["path"] for entry in legal]


@ON_EVERY_SCREEN
def test_a_finished_game_is_gone_through(visit: Visit, screen: dict[str, Any]) -> None:
    visitor = visit(**screen)
    page, server = visitor.page, visitor.server
    game = finish(server, "skew")
    moves = [m["text"] for m in server.client.get(f"/api/games/{game}").json()["moves"]]
    visitor.open(f"/g/{game}")
    page.get_by_role("link", name="Analyse").click()
    page.wait_for_url("**/study/new?from=*")
    expect(plies(page)).to_have_count(len(moves))
    expect(current(page)).to_contain_text(moves[-1])
    page.get_by_role("button", name="To the start").click()
    expect(current(page)).to_have_count(0)
    expect(page.locator("#words")).to_have_text("First to move")
    page.get_by_role("button", name="One on").click()
    expect(current(page)).to_contain_text(moves[0])
    page.keyboard.press("ArrowRight")
    expect(current(page)).to_contain_text(moves[1])
    page.keyboard.press("ArrowLeft")
    expect(current(page)).to_contain_text(moves[0])
    page.keyboard.press("End")
    expect(current(page)).to_contain_text(moves[-1])
    plies(page).nth(1).click()
    expect(current(page)).to_contain_text(moves[1])
    expect(page.locator("#board .piece")).to_have_count(3)
    # Nothing was changed, so nothing was kept.
    assert "/study/new" in page.url


@pytest.mark.soak
def test_a_game_that_goes_on_is_not_offered(visit: Visit) -> None:
    visitor = visit()
    visitor.sit(visitor.server.make_for_persons("skew"))
    expect(visitor.page.locator("#analyse")).to_be_hidden()


@ON_EVERY_SCREEN
def test_variations_and_comments_survive_and_are_shared(
    visit: Visit, screen: dict[str, Any]
) -> None:
    visitor = visit(**screen)
    page, server = visitor.page, visitor.server
    visitor.open("/study/new?game=skew&options=side=3")
    study = json.loads(page.locator("#document").text_content() or "")
    first, second = find_paths(server, study, [])[:2]
    point(visitor, first)
    expect(plies(page)).to_have_count(1)
    page.wait_for_url(re.compile(r"/study/(?!new)"))
    page.keyboard.press("ArrowLeft")
    expect(current(page)).to_have_count(0)
    point(visitor, second)
    expect(page.locator("#tree .variation button")).to_have_count(1)
    page.locator("#remark").press_sequentially("a try")
    expect(page.locator("#tree .variation .comment")).to_have_text("a try")
    expect_kept(page)
    page.reload()
    expect(page.locator("#tree .variation .comment")).to_have_text("a try")
    # Up and down lead from a variation to the line it leaves.
    page.locator("#tree .variation button").click()
    page.keyboard.press("ArrowUp")
    expect(current(page)).to_have_text(plies(page).first.inner_text())
    page.keyboard.press("ArrowDown")
    expect(page.locator("#tree .variation button[aria-current]")).to_have_count(1)
    # By one link others read, by the other they write.
    to_read, to_change = (
        page.get_by_label("To read").input_value(),
        page.get_by_label("To change it").input_value(),
    )
    reader = visit(**screen)
    reader.page.goto(to_read)
    expect(reader.page.locator("#tree .variation .comment")).to_have_text("a try")
    expect(reader.page.get_by_label("To change it")).to_have_count(0)
    writer = visit(**screen)
    writer.page.goto(to_change)
    assert "#" not in writer.page.url
    writer.page.locator("#tree .variation button").click()
    writer.page.locator("#remark").fill("a good try")
    expect_kept(writer.page)
    reader.page.reload()
    expect(reader.page.locator("#tree .variation .comment")).to_have_text("a good try")


@pytest.mark.soak
def test_what_could_not_be_kept_is_sent_again(visit: Visit) -> None:
    visitor = write_study(visit)
    visitor.context.set_offline(True)
    visitor.page.locator("#remark").fill("from the train")
    expect(visitor.page.locator("#kept")).to_have_text("Not kept.")
    visitor.context.set_offline(False)
    expect_kept(visitor.page)
    visitor.page.reload()
    expect(visitor.page.locator("#tree .comment")).to_have_text("from the train")


@pytest.mark.soak
def test_an_answer_that_was_lost_is_no_conflict(visit: Visit) -> None:
    visitor = write_study(visit)
    page = visitor.page
    visitor.pardoned += ("ERR_FAILED",)

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/api/studies/*", lose, times=1)
    page.locator("#remark").fill("through the tunnel")
    expect(page.locator("#message")).to_contain_text("cannot be reached")
    expect_kept(page)
    expect(page.locator("#message")).to_be_empty()
    expect(page.locator("#conflict")).to_be_hidden()
    page.locator("#remark").fill("and out of it")
    expect_kept(page)


@pytest.mark.soak
def test_what_is_exported_has_been_kept_before(visit: Visit) -> None:
    visitor = write_study(visit)
    page = visitor.page
    held: list[Route] = []
    asked: list[Dialog] = []

    def hold(route: Route) -> None:
        held.append(route)

    def note(dialog: Dialog) -> None:
        asked.append(dialog)

    page.route("**/api/studies/*", hold, times=1)
    page.on("dialog", note)
    with page.expect_request(lambda request: request.method == "PUT"):
        page.locator("#remark").fill("just in time")
    with page.expect_download() as download:
        page.locator("[data-export=record]").first.click()
        held[0].continue_()
    assert "just in time" in download.value.path().read_text("utf-8")
    assert not asked


@ON_EVERY_SCREEN
def test_variations_are_promoted_and_deleted(visit: Visit, screen: dict[str, Any]) -> None:
    visitor = visit(**screen)
    page = visitor.page
    text = '[Game "skew"]\n[Options "side=3"]\n\n1. b2-ne (1. b3-w 2. b2-e) 2. b3-w *\n'
    made = create(visitor.server, record=text)
    visitor.open(f"/study/{made['id']}#s={made['secret']}")
    expect(plies(page)).to_have_count(4)
    page.locator("#tree .variation button").first.click()
    page.get_by_role("button", name="Make it the main line").click()
    expect(plies(page).first).to_contain_text("b3-w")
    expect(page.locator("#tree .variation button").first).to_contain_text("b2-ne")
    expect_kept(page)
    page.locator("#tree .variation button").first.click()
    page.get_by_role("button", name="Delete from here").click()
    expect(plies(page)).to_have_count(2)
    expect_kept(page)
    page.reload()
    expect(plies(page)).to_have_count(2)
    expect(plies(page).first).to_contain_text("b3-w")


@pytest.mark.soak
def test_a_reader_keeps_a_copy(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    made = create(visitor.server, record=records.to_json(small_record()))
    visitor.open(f"/study/{made['id']}")
    expect(plies(page)).to_have_count(6)
    expect(page.get_by_role("button", name="Keep as your own study")).to_be_hidden()
    page.locator("#remark").fill("mine")
    expect(page.locator("#kept")).to_contain_text("somebody else's")
    made_since: list[Request] = []
    page.on("request", lambda asked: asked.url.endswith("/studies") and made_since.append(asked))
    page.get_by_role("button", name="Keep as your own study").dblclick()
    expect_kept(page)
    assert [asked.method for asked in made_since] == ["POST"]
    assert made["id"] not in page.url
    page.reload()
    expect(page.locator("#tree .comment")).to_have_text("mine")
    visitor.open(f"/study/{made['id']}")
    expect(plies(page)).to_have_count(6)
    expect(page.locator("#tree .comment")).to_have_count(0)


@pytest.mark.soak
@pytest.mark.parametrize("choice", ["Show theirs", "Keep mine as a copy"])
def test_two_who_change_at_once(visit: Visit, choice: str) -> None:
    ann, bob = visit(), visit()
    made = create(ann.server, record=records.to_json(small_record()))
    for visitor in (ann, bob):
        visitor.open(f"/study/{made['id']}#s={made['secret']}")
        expect(plies(visitor.page)).to_have_count(6)
    ann.page.locator("#remark").fill("from Ann")
    expect_kept(ann.page)
    bob.page.locator("#remark").fill("from Bob")
    expect(bob.page.locator("#conflict")).to_be_visible()
    bob.page.get_by_role("button", name=choice).click()
    expect(bob.page.locator("#conflict")).to_be_hidden()
    said = "from Ann" if choice == "Show theirs" else "from Bob"
    expect(bob.page.locator("#tree .comment")).to_have_text(said)
    assert (made["id"] in bob.page.url) == (choice == "Show theirs")
    bob.page.locator("#remark").fill("and more")
    expect_kept(bob.page)


@pytest.mark.soak
@ON_EVERY_SCREEN
def test_the_engine_thinks_about_three_seats(visit: Visit, screen: dict[str, Any]) -> None:
    visitor = visit(**screen)
    page = visitor.page
    visitor.open("/study/new?game=x&options=size=4")
    page.get_by_role("button", name="Engine").click()
    expect(page.locator("#balance span")).to_have_count(3, timeout=ENGINE)
    expect(page.locator("#balance")).to_have_attribute(
        "aria-label", re.compile(r"Red \d+ %, Yellow \d+ %, Green \d+ %")
    )
    # At one moment, since the next analysis draws it anew.
    whole, *widths = page.evaluate(
        """() => {
          const parts = document.querySelectorAll("#balance, #balance span");
          return [...parts].map((part) => part.offsetWidth);
        }"""
    )
    assert sum(widths) == pytest.approx(whole, abs=3)
    expect(page.locator("#board .heat").first).to_be_attached()
    # Its favourites may change places, too.
    move = page.evaluate(
        """() => {
          const button = document.querySelector("#candidates button");
          button.click();
          return button.querySelector("b").textContent;
        }"""
    )
    expect(current(page)).to_contain_text(move)
    expect(page.locator("#words")).to_have_text("Yellow to move")
    expect(page.locator("#candidates li").first).to_be_visible()
    # Without it the board is bare again.
    page.get_by_role("button", name="Engine").click()
    expect(page.locator("#balance")).to_be_hidden()
    expect(page.locator("#board .heat")).to_have_count(0)


@pytest.mark.parametrize("name", some_of(sorted(TINY), ["x"]))
def test_what_is_solved_is_shown_as_such(visit: Visit, name: str) -> None:
    visitor = visit()
    page = visitor.page
    state = skerry.make(name, **TINY[name]).initial(1)
    made = create(visitor.server, game=name, options=TINY[name], position=state.position)
    visitor.open(f"/study/{made['id']}")
    page.get_by_role("button", name="Engine").click()
    solved = skerry.solve(state)
    expect(page.locator("#verdict")).to_have_text(re.compile("^Solved: "), timeout=ENGINE)
    best = ", ".join(map(str, solved.optimal_moves))
    expect(page.locator("#verdict")).to_contain_text(f"Best: {best}")
    winner = solved.returns.index(max(solved.returns))
    said = f"{state.game.seats[winner]} wins" if max(solved.returns) == 1 else "a draw"
    expect(page.locator("#verdict")).to_contain_text(said)


@ON_EVERY_SCREEN
def test_a_game_is_reviewed(visit: Visit, screen: dict[str, Any]) -> None:
    visitor = visit(**screen)
    page = visitor.page
    moves, record = play_whole_game()
    made = create(visitor.server, record=records.to_json(record))
    visitor.open(f"/study/{made['id']}#s={made['secret']}")
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator("#graph svg")).to_be_visible(timeout=ENGINE)
    expect(page.get_by_role("button", name="Review it again")).to_be_enabled()
    worst = page.locator("#mistakes button").first
    expect(worst).to_contain_text(re.compile(r"loses \d\.\d\d; better: \S+"))
    marked = page.locator("#tree button.ply b")
    assert marked.count() == page.locator("#graph .mistake").count() > 0
    better = worst.inner_text().rpartition(": ")[2]
    worst.click()
    expect(page.locator("#tree .variation button[aria-current]")).to_contain_text(better)
    expect_kept(page)
    # The graph is a way to go through the game, by keys and by clicks.
    graph = page.get_by_role("slider", name="Evaluation over the game")
    graph.focus()
    page.keyboard.press("Home")
    expect(current(page)).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(current(page)).to_contain_text(moves[0])
    expect(graph).to_have_attribute("aria-valuetext", re.compile(re.escape(f"1. {moves[0]}: ")))
    box = graph.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + 10)
    expect(current(page)).to_contain_text(moves[-1])
    # It is there for everybody who comes later.
    page.reload()
    expect(page.locator("#graph svg")).to_be_visible()


@pytest.mark.soak
def test_a_review_leaves_no_thoughts_of_another_position(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    made = create(visitor.server, record=records.to_json(small_record()))

    def never_end(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda told: None if '"kept"' in told else socket.send(told))

    page.route_web_socket("**/api/analysis", never_end)
    visitor.open(f"/study/{made['id']}#s={made['secret']}")
    page.get_by_role("button", name="Engine").click()
    expect(page.locator("#candidates button").first).to_be_visible(timeout=ENGINE)
    page.get_by_role("button", name="Review the game").click()
    page.keyboard.press("Home")
    expect(page.locator("#candidates button")).to_have_count(0)
    expect(page.locator("#balance")).to_be_hidden()
    expect(page.locator("#graph svg")).to_be_visible(timeout=ENGINE)
    expect(page.locator("#candidates button")).to_have_count(0)


@pytest.mark.parametrize("screen", some_of(SCREENS, ["phone"]), indirect=True)
def test_a_position_is_set_up_by_hand(visit: Visit, screen: dict[str, Any]) -> None:
    visitor = visit(**screen)
    page = visitor.page
    visitor.open("/study")
    page.get_by_role("combobox", name="Game", exact=True).select_option("x")
    page.locator(".options:visible summary").click()
    page.locator(".options:visible [data-option=size]").fill("3")
    page.locator(".options:visible [data-option=size]").press("Tab")
    expect(page.locator("#board .cell")).to_have_count(9, timeout=30_000)
    for words, cell in (("Red stone", "b2"), ("Yellow stone", "a1"), ("Green stone", "c3")):
        page.get_by_label(words).check()
        page.locator("#board").scroll_into_view_if_needed()
        page.mouse.click(*visitor.centre(cell))
        expect(page.locator(f"#board #piece-{cell}")).to_have_count(1)
    page.get_by_label("Empty", exact=True).check()
    page.locator("#board").scroll_into_view_if_needed()
    page.mouse.click(*visitor.centre("c3"))
    expect(page.locator("#board #piece-c3")).to_have_count(0)
    page.get_by_label("Green to move").check()
    text = page.get_by_label("Position text")
    expect(text).to_have_value("3/1r1/y2 g")
    text.fill("3/1r1/y2 blue")
    expect(page.locator("#wrong")).to_contain_text("no seat")
    text.fill("3/1r1/y2 g")
    expect(page.locator("#wrong")).to_have_text("")
    page.get_by_role("button", name="Study this").click()
    page.wait_for_url("**/study/new?*")
    expect(page.locator("#words")).to_have_text("Green to move")
    expect(page.locator("#position")).to_have_value("3/1r1/y2 g")
    page.get_by_role("link", name="Set up another position").click()
    expect(page.get_by_label("Position text")).to_have_value("3/1r1/y2 g")
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_url("**/g/*")
    expect(page.locator("#board.mine")).to_have_count(1)
    assert visitor.look()["seats"][2]["kind"] == "person"


def test_the_palette_shows_pieces(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.open("/study?game=skew")
    tiles = page.locator("#palette label")
    expect(tiles).to_have_count(14)
    expect(page.locator("#palette .token svg:visible")).to_have_count(13)
    page.get_by_label("Second peg leaning nw").check()
    expect(page.locator("#chosen")).to_have_text("A click puts: Second peg leaning nw")
    for box in tiles.evaluate_all("all => all.map((e) => e.getBoundingClientRect().toJSON())"):
        assert min(box["width"], box["height"]) >= 24
    page.mouse.click(*visitor.centre("e4"))
    expect(page.locator("#board #piece-e4")).to_have_attribute("data-facing", "nw")
    expect(page.locator("#to-move")).to_contain_text("left")


def test_a_position_is_set_up_by_keyboard(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.open("/study?game=skaane&options=width=2,height=4,gods=1,kings=1,serfs=1,suns=1")
    page.get_by_role("button", name="Empty the board").click()
    expect(page.locator("#board .piece")).to_have_count(0)
    expect(page.locator("#wrong")).not_to_have_text("")
    page.get_by_label("Light god").check()
    visitor.walk_to("a2")
    page.keyboard.press("Enter")
    expect(page.locator("#board #piece-a2")).to_have_count(1)


@ON_EVERY_SCREEN
def test_records_come_and_go(visit: Visit, tmp_path: Path, screen: dict[str, Any]) -> None:
    visitor = visit(**screen)
    page = visitor.page
    visitor.pardon(422)
    visitor.open("/study")
    field = page.get_by_label("Record, as text or JSON")
    field.fill('[Game "skew"]\n\n1. a1-ne *')
    page.get_by_role("button", name="Study the record").click()
    expect(page.locator("#message")).to_contain_text("line 3: move 1 'a1-ne'")
    record = small_record()
    file = tmp_path / "game.skr"
    file.write_text(records.write_text(record), encoding="utf-8")
    page.locator("#file").set_input_files(file)
    expect(field).not_to_have_value(re.compile(r"1\. a1-ne \*"))  # the file takes its place
    page.get_by_role("button", name="Study the record").click()
    page.wait_for_url("**/study/*")
    expect(plies(page)).to_have_count(6)
    found = {}
    for name in ("record", "JSON", "GIF", "WebP", "SVG", "PNG"):
        with page.expect_download() as download:
            page.locator(".exports").get_by_role("link", name=name, exact=True).click()
        found[name] = Path(download.value.path()).read_bytes()
    for name in ("record", "JSON"):
        assert records.read(found[name].decode()).line == record.line
    for name in ("GIF", "WebP", "PNG"):
        picture = Image.open(io.BytesIO(found[name]))
        assert picture.format == name.upper()
        assert getattr(picture, "n_frames", 1) == (1 if name == "PNG" else 7)
    assert found["SVG"].startswith(b"<svg")
    expect(page.locator("#position")).to_have_value(record.states()[-1].position)


@pytest.mark.soak
def test_a_film_tells_how_far_it_has_come(visit: Visit) -> None:
    """The fault: it took up to 12 seconds without a word."""
    visitor = visit()
    page = visitor.page
    made = create(visitor.server, record=records.write_text(small_record()))
    visitor.open(made["url"])
    page.evaluate(
        """() => {
          window.told = [];
          const note = () => window.told.push(document.getElementById("filmed").textContent);
          new MutationObserver(note).observe(document.getElementById("filmed"), {childList: true});
        }"""
    )
    with page.expect_download():
        page.get_by_role("link", name="GIF").click()
    told = page.evaluate("window.told")
    assert told[0] == "Drawing …"
    assert any(re.fullmatch(r"Drawing … \d+ %", words) for words in told)
    assert told[-1] == "Putting it together …"
    expect(page.locator("#filming")).to_be_hidden()


def test_a_film_that_cannot_be_made_says_why(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    made = create(visitor.server, record=records.write_text(small_record()))
    visitor.open(made["url"])
    refusal = '{"done": 0, "of": 0, "url": null, "error": "games of up to 300 plies"}\n'
    page.route("**/film.gif*", lambda route: route.fulfill(body=refusal))
    page.get_by_role("link", name="GIF").click()
    expect(page.locator("#message")).to_have_text("games of up to 300 plies")
    expect(page.locator("#filming")).to_be_hidden()


def test_a_study_is_read_without_scripts(visit: Visit) -> None:
    visitor = visit(java_script_enabled=False)
    text = (
        '[Game "skew"]\n[Options "side=3"]\n\n'
        "1. b2-ne {well begun} (1. b3-w {instead} 2. b2-e) 2. b3-w *\n"
    )
    made = create(visitor.server, record=text)
    visitor.open(f"/study/{made['id']}")
    tree = visitor.page.locator("#tree")
    expect(tree).to_contain_text("1. b2-ne well begun")
    expect(tree.locator(".variation")).to_contain_text("1. b3-w instead")
    expect(visitor.page.locator("#board .only-light svg .piece")).to_have_count(3)
    visitor.open("/study")
    visitor.page.get_by_role("combobox", name="Game", exact=True).select_option("skew")
    visitor.page.get_by_role("button", name="Study this").click()
    expect(visitor.page.locator("#board .only-light svg")).to_have_count(1)


def test_comments_are_words_and_nothing_else(visit: Visit) -> None:
    visitor = visit()
    wicked = "</script><img src=x onerror=alert(1)>"
    line = {"moves": [{"move": "b2-ne", "comments": [wicked]}]}
    record = {"format": "skerry-record", "version": 1, "game": "skew", "options": SMALL}
    body = record | line | {"result": "*"}
    made = create(visitor.server, record=body, title=wicked)
    visitor.open(f"/study/{made['id']}")
    expect(visitor.page.locator("#tree .comment")).to_have_text(wicked)
    expect(visitor.page.locator("main img")).to_have_count(0)
    expect(visitor.page.locator("#title")).to_have_value(wicked)
