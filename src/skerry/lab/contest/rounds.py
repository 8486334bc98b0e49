"""Tournaments that are played round by round: every bout of the pairing is a match.

A match has all seatings, so it does not matter who of a bout is named first. Whoever has most
points of it wins the bout. When the same players meet again, the match goes on with new openings.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from skerry.lab.contest.match import Match, blocks_for
from skerry.lab.contest.pairing.contest import Bout, Contest
from skerry.lab.contest.pairing.systems import check_size, pair_next
from skerry.lab.contest.tournament import Tournament, folder_of
from skerry.lab.stats.results import Block, points

Play = Callable[[Mapping[Path, Match]], list[list[Block]]]
CLOSE = 1e-9  # points that differ by less are equal; they are sums of fractions


@dataclass(frozen=True)
class PlayedRounds:
    """A contest that is over, and the blocks of all its matches."""

    contest: Contest
    results: tuple[tuple[Block, ...], ...]


def open_contest(tournament: Tournament, system: str, length: int | None = None) -> Contest:
    """The contest of a tournament; the order of the players is that of their seeds."""
    seats = tournament.game.num_seats
    contest = Contest(system, tournament.players, seats, length, tournament.seed)
    check_size(contest)
    return contest


def play_rounds(tournament: Tournament, contest: Contest, folder: Path, play: Play) -> PlayedRounds:
    """Pair and play until it is over; what the folder holds already is not played again."""
    results: dict[Path, list[Block]] = {}
    while (paired := pair_next(contest)) is not contest:
        contest, waiting = paired, _list_waiting(paired)
        matches = [tournament.match_of(*bout.players) for _, _, bout in waiting]
        places = [folder_of(match, folder) for match in matches]
        before = [len(results.get(place, ())) for place in places]
        longer = {
            place: replace(match, games=count * len(match.seatings) + match.games)
            for place, match, count in zip(places, matches, before, strict=True)
        }
        results |= dict(zip(longer, play(longer), strict=True))
        for (number, n, bout), place, count in zip(waiting, places, before, strict=True):
            contest = contest.decide(number, n, _judge(bout, results[place][count:]))
    return PlayedRounds(contest, tuple(tuple(blocks) for blocks in results.values()))


def count_games(tournament: Tournament) -> int:
    """How many games a bout has."""
    match = tournament.match_of(*tournament.players[: tournament.game.num_seats])
    return blocks_for(match, match.games) * len(match.seatings)


def _list_waiting(contest: Contest) -> list[tuple[int, int, Bout]]:
    """What has yet to be played: round, number and bout."""
    return [
        (number, n, bout)
        for number, one in enumerate(contest.rounds)
        for n, bout in enumerate(one.bouts)
        if not bout.is_over
    ]


def _judge(bout: Bout, blocks: list[Block]) -> Bout:
    """The bout as its match ended."""
    made = [sum(points(block, name) for block in blocks) for name in bout.players]
    best = max(made) - CLOSE
    return replace(bout, winners=tuple(seat for seat, sum in enumerate(made) if sum >= best))
