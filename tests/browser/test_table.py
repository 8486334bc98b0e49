"""The game page as somebody meets it who has never seen the game: what to do, and nothing jumps."""

from collections.abc import Callable
from random import Random
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from browser.visiting import Visitor
from server.serving import Game
from skerry.games import kind
from skerry.render.themes import ink_of, theme_named
from support.repeating import some_of

Visit = Callable[..., Visitor]
Two = tuple[Visitor, Visitor]
Screen = tuple[int, int]
GAMES = ("skew", "skirt", "x", "skaane")
DESK, PHONE, SMALL = (1280, 720), (390, 844), (360, 640)
SEEN = [(game, screen) for game in GAMES for screen in (DESK, PHONE, SMALL)]
# The largest and the smallest.
TELLING = [("skew", DESK), ("x", SMALL)]
MOVES = 15
# Whatever is needed to move, and to know how it stands.
NEEDED = "#board, #seats .seat, .prompt"


def on(screen: Screen) -> dict[str, object]:
    width, height = screen
    return {"viewport": {"width": width, "height": height}, "has_touch": screen != DESK}


def list_outside(page: Page, selector: str = NEEDED) -> list[str]:
    """What of these is not wholly on the screen."""
    found: list[str] = page.locator(selector).evaluate_all(
        """all => all.map((e) => [e.className || e.id, e.getBoundingClientRect()])
          .filter(([, box]) => box.top < 0 || box.left < 0 || box.width === 0
            || box.bottom > innerHeight || box.right > innerWidth)
          .map(([name, box]) => `${name} ${JSON.stringify(box)}`)"""
    )
    return found


@pytest.fixture
def two(visit: Visit) -> Two:
    """Two at a table of Skew, each with a browser of their own."""
    host, guest = visit(), visit()
    sit_apart(host, guest, host.server.make_for_persons("skew"))
    return host, guest


def sit_apart(host: Visitor, guest: Visitor, game: Game) -> None:
    for seat, somebody in enumerate((host, guest)):
        somebody.open(f"/g/{game.id}#s={game.secrets[seat]}")
    expect(host.page.locator("#seats .note", has_text="here")).to_have_count(1)
    # The link of the guest opens nothing any more; their browser has what does.
    game.secrets[1] = guest.page.evaluate(f"JSON.parse(localStorage['skerry:{game.id}']).at(-1)")


def move(visitor: Visitor) -> None:
    visitor.play(visitor.look()["legal"][0]["path"])


