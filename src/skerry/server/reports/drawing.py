"""What the pages of reports are made of, for the processes of the pool; little is imported here.

Every job answers with files by their names, as they are sent.
"""

from functools import lru_cache
from pathlib import Path

from skerry.games import kind
from skerry.lab.depth import shipped_depths
from skerry.lab.report.page.html import PagePart, draw_list, draw_part, list_pictures
from skerry.lab.report.page.replays import write_frames
from skerry.lab.report.result.findings import Report, read_report
from skerry.lab.report.shipped import list_shipped, load_shipped, tell_strong
from skerry.lab.solved import list_solved, mark_optimal
from skerry.render.svg import draw

FOLDER = "/reports"
BODY, COLOURS, COVER = "body.html", "colours.css", "cover"
THEMES = "light", "dark"  # those of pages
KEPT = 4  # reports that a process remembers

Files = dict[str, bytes]


def rehearse(name: str) -> Files:
    """Load what it takes to draw the boards of a report; nothing is made of it yet."""
    list_pictures(load_shipped(name))[COVER](THEMES[0], "")
    return {}


def print_list() -> Files:
    """The page of all reports."""
    found = {
        kind(game).title: {name: load_shipped(name) for name in names}
        for game, names in list_shipped().items()
        if names
    }
    return _print(draw_list(found, FOLDER, tell_strong, shipped_depths()))


def print_covers(theme: str) -> Files:
    """The boards beside all reports in the list."""
    names = (name for found in list_shipped().values() for name in found)
    return {name: list_pictures(load_shipped(name))[COVER](theme, "").encode() for name in names}


def print_report(name: str, path: Path) -> Files:
    """The page of a report."""
    return _print(draw_part(_load(path), f"{FOLDER}/{name}", tell_strong(name)))


def print_pictures(path: Path, theme: str) -> Files:
    """The boards on the page of a report."""
    drawn = list_pictures(_load(path))
    return {f"{picture}.svg": draw(theme, "").encode() for picture, draw in drawn.items()}


def print_game(path: Path, number: int, theme: str) -> Files:
    """All boards of a game in a report; nothing if it has fewer games."""
    games = _load(path).samples[number - 1 : number]
    return {
        f"game-{number}.json": write_frames(game, theme, f"game-{number}-").encode()
        for game in games
    }


def print_solved(game: str, theme: str) -> Files:
    """The solved boards of a game with their best first moves, numbered from 1."""
    boards = [board for board in list_solved() if board.game == game]
    files = {}
    for number, board in enumerate(boards, 1):
        state = board.start()
        scene = state.scene().under(mark_optimal(board, state))
        files[f"{number}.svg"] = draw(scene, theme=theme).encode()
    return files


@lru_cache(maxsize=KEPT)
def _load(path: Path) -> Report:
    return read_report(path)


def _print(part: PagePart) -> Files:
    return {BODY: part.body.encode(), COLOURS: part.colours.encode()}
