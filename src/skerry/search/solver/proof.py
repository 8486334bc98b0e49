"""Depth-first proof of how a game ends under best play, compiled per game.

An *outcome* is a small number for who wins. Every seat has an order of preference among outcomes,
and takes a move that leads to the one it likes best. What is known of a position is the set of
outcomes it can still have; a set of one is a proof. With two seats this is alpha-beta, with more it
is max-n, and with one seat against all others it is a fight of two sides: only the order differs.

A *question* is either FULL (which outcome is it?) or an outcome (is it this one?). A position is
searched no further than its question needs. The search keeps its own stack, so it can pause after
any number of nodes and be taken up again.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.core import rules
from skerry.core.bits import Words
from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.core.kernels import kernel
from skerry.search.solver.keys import LABEL_BITS, Symmetries, count_words, prepare, write_key
from skerry.search.solver.memory import make_table, recall, remember
from skerry.search.solver.order import (
    COUNT_BITS,
    Experience,
    count_credit,
    count_games,
    credit,
    is_trivial,
    make_experience,
    note_killer,
    note_work,
    put_killer_first,
    size_of,
    sound_out,
)

FULL = -1  # the question which outcome it is
WIN = 1.0
DONE, PAUSED, STACK_FULL, ODD_END = range(4)
NODES, LEVEL, ROWS, ANSWER, PLY, DEEPEST, COUNTERS = range(7)
FIRST_DEPTH = 64
NO_KEY = -1

FRAME = np.dtype(
    [
        ("count", np.int32),  # moves to look at
        ("next", np.int32),  # how many of them have been
        ("seat", np.int32),
        ("question", np.int32),
        ("floor", np.int32),  # rank of the outcome in hand; the number of outcomes if none is
        ("seen", np.int32),  # outcomes that the moves looked at can have
        ("begun", np.int64),  # nodes before this one
        ("keyed", np.int32),  # whether it is worth a row of the table
    ]
)


class Preferences(NamedTuple):
    """Who likes what: the outcome of every end, and every seat's order of preference."""

    label: int  # tells these preferences from others in the table
    outcomes: int
    of_winner: NDArray[np.int32]  # [seats + 1] the outcome if a seat wins, at last if nobody does
    order: NDArray[np.int32]  # [seats, outcomes] outcomes, best first
    best: NDArray[np.int32]  # [seats, outcomes + 1] the set of the so many best outcomes
    worst_rank: NDArray[np.int32]  # [seats, sets of outcomes] the rank of the worst in a set


def make_preferences(label: int, of_winner: list[int], order: list[list[int]]) -> Preferences:
    """Preferences from the seats' orders of them."""
    if label >> LABEL_BITS:
        raise OptionsError(f"games of {len(order)} seats cannot be solved: keys are too narrow")
    outcomes = len(order[0])
    best = np.zeros((len(order), outcomes + 1), np.int32)
    worst_rank = np.zeros((len(order), 1 << outcomes), np.int32)
    for seat, liked in enumerate(order):
        for rank, outcome in enumerate(liked):
            best[seat, rank + 1] = best[seat, rank] | 1 << outcome
            for subset in range(1 << outcomes):
                if subset >> outcome & 1:
                    worst_rank[seat, subset] = rank
    return Preferences(
        label,
        outcomes,
        np.array(of_winner, np.int32),
        np.array(order, np.int32),
        best,
        worst_rank,
    )


class Stack(NamedTuple):
    """The line being searched, level by level."""

    frames: Any  # [depth] of FRAME
    actions: NDArray[np.int32]  # [depth, num_actions] moves to look at, in this order
    keys: Words  # [depth, num_actions, words] of the positions they lead to, by ``slots``
    slots: NDArray[np.int32]  # [depth, num_actions] where a move's key stands, or NO_KEY
    own: Words  # [depth, words] the position's own key


class Workspace(NamedTuple):
    """All that a search needs beside the stack, and keeps from one question to the next."""

    table: Words
    symmetries: Symmetries
    experience: Experience
    scores: NDArray[np.int64]  # [num_actions] scratch
    replies: NDArray[np.int32]  # [num_actions] scratch
    returns: NDArray[np.float64]  # [seats] scratch
    counters: NDArray[np.int64]  # [COUNTERS]


def make_stack(game: Game, depth: int) -> tuple[Stack, NDArray[np.void]]:
    """An empty stack, and room for the states that belong to it."""
    words, moves = count_words(game), game.num_actions
    stack = Stack(
        np.zeros(depth, FRAME),
        np.zeros((depth, moves), np.int32),
        np.zeros((depth, moves, words), np.uint64),
        np.zeros((depth, moves), np.int32),
        np.zeros((depth, words), np.uint64),
    )
    return stack, np.zeros(depth + 1, game.dtype)


