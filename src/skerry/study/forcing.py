"""Forced wins within so many turns, proven by exhaustive search, compiled per game.

One seat attacks and all others together defend. The attacker forces a win within n turns if,
whatever the others reply, the game has ended in its favour before its turn n + 1 begins. All
replies are looked at, so the answer is a proof both ways.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.core import rules
from skerry.core.bits import Words
from skerry.core.errors import SolveLimit
from skerry.core.game import Game
from skerry.core.kernels import kernel
from skerry.core.state import State
from skerry.search.solver.keys import Symmetries, count_words, prepare, write_key
from skerry.search.solver.memory import make_table, recall, remember
from skerry.search.solver.order import size_of
from skerry.search.solver.proof import WIN
from skerry.study.turns import list_replies, list_turns

FAILS, FORCES, UNKNOWN = range(3)
ENTRIES = 1 << 16  # positions remembered
DEPTH = 48  # actions in the longest line
MOST_TURNS = 5  # what is left of the four bits of a label for three seats
FAVOURITES = 4  # how many moves are tried by experience before the others follow in order
DEFAULT_NODES = 20_000_000


class Trail(NamedTuple):
    """The line being searched, level by level."""

    actions: NDArray[np.int32]  # [depth, num_actions] legal moves, those tried first
    legal: NDArray[np.int32]  # [depth] how many they are
    tried: NDArray[np.int32]  # [depth] how many of them have been tried
    to_come: NDArray[np.int32]  # [depth] turns of the attacker that may still begin
    begun: NDArray[np.int64]  # [depth] nodes before this one
    keys: Words  # [depth, words]


class ForcingWorkspace(NamedTuple):
    """What a search keeps from one question to the next."""

    table: Words
    symmetries: Symmetries
    history: NDArray[np.int64]  # [seats, num_actions] how often a move has decided a position
    returns: NDArray[np.float64]  # [seats] scratch
    nodes: NDArray[np.int64]  # [1]


@kernel
def open_level(
    t: Any, states: Any, level: int, to_come: int, trail: Trail, workspace: ForcingWorkspace
) -> None:
    """Begin to look at the moves of ``states[level]``."""
    trail.legal[level] = rules.legal(t, states[level], trail.actions[level])
    trail.tried[level] = 0
    trail.to_come[level] = to_come
    trail.begun[level] = workspace.nodes[0]


@kernel
def next_action(turn: int, level: int, trail: Trail, workspace: ForcingWorkspace) -> int:
    """The move to try next: first what has decided most positions, then the others in order."""
    first, actions = trail.tried[level], trail.actions[level]
    if first < FAVOURITES:
        best = first
        for place in range(first + 1, trail.legal[level]):
            if workspace.history[turn, actions[place]] > workspace.history[turn, actions[best]]:
                best = place
        chosen = actions[best]
        for place in range(best, first, -1):
            actions[place] = actions[place - 1]
        actions[first] = chosen
    trail.tried[level] = first + 1
    return actions[first]


@kernel
def search(
    tables: Any,
    states: Any,
    seat: int,
    to_come: int,
    trail: Trail,
    workspace: ForcingWorkspace,
    most_nodes: int,
) -> int:
    """Whether a seat forces a win from ``states[0]`` if so many more of its turns may begin."""
    t = tables[0]
    level = 0
    found = UNKNOWN
    write_key(t, states[0], workspace.symmetries, seat * MOST_TURNS + to_come, trail.keys[0])
    open_level(t, states, 0, to_come, trail, workspace)
    while True:
        attacking = states[level].turn == seat
        if found != UNKNOWN and (found == FORCES) == attacking:
            # The move just tried decides: for the attacker one is enough, against it too.
            decisive = trail.actions[level, trail.tried[level] - 1]
            workspace.history[states[level].turn, decisive] += 1
        elif trail.tried[level] < trail.legal[level]:
            if workspace.nodes[0] >= most_nodes or level + 1 == len(trail.legal):
                return UNKNOWN
            action = next_action(states[level].turn, level, trail, workspace)
            workspace.nodes[0] += 1
            states[level + 1] = states[level]
            child = states[level + 1]
            rules.play(t, child, action)
            left = trail.to_come[level]
            if child.over != 0:
                rules.returns(t, child, workspace.returns)
                found = FORCES if workspace.returns[seat] >= WIN else FAILS
                continue
            if child.turn == seat and not attacking:
                left -= 1
                if left < 0:
                    found = FAILS
                    continue
            found = UNKNOWN
            if left > 0:
                label = seat * MOST_TURNS + left
                write_key(t, child, workspace.symmetries, label, trail.keys[level + 1])
                known = recall(workspace.table, trail.keys[level + 1], 0)
                if known != 0:
                    found = known - 1
                    continue
            level += 1
            open_level(t, states, level, left, trail, workspace)
            continue
        else:
            found = FAILS if attacking else FORCES
        if trail.to_come[level] > 0:
            effort = size_of(workspace.nodes[0] - trail.begun[level])
            remember(workspace.table, trail.keys[level], found + 1, effort)
        if level == 0:
            return found
        level -= 1


class Prover:
    """Proves forced wins in positions of one game, and remembers what it has proven.

    After ``nodes`` positions without an ``allow`` it gives up with SolveLimit.
    """

    def __init__(self, game: Game, nodes: int = DEFAULT_NODES) -> None:
        words = count_words(game)
        self.game = game
        self._states = np.zeros(DEPTH + 1, game.dtype)
        self._trail = Trail(
            np.zeros((DEPTH, game.num_actions), np.int32),
            np.zeros(DEPTH, np.int32),
            np.zeros(DEPTH, np.int32),
            np.zeros(DEPTH, np.int32),
            np.zeros(DEPTH, np.int64),
            np.zeros((DEPTH, words), np.uint64),
        )
        self._workspace = ForcingWorkspace(
            make_table(ENTRIES, words),
            prepare(game),
            np.zeros((game.num_seats, game.num_actions), np.int64),
            np.zeros(game.num_seats),
            np.zeros(1, np.int64),
        )
        self.allow(nodes)

    def allow(self, nodes: int) -> None:
        """Let so many more positions be looked at."""
        self._most_nodes = int(self._workspace.nodes[0]) + nodes

    def forces(self, state: State, seat: int, to_come: int) -> bool:
        """Whether a seat forces a win before more than ``to_come`` new turns of its own begin."""
        if state.outcome is not None:
            return state.outcome.winner == seat
        if to_come < 0:
            return False
        self._states[0] = state.raw
        found = search(
            self.game.tables,
            self._states,
            int(seat),  # another type of number would have it compiled again
            to_come,
            self._trail,
            self._workspace,
            self._most_nodes,
        )
        if found == UNKNOWN:
            raise SolveLimit("not proven within the positions allowed; allow more")
        return bool(found == FORCES)

    def winning_turns(self, state: State, turns: int) -> Iterator[str]:
        """The turns with which the seat to move forces a win within so many turns."""
        seat = state.raw["turn"]
        for turn, after in list_turns(state) if turns else ():
            if self.forces(after, seat, turns - 1):
                yield turn

    def best_reply(self, state: State, seat: int, to_come: int) -> tuple[tuple[str, ...], State]:
        """What holds up a forced win longest, and then leaves the fewest ways to win."""
        replies = list(list_replies(state, seat))
        for left in range(to_come):
            longer = [
                (reply, end) for reply, end in replies if not self.forces(end, seat, left - 1)
            ]
            if not longer:
                break
            replies = longer
        return min(replies, key=lambda found: self._count_ways(found[1], to_come))

    def _count_ways(self, state: State, turns: int) -> int:
        return 0 if state.is_over else sum(1 for _ in self.winning_turns(state, turns))
