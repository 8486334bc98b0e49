"""Strength against minutes of training: a table and a plot in docs/lab/strength.md.

python tools/growth.py FOLDER ...   ladders that skerry depth has written, with nets that come with
                                    skerry among the players
python tools/growth.py              only the table and the plot, of what is there

Players that are no nets of a known minute, such as levels, are rungs: they join nets that are too
far apart to be measured by games with each other, and are not shown.
"""

import re
import sys
from collections.abc import Iterator
from math import log2
from pathlib import Path
from typing import NamedTuple

from depth import gather, read_kept, write_all
from plots import COLOURS, frame, say, stroke
from tables import put_table

from skerry.core.levels import BEST
from skerry.games import GAMES, kind
from skerry.lab.depth import Depth
from skerry.lab.report.page.axes import Axis, Scale
from skerry.lab.report.page.series import DASHES, MARKERS
from skerry.nets.shipped import has_net, shipped_net
from skerry.render.markup import element

LAB = Path(__file__).resolve().parent.parent / "docs" / "lab"
PAGE, KEPT, IMAGES = LAB / "strength.md", LAB / "growth.json", LAB / "images"
HEAD = ["game", "minutes", "net", "Elo above random", "games of the ladder"]
NET = re.compile(r"net:(?:file=\S*/(?P<name>[^/,]+)\.net,)?simulations=\d+")
MINUTE = "minute-"
LINES = {
    "light": ("#0f2747", "#a23b08", "#2b959b", "#7a3e9d"),
    "dark": ("#e4eeff", "#f5a06a", "#4fb3bf", "#c79be8"),
}
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640.0, 380.0, 52.0, 70.0, 28.0, 44.0
TICKS = (0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32)
SPAN = (0.1, 48.0)  # minutes
SHIFT = 5.0  # between games whose nets are of the same minute


class Stage(NamedTuple):
    """A net, the minutes that it was trained for, and its Elo above random play."""

    minutes: float
    size: str
    elo: float
    margin: float


def take(kept: list[Depth], found: Depth) -> list[Depth]:
    """What is known, with what was found in the place of what was known of the same game."""
    others = [each for each in kept if each.game != found.game]
    return sorted([*others, found], key=lambda one: list(GAMES).index(one.game))


def list_stages(ladder: Depth) -> list[Stage]:
    """The nets of a ladder, in the order in which they were trained."""
    game, found = kind(ladder.game)(**ladder.options), []
    for rung in ladder.rungs:
        if named := NET.fullmatch(rung.player):
            name = named["name"] or BEST
            is_there = has_net(game, name)
            net = shipped_net(game, name if is_there else BEST)
            size = f"{net.shape.blocks} blocks of {net.shape.channels}"
            # A net that a later one of its run has replaced is known by its minute.
            minutes = net.card["headway"]["minutes"] if is_there else float(name[len(MINUTE) :])
            found.append(Stage(minutes, size, rung.elo, rung.margin))
    return sorted(found)


def write(page: str, ladders: list[Depth]) -> str:
    """The page with the table."""
    rows = [
        [
            kind(ladder.game).title,
            f"{stage.minutes:.{1 if stage.minutes > 1 else 2}f}",
            stage.size,
            f"{stage.elo:+.0f} ± {stage.margin:.0f}",
            f"{ladder.games:,}",
        ]
        for ladder in ladders
        for stage in list_stages(ladder)
    ]
    return put_table(page, "growth", HEAD, rows)


def draw(ladders: list[Depth], theme: str) -> str:
    """Elo against minutes, a line for every game."""
    runs = {each.game: list_stages(each) for each in ladders}
    highest = max(stage.elo + stage.margin for run in runs.values() for stage in run)
    span = (0.0, highest * 1.04)
    x = Scale((log2(SPAN[0]), log2(SPAN[1])), (LEFT, WIDTH - RIGHT))
    y = Scale(span, (HEIGHT - BOTTOM, TOP))
    shapes = [*_draw_frame(x, y, theme)]
    for game, run in runs.items():
        shapes += _draw_run(game, run, x, y, theme)
    return frame(shapes, WIDTH, HEIGHT)


def _draw_frame(x: Scale, y: Scale, theme: str) -> Iterator[str]:
    colours = COLOURS[theme]
    foot = HEIGHT - BOTTOM
    for at, text in Axis().list_ticks(y.span):
        yield stroke([(LEFT, y.place(at)), (WIDTH - RIGHT, y.place(at))], colours["rule"])
        yield say(text, LEFT - 6, y.place(at) + 4, colours["soft"], "end")
    for minutes in TICKS:
        place = x.place(log2(minutes))
        yield stroke([(place, foot), (place, foot + 4)], colours["soft"])
        yield say(f"{minutes:g}", place, foot + 18, colours["soft"])
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield say("minutes of training on one H200", middle, foot + 36, colours["soft"])
    title = "Elo above random play, all nets with 16 simulations a move"
    yield say(title, LEFT, TOP - 12, colours["ink"], "start")


def _draw_run(game: str, run: list[Stage], x: Scale, y: Scale, theme: str) -> Iterator[str]:
    number = list(GAMES).index(game)
    colour, marker = LINES[theme][number], list(MARKERS.values())[number]
    aside = SHIFT * (number - (len(GAMES) - 1) / 2)
    places = [(x.place(log2(stage.minutes)) + aside, y.place(stage.elo)) for stage in run]
    yield stroke(places, colour, "2", DASHES[number])
    for stage, (across, down) in zip(run, places, strict=True):
        ends = [y.place(max(0.0, stage.elo + side * stage.margin)) for side in (-1, 1)]
        yield stroke([(across, end) for end in ends], colour)
        yield element("path", d=f"M{across:.1f} {down:.1f}{marker}", fill=colour)
    across, down = places[-1]
    yield say(kind(game).title, across + 8, down + 17, colour, "start")


def place_picture(theme: str) -> Path:
    return IMAGES / f"growth-{theme}.svg"


def main() -> None:
    kept = read_kept(KEPT.read_text("utf-8"), KEPT.name) if KEPT.exists() else []
    ladders = gather(kept, sys.argv[1:], take)
    KEPT.write_text(write_all(ladders), encoding="utf-8")
    PAGE.write_text(write(PAGE.read_text(encoding="utf-8"), ladders), encoding="utf-8")
    for theme in COLOURS:
        place_picture(theme).write_text(draw(ladders, theme) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
