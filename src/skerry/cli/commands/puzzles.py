"""``skerry puzzles``: finds puzzles in engine games, and proves them again."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from skerry.cli.common.parameters import (
    GameChoice,
    GameName,
    Options,
    number_option,
    seed_option,
    text_option,
)
from skerry.cli.common.setup import compile_notice, make_game, on_this_board
from skerry.cli.common.terminal import progress_line
from skerry.core.errors import OptionsError, SkerryError

if TYPE_CHECKING:
    from skerry.study.puzzles import Puzzle

DEFAULT_COUNT = 48
FLAWED = 1

Seed = Annotated[int, seed_option("The same seed finds the same puzzles.")]
Count = Annotated[
    int,
    number_option("--count", "Number of puzzles, a third of each difficulty.", 3, 10_000),
]
Out = Annotated[
    str | None, text_option("--out", "FILE", "Write them to a new file instead of printing them.")
]

puzzles = typer.Typer(
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@puzzles.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    """Find puzzles in engine games, and re-prove the shipped ones.

    \b
    Examples:
      skerry puzzles check
      skerry puzzles mine skirt --option side=3 --count 3
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@puzzles.command()
def mine(
    game: GameName,
    option: Options = None,
    seed: Seed = 0,
    count: Count = DEFAULT_COUNT,
    out: Out = None,
) -> None:
    """Find puzzles: positions of engine games with exactly one turn that forces a win.

    Each is written as soon as it is found: whatever comes in between, those found so far are kept.

    \b
    Examples:
      skerry puzzles mine skaane --count 3
      skerry puzzles mine skirt --option side=3 --count 3 --out skirt.json
    """
    from skerry.cli.common.savefile import check_new_place
    from skerry.study.mining import mine as find

    chosen = make_game(game, option)
    if out is not None:
        check_new_place(out)
    kept = _PuzzleFile(seed, out)
    try:
        with compile_notice(on_this_board(chosen)), progress_line(True) as show:
            find(
                chosen,
                seed,
                count,
                lambda done, games: show(f"{done} of {count}, {games} games"),
                kept.take,
            )
    except SkerryError as error:
        kept.print()
        raise OptionsError(f"{error}{kept.words}") from None
    except KeyboardInterrupt:
        kept.print()
        typer.echo(f"skerry: stopped{kept.words}", err=True)
        raise
    kept.print()


class _PuzzleFile:
    """What was found so far, in a file that is replaced in one step, or printed at the end."""

    def __init__(self, seed: int, out: str | None) -> None:
        self._seed = seed
        self._out = out
        self._found: tuple[Puzzle, ...] = ()

    def take(self, found: "tuple[Puzzle, ...]") -> None:
        from skerry.records.folders import replace
        from skerry.study.puzzles import write

        if self._out is not None:
            replace(Path(self._out), write(found, self._seed).encode(), alone=False)
        self._found = found

    def print(self) -> None:
        from skerry.study.puzzles import write

        if self._out is None and self._found:
            typer.echo(write(self._found, self._seed), nl=False)

    @property
    def words(self) -> str:
        """What became of them, for the end of a sentence."""
        if not self._found:
            return ""
        return f"; those found are {'printed' if self._out is None else f'kept in {self._out}'}"


@puzzles.command()
def check(game: GameChoice = None) -> None:
    """Re-prove the shipped puzzles of one game, or of all.

    Each must have exactly one turn that forces a win within its number of turns, and a line of
    play that does so. The exit code is 1 if any does not.

    \b
    Examples:
      skerry puzzles check
      skerry puzzles check skew
    """
    from skerry.study.forcing import Prover
    from skerry.study.puzzles import find_flaw, list_games, load

    failed = False
    for name in list_games() if game is None else [game.lower()]:
        shipped = load(name)
        chosen = shipped[0].game
        proven = 0
        with compile_notice(on_this_board(chosen)), progress_line(True) as show:
            for number, puzzle in enumerate(shipped, 1):
                show(f"{name}: {number} of {len(shipped)}")
                flaw = find_flaw(puzzle, Prover(chosen))
                proven += flaw is None
                if flaw is not None:
                    show("")
                    typer.echo(f"{name} {number}: {flaw}", err=True)
        failed = failed or proven < len(shipped)
        share = f"{len(shipped)}" if proven == len(shipped) else f"{proven} of {len(shipped)}"
        typer.echo(f"{name}: {share} puzzles proven")
    if failed:
        raise typer.Exit(FLAWED)
