"""How much pages weigh and shift, and how soon a move is drawn: ``python tools/pages.py``.

It needs chromium. The weight is what a browser fetches that has never been there. Layout shift is
what browsers call CLS: 0 where nothing moves that nobody has touched. A move is timed from the
press of the button to the picture with the stone in it, in a game at one screen.
"""

from random import Random
from statistics import median
from urllib.parse import urljoin

from club import SESSION
from playwright.sync_api import Browser, Page, sync_playwright
from screenshots import SCREENS, find_chromium, list_pages, prepare, serve

MOVES = 40
SETTLED = 1500  # milliseconds after which nothing comes any more
WATCH = """window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });"""
WEIGH = """["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((sum, { transferSize }) => sum + transferSize, 0)"""
# Measured within the page: what a script outside adds is no concern of a player's.
TIME_MOVES = """() => {
  window.took = [];
  let pressed = 0;
  addEventListener("pointerdown", () => { pressed = performance.now(); }, true);
  new MutationObserver(() => {
    if (pressed && document.querySelectorAll("#board [id^=piece-]").length > took.length) {
      took.push(performance.now() - pressed);
      pressed = 0;
    }
  }).observe(document.getElementById("board"), { childList: true, subtree: true });
}"""


def measure_pages(browser: Browser, base: str, pages: dict[str, str], session: str) -> None:
    """Print what each page weighs, and the most that it shifts, on a desk or on a phone."""
    for name, path in pages.items():
        found = {}
        for screen, (width, height) in SCREENS.items():
            context = browser.new_context(viewport={"width": width, "height": height})
            if name == "account":
                context.add_cookies([{"name": SESSION, "value": session, "url": base}])
            context.add_init_script(WATCH)
            page = context.new_page()
            page.goto(urljoin(base, path))
            page.wait_for_timeout(SETTLED)
            found[screen] = page.evaluate("shifted")
            weight = page.evaluate(WEIGH)
            context.close()
        shifts = (f"{screen} {shift:.4f}" for screen, shift in found.items())
        print(f"{name:11} {weight / 1000:4.0f} kB, layout shift", *shifts, flush=True)


def time_moves(page: Page, base: str) -> list[float]:
    """Milliseconds from press to picture of moves in X, in which each puts one stone."""
    page.goto(base)
    page.locator("article.card:has(#x) button[value=here]").click()
    page.wait_for_url("**/g/*")
    page.locator("#board.mine").wait_for()
    page.evaluate(TIME_MOVES)
    cells = page.locator("#board [id^=cell-]").evaluate_all("all => all.map((e) => e.id)")
    Random(1).shuffle(cells)
    for number, cell in enumerate(cells[:MOVES], 1):
        page.locator(f"#{cell}").click()
        page.locator("#moves li").nth(number - 1).wait_for()
        page.locator("#board.mine").wait_for()
    return [float(each) for each in page.evaluate("took")]


def main() -> None:
    with serve() as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        pages = list_pages([])
        session = prepare(base, pages)
        measure_pages(browser, base, pages, session)
        took = time_moves(browser.new_page(viewport={"width": 1280, "height": 860}), base)
        print(
            f"press to picture: median {median(took):.0f} ms of {len(took)}, most {max(took):.0f}"
        )
        browser.close()


if __name__ == "__main__":
    main()
