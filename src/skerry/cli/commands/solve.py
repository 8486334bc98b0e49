"""``skerry solve``: how a position ends under best play, and grades for players."""

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from skerry.cli.common.parameters import (
    AsJson,
    ChosenGame,
    Moves,
    Position,
    number_option,
    seed_option,
    text_option,
)
from skerry.cli.common.setup import compile_notice, make_start, on_this_board, play_moves
from skerry.cli.common.terminal import print_json, progress_line
from skerry.core.errors import OptionsError
from skerry.search.limits import DEFAULT_ENTRIES, LEAST_ENTRIES, MOST_ENTRIES

if TYPE_CHECKING:
    from skerry.core.game import Game
    from skerry.core.state import State
    from skerry.search.solver.solver import Progress, Solution

DEFAULT_POSITIONS = 100

SolveSeed = Annotated[
    int | None,
    seed_option("Seed of the deal, in games that start with one; with --grade, of everything."),
]
Nodes = Annotated[
    int | None,
    number_option("--nodes", "Give up after this many positions.", 1, 10**15),
]
Seconds = Annotated[
    float | None,
    typer.Option(
        "--seconds",
        min=0.01,
        max=10**7,
        help="Give up after this long; with --grade, per position.",
    ),
]
Entries = Annotated[
    int,
    number_option(
        "--entries",
        "Size of the transposition table, 16 to 48 bytes an entry on small boards.",
        LEAST_ENTRIES,
        MOST_ENTRIES,
    ),
]
Grade = Annotated[
    str | None,
    text_option(
        "--grade",
        "PLAYER",
        "Print how often a player such as level:3 or cmd:./mybot chooses an optimal move.",
    ),
]
Positions = Annotated[
    int | None,
    number_option(
        "--positions",
        "With --grade: number of positions from random games, 100 by default.",
        1,
        10**9,
    ),
]
Plies = Annotated[
    int | None,
    number_option("--plies", "With --grade: least number of plies before a position.", 0, 10**6),
]


class SolveLimits(NamedTuple):
    """How much a solver may take."""

    nodes: Nodes = None
    seconds: Seconds = None
    entries: Entries = DEFAULT_ENTRIES


class Grading(NamedTuple):
    """A player to be graded, and by which positions."""

    grade: Grade = None
    positions: Positions = None
    plies: Plies = None


def solve(
    game: ChosenGame,
    *,
    position: Position = None,
    seed: SolveSeed = None,
    moves: Moves = "",
    limits: SolveLimits,
    grading: Grading,
    json: AsJson = False,
) -> None:
    """Solve a position exactly: who wins under best play, and with which moves.

    With --grade, solves positions from random games instead and prints in how many of them a player
    chooses an optimal move.

    \b
    Examples:
      skerry solve skirt --option side=3
      skerry solve x --option size=4 --moves "a1 d4 b2" --json
      skerry solve skew --option side=3 --option pegs=5 --seconds 60
      skerry solve skirt --option side=3 --grade level:3 --positions 200
    """
    chosen = game.make()
    grade, positions, plies = grading
    if grade is None:
        if positions is not None or plies is not None:
            raise OptionsError("--positions and --plies go with --grade PLAYER")
        with compile_notice(on_this_board(chosen)):
            state = play_moves(make_start(chosen, position, seed), moves.split())[-1]
            _solve(state, limits, json)
        return
    if position is not None or moves or limits.nodes is not None:
        raise OptionsError(
            "--grade finds its own positions: leave out --position, --moves and --nodes"
        )
    with compile_notice(on_this_board(chosen)):
        count = DEFAULT_POSITIONS if positions is None else positions
        entries, seconds = limits.entries, limits.seconds
        _grade(chosen, grade, count, seed or 0, plies or 0, entries, seconds, json)


def _solve(state: "State", limits: SolveLimits, json: bool) -> None:
    from skerry.search.solver import solver

    with progress_line(not json) as show:

        def tell(now: "Progress") -> None:
            show(
                f"{now.nodes:,} nodes, {now.nodes / max(now.seconds, 1e-9):,.0f}/s, table "
                f"{now.table_fill:.0%} full, {now.stage}, {now.moves_done} of {now.moves} moves"
            )

        found = solver.solve(state, **limits._asdict(), progress=tell)
    content = _describe(state, found)
    if json:
        print_json(content)
    else:
        _print(state, content)


def _describe(state: "State", found: "Solution") -> dict[str, Any]:
    return {
        "game": state.game.name,
        "options": state.game.options,
        "position": state.position,
        "to_move": state.to_move,
        "returns": list(found.returns),
        "optimal_moves": [str(move) for move in found.optimal_moves],
        "forceable": list(found.forceable),
        "nodes": found.nodes,
        "seconds": round(found.seconds, 3),
    }


def _print(state: "State", content: dict[str, Any]) -> None:
    seats = state.game.seats
    winner = _winner(content["returns"], seats)
    if state.is_over:
        typer.echo(f"the game is over: {'a draw' if winner is None else f'{winner} has won'}")
        return
    typer.echo("best play is a draw" if winner is None else f"{winner} wins with best play")
    if len(seats) > 2:
        values = zip(seats, content["returns"], strict=True)
        typer.echo(f"returns: {', '.join(f'{seat} {value:+g}' for seat, value in values)}")
        forcing = [seat for seat, sure in zip(seats, content["forceable"], strict=True) if sure]
        who = f"{forcing[0]} can force a win" if forcing else "nobody can force a win"
        typer.echo(f"{who} against all others together")
    optimal, legal = content["optimal_moves"], state.legal_moves()
    typer.echo(f"optimal moves, {len(optimal)} of {len(legal)}: {' '.join(optimal)}")
    typer.echo(f"{content['nodes']:,} nodes in {content['seconds']:.2f} s")


def _winner(returns: list[float], seats: tuple[str, ...]) -> str | None:
    return seats[returns.index(max(returns))] if max(returns) > 0 else None


def _grade(
    game: "Game",
    spec: str,
    positions: int,
    seed: int,
    plies: int,
    entries: int,
    seconds: float | None,
    json: bool,
) -> None:
    from skerry.agents.apart import apart
    from skerry.lab.grading import grade
    from skerry.search.players import invite

    with progress_line(not json) as show:

        def tell(done: int, total: int) -> None:
            show(f"{done} of {total} positions")

        with apart(True), invite([spec]) as (somebody,):
            found = grade(somebody, game, positions, seed, plies, entries, seconds, tell)
    if json:
        content = {"game": game.name, "options": game.options, **asdict(found)}
        print_json(content | {"share": found.share, "critical_share": found.critical_share})
        return
    typer.echo(f"{found.player} chose an optimal move in {_share(found.optimal, found.positions)}")
    if found.critical_share is not None:
        done = _share(found.critical_optimal, found.critical)
        typer.echo(f"where some moves are worse than others: in {done}")
    if found.unsolved:
        typer.echo(f"left out: {found.unsolved} not solved within {seconds:g} s")
    for reason, count in Counter(found.forfeits).most_common():
        typer.echo(f"no move in {count} of {found.positions} positions: {reason}")


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} positions, {part / whole:.1%}"
