"""Take the pictures of the web app: ``python tools/screenshots.py``, with chromium there.

A server of its own is started on a temporary database, and every page is shown by day and by night,
on a desk and on a phone. ``python tools/screenshots.py skew kind`` takes only those.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from club import (
    PLIES,
    SESSION,
    make_game,
    make_ladder,
    make_lobby,
    make_study,
    make_tournament,
    sign_up,
    watch,
)
from PIL import Image
from playwright.sync_api import Page, sync_playwright

DOCS = Path(__file__).resolve().parent.parent / "docs"
FOLDER = DOCS / "images" / "web"
SCREENS = {"desk": (1280, 860), "phone": (360, 740)}
SCHEMES = ("light", "dark")
LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd"
DRAWN = """[...document.images].every((image) => image.complete
  || image.getBoundingClientRect().top > innerHeight || !image.checkVisibility())"""
GLANCE = 200  # milliseconds
PATIENCE = 300_000  # milliseconds for the engine


@contextmanager
def serve() -> Iterator[str]:
    """A server on loopback; its address."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "skerry", "serve", "--port", "0", "--log-level", "error"]
        command += ["--pace", "0", "--moves", "0", "--reads", "0"]
        process = subprocess.Popen(  # noqa: S603  our own command
            [*command, "--database", f"{folder}/skerry.db"], stdout=subprocess.PIPE, text=True
        )
        try:
            said = process.stdout.readline() if process.stdout else ""
            yield said.split()[-1].rstrip("/")
        finally:
            process.terminate()
            process.wait()


def make_a_mistake(page: Page) -> None:
    """Answer a step of a course wrongly, to see what is said to it."""
    page.locator("#cell-d1").click()
    page.locator("#board [data-way=se]").click()
    page.get_by_role("button", name="Again", exact=True).wait_for()
    page.locator(".step.alive").evaluate(
        "step => step.scrollIntoView(step.offsetHeight < innerHeight ? {} : { block: 'end' })"
    )


def analyse(page: Page) -> None:
    """Let the engine think, and look the game over if nobody has."""
    if page.locator("#graph").is_hidden():
        page.click("#review")
        page.wait_for_selector("#graph:not([hidden])", timeout=PATIENCE)
        page.wait_for_selector("#review:not([disabled])")
    page.click("#engine")
    page.wait_for_selector("#candidates li", timeout=PATIENCE)
    page.wait_for_timeout(2500)
    page.evaluate("scrollTo(0, 0)")


def wait_for_pictures(page: Page) -> None:
    """Wait until what is on the screen has been drawn; a board of a new size takes a while."""
    for _ in range(PATIENCE // GLANCE):
        if page.evaluate(DRAWN):
            return
        page.wait_for_timeout(GLANCE)


def shoot(page: Page, name: str) -> None:
    """A picture with few colours, which is what screens of this app have."""
    shown = Image.open(BytesIO(page.screenshot())).convert("RGB")
    shown.quantize(128, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)


def find_chromium() -> str:
    """Where a browser is; any chromium will do."""
    found = shutil.which("chromium") or shutil.which("chromium-headless-shell")
    return found or sys.exit("chromium is missing: apt-get install chromium")


def list_pages(wanted: list[str]) -> dict[str, str]:
    """Where pages are that have to be shown, all unless some are wanted; some are made first."""
    pages = {"start": "/", "rules": "/rules/skew#step-chain", "puzzle": "/puzzles/skirt/40"}
    pages |= dict.fromkeys(PLIES, "")
    pages |= {"setup": "/study?game=skaane", "study": ""}
    pages |= {"yours": "/yours", "kind": "/games/skirt", "puzzles": "/puzzles/skirt"}
    pages |= {"archive": "/archive", "ladder": "/ladder/skew", "rating": "/ratings/bot:marvin"}
    pages |= {"lobby": "/lobby", "tournaments": "/tournaments", "tournament": ""}
    pages |= {"signin": "/sign-in", "account": "/account", "api": "/api"}
    pages |= {"reports": "/reports", "report": "/reports/skirt-6"}
    if unknown := set(wanted) - set(pages):
        sys.exit(f"there is no page {', '.join(sorted(unknown))}; choose from {', '.join(pages)}")
    return {name: path for name, path in pages.items() if not wanted or name in wanted}


def prepare(base: str, pages: dict[str, str]) -> str:
    """Make what pages are to show, and find it; returns the session of somebody."""
    for name, plies in PLIES.items():
        if name in pages or "yours" in pages:
            pages[name] = make_game(base, name, plies)
    if "study" in pages:
        pages["study"] = make_study(base, "x")
    if {"archive", "ladder", "rating"} & set(pages):
        make_ladder(base)
        for name in PLIES:
            watch(base, name)
    session = sign_up(base, "Ann")
    if {"tournament", "tournaments"} & set(pages):
        made = make_tournament(base, session)
        pages |= {"tournament": made} if "tournament" in pages else {}
    if "lobby" in pages:
        make_lobby(base)
    return session


def main() -> None:
    chromium = find_chromium()
    FOLDER.mkdir(parents=True, exist_ok=True)
    with serve() as base, sync_playwright() as playwright:
        pages = list_pages(sys.argv[1:])
        session = prepare(base, pages)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for scheme in SCHEMES:
            for screen, (width, height) in SCREENS.items():
                context = browser.new_context(
                    color_scheme=scheme,
                    viewport={"width": width, "height": height},
                    reduced_motion="reduce",
                )
                for name, path in pages.items():
                    if name == "account":
                        context.add_cookies([{"name": SESSION, "value": session, "url": base}])
                    page = context.new_page()
                    page.goto(base + path)
                    page.wait_for_timeout(700)
                    wait_for_pictures(page)
                    if name == "setup":
                        page.wait_for_selector("#board .cell", timeout=PATIENCE)
                    if name == "study":
                        analyse(page)
                    if name == "rules":
                        make_a_mistake(page)
                    print(
                        f"{name}, {screen}, {scheme}: usable after {page.evaluate(LOADED):.0f} ms"
                    )
                    shoot(page, f"{name}-{screen}-{scheme}")
                    if name == "study":
                        page.locator(".review").evaluate("e => e.scrollIntoView(true)")
                        shoot(page, f"review-{screen}-{scheme}")
                    page.close()
        browser.close()


if __name__ == "__main__":
    main()
