"""``skerry tournament``: rate players on one scale by letting them all play."""

from dataclasses import asdict
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skerry.cli.common.contest import (
    ContestTerms,
    Folder,
    Players,
    games_option,
    play_contest,
    tell_forfeits,
)
from skerry.cli.common.parameters import AsJson, ChosenGame, number_option, text_option
from skerry.cli.common.terminal import print_json
from skerry.core.errors import OptionsError, shorten

if TYPE_CHECKING:
    from skerry.lab.contest.pairing.contest import Contest
    from skerry.lab.contest.pairing.ranking import Standing
    from skerry.lab.contest.tournament import Crosstable, Tournament

Games = Annotated[
    int,
    games_option("Games of each pair, rounded up so that every opening is played in all seatings."),
]
Reach = Annotated[
    int | None,
    number_option(
        "--reach", "Only pair players at most K places apart in the list.", 1, 10**6, metavar="K"
    ),
]
Anchor = Annotated[
    str | None,
    text_option(
        "--anchor", "PLAYER=ELO", "A player whose Elo is fixed; by default, the mean of all is 0."
    ),
]
ROBIN, SYSTEMS = "round-robin", ("round-robin", "swiss", "knockout")
System = Annotated[
    str,
    text_option(
        "--system",
        "NAME",
        "round-robin, swiss or knockout. The order of the players is that of their seeds.",
    ),
]
Rounds = Annotated[
    int | None,
    number_option(
        "--rounds",
        "Rounds of a Swiss, or of a round robin that is played round by round.",
        1,
        10**4,
    ),
]


def tournament(
    game: ChosenGame,
    players: Players,
    out: Folder,
    *,
    system: System = ROBIN,
    rounds: Rounds = None,
    games: Games = 100,
    reach: Reach = None,
    anchor: Anchor = None,
    terms: ContestTerms,
    json: AsJson = False,
) -> None:
    """Play a tournament and rate all players on one scale.

    All pairs of players meet, with rotated seats and varied openings, and every game is kept. Run
    the same command again to resume a tournament that was stopped.

    With --system swiss or knockout, or with --rounds, it is played round by round: those who are
    paired play --games games, and whoever has more points of them wins.

    \b
    Examples:
      skerry tournament skew random level:1 level:2 --games 100 --out games/
      skerry tournament x level:1 level:2 level:3 --reach 1 --anchor level:1=0 --out games/
      skerry tournament skirt level:1 level:2 level:3 --until 30 --games 1000 --out games/
      skerry tournament skirt level:1 level:2 level:3 level:4 --system swiss --games 10 --out games/
    """
    from skerry.lab.contest.tournament import Tournament, folders, tabulate

    is_staged = _read_system(system, rounds, reach, terms.until)
    made = game.make()
    drawn = (terms.seed, terms.plies, reach, terms.swap)
    starts = terms.list_starts(made)
    chosen = Tournament(made, tuple(players), games, *drawn, starts=starts)
    fixed, at = read_anchor(anchor, players)
    if is_staged:
        from skerry.lab.contest.rounds import open_contest, play_rounds

        play = partial(play_contest, workforce=terms.workforce, least=terms.least)
        played = play_rounds(chosen, open_contest(chosen, system, rounds), out, play)
        _tell_contest(played.contest, tabulate(players, played.results, fixed, at), chosen, json)
        return
    blocks = play_contest(folders(chosen, out), terms.workforce, terms.until, terms.least)
    table = tabulate(players, blocks, fixed, at)
    if json:
        print_json(asdict(table))
    else:
        _print(table)


def _read_system(system: str, rounds: int | None, reach: int | None, until: str | None) -> bool:
    """Whether it is played round by round."""
    if system not in SYSTEMS:
        raise OptionsError(f"--system is {', '.join(SYSTEMS)}, not {shorten(system)}")
    if system == "knockout" and rounds is not None:
        raise OptionsError("--rounds does not go with knockout, which ends when one is left")
    is_staged = system != ROBIN or rounds is not None
    if is_staged and (reach is not None or until is not None):
        name = "--reach" if reach is not None else "--until"
        raise OptionsError(f"{name} needs a round robin without --rounds")
    return is_staged


def read_anchor(text: str | None, players: list[str]) -> tuple[str | None, float]:
    """``level:1=0`` as a player and its Elo; a player alone has 0."""
    if text is None or text in players:
        return text, 0.0
    name, _, number = text.rpartition("=")
    try:
        at = float(number)
    except ValueError:
        at = float("nan")
    if name not in players or not abs(at) <= 100_000:
        raise OptionsError(
            f"--anchor {shorten(text)} is not PLAYER=ELO with one of the players, "
            f"such as {players[0]}=0"
        )
    return name, at


