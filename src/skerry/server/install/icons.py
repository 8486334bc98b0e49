"""Icons in pixels, drawn from the same pictures as those in the browser's tab and on boards."""

from functools import cache

from skerry.games import GAMES, make
from skerry.render.raster import png
from skerry.render.token import draw_token
from skerry.server.web.templates import static_files

PAPER = "#fbf9f4"  # as the page is by day
INNER = 0.8  # of a maskable icon, which systems cut to any shape
SHORTCUT = 96  # pixels
# By name: pixels, and whether the whole square is filled.
ICONS = {"192": (192, False), "512": (512, False), "maskable": (512, True), "apple": (180, True)}


def list_icons() -> tuple[str, ...]:
    """The names of all icons there are; every game has one."""
    return (*ICONS, *GAMES)


@cache
def draw_icon(name: str) -> bytes:
    """An icon as PNG."""
    if name in ICONS:
        size, filled = ICONS[name]
        drawn = static_files()["icon.svg"].read_text(encoding="utf-8")
        return png(_fill(drawn) if filled else drawn, size)
    game = make(name)
    return png(draw_token(game.view.list_tokens()[0], game.seats, "light", ""), SHORTCUT)


def _fill(drawn: str) -> str:
    """A picture on paper, with room around it."""
    head, _, rest = drawn.partition(">")
    shapes = rest.removesuffix("\n").removesuffix("</svg>")
    margin = 32 * (1 - INNER) / 2
    place = f"translate({margin:.2f} {margin:.2f}) scale({INNER})"
    paper = f'<rect width="32" height="32" fill="{PAPER}"/>'
    return f'{head}>{paper}<g transform="{place}">{shapes}</g></svg>'
