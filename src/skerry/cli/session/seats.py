"""Who sits where in a terminal game: people, or engines by their names."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from skerry.core.errors import OptionsError
from skerry.core.game import Game

if TYPE_CHECKING:
    from skerry.search.players import Player

HUMAN = "human"


def read_seats(game: Game, specs: Sequence[str | None]) -> "tuple[Player | None, ...]":
    """The player of every seat, None for a person; ``specs`` come from --seat1 and so on."""
    players: list[Player | None] = []
    for number, spec in enumerate(specs, 1):
        if spec is not None and number > game.num_seats:
            raise OptionsError(
                f"{game.title} has {game.num_seats} seats, so leave out --seat{number}"
            )
        players.append(_read_player(number, spec))
    return tuple(players[: game.num_seats])


def _read_player(number: int, spec: str | None) -> "Player | None":
    from skerry.search.players import player_apart

    if spec is None or spec.strip().lower() == HUMAN:
        return None
    try:
        return player_apart(spec)
    except OptionsError as error:
        raise OptionsError(f"--seat{number}: {error}, or {HUMAN}") from None


def name_engines(game: Game, players: "Sequence[Player | None]") -> dict[str, str]:
    """The headers of a record that say which engine sat where."""
    pairs = zip(game.seats, players, strict=True)
    return {seat: player.name for seat, player in pairs if player is not None}