def make_workspace(game: Game, entries: int) -> Workspace:
    """A table of so many entries, and scratch space."""
    return Workspace(
        make_table(entries, count_words(game)),
        prepare(game),
        make_experience(game),
        np.zeros(game.num_actions, np.int64),
        np.zeros(game.num_actions, np.int32),
        np.zeros(game.num_seats),
        np.zeros(COUNTERS, np.int64),
    )


@kernel
def is_decided(outcomes: int, question: int) -> bool:
    """Whether a set of possible outcomes answers a question."""
    if question == FULL:
        return outcomes & (outcomes - 1) == 0
    asked = 1 << question
    return outcomes == asked or outcomes & asked == 0


@kernel
def pass_on(preferences: Preferences, seat: int, floor: int, question: int) -> int:
    """What to ask about a move, for a seat with something in hand that has a question to answer.

    Whether it is the best or the worst outcome depends on whether some move's is. Beyond that,
    with the second best in hand only the best is of interest.
    """
    best, worst = preferences.order[seat, 0], preferences.order[seat, preferences.outcomes - 1]
    if question in (best, worst):
        return question
    return best if floor == 1 else FULL


@kernel
def is_enough(preferences: Preferences, frame: Any, outcomes: int) -> bool:
    """Whether a move that can have these outcomes needs no search (any more)."""
    better = preferences.best[frame.seat, frame.floor]
    question = pass_on(preferences, frame.seat, frame.floor, frame.question)
    return outcomes & better == 0 or is_decided(outcomes, question)


@kernel
def take_in(preferences: Preferences, frame: Any, outcomes: int) -> bool:
    """Take note of a move's possible outcomes; whether that answers the position's question."""
    frame.seen |= outcomes
    rank = preferences.worst_rank[frame.seat, outcomes]
    if rank >= frame.floor:
        return False
    frame.floor = rank
    return is_decided(preferences.best[frame.seat, rank + 1], frame.question)


@kernel
def end_of(t: Any, s: Any, preferences: Preferences, returns: Any) -> int:
    """The outcome of a finished game; negative if the preferences have none for it."""
    rules.returns(t, s, returns)
    winner = len(returns)
    for seat in range(len(returns)):
        if returns[seat] >= WIN:
            winner = seat
    return preferences.of_winner[winner]


@kernel
def move_before(stack: Stack, level: int) -> int:
    """The move that led to a position of the line being searched; at its start there is none."""
    return stack.actions[level - 1, stack.frames[level - 1].next - 1] if level > 0 else 0


@kernel
def start_frame(frame: Any, seat: int, question: int, outcomes: int, counters: Any) -> None:
    """Nothing is known of a position yet."""
    frame.seat = seat
    frame.question = question
    frame.floor = outcomes
    frame.seen = 0
    frame.next = 0
    frame.count = 0
    frame.begun = counters[NODES]
    counters[NODES] += 1


@kernel
def open_frame(
    t: Any,
    states: Any,
    level: int,
    question: int,
    preferences: Preferences,
    stack: Stack,
    workspace: Workspace,
) -> bool:
    """Look at all moves of ``states[level]`` and keep those that need a search.

    False if a game ended in a way that the preferences know nothing of.
    """
    s, child, frame = states[level], states[level + 1], stack.frames[level]
    start_frame(frame, s.turn, question, preferences.outcomes, workspace.counters)
    actions, experience = stack.actions[level], workspace.experience
    ply = workspace.counters[PLY] + level
    listed = rules.legal(t, s, actions)
    put_killer_first(experience, ply, actions, listed)
    # The ends of games first: they cost nothing and may answer the question at once.
    going_on = 0
    for i in range(listed):
        states[level + 1] = s
        rules.play(t, child, actions[i])
        if child.over == 0:
            actions[going_on] = actions[i]
            going_on += 1
            continue
        outcome = end_of(t, child, preferences, workspace.returns)
        if outcome < 0:
            return False
        if take_in(preferences, frame, 1 << outcome):
            note_killer(experience, ply, actions[i])
            return True
    # Then what the table knows, unless a search takes no longer than to look that up.
    everything = (1 << preferences.outcomes) - 1
    before = move_before(stack, level)
    trivial = is_trivial(experience, ply + 1)
    games = count_games(experience, ply + 1, workspace.counters[DEEPEST] - ply)
    for i in range(going_on):
        action = actions[i]
        score = count_credit(experience, frame.seat, before, action)
        if trivial:
            insert(stack, workspace, level, frame.count, NO_KEY, action, score)
            frame.count += 1
            continue
        states[level + 1] = s
        rules.play(t, child, action)
        key = stack.keys[level, i]
        write_key(t, child, workspace.symmetries, preferences.label, key)
        known = recall(workspace.table, key, everything)
        if is_enough(preferences, frame, known):
            if take_in(preferences, frame, known):
                return True
            continue
        # Few replies leave little to search; for one's own next move the more the better. On a
        # scale of thirds of a bit, so that among many replies experience decides.
        replies = size_of(rules.legal(t, child, workspace.replies) ** 3)
        if child.turn == frame.seat:
            replies = -replies
        score -= replies << COUNT_BITS
        if games > 0:
            score += sound_out(
                t, states, level, action, games, frame.begun, workspace.replies, workspace.returns
            )
        insert(stack, workspace, level, frame.count, i, action, score)
        frame.count += 1
    return True