class TestLayout:
    @pytest.mark.parametrize(("game", "screen"), some_of(SEEN, TELLING))
    def test_all_that_is_needed_fits_on_one_screen(
        self, visit: Visit, game: str, screen: Screen
    ) -> None:
        """The fault: the list of moves scrolled the page to itself with every move."""
        visitor = visit(**on(screen))
        visitor.sit(visitor.server.make_for_persons(game, options={}))
        expect(visitor.page.locator("#board.mine")).to_have_count(1)
        assert list_outside(visitor.page) == []
        below = "document.querySelector('.side').getBoundingClientRect().y"
        before = visitor.page.evaluate(below)
        first, *rest = visitor.look()["legal"][0]["path"]
        visitor.point(first, "mouse" if screen == DESK else "touch")
        if rest:  # with what can be chosen next
            expect(visitor.page.locator("#cancel")).to_be_visible()
        elif screen != DESK and visitor.has_tiny_cells():
            expect(visitor.page.locator("#message")).to_contain_text("again")
        else:  # the list of moves is below, and must not draw the page there
            visitor.expect_ply(1)
        assert list_outside(visitor.page) == []
        assert visitor.page.evaluate(below) == before
        assert visitor.page.evaluate("scrollY") == 0

    @pytest.mark.soak
    @pytest.mark.parametrize("game", GAMES)
    def test_the_board_never_leaves_a_phone(self, visit: Visit, game: str) -> None:
        """The fault: most moves scrolled the board out of sight of a phone."""
        visitor = visit(**on(PHONE))
        visitor.sit(visitor.server.make_for_persons(game, options={}, seed=3))
        chooser = Random(game)
        for _ in range(MOVES):
            visitor.play(chooser.choice(visitor.look()["legal"])["path"], "touch")
            assert list_outside(visitor.page) == []
            assert visitor.page.evaluate("scrollY") == 0

    def test_nothing_jumps_when_a_turn_passes(self, two: Two) -> None:
        """The fault: buttons came and went, and Resign slid under the pointer."""
        host, guest = two
        fixed = "#board, #seats .seat, .prompt, .tools button:not([hidden], #abort)"
        places = """all => all.map((e) => { const box = e.getBoundingClientRect();
          return [e.id, box.x, box.y, box.width, box.height]; })"""
        expect(host.page.locator("#board.mine")).to_have_count(1)
        before = host.page.locator(fixed).evaluate_all(places)
        assert "resign" in [place[0] for place in before]
        move(host)
        expect(host.words()).to_have_text("Waiting for Second")
        assert host.page.locator(fixed).evaluate_all(places) == before
        guest.expect_ply(1)
        move(guest)
        host.expect_ply(2)
        expect(host.words()).to_contain_text("Your turn")
        assert host.page.locator(fixed).evaluate_all(places) == before

    def test_own_seats_are_below_and_the_others_above(self, visit: Visit) -> None:
        visitor = visit()
        game = visitor.server.make_for_persons("x")
        visitor.open(f"/g/{game.id}#s={game.secrets[1]}")
        expect(visitor.page.locator(".seat.below .note")).to_contain_text("you")
        tops = visitor.page.locator(".seat").evaluate_all("all => all.map((e) => e.offsetTop)")
        assert tops[0] == tops[2] < tops[1]
        expect(visitor.page.locator(".seat.below .token svg:visible")).to_have_count(1)

    @pytest.mark.parametrize("theme", some_of(["light", "dark"], ["light"]))
    def test_strips_have_the_colour_of_their_seats_and_no_other(
        self, visit: Visit, theme: Literal["light", "dark"]
    ) -> None:
        """The fault: a yellow dot told that it was Red's turn."""
        visitor = visit(color_scheme=theme)
        game = visitor.server.make_for_persons("x")
        visitor.sit(game)
        seats = visitor.page.locator(".seat")
        inks = [ink_of(theme_named(theme), seat, kind("x").seats).body for seat in range(3)]
        for seat in range(3):
            strip = visitor.page.locator(f".seat[data-seat='{seat}']")
            drawn = strip.locator(".token svg:visible").evaluate("e => e.outerHTML")
            assert [ink for ink in inks if ink in drawn] == [inks[seat]]
            # Whose turn it is, is said in the colour of the text.
            expect(visitor.page.locator(".seat.to-move")).to_have_attribute("data-seat", str(seat))
            shown = strip.evaluate(
                """e => {
                  const mark = getComputedStyle(e.querySelector(".title"), "::before");
                  const { color } = getComputedStyle(document.body);
                  return [mark.content.slice(1, 2), mark.color === color,
                    getComputedStyle(e).borderTopColor === color];
                }"""
            )
            assert shown == ["▸", True, True]
            if seat < 2:
                move(visitor)
        assert seats.count() == 3

    @pytest.mark.soak
    def test_the_list_of_moves_goes_down_and_not_sideways(self, visit: Visit) -> None:
        """The fault: from ply 17 on the list ran sideways and showed fragments."""
        visitor = visit()
        game = visitor.server.make_for_persons("x", options={})
        for _ in range(60):
            game.play()
        visitor.sit(game)
        width, whole, height, scrolled = visitor.page.locator("#moves").evaluate(
            "e => [e.clientWidth, e.scrollWidth, e.scrollHeight - e.clientHeight, e.scrollTop]"
        )
        assert whole <= width
        assert scrolled == pytest.approx(height, abs=8)  # at the last move
        assert visitor.page.evaluate("scrollY") == 0


