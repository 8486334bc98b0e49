"""Take the pictures of the web app: ``python tools/screenshots.py``, with chromium there.

A server of its own is started on a temporary database, and every page is shown by day and by night,
on a desk and on a phone. ``python tools/screenshots.py skew kind`` takes only those.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from PIL import Image
from playwright.sync_api import Page, sync_playwright

import skerry
from skerry.records import Record, to_json

DOCS = Path(__file__).resolve().parent.parent / "docs"
FOLDER = DOCS / "images" / "web"
SCREENS = {"desk": (1280, 860), "phone": (360, 740)}
SCHEMES = ("light", "dark")
LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd"
PLIES = {"skew": 22, "skirt": 25, "x": 40, "skaane": 14}
DEAL = 4
PLAYERS = ("Ann", "Ben", "Cleo")
CARELESS = 9  # every so many moves of a studied game is the first that comes
PATIENCE = 120_000  # milliseconds for the engine
# Bots, how they choose, and how often they meet each other and the levels.
BOTS = {"Robbie": "random", "Marvin": "mcts:simulations=40", "Deep Skew": "mcts:simulations=400"}
LEVELS = ("level:1", "level:2", "level:3")
MEETINGS = 3


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


def post(address: str, body: dict[str, Any], secrets: str = "", token: str = "") -> dict[str, Any]:
    headers = {"Content-Type": "application/json", "X-Seat": secrets}
    headers["Authorization"] = f"Bearer {token}"
    request = Request(address, json.dumps(body).encode(), headers)  # noqa: S310  loopback
    with urlopen(request) as answer:  # noqa: S310  loopback
        found: dict[str, Any] = json.load(answer)
    return found


def make_game(base: str, name: str, plies: int) -> str:
    """The page of a game in which an engine has made some moves, for the seat to move."""
    state = skerry.make(name).initial(DEAL)
    seats = ["person"] * state.game.num_seats
    made = post(f"{base}/api/games", {"game": name, "seats": seats, "seed": DEAL})
    secrets: list[str] = made["secrets"]
    engine = skerry.player("mcts:simulations=300")
    for version in range(plies):
        move = engine.choose(state, version)
        state = state.play(move)
        body = {"version": version, "move": str(move)}
        post(f"{base}/api/games/{made['id']}/moves", body, ",".join(secrets))
    return f"/g/{made['id']}#s={secrets[state.to_move or 0]}"


def make_a_mistake(page: Page) -> None:
    """Answer a step of a course wrongly, to see what is said to it."""
    page.locator("#cell-d1").click()
    page.locator("#board [data-way=se]").click()
    page.get_by_role("button", name="Again", exact=True).wait_for()
    page.locator(".step.alive").evaluate(
        "step => step.scrollIntoView(step.offsetHeight < innerHeight ? {} : { block: 'end' })"
    )


def make_ladder(base: str) -> None:
    """Rated games of bots against levels and each other."""
    tokens = {name: post(f"{base}/api/bots", {"name": name})["token"] for name in BOTS}
    pairs = [(name, level) for name in BOTS for level in LEVELS]
    for name, opponent in [*pairs, *combinations(BOTS, 2)] * MEETINGS:
        body = {"game": "skew", "opponents": ["open" if opponent in BOTS else opponent]}
        made = post(f"{base}/api/bots/games", body, token=tokens[name])
        if opponent in BOTS:
            place = f"{base}/api/bots/games/{made['id']}/join"
            post(place, {"seat": 1}, token=tokens[opponent])
        play_out(f"{base}/api/games/{made['id']}", tokens)


def watch(base: str, name: str) -> None:
    """Look at two engines, or three, until their game is over."""
    seats = ["level:2"] + ["level:1"] * (skerry.make(name).num_seats - 1)
    made = post(f"{base}/api/games", {"game": name, "seats": seats})
    play_out(f"{base}/api/games/{made['id']}", {})


def play_out(game: str, tokens: dict[str, str]) -> None:
    """Move for the bots, if there are any, until the game is over."""
    rules = skerry.make("skew")
    while True:
        with urlopen(game) as answer:  # noqa: S310  loopback
            seen = json.load(answer)
        if seen["to_move"] is None:
            return
        seat = seen["seats"][seen["to_move"]]
        if seat["name"] not in tokens:
            time.sleep(0.02)  # an engine thinks
            continue
        player = skerry.player(BOTS[seat["name"]])
        move = player.choose(rules.position(seen["position"]), seen["version"])
        body = {"version": seen["version"], "move": str(move)}
        post(f"{game}/moves", body, token=tokens[seat["name"]])


def make_study(base: str, name: str) -> str:
    """The page of a study of a finished game with some careless moves in it."""
    state = skerry.make(name).initial(DEAL)
    engine, moves = skerry.player("mcts:simulations=300"), []
    while not state.is_over:
        careless = len(moves) % CARELESS == CARELESS - 1
        moves.append(state.legal_moves()[0] if careless else engine.choose(state, len(moves)))
        state = state.play(moves[-1])
    players = dict(zip(state.game.seats, PLAYERS, strict=False))
    record = Record.from_moves(state.game, moves=moves, headers=players, seed=DEAL)
    made = post(f"{base}/api/studies", {"record": to_json(record)})
    return f"{made['url']}#p={len(moves) // 3}"


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


def shoot(page: Page, name: str) -> None:
    """A picture with few colours, which is what screens of this app have."""
    shown = Image.open(BytesIO(page.screenshot())).convert("RGB")
    shown.quantize(128, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)


def find_chromium() -> str:
    """Where a browser is; any chromium will do."""
    found = shutil.which("chromium") or shutil.which("chromium-headless-shell")
    return found or sys.exit("chromium is missing: apt-get install chromium")


def prepare(base: str, wanted: list[str]) -> dict[str, str]:
    """The pages to show, all unless some are wanted, once there is something on them."""
    pages = {"start": "/", "rules": "/rules/skew#step-chain", "puzzle": "/puzzles/skirt/40"}
    pages |= dict.fromkeys(PLIES, "")
    pages |= {"setup": "/study?game=skaane", "study": ""}
    pages |= {"yours": "/yours", "kind": "/games/skirt", "puzzles": "/puzzles/skirt"}
    pages |= {"archive": "/archive", "ladder": "/ladder/skew", "api": "/api"}
    pages |= {"reports": "/reports", "report": "/reports/skirt-6"}
    if unknown := set(wanted) - set(pages):
        sys.exit(f"there is no page {', '.join(sorted(unknown))}; choose from {', '.join(pages)}")
    if wanted:
        pages = {name: path for name, path in pages.items() if name in wanted}
    for name, plies in PLIES.items():
        if name in pages or "yours" in pages:
            pages[name] = make_game(base, name, plies)
    if "study" in pages:
        pages["study"] = make_study(base, "x")
    if {"archive", "ladder"} & set(pages):
        make_ladder(base)
        for name in PLIES:
            watch(base, name)
    return pages


def main() -> None:
    chromium = find_chromium()
    FOLDER.mkdir(parents=True, exist_ok=True)
    with serve() as base, sync_playwright() as playwright:
        pages = prepare(base, sys.argv[1:])
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for scheme in SCHEMES:
            for screen, (width, height) in SCREENS.items():
                context = browser.new_context(
                    color_scheme=scheme,
                    viewport={"width": width, "height": height},
                    reduced_motion="reduce",
                )
                for name, path in pages.items():
                    page = context.new_page()
                    page.goto(base + path)
                    page.wait_for_timeout(700)
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
