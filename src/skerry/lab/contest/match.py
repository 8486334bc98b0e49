"""Matches: the same openings with all seatings.

A *block* is one opening, dealt and played at random, from which one game is played with every way
to seat the players. So no player is favoured by a seat or by luck in the opening, and the blocks
are independent of each other, which is what the intervals are computed from.

With the swap rule nothing is played at random: the player who is seated first chooses the opening,
and a record says who sat where after it.
"""

from dataclasses import dataclass
from itertools import permutations, product
from random import Random

from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.core.levels import Level
from skerry.core.playthrough import Playthrough
from skerry.core.state import State
from skerry.lab.contest.swap import check_swap, open_game
from skerry.nets.shipped import shipped_net
from skerry.records import Record
from skerry.search.players import SEEDS, LevelPlayer, NetPlayer, player

DRAWS = 20  # of openings that end the game, after which they are made shorter


@dataclass(frozen=True)
class Match:
    """What is to be played: ``games`` are rounded up to whole blocks."""

    game: Game
    players: tuple[str, ...]
    games: int
    seed: int = 0
    opening: int = 2  # random plies per seat before the players take over
    swap: bool = False  # the first player opens instead, and the other may take over its seat

    def __post_init__(self) -> None:
        seats = self.game.num_seats
        if not 2 <= len(self.players) <= seats:
            players = "2" if seats == 2 else f"2 to {seats}"
            raise OptionsError(f"{self.game.title} has {seats} seats: name {players} players")
        check_players(self.players)
        if self.swap:
            check_swap(self.game)

    @property
    def seatings(self) -> tuple[tuple[str, ...], ...]:
        """Every way to seat the players: who sits on each seat."""
        if len(self.players) == self.game.num_seats:
            return tuple(permutations(self.players))
        every = product(self.players, repeat=self.game.num_seats)
        return tuple(seating for seating in every if set(seating) == set(self.players))

    @property
    def blocks(self) -> int:
        return blocks_for(self, self.games)


def blocks_for(match: Match, games: int) -> int:
    """The least number of blocks that has so many games."""
    return -(-games // len(match.seatings))


def check_players(players: tuple[str, ...]) -> None:
    """OptionsError for players that do not exist, or that are named twice."""
    if len({spec.strip().lower() for spec in players}) != len(players):
        raise OptionsError("name every player only once; players share the seats that are left")
    for spec in players:
        player(spec)


def most_threads(players: tuple[str, ...]) -> int:
    """How many threads a player uses at most while it thinks."""
    return max(player(spec).threads for spec in players)


def write_levels(game: Game) -> str:
    """What the levels of a game do, so that games of former ones are told apart."""
    return " ".join(_write_level(game, level) for level in game.levels)


def _write_level(game: Game, level: Level) -> str:
    effort = f"{level.simulations or 'clock'}/{level.temperature:g}"
    return effort if level.net is None else f"{effort}/{shipped_net(game, level.net).digest}"


def describe(match: Match, block: int, seating: int, swapped: bool = False) -> dict[str, str]:
    """What the record of a game says about it: its round, and who sits where in the end."""
    players = match.seatings[seating]
    seats = dict(zip(match.game.seats, players[::-1] if swapped else players, strict=True))
    about = {"Event": f"match {match.seed}, opening {match.opening}"}
    if match.swap:
        about = {"Event": f"match {match.seed}", "Swap": "yes" if swapped else "no"}
    if any(isinstance(player(spec), LevelPlayer) for spec in players):
        about["Levels"] = write_levels(match.game)
    guided = [made for made in map(player, players) if isinstance(made, NetPlayer)]
    if guided:
        about["Nets"] = " ".join(made.net_for(match.game).digest for made in guided)
    return {**about, "Round": f"{block + 1}.{seating + 1}", **seats}


def play_game(match: Match, block: int, seating: int) -> Record:
    """One game of a match; the same on every machine if nobody in it thinks by the clock."""
    dealer = Random(f"{match.seed} {block}")
    deal = dealer.randrange(SEEDS)
    start = match.game.initial(deal)
    players = [player(spec) for spec in match.seatings[seating]]
    chooser = Random(f"{match.seed} {block} {seating}")
    swapped = False
    if match.swap:
        moves, _, swapped = open_game(start, players, chooser)
        line = Playthrough(start).follow(moves)
        players = players[::-1] if swapped else players
    else:
        line = _open_at_random(match, start, dealer)
    while line.state.to_move is not None:
        state = line.state
        move = players[line.state.to_move].choose(state, chooser.randrange(SEEDS))
        line = line.after(move)
        for somebody in players:
            somebody.follow(state, move, line.state)
    about = describe(match, block, seating, swapped)
    return Record.from_play(line, about, seed=deal if match.game.has_chance else None)


def _open_at_random(match: Match, start: State, dealer: Random) -> Playthrough:
    """Random moves after which the game goes on: one that is over tells nothing of its players.

    Games so short that hardly any opening is left over get shorter ones.
    """
    plies = match.opening * match.game.num_seats
    while plies > 0:
        for _ in range(DRAWS):
            line = Playthrough(start)
            while line.plies < plies and not line.state.is_over:
                line = line.after(dealer.choice(line.state.legal_moves()))
            if not line.state.is_over:
                return line
        plies //= 2
    return Playthrough(start)
