"""Games of three: what seats and corners are worth, how games end, and who decides them.

With three at the table a seat that has lost may still choose who of the others wins. A net tells
after every move what each seat may hope for. The move that decides a game is the one from which on
the winner has more than half of the chances; it may be the winner's own, that of a rival who still
had chances, or that of a seat that was lost: that had less than 5 % then, and ever after; where
seats play together, that of an ally of the winner. All of that is as good as the net is on the
board: how often its favourite won is told, too.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.core.playthrough import Playthrough
from skerry.core.state import State
from skerry.lab.census import count_points, take_census
from skerry.lab.corpus import Corpus
from skerry.lab.stats.figures import Figure, share
from skerry.nets import forward
from skerry.nets.file import Net
from skerry.records import Record
from skerry.search.guided.search import evaluator_for

LOST = 0.05  # chances below which a seat is taken to have lost
HALF = 0.5  # chances above which somebody is taken to win
OWN, RIVAL, BY_LOST, ALLY, NOBODY = "winner", "rival", "lost seat", "ally", "nobody"
DECIDERS = (OWN, RIVAL, BY_LOST, ALLY, NOBODY)
# Of whom games are kept, and what is said of them.
ENDED_BY = {BY_LOST: "who had lost", ALLY: "an ally of the winner"}

Chances = NDArray[np.float64]  # [plies + 1, seats]


@dataclass(frozen=True)
class HeldCorner:
    """A corner, how often each seat owned it in the end, and how often its owner won."""

    name: str
    held: tuple[float, ...]  # by seat
    won: Figure | None  # None if nobody ever owned it


@dataclass(frozen=True)
class Decision:
    """How a game of a corpus was decided: by whose move, the how many-th, and what they were."""

    game: int
    ply: int  # 0 if the winner was ahead from the start
    seat: int | None
    by: str  # one of DECIDERS


@dataclass(frozen=True)
class TrioFindings:
    """What a corpus says about its game as one of three."""

    games: int
    players: tuple[Mapping[str, Any], ...]
    points: tuple[Figure, ...]  # by seat
    endings: Mapping[str, Figure]  # such as 2-2-0, the commonest first
    corners: tuple[HeldCorner, ...]
    watched: int  # games that the net went through
    decided: Mapping[str, Figure]  # by DECIDERS
    onlooking: Figure  # the share of a game in which a seat was lost and both others were not
    foretold: Figure  # how often the net's favourite won, in the second halves of games
    decisions: tuple[Decision, ...]


def study_trio(corpus: Corpus, net: Net, watched: int) -> TrioFindings:
    """Study a corpus; a net goes through so many of its games, the first ones."""
    game = corpus.game
    if game.num_seats != 3:
        raise OptionsError(f"{game.title} has {game.num_seats} seats; this is about games of three")
    census = take_census(corpus)
    decisions, onlooking, foretold, ends = [], [], [], []
    for k in range(min(len(corpus), watched)):
        states = list(corpus.replay(k))
        chances = foresee(states, net)
        ends.append(states[-1])
        decisions.append(find_decision(k, states, chances, _list_allies(corpus, k)))
        onlooking.append(_measure_onlooking(chances))
        foretold.append(_measure_foresight(chances))
    return TrioFindings(
        games=len(corpus),
        players=tuple(corpus.card.get("players", ())),
        points=count_points(corpus),
        endings={"-".join(map(str, each.scores)): each.games for each in census.endings},
        corners=_list_corners(game, ends),
        watched=len(decisions),
        decided={by: share(float(one.by == by) for one in decisions) for by in DECIDERS},
        onlooking=share(onlooking),
        foretold=share(foretold),
        decisions=tuple(decisions),
    )


def foresee(states: Sequence[State], net: Net) -> Chances:
    """What every seat may hope for after each ply, by one look of a net; at the end what it has."""
    game = states[0].game
    going = [state for state in states if not state.is_over]
    evaluator = evaluator_for(game, net)
    outlooks = np.zeros((len(going), game.num_seats + 1), np.float32)
    turns = np.array([state.turn for state in going], np.int64)
    forward.evaluate(
        evaluator.weights,
        evaluator.ground,
        evaluator.set_up(),
        np.stack([state.codes for state in going]),
        turns,
        np.array([state.counter for state in going], np.int64),
        np.zeros(len(going), np.int64),
        np.zeros((len(going), game.num_actions), np.float32),
        outlooks,
    )
    # A net speaks of whoever moves first, and shares what may be a draw.
    told = outlooks[:, :-1] + outlooks[:, -1:] / game.num_seats
    chances = [np.roll(row, turn) for row, turn in zip(told, turns, strict=True)]
    for state in states[len(going) :]:
        winner = state.outcome.winner if state.outcome else None
        seats = range(game.num_seats)
        chances.append(
            np.array([1 / len(seats) if winner is None else float(s == winner) for s in seats])
        )
    return np.array(chances, np.float64)


def find_decision(
    number: int, states: Sequence[State], chances: Chances, allies: Sequence[int] = ()
) -> Decision:
    """Who made the move after which the winner stayed ahead; ``allies`` are seats with a pact."""
    outcome = states[-1].outcome
    winner = None if outcome is None else outcome.winner
    if winner is None:
        return Decision(number, 0, None, NOBODY)
    ply = _since(chances[:, winner] > HALF)
    if ply == 0:
        return Decision(number, 0, None, NOBODY)
    seat = states[ply - 1].turn
    if seat == winner:
        return Decision(number, ply, seat, OWN)
    if seat in allies and winner in allies:
        return Decision(number, ply, seat, ALLY)
    is_lost = _since(chances[:, seat] < LOST) <= ply - 1
    return Decision(number, ply, seat, BY_LOST if is_lost else RIVAL)


def _list_allies(corpus: Corpus, k: int) -> list[int]:
    """The seats of a game whose players know that they play together."""
    players, titles = corpus.card.get("players", ()), corpus.game.seats
    return [
        seat
        for seat, player in enumerate(corpus.seating[k].tolist())
        if player < len(players) and titles[seat] in _read_pact(players[player])
    ]


def _read_pact(player: Any) -> Sequence[str]:
    """Titles of the seats that a player of a card plays together with; names have no pact."""
    return player.get("pact", ()) if isinstance(player, Mapping) else ()


def _since(holds: NDArray[np.bool_]) -> int:
    """From which ply on something holds to the end."""
    fails = np.flatnonzero(~holds)
    return int(fails[-1]) + 1 if len(fails) else 0


def _measure_onlooking(chances: Chances) -> float:
    """The share of a game in which one seat was lost, and the others fought it out."""
    lost_from = np.sort([_since(seat < LOST) for seat in chances.T])
    return float(lost_from[1] - lost_from[0]) / max(1, len(chances) - 1)


def _measure_foresight(chances: Chances) -> float:
    """The share of the second half of a game in which the favourite was the one who won."""
    late = chances[len(chances) // 2 : -1].argmax(1)
    return float((late == chances[-1].argmax()).mean()) if len(late) else 1.0


def _list_corners(game: Game, ends: Sequence[State]) -> tuple[HeldCorner, ...]:
    """What corners are worth, in games that have some to own."""
    owners: dict[int, list[tuple[int, float]]] = {}
    for state in ends:
        winner = state.outcome.winner if state.outcome else None
        for flag in state.overlay("standing").flags:
            if flag.seat is not None:
                owners.setdefault(flag.cell, []).append((flag.seat, float(flag.seat == winner)))
    return tuple(
        HeldCorner(
            game.board.names[cell],
            tuple(sum(seat == s for seat, _ in found) / len(ends) for s in range(game.num_seats)),
            share(won for _, won in found) if found else None,
        )
        for cell, found in sorted(owners.items())
    )


def write_records(corpus: Corpus, decisions: Sequence[Decision], most: int) -> Iterator[Record]:
    """Games that a lost seat or an ally decided, to be replayed; headers say where."""
    chosen = (one for one in decisions if one.by in ENDED_BY)
    for one in islice(chosen, most):
        states = list(corpus.replay(one.game))
        line = Playthrough(states[0]).follow(
            int(action) for action in corpus.actions[one.game, : len(states) - 1]
        )
        seat = corpus.game.seats[one.seat or 0]
        told = f"by ply {one.ply}, {line.points[one.ply].move} of {seat}, {ENDED_BY[one.by]}"
        yield Record.from_play(line, {"Event": f"game {one.game + 1}", "Decided": told})


def order_findings(found: Sequence[TrioFindings]) -> list[TrioFindings]:
    """From the weakest players to the strongest, by how long they learnt and think."""
    return sorted(found, key=_measure_effort)


def _measure_effort(findings: TrioFindings) -> tuple[float, float]:
    minutes = [player.get("minutes") or 0.0 for player in findings.players] or [0.0]
    looks = [player.get("simulations") or 0 for player in findings.players] or [0]
    return max(minutes), max(looks)
