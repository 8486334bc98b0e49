"""Browsers that tests hand on to each other are as good as new."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser

from browser.visiting import Visitor
from server.serving import Server

LEFT = """() => [document.cookie, localStorage.length, sessionStorage.length,
  document.querySelectorAll(":hover").length]"""


@pytest.fixture
def visitor(chromium: Browser, server: Server) -> Any:
    visitor = Visitor(chromium.new_context(), server)
    yield visitor
    visitor.context.close()


def test_nothing_is_left_behind(visitor: Visitor) -> None:
    visitor.open("/healthz")
    visitor.keep("mine", "kept")
    visitor.page.evaluate("document.cookie = 'mine=kept'; sessionStorage.mine = 'kept'")
    visitor.page.mouse.move(200, 200)
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    visitor.page.route("**/healthz", lambda route: route.fulfill(body="mine"))
    size = visitor.page.viewport_size
    visitor.page.set_viewport_size({"width": 400, "height": 400})
    cookie, *kept, pointed = visitor.page.evaluate(LEFT)
    assert cookie == "mine=kept"
    assert kept == [1, 1]
    assert pointed > 0
    assert visitor.leave()
    visitor.open("/healthz")
    assert visitor.page.evaluate(LEFT) == ["", 0, 0, 0]
    assert asked == []
    assert "mine" not in visitor.page.content()
    assert visitor.page.viewport_size == size


@pytest.mark.parametrize(
    "use",
    [
        lambda visitor: visitor.page.emulate_media(color_scheme="dark"),
        lambda visitor: visitor.page.clock.install(),
        lambda visitor: visitor.context.add_init_script("window.mine = 1"),
        lambda visitor: visitor.context.new_page(),
    ],
    ids=["media", "clock", "script", "page"],
)
def test_what_cannot_be_taken_back_is_not_handed_on(
    visitor: Visitor, use: Callable[[Visitor], object]
) -> None:
    use(visitor)
    assert not visitor.leave()