class TestWords:
    def test_each_part_of_a_move_is_asked_for(self, two: Two) -> None:
        host, guest = two
        expect(host.words()).to_have_text("Your turn: choose a hole")
        expect(guest.words()).to_have_text("Waiting for First")
        host.point("a1")
        expect(host.words()).to_have_text("Your turn: choose where the peg leans")
        host.page.locator("#cancel").click()
        expect(host.words()).to_have_text("Your turn: choose a hole")

    @pytest.mark.soak
    def test_the_second_of_two_placements_is_asked_for(self, visit: Visit) -> None:
        visitor = visit()
        visitor.sit(visitor.server.make_for_persons("skirt"))
        expect(visitor.words()).to_have_text("White to move: put a piece on the rim")
        visitor.play(["a1"])
        visitor.play(["c2"])
        expect(visitor.words()).to_have_text(
            "Black to move: now a dotted hex inside, in line with c2"
        )

    def test_winner_and_loser_are_told_so(self, visit: Visit) -> None:
        """The fault: nobody was told that they had won."""
        host, guest, stranger = visit(), visit(), visit()
        game = host.server.make_for_persons("skaane", position="2/1k/G1/2 w 0")
        sit_apart(host, guest, game)
        stranger.open(f"/g/{game.id}")
        guest.page.locator("#resign").click()
        expect(host.words()).to_have_text("You won: Dark resigned")
        expect(guest.words()).to_have_text("You lost: you resigned")
        expect(stranger.words()).to_have_text("Dark resigned: Light wins")

    @pytest.mark.soak
    def test_a_win_comes_with_its_score(self, visit: Visit) -> None:
        host, guest = visit(), visit()
        game = host.server.make_for_persons("skew", options={"side": 2, "pegs": 1})
        sit_apart(host, guest, game)
        game.play("a1-ne")  # at the black peg
        game.play("c1-e")
        expect(host.words()).to_have_text("You won 1-0")
        expect(guest.words()).to_have_text("You lost: First wins 1-0")

    def test_nobody_is_called_what_nobody_is(self, visit: Visit) -> None:
        """The fault: an open seat was called Guest."""
        host = visit()
        game = host.server.make_for_persons("skew")
        host.open(f"/g/{game.id}#s={game.secrets[0]}")
        expect(host.page.locator(".seat.below .note")).to_contain_text("you")
        expect(host.page.locator(".seat.first")).to_contain_text("open seat")
        expect(host.page.locator("#seats")).not_to_contain_text("Guest")

    @pytest.mark.soak
    def test_at_one_screen_seats_keep_their_titles(self, visit: Visit) -> None:
        """The fault: both seats of one screen had the same name."""
        visitor = visit()
        visitor.sit(visitor.server.make_for_persons("skew"))
        visitor.page.locator("#name").fill("Ann")
        visitor.page.locator("#name-form button").click()
        visitor.until("localStorage.getItem('skerry:name') === 'Ann'")
        visitor.page.reload()
        expect(visitor.page.locator("#seats .note", has_text="you")).to_have_count(2)
        expect(visitor.page.locator("#seats")).not_to_contain_text("Ann")

    @pytest.mark.soak
    def test_a_fallen_flag_shows_no_time(self, visit: Visit) -> None:
        """The fault: after a flag its clock showed all the time of a turn."""
        visitor = visit()
        game = visitor.server.make_for_persons("skew", clock={"kind": "total", "seconds": 1})
        visitor.sit(game)
        game.play()
        game.play()
        expect(visitor.words()).to_contain_text("time", timeout=60_000)
        expect(visitor.page.locator(".seat.below time")).to_have_text("0:00")

    def test_offers_and_refusals_are_told_to_whoever_asked(self, two: Two) -> None:
        """The fault: nobody who asked heard anything, and the question was asked below the fold."""
        host, guest = two
        note = host.page.locator("#offers")
        host.page.locator("#offer-draw").click()
        expect(note).to_have_text("You have offered a draw.")
        assert list_outside(guest.page, "#draw-asked:visible") == []
        guest.page.locator("#draw-asked").get_by_text("Decline").click()
        expect(note).to_have_text("Second declined the draw.")
        move(host)
        host.page.locator("#takeback").click()
        expect(note).to_have_text("You have asked to take your move back.")
        guest.page.locator("#takeback-asked").get_by_text("Decline").click()
        expect(note).to_have_text("Second declined the takeback.")

    @pytest.mark.soak
    def test_only_own_moves_are_taken_back(self, two: Two) -> None:
        """The fault: taking back was offered where it could not work."""
        host, guest = two
        move(host)
        guest.expect_ply(1)
        expect(guest.page.locator("#takeback")).to_be_disabled()
        expect(host.page.locator("#takeback")).to_be_enabled()

    def test_what_others_play_is_spoken(self, two: Two) -> None:
        """The fault: whoever does not see the board heard nothing of opponents' moves."""
        host, guest = two
        host.play(["a1", "ne"])
        expect(guest.page.locator("#heard")).to_have_text("First played a1 north-east")
        expect(host.page.locator("#heard")).to_be_empty()

    @pytest.mark.soak
    def test_there_is_no_chat_with_oneself(self, visit: Visit, two: Two) -> None:
        """The fault: whoever played an engine could chat with themselves."""
        alone = visit()
        alone.sit(alone.server.make("skew", seats=["person", "level:1"]))
        expect(alone.page.locator("#talk")).to_be_hidden()
        expect(two[0].page.locator("#talk")).to_be_visible()


