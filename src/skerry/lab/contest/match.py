"""Matches: the same openings with all seatings.

A *block* is one opening, dealt and played at random, from which one game is played with every way
to seat the players. So no player is favoured by a seat or by luck in the opening, and the blocks
are independent of each other, which is what the intervals are computed from.

With the swap rule nothing is played at random: the player who is seated first chooses the opening,
and a record says who sat where after it. With even starts a block begins with one of a book, each
of which comes once before any comes again.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from random import Random

from skerry.agents.python import Agent
from skerry.core.errors import OptionsError, shorten
from skerry.core.game import Game
from skerry.core.levels import Level
from skerry.core.playthrough import Playthrough
from skerry.core.state import Move, State
from skerry.lab.beginnings import EvenStart, tell_evidence
from skerry.lab.contest.forfeit import SeatForfeit, blame, write_forfeit
from skerry.lab.contest.swap import check_swap, open_game
from skerry.nets.shipped import shipped_net
from skerry.records import Record
from skerry.search.players import SEEDS, LevelPlayer, NetPlayer, Player, invite, player

OWN_KINDS = re.compile(r"(level|net)(:|$)", re.IGNORECASE)
DRAWS = 20  # of openings that end the game, after which they are made shorter


@dataclass(frozen=True)
class Match:
    """What is to be played: ``games`` are rounded up to whole blocks.

    Players are named by text. ``agents`` are objects with ``choose(state)`` by the names that they
    have here; games are played in other processes, so they have to be such as can be pickled.
    """

    game: Game
    players: tuple[str, ...]
    games: int
    seed: int = 0
    opening: int = 2  # random plies per seat before the players take over
    swap: bool = False  # the first player opens instead, and the other may take over its seat
    agents: Mapping[str, Agent] = field(default_factory=dict, compare=False)
    starts: tuple[EvenStart, ...] = ()  # instead of random openings

    def __post_init__(self) -> None:
        seats = self.game.num_seats
        if not 2 <= len(self.players) <= seats:
            players = "2" if seats == 2 else f"2 to {seats}"
            raise OptionsError(f"{self.game.title} has {seats} seats: name {players} players")
        check_players(self.players, self.agents)
        if self.swap:
            check_swap(self.game)
            if self.starts:
                raise OptionsError("give even starts or the swap rule, not both")

    def start_of(self, block: int) -> EvenStart | None:
        """The even start of a block, if this match has any."""
        if not self.starts:
            return None
        turn, place = divmod(block, len(self.starts))
        return Random(f"{self.seed} even {turn}").sample(self.starts, len(self.starts))[place]

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


def check_players(players: tuple[str, ...], agents: Mapping[str, Agent]) -> None:
    """OptionsError for players that do not exist, or that are named twice."""
    names = {spec if spec.startswith("cmd:") else spec.strip().lower() for spec in players}
    if len(names) != len(players):
        raise OptionsError("name every player only once; players share the seats that are left")
    for name in agents:
        if name not in players:
            raise OptionsError(f"{shorten(name)} is an agent that does not play: name it too")
    for spec in players:
        player(agents.get(spec, spec))


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
    start = match.start_of(block)
    if start is not None:
        told = tell_evidence(match.game.seats, start.evidence)
        about = {"Event": f"match {match.seed}, even starts", "Even": told}
    seated = [_find_own(match, spec) for spec in players]
    if any(isinstance(made, LevelPlayer) for made in seated):
        about["Levels"] = write_levels(match.game)
    guided = [made for made in seated if isinstance(made, NetPlayer)]
    if guided:
        about["Nets"] = " ".join(made.net_for(match.game).digest for made in guided)
    return {**about, "Round": f"{block + 1}.{seating + 1}", **seats}


def _find_own(match: Match, spec: str) -> object:
    """A player that a record has more to say about; those of others may take long to make."""
    if spec in match.agents:
        return match.agents[spec]
    return player(spec) if OWN_KINDS.match(spec.strip()) else None


def play_game(match: Match, block: int, seating: int) -> Record:
    """One game of a match; the same on every machine if nobody in it thinks by the clock."""
    names = match.seatings[seating]
    dealer = Random(f"{match.seed} {block}")
    even = match.start_of(block)
    deal = dealer.randrange(SEEDS) if even is None or even.deal is None else even.deal
    start = match.game.initial(deal)
    seed = deal if match.game.has_chance else None
    chooser = Random(f"{match.seed} {block} {seating}")
    line, swapped = Playthrough(start), False
    with invite(names, match.agents) as invited:
        players = invited
        try:
            if match.swap:
                moves, _, swapped = open_game(start, players, chooser)
                line = line.follow(moves)
                players = players[::-1] if swapped else players
            elif even is not None:
                line = line.follow(even.moves)
            else:
                line = _open_at_random(match, start, dealer)
            while not line.state.is_over:
                before, move = line.state, _choose(players, line.state, chooser.randrange(SEEDS))
                line = line.after(move)
                _show(players, before, move, line.state)
        except SeatForfeit as forfeit:
            about = describe(match, block, seating, swapped)
            names = names[::-1] if swapped else names
            return write_forfeit(line, about, forfeit, names, seed)
    return Record.from_play(line, describe(match, block, seating, swapped), seed=seed)


def _choose(players: Sequence[Player], state: State, seed: int) -> Move:
    with blame(state.turn):
        return players[state.turn].choose(state, seed)


def _show(players: Sequence[Player], before: State, move: Move, after: State) -> None:
    """Show everybody a move, if the game goes on."""
    for seat, somebody in enumerate(() if after.is_over else players):
        with blame(seat):
            somebody.follow(before, move, after)


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
