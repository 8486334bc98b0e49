"""Solve small boards: ``python tools/solved.py [WORD ...]``.

Solves the boards that ``src/skerry/lab/solved.json`` lacks, and those again whose names have all of
the words, such as ``skew side=3``; ``all`` is every board. Then writes the table of
docs/lab/solved.md, which has the same rows. What takes long is so solved only once.
"""

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import process_time

from tables import put_table

import skerry
from skerry.lab.solved import Row, SolvedBoard, read_solved, record_solution, write_solved
from skerry.search.limits import LEAST_ENTRIES
from skerry.search.solver import Solver

PAGE = Path(__file__).resolve().parent.parent / "docs" / "lab" / "solved.md"
ENTRIES = 1 << 25
LARGE = "skew side=3 pegs=7", "skaane width=2 height=7"  # boards that get a table twice as large
MOST_LISTED = 8
EVERYTHING = "all"
HEAD = "game | options | value | optimal first moves | nodes | seconds"


def skaane(width: int, height: int, runes: str, quiet_limit: int, deals: int) -> Iterator[Row]:
    """Some deals of a small board; ``runes`` are the counts of gods, kings, serfs and suns."""
    counts = dict(zip(("gods", "kings", "serfs", "suns"), map(int, runes), strict=True))
    options = {"width": width, "height": height, **counts, "quiet_limit": quiet_limit}
    return (("skaane", options, seed) for seed in range(deals))


ROWS: list[Row] = [
    ("skirt", {"side": 2}, None),
    ("skirt", {"side": 3}, None),
    *(("x", {"size": size}, None) for size in (2, 3, 4)),
    *(("skew", {"side": 2, "pegs": pegs}, None) for pegs in (1, 2, 3)),
    *(("skew", {"side": 3, "pegs": pegs}, None) for pegs in (1, 2, 3, 4, 5, 6, 7)),
    *(("skew", {"side": 4, "pegs": pegs}, None) for pegs in (1, 2, 3, 4, 5, 6)),
    *skaane(2, 4, "1111", 100, 4),
    *skaane(2, 5, "1111", 20, 3),
    *skaane(2, 5, "1111", 100, 3),
    *skaane(2, 6, "1111", 100, 1),
    *skaane(2, 7, "1111", 100, 1),
    *skaane(3, 4, "2121", 10, 4),
    *skaane(3, 5, "2121", 4, 3),
    *skaane(4, 4, "2321", 4, 3),
    *skaane(4, 5, "2321", 4, 1),
]


def solve(row: Row) -> SolvedBoard:
    """What best play comes to on a board; the seconds are those of one core."""
    name, options, seed = row
    state = skerry.make(name, **options).initial(seed or 0)
    with suppress(skerry.SolveLimit):  # compile first
        skerry.solve(state, entries=LEAST_ENTRIES, nodes=1)
    entries = 2 * ENTRIES if any(is_chosen(row, board.split()) for board in LARGE) else ENTRIES
    solver = Solver(state.game, entries)
    begun = process_time()
    found = solver.solve(state)
    seconds = process_time() - begun
    return record_solution(row, found, len(state.legal_moves()), entries, seconds)


def name_row(row: Row) -> str:
    name, options, seed = row
    words = [name, *(f"{option}={value}" for option, value in options.items())]
    return " ".join(words if seed is None else [*words, f"seed={seed}"])


def describe(board: SolvedBoard) -> list[str]:
    """The cells of a row: what the board is, and what solving it says."""
    game = board.start().game
    return [
        game.title,
        board.name(),
        describe_value(game, board),
        describe_moves(board),
        f"{board.nodes:,}",
        f"{board.seconds:.1f}",
    ]


def describe_value(game: skerry.Game, board: SolvedBoard) -> str:
    if board.winner is None:
        return "draw"
    text = f"{game.seats[board.winner]} wins"
    if game.num_seats > 2:
        forcing = "nobody" if board.forcing is None else game.seats[board.forcing]
        text += f"; {forcing} can force a win"
    return text


def describe_moves(board: SolvedBoard) -> str:
    if board.moves == 0:
        return "over at once"
    if board.is_any_move_optimal:
        return f"all {board.moves}"
    shown = " ".join(board.optimal[:MOST_LISTED])
    more = " ..." * (len(board.optimal) > MOST_LISTED)
    return f"{len(board.optimal)} of {board.moves}: {shown}{more}"


def write_table(boards: list[SolvedBoard]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = map(describe, boards)
    PAGE.write_text(put_table(text, "solved", HEAD.split(" | "), rows), encoding="utf-8")


def is_chosen(row: Row, words: list[str]) -> bool:
    return bool(words) and set(words) <= {EVERYTHING, *name_row(row).split()}


def main(words: list[str]) -> None:
    if words and not any(is_chosen(row, words) for row in ROWS):
        sys.exit(f"no board has all of {' '.join(words)}; {name_row(ROWS[0])} is one")
    known = {name_row(board.row): board for board in read_solved()}
    for row in ROWS:
        if name_row(row) in known and not is_chosen(row, words):
            continue
        known[name_row(row)] = board = solve(row)
        print(" | ".join(describe(board)), flush=True)
        # Row by row: what was solved is kept if the next takes too long.
        write_solved(known[name_row(each)] for each in ROWS if name_row(each) in known)
    write_table([known[name_row(row)] for row in ROWS])


if __name__ == "__main__":
    main(sys.argv[1:])