@kernel
def insert(
    stack: Stack, workspace: Workspace, level: int, count: int, slot: int, action: int, score: int
) -> None:
    """Put a move among those kept, highest score first and equal scores in order."""
    place = count
    while place > 0 and workspace.scores[place - 1] < score:
        workspace.scores[place] = workspace.scores[place - 1]
        stack.actions[level, place] = stack.actions[level, place - 1]
        stack.slots[level, place] = stack.slots[level, place - 1]
        place -= 1
    workspace.scores[place] = score
    stack.actions[level, place] = action
    stack.slots[level, place] = slot


@kernel
def begin(
    tables: Any,
    states: Any,
    question: int,
    preferences: Preferences,
    stack: Stack,
    workspace: Workspace,
    ply: int,
) -> int:
    """Ask a question about ``states[0]``, which is not over; experience counts plies from 0."""
    t = tables[0]
    workspace.counters[LEVEL] = 0
    workspace.counters[PLY] = ply
    stack.frames[0].keyed = 1
    write_key(t, states[0], workspace.symmetries, preferences.label, stack.own[0])
    known = recall(workspace.table, stack.own[0], (1 << preferences.outcomes) - 1)
    workspace.counters[ANSWER] = known
    if is_decided(known, question):
        return DONE
    return PAUSED if open_frame(t, states, 0, question, preferences, stack, workspace) else ODD_END


@kernel
def search(
    tables: Any,
    states: Any,
    preferences: Preferences,
    stack: Stack,
    workspace: Workspace,
    most_nodes: int,
) -> int:
    """Go on until the question is answered, the stack is full or the nodes are used up."""
    t = tables[0]
    everything = (1 << preferences.outcomes) - 1
    level = workspace.counters[LEVEL]
    while True:
        frame = stack.frames[level]
        in_hand = preferences.best[frame.seat, min(frame.floor + 1, preferences.outcomes)]
        answered = is_decided(in_hand, frame.question)
        if not answered and frame.next < frame.count:
            # Ask about the next move, of which the table may know more by now.
            slot = stack.slots[level, frame.next]
            if slot != NO_KEY:
                known = recall(workspace.table, stack.keys[level, slot], everything)
                if is_enough(preferences, frame, known):
                    take_in(preferences, frame, known)
                    frame.next += 1
                    continue
            if workspace.counters[NODES] >= most_nodes or level + 1 == len(stack.frames):
                workspace.counters[LEVEL] = level
                return PAUSED if workspace.counters[NODES] >= most_nodes else STACK_FULL
            states[level + 1] = states[level]
            rules.play(t, states[level + 1], stack.actions[level, frame.next])
            frame.next += 1
            level += 1
            stack.frames[level].keyed = slot != NO_KEY
            if slot != NO_KEY:
                stack.own[level] = stack.keys[level - 1, slot]
            ply = workspace.counters[PLY] + level
            workspace.counters[DEEPEST] = max(workspace.counters[DEEPEST], ply)
            question = pass_on(preferences, frame.seat, frame.floor, frame.question)
            if not open_frame(t, states, level, question, preferences, stack, workspace):
                return ODD_END
            continue
        # Nothing is left to ask: believe what was found, and tell it to the position before.
        found = in_hand if answered else in_hand & frame.seen
        nodes = workspace.counters[NODES] - frame.begun
        note_work(workspace.experience, workspace.counters[PLY] + level, nodes)
        if frame.keyed != 0:
            own = stack.own[level]
            found &= recall(workspace.table, own, everything)
            workspace.counters[ROWS] += remember(workspace.table, own, found, size_of(nodes))
        if level == 0:
            workspace.counters[ANSWER] = found
            return DONE
        level -= 1
        frame = stack.frames[level]
        if take_in(preferences, frame, found):
            action = stack.actions[level, frame.next - 1]
            credit(workspace.experience, frame.seat, move_before(stack, level), action)