def _tell_contest(contest: "Contest", table: "Crosstable", of: "Tournament", json: bool) -> None:
    from skerry.lab.contest.pairing.ranking import ORDER, TITLES, rank
    from skerry.lab.contest.rounds import count_games

    ranked = rank(contest)
    if json:
        standings = [
            {
                name: float(value) if isinstance(value, Fraction) else value
                for name, value in asdict(standing).items()
            }
            for standing in ranked
        ]
        rounds = contest.write()["rounds"]
        print_json(
            {"system": contest.system, "rounds": rounds, "standings": standings, **asdict(table)}
        )
        return
    for number, one in enumerate(contest.rounds, 1):
        typer.echo(f"round {number}")
        for bout in one.bouts:
            shares = " : ".join(_write_points(bout.share(name)) for name in bout.players)
            typer.echo(f"  {' - '.join(bout.players)}  {shares}")
        if one.byes:
            typer.echo(f"  {', '.join(one.byes)}  bye")
    typer.echo()
    criteria = [name for name in ORDER[contest.system] if name not in ("points", "wins")]
    for line in _rank_lines(ranked, {place.player: place for place in table.places}, criteria):
        typer.echo(line)
    typer.echo(
        f"{table.games} games, {count_games(of)} in each bout; ± are 95 % intervals; "
        f"ties are decided by {', '.join(TITLES[name] for name in ORDER[contest.system][1:])}"
    )
    for place in table.places:
        tell_forfeits(place.player, place.forfeits)


def _rank_lines(
    ranked: "tuple[Standing, ...]", elo: dict[str, Any], criteria: list[str]
) -> list[str]:
    """Places, points and what decides ties, with Elo from all games beside them."""
    width = max(len("player"), *(len(standing.player) for standing in ranked))
    head = "".join(f"  {name.capitalize():>9}" for name in criteria)
    lines = [f"{'':4}{'player':{width}}  points{head}  won  drawn  lost  byes     Elo"]
    for standing in ranked:
        values = "".join(
            f"  {_write_points(Fraction(getattr(standing, name))):>9}" for name in criteria
        )
        rating = elo[standing.player]
        margin = f"± {rating.margin:.0f}" if rating.margin else "fixed"
        lines.append(
            f"{standing.place:>3} {standing.player:{width}}  "
            f"{_write_points(standing.points):>6}{values}  {standing.won:>3}  {standing.drawn:>5}"
            f"  {standing.lost:>4}  {standing.byes:>4}  {rating.elo:>+6.0f} {margin}"
        )
    return lines


def _write_points(points: Fraction) -> str:
    return f"{float(points):.2f}".rstrip("0").rstrip(".")


def _print(table: "Crosstable") -> None:
    width = max(len(place.player) for place in table.places)
    typer.echo(f"{'':4}{'player':{width}}  {'Elo':>6} {'':7} {'won':>8} {'games':>7}")
    for number, place in enumerate(table.places, 1):
        margin = f"± {place.margin:.0f}" if place.margin else "fixed"
        typer.echo(
            f"{number:>3} {place.player:{width}}  {place.elo:>+6.0f} {margin:7}"
            f" {place.won:>8g} {place.games:>7}"
        )
    typer.echo()
    for line in _cross(table):
        typer.echo(line)
    typer.echo()
    for meeting in table.meetings:
        verdict = f", decided: {meeting.better} is better" if meeting.better else ""
        typer.echo(
            f"{meeting.player} - {meeting.other}: Elo {meeting.elo:+.0f} ± {meeting.margin:.0f}"
            f"{verdict}"
        )
    typer.echo(f"{table.games} games; ± are 95 % intervals")
    for place in table.places:
        tell_forfeits(place.player, place.forfeits)


def _cross(table: "Crosstable") -> list[str]:
    """Who won how much of how many games against whom: rows against columns."""
    order = [place.player for place in table.places]
    cells = {}
    for meeting in table.meetings:
        lost = meeting.games - meeting.won
        cells[meeting.player, meeting.other] = f"{meeting.won:g}/{meeting.games}"
        cells[meeting.other, meeting.player] = f"{lost:g}/{meeting.games}"
    names = max(map(len, order))
    wide = max(len(cell) for cell in [*cells.values(), str(len(order))])
    lines = ["    " + " " * names + "".join(f"  {n:>{wide}}" for n in range(1, len(order) + 1))]
    for number, player in enumerate(order, 1):
        row = (
            "x" if other == player else cells.get((player, other), "").rjust(wide)
            for other in order
        )
        line = "".join(f"  {cell:>{wide}}" for cell in row)
        lines.append(f"{number:>3} {player:{names}}{line}")
    return [line.rstrip() for line in lines]
