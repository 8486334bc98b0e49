"""The board sizes that tests play on, small to large, covering every compiled capacity."""

import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from inspect import signature
from typing import Any

import skerry

Options = dict[str, int]

# Boards on which a game is over soon.
TINY: dict[str, Options] = {
    "skew": {"side": 2},
    "skirt": {"side": 2},
    "x": {"size": 2},
    "skaane": {"width": 2, "height": 4, "gods": 1, "kings": 1, "serfs": 1, "suns": 1},
}

# Game -> options, and how many random games are compared with the reference there.
SIZES: dict[str, list[tuple[Options, int]]] = {
    "skew": [
        ({"side": 2, "pegs": 24}, 700),
        ({"side": 3, "pegs": 4}, 600),
        ({"side": 3, "pegs": 9}, 500),
        ({"side": 3, "pegs": 8, "bonus": 3, "extra": 1}, 60),
        ({"side": 3, "pegs": 5, "bonus": 2}, 60),
        ({"side": 4, "pegs": 12}, 120),
        ({"side": 5, "pegs": 24}, 60),
        ({"side": 6, "pegs": 30}, 20),
        ({"side": 7, "pegs": 24}, 8),
        ({"side": 8, "pegs": 24}, 3),
        ({"side": 9, "pegs": 108}, 3),
    ],
    "skirt": [
        ({"side": 2}, 1000),
        ({"side": 3}, 700),
        ({"side": 4}, 220),
        ({"side": 4, "jumps": 0}, 40),
        ({"side": 4, "alternate": 0}, 40),
        ({"side": 5}, 60),
        ({"side": 6}, 30),
        ({"side": 7}, 10),
        ({"side": 9}, 4),
        ({"side": 12}, 1),
    ],
    "x": [
        ({"size": 2}, 900),
        ({"size": 3}, 700),
        ({"size": 4}, 300),
        ({"size": 5}, 80),
        ({"size": 6}, 40),
        ({"size": 7}, 20),
        ({"size": 8}, 10),
        ({"size": 10}, 6),
        ({"size": 13}, 2),
        ({"size": 19}, 1),
    ],
    "skaane": [
        ({"width": 2, "height": 4, "gods": 1, "kings": 1, "serfs": 1, "suns": 1}, 1300),
        ({"width": 3, "height": 5, "gods": 2, "kings": 1, "serfs": 2, "suns": 1}, 300),
        ({"width": 4, "height": 6, "gods": 2, "kings": 3, "serfs": 2, "suns": 1}, 140),
        *(
            (
                {"width": 3, "height": 6, "gods": 2, "kings": 2, "serfs": 2, "suns": 0}
                | {"quiet_limit": 12, "quiet_end": end},
                60,
            )
            for end in (1, 2, 3)
        ),
        ({"width": 5, "height": 4, "gods": 0, "kings": 0, "serfs": 0, "suns": 10}, 200),
        ({"width": 8, "height": 8, "quiet_limit": 60}, 50),
        ({"width": 9, "height": 8, "gods": 6, "kings": 6, "serfs": 5, "suns": 1}, 10),
        (
            {"width": 12, "height": 16, "gods": 8, "kings": 8, "serfs": 7, "suns": 1}
            | {"quiet_limit": 40},
            3,
        ),
    ],
}


def split(count: int) -> tuple[range, range]:
    """Which of so many games every run plays, a twentieth of all, and which are left to ``make
    soak``: on the largest boards all of them, as a game there takes the reference a second, and
    their rules take three to be compiled."""
    base = -(-count // 20) if count > 3 else 0
    return range(base), range(base, count)


def games() -> Iterator[skerry.Game]:
    """Every game at every size of the table."""
    for name, sizes in SIZES.items():
        for options, _ in sizes:
            yield skerry.make(name, **options)


def small_games() -> list[skerry.Game]:
    """Every game at the sizes that fit in one word."""
    return [
        game for game in games() if len(game.board) <= 64 and game.tables.dtype.itemsize < 20_000
    ]


def capacities() -> list[skerry.Game]:
    """Every game at the smallest size of each that is compiled by itself."""
    return _tell_apart(games())


def usual_capacities() -> list[skerry.Game]:
    """Those that every run compiles."""
    return _tell_apart(
        skerry.make(name, **options)
        for name, sizes in SIZES.items()
        for options, count in sizes
        if split(count)[0]
    )


def _tell_apart(chosen: Iterable[skerry.Game]) -> list[skerry.Game]:
    found: dict[tuple[Any, Any], skerry.Game] = {}
    for game in chosen:
        found.setdefault((game.tables.dtype, game.dtype), game)
    return list(found.values())


def reference_for(state: skerry.State) -> Any:
    """A reference game at the start of ``state``, which is the start of a game."""
    game = state.game
    reference = getattr(import_module(f"reference.{game.name}"), game.title)
    if not game.has_chance:
        return reference(**game.options)
    # A deal is handed over as the rows of its position; counts of pieces are in them.
    rows = state.position.split()[0].split("/")
    known = signature(reference).parameters
    return reference(
        **{name: value for name, value in game.options.items() if name in known},
        rows=[re.sub(r"\d+", lambda run: "." * int(run[0]), row) for row in rows],
    )
