"""Depth-first proof of how a game ends under best play, compiled per game.

An *outcome* is a small number for who wins. Every seat has an order of preference among outcomes,
and takes a move that leads to the one it likes best. What is known of a position is the set of
outcomes it can still have; a set of one is a proof. With two seats this is alpha-beta, with more it
is max-n, and with one seat against all others it is a fight of two sides: only the order differs.
Where a countdown makes draws, the same is known for all counts at once (``knowledge``).

A *question* is either FULL (which outcome is it?) or an outcome (is it this one?). A position is
searched no further than its question needs. The search keeps its own stack, so it can pause after
any number of nodes and be taken up again.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.core import rules
from skerry.core.bits import Words
from skerry.core.game import Game
from skerry.core.kernels import kernel
from skerry.search.solver.keys import Symmetries, count_words, prepare, write_key
from skerry.search.solver.knowledge import (
    NO_FACT,
    NOTHING,
    assure,
    join,
    look_back,
    look_back_from_end,
    merge,
    possible,
)
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
from skerry.search.solver.preferences import Preferences, is_decided, pass_on

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
        # With a countdown only:
        ("assured", np.int64),  # what is known since the seat may choose
        ("shared", np.int64),  # what is known of all moves looked at
    ]
)


class Stack(NamedTuple):
    """The line being searched, level by level."""

    frames: Any  # [depth] of FRAME
    actions: NDArray[np.int32]  # [depth, num_actions] moves to look at, in this order
    keys: Words  # [depth, num_actions, words] of the positions they lead to, by ``slots``
    slots: NDArray[np.int32]  # [depth, num_actions] where a move's key stands, or NO_KEY
    left: NDArray[np.int32]  # [depth, num_actions] of a countdown after a move, by ``slots``
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
def is_enough(preferences: Preferences, frame: Any, outcomes: int) -> bool:
    """Whether a move that can have these outcomes needs no search (any more)."""
    better = preferences.best[frame.seat, frame.floor]
    question = pass_on(preferences, frame.seat, frame.floor, frame.question)
    return outcomes & better == 0 or is_decided(outcomes, question)


@kernel
def take_in(preferences: Preferences, frame: Any, outcomes: int, fact: int) -> bool:
    """Take note of what a move can lead to; whether that answers the position's question.

    The fact says the same for whatever is left of a countdown; without one it is NO_FACT.
    """
    if fact != NO_FACT:
        frame.assured = merge(frame.assured, assure(fact, frame.seat), 1)
        frame.shared = join(frame.shared, fact)
    frame.seen |= outcomes
    rank = preferences.worst_rank[frame.seat, outcomes]
    if rank >= frame.floor:
        return False
    frame.floor = rank
    return is_decided(preferences.best[frame.seat, rank + 1], frame.question)


@kernel
def conclude(frame: Any, in_hand: int, answered: bool, left: int) -> int:
    """What is known of a position of which nothing is left to ask."""
    if left > 0:
        return frame.assured if answered else merge(frame.assured, frame.shared, left)
    return in_hand if answered else in_hand & frame.seen


@kernel
def unknown(preferences: Preferences, left: int) -> int:
    """What is known of a position at first."""
    return NOTHING if left > 0 else (1 << preferences.outcomes) - 1


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
    frame.assured = NOTHING
    frame.shared = NO_FACT
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
    left = rules.countdown(t, s)
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
        fact = look_back_from_end(outcome, left, rules.countdown(t, child))
        if take_in(preferences, frame, 1 << outcome, fact):
            note_killer(experience, ply, actions[i])
            return True
    # Then what the table knows, unless a search takes no longer than to look that up.
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
        after = rules.countdown(t, child)
        stack.left[level, i] = after
        known = recall(workspace.table, key, unknown(preferences, left))
        outcomes = possible(known, after)
        if is_enough(preferences, frame, outcomes):
            if take_in(preferences, frame, outcomes, look_back(known, left, after)):
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
    left = rules.countdown(t, states[0])
    known = recall(workspace.table, stack.own[0], unknown(preferences, left))
    workspace.counters[ANSWER] = possible(known, left)
    if is_decided(workspace.counters[ANSWER], question):
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
    level = workspace.counters[LEVEL]
    while True:
        frame = stack.frames[level]
        left = rules.countdown(t, states[level])
        in_hand = preferences.best[frame.seat, min(frame.floor + 1, preferences.outcomes)]
        answered = is_decided(in_hand, frame.question)
        if not answered and frame.next < frame.count:
            # Ask about the next move, of which the table may know more by now.
            slot = stack.slots[level, frame.next]
            if slot != NO_KEY:
                key = stack.keys[level, slot]
                known = recall(workspace.table, key, unknown(preferences, left))
                after = stack.left[level, slot] if left > 0 else 0
                outcomes = possible(known, after)
                if is_enough(preferences, frame, outcomes):
                    take_in(preferences, frame, outcomes, look_back(known, left, after))
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
        found = conclude(frame, in_hand, answered, left)
        nodes = workspace.counters[NODES] - frame.begun
        note_work(workspace.experience, workspace.counters[PLY] + level, nodes)
        if frame.keyed != 0:
            own = stack.own[level]
            found = merge(found, recall(workspace.table, own, unknown(preferences, left)), left)
            workspace.counters[ROWS] += remember(workspace.table, own, found, size_of(nodes))
        if level == 0:
            workspace.counters[ANSWER] = possible(found, left)
            return DONE
        level -= 1
        frame = stack.frames[level]
        fact = look_back(found, rules.countdown(t, states[level]), left)
        if take_in(preferences, frame, possible(found, left), fact):
            action = stack.actions[level, frame.next - 1]
            credit(workspace.experience, frame.seat, move_before(stack, level), action)
