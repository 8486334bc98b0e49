"""A page for every game, made of what the package knows: for the site, which ``make site`` builds.

Its board moves: a game of the start page, as a film in light and dark. The film of the README is
written anew by ``python tools/gamepages.py``.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import skerry
from skerry.core.options import write_options
from skerry.nets.layout import lay_out
from skerry.nets.shipped import has_net, shipped_net
from skerry.render.raster import film
from skerry.search.strengths import summarise_levels
from skerry.server.learn.showcase import count_frames, draw_frame

DOCS = Path(__file__).resolve().parent.parent / "docs"
THEMES = ("light", "dark")
FRAMES = 24  # of a film, which is about 20 seconds
FILM_WIDTH = 420
MOST_EXAMPLES = 8
README_GAME = "x"


def draw_films(name: str) -> dict[str, bytes]:
    """The first turns of a game as films, by the name of the file."""
    frames = range(min(count_frames(name), FRAMES))
    return {
        f"{name}-{theme}.webp": film(
            [draw_frame(name, number, theme) for number in frames], ".webp", FILM_WIDTH
        )
        for theme in THEMES
    }


def write_page(name: str) -> str:
    """The page of a game, in Markdown."""
    game = skerry.make(name)
    parts = [
        f"# {game.title}",
        "\n".join(
            f'<img src="{name}-{theme}.webp#only-{theme}" width="{FILM_WIDTH}" '
            f'alt="A game of {game.title}, move by move">'
            for theme in THEMES
        ),
        f"**{game.summary.rstrip('.')}.** Seats, in turn order: {', '.join(game.seats)}."
        + (f" {game.credit.rstrip('.')}." if game.credit else ""),
        f"```sh\nskerry play {name} --seat2 level:3\nskerry serve   # in the browser\n```",
        "## Rules",
        f"In short; [the full page](../rules/{name}.md) has diagrams and readings.",
        "\n".join(f"{n}. {text}" for n, text in enumerate(game.list_clauses().values(), 1)),
        "## Options and usual boards",
        _table(
            ("option", "default", "from", "to", "meaning"),
            ((f"`{o.name}`", o.default, o.low, o.high, o.meaning) for o in game.option_specs),
        ),
        "Usual boards: " + "; ".join(f"`{write_options(o)}`" for o in game.sizes) + ".",
        "## For learners",
        _describe_learning(game),
        "## Levels",
        "Elo above level 1 on the usual board, with 95 % intervals; "
        "[strength](../lab/strength.md) tells which matches.",
        _table(
            ("level", "name", "Elo", "thinks"),
            (
                (each.level, each.name, _say_strength(each.strength), each.thinking)
                for each in summarise_levels(name)
            ),
        ),
        "## The net",
        _describe_net(game),
        "## Solved boards",
        _rows_of("lab/solved.md", "solved", game.title),
        "Nodes are positions looked at; [solved boards](../lab/solved.md) explains the rest.",
        "## Reports",
        _rows_of("lab/reports/README.md", "reports", game.title),
        "[What the laboratory found](../lab/reports/README.md) says it in words, and explains the "
        "columns.",
    ]
    return "\n\n".join(parts) + "\n"


def _describe_learning(game: skerry.Game) -> str:
    layout = lay_out(game)
    start = game.playable_start()
    moves = start.legal_moves()[:MOST_EXAMPLES]
    planes, height, width = layout.shape
    return "\n\n".join(
        [
            f"On the default board there are **{game.num_actions} actions**, and an observation is "
            f"**{planes} planes of {height} by {width}**, seen by one seat. "
            f"[Batches and faces](../library/rl.md) has the rest.",
            _table(("plane", "shows"), enumerate(layout.names)),
            "Some of the first actions, by number and by notation:",
            _table(("action", "move"), ((move.action, f"`{move}`") for move in moves)),
        ]
    )


def _describe_net(game: skerry.Game) -> str:
    if not has_net(game):
        return "There is none yet."
    net = shipped_net(game)
    headway, recipe, shape = net.card["headway"], net.card["recipe"], net.shape
    weights = sum(array.size for array in net.weights.values())
    rows = {
        "weights": f"{weights:,}, in {shape.blocks} blocks of {shape.channels} channels",
        "boards": "; ".join(f"`{write_options(board)}`" for board in net.card["boards"]),
        "self-play": f"{headway['games']:,} games, {headway['positions']:,} positions",
        "took": f"{headway['minutes']:.0f} minutes",
        "simulations a move": recipe["simulations"],
        "digest": f"`{net.digest}`",
    }
    return _table(("what", "value"), rows.items()) + (
        "\n\n[Nets by self-play](../library/nets.md) trains one like it."
    )


def _say_strength(strength: object) -> str:
    if strength is None:
        return "not measured"
    margin = getattr(strength, "margin", None)
    return f"{strength} ± {margin}" if margin else str(strength)


def _rows_of(page: str, table: str, title: str) -> str:
    """The rows of a table of the docs that are about one game, without links."""
    text = (DOCS / page).read_text(encoding="utf-8")
    head, rule, *rows = (
        text.partition(f"<!-- table: {table} -->\n")[2].partition("\n\n")[0].splitlines()
    )
    about = [row for row in rows if row.startswith((f"| {title} ", f"| [{title} "))]
    return "\n".join([head, rule, *map(_unlink, about)])


def _unlink(row: str) -> str:
    head, found, rest = row.partition("](")
    return head.replace("[", "", 1) + rest.partition(")")[2] if found else row


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def main() -> None:
    """Write the film of the README."""
    for file, content in draw_films(README_GAME).items():
        (DOCS / "images" / file).write_bytes(content)


if __name__ == "__main__":
    main()