class TestNewcomers:
    def test_the_goal_is_told_until_it_is_known(self, visit: Visit) -> None:
        """The fault: newcomers met a board, and neither a goal nor a legend."""
        visitor = visit()
        visitor.sit(visitor.server.make_for_persons("skaane"))
        intro = visitor.page.locator("#intro")
        expect(intro).to_contain_text("far row")
        expect(intro.locator("li", has_text="Sun: beats")).to_be_visible()
        expect(intro).to_contain_text("red signs those that can be taken")
        intro.get_by_role("button", name="Got it").click()
        expect(intro).to_be_hidden()
        visitor.page.reload()
        expect(visitor.page.locator("#board.mine")).to_have_count(1)
        expect(intro).to_be_hidden()
        visitor.page.get_by_role("button", name="How to win").click()
        expect(intro).to_be_visible()

    def test_what_counts_is_shown_and_can_be_switched_off(self, visit: Visit) -> None:
        """The fault: what lessons teach with was gone in games."""
        visitor = visit()
        game = visitor.server.make_for_persons("skew")
        game.play("a1-ne")
        visitor.sit(game)
        expect(visitor.page.locator(".seat.below .holding")).to_have_text("1 scoring, 23 left")
        mark = visitor.page.locator("#board .mark.counts")
        expect(mark).to_be_visible()
        visitor.page.locator("#counting").uncheck()
        expect(mark).to_be_hidden()
        visitor.page.reload()
        expect(mark).to_be_hidden()

    @pytest.mark.soak
    def test_moves_of_both_opponents_are_marked(self, visit: Visit) -> None:
        """The fault: with three seats only one of two opponents' moves was marked."""
        visitor = visit()
        game = visitor.server.make_for_persons("x", options={})
        for _ in range(5):
            game.play()
        visitor.open(f"/g/{game.id}#s={game.secrets[2]}")
        expect(visitor.page.locator("#board.mine")).to_have_count(1)
        played = [ply["path"][0] for ply in game.look()["moves"]]
        marked = visitor.page.locator("#board .mark.last")
        expect(marked).to_have_count(2)
        ids = marked.evaluate_all("all => all.map((e) => e.id)")
        assert sorted(ids) == sorted(f"last-{cell}" for cell in played[-2:])


class TestSignals:
    def test_the_tab_says_whose_turn_it_is(self, two: Two) -> None:
        """The fault: the title of the tab never changed."""
        host, guest = two
        icon = "link[rel=icon]"
        expect(host.page).to_have_title("Your turn: choose a hole - Skew")
        expect(guest.page).to_have_title("Waiting for First - Skew")
        calm = guest.page.locator(icon).get_attribute("href")
        assert host.page.locator(icon).get_attribute("href") != calm
        move(host)
        expect(guest.page).to_have_title("Your turn: choose a hole - Skew")
        expect(guest.page.locator(icon)).not_to_have_attribute("href", calm or "")

    @pytest.mark.soak
    def test_whoever_looks_elsewhere_is_notified(self, two: Two) -> None:
        """The fault: nobody noticed that it was their turn."""
        host, guest = two
        guest.context.add_init_script(  # browsers without windows show none
            """window.told = [];
            window.Notification = class {
              static permission = "default";
              static async requestPermission() { return (this.permission = "granted"); }
              constructor(title, { body }) { told.push(`${title}: ${body}`); }
            };
            Object.defineProperty(document, "hidden", { get: () => true });"""
        )
        guest.page.reload()
        expect(guest.words()).to_have_text("Waiting for First")
        guest.page.locator("#notifying").check()
        note = guest.page.locator("#alerts-note")
        expect(note).to_contain_text("Only while a page of the game is open")
        move(host)
        guest.expect_ply(1)
        guest.until("told.length")
        assert guest.page.evaluate("told") == ["Skew: Your turn: choose a hole"]

    @pytest.mark.soak
    def test_moves_are_heard_unless_muted(self, two: Two) -> None:
        """The fault: there was no sound at all."""
        host, guest = two
        count = """() => {
          window.tones = 0;
          const start = OscillatorNode.prototype.start;
          OscillatorNode.prototype.start = function (...when) { tones++; start.apply(this, when); };
        }"""
        guest.page.evaluate(count)
        guest.page.locator(".prompt").click()  # browsers are silent before
        move(host)
        guest.expect_ply(1)
        heard = guest.page.evaluate("tones")
        assert heard > 0
        guest.page.locator("#sounding").uncheck()
        move(guest)
        host.expect_ply(2)
        move(host)
        guest.expect_ply(3)
        assert guest.page.evaluate("tones") == heard


