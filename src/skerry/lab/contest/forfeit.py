"""Games that a player forfeits: who loses, and where the reason is kept."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from skerry.core.errors import Forfeit
from skerry.core.playthrough import Playthrough
from skerry.lab.stats.results import Played, Returns
from skerry.records import UNFINISHED, Record, list_results

TERMINATION = "Termination"  # the header that says how a game ended off the board
FORFEIT = "Forfeit"  # and the one that names the seat


class SeatForfeit(Forfeit):
    """The player on a seat has lost its game."""

    def __init__(self, reason: str, detail: str = "", seat: int = 0) -> None:
        super().__init__(reason, detail)
        self.seat = seat


@contextmanager
def blame(seat: int) -> Iterator[None]:
    """Whatever is forfeited within is the game of the player on this seat."""
    try:
        yield
    except SeatForfeit:
        raise
    except Forfeit as error:
        raise SeatForfeit(str(error), error.detail, seat) from error


def share_out(players: Sequence[str], seat: int) -> Returns:
    """The returns of a game that a seat forfeits: its player loses on all seats it has."""
    lost = [name == players[seat] for name in players]
    if all(lost):  # a player among itself: the seat alone
        lost = [number == seat for number in range(len(players))]
    return tuple(-1 / sum(lost) if each else 1 / (len(lost) - sum(lost)) for each in lost)


def write_forfeit(
    line: Playthrough,
    about: dict[str, str],
    forfeit: SeatForfeit,
    players: Sequence[str],
    seed: int | None,
) -> Record:
    """The record of a game that was forfeited; with several winners it has no result."""
    game = line.state.game
    said = f"{game.seats[forfeit.seat]} forfeits: {forfeit.story}"
    headers = {**about, FORFEIT: game.seats[forfeit.seat], TERMINATION: said}
    returns = share_out(players, forfeit.seat)
    winners = [seat for seat, value in enumerate(returns) if value > 0]
    result = list_results(game)[winners[0]] if len(winners) == 1 else UNFINISHED
    return Record.from_play(line, headers, seed=seed, result=result)


def find_played(players: tuple[str, ...], record: Record) -> Played | None:
    """How a game ended, on the board or by a forfeit; None if it did not."""
    outcome = record.play.state.outcome
    if outcome is not None:
        return Played(players, outcome.returns)
    seats = record.game.seats
    if record.headers.get(FORFEIT) not in seats:
        return None
    seat = seats.index(record.headers[FORFEIT])
    _, _, reason = record.headers.get(TERMINATION, "").partition(": ")
    return Played(players, share_out(players, seat), players[seat], reason)
