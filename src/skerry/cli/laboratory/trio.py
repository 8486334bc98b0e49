"""``skerry trio``: a game of three: its seats and corners, and who decides who wins."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skerry.cli.common.nets import NetName, find_net
from skerry.cli.common.parameters import AsJson, number_option, text_option
from skerry.cli.common.picturefile import Force
from skerry.cli.common.setup import compile_notice, on_this_board
from skerry.cli.common.terminal import print_json, progress_line
from skerry.core.errors import OptionsError
from skerry.core.levels import BEST

if TYPE_CHECKING:
    from skerry.core.game import Game
    from skerry.lab.stats.figures import Figure
    from skerry.lab.trio import TrioFindings

SHOWN = 20  # games that are saved, at most

Files = Annotated[
    list[Path],
    typer.Argument(metavar="FILE...", help="What skerry selfplay or skerry survey wrote."),
]
Watched = Annotated[
    int, number_option("--games", "Games of each file that the net goes through.", 1, 10**6)
]
Save = Annotated[
    str | None,
    text_option(
        "--save", "FILE", f"Keep some games that a lost seat or an ally decided, {SHOWN} at most."
    ),
]


def trio(
    files: Files,
    games: Watched = 200,
    net: NetName = BEST,
    save: Save = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Tell what games of three say: points of seats, corners, endings, and who decides who wins.

    A net goes through games move by move. The move that decides one is that from which on the
    winner has more than half of the chances: the winner's own, a rival's who had chances, that of a
    seat that was lost, or, in games of skerry selfplay --against, that of an ally. Several files
    are told beside each other, the weakest players first.

    \b
    Examples:
      skerry trio x.npz
      skerry trio early.npz best.npz --games 1000 --save decided.skr
    """
    from skerry import records
    from skerry.cli.common.savefile import check_new_place
    from skerry.lab.corpus import read_corpus
    from skerry.lab.trio import order_findings, study_trio, write_records

    corpora = [read_corpus(path) for path in files]
    game = corpora[0].game
    if any(corpus.game != game for corpus in corpora):
        raise OptionsError("give files of one board: they are told beside each other")
    if save is not None:
        check_new_place(save, force)
    judge = find_net(game, net)
    found = []
    with compile_notice(on_this_board(game)), progress_line(True) as show:
        for path, corpus in zip(files, corpora, strict=True):
            show(f"{path}: {min(games, len(corpus)):,} games")
            found.append(study_trio(corpus, judge, games))
    if save is not None:
        pairs = zip(corpora, found, strict=True)
        kept = [each for one, told in pairs for each in write_records(one, told.decisions, SHOWN)]
        records.save(save, kept[-SHOWN:])
    ordered = order_findings(found)
    if json:
        print_json([asdict(each) | {"decisions": len(each.decisions)} for each in ordered])
    else:
        _print(game, ordered)


def _print(game: "Game", found: "list[TrioFindings]") -> None:
    from skerry.lab.trio import ALLY

    rows = [["", *(_name(each) for each in found)], ["games", *(f"{f.games:,}" for f in found)]]
    for seat, title in enumerate(game.seats):
        rows.append([f"points of {title}", *(_percent(each.points[seat]) for each in found)])
    for ending in dict.fromkeys(name for each in found[::-1] for name in each.endings):
        told = [each.endings.get(ending) for each in found]
        rows.append([f"end {ending}", *(_percent(figure) for figure in told)])
    for name in dict.fromkeys(corner.name for each in found for corner in each.corners):
        owners = [{corner.name: corner.won for corner in each.corners}.get(name) for each in found]
        rows.append([f"owner of {name} wins", *map(_percent, owners)])
    rows.append(["games gone through", *(f"{each.watched:,}" for each in found)])
    allied = any("pact" in player for each in found for player in each.players)
    for by in (by for by in found[0].decided if allied or by != ALLY):
        rows.append([f"decided by {_tell(by)}", *(_percent(each.decided[by]) for each in found)])
    rows.append(["one lost, two fight", *(_percent(each.onlooking) for each in found)])
    rows.append(["the net's favourite won", *(_percent(each.foretold) for each in found)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        typer.echo("  ".join(map(str.ljust, row, widths)).rstrip())


def _tell(by: str) -> str:
    return {
        "winner": "the winner",
        "rival": "a rival with chances",
        "lost seat": "a lost seat",
        "ally": "an ally of the winner",
    }.get(by, "nobody: ahead from the start")


def _name(findings: "TrioFindings") -> str:
    return ", ".join(
        f"{player.get('minutes') or 0:.1f} min, {player.get('simulations')}{_tell_pact(player)}"
        for player in findings.players
    )


def _tell_pact(player: Mapping[str, Any]) -> str:
    """Who plays together, if somebody does."""
    if "pact" not in player:
        return ""
    is_known = len(player["witting"]) > len(player["pact"])
    return f", {' + '.join(player['pact'])}" + (" (known)" if is_known else "")


def _percent(figure: "Figure | None") -> str:
    return "" if figure is None else f"{100 * figure.value:.1f} % ± {100 * figure.margin:.1f}"