class TestLookingBack:
    @pytest.fixture
    def looking(self, visit: Visit) -> tuple[Visitor, Game]:
        visitor = visit(has_touch=True)
        game = visitor.server.make_for_persons("x", options={})
        for _ in range(3):
            game.play()
        visitor.open(f"/g/{game.id}#s={game.secrets[1]}")
        expect(visitor.words()).to_have_text("Waiting for Red")
        return visitor, game

    @pytest.mark.soak
    def test_by_keys_where_the_board_does_not_need_them(
        self, looking: tuple[Visitor, Game]
    ) -> None:
        visitor, _ = looking
        pieces = visitor.page.locator("#board .piece")
        visitor.page.keyboard.press("ArrowLeft")
        expect(visitor.words()).to_have_text("Looking back: move 2 of 3")
        expect(pieces).to_have_count(2)
        visitor.page.keyboard.press("Home")
        expect(pieces).to_have_count(0)
        visitor.page.keyboard.press("End")
        expect(pieces).to_have_count(3)
        visitor.page.locator("#board").focus()
        visitor.page.keyboard.press("ArrowLeft")
        expect(visitor.page.locator("#spoken")).not_to_be_empty()
        expect(pieces).to_have_count(3)

    @pytest.mark.soak
    def test_by_the_wheel(self, looking: tuple[Visitor, Game]) -> None:
        visitor, _ = looking
        visitor.page.locator("#board").hover()
        visitor.page.mouse.wheel(0, -100)
        expect(visitor.words()).to_have_text("Looking back: move 2 of 3")
        visitor.page.mouse.wheel(0, 100)
        expect(visitor.words()).to_have_text("Waiting for Red")
        assert visitor.page.evaluate("scrollY") == 0

    @pytest.mark.soak
    def test_by_a_swipe(self, looking: tuple[Visitor, Game]) -> None:
        visitor, _ = looking
        visitor.page.locator("#board").evaluate(
            """(board) => {
              const box = board.getBoundingClientRect();
              const at = (x) => new Touch({ identifier: 1, target: board, clientX: box.x + x,
                clientY: box.y + 90 });
              const tell = (name, x, touches) => board.dispatchEvent(new TouchEvent(name,
                { bubbles: true, touches, changedTouches: [at(x)] }));
              tell("touchstart", 40, [at(40)]);
              tell("touchend", 160, []);
            }"""
        )
        expect(visitor.words()).to_have_text("Looking back: move 2 of 3")

    def test_a_past_position_does_not_look_live(self, looking: tuple[Visitor, Game]) -> None:
        """The fault: a past position looked like the game as it stood."""
        visitor, game = looking
        board = visitor.page.locator("#board")
        game.play()
        expect(visitor.page.locator("#board.mine")).to_have_count(1)
        frame = "e => getComputedStyle(e).outlineStyle"
        assert board.evaluate(frame) == "none"
        visitor.page.get_by_label("One back").click()
        expect(visitor.words()).to_have_text("Looking back: move 3 of 4; it is your turn")
        assert board.evaluate(frame) == "dashed"
        expect(visitor.page.locator("#board.mine")).to_have_count(0)
        visitor.page.mouse.click(*visitor.centre("e5"))
        visitor.page.get_by_role("button", name="Back to the game").click()
        expect(visitor.page.locator("#board.mine")).to_have_count(1)
        assert board.evaluate(frame) == "none"
        assert visitor.look()["ply"] == 4, "nothing was played there"

    @pytest.mark.soak
    def test_nobody_is_thrown_out_of_it(self, looking: tuple[Visitor, Game]) -> None:
        """The fault: the opponent's move ended looking back."""
        visitor, game = looking
        visitor.page.keyboard.press("Home")
        expect(visitor.page.locator("#board .piece")).to_have_count(0)
        game.play()
        visitor.expect_ply(4)
        expect(visitor.words()).to_have_text("Looking back: move 0 of 4; it is your turn")
        expect(visitor.page.locator("#board .piece")).to_have_count(0)
        visitor.page.get_by_role("button", name="Back to the game").click()
        expect(visitor.page.locator("#board .piece")).to_have_count(4)
        expect(visitor.words()).to_have_text("Your turn: put a stone on any empty hex")
