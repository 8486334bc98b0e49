"""Trees on a CPU: what one thread does to some games of a batch.

Records of nodes lie one game after the other. On a GPU ``train.gpu`` has the twins of these.
"""

from typing import Any

from skerry.core.bits import signed
from skerry.core.kernels import kernel
from skerry.core.rules import Actions, States, TablesArray
from skerry.train.gumbel import Schedule, choose_best
from skerry.train.tree import (
    OVER,
    Logits,
    Nodes,
    Outlooks,
    Searches,
    back_up,
    begin_game,
    descend,
    expand,
    foretell,
    improve_policy,
    open_node,
    play_on,
    recall_pact,
    settle,
    step,
    tell,
)


@kernel
def begin_all(
    tables: TablesArray,
    states: States,
    blank: States,
    searches: Searches,
    longest: int,
    scratch: Actions,
) -> None:
    """Start all games, whose generators are set."""
    for k in range(len(searches)):
        rng = searches[k].rng
        searches[k].rng = begin_game(tables[0], states, k, blank, rng, longest, scratch)


@kernel
def plant_all(
    tables: TablesArray,
    states: States,
    nodes: Nodes,
    records: States,
    searches: Searches,
    cells: Any,
    seats: Any,
    counters: Any,
    returns: Any,
) -> None:
    """Begin a tree at every game's position, and tell the net of it."""
    t = tables[0]
    for k in range(len(searches)):
        open_node(nodes[k, 0], 0, 0)
        records[k, 0] = states[k]
        settle(t, states[k], nodes[k, 0], returns)
        recall_pact(searches[k], signed(nodes[k, 0].seat))
        searches[k].leaf = 0
        searches[k].grown = 1
        seats[k] = max(nodes[k, 0].seat, 0)
        counters[k] = tell(t, states[k], len(returns), cells[:, k])


@kernel
def simulate_all(
    tables: TablesArray,
    nodes: Nodes,
    records: States,
    searches: Searches,
    logits: Logits,
    outlooks: Outlooks,
    plan: Schedule,
    number: int,
    strangers: Any,
    cells: Any,
    seats: Any,
    counters: Any,
    scratch: Actions,
    returns: Any,
) -> None:
    """Take in what the net said, and go to the next leaf unless all simulations are done."""
    t = tables[0]
    for k in range(len(searches)):
        leaf = signed(searches[k].leaf)
        node = nodes[k, leaf]
        if node.seat != OVER:
            expand(t, records[k, leaf], node, searches[k], logits[k], outlooks[k], scratch)
        back_up(nodes[k], leaf)
        if number < plan.shape[1] and nodes[k, 0].seat != OVER:
            visits = signed(plan[nodes[k, 0].width, number])
            known = signed(strangers[k])
            parent, slot, is_new = descend(nodes[k], searches[k], visits, known)
            if is_new:
                at = signed(searches[k].grown)
                records[k, at] = records[k, parent]
                step(t, records[k, at], nodes[k], searches[k], parent, slot, returns)
                seats[k] = max(nodes[k, at].seat, 0)
                counters[k] = tell(t, records[k, at], len(returns), cells[:, k])
            else:  # the net may say what it likes of an end
                searches[k].leaf = parent


@kernel
def conclude_all(
    tables: TablesArray,
    states: States,
    nodes: Nodes,
    searches: Searches,
    logits: Logits,
    targets: Any,
    actions: Any,
    worths: Any,
    scratch: Actions,
) -> None:
    """What every search has come to: a policy to learn, an action, and its worth."""
    for k in range(len(searches)):
        if states[k].over == 0:
            improve_policy(tables[0], states[k], nodes[k, 0], logits[k], scratch, targets[k])
            actions[k], worths[k] = choose_best(nodes[k, 0], searches[k])


@kernel
def foretell_all(
    tables: TablesArray,
    states: States,
    searches: Searches,
    foretold: Any,
    room: States,
    scratch: Actions,
    returns: Any,
) -> None:
    """How random games from all positions end; ``room`` [1] is scratch space."""
    for k in range(len(searches)):
        if states[k].over == 0:
            room[0] = states[k]
            foretold[k] = foretell(tables[0], room[0], searches[k], scratch, returns)


@kernel
def play_all(
    tables: TablesArray,
    states: States,
    blank: States,
    searches: Searches,
    actions: Any,
    longest: int,
    restart: bool,
    outcomes: Any,
    cells: Any,
    scratch: Actions,
    returns: Any,
) -> None:
    """Play an action in every game; ended ones say how, show their last position and start anew."""
    t = tables[0]
    for k in range(len(searches)):
        outcomes[k] = play_on(
            t,
            states,
            k,
            blank,
            searches[k],
            signed(actions[k]),
            longest,
            restart,
            cells[:, k],
            scratch,
            returns,
        )
