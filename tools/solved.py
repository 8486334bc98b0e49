"""Solve small boards and write the table of docs/lab/solved.md: ``python tools/solved.py``."""

import re
from collections.abc import Iterator
from pathlib import Path

import skerry

PAGE = Path(__file__).resolve().parent.parent / "docs" / "lab" / "solved.md"
ENTRIES = 1 << 25
MOST_LISTED = 8
HEAD = "game | options | value | optimal first moves | nodes | seconds"

Row = tuple[str, dict[str, int], int]  # game, options and the seed of the deal


def skaane(width: int, height: int, runes: str, quiet_limit: int, deals: int) -> Iterator[Row]:
    """Some deals of a small board; ``runes`` are the counts of gods, kings, serfs and suns."""
    counts = dict(zip(("gods", "kings", "serfs", "suns"), map(int, runes), strict=True))
    options = {"width": width, "height": height, **counts, "quiet_limit": quiet_limit}
    return (("skaane", options, seed) for seed in range(deals))


ROWS: list[Row] = [
    ("skirt", {"side": 2}, 0),
    ("skirt", {"side": 3}, 0),
    *(("x", {"size": size}, 0) for size in (2, 3, 4)),
    *(("skew", {"side": 2, "pegs": pegs}, 0) for pegs in (1, 2, 3)),
    *(("skew", {"side": 3, "pegs": pegs}, 0) for pegs in (1, 2, 3, 4, 5)),
    *(("skew", {"side": 4, "pegs": pegs}, 0) for pegs in (1, 2, 3)),
    *skaane(2, 4, "1111", 100, 4),
    *skaane(2, 5, "1111", 20, 3),
    *skaane(3, 4, "2121", 10, 4),
    *skaane(3, 5, "2121", 4, 3),
    *skaane(4, 4, "2321", 4, 3),
]


def name_board(row: Row) -> str:
    """Options as text, and the deal where there is one."""
    name, options, seed = row
    text = " ".join(f"{option}={value}" for option, value in options.items())
    return f"{text} seed={seed}" if skerry.make(name).has_chance else text


def describe(row: Row) -> list[str]:
    """The cells of a row: what the board is, and what solving it says."""
    name, options, seed = row
    game = skerry.make(name, **options)
    state = game.initial(seed)
    found = skerry.solve(state, entries=ENTRIES)
    return [
        game.title,
        name_board(row),
        describe_value(game, found),
        describe_moves(state, found),
        f"{found.nodes:,}",
        f"{found.seconds:.1f}",
    ]


def describe_value(game: skerry.Game, found: skerry.Solution) -> str:
    if max(found.returns) <= 0:
        return "draw"
    winner = found.returns.index(max(found.returns))
    text = f"{game.seats[winner]} wins"
    if game.num_seats > 2:
        forcing = [seat for seat, sure in zip(game.seats, found.forceable, strict=True) if sure]
        text += f"; {forcing[0] if forcing else 'nobody'} can force a win"
    return text


def describe_moves(state: skerry.State, found: skerry.Solution) -> str:
    if state.is_over:
        return "over at once"
    optimal, legal = found.optimal_moves, state.legal_moves()
    if len(optimal) == len(legal):
        return f"all {len(legal)}"
    shown = " ".join(map(str, optimal[:MOST_LISTED]))
    return f"{len(optimal)} of {len(legal)}: {shown}{' ...' * (len(optimal) > MOST_LISTED)}"


def main() -> None:
    lines = [HEAD.split(" | "), ["---"] * len(HEAD.split(" | "))]
    for row in ROWS:
        lines.append(describe(row))
        print(" | ".join(lines[-1]), flush=True)
    table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    text = PAGE.read_text(encoding="utf-8")
    text = re.sub(
        r"(<!-- table: solved -->\n)(?:\|[^\n]*\n)*", lambda match: match[1] + table, text
    )
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
